/// The tables of a database. Another version of them, or others, is another database.
package struct DatabaseTables: Sendable {
    /// What of database it is, as its file says it.
    let application: Int64
    /// To be counted up with each change of the tables, or of what stands in them.
    let version: Int64
    let tables: [String]
    /// Made one after another when there is something in the tables, and there or not therefore.
    let indexes: [String]
    /// What the names of the tables begin with that SQLite makes for one of these.
    let inner: String?

    package init(application: Int64, version: Int64, _ tables: [String], indexes: [String] = [], inner: String? = nil) {
        (self.application, self.version, self.tables, self.indexes, self.inner) = (application, version, tables, indexes, inner)
    }

    /// Makes them in a database that has none, with what `fill` puts into them; or sees that they are there.
    package func prepare(_ database: Database, fill: (Database) throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        // Pages are looked at before they are believed, and a file that others cut is not mapped.
        try database.execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0")
        _ = try database.integer("PRAGMA journal_mode=WAL")
        if try isEmpty(database) { try make(database, fill) }
        try check(database)
    }

    private func isEmpty(_ database: Database) throws(DatabaseFault) -> Bool {
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema"), version = try database.integer("PRAGMA user_version")
        return tables == 0 && version == 0
    }

    private func make(_ database: Database, _ fill: (Database) throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        try database.transaction { () throws(DatabaseFault) in
            for table in tables { try database.execute(table) }
            try fill(database)
            try database.execute("PRAGMA application_id=\(application); PRAGMA user_version=\(version)")
        }
    }

    /// Its tables are these, and there are no others: nothing that somebody else put there is ever carried out.
    private func check(_ database: Database) throws(DatabaseFault) {
        let marks = (try database.integer("PRAGMA application_id"), try database.integer("PRAGMA user_version"))
        let isOurs = marks == (application, version)
        let statement = try database.newStatement("SELECT sql FROM sqlite_schema WHERE (?1 IS NULL OR substr(name, 1, length(?1)) <> ?1) AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
        try statement.bind([inner.map { .text(Array($0.utf8)) } ?? .null])
        var found: [String] = []
        let all = tables + indexes
        while isOurs, found.count <= all.count {
            guard try statement.step() else { break }
            found.append(String(decoding: statement.text(0), as: UTF8.self))
        }
        guard isOurs, found.count >= tables.count, found.count <= all.count, found == Array(all.prefix(found.count)) else { throw DatabaseFault(.damaged, "it is of another version") }
    }
}
