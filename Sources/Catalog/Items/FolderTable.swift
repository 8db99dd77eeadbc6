import Containers
import Databases
import LinuxFiles

/// Which documents a search is about.
public enum CatalogScope: Int64, Sendable {
    /// What the drive shows.
    case documents = 0
    /// What lies in the container beside its folder of documents.
    case data = 1
}

/// A folder of the container, as the catalog knows it.
struct CatalogFolder {
    let id: Int64
    /// The folder that it lies in; 0 for a top.
    let parent: Int64
    /// Its name in that folder; nil for a top.
    let name: Name?
    let scope: CatalogScope
    let isHidden: Bool
    var stamp: Int64
    /// Whether it is a package or lies in one, once somebody asked.
    fileprivate var isPackage: Bool?

    init(id: Int64, parent: Int64, name: Name?, scope: CatalogScope, isHidden: Bool, stamp: Int64) {
        (self.id, self.parent, self.name, self.scope, self.isHidden, self.stamp) = (id, parent, name, scope, isHidden, stamp)
    }
}

/// All folders that the catalog knows, in memory: there are few beside what is in them.
struct FolderTable {
    private(set) var folders: [Int64: CatalogFolder] = [:]
    private var children: [Int64: [Name: Int64]] = [:]
    private(set) var tops: [CatalogScope: Int64] = [:]

    /// Folders that lie in more others are not looked into: see `Catalog.isCut`.
    static let deepest = Catalog.deepest

    init(_ database: Database, hasData: Bool) throws(DatabaseFault) {
        try database.transaction { () throws(DatabaseFault) in
            try database.run("INSERT OR IGNORE INTO folders(parent, stored, scope, hidden, stamp) VALUES(0, '', 0, 0, 0)")
            if hasData { try database.run("INSERT OR IGNORE INTO folders(parent, stored, scope, hidden, stamp) VALUES(0, '/', 1, 0, 0)") }
        }
        try self.init(reading: database, hasData: hasData)
    }

    init(reading database: Database, hasData: Bool) throws(DatabaseFault) {
        let rows = try database.newStatement("SELECT id, parent, stored, scope, hidden, stamp FROM folders")
        while try rows.step() {
            let parent = rows.integer(1), scope = CatalogScope(rawValue: rows.integer(3)), name = parent == 0 ? nil : Name(rows.text(2))
            guard let scope, parent == 0 || name != nil else { throw DatabaseFault(.damaged, "a folder of it is none") }
            if scope == .data, !hasData { continue }
            add(CatalogFolder(id: rows.integer(0), parent: parent, name: name, scope: scope, isHidden: rows.integer(4) != 0, stamp: rows.integer(5)))
        }
        try checkPlaces()
    }

    /// Each folder lies in a top, and not too deep. What is above several is gone through once.
    private func checkPlaces() throws(DatabaseFault) {
        var depths = Dictionary(tops.values.map { ($0, 0) }) { first, _ in first }
        for folder in folders.values where folder.parent != 0 {
            var above: [Int64] = [], current = folder
            while depths[current.id] == nil, above.count <= Self.deepest {
                above.append(current.id)
                guard let parent = folders[current.parent] else { break }
                current = parent
            }
            guard let depth = depths[current.id], depth + above.count <= Self.deepest else { throw DatabaseFault(.damaged, "a folder of it is nowhere") }
            for (step, id) in above.reversed().enumerated() { depths[id] = depth + step + 1 }
        }
    }

    subscript(id: Int64) -> CatalogFolder? { folders[id] }

    func children(of id: Int64) -> [Name: Int64] { children[id] ?? [:] }

    mutating func add(_ folder: CatalogFolder) {
        folders[folder.id] = folder
        if let name = folder.name { children[folder.parent, default: [:]][name] = folder.id } else { tops[folder.scope] = folder.id }
    }

    mutating func remove(_ id: Int64) {
        guard let folder = folders.removeValue(forKey: id) else { return }
        if let name = folder.name { children[folder.parent]?[name] = nil }
        children[id] = nil
    }

    mutating func setStamp(_ stamp: Int64, of id: Int64) { folders[id]?.stamp = stamp }

    /// Whether items of a folder may be documents. Each folder is asked once, however deep it lies.
    mutating func hasDocuments(in id: Int64, _ kinds: KindRegistry) -> Bool {
        var unknown: [Int64] = [], current = id, isPackage = false
        while let folder = folders[current] {
            if let known = folder.isPackage {
                isPackage = known
                break
            }
            unknown.append(current)
            current = folder.parent
        }
        for id in unknown.reversed() {
            isPackage = isPackage || folders[id]?.name.map(kinds.isPackage) == true
            folders[id]?.isPackage = isPackage
        }
        return folders[id]?.scope == .documents && !isPackage
    }

    /// The names from the top of its scope on; nil for one that does not lead there.
    func path(of id: Int64) -> [Name]? {
        var names: [Name] = [], current = folders[id]
        while let folder = current, names.count <= Self.deepest {
            guard let name = folder.name else { return names.reversed() }
            names.append(name)
            current = folders[folder.parent]
        }
        return nil
    }

    /// A folder with all that lie in it.
    func tree(under id: Int64) -> [Int64] {
        var found: [Int64] = [id], next = 0
        while next < found.count {
            found += (children[found[next]] ?? [:]).values
            next += 1
        }
        return found
    }

    /// The folder that a path leads to, or the last one on the way there that is known, and how many of the names lead to it.
    func nearest(_ path: [Name], in scope: CatalogScope) -> (folder: Int64, count: Int)? {
        guard var current = tops[scope] else { return nil }
        for (count, name) in path.enumerated() {
            guard let next = children[current]?[name] else { return (current, count) }
            current = next
        }
        return (current, path.count)
    }
}
