import Containers
import Databases
import LinuxFiles
import Predicates

/// The items of a catalog, and the words in them: written only here.
struct ItemTable {
    let database: Database
    let kinds: KindRegistry
    /// Not for a catalog that is asked nothing but one query, which is told of each item once: the index of words is most of what it costs.
    var keepsWords = true

    /// What is known of an item before it is looked at again.
    struct Known {
        let id: Int64
        let stored: Name
        let stamp: Int64
    }

    func known(in folder: Int64) throws(DatabaseFault) -> [Known] {
        let rows = try database.statement("SELECT id, stored, stamp FROM items WHERE folder=?")
        defer { rows.reset() }
        try rows.bind([.integer(folder)])
        var known: [Known] = []
        while try rows.step() {
            guard let name = Name(rows.text(1)) else { throw DatabaseFault(.damaged, "an item of it has no name") }
            known.append(Known(id: rows.integer(0), stored: name, stamp: rows.integer(2)))
        }
        return known
    }

    /// The next ones by their numbers, of all folders.
    func known(behind number: Int64, most: Int) throws(DatabaseFault) -> [(id: Int64, folder: Int64, stored: Name)] {
        let rows = try database.statement("SELECT id, folder, stored FROM items WHERE id>? ORDER BY id LIMIT ?")
        defer { rows.reset() }
        try rows.bind([.integer(number), .integer(Int64(most))])
        var known: [(id: Int64, folder: Int64, stored: Name)] = []
        while try rows.step() {
            guard let name = Name(rows.text(2)) else { throw DatabaseFault(.damaged, "an item of it has no name") }
            known.append((rows.integer(0), rows.integer(1), name))
        }
        return known
    }

    func known(_ name: Name, in folder: Int64) throws(DatabaseFault) -> Known? {
        let rows = try database.statement("SELECT id, stamp FROM items WHERE stored=? AND folder=?")
        defer { rows.reset() }
        try rows.bind([.text(name.bytes), .integer(folder)])
        return try rows.step() ? Known(id: rows.integer(0), stored: name, stamp: rows.integer(1)) : nil
    }

    func rows(_ ids: [Int64]) throws(DatabaseFault) -> [CatalogItem] {
        var found: [CatalogItem] = []
        let rows = try database.statement("SELECT \(CatalogQuery.columns) FROM items i WHERE i.id=?")
        defer { rows.reset() }
        for id in ids {
            rows.reset()
            try rows.bind([.integer(id)])
            guard try rows.step() else { continue }
            guard let item = SearchRun.item(rows, kinds) else { throw DatabaseFault(.damaged, "an item of it is none") }
            found.append(item)
        }
        return found
    }

    /// Writes down what an item is: its number. Its name is what it would be alone, until the folder's names are given.
    func put(_ reading: ItemReading, in folder: CatalogFolder, as known: Int64?) throws(DatabaseFault) -> Int64 {
        let shown = reading.shown
        let isHidden = folder.isHidden || Self.isHidden(reading.stored, natural: reading.natural)
        let values: [SQLValue] = [
            .integer(folder.id), .text(reading.stored.bytes), .text(shown.bytes), .integer(reading.kind.code), .integer(isHidden ? 1 : 0), .integer(reading.size),
            .integer(reading.changed.nanoseconds), reading.created.map { .integer($0.nanoseconds) } ?? .null, .integer(reading.stamp), .integer(reading.number),
            reading.url.map { .text($0) } ?? .null, reading.title.map { .text($0) } ?? .null, reading.fault.map { .text(Array($0.utf8)) } ?? .null,
            reading.part.map { .integer($0) } ?? .null, reading.start.map { .integer($0) } ?? .null, reading.isKept ? .integer(1) : .null,
            .integer(KnownDocuments.sum(reading.stored.bytes, shown.bytes, reading.kind, reading.size, reading.stamp)),
        ]
        if let known { try remove(known) }
        let statement = try database.statement("""
            INSERT INTO items(folder, stored, shown, kind, hidden, size, changed, created, stamp, number, url, title, fault, part, start, kept, sum, id) \
            VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """)
        try statement.bind(values + [known.map { .integer($0) } ?? .null])
        while try statement.step() {}
        statement.reset()
        let id = known ?? database.lastRow
        if let text = reading.text { try database.run("INSERT OR REPLACE INTO texts(id, body) VALUES(?,?)", .integer(id), .text(text)) }
        guard keepsWords else { return id }
        let words = SearchedText.of(shown: shown.bytes, url: reading.url, title: reading.title, text: reading.text)
        try database.run("INSERT INTO words(rowid, body) VALUES(?,?)", .integer(id), .text(words))
        return id
    }

    static func isHidden(_ stored: Name, natural: Name?) -> Bool { natural.map(Hidden.isBesideFile) ?? isHidden(stored) }

    static func isHidden(_ name: Name) -> Bool { name.bytes.first == UInt8(ascii: ".") || Hidden.hides(name) }

    func remove(_ id: Int64) throws(DatabaseFault) {
        try forgetWords(of: id)
        try database.run("DELETE FROM texts WHERE id=?", .integer(id))
        try database.run("DELETE FROM items WHERE id=?", .integer(id))
    }

    func text(of id: Int64) throws(DatabaseFault) -> [UInt8]? {
        let row = try database.statement("SELECT body FROM texts WHERE id=?")
        defer { row.reset() }
        try row.bind([.integer(id)])
        return try row.step() ? row.text(0) : nil
    }

    /// The words of an item as they were written down.
    private func words(of id: Int64, shown other: Name? = nil) throws(DatabaseFault) -> [UInt8]? {
        let text = try text(of: id)
        let row = try database.statement("SELECT shown, url, title FROM items WHERE id=?")
        defer { row.reset() }
        try row.bind([.integer(id)])
        guard try row.step() else { return nil }
        return SearchedText.of(shown: other?.bytes ?? row.text(0), url: row.optionalText(1), title: row.optionalText(2), text: text)
    }

    private func forgetWords(of id: Int64) throws(DatabaseFault) {
        guard keepsWords, let words = try words(of: id) else { return }
        try database.run("INSERT INTO words(words, rowid, body) VALUES('delete', ?, ?)", .integer(id), .text(words))
    }

    /// Gives an item another name than the one that it would have alone.
    func name(_ id: Int64, _ shown: Name, natural: Name?, kind: Int64, copied: Int64?, isHidden: Bool) throws(DatabaseFault) {
        try forgetWords(of: id)
        try database.run(
            "UPDATE items SET shown=?, natural=?, kind=?, copied=?, hidden=? WHERE id=?", .text(shown.bytes), natural.map { .text($0.bytes) } ?? .null, .integer(kind),
            copied.map { .integer($0) } ?? .null, .integer(isHidden ? 1 : 0), .integer(id))
        if keepsWords, let words = try words(of: id) { try database.run("INSERT INTO words(rowid, body) VALUES(?,?)", .integer(id), .text(words)) }
    }
}
