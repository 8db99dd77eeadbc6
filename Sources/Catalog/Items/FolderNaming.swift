import Containers
import Databases
import LinuxFiles

/// Gives the items of a folder the names that a listing would.
struct FolderNaming {
    let items: ItemTable
    let folder: CatalogFolder
    /// Its items are shown as they are stored: in a package, and beside the documents.
    let keepsForms: Bool

    private struct Row {
        let id: Int64
        let stored: Name
        let shown: Name
        /// What a document would be called alone.
        let natural: Name?
        let kind: Int64
        let isCopy: Bool
    }

    /// What an item was called before it changed or went.
    struct Former {
        let shown: Name
        /// It had a number, or another name than its own for some other reason.
        let isNumbered: Bool
    }

    func former(_ id: Int64) throws(DatabaseFault) -> Former? {
        let row = try items.database.statement("SELECT shown, natural IS NOT NULL FROM items WHERE id=?")
        defer { row.reset() }
        try row.bind([.integer(id)])
        return try row.step() ? Name(row.text(0)).map { Former(shown: $0, isNumbered: row.integer(1) != 0) } : nil
    }

    /// Whether nobody else's name changes because an item is not called so any more: nobody waits for its name or its number.
    func isFree(_ former: Former) throws(DatabaseFault) -> Bool { former.isNumbered ? false : try !isWaitedFor(former.shown) }

    /// Whether a folder's name is nobody else's, and nobody waits for it.
    func isFree(folder name: Name) throws(DatabaseFault) -> Bool { try isWaitedFor(name) ? false : try !isTaken(name, besides: 0) }

    /// Whether an item can have its own name without a look at all the others. `subfolders` are the folder's.
    func isAlone(_ id: Int64, subfolders: [Name: Int64]) throws(DatabaseFault) -> Bool {
        let row = try items.database.statement("SELECT shown, stored FROM items WHERE id=?")
        try row.bind([.integer(id)])
        guard try row.step(), let shown = Name(row.text(0)), let stored = Name(row.text(1)), subfolders[shown] == nil, Container.copiedItem(by: stored) == nil else { return false }
        row.reset()
        return try !isTaken(shown, besides: id)
    }

    /// What a sync tool's copies are depends on what they are copies of.
    func hasCopies() throws(DatabaseFault) -> Bool {
        try items.database.integer("SELECT 1 FROM items WHERE folder=? AND copied IS NOT NULL LIMIT 1", .integer(folder.id)) != nil
    }

    private func isTaken(_ name: Name, besides id: Int64) throws(DatabaseFault) -> Bool {
        try items.database.integer("SELECT 1 FROM items WHERE shown=? AND folder=? AND id<>? LIMIT 1", .text(name.bytes), .integer(folder.id), .integer(id)) != nil
    }

    private func isWaitedFor(_ name: Name) throws(DatabaseFault) -> Bool {
        try items.database.integer("SELECT 1 FROM items WHERE folder=? AND natural=? LIMIT 1", .integer(folder.id), .text(name.bytes)) != nil
    }

    /// Gives all names; the items that have another one than before.
    func give(subfolders: [Name: Int64]) throws(DatabaseFault) -> [Int64] {
        let rows = try rows()
        let copies = copies(among: rows)
        let entries = rows.map { ListedNames.Entry(stored: $0.stored, natural: copies.contains($0.id) ? nil : $0.natural) }
        let names = ListedNames.given(to: entries + subfolders.keys.map { ListedNames.Entry(stored: $0, natural: nil) }, keepsForms: keepsForms)
        var changed: [Int64] = []
        for (row, name) in zip(rows, names) where row.shown != name || row.isCopy != copies.contains(row.id) {
            let isCopy = copies.contains(row.id)
            let isHidden = folder.isHidden || isCopy || ItemTable.isHidden(row.stored, natural: row.natural)
            try items.name(
                row.id, name, natural: row.natural == name ? nil : row.natural, kind: isCopy ? 0 : row.kind, copied: isCopy ? row.kind : nil, isHidden: isHidden)
            changed.append(row.id)
        }
        return changed
    }

    private func rows() throws(DatabaseFault) -> [Row] {
        let statement = try items.database.statement("SELECT id, stored, shown, natural, kind, copied FROM items WHERE folder=?")
        defer { statement.reset() }
        try statement.bind([.integer(folder.id)])
        var rows: [Row] = []
        while try statement.step() {
            guard let stored = Name(statement.text(1)), let shown = Name(statement.text(2)) else { throw DatabaseFault(.damaged, "an item of it has no name") }
            let kind = statement.optionalInteger(5) ?? statement.integer(4)
            let natural = kind <= 0 ? nil : statement.optionalText(3).flatMap { Name($0) } ?? shown
            rows.append(Row(id: statement.integer(0), stored: stored, shown: shown, natural: natural, kind: kind, isCopy: !statement.isNull(5)))
        }
        return rows
    }

    /// Those that a sync tool left beside the document that they are copies of. They are shown as the plain files that they are.
    private func copies(among rows: [Row]) -> Set<Int64> {
        let candidates = rows.compactMap { row in row.natural == nil ? nil : Container.copiedItem(by: row.stored).map { (row, $0) } }
        guard !candidates.isEmpty else { return [] }
        let kinds = Dictionary(rows.map { ($0.stored, $0.kind) }) { first, _ in first }
        return Set(candidates.filter { kinds[$0.1] == $0.0.kind }.map(\.0.id))
    }
}
