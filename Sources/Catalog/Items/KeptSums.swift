import Containers
import Databases
import LinuxFiles

/// The checksums of packages' parts that drives have found: a flat file's first reading on the next drive need not go over all parts once more.
/// Each counts as long as its file has the number, size and times that it had.
struct KeptSums {
    let database: Database

    /// Of more, those go that were found first.
    static let most: Int64 = 1 << 17

    func learn(into sums: PartSums) throws(DatabaseFault) {
        let rows = try database.statement(
            "SELECT device, number, size, modified, modified_part, changed, changed_part, sum FROM sums ORDER BY id")
        defer { rows.reset() }
        while try rows.step() {
            guard let modified = time(rows, 3), let changed = time(rows, 5) else { continue }
            let identity = FileIdentity(device: UInt64(bitPattern: rows.integer(0)), number: UInt64(bitPattern: rows.integer(1)))
            sums.learn(PartSums.Found(
                identity, size: rows.integer(2), modified: modified, changed: changed, sum: UInt32(truncatingIfNeeded: rows.integer(7))))
        }
    }

    private func time(_ rows: Statement, _ column: Int32) -> Timestamp? {
        Int32(exactly: rows.integer(column + 1)).map { Timestamp(seconds: rows.integer(column), nanoseconds: $0) }
    }

    func keep(_ found: [PartSums.Found]) throws(DatabaseFault) {
        // What cannot be kept undoes nothing else.
        try database.writeDown()
        try database.transaction { () throws(DatabaseFault) in
            for sum in found {
                try database.run(
                    "INSERT OR REPLACE INTO sums(device, number, size, modified, modified_part, changed, changed_part, sum) VALUES(?,?,?,?,?,?,?,?)",
                    .integer(Int64(bitPattern: sum.identity.device)), .integer(Int64(bitPattern: sum.identity.number)), .integer(sum.size),
                    .integer(sum.modified.seconds), .integer(Int64(sum.modified.nanoseconds)), .integer(sum.changed.seconds),
                    .integer(Int64(sum.changed.nanoseconds)), .integer(Int64(sum.sum)))
            }
            try database.run("DELETE FROM sums WHERE id <= (SELECT max(id) FROM sums) - ?", .integer(Self.most))
        }
    }
}
