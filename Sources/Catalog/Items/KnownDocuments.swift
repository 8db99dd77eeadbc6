import Containers
import Databases
import Documents
import LinuxFiles

/// What a catalog knows of the documents in a folder: of a hundred thousand at once, so in a few pieces of memory.
///
/// Nothing of it is believed before a look at the document says that it is what it was.
public struct KnownDocuments: Sendable {
    private struct Row {
        let stamp: Int64
        let size: Int64
        let kind: KindID
        /// Where its stored name begins, with the one that it is shown under after it.
        let start: Int
        let stored: UInt8, natural: UInt8
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    /// One more than the row's place, where the hash of its stored name leads or after that; 0 is nothing.
    private var slots: [UInt32] = []

    /// A document that is what it was.
    public struct Confirmed: Sendable {
        public let kind: KindID
        /// What it is shown under, if nothing else is.
        public let natural: Name
        /// As the drive shows it.
        public let status: FileStatus
    }

    init(_ database: Database, folder: Int64, _ kinds: KindRegistry) throws(DatabaseFault) {
        let bounds = try database.statement("SELECT min(id), max(id), count(*) FROM items WHERE folder=?")
        try bounds.bind([.integer(folder)])
        guard try bounds.step() else { return }
        let (first, last, count) = (bounds.integer(0), bounds.integer(1), bounds.integer(2))
        bounds.reset()
        rows.reserveCapacity(Int(clamping: count))
        // What was written down one after the other is read so, page by page. What lies apart is looked for by its folder.
        let isTogether = last.subtractingReportingOverflow(first).partialValue / 4 < count
        let found = try database.statement("""
            SELECT stored, coalesce(natural, shown), kind, size, stamp, sum FROM items \
            WHERE \(isTogether ? "id BETWEEN ? AND ? AND +folder" : "?<=? AND folder")=? AND kind>0 AND stamp<>0 AND kept IS NULL
            """)
        defer { found.reset() }
        try found.bind([.integer(first), .integer(last), .integer(folder)])
        while try found.step() {
            guard let kind = ItemKind(code: found.integer(2), kinds)?.document else { throw DatabaseFault(.damaged, "an item of it is none") }
            let start = bytes.count
            guard let stored = UInt8(exactly: found.append(0, to: &bytes)), let natural = UInt8(exactly: found.append(1, to: &bytes)), rows.count < UInt32.max - 1 else {
                throw DatabaseFault(.damaged, "a name of it is too long")
            }
            let row = Row(stamp: found.integer(4), size: found.integer(3), kind: kind, start: start, stored: stored, natural: natural)
            // What somebody changed in the file is not believed, even where the document is what it was.
            if sum(of: row) == found.integer(5) { rows.append(row) }
        }
        makeSlots()
    }

    private mutating func makeSlots() {
        var count = 16
        while count < rows.count * 2 { count *= 2 }
        slots = Array(repeating: 0, count: count)
        for (place, row) in rows.enumerated() {
            var slot = Self.hash(bytes[row.start..<row.start + Int(row.stored)]) & (count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: place + 1)
        }
    }

    private func sum(of row: Row) -> Int64 {
        let natural = row.start + Int(row.stored)
        return Self.sum(bytes[row.start..<natural], bytes[natural..<natural + Int(row.natural)], ItemKind(row.kind), row.size, row.stamp)
    }

    /// One number for all that is believed of an item.
    static func sum(_ stored: some Sequence<UInt8>, _ natural: some Sequence<UInt8>, _ kind: ItemKind, _ size: Int64, _ stamp: Int64) -> Int64 {
        var value = UInt64(bitPattern: stamp)
        for number in [UInt64(bitPattern: Int64(hash(stored))), UInt64(bitPattern: Int64(hash(natural))), UInt64(bitPattern: kind.code), UInt64(bitPattern: size)] {
            value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
            value ^= value >> 29
        }
        return Int64(bitPattern: value)
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
        let value = LastingHash.of(bytes)
        return Int(truncatingIfNeeded: value ^ value >> 32)
    }

    private func row(_ stored: Name) -> Row? {
        guard !slots.isEmpty else { return nil }
        var slot = Self.hash(stored.bytes) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = rows[Int(slots[slot]) - 1]
            if Int(row.stored) == stored.bytes.count, bytes[row.start..<row.start + Int(row.stored)].elementsEqual(stored.bytes) { return row }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// A document, if a look at it (a call, or one for each part) says that it is what it was; nil for what has to be read.
    public func confirmed(_ stored: Name, in folder: borrowing Descriptor, _ reader: ItemReader) -> Confirmed? {
        guard let row = row(stored), let found = (try? ItemStamp.of(stored, in: folder, reader)) ?? nil, found.stamp.compared == row.stamp,
            let status = ItemReader.shownStatus(of: found.parts, length: row.size),
            let natural = Name(bytes[row.start + Int(row.stored)..<row.start + Int(row.stored) + Int(row.natural)])
        else { return nil }
        return Confirmed(kind: row.kind, natural: natural, status: status)
    }
}
