import Catalog
import Containers
import Documents
import LinuxFiles
import Shell

/// Where something is looked for: a container, or a folder of it, and the drive that shows it where there is one.
struct FindPlace {
    let container: Container
    /// The folder of the documents, from their top on.
    let folder: [Name]
    let mountpoint: String?
    /// Where drafts wait on the drive, from its top on.
    let drafts: Set<[UInt8]>
    /// Why nothing may be found there: it may be any folder, if no document is in it. nil of a drive and of a container.
    private(set) var doubt: String?

    /// What a path leads to that was found already, as it was named.
    init(found: String, _ path: String) throws(Stop) {
        switch try NamedPlace(found: found) {
        case .drive(let mount), .onDrive(let mount): try self.init(on: mount, StatusSource.page(of: mount), Self.names(in: found, behind: mount.mountpoint))
        case .apps(let mount): throw NamedPlace.several(mount)
        case .container(let container): try self.init(in: container, [])
        case .inContainer(let container, _): try self.init(in: container, found)
        case .other:
            try self.init(in: found, [])
            // An app's container that Valise has not used yet has one.
            if !container.hasDocumentsFolder { doubt = NamedPlace.neither(path) }
        }
    }

    /// Its path, with one question for that and for what is there. A drive that does not answer is told of later.
    static func foundFolder(_ path: String) throws(Stop) -> String {
        guard case .answer(let bytes) = Child.ask({ () throws(Errno) in
            let found = try mountpointPath(path)
            return [try Found(at: found).rawValue] + Array(found.utf8)
        }), let found = bytes.first.flatMap({ Found(rawValue: $0) }) else { return try foundPath(path) }
        switch found {
        case .nothing: throw Stop(1, "there is no folder \(quoted(path))")
        case .file: throw Stop(1, "\(quoted(path)) is a file; name a drive, a container or a folder in one")
        case .folder: return String(decoding: bytes.dropFirst(), as: UTF8.self)
        }
    }

    private enum Found: UInt8 {
        case nothing, file, folder

        init(at path: String) throws(Errno) {
            do throws(Errno) { self = try status(of: path).type == .folder ? .folder : .file } catch {
                guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
                self = .nothing
            }
        }
    }

    private static func names(in path: String, behind top: String) -> [Name] { path.dropFirst(top.count).split(separator: "/").compactMap { Name(String($0)) } }

    init(on mount: MountTable.Mount, _ page: JSON, _ folder: [Name]) throws(Stop) {
        let options = StatusSource.showing(page)
        container = try Self.opened(StatusSource.container(page, of: mount), options)
        self.folder = folder
        mountpoint = mount.mountpoint == "/" ? "" : mount.mountpoint
        drafts = Set(page["drafts"]?.elements.compactMap { $0["file"]?.string }.map { Array($0.drop { $0 == "/" }.utf8) } ?? [])
    }

    /// A folder in a container.
    private init(in top: String, _ path: String) throws(Stop) {
        let place = try FindPlace(in: top, []), documents = place.documentsPath
        guard isInside(path, documents) else { throw Stop(1, "\(quoted(path)) is not among the documents of the container \(quoted(top))") }
        self.init(place, Self.names(in: path, behind: documents))
    }

    private init(in top: String, _ folder: [Name]) throws(Stop) {
        if let mount = try NamedPlace.drive(showing: top), let page = try? StatusSource.page(of: mount), let place = try? FindPlace(on: mount, page, folder) {
            self = place
        } else {
            self.init(try Self.opened(top, ShowingOptions()), folder)
        }
    }

    private init(_ container: Container, _ folder: [Name]) {
        (self.container, self.folder) = (container, folder)
        (mountpoint, drafts) = (nil, [])
    }

    private init(_ other: FindPlace, _ folder: [Name]) {
        (container, mountpoint, drafts) = (other.container, other.mountpoint, other.drafts)
        self.folder = folder
    }

    private static func opened(_ path: String, _ options: ShowingOptions) throws(Stop) -> Container {
        let kinds = PersonsKinds.own.registry
        do throws(Failure) {
            return try Container.open(path, access: .read, options: options, creating: [], kinds: kinds)
        } catch { throw Stop(1, error.sentence) }
    }

    private static func documentsPath(of container: Container) -> String { container.path + (container.hasDocumentsFolder ? "/Documents" : "") }

    /// The paths of what was found here. `areThere`: the drive can be asked what it calls them.
    func paths(of items: [FoundItem], areThere: Bool) -> [[UInt8]] {
        guard let mountpoint else {
            return items.map { Array(($0.scope == .data ? container.path : documentsPath).utf8) + [UInt8(ascii: "/")] + $0.storedPath }
        }
        let documents = items.filter { $0.scope == .documents }
        let shown = areThere ? DriveNames(mountpoint: mountpoint).paths(of: documents) : nil
        var next = (shown ?? documents.map(\.shownPath)).makeIterator()
        return items.map { item in
            let path = item.scope == .documents ? next.next() ?? item.shownPath : Array(".valise/originals/".utf8) + item.storedPath
            return Array((mountpoint + "/").utf8) + path
        }
    }

    /// Where its catalog is: what lies on another drive, as the documents of a backup do, leaves nothing on a disk.
    var catalogPlace: CatalogPlace {
        let isOnDrive = (try? MountTable.now())?.mount(under: (try? realPath(container.path)) ?? container.path)?.isDrive ?? true
        return isOnDrive ? .memory : .cached(of: container, environment)
    }

    /// Where the documents lie in the container.
    var documentsPath: String { Self.documentsPath(of: container) }
}
