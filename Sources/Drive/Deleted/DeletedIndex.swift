import Containers
import LinuxFiles

/// What a node under `/.valise/deleted` stands for.
enum DeletedNode: Hashable, Sendable {
    /// `/.valise/deleted` itself.
    case all
    /// A folder of what was deleted with the first of them at this time, by its stored names from the documents on.
    case folder(Timestamp, [Name])
    case item(UInt64)
}

/// Deleted items as folders: first when, then the path that they had.
struct DeletedIndex: Sendable {
    private var folders: [DeletedNode: [Name: DeletedNode]] = [.all: [:]]

    init(_ items: [DeletedItem]) {
        // Folders first, because they keep their names.
        for item in items { add(foldersOf: item) }
        for item in items.sorted(by: { $0.number < $1.number }) {
            // A document and a plain file, or a file and a folder, may have had the name one after the other.
            let folder = DeletedNode.folder(item.removal, item.path)
            let name = ShownName.unused(item.shown) { folders[folder]?[$0] != nil }
            folders[folder, default: [:]][name] = .item(item.number)
        }
    }

    static func name(of removal: Timestamp) -> Name? { Name(VersionID(removal).text) }

    private mutating func add(foldersOf item: DeletedItem) {
        guard let when = Self.name(of: item.removal) else { return }
        var folder = DeletedNode.folder(item.removal, [])
        folders[.all]?[when] = folder
        for count in item.path.indices {
            let inner = DeletedNode.folder(item.removal, Array(item.path[...count]))
            folders[folder, default: [:]][item.path[count]] = inner
            folder = inner
        }
    }

    /// nil of what is no folder, or is none any more.
    subscript(folder: DeletedNode) -> [Name: DeletedNode]? { folders[folder] }
}
