import Containers
import Databases
import LinuxFiles
import Predicates

/// A query on its way through the database.
final class SearchRun {
    private let query: CatalogQuery
    private let items: ItemTable
    private let container: Container
    private let compiled: PredicateSQL
    private var folders: FolderTable
    private lazy var conflicts: Set<[UInt8]> = findConflicts()
    private var allowed: [Int64: [Name]?] = [:]
    private var places: [Int64: OpenFile] = [:]
    private var chains: [CatalogScope: FolderChain] = [:]
    private var areAsTheyWere: [Int64: Bool] = [:]
    /// Folders of which not all was handed on: they are not as they were, or what is in them may be called otherwise now.
    private(set) var stale: Set<Int64> = []
    /// How many items the predicate was asked of.
    private(set) var asked = 0

    init(_ query: CatalogQuery, _ items: ItemTable, _ container: Container, _ folders: FolderTable) {
        (self.query, self.items, self.container, self.folders) = (query, items, container, folders)
        compiled = query.admits == nil && items.keepsWords ? PredicateSQL(query.predicate, container.kinds) : .unasked
    }

    /// Hands on what is found; whether to go on. Where it is not confirmed, each item is looked at before.
    func run(_ part: CatalogQuery.Part, _ table: FolderTable, isConfirmed: Bool, _ found: (FoundItem) -> Bool) throws(DatabaseFault) -> Bool {
        folders = table
        allowed = [:]
        let (text, values) = query.sql(of: part, compiled.condition)
        let rows = try items.database.newStatement(text), admits = query.admits?()
        try rows.bind(values)
        while query.budget?.isSpent != true, try rows.step() {
            guard let item = Self.item(rows, items.kinds) else { throw DatabaseFault(.damaged, "an item of it is none") }
            guard let path = path(of: item.folder), admits?(path, item.stored, item.kind) ?? true else { continue }
            guard let item = try isConfirmed ? fitting(item, path) : confirmed(item, path) else { continue }
            guard found(FoundItem(item: item, scope: folders[item.folder]?.scope ?? .documents, folder: path)) else { return false }
        }
        return true
    }

    private static let mostPaths = 1000

    /// The path of a folder that the query looks into.
    private func path(of folder: Int64) -> [Name]? {
        if let known = allowed[folder] { return known }
        var path = folders.path(of: folder)
        if let found = path, let scope = folders[folder]?.scope, !query.scopes.contains(scope) || !query.isIn(found) { path = nil }
        // A path is as long as its folder is deep.
        if allowed.count >= Self.mostPaths { allowed = [:] }
        allowed[folder] = path
        return path
    }

    /// Of the columns that each query asks for.
    static func item(_ row: Statement, _ kinds: KindRegistry) -> CatalogItem? {
        guard let stored = Name(row.text(2)), let shown = Name(row.text(3)), let kind = ItemKind(code: row.integer(4), kinds) else { return nil }
        return CatalogItem(
            id: row.integer(0), folder: row.integer(1), stored: stored, shown: shown, kind: kind, isHidden: row.integer(5) != 0, size: row.integer(6),
            changed: Moment(nanoseconds: row.integer(7)), created: row.optionalInteger(8).map { Moment(nanoseconds: $0) }, url: row.optionalText(9),
            title: row.optionalText(10), fault: row.optionalText(11).map { String(decoding: $0, as: UTF8.self) }, stamp: row.integer(12), isNumbered: row.integer(13) != 0)
    }

    /// An item as whoever follows the query is to have it; nil where it does not fit.
    func fitted(_ item: CatalogItem, _ table: FolderTable) throws(DatabaseFault) -> FoundItem? {
        guard query.findsHidden || !item.isHidden, let folder = table[item.folder], query.scopes.contains(folder.scope) else { return nil }
        folders = table
        guard let path = table.path(of: item.folder), query.isIn(path), query.admits?()(path, item.stored, item.kind) ?? true,
            try holds(item, path, { () throws(DatabaseFault) in try self.items.text(of: item.id) })
        else { return nil }
        return FoundItem(item: item, scope: folder.scope, folder: path)
    }

    private func fitting(_ item: CatalogItem, _ path: [Name]) throws(DatabaseFault) -> CatalogItem? {
        compiled.isExact ? item : try holds(item, path) { () throws(DatabaseFault) in try self.items.text(of: item.id) } ? item : nil
    }

    /// The item, if it and its folder are as they were. Who goes through the container afterwards finds the others.
    private func confirmed(_ item: CatalogItem, _ path: [Name]) throws(DatabaseFault) -> CatalogItem? {
        guard isAsItWas(item.folder, path) else { return nil }
        // Its name follows from what the others are, which nobody has looked at yet.
        guard !item.isNumbered else {
            stale.insert(item.folder)
            return nil
        }
        guard let place = place(of: item.folder, path), let found = (try? ItemStamp.of(item.stored, in: place.descriptor, container.reader)) ?? nil else { return nil }
        return found.stamp.compared == item.stamp ? try fitting(item, path) : nil
    }

    private func isAsItWas(_ folder: Int64, _ path: [Name]) -> Bool {
        if let known = areAsTheyWere[folder] { return known }
        let status = try? place(of: folder, path)?.descriptor.status()
        let isSo = status.map { ItemStamp.of(folder: $0).compared == folders[folder]?.stamp } ?? false
        areAsTheyWere[folder] = isSo
        if !isSo { stale.insert(folder) }
        return isSo
    }

    private func place(of folder: Int64, _ path: [Name]) -> OpenFile? {
        if let known = places[folder] { return known }
        let scope = folders[folder]?.scope ?? .documents, chain = chains[scope] ?? FolderChain(from: scope == .data ? container.base : container.documents)
        chains[scope] = chain
        guard let place = try? chain.folder(at: path) else { return nil }
        if places.count >= 64 { places = [:] }
        places[folder] = place
        return place
    }

    private func holds(_ item: CatalogItem, _ path: [Name], _ text: () throws(DatabaseFault) -> [UInt8]?) throws(DatabaseFault) -> Bool {
        asked += 1
        // Before the predicate is asked, which knows no errors.
        let body = query.predicate.attributes.contains(.text) ? try text() : nil
        let around = ItemSurroundings(
            path: { [query, folders] in
                guard let pathOf = query.pathOf else { return FoundItem.joined(path + [item.shown]) }
                return pathOf(FoundItem(item: item, scope: folders[item.folder]?.scope ?? .documents, folder: path))
            },
            place: { [container, folders] in
                let top = folders[item.folder]?.scope == .data || !container.hasDocumentsFolder ? "" : "/Documents"
                return Array((container.path + top + "/").utf8) + FoundItem.joined(path + [item.stored])
            },
            text: { body }, isConflicted: { self.conflicts.contains(FoundItem.joined(path + [item.stored])) },
            isDraft: { self.query.drafts.contains(FoundItem.joined(path + [item.shown])) })
        return query.predicate.holds(within: query.budget) { item.value($0, around) } && query.budget?.isSpent != true
    }

    private func findConflicts() -> Set<[UInt8]> {
        let found = (try? container.conflictedDocuments()) ?? []
        return Set(found.map { FoundItem.joined($0.place.path + [$0.place.stored]) })
    }

    /// The surroundings of an item of which only its row is asked.
    static var surroundings: ItemSurroundings {
        ItemSurroundings(path: { [] }, place: { [] }, text: { nil }, isConflicted: { false }, isDraft: { false })
    }
}
