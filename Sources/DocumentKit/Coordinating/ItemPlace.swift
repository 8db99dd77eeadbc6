import Coordination
import Foundation
import LinuxFiles

/// What a URL leads to: an item of a container, named by its place there or by its name on a drive, or a file that is in none. Two
/// URLs that lead to the same item have the same place.
struct ItemPlace {
    enum Home {
        /// Whoever writes in the container says whose turn it is, whichever process that is.
        case container(FileCoordinator)
        /// In no container: among those of this process only.
        case process
    }

    let home: Home
    /// From the documents' folder on; outside of containers from the root.
    let path: ItemPath
    /// Where the drive is mounted, for a URL on one.
    let mountpoint: String?
    /// The URL that was asked about.
    let url: URL

    var isOnDrive: Bool { mountpoint != nil }

    /// Looked up in the file system, but for the last name, which need not be there and of which no link is followed.
    init(_ url: URL) throws {
        guard url.isFileURL else { throw FileFault.error(.fileReadUnsupportedScheme, url.absoluteString, nil) }
        let names = Self.realNames(of: url)
        self.url = url
        if let drive = MountedDrives.drive(above: names) {
            let stored = try drive.storedNames(of: Array(names.dropFirst(drive.depth)))
            guard let path = ItemPath(stored) else { throw FileFault.error(.fileReadInvalidFileName, url.path, nil) }
            (home, self.path, mountpoint) = (.container(try SharedCoordinators.coordinator(of: drive.container)), path, drive.mountpoint)
            return
        }
        if let (container, inside) = Self.container(above: names), let path = ItemPath(inside), let coordinator = try? SharedCoordinators.coordinator(of: container) {
            (home, self.path, mountpoint) = (.container(coordinator), path, nil)
            return
        }
        (home, path, mountpoint) = (.process, ItemPath(whole: names), nil)
    }

    /// Links on the way are followed as far as there is something.
    private static func realNames(of url: URL) -> [Name] {
        let url = url.standardizedFileURL
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath().standardizedFileURL
        return parent.appendingPathComponent(url.lastPathComponent).pathComponents.compactMap { Name($0) }.filter { $0.bytes != [UInt8(ascii: "/")] }
    }

    /// The nearest folder that is a container, this one or above it, and the names below its documents.
    private static func container(above names: [Name]) -> (path: String, inside: [Name])? {
        let named = ContainerNames().folders.map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
        for count in (0...names.count).reversed() {
            let folder = "/" + names.prefix(count).map(\.text).joined(separator: "/")
            guard named.contains(folder) || isContainer(folder) else { continue }
            var rest = names.dropFirst(count)
            // As a container is opened: its documents are in a folder of their own, or all there is.
            if isFolder(folder + "/Documents"), rest.popFirst() != Name("Documents") { return nil }
            return (folder, Array(rest))
        }
        return nil
    }

    private static func isContainer(_ folder: String) -> Bool { [".valise", ".valise-root"].contains { isFolder(folder + "/" + $0) } }

    private static func isFolder(_ path: String) -> Bool {
        guard let place = try? Descriptor.atPath(path, .path), let status = try? place.status() else { return false }
        return status.type == .folder
    }

    /// Where an item of the same home is, in the manner of this URL.
    func url(of other: ItemPath) -> URL {
        if other == path { return url }
        switch home {
        case .process: return URL(fileURLWithPath: "/" + other.names.map(\.text).joined(separator: "/"))
        case .container(let coordinator):
            if let mountpoint, let shown = MountedDrives.shownPath(of: other, on: mountpoint) { return URL(fileURLWithPath: shown) }
            return URL(fileURLWithPath: coordinator.place(of: other))
        }
    }

    /// What orders claims on several items, everywhere.
    var order: (String, ItemPath) {
        switch home {
        case .process: ("", path)
        case .container(let coordinator): (coordinator.reading.path, path)
        }
    }

    func isBeside(_ other: ItemPlace) -> Bool { order.0 == other.order.0 }
}

extension Name {
    /// As Foundation has names. What is no text has another one there.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
