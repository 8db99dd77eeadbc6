/// One mount option that `-o` understands, and what becomes of it.
public struct MountOption: Sendable {
    public let name: String
    /// What follows "=", or nil for an option without a value.
    public let value: String?
    public let summary: String
    let meaning: Meaning

    enum Meaning: Sendable {
        case readOnly, readWrite, others, accessLists, link, packages, create, changes, owner, group, umask, source, threads, versions, files, deleted, nonempty, mayBeMissing, unsealed, log, keyValues, servedAs, asOwner, notAsOwner
        /// Handed to the kernel under this name.
        case kernel
        /// For mount(8) and systemd, which have acted on it already, or what a drive does anyway or never.
        case nothing
    }

    public var shown: String { value.map { "\(name)=\($0)" } ?? name }

    /// The options that help explains.
    public static let listed: [MountOption] = [
        MountOption(name: "ro", value: nil, summary: "read only: nothing in the container is touched", meaning: .readOnly),
        MountOption(name: "rw", value: nil, summary: "read and write, the default", meaning: .readWrite),
        MountOption(name: "link", value: "FORM", summary: "how a bookmark is shown: url (the default), desktop, webloc or html", meaning: .link),
        MountOption(
            name: "packages", value: "HOW",
            summary: "how packages of other apps are shown: as the kind of each says (kind, the default), "
                + "all as one file each (file), or all as folders (folder)",
            meaning: .packages),
        MountOption(name: "create", value: "KINDS", summary: "what new files become: bookmark, photo, text with + between them, or none; otherwise as “valise init” or the documents found say", meaning: .create),
        MountOption(name: "changes", value: "HOW", summary: "how changes by other programs are seen: watch (the default), poll (by looking again each second), or off where nobody else changes anything", meaning: .changes),
        MountOption(name: "versions", value: "HOWMANY", summary: "what saves replace is kept: within a share of the container's size, such as 10% (the default), all, or off", meaning: .versions),
        MountOption(name: "files", value: "WHAT", summary: "versions (the default): what programs change in plain files is kept as of documents; or off", meaning: .files),
        MountOption(name: "deleted", value: "DAYS", summary: "what is deleted is kept so long, 30 days otherwise, within the room that versions have; or off", meaning: .deleted),
        MountOption(name: "allow_other", value: nil, summary: "other users may use the drive too", meaning: .others),
        MountOption(name: "as", value: "owner", summary: "the process that serves root's drive becomes the container's owner, for good, and the drive is theirs", meaning: .servedAs),
        MountOption(name: "owner", value: nil, summary: "the same, but not from fstab and mount(8), where the word says who may mount", meaning: .asOwner),
        MountOption(name: "acl", value: nil, summary: "plain files and folders have access control lists; a long listing then costs a request a file", meaning: .accessLists),
        MountOption(name: "uid", value: "NUMBER", summary: "everything belongs to this user", meaning: .owner),
        MountOption(name: "gid", value: "NUMBER", summary: "everything belongs to this group", meaning: .group),
        MountOption(name: "umask", value: "OCTAL", summary: "permissions that nothing has", meaning: .umask),
        MountOption(name: "fsname", value: "NAME", summary: "what df and /proc/mounts call it; otherwise the container's path", meaning: .source),
        MountOption(name: "kvs", value: "PATH", summary: "the app's small settings are in this file, or in KeyValueStore.plist of this folder, and not in the container; the path begins with “/”", meaning: .keyValues),
        MountOption(name: "log", value: "FILE", summary: "what the drive has to say is added to this file, with times; otherwise it is in systemd's journal only", meaning: .log),
        MountOption(name: "threads", value: "NUMBER", summary: "how many threads serve the drive at most", meaning: .threads),
        MountOption(name: "nosandbox", value: nil, summary: "the process that serves the drive keeps all its rights", meaning: .unsealed),
        MountOption(name: "nonempty", value: nil, summary: "mount over a folder that holds files, and hide them", meaning: .nonempty),
    ]

    public static let others = "The usual ones work as everywhere: "
        + kernelNames.joined(separator: ", ") + ". Those for fstab (" + (["nofail"] + ignoredNames).joined(separator: ", ")
        + ", x-*, comment=*) are accepted. A comma in a value is written “\\,”, or the value stands between quotation marks."

    public static let kernelNames = ["suid", "nosuid", "dev", "nodev", "exec", "noexec", "sync", "async", "dirsync", "atime", "noatime"]

    public static let ignoredNames = [
        "defaults", "auto", "noauto", "user", "nouser", "users", "nousers", "noowner", "group", "nogroup", "_netdev",
        "relatime", "norelatime", "nostrictatime", "lazytime", "nolazytime", "diratime", "nodiratime", "iversion", "noiversion", "mand", "nomand",
        "silent", "loud", "default_permissions",
    ]

    static let names = listed.map(\.name) + kernelNames + ["nofail"] + ignoredNames

    static func named(_ name: String) -> MountOption? {
        if let option = listed.first(where: { $0.name == name }) { return option }
        if kernelNames.contains(name) { return MountOption(name: name, value: nil, summary: "", meaning: .kernel) }
        if name == "nofail" { return MountOption(name: name, value: nil, summary: "", meaning: .mayBeMissing) }
        if ignoredNames.contains(name) { return MountOption(name: name, value: nil, summary: "", meaning: name == "noowner" ? .notAsOwner : .nothing) }
        return nil
    }

    /// Options that are somebody else's whatever follows: "x-systemd.automount", "comment=…", "user=anna" from mount(8).
    static func isForeign(_ name: String, hasValue: Bool) -> Bool {
        name.hasPrefix("x-") || name.hasPrefix("X-") || (hasValue && ["comment", "user"].contains(name))
    }
}
