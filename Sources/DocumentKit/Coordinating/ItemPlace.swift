import Containers
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
    /// The drive, for a URL on one.
    let drive: MountedDrives.Drive?
    /// The URL that was asked about.
    let url: URL

    var isOnDrive: Bool { drive != nil }

    /// Whether the path leads to it in the container, too. A drive that was mounted before its container had a folder `Documents` has other names.
    var isNamedAsStored: Bool {
        guard case .container(let coordinator) = home, let shown = drive?.showsDocuments else { return true }
        return shown == coordinator.reading.hasDocumentsFolder
    }

    /// Whether its bytes are those in the container: there, and not on the drive, a document of an app is read and written. Whoever renames a file on the
    /// drive keeps its folder from everybody else until the app has saved it; and clashes are known there.
    var isAsStored: Bool {
        guard isOnDrive else { return true }
        guard isNamedAsStored, case .container(let coordinator) = home, let name = path.names.last,
            let folder = try? coordinator.reading.documents.folder(at: path.names.dropLast()),
            let item = try? coordinator.reading.reader.read(name, in: folder.descriptor)
        else { return false }
        // A package of the app's own is the same folder on both.
        guard let kind = item.document?.kind else { return [.regular, .folder].contains(item.status.type) }
        return !kind.isPackage && kind.kind.contentStart == 0
    }

    /// Looked up in the file system, but for the last name, which need not be there and of which no link is followed.
    init(_ url: URL) throws {
        guard url.isFileURL else { throw FileFault.error(.fileReadUnsupportedScheme, url.absoluteString, nil) }
        self.url = url
        let plain = url.plainPlace
        if let plain, let (container, inside) = KnownFolders.container(of: plain.name, in: plain.folder).flatMap(Self.insideDocuments),
            let path = ItemPath(inside), let coordinator = try? SharedCoordinators.coordinator(of: container.path, container.identity, hasDocuments: container.hasDocuments) {
            (home, self.path, drive) = (.container(coordinator), path, nil)
            return
        }
        guard let names = url.realNames else { throw FileFault.error(.fileReadInvalidFileName, url.path, nil) }
        if let drive = MountedDrives.drive(of: names.dropLast()) {
            guard let path = ItemPath(drive.storedNames(of: names.dropFirst(drive.depth))) else { throw FileFault.error(.fileReadInvalidFileName, url.path, nil) }
            (home, self.path, self.drive) = (.container(try SharedCoordinators.coordinator(of: drive.container)), path, drive)
            return
        }
        // Its top, which lies on another file system than what is around it.
        if let drive = MountedDrives.drive(of: names), drive.depth == names.count {
            (home, path, self.drive) = (.container(try SharedCoordinators.coordinator(of: drive.container)), ItemPath(whole: []), drive)
            return
        }
        drive = nil
        if let (container, inside) = Self.container(above: names), let path = ItemPath(inside),
            let coordinator = try? SharedCoordinators.coordinator(of: container.path, container.identity, hasDocuments: container.hasDocuments) {
            (home, self.path) = (.container(coordinator), path)
            if let plain { KnownFolders.keep(container, of: plain.folder, names.dropLast()) }
            return
        }
        (home, path) = (.process, ItemPath(whole: names))
    }

    /// The nearest container, and the names below its documents.
    private static func container(above names: [Name]) -> (container: NearestContainer, inside: [Name])? {
        NearestContainer(above: names).flatMap(insideDocuments)
    }

    private static func insideDocuments(_ found: NearestContainer) -> (container: NearestContainer, inside: [Name])? {
        guard found.hasDocuments else { return (found, Array(found.inside)) }
        return found.inside.first == Container.documentsName ? (found, Array(found.inside.dropFirst())) : nil
    }

    /// Whether nothing can be written there: by that drive, or by this process in that container, as far as it has tried.
    var isReadOnly: Bool {
        if drive?.isReadOnly == true { return true }
        if case .container(let coordinator) = home { return coordinator.refusal != nil }
        return false
    }

    /// Where an item of the same home is, in the manner of this URL.
    func url(of other: ItemPath) -> URL {
        if other == path { return url }
        switch home {
        case .process: return URL(fileURLWithPath: "/" + other.names.map(\.text).joined(separator: "/"))
        case .container(let coordinator):
            if let shown = drive?.shownPath(of: other.names) { return URL(fileURLWithPath: shown) }
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

/// The containers that this process has to do with: one coordinator each, as long as the container is the same folder.
enum SharedCoordinators {
    private struct Known: Sendable {
        let coordinator: FileCoordinator
        /// The identity of the folder that the coordinator has open.
        let identity: FileIdentity?
    }

    private static let coordinators: Locked<[String: Known]> = {
        AppMessages.hear()
        return Locked([:])
    }()

    /// `identity`: which folder that is now, and whether its documents have a folder of their own, for who has just looked at it.
    static func coordinator(of path: String, _ identity: FileIdentity? = nil, hasDocuments: Bool? = nil) throws -> FileCoordinator {
        let now = identity ?? (try? Descriptor.atPath(path, [.path, .folder]).status().identity)
        if let known = coordinators.withLock({ $0[path] }), let now, known.identity == now {
            if let hasDocuments, hasDocuments != known.coordinator.reading.hasDocumentsFolder { try known.coordinator.followDocuments() }
            return known.coordinator
        }
        let new = try FileCoordinator(path), known = Known(coordinator: new, identity: try? new.reading.base.descriptor.status().identity)
        coordinators.withLock { $0[path] = known }
        return new
    }
}
