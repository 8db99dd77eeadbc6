import PropertyLists

/// The directory of a ZIP from any program, and the headers of its entries. They are believed only if they say the same, and if each byte
/// of the ZIP belongs to one of them: another program cannot find other files in it then.
struct ZipDirectory {
    private(set) var rows: [Row] = []

    struct Row {
        /// As it is written: a folder's ends with a slash.
        let name: [UInt8]
        let flags: UInt64
        let method: UInt64
        let sum: UInt32
        /// The length of the content, packed and unpacked.
        let packed: Int64
        let length: Int64
        /// Where the header before the content begins.
        let offset: Int64
        /// Unix' type and permissions; 0 where they are not known.
        let mode: UInt64
        let modified: PackageEntry.Moment
        let attributes: [PackageEntry.Attribute]
        let isOurs: Bool
        /// Where the content begins.
        var start: Int64 = 0

        var isFolder: Bool { name.last == UInt8(ascii: "/") }
        var shown: String { ZipFault.shown(name) }
    }

    init(_ source: any ByteSource, _ limits: ZipLimits) throws(ZipFault) {
        let end = try ZipEnd(source)
        guard end.count <= Int64(limits.entries) else { throw .excessive("The ZIP has \(end.count) entries. At most \(limits.entries) are allowed.") }
        guard end.length <= limits.directory else { throw .excessive("The directory has \(end.length) bytes. At most \(limits.directory) are allowed.") }
        // Each record has 46 bytes and a name.
        guard end.count <= end.length / 46 else { throw .damaged("The directory is too short for \(end.count) entries.") }
        var records = SourceReader(source, from: end.start, to: end.start + end.length, window: 1 << 16)
        rows.reserveCapacity(Int(end.count))
        var total: Int64 = 0
        for _ in 0..<end.count {
            let row = try Row(&records)
            guard row.length <= limits.bytes - total else { throw .excessive("Unpacked, the files would have more than \(limits.bytes) bytes.") }
            total += row.length
            rows.append(row)
        }
        guard records.count == 0 else { throw .damaged("The directory goes on after its last entry.") }
        if total > 1 << 20, total / max(1, limits.ratio) > source.byteCount {
            throw .excessive("Unpacked, the files would be more than \(limits.ratio) times as long as the ZIP.")
        }
        try checkContents(source, to: end.start)
    }

    /// Contents follow each other from the first byte to the directory, each behind its header.
    private mutating func checkContents(_ source: any ByteSource, to directory: Int64) throws(ZipFault) {
        var offset: Int64 = 0
        let order = rows.indices.sorted { rows[$0].offset < rows[$1].offset }
        for (place, index) in order.enumerated() {
            let row = rows[index], next = place + 1 < order.count ? min(directory, rows[order[place + 1]].offset) : directory
            guard row.offset == offset else { throw .damaged("There are bytes before \(row.shown) that belong to no entry.") }
            var header = SourceReader(source, from: offset, to: directory, window: 512)
            rows[index].start = try row.checkHeader(&header)
            guard row.packed <= next - rows[index].start else { throw .damaged("\(row.shown) overlaps what comes after it.") }
            let rest = next - rows[index].start - row.packed
            if row.flags & Row.Flag.descriptor != 0 {
                var descriptor = SourceReader(source, from: next - rest, to: next, window: 24)
                try row.checkDescriptor(&descriptor)
            } else if rest > 0 {
                throw .damaged("There are bytes behind \(row.shown) that belong to no entry.")
            }
            offset = next
        }
        if offset != directory { throw .damaged("There are bytes before the directory that belong to no entry.") }
    }
}

extension ZipDirectory.Row {
    enum Flag {
        static let encrypted: UInt64 = 1 << 0 | 1 << 6 | 1 << 13, descriptor: UInt64 = 1 << 3, patch: UInt64 = 1 << 5, utf8: UInt64 = 1 << 11
        /// How well it was packed.
        static let effort: UInt64 = 1 << 1 | 1 << 2
    }

    enum Method {
        static let stored: UInt64 = 0, deflated: UInt64 = 8
    }

    private static let mostDeflated: Int64 = 1032

    /// The next record of a directory.
    fileprivate init(_ records: inout SourceReader) throws(ZipFault) {
        var fields = ZipFields(try records.bytes(46))
        guard fields.number(4) == ZipMark.central, let maker = fields.number(2), fields.number(2) != nil, let flags = fields.number(2),
            let method = fields.number(2),
            let dosTime = fields.number(4), let sum = fields.number(4), let packed = fields.number(4), let length = fields.number(4),
            let nameCount = fields.number(2), let extraCount = fields.number(2), let commentCount = fields.number(2), let disk = fields.number(2),
            fields.number(2) != nil, let external = fields.number(4), let offset = fields.number(4)
        else { throw .damaged("The directory holds something that is no entry.") }
        let name = try records.bytes(Int(nameCount))
        func about(_ what: String) -> String { "\(ZipFault.shown(name)) \(what)" }
        guard let extras = ZipReadExtras(try records.bytes(Int(extraCount)), beside: dosTime) else {
            throw .damaged(about("has broken extra fields."))
        }
        _ = try records.bytes(Int(commentCount))
        var longer = extras.zip64
        func long(_ short: UInt64) throws(ZipFault) -> Int64 {
            guard short == ZipMark.elsewhere32 else { return Int64(short) }
            guard let number = longer?.number(8), let number = Int64(exactly: number) else {
                throw .damaged(about("has no 64-bit length or offset where it needs one."))
            }
            return number
        }
        // In this order, and only those that have no room.
        (self.length, self.packed, self.offset) = (try long(length), try long(packed), try long(offset))
        (self.name, self.flags, self.method, self.sum) = (name, flags, method, UInt32(truncatingIfNeeded: sum))
        // Unix, and Darwin.
        mode = [3, 19].contains(maker >> 8) ? external >> 16 : 0
        modified = extras.modified ?? ZipExtras.moment(ofDOSTime: dosTime)
        (attributes, isOurs) = (extras.attributes, extras.isOurs)

        if disk != 0 { throw .refused(about("lies on another disk of a split ZIP.")) }
        if flags & Flag.encrypted != 0 { throw .refused(about("is encrypted.")) }
        if flags & Flag.patch != 0 { throw .refused(about("is a patch for another file.")) }
        try checkEncoding(extras)
        switch method {
        case Method.stored: if self.packed != self.length { throw .damaged(about("is not packed, and has two different lengths.")) }
        case Method.deflated:
            if self.length / Self.mostDeflated > self.packed {
                throw .damaged(about("claims a length that its packed bytes cannot have."))
            }
        default: throw .refused(about("is packed by method \(method). Valise knows 0 (stored) and 8 (deflate)."))
        }
    }

    /// A name of Valise's own may have any bytes, as a file's name may.
    private func checkEncoding(_ extras: ZipReadExtras) throws(ZipFault) {
        if String(validating: name, as: UTF8.self) == nil, flags & Flag.utf8 != 0 || !isOurs {
            throw .refused("\(shown) has a name in another encoding than UTF-8.")
        }
        if let again = extras.unicodePath, again != name { throw .refused("\(shown) has a second name, \(ZipFault.shown(again)).") }
    }

    /// Where the content begins, behind a header that says what the directory says.
    fileprivate func checkHeader(_ header: inout SourceReader) throws(ZipFault) -> Int64 {
        var fields = ZipFields(try header.bytes(30))
        guard fields.number(4) == ZipMark.local, fields.number(2) != nil, let flags = fields.number(2), let method = fields.number(2),
            let dosTime = fields.number(4),
            let sum = fields.number(4), let packed = fields.number(4), let length = fields.number(4), let nameCount = fields.number(2),
            let extraCount = fields.number(2)
        else { throw .damaged("\(shown) is not where the directory says.") }
        func differs(_ what: String) -> ZipFault { .damaged("\(shown) has a different \(what) in the directory and in its own header.") }
        guard try header.bytes(Int(nameCount)) == name else { throw differs("name") }
        guard flags | Flag.effort == self.flags | Flag.effort else { throw differs("set of flags") }
        guard method == self.method else { throw differs("method") }
        guard let extras = ZipReadExtras(try header.bytes(Int(extraCount)), beside: dosTime) else {
            throw .damaged("\(shown) has broken extra fields in its own header.")
        }
        if let again = extras.unicodePath, again != name { throw .refused("\(shown) has a second name, \(ZipFault.shown(again)).") }
        var longer = extras.zip64
        func long(_ short: UInt64) -> UInt64 { short == ZipMark.elsewhere32 ? longer?.number(8) ?? short : short }
        // What follows the content may say it instead.
        func agrees(_ said: UInt64, _ right: UInt64) -> Bool { said == right || flags & Flag.descriptor != 0 && said == 0 }
        guard agrees(long(length), UInt64(self.length)), agrees(long(packed), UInt64(self.packed)) else { throw differs("length") }
        guard agrees(sum, UInt64(self.sum)) else { throw differs("checksum") }
        return header.offset
    }

    /// The descriptor behind a content has what its header did not say: with a mark or without, the lengths in 32 or 64 bits.
    fileprivate func checkDescriptor(_ descriptor: inout SourceReader) throws(ZipFault) {
        let count = descriptor.count, width = count > 16 ? 8 : 4
        guard [12, 16, 20, 24].contains(count) else { throw .damaged("There are bytes behind \(shown) that belong to no entry.") }
        var fields = ZipFields(try descriptor.bytes(Int(count)))
        let hasMark = count % 8 == 0
        if hasMark, fields.number(4) != ZipMark.descriptor { throw .damaged("There are bytes behind \(shown) that belong to no entry.") }
        guard fields.number(4) == UInt64(sum), fields.number(width) == UInt64(packed), fields.number(width) == UInt64(length) else {
            throw .damaged("\(shown) has a different length or checksum in the directory and behind its content.")
        }
    }
}

/// Where the directory is, by the end of the ZIP.
private struct ZipEnd {
    let count: Int64
    let start: Int64
    let length: Int64

    private static let longest = 22 + 0xFFFF

    init(_ source: any ByteSource) throws(ZipFault) {
        let byteCount = source.byteCount, tailStart = max(0, byteCount - Int64(Self.longest))
        var reader = SourceReader(source, from: tailStart, to: byteCount, window: 1)
        let tail = try reader.bytes(Int(byteCount - tailStart))
        guard let place = Self.last(in: tail) else { throw .foreign("This is no ZIP: it has no end record.") }
        // Programs that search from the end would take a mark in the comment for the end record.
        var fields = ZipFields(Array(tail[place...]))
        guard fields.number(4) == ZipMark.end, let disk = fields.number(2), let directoryDisk = fields.number(2), let here = fields.number(2),
            let count = fields.number(2),
            let length = fields.number(4), let start = fields.number(4), let comment = fields.number(2), Int(comment) == fields.count
        else { throw .damaged("The ZIP goes on after its end record, or is cut off.") }
        let end = tailStart + Int64(place)
        if let longer = try Self.longer(source, before: end) {
            func agrees(_ short: UInt64, _ most: UInt64, _ long: Int64) -> Bool { short == most || short == UInt64(long) }
            guard agrees(count, 0xFFFF, longer.count), agrees(here, 0xFFFF, longer.count), agrees(length, 0xFFFF_FFFF, longer.length),
                agrees(start, 0xFFFF_FFFF, longer.start),
                agrees(disk, 0xFFFF, 0), agrees(directoryDisk, 0xFFFF, 0)
            else { throw .damaged("The two end records contradict each other.") }
            self = longer
            return
        }
        guard disk == 0, directoryDisk == 0, here == count else { throw .refused("The ZIP is split over several disks.") }
        try self.init(count: Int64(count), start: Int64(start), length: Int64(length), end: end)
    }

    private init(count: Int64, start: Int64, length: Int64, end: Int64) throws(ZipFault) {
        guard length == end - start else {
            throw .damaged("The directory is not where the end record says.")
        }
        (self.count, self.start, self.length) = (count, start, length)
    }

    /// The end with numbers of 64 bits, where there is one.
    private static func longer(_ source: any ByteSource, before end: Int64) throws(ZipFault) -> ZipEnd? {
        guard end >= 20 else { return nil }
        var reader = SourceReader(source, from: end - 20, to: end, window: 20), locator = ZipFields(try reader.bytes(20))
        guard locator.number(4) == ZipMark.locator64 else { return nil }
        guard let disk = locator.number(4), let place = locator.number(8), let disks = locator.number(4) else { return nil }
        guard disk == 0, disks <= 1 else { throw .refused("The ZIP is split over several disks.") }
        guard let place = Int64(exactly: place), place <= end - 20 - 56 else { throw .damaged("The 64-bit end record is not where the ZIP says.") }
        reader = SourceReader(source, from: place, to: end - 20, window: 56)
        var fields = ZipFields(try reader.bytes(56))
        guard fields.number(4) == ZipMark.end64, let size = fields.number(8), size == UInt64(end - 20 - 12 - place), fields.number(4) != nil,
            let own = fields.number(4), let directory = fields.number(4), let here = fields.number(8), let count = fields.number(8),
            let length = fields.number(8),
            let start = fields.number(8), let count = Int64(exactly: count), let length = Int64(exactly: length), let start = Int64(exactly: start)
        else { throw .damaged("The 64-bit end record is broken.") }
        guard own == 0, directory == 0, here == UInt64(count) else { throw .refused("The ZIP is split over several disks.") }
        return try ZipEnd(count: count, start: start, length: length, end: place)
    }

    private static func last(in tail: [UInt8]) -> Int? {
        var place = tail.count - 22
        while place >= 0 {
            if tail[place] == 0x50, tail[place + 1] == 0x4B, tail[place + 2] == 5, tail[place + 3] == 6 { return place }
            place -= 1
        }
        return nil
    }
}
