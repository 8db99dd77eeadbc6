/// A binary property list, read where it lies: objects on demand, none before it is asked for.
///
/// Every length is checked against the file before anything is allocated, and no object is entered twice by itself:
/// who follows references bounds how deep. Bytes of data objects are never read, they come back as a range.
public final class BinaryPropertyList {
    private let source: any ByteSource
    /// The end of the file, where trailer, offsets and often all small objects are; and the window read last.
    /// A small file is in the first as a whole.
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

        func place(of offset: Int64, _ count: Int) -> Int? {
            let first = offset - start
            return first >= 0 && first + Int64(count) <= Int64(bytes.count) ? Int(first) : nil
        }
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
    private static let tailSize: Int64 = 1024, wholeSize: Int64 = 4096
    /// The header, and what an image begins with in a file of ours.
    private static let headSize = 64

    public init(_ source: any ByteSource) throws(PropertyListFault) {
        self.source = source
        let size = source.byteCount
        guard size >= Self.headerSize + Self.trailerSize + 2 else { throw .foreign("it is too short for a property list") }
        let start = size <= Self.wholeSize ? 0 : size - Self.tailSize
        tail = Window(start: start, bytes: try Self.read(source, at: start, count: Int(size - start)))
        window = start == 0 ? tail : Window(start: 0, bytes: try Self.read(source, at: 0, count: Self.headSize))
        guard window.bytes.starts(with: "bplist00".utf8) else { throw .foreign("it is no binary property list") }

        let trailer = tail.bytes.count - Int(Self.trailerSize)
        let (offsetSize, referenceSize) = (Int(tail.bytes[trailer + 6]), Int(tail.bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw .damaged("its trailer has impossible sizes") }
        let count = Self.number(tail.bytes, trailer + 8, 8), top = Self.number(tail.bytes, trailer + 16, 8)
        let table = Self.number(tail.bytes, trailer + 24, 8)
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
            return .date(Double(bitPattern: try number(at: offset + 1, count: 8)))
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
            return .uid(try number(at: offset + 1, count: low + 1))
        case 0xA: return .array(try items(marker, offset))
        case 0xC: return .set(try items(marker, offset))
        case 0xD:
            let (keys, values) = try entries(marker, offset)
            return .dictionary(keys: keys, values: values)
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
        let offset = try number(at: place, count: offsetSize, inTable: true)
        guard offset >= UInt64(Self.headerSize), offset < UInt64(tableStart) else { throw .damaged("an offset lies outside") }
        return (Int64(offset), UInt8(truncatingIfNeeded: try number(at: Int64(offset), count: 1)))
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
        let end = offset + 1 + Int64(size)
        if size == 16 {
            let (high, low) = (try number(at: offset + 1, count: 8), try number(at: offset + 9, count: 8))
            return (high == 0 && low <= Int64.max ? .integer(Int64(low)) : .other, end)
        }
        let value = try number(at: offset + 1, count: size)
        return (.integer(size == 8 ? Int64(bitPattern: value) : Int64(value)), end)
    }

    private func real(at offset: Int64, power: Int) throws(PropertyListFault) -> Element {
        switch power {
        case 2: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(at: offset + 1, count: 4)))))
        case 3: return .real(Double(bitPattern: try number(at: offset + 1, count: 8)))
        default: throw .damaged("a number has an impossible size")
        }
    }

    /// The count in a marker, or in the integer object behind it; and where what is counted begins.
    private func length(_ marker: UInt8, _ offset: Int64) throws(PropertyListFault) -> (Int64, Int64) {
        guard marker & 0x0F == 0x0F else { return (Int64(marker & 0x0F), offset + 1) }
        let inner = UInt8(truncatingIfNeeded: try number(at: offset + 1, count: 1))
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

    private func items(_ marker: UInt8, _ offset: Int64) throws(PropertyListFault) -> [Int] {
        let (count, first) = try collection(marker, offset, each: 1)
        return try references(first, count)
    }

    private func entries(_ marker: UInt8, _ offset: Int64) throws(PropertyListFault) -> (keys: [Int], values: [Int]) {
        let (count, first) = try collection(marker, offset, each: 2)
        return (try references(first, count), try references(first + Int64(count * referenceSize), count))
    }

    private func collection(_ marker: UInt8, _ offset: Int64, each: Int64) throws(PropertyListFault) -> (count: Int, first: Int64) {
        let (count, first) = try length(marker, offset)
        guard count <= Int64(Limit.entries) else { throw .tooLarge("a collection in it has \(count) entries") }
        try check(first, count * each * Int64(referenceSize))
        return (Int(count), first)
    }

    private func references(_ first: Int64, _ count: Int) throws(PropertyListFault) -> [Int] {
        let (bytes, start) = try located(at: first, count: count * referenceSize)
        var references: [Int] = []
        references.reserveCapacity(count)
        for index in 0..<count {
            let value = Self.number(bytes, start + index * referenceSize, referenceSize)
            guard value < UInt64(objectCount) else { throw .damaged("a reference leads nowhere") }
            references.append(Int(value))
        }
        return references
    }

    // MARK: Bytes

    /// Bytes of the file, out of memory where they have been read already: what a caller wants to see of a data object.
    public func bytes(at offset: Int64, count: Int) throws(PropertyListFault) -> [UInt8] {
        let (bytes, start) = try located(at: offset, count: count)
        return Array(bytes[start..<(start + count)])
    }

    private func number(at offset: Int64, count: Int, inTable: Bool = false) throws(PropertyListFault) -> UInt64 {
        let (bytes, start) = try located(at: offset, count: count, inTable: inTable)
        return Self.number(bytes, start, count)
    }

    /// A window that holds these bytes, and where in it they begin. It is moved when none does.
    private func located(at offset: Int64, count: Int, inTable: Bool = false) throws(PropertyListFault) -> ([UInt8], Int) {
        let limit = inTable ? source.byteCount : tableStart
        guard offset >= 0, Int64(count) <= limit, offset <= limit - Int64(count) else { throw .damaged("an object reaches past the end") }
        if let start = tail.place(of: offset, count) { return (tail.bytes, start) }
        if let start = window.place(of: offset, count) { return (window.bytes, start) }
        let read = try Self.read(source, at: offset, count: max(count, Int(min(512, source.byteCount - offset))))
        if read.count <= 4096 { window = Window(start: offset, bytes: read) }
        return (read, 0)
    }

    private static func read(_ source: any ByteSource, at offset: Int64, count: Int) throws(PropertyListFault) -> [UInt8] {
        do throws(SourceFailure) { return try source.bytes(at: offset, count: count) } catch { throw .unreadable(error.errno) }
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<(start + count) { value = value << 8 | UInt64(bytes[index]) }
        return value
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
