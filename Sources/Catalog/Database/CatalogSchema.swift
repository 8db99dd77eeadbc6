import Containers
import Databases

/// The tables of a catalog. Another version of them, or others, is another catalog: it is made anew.
enum CatalogSchema {
    /// To be counted up with each change of the tables, of what stands in them, or of how texts are folded.
    static let version: Int64 = 8
    /// The application id of a catalog's file: “VALc”.
    private static let application: Int64 = 0x5641_4C63

    /// Names are bytes, in columns of texts, which SQLite compares byte by byte.
    ///
    /// - `folders`: `parent` is 0 for the container's tops; `stamp` is 0 for one that is to be read.
    /// - `kinds`: the container's kinds, in their order: the names of those that are shipped, and all that is written down of others. With others, what
    ///   lies there would be something else.
    /// - `items`: what lies in them. `kind` is 0 for a plain file, less for a folder that is one item, and otherwise
    ///   the kind's `code` in `kinds`. `shown` is as a
    ///   listing has it, `natural` the name that it would have alone, where that is another one. `part` and `start` are where the
    ///   content lies in a document. `copied` is the kind of one that is a sync tool's copy, and shown as a plain file therefore.
    ///   `kept` is 1 where somebody gave it its name, and its item does not tell it. `sum` is of what a
    ///   listing takes from here.
    /// - `sums`: checksums of packages' parts (`KeptSums.swift`), by the files that these are; `modified_part` and `changed_part` are nanoseconds.
    /// - `words`: for each item the sequences of three characters of its folded name, URL, title and text; and nothing else of them.
    private static let tables = [
        "CREATE TABLE facts(name TEXT PRIMARY KEY, value) WITHOUT ROWID",
        "CREATE TABLE kinds(code INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE folders(id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, stored TEXT NOT NULL, scope INTEGER NOT NULL, hidden INTEGER NOT NULL, stamp INTEGER NOT NULL, UNIQUE(parent, stored))",
        """
        CREATE TABLE items(id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, stored TEXT NOT NULL, shown TEXT NOT NULL, natural TEXT, kind INTEGER NOT NULL, \
        hidden INTEGER NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL, created INTEGER, stamp INTEGER NOT NULL, number INTEGER NOT NULL, \
        url TEXT, title TEXT, fault TEXT, part INTEGER, start INTEGER, copied INTEGER, kept INTEGER, sum INTEGER NOT NULL)
        """,
        "CREATE UNIQUE INDEX items_place ON items(folder, stored)",
        "CREATE INDEX items_natural ON items(folder, natural) WHERE natural IS NOT NULL",
        "CREATE INDEX items_copied ON items(folder) WHERE copied IS NOT NULL",
        "CREATE TABLE texts(id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
        """
        CREATE TABLE sums(id INTEGER PRIMARY KEY, device INTEGER NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL, \
        modified INTEGER NOT NULL, modified_part INTEGER NOT NULL, changed INTEGER NOT NULL, changed_part INTEGER NOT NULL, sum INTEGER NOT NULL, \
        UNIQUE(device, number))
        """,
        "CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='trigram case_sensitive 1', detail=none, columnsize=0)",
    ]

    /// Made when all of the container was gone through for the first time. Kept up meanwhile, each of them would be written all over
    /// again and again, and more than all the rest is.
    private static let indexes = [
        "CREATE INDEX items_stored ON items(stored)",
        "CREATE INDEX items_shown ON items(shown, folder)",
        "CREATE INDEX items_kind ON items(kind)",
        "CREATE INDEX items_size ON items(size)",
        "CREATE INDEX items_changed ON items(changed)",
        "CREATE INDEX items_url ON items(url)",
    ]

    private static let schema = DatabaseTables(application: application, version: version, tables, indexes: indexes, inner: "words_")

    /// Makes a database a catalog, or sees that it is one. `about` is what it is a catalog of, with these kinds.
    static func prepare(_ database: Database, about: [UInt8], _ kinds: KindRegistry) throws(DatabaseFault) {
        try database.execute("PRAGMA cache_size=-16000; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=OFF")
        try schema.prepare(database) { (database) throws(DatabaseFault) in
            // Sequences are written down when there are so many bytes of them: few pieces need not be put together later.
            try database.execute("INSERT INTO words(words, rank) VALUES('hashsize', \(8 << 20))")
            try database.run("INSERT INTO facts VALUES('about', ?)", .text(about))
            for (place, words) in kinds.descriptions.enumerated() { try database.run("INSERT INTO kinds VALUES(?,?)", .integer(Int64(place) + 1), .text(Array(words.utf8))) }
        }
        let known = try database.statement("SELECT value FROM facts WHERE name='about'")
        defer { known.reset() }
        guard try known.step(), known.text(0) == about else { throw DatabaseFault(.damaged, "it is another container's") }
        guard try self.kinds(in: database) == kinds.descriptions else { throw DatabaseFault(.damaged, "it was made with other kinds of documents") }
    }

    private static func kinds(in database: Database) throws(DatabaseFault) -> [String] {
        let rows = try database.statement("SELECT name FROM kinds ORDER BY code")
        defer { rows.reset() }
        var names: [String] = []
        while try rows.step() { names.append(String(decoding: rows.text(0), as: UTF8.self)) }
        return names
    }

    /// Makes the indexes that are still missing.
    static func addIndexes(to database: Database) throws(DatabaseFault) {
        for index in indexes.dropFirst(try indexCount(in: database)) {
            try database.execute(index)
            database.carryOver()
        }
    }

    private static func indexCount(in database: Database) throws(DatabaseFault) -> Int {
        Int(clamping: try database.integer("SELECT count(*) FROM sqlite_schema WHERE type='index' AND name LIKE 'items\\_%' ESCAPE '\\'") ?? 0) - 3
    }
}
