import Containers
import Foundation
import LinuxFiles

/// Drives that are mounted on this computer, and what they call things.
enum MountedDrives {
    struct Drive: Equatable {
        let mountpoint: String
        let container: String
        /// Whether its top is the container's folder `Documents`; nil where it does not say.
        let showsDocuments: Bool?
        let isReadOnly: Bool
        /// How many names lead to it.
        var depth: Int { mountpoint.split(separator: "/").count }

        /// What the container calls what a drive shows. What is not there yet is called as it will be.
        func storedNames(of shown: some Sequence<Name>) -> [Name] {
            var path = Array(mountpoint.utf8)
            return shown.map { name in
                path += [UInt8(ascii: "/")] + name.bytes
                return Self.storedName(at: path) ?? name
            }
        }

        /// What the drive calls an item of a folder; nil where it shows none. It is looked for first where a listing would have it:
        /// where several want one name, a drive goes on calling each what it was called first.
        func shownName(of stored: Name, in folder: [Name], expected: Name? = nil) -> Name? {
            let path = folder.reduce(Array(mountpoint.utf8)) { $0 + [UInt8(ascii: "/")] + $1.bytes }
            func storedName(of shown: Name) -> Name? { Self.storedName(at: path + [UInt8(ascii: "/")] + shown.bytes) }
            if let expected, storedName(of: expected) == stored { return expected }
            guard let place = try? Descriptor.atPath(path, [.path, .folder]), var entries = try? FolderReader(place) else { return nil }
            while let entry = try? entries.next() { if storedName(of: entry.name) ?? entry.name == stored { return entry.name } }
            return nil
        }

        /// Where it shows an item; nil where it does not.
        func shownPath(of stored: [Name]) -> String? {
            var folder: [Name] = []
            for name in stored {
                guard let shown = shownName(of: name, in: folder) else { return nil }
                folder.append(shown)
            }
            return ([mountpoint] + folder.map(\.text)).joined(separator: "/")
        }

        private static func storedName(at path: [UInt8]) -> Name? {
            (try? Descriptor.atPath(path, .path).extendedAttribute(storedName)).flatMap { Name($0) }
        }

        private static let storedName = Array("user.valise.stored-name".utf8)
    }

    private static let longestPage = 16 << 20

    private struct Shown {
        let container: String
        let folder: FileIdentity
        let showsDocuments: Bool?
    }

    /// The containers of drives, which are asked again where something else is there by now. Numbers of mounts and devices are given again
    /// when a drive is gone: all that the table of mounts says is to be the same, the container's path among it.
    private static let containers = RecentTable<MountTable.Mount, Shown>(most: 256)

    private static let mounts = WatchedMounts()

    /// With the folders of drives that show several containers; nil where no drive is mounted.
    private static func table() -> MountTable? { (try? mounts.table()).flatMap { $0.hasDrives ? $0.withApps : nil } }

    /// The drive that a folder is on.
    static func drive(of folder: some Sequence<Name>) -> Drive? {
        guard let table = table() else { return nil }
        guard let mount = table.mount(under: "/" + folder.map(\.text).joined(separator: "/")), mount.isDrive, let shown = shown(by: mount) else { return nil }
        return Drive(mountpoint: mount.mountpoint, container: shown.container, showsDocuments: shown.showsDocuments, isReadOnly: mount.isReadOnly)
    }

    /// That of a drive, whether it answers or not; nil for a folder that is on none.
    static func mount(under path: String) -> MountTable.Mount? {
        guard let table = table(), let mount = table.mount(under: path), mount.isDrive else { return nil }
        return mount
    }

    /// nil where it does not answer, or no path leads to its container any more.
    static func container(of mount: MountTable.Mount) -> String? { shown(by: mount)?.container }

    private static func shown(by mount: MountTable.Mount) -> Shown? {
        if let known = containers[mount], identity(of: known.container) == known.folder { return known }
        let page = page(of: mount)
        guard let container = container(page), let folder = identity(of: container) else { return nil }
        let shown = Shown(container: container, folder: folder, showsDocuments: page?["showsDocuments"] as? Bool)
        containers[mount] = shown
        return shown
    }

    /// Where its settings lie: in the container, or where it was told. That the table of mounts does not say: it is asked each time.
    static func settings(of mount: MountTable.Mount) -> (container: String, elsewhere: String?)? {
        let page = page(of: mount)
        return container(page).map { ($0, page?["kvs"] as? String) }
    }

    /// Where no path leads to the container any more, something else is at the one that it had.
    private static func container(_ page: [String: Any]?) -> String? {
        if let absent = page?["absent"] as? [String: Any], absent["moved"] as? Bool != true { return nil }
        return (page?["container"] as? String).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func identity(of folder: String) -> FileIdentity? { try? Descriptor.atPath(folder, [.path, .folder]).status().identity }

    private static func page(of mount: MountTable.Mount) -> [String: Any]? {
        guard let bytes = try? Descriptor.atPath(mount.mountpoint + "/.valise/status", [.read, .nonBlocking]).readAll(limit: longestPage) else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }
}
