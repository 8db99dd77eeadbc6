/// The objects of a binary property list, flat and editable: an object refers to others by their number here.
///
/// Flat, because it must hold whatever a file may hold: shared objects, cycles, texts that are no valid
/// Unicode, kinds of objects that nobody above knows. Copying walks numbers and cannot run in circles.
/// Nothing is ever changed in place that others may share; `write` takes what the top still reaches.
public struct ObjectTable: Sendable {
    public enum Object: Hashable, Sendable {
        case null
        case boolean(Bool)
        case integer(Int128)
        case float(Float)
        case real(Double)
        case date(Double)
        case uid(UInt64)
        case ascii([UInt8])
        /// Big-endian, as it is in the file: it may hold half a surrogate pair.
        case utf16([UInt8])
        case data(DataContent)
        case array([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    /// The bytes of a data object.
    public enum DataContent: Hashable, Sendable {
        case bytes([UInt8])
        /// Still in the file that the table was copied from; read when it is written, if it then is.
        case kept(ByteRange)
        /// The caller's content, which is never in memory.
        case placed
    }

    public private(set) var objects: [Object] = []
    public var top = 0
    let source: (any ByteSource)?
    let limits: PropertyListLimits
    private var texts: [Object: Int] = [:]

    public init(limits: PropertyListLimits = .standard) {
        source = nil
        self.limits = limits
    }

    /// Copies what the top reaches. Data stays where it is until it is written.
    public init(copying list: BinaryPropertyList) throws(PropertyListFault) {
        let list = try BinaryPropertyList(list.source, limits: list.limits.readingAll)
        source = list.source
        limits = list.limits
        var memory = Budget(list.limits.memory)
        var numbers = [Int32](repeating: -1, count: list.objectCount)
        var found = [list.top]
        numbers[list.top] = 0

        func number(_ row: References) throws(PropertyListFault) -> [Int] {
            // Rows of different objects may overlap in the file, so that each must be paid for.
            try memory.take(row.count, times: 8)
            var result: [Int] = []
            result.reserveCapacity(row.count)
            for position in 0..<row.count {
                let index = try list.reference(position, of: row)
                if numbers[index] < 0 {
                    numbers[index] = Int32(found.count)
                    found.append(index)
                }
                result.append(Int(numbers[index]))
            }
            return result
        }

        var next = 0
        while next < found.count {
            let object: Object
            switch try list.object(at: found[next]) {
            case .null: object = .null
            case .boolean(let value): object = .boolean(value)
            case .integer(let value): object = .integer(value)
            case .float(let value): object = .float(value)
            case .real(let value): object = .real(value)
            case .date(let value): object = .date(value)
            case .uid(let value): object = .uid(value)
            case .data(let range): object = .data(.kept(range))
            case .string(let text):
                try memory.take(text.range.length, times: 1)
                let bytes = try list.rawText(text)
                object = text.isWide ? .utf16(bytes) : .ascii(bytes)
            case .array(let row): object = .array(try number(row))
            case .set(let row): object = .set(try number(row))
            case .dictionary(let keys, let values): object = .dictionary(keys: try number(keys), values: try number(values))
            }
            objects.append(object)
            next += 1
        }
    }

    public mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    /// The number of a string; one that was added before is shared, as the published writer shares them.
    public mutating func add(_ text: String) -> Int {
        let object = Self.object(text)
        if let number = texts[object] { return number }
        let number = add(object)
        texts[object] = number
        return number
    }

    /// Puts another object under a number. For collections that only one other object can be referring to.
    public mutating func replace(_ number: Int, with object: Object) {
        guard objects.indices.contains(number) else { return }
        objects[number] = object
    }

    public subscript(_ number: Int) -> Object? {
        objects.indices.contains(number) ? objects[number] : nil
    }

    /// The string under a number; nil for any other object.
    public func text(_ number: Int) -> String? {
        switch self[number] {
        case .ascii(let bytes): String(decoding: bytes, as: UTF8.self)
        case .utf16(let bytes): String(decoding: Array(UTF16Units(bytes: bytes, isLittleEndian: false)), as: UTF16.self)
        default: nil
        }
    }

    /// Whether the object under a number is this string, byte for byte.
    public func isText(_ number: Int, _ wanted: String) -> Bool {
        switch self[number] {
        case .ascii(let bytes): bytes.count == wanted.utf8.count && bytes.elementsEqual(wanted.utf8)
        case .utf16: text(number).map { $0.utf8.elementsEqual(wanted.utf8) } ?? false
        default: false
        }
    }

    /// The numbers that the top reaches, breadth first, the top first.
    public func reachable() -> [Int] {
        var seen = [Bool](repeating: false, count: objects.count)
        var order: [Int] = []
        func visit(_ number: Int) {
            guard seen.indices.contains(number), !seen[number] else { return }
            seen[number] = true
            order.append(number)
        }
        visit(top)
        var next = 0
        while next < order.count {
            switch objects[order[next]] {
            case .array(let row), .set(let row): row.forEach(visit)
            case .dictionary(let keys, let values):
                keys.forEach(visit)
                values.forEach(visit)
            default: break
            }
            next += 1
        }
        return order
    }

    private static func object(_ text: String) -> Object {
        let bytes = Array(text.utf8)
        if bytes.allSatisfy({ $0 < 0x80 }) { return .ascii(bytes) }
        var wide: [UInt8] = []
        wide.reserveCapacity(bytes.count * 2)
        for unit in text.utf16 {
            wide.append(UInt8(unit >> 8))
            wide.append(UInt8(unit & 0xFF))
        }
        return .utf16(wide)
    }
}

/// What may still be taken into memory.
struct Budget {
    private var left: Int64

    init(_ bytes: Int) { left = Int64(bytes) }

    mutating func take<Count: BinaryInteger>(_ count: Count, times width: Int64) throws(PropertyListFault) {
        let (bytes, overflow) = Int64(clamping: count).multipliedReportingOverflow(by: width)
        guard !overflow, bytes <= left else { throw .excessive("It would take more memory than a document may.") }
        left -= bytes
    }
}
