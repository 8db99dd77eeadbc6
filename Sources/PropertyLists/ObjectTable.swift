/// The objects of a property list as they are written: a table in which references are places.
///
/// What is taken over from a file is kept as its bytes, so that nothing is lost that the reader does not understand.
public struct ObjectTable: Sendable {
    public enum Object: Hashable, Sendable {
        /// An object without references, as its bytes, marker included.
        case bytes([UInt8])
        case array([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
        /// Data that is not in memory: it lies first in the file. One at most.
        case placed(count: Int64)
    }

    public private(set) var objects: [Object] = []
    public var top = 0

    public init() {}

    /// More than this is not rewritten in memory.
    private static let mostBytes: Int64 = 64 << 20
    private static let mostReferences = 4 << 20

    /// All objects of a file. Data of which `leavingOut` says so is not read: it is to be replaced.
    public init(_ list: BinaryPropertyList, _ source: any ByteSource, leavingOut: Int? = nil) throws(PropertyListFault) {
        var total: Int64 = 0
        var references = 0
        for index in 0..<list.objectCount {
            if let range = try list.range(of: index) {
                guard index != leavingOut else {
                    objects.append(.bytes([0x40]))
                    continue
                }
                total += range.upperBound - range.lowerBound
                guard total <= Self.mostBytes else { throw .tooLarge("it holds too much besides its content to be rewritten") }
                do throws(SourceFailure) {
                    objects.append(.bytes(try source.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))))
                } catch { throw .unreadable(error.errno) }
                continue
            }
            switch try list.object(index) {
            case .array(let items):
                references += items.count
                objects.append(.array(items))
            case .set(let items):
                references += items.count
                objects.append(.set(items))
            case .dictionary(let keys, let values):
                references += 2 * keys.count
                objects.append(.dictionary(keys: keys, values: values))
            default: throw .damaged("an object has no length")
            }
            guard references <= Self.mostReferences else { throw .tooLarge("its collections have too many entries to be rewritten") }
        }
        top = list.top
    }

    public mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    public mutating func replace(_ index: Int, by object: Object) { objects[index] = object }

    // MARK: Values

    public mutating func add(string: String) -> Int {
        let units = Array(string.utf16)
        if units.allSatisfy({ $0 < 0x80 }) { return add(.bytes(Self.marker(0x50, units.count) + units.map { UInt8($0) })) }
        return add(.bytes(Self.marker(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
    }

    public mutating func add(data: [UInt8]) -> Int { add(.bytes(Self.marker(0x40, data.count) + data)) }

    public mutating func add(integer: Int64) -> Int { add(.bytes(Self.integer(integer))) }

    public mutating func add(uid: UInt64) -> Int {
        let bytes = Self.bigEndian(uid, size: uid < 1 << 8 ? 1 : uid < 1 << 16 ? 2 : uid < 1 << 32 ? 4 : 8)
        return add(.bytes([0x80 | UInt8(bytes.count - 1)] + bytes))
    }

    static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
    }

    private static func integer(_ value: Int64) -> [UInt8] {
        switch value {
        case 0..<(1 << 8): [0x10, UInt8(value)]
        case (1 << 8)..<(1 << 16): [0x11] + bigEndian(UInt64(value), size: 2)
        case (1 << 16)..<(1 << 32): [0x12] + bigEndian(UInt64(value), size: 4)
        default: [0x13] + bigEndian(UInt64(bitPattern: value), size: 8)
        }
    }

    static func bigEndian(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    // MARK: Writing

    /// The whole file, of a table without placed data.
    public func bytes() -> [UInt8] {
        let (head, tail) = written()
        return head + tail
    }

    /// The bytes before and after the placed data. Its length is written in eight bytes whatever it is,
    /// so that the data begins at byte 18 and can be written there before its length is known.
    public func written() -> (head: [UInt8], tail: [UInt8]) {
        let kept = reachable()
        var numbers = [Int](repeating: 0, count: objects.count)
        for (number, index) in kept.enumerated() { numbers[index] = number }
        let referenceSize = kept.count <= 1 << 8 ? 1 : kept.count <= 1 << 16 ? 2 : 4

        var head = Array("bplist00".utf8)
        var tail: [UInt8] = []
        var tailStart = UInt64(head.count)
        var offsets = [UInt64](repeating: 0, count: kept.count)
        for index in kept {
            guard case .placed(let count) = objects[index] else { continue }
            offsets[numbers[index]] = 8
            head += [0x4F, 0x13] + Self.bigEndian(UInt64(count), size: 8)
            tailStart = UInt64(head.count) + UInt64(count)
        }
        func append(_ kind: UInt8, _ count: Int, _ references: [Int]) {
            tail += Self.marker(kind, count)
            for reference in references { tail += Self.bigEndian(UInt64(numbers[reference]), size: referenceSize) }
        }
        for index in kept {
            if case .placed = objects[index] { continue }
            offsets[numbers[index]] = tailStart + UInt64(tail.count)
            switch objects[index] {
            case .bytes(let bytes): tail += bytes
            case .array(let items): append(0xA0, items.count, items)
            case .set(let items): append(0xC0, items.count, items)
            case .dictionary(let keys, let values): append(0xD0, keys.count, keys + values)
            case .placed: break
            }
        }
        let tableStart = tailStart + UInt64(tail.count)
        let offsetSize = tableStart < 1 << 8 ? 1 : tableStart < 1 << 16 ? 2 : tableStart < 1 << 32 ? 4 : 8
        for offset in offsets { tail += Self.bigEndian(offset, size: offsetSize) }
        tail += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [UInt64(kept.count), UInt64(numbers[top]), tableStart] { tail += Self.bigEndian(number, size: 8) }
        return (head, tail)
    }

    /// The objects that something leads to, in their order. What became of no use by a change is left behind.
    private func reachable() -> [Int] {
        var seen = [Bool](repeating: false, count: objects.count)
        var waiting = [top]
        seen[top] = true
        while let index = waiting.popLast() {
            let references: [Int] =
                switch objects[index] {
                case .array(let items), .set(let items): items
                case .dictionary(let keys, let values): keys + values
                default: []
                }
            for reference in references where !seen[reference] {
                seen[reference] = true
                waiting.append(reference)
            }
        }
        return objects.indices.filter { seen[$0] }
    }
}
