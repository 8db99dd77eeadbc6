import LinuxFiles

/// A folder of containers, one of each app: a Mac's `Mobile Documents`, or a copy of it.
public struct AppsFolder: Sendable {
    /// One of its containers.
    public struct App: Hashable, Sendable {
        /// What a drive calls it.
        public let name: Name
        /// What its folder is called.
        public let folder: Name
        public let identifier: AppIdentifier
    }

    public let apps: [App]

    /// nil where a folder is none: one that has anything else in it, or was used as a container, is a container itself.
    public init?(_ folder: borrowing Descriptor) throws(Errno) {
        var found: [(Name, AppIdentifier)] = [], entries = try FolderReader(untraced: folder)
        while let entry = try entries.next() {
            if Hidden.isState(entry.name) { return nil }
            // What lies there for Macs and for those who synchronize it.
            if entry.name.bytes.first == UInt8(ascii: ".") || Hidden.hides(entry.name) { continue }
            guard entry.type == .folder, let identifier = AppIdentifier(folder: entry.name) else { return nil }
            found.append((entry.name, identifier))
        }
        guard !found.isEmpty else { return nil }
        apps = Self.named(found)
    }

    /// Those that would have one name have their identifier behind it, and two folders of one app their own names.
    private static func named(_ found: [(folder: Name, identifier: AppIdentifier)]) -> [App] {
        let short = counted(found.map(\.identifier.appName)), whole = counted(found.map(\.identifier.text))
        return found.map { folder, identifier in
            let isAlone = short[identifier.appName.lowercased()] == 1
            let text = isAlone ? identifier.appName : "\(identifier.appName) (\(whole[identifier.text.lowercased()] == 1 ? identifier.text : "\(folder)"))"
            return App(name: Name(text) ?? folder, folder: folder, identifier: identifier)
        }.sorted { $0.name < $1.name }
    }

    private static func counted(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1.lowercased(), default: 0] += 1 }
    }
}

extension MountTable {
    /// With each folder of an app as if a drive of its container were mounted there: a drive of a folder of containers shows those.
    public var withApps: MountTable {
        let apps = drives.flatMap { mount in
            Self.apps(of: mount).map { mount.folder("\($0.name)", of: mount.source + "/\($0.folder)") }
        }
        return apps.isEmpty ? self : MountTable(mounts: mounts + apps)
    }

    /// The containers that a drive shows in folders of their own; none for a drive that shows one container. No drive is asked.
    public static func apps(of mount: Mount) -> [AppsFolder.App] {
        guard mount.showsApps, let folder = try? Descriptor.atPath(mount.source, [.read, .folder]) else { return [] }
        return (try? AppsFolder(folder))?.apps ?? []
    }
}
