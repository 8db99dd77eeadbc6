import Containers
import Glibc
import LinuxFiles
import Shell

/// What the system has to have before anything can be mounted.
enum SystemChecks {
    static func all() -> [Finding] { [device(), helper(), library(), others(), notices(), mountHelper()] + kinds() }

    /// The kinds of documents that somebody wrote down for all containers.
    private static func kinds() -> [Finding] {
        let own = PersonsKinds.own, shipped = KindRegistry.shipped
        let names = own.registry.all.dropFirst(shipped.all.count).map(\.name)
            + own.registry.folders.dropFirst(shipped.folders.count).map(\.name)
        let known = names.isEmpty ? [] : [Finding(.ok, "other kinds of documents are known: \(names.joined(separator: ", "))")]
        return own.mistakes.map { Finding(.problem, $0) } + known
    }

    private static func device() -> Finding {
        if let obstacle = FuseDevice.obstacle() { return Finding(.problem, obstacle.fault, mend: obstacle.mend) }
        do throws(Errno) {
            _ = try Descriptor.atPath(FuseDevice.path, .readWrite)
            return Finding(.ok, "\(FuseDevice.path) can be opened")
        } catch {
            return Finding(.problem, "\(FuseDevice.path) cannot be opened: \(error)", mend: "sudo modprobe fuse")
        }
    }

    /// fusermount3 writes down for whom it mounts, and mounts for nobody who has no name.
    static var namelessUser: (fault: String, mend: String)? {
        guard geteuid() != 0, SystemUser(getuid()) == nil else { return nil }
        return (
            "this system does not know you, user \(getuid()), by a name, and fusermount3 mounts for nobody else",
            "echo 'valise:x:\(getuid()):\(getgid())::/nonexistent:/bin/sh' | sudo tee -a /etc/passwd")
    }

    private static func helper() -> Finding {
        if let nameless = namelessUser { return Finding(.problem, nameless.fault, mend: nameless.mend) }
        guard let path = ProgramRun.find("fusermount3"), let file = try? status(of: path) else {
            return Finding(geteuid() == 0 ? .note : .problem, "fusermount3 is missing, and only root can mount without it", mend: "sudo apt-get install fuse3")
        }
        if file.mode & S_ISUID != 0, file.owner == 0 { return Finding(.ok, "\(path) may mount for users") }
        return Finding(geteuid() == 0 ? .note : .problem, "\(path) is not setuid root, so only root can mount", mend: "sudo chown root \(path) && sudo chmod u+s \(path)")
    }

    /// The version of the library that this process runs with, from the name of its file.
    private static func library() -> Finding {
        let maps = String(decoding: (try? contents(of: "/proc/self/maps", limit: 8 << 20)) ?? [], as: UTF8.self)
        let path = maps.split(whereSeparator: \.isNewline).lazy
            .compactMap { $0.split(separator: " ").last }
            .first { $0.contains("/libfuse3.so") }
        guard let path, let version = path.split(separator: "/").last?.split(separator: ".", maxSplits: 2).last else {
            return Finding(.note, "libfuse3 does not tell its version")
        }
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        let isOld = numbers.first == 3 && numbers.count > 1 && numbers[1] < 14
        return isOld
            ? Finding(.problem, "libfuse3 is \(version); 3.14 is the oldest that Valise works with", mend: "sudo apt-get install libfuse3-3")
            : Finding(.ok, "libfuse3 is \(version)")
    }

    private static func others() -> Finding {
        if userMayAllowOthers() { return Finding(.ok, "users may open their drives to others (user_allow_other)") }
        // Who asks may: nothing is to be fixed.
        return geteuid() == 0
            ? Finding(.ok, "root may open drives to others (-o allow_other); for users to do so, /etc/fuse.conf needs a line user_allow_other")
            : Finding(.note, "only root may use -o allow_other", mend: "echo user_allow_other | sudo tee -a /etc/fuse.conf")
    }

    /// What changes in a container from outside is noticed folder by folder, and there are more folders than one thinks.
    private static func notices() -> Finding {
        func limit(_ name: String) -> Int? {
            (try? contents(of: "/proc/sys/fs/inotify/\(name)")).flatMap { Int(String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }) }
        }
        guard let watches = limit("max_user_watches"), let instances = limit("max_user_instances") else {
            return Finding(.note, "the kernel has no inotify, so changes in a container are seen only when somebody looks")
        }
        guard watches >= 65_536, instances >= 64 else {
            return Finding(
                .note, "a user may watch \(counted(watches, "folder")) in \(counted(instances, "program")), which is few: changes in large containers are seen only when somebody looks",
                mend: "printf 'fs.inotify.max_user_watches=524288\\nfs.inotify.max_user_instances=256\\n' | sudo tee /etc/sysctl.d/60-valise.conf && sudo sysctl --system")
        }
        return Finding(.ok, "a user may watch \(counted(watches, "folder")) for changes")
    }

    private static func mountHelper() -> Finding {
        let missing = ["mount.valise", "mount.fuse.valise"].filter { name in !["/sbin", "/usr/sbin"].contains { isPermitted(X_OK, "\($0)/\(name)") } }
        return missing.isEmpty
            ? Finding(.ok, "mount(8) and /etc/fstab know the type valise")
            : Finding(.note, "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") not installed, so mount(8) and /etc/fstab do not know the type valise", mend: "./mount-helper.sh install")
    }
}

/// The drives that systemd serves, where it runs: those of the user, and those of the system.
enum UnitChecks {
    static func all() -> [Finding] {
        guard (try? status(of: "/run/systemd/system")) != nil else { return [] }
        return units("--user") + units("--system")
    }

    /// "valise@home-ann-Bookmarks.service loaded failed failed A drive of …", a line each.
    private static func units(_ whose: String) -> [Finding] {
        guard let run = ProgramRun.run("systemctl", [whose, "list-units", "--all", "--plain", "--no-legend", "--no-pager", "valise@*.service"]), run.code == 0 else { return [] }
        return run.output.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard words.count > 3 else { return nil }
            let unit = words[0]
            guard words[2] == "failed" else { return Finding(.ok, "the unit \(unit) is \(words[2])") }
            let journal = whose == "--user" ? "journalctl --user -u" : "journalctl -u"
            let restart = whose == "--user" ? "systemctl --user restart" : "sudo systemctl restart"
            return Finding(.problem, "the unit \(unit) has failed; to see why: \(journal) \(shellWord(unit))", mend: "\(restart) \(shellWord(unit))")
        }
    }
}
