/// A binary property list, read where it lies: objects on demand, none before it is asked for.
///
/// Every length is checked against the file before anything is allocated, and no object is entered twice by itself:
/// who follows references bounds how deep. Bytes of data objects are never read, they come back as a range.
public final class BinaryPropertyList {
    private let source: any ByteSource
    /// The end of the file, where trailer, offsets and often all small objects are; and the window read last.
    private let tail: Window
    private var window: Window
    public let objectCount: Int
    public let top: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableStart: Int64

    /// The file offset of some bytes that are in memory.
    private struct Window {
        let start: Int64
        let bytes: [UInt8]
    }

    /// What no honest file exceeds.
    public enum Limit {
        public static let objects = 4 << 20
        public static let entries = 1 << 20
        public static let stringBytes = 16 << 20
        public static let depth = 16
    }

    private static let headerSize: Int64 = 8
    private static let trailerSize: Int64 = 32
    private static let tailSize: Int64 = 1024

    public init(_ source: any ByteSource) throws(PropertyListFault) {
        self.source = source
        let size = source.byteCount
        guard size >= Self.headerSize + Self.trailerSize + 2 else { throw .foreign("it is too short for a property list") }
        let start = max(0, size - Self.tailSize)
        tail = Window(start: start, bytes: try Self.read(source, at: start, count: Int(size - start)))
        if start == 0 {
            window = tail
        } else {
            window = Window(start: 0, bytes: try Self.read(source, at: 0, count: Int(Self.headerSize)))
        }
        guard window.bytes.starts(with: Array("bplist00".utf8)) else { throw .foreign("it is no binary property list") }

        let trailer = Array(tail.bytes.suffix(Int(Self.trailerSize)))
        let (offsetSize, referenceSize) = (Int(trailer[6]), Int(trailer[7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw .damaged("its trailer has impossible sizes") }
        let count = Self.number(trailer[8..<16]), top = Self.number(trailer[16..<24]), table = Self.number(trailer[24..<32])
        guard count >= 1, count <= Limit.objects, top < count else { throw .damaged("its trailer has impossible counts") }
        guard table >= UInt64(Self.headerSize) + 1, table <= UInt64(size - Self.trailerSize) else { throw .damaged("its offset table lies outside") }
        let tableSize = count.multipliedReportingOverflow(by: UInt64(offsetSize))
        guard !tableSize.overflow, tableSize.partialValue == UInt64(size - Self.trailerSize) - table else {
            throw .damaged("its offset table is not as long as it says")
        }
        guard referenceSize == 8 || count <= 1 << UInt64(8 * referenceSize) else { throw .damaged("its references are too narrow") }
        objectCount = Int(count)
        self.top = Int(top)
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        tableStart = Int64(table)
    }

    /// The object with this number.
    public func object(_ index: Int) throws(PropertyListFault) -> Element {
        let (offset, marker) = try start(of: index)
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return try integer(at: offset, power: low).element
        case 0x2: return try real(at: offset, power: low)
        case 0x3:
            guard low == 3 else { throw .damaged("a date has an impossible size") }
            return .date(Double(bitPattern: Self.number(try bytes(at: offset + 1, count: 8)[...])))
        case 0x4:
            let (count, first) = try length(marker, offset)
            try check(first, count)
            return .data(offset: first, count: count)
        case 0x5:
            let (count, first) = try length(marker, offset)
            return .string(String(decoding: try text(first, count), as: UTF8.self))
        case 0x6:
            let (units, first) = try length(marker, offset)
            let (count, overflow) = units.multipliedReportingOverflow(by: 2)
            guard !overflow else { throw .damaged("a string is longer than the file") }
            return .string(Self.utf16(try text(first, count)))
        case 0x8:
            guard low < 8 else { return .other }
            return .uid(Self.number(try bytes(at: offset + 1, count: low + 1)[...]))
        case 0xA: return .array(try references(marker, offset, each: 1))
        case 0xC: return .set(try references(marker, offset, each: 1))
        case 0xD:
            let all = try references(marker, offset, each: 2)
            return .dictionary(keys: Array(all[..<(all.count / 2)]), values: Array(all[(all.count / 2)...]))
        default: throw .damaged("an object has the unknown marker \(marker)")
        }
    }

    /// Where an object's bytes are, marker included; for those that hold no references.
    public func range(of index: Int) throws(PropertyListFault) -> Range<Int64>? {
        let (offset, marker) = try start(of: index)
        let low = Int64(marker & 0x0F)
        let end: Int64
        switch marker >> 4 {
        case 0x0: end = offset + 1
        case 0x1, 0x2: end = offset + 1 + (low <= 4 ? 1 << low : 0)
        case 0x3: end = offset + 9
        case 0x8: end = offset + 2 + low
        case 0x4, 0x5:
            let (count, first) = try length(marker, offset)
            try check(first, count)
            end = first + count
        case 0x6:
            let (units, first) = try length(marker, offset)
            let (count, overflow) = units.multipliedReportingOverflow(by: 2)
            guard !overflow else { throw .damaged("a string is longer than the file") }
            try check(first, count)
            end = first + count
        default: return nil
        }
        guard end <= tableStart else { throw .damaged("an object reaches into the offset table") }
        return offset..<end
    }

    // MARK: Pieces

    private func start(of index: Int) throws(PropertyListFault) -> (Int64, UInt8) {
        guard (0..<objectCount).contains(index) else { throw .damaged("a reference leads nowhere") }
        let place = tableStart + Int64(index) * Int64(offsetSize)
        let offset = Self.number(try bytes(at: place, count: offsetSize, inTable: true)[...])
        guard offset >= UInt64(Self.headerSize), offset < UInt64(tableStart) else { throw .damaged("an offset lies outside") }
        return (Int64(offset), try bytes(at: Int64(offset), count: 1)[0])
    }

    private func simple(_ marker: UInt8) throws(PropertyListFault) -> Element {
        switch marker {
        case 0x00: .null
        case 0x08: .boolean(false)
        case 0x09: .boolean(true)
        default: .other
        }
    }

    private func integer(at offset: Int64, power: Int) throws(PropertyListFault) -> (element: Element, end: Int64) {
        guard power <= 4 else { throw .damaged("an integer has an impossible size") }
        let size = 1 << power
        let raw = try bytes(at: offset + 1, count: size)
        let end = offset + 1 + Int64(size)
        if size == 16 {
            let (high, low) = (Self.number(raw[..<8]), Self.number(raw[8...]))
            return (high == 0 && low <= Int64.max ? .integer(Int64(low)) : .other, end)
        }
        let value = Self.number(raw[...])
        return (.integer(size == 8 ? Int64(bitPattern: value) : Int64(value)), end)
    }

    private func real(at offset: Int64, power: Int) throws(PropertyListFault) -> Element {
        switch power {
        case 2: return .real(Double(Float(bitPattern: UInt32(Self.number(try bytes(at: offset + 1, count: 4)[...])))))
        case 3: return .real(Double(bitPattern: Self.number(try bytes(at: offset + 1, count: 8)[...])))
        default: throw .damaged("a number has an impossible size")
        }
    }

    /// The count in a marker, or in the integer object behind it; and where what is counted begins.
    private func length(_ marker: UInt8, _ offset: Int64) throws(PropertyListFault) -> (Int64, Int64) {
        guard marker & 0x0F == 0x0F else { return (Int64(marker & 0x0F), offset + 1) }
        let inner = try bytes(at: offset + 1, count: 1)[0]
        guard inner >> 4 == 1, case (.integer(let count), let end) = try integer(at: offset + 1, power: Int(inner & 0x0F)), count >= 0 else {
            throw .damaged("a length is no number")
        }
        return (count, end)
    }

    private func check(_ first: Int64, _ count: Int64) throws(PropertyListFault) {
        guard first <= tableStart, count <= tableStart - first else { throw .damaged("an object is longer than the file") }
    }

    private func text(_ first: Int64, _ count: Int64) throws(PropertyListFault) -> [UInt8] {
        try check(first, count)
        guard count <= Limit.stringBytes else { throw .tooLarge("a string in it is longer than anybody needs") }
        return try bytes(at: first, count: Int(count))
    }

    private func references(_ marker: UInt8, _ offset: Int64, each: Int64) throws(PropertyListFault) -> [Int] {
        let (count, first) = try length(marker, offset)
        guard count <= Int64(Limit.entries) else { throw .tooLarge("a collection in it has \(count) entries") }
        let size = count * each * Int64(referenceSize)
        try check(first, size)
        let raw = try bytes(at: first, count: Int(size))
        var references: [Int] = []
        references.reserveCapacity(Int(count * each))
        for start in stride(from: 0, to: raw.count, by: referenceSize) {
            let value = Self.number(raw[start..<(start + referenceSize)])
            guard value < UInt64(objectCount) else { throw .damaged("a reference leads nowhere") }
            references.append(Int(value))
        }
        return references
    }

    /// Bytes from a window, which is moved when they are not in it.
    private func bytes(at offset: Int64, count: Int, inTable: Bool = false) throws(PropertyListFault) -> [UInt8] {
        let limit = inTable ? source.byteCount : tableStart
        guard offset >= 0, Int64(count) <= limit, offset <= limit - Int64(count) else { throw .damaged("an object reaches past the end") }
        for window in [tail, window] {
            let first = offset - window.start
            if first >= 0, first + Int64(count) <= Int64(window.bytes.count) { return Array(window.bytes[Int(first)..<(Int(first) + count)]) }
        }
        let size = max(count, Int(min(512, source.byteCount - offset)))
        let read = try Self.read(source, at: offset, count: size)
        if size <= 4096 { window = Window(start: offset, bytes: read) }
        return count == size ? read : Array(read[..<count])
    }

    private static func read(_ source: any ByteSource, at offset: Int64, count: Int) throws(PropertyListFault) -> [UInt8] {
        do throws(SourceFailure) { return try source.bytes(at: offset, count: count) } catch { throw .unreadable(error.errno) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func utf16(_ bytes: [UInt8]) -> String {
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }
}

/// One object of a property list. References are numbers of other objects.
public enum Element: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    /// The bytes' place in the file.
    case data(offset: Int64, count: Int64)
    case string(String)
    case uid(UInt64)
    case array([Int])
    case set([Int])
    case dictionary(keys: [Int], values: [Int])
    /// Legal, and of no use here: integers of 128 bits, fill bytes, long UIDs.
    case other
}

/// Why a property list could not be read.
public enum PropertyListFault: Error, Hashable, Sendable {
    case foreign(String)
    case damaged(String)
    case tooLarge(String)
    case unreadable(Int32?)
}
