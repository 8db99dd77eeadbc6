/// A binary property list, read on demand: the trailer when it is opened, an object when it is asked for.
///
/// Opening one costs two small reads however large the file is, and nothing is allocated from a length
/// that the file only claims: each is checked against the bytes before the offset table first.
/// It accepts what the published reader accepts (FORMATS 1), and within `limits` only.
public struct BinaryPropertyList {
    static let header: String = "bplist0"
    static let headerLength: Int64 = 8
    static let trailerLength: Int64 = 32

    public let limits: PropertyListLimits
    public let objectCount: Int
    /// The number of the object that is the list.
    public let top: Int

    let windows: Windows
    let table: Int64
    private let offsetWidth: Int
    private let referenceWidth: Int

    public var source: any ByteSource { windows.source }

    public init(_ source: any ByteSource, limits: PropertyListLimits = .standard) throws(PropertyListFault) {
        let windows = Windows(source, most: limits.windowCount)
        let size = windows.byteCount
        guard size >= Self.headerLength else { throw .foreign("It is too short for a binary property list.") }
        guard size >= Self.headerLength + Self.trailerLength + 2 else {
            guard try windows.equal(at: 0, Self.header.utf8) else { throw .foreign("It is no binary property list.") }
            throw .damaged("It is cut off.")
        }
        let trailer = size - Self.trailerLength
        // Turns to the end before the beginning: the header may then already lie in the same window.
        let sizes = try windows.unsigned(at: trailer, width: 8)
        guard try windows.equal(at: 0, Self.header.utf8) else { throw .foreign("It is no binary property list.") }
        let count = try windows.unsigned(at: trailer + 8, width: 8)
        let top = try windows.unsigned(at: trailer + 16, width: 8)
        let table = try windows.unsigned(at: trailer + 24, width: 8)
        offsetWidth = Int(sizes >> 8 & 0xFF)
        referenceWidth = Int(sizes & 0xFF)

        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
            throw .damaged("Its trailer names an impossible width.")
        }
        guard count >= 1, top < count, let table = Int64(exactly: table), table > Self.headerLength, table <= trailer else {
            throw .damaged("Its trailer does not fit the file.")
        }
        let (tableLength, overflow) = count.multipliedReportingOverflow(by: UInt64(offsetWidth))
        guard !overflow, tableLength == UInt64(trailer - table) else {
            throw .damaged("Its offset table does not fill the place between the objects and the trailer.")
        }
        guard count <= limits.objectCount else {
            throw .excessive("It has \(count) objects, more than \(limits.objectCount).")
        }
        guard referenceWidth == 8 || count < 1 << UInt64(8 * referenceWidth) else {
            throw .damaged("Its references are too narrow for its objects.")
        }
        self.windows = windows
        self.limits = limits
        self.table = table
        self.objectCount = Int(count)
        self.top = Int(top)
    }

    /// The object with this number.
    public func object(at index: Int) throws(PropertyListFault) -> BinaryObject {
        guard index >= 0, index < objectCount else { throw .damaged("It refers to an object that it does not have.") }
        let raw = try windows.unsigned(at: table + Int64(index) * Int64(offsetWidth), width: offsetWidth)
        guard let offset = Int64(exactly: raw), offset >= Self.headerLength, offset < table else {
            throw .damaged("An object lies outside of the objects.")
        }
        let marker = UInt8(try windows.unsigned(at: offset, width: 1))
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x0: return .null
            case 0x8: return .boolean(false)
            case 0x9: return .boolean(true)
            default: throw unknown(marker)
            }
        case 0x1:
            return .integer(try integer(marker, at: offset).value)
        case 0x2 where low == 2:
            return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try scalar(at: offset, width: 4))))
        case 0x2 where low == 3:
            return .real(Double(bitPattern: try scalar(at: offset, width: 8)))
        case 0x3 where low == 3:
            return .date(Double(bitPattern: try scalar(at: offset, width: 8)))
        case 0x4:
            let (start, count) = try counted(low, at: offset)
            return .data(try range(start, count, width: 1))
        case 0x5:
            let (start, count) = try counted(low, at: offset)
            return .string(EncodedText(range: try range(start, count, width: 1), isWide: false))
        case 0x6:
            let (start, count) = try counted(low, at: offset)
            return .string(EncodedText(range: try range(start, count, width: 2), isWide: true))
        case 0x8:
            guard low < 8 else { throw .damaged("A UID is wider than 8 bytes.") }
            return .uid(try scalar(at: offset, width: low + 1))
        case 0xA, 0xC:
            let (start, count) = try counted(low, at: offset)
            let references = try references(start, count, rows: 1)
            return marker >> 4 == 0xA ? .array(references) : .set(references)
        case 0xD:
            let (start, count) = try counted(low, at: offset)
            let keys = try references(start, count, rows: 2)
            return .dictionary(keys: keys, values: References(offset: keys.offset + Int64(count) * Int64(referenceWidth), count: keys.count))
        default:
            throw unknown(marker)
        }
    }

    /// The number at a place in a row of references.
    public func reference(_ position: Int, of row: References) throws(PropertyListFault) -> Int {
        guard position >= 0, position < row.count else { throw .damaged("It refers to an object that it does not have.") }
        let raw = try windows.unsigned(at: row.offset + Int64(position) * Int64(referenceWidth), width: referenceWidth)
        guard raw < UInt64(objectCount) else { throw .damaged("It refers to an object that it does not have.") }
        return Int(raw)
    }

    /// A few bytes of the source. Mostly they were read with what is around them.
    public func few(at offset: Int64, count: Int) throws(SourceFailure) -> [UInt8] {
        if let held = windows.held(at: offset, count: count) { return held }
        return try source.bytes(at: offset, count: count)
    }

    // MARK: Parts of an object

    private func unknown(_ marker: UInt8) -> PropertyListFault {
        .damaged("An object begins with the unknown byte \(marker).")
    }

    private func scalar(at offset: Int64, width: Int) throws(PropertyListFault) -> UInt64 {
        guard Int64(width) < table - offset else { throw .damaged("An object reaches into the offset table.") }
        return try windows.unsigned(at: offset + 1, width: width)
    }

    /// An integer object, and where it ends. One, two and four bytes are unsigned, eight and sixteen signed.
    private func integer(_ marker: UInt8, at offset: Int64) throws(PropertyListFault) -> (value: Int128, end: Int64) {
        let low = Int(marker & 0x0F)
        guard low <= 4 else { throw unknown(marker) }
        let width = 1 << low
        guard Int64(width) < table - offset else { throw .damaged("A number reaches into the offset table.") }
        let end = offset + 1 + Int64(width)
        let high = try windows.unsigned(at: offset + 1, width: min(width, 8))
        switch width {
        case 16: return (Int128(Int64(bitPattern: high)) << 64 | Int128(try windows.unsigned(at: offset + 9, width: 8)), end)
        case 8: return (Int128(Int64(bitPattern: high)), end)
        default: return (Int128(high), end)
        }
    }

    /// Where the payload of a counted object starts, and its count; an integer object carries counts over 14,
    /// and need not be as small as it could be: `4F 13` is how an image-first file begins.
    private func counted(_ low: Int, at offset: Int64) throws(PropertyListFault) -> (start: Int64, count: Int64) {
        if low != 0xF { return (offset + 1, Int64(low)) }
        guard offset + 1 < table else { throw .damaged("A count reaches into the offset table.") }
        let marker = UInt8(try windows.unsigned(at: offset + 1, width: 1))
        guard marker >> 4 == 1 else { throw .damaged("A count is no number.") }
        let (value, end) = try integer(marker, at: offset + 1)
        guard let count = Int64(exactly: value), count >= 0 else { throw .damaged("A count is impossible.") }
        return (end, count)
    }

    private func range(_ start: Int64, _ count: Int64, width: Int64) throws(PropertyListFault) -> ByteRange {
        let (length, overflow) = count.multipliedReportingOverflow(by: width)
        guard !overflow, length <= table - start else { throw .damaged("An object is said to be longer than the file.") }
        return ByteRange(offset: start, length: length)
    }

    private func references(_ start: Int64, _ count: Int64, rows: Int64) throws(PropertyListFault) -> References {
        // The width cannot overflow: it is 16 at most, and `range` reports the product.
        let range = try range(start, count, width: rows * Int64(referenceWidth))
        return References(offset: range.offset, count: Int(count))
    }
}
