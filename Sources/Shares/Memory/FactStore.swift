import Databases
import Hashes
import Replication

/// All that a device has heard and said, and what it remembers of its share, in a database of its own. What was heard and what is remembered of that are written
/// down in one step: who forgot the one forgot the other.
package final class FactStore {
    private let file: DatabaseFile
    private var database: Database { file.database }
    /// What is seen by all facts that are written down.
    package private(set) var known: FollowedView
    private var written: ShareMemory?
    /// Of this device. What was written down of it is not less than any moment that is.
    package let clock: RunningClock

    private static let application: Int64 = 0x5641_4C66
    private static let tables = DatabaseTables(
        application: application, version: 2,
        [
            // A register has one row, whoever said last what it is.
            "CREATE TABLE fact(place BLOB PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID",
            // Of a share: which files of facts were read and written, what they say, and what they were like then.
            "CREATE TABLE file(device BLOB NOT NULL, number INTEGER NOT NULL, sum BLOB NOT NULL, facts BLOB NOT NULL, size INTEGER, modified INTEGER, gone INTEGER, PRIMARY KEY(device, number, sum)) WITHOUT ROWID",
            "CREATE TABLE retired(number INTEGER NOT NULL, sum BLOB NOT NULL, PRIMARY KEY(number, sum)) WITHOUT ROWID",
            "CREATE TABLE memory(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        ])

    /// Opens what is there, or makes it anew, in a folder where nobody else may write.
    package init(in folder: String, _ name: String) throws(DatabaseFault) {
        guard let path = DatabaseFile.path(in: folder, name) else { throw DatabaseFault(.unavailable, "somebody else could change it") }
        file = try DatabaseFile(
            path, prepare: { (database) throws(DatabaseFault) in try Self.tables.prepare(database) { _ in } },
            lookThrough: { (database) throws(DatabaseFault) in _ = try Self.facts(in: database) })
        try file.database.execute("PRAGMA synchronous=FULL")
        known = FollowedView(of: try Self.facts(in: file.database))
        clock = RunningClock(after: try Self.value("clock", in: file.database).flatMap(ShareMemoryBytes.clock))
    }

    private static func value(_ name: String, in database: Database) throws(DatabaseFault) -> [UInt8]? {
        let row = try database.newStatement("SELECT value FROM memory WHERE name = ?1")
        try row.bind([.text(Array(name.utf8))])
        return try row.step() ? row.blob(0) : nil
    }

    package func close() { file.close() }

    private static func facts(in database: Database) throws(DatabaseFault) -> [Fact] {
        var facts: [Fact] = []
        let statement = try database.newStatement("SELECT bytes FROM fact")
        while try statement.step() {
            guard let fact = Fact(statement.blob(0)) else { throw DatabaseFault(.damaged, "it holds what is no fact") }
            facts.append(fact)
        }
        return facts
    }

    // MARK: Writing

    /// Writes down what was heard or said, and what is remembered of the share.
    package func write(_ facts: [Fact], _ memory: ShareMemory? = nil) throws(DatabaseFault) {
        known.add(facts)
        do throws(DatabaseFault) {
            try database.transaction { () throws(DatabaseFault) in
                for fact in facts { try write(fact) }
                if let memory { try write(memory) }
            }
        } catch {
            // Nothing is known that is not written down.
            known = FollowedView(of: try Self.facts(in: database))
            throw error
        }
        if let memory { written = memory }
        file.database.carryOver()
    }

    /// What is new in a share becomes known here. Where it cannot be written down the share has not read it either, and hears it once more.
    package func hear(from share: inout Share) throws -> [Fact] {
        let before = share.memory
        do {
            let heard = try share.hear()
            try write(heard, share.memory)
            return heard
        } catch {
            // What was written down on the way, which is another name, is to stay.
            if share.memory.device == before.device { share.memory = before } else if let written { share.memory = written }
            throw error
        }
    }

    private func write(_ fact: Fact) throws(DatabaseFault) {
        try writeKnown(at: fact)
        // What it replaced is made of nothing any more.
        for parent in fact.parents { if let replaced = known.facts.versions[parent] { try writeKnown(at: replaced) } }
    }

    private func writeKnown(at fact: Fact) throws(DatabaseFault) {
        guard let kept = known.facts[fact.subject] else { return }
        guard let bytes = kept.bytes else { throw DatabaseFault(.unavailable, "it would be more than a fact can be") }
        try database.run("INSERT OR REPLACE INTO fact VALUES(?1, ?2)", .blob(kept.row), .blob(bytes))
    }

    private func write(_ memory: ShareMemory) throws(DatabaseFault) {
        let before = if let written { written } else { try readMemory() }
        for (path, file) in memory.files where before?.files[path] != file {
            try database.run(
                "INSERT OR REPLACE INTO file VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", .blob(ShareMemoryBytes.bytes(of: path.device.number)), .integer(Int64(path.name.number)),
                .blob(ShareMemoryBytes.bytes(of: path.name.sum)), .blob(ShareMemoryBytes.bytes(of: file.facts)), file.trace.map { .integer($0.size) } ?? .null,
                file.trace.map { .integer($0.modified) } ?? .null, file.goneSince.map { .integer($0) } ?? .null)
        }
        for path in (before?.files ?? [:]).keys where memory.files[path] == nil {
            try database.run(
                "DELETE FROM file WHERE device = ?1 AND number = ?2 AND sum = ?3", .blob(ShareMemoryBytes.bytes(of: path.device.number)), .integer(Int64(path.name.number)),
                .blob(ShareMemoryBytes.bytes(of: path.name.sum)))
        }
        try write(memory.retired, instead: before?.retired ?? [])
        let rest = ShareMemoryBytes.bytes(of: memory)
        if before.map(ShareMemoryBytes.bytes) != rest { try database.run("INSERT OR REPLACE INTO memory VALUES('share', ?1)", .blob(rest)) }
        // Each moment that the memory names is over.
        try database.run("INSERT OR REPLACE INTO memory VALUES('clock', ?1)", .blob(ShareMemoryBytes.bytes(of: clock.reading)))
    }

    private func write(_ retired: Set<FactFileName>, instead before: Set<FactFileName>) throws(DatabaseFault) {
        if retired == before { return }
        for name in retired.subtracting(before) { try database.run("INSERT OR REPLACE INTO retired VALUES(?1, ?2)", .integer(Int64(name.number)), .blob(ShareMemoryBytes.bytes(of: name.sum))) }
        for name in before.subtracting(retired) {
            try database.run("DELETE FROM retired WHERE number = ?1 AND sum = ?2", .integer(Int64(name.number)), .blob(ShareMemoryBytes.bytes(of: name.sum)))
        }
    }

    /// Nil where it takes part in no share yet.
    package func readMemory() throws(DatabaseFault) -> ShareMemory? {
        guard let value = try Self.value("share", in: database) else { return nil }
        guard var memory = ShareMemoryBytes.memory(of: value) else { throw DatabaseFault(.damaged, "it does not say what it remembers") }
        let files = try database.newStatement("SELECT device, number, sum, facts, size, modified, gone FROM file")
        while try files.step() {
            guard let device = ShareMemoryBytes.number(files.blob(0)), let number = UInt32(exactly: files.integer(1)), let sum = ShareMemoryBytes.marks(files.blob(2))?.first,
                let facts = ShareMemoryBytes.marks(files.blob(3))
            else { throw DatabaseFault(.damaged, "it does not say what it remembers") }
            let path = ShareMemory.FilePath(device: ShareDevice(device), name: FactFileName(number: number, sum: sum))
            let trace = files.optionalInteger(4).flatMap { size in files.optionalInteger(5).map { FileTrace(size: size, modified: $0) } }
            memory.files[path] = ShareMemory.File(facts: facts.map { FactID($0) }, trace: trace, goneSince: files.optionalInteger(6))
        }
        let retired = try database.newStatement("SELECT number, sum FROM retired")
        while try retired.step() {
            guard let number = UInt32(exactly: retired.integer(0)), let sum = ShareMemoryBytes.marks(retired.blob(1))?.first else { throw DatabaseFault(.damaged, "it does not say what it remembers") }
            memory.retired.insert(FactFileName(number: number, sum: sum))
        }
        written = memory
        return memory
    }
}

extension Fact {
    /// The row of what it says something about.
    fileprivate var row: [UInt8] {
        switch statement {
        case .version: [UInt8(ascii: "v")] + ShareMemoryBytes.bytes(of: id.mark)
        case .place(let place): [UInt8(ascii: "p")] + ShareMemoryBytes.bytes(of: place.item.mark)
        case .key(let key): [UInt8(ascii: "k")] + key.key
        case .kind(let kind): [UInt8(ascii: "t")] + kind.ending
        case .name: [UInt8(ascii: "d")] + ShareMemoryBytes.bytes(of: device.mark)
        case .same(let one, let other): [UInt8(ascii: "s")] + ShareMemoryBytes.bytes(of: one.mark) + ShareMemoryBytes.bytes(of: other.mark)
        }
    }
}
