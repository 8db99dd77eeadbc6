import Containers
import Coordination
import LinuxFiles
import Shell

/// Where somebody looks for what was deleted: a container or a drive, or a path in there that may be gone.
struct DeletedPlace {
    let container: Container
    /// What is shown before the path that something had: the mountpoint, or the folder of the documents.
    let top: String
    /// The path from the documents on; empty for all.
    let path: [Name]
    /// The newest first.
    let items: [DeletedItem]

    init(_ named: String) throws(Stop) {
        let (existing, rest) = try Self.existing(named)
        let inner = rest.map(String.init)
        switch try NamedPlace(existing) {
        case .drive(let mount): try self.init(drive: mount, inner)
        case .apps(let mount): throw NamedPlace.several(mount)
        case .onDrive(let mount):
            // What is there now has a real path.
            let names = try foundPath(existing).dropFirst(mount.mountpoint.count).split(separator: "/").map(String.init)
            try self.init(drive: mount, names + inner)
        case .container(let folder): try self.init(container: folder, inner)
        case .inContainer(let folder, let rest): try self.init(container: folder, rest.split(separator: "/").map(String.init) + inner)
        case .other: throw Stop(1, "\(quoted(named)) lies on no drive and in no container that Valise has used")
        }
    }

    init(drive mount: MountTable.Mount, _ path: [String] = []) throws(Stop) {
        try self.init(NamedDocument.opened(on: mount), top: mount.mountpoint, path)
    }

    private init(container folder: String, _ path: [String]) throws(Stop) {
        let container = try NamedDocument.opened(folder)
        var path = path[...]
        if container.hasDocumentsFolder, let first = path.popFirst(), first != "Documents" {
            throw Stop(1, "\(quoted(folder + "/" + first)) is not among the documents of the container \(quoted(folder))")
        }
        try self.init(container, top: container.path + (container.hasDocumentsFolder ? "/Documents" : ""), Array(path))
    }

    private init(_ container: Container, top: String, _ path: [String]) throws(Stop) {
        (self.container, self.top) = (container, top)
        self.path = path.compactMap { Name($0) }
        do throws(StateFault) { items = try container.deletedItems().sorted } catch {
            if let owner = StateOwner(of: container.path) { throw Stop(1, owner.sentence("the deleted documents", on: StateOwner.drive(of: top), in: "deleted")) }
            switch error {
            case .failed(let errno): throw Stop(1, "cannot read what was deleted in \(quoted(container.path)): \(errno)")
            case .odd(let sentence): throw Stop(1, sentence)
            }
        }
    }

    /// The nearest folder above that is there still, and the names below it.
    private static func existing(_ named: String) throws(Stop) -> (path: String, rest: [Substring]) {
        var path = writtenPath(named), rest: [Substring] = []
        while path != "/" {
            if case .answer = Child.ask({ () throws(Errno) in
                _ = try Descriptor.atPath(path, .path)
                return []
            }) { break }
            let parts = path.split(separator: "/")
            rest.insert(contentsOf: parts.suffix(1), at: 0)
            path = "/" + parts.dropLast().joined(separator: "/")
        }
        return (path, rest)
    }

    /// The one of own drives that there is, where nobody named one; `form`: how to.
    static func only(_ form: String) throws(Stop) -> DeletedPlace {
        if let here = try? NamedPlace("."), case .other = here {} else { if let place = try? DeletedPlace(".") { return DeletedPlace(place, []) } }
        let drives = try MountTable.now().ownContainers
        guard let drive = drives.first else { throw Stop(1, "no drive is mounted; name the container, too: valise undelete CONTAINER NUMBER") }
        guard drives.count == 1 else { throw Stop(1, "several drives are mounted, and each has its own; name the drive, too: \(form)") }
        return try DeletedPlace(drive: drive)
    }

    private init(_ other: DeletedPlace, _ path: [Name]) {
        (container, top, items, self.path) = (other.container, other.top, other.items, path)
    }

    /// What was deleted at this path or below it.
    var found: [DeletedItem] {
        items.filter { item in
            let shown = item.path + [item.shown], stored = item.path + [item.stored]
            if shown.starts(with: path) || stored.starts(with: path) { return true }
            return !path.allSatisfy(\.isPlain) && [shown, stored].contains { $0.map(\.composed).starts(with: path.map(\.composed)) }
        }
    }

    func shownPath(of item: DeletedItem) -> String { (item.path + [item.shown]).map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }

    /// How large the file was that it was shown as.
    func size(of item: DeletedItem) -> Int64? {
        switch try? container.open(item) {
        case .document(let opened): opened.reading.length
        case .file(_, let status): status.size
        case nil: nil
        }
    }

    /// Whether it is kept as a plain file, and has the name of a document.
    func isCalledAsDocument(_ item: DeletedItem) -> Bool {
        item.kind == nil && container.kinds.made(from: item.shown) != nil
    }

    func versions(of item: DeletedItem) -> Int { (try? container.versionCount(of: item)) ?? 0 }

    /// Has the one process that writes in the container do something with what was deleted there.
    func change(_ body: (CoordinatedItem) throws(Failure) -> Void) throws(Stop) {
        do {
            try ContainerWriting(container.path, by: top).change("", body)
        } catch let stop as Stop { throw stop } catch let failure as Failure { throw Stop(1, failure.sentence) } catch { throw Stop(1, "\(error)") }
    }
}
