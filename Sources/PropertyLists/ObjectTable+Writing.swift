/// From objects to bytes: `bplist00`, the caller's content at byte 18 should there be any (FORMATS 4),
/// the other objects, the offset table, the trailer.
extension ObjectTable {
    /// Where placed content begins.
    public static let placedOffset = 18

    /// What stands before and after `length` bytes of placed content. Good for any length:
    /// the widths follow from it.
    public func written(around length: Int64) throws(PropertyListFault) -> (head: [UInt8], tail: [UInt8]) {
        var head = Array("bplist00".utf8)
        head += [0x4F, 0x13]
        head.append(number: UInt64(clamping: length), width: 8)
        return (head, try tail(after: Int64(head.count) + max(0, length), placedAt: 8))
    }

    /// The whole list, when nothing is placed.
    public func written() throws(PropertyListFault) -> [UInt8] {
        try Array("bplist00".utf8) + tail(after: 8, placedAt: nil)
    }

    private func tail(after start: Int64, placedAt placed: Int64?) throws(PropertyListFault) -> [UInt8] {
        var order = reachable()
        if placed != nil {
            // Last by its number, first in the file.
            guard let position = order.firstIndex(where: { objects[$0] == .data(.placed) }) else {
                throw .damaged("Nothing refers to the content.")
            }
            order.append(order.remove(at: position))
        }
        guard order.count <= limits.objectCount else { throw .excessive("It would have \(order.count) objects.") }
        var numbers = [Int](repeating: 0, count: objects.count)
        for (new, old) in order.enumerated() { numbers[old] = new }

        var writing = Writing(numbers: numbers, referenceWidth: Self.width(UInt64(order.count)))
        var memory = Budget(limits.memory)
        var offsets: [Int64] = []
        offsets.reserveCapacity(order.count)
        for number in order {
            if objects[number] == .data(.placed), let placed {
                offsets.append(placed)
                continue
            }
            offsets.append(start + Int64(writing.bytes.count))
            switch objects[number] {
            case .data(let content): try writing.append(try bytes(of: content, &memory))
            case let object: writing.append(object)
            }
        }
        return writing.finished(offsets, start: start)
    }

    private func bytes(of content: DataContent, _ memory: inout Budget) throws(PropertyListFault) -> [UInt8] {
        switch content {
        case .bytes(let bytes):
            return bytes
        case .kept(let range):
            guard let source else { return [] }
            try memory.take(range.length, times: 1)
            do throws(SourceFailure) {
                return try source.bytes(at: range.offset, count: Int(range.length))
            } catch { throw .unreadable(error) }
        case .placed:
            throw .damaged("Two objects are the content.")
        }
    }

    /// The narrowest usual width for numbers below `bound`.
    static func width(_ bound: UInt64) -> Int {
        switch bound {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

/// The bytes of the objects so far.
private struct Writing {
    let numbers: [Int]
    let referenceWidth: Int
    var bytes: [UInt8] = []

    mutating func append(_ data: [UInt8]) throws(PropertyListFault) {
        mark(0x40, count: data.count)
        bytes += data
    }

    mutating func append(_ object: ObjectTable.Object) {
        switch object {
        case .null: bytes.append(0x00)
        case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let value): append(value)
        case .float(let value):
            bytes.append(0x22)
            bytes.append(number: UInt64(value.bitPattern), width: 4)
        case .real(let value):
            bytes.append(0x23)
            bytes.append(number: value.bitPattern, width: 8)
        case .date(let value):
            bytes.append(0x33)
            bytes.append(number: value.bitPattern, width: 8)
        case .uid(let value):
            let width = ObjectTable.width(value)
            bytes.append(0x80 | UInt8(width - 1))
            bytes.append(number: value, width: width)
        case .ascii(let text):
            mark(0x50, count: text.count)
            bytes += text
        case .utf16(let text):
            mark(0x60, count: text.count / 2)
            bytes += text
        case .array(let row):
            mark(0xA0, count: row.count)
            refer(row)
        case .set(let row):
            mark(0xC0, count: row.count)
            refer(row)
        case .dictionary(let keys, let values):
            mark(0xD0, count: keys.count)
            refer(keys)
            refer(values)
        case .data:
            break
        }
    }

    private mutating func append(_ value: Int128) {
        if value >= 0, value <= 0xFFFF_FFFF {
            let width = ObjectTable.width(UInt64(value))
            bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
            bytes.append(number: UInt64(value), width: width)
        } else if let value = Int64(exactly: value) {
            bytes.append(0x13)
            bytes.append(number: UInt64(bitPattern: value), width: 8)
        } else {
            bytes.append(0x14)
            bytes.append(number: UInt64(truncatingIfNeeded: value >> 64), width: 8)
            bytes.append(number: UInt64(truncatingIfNeeded: value), width: 8)
        }
    }

    private mutating func mark(_ kind: UInt8, count: Int) {
        if count < 15 {
            bytes.append(kind | UInt8(count))
        } else {
            bytes.append(kind | 0x0F)
            append(Int128(count))
        }
    }

    private mutating func refer(_ row: [Int]) {
        for number in row { bytes.append(number: numbers.indices.contains(number) ? UInt64(numbers[number]) : 0, width: referenceWidth) }
    }

    mutating func finished(_ offsets: [Int64], start: Int64) -> [UInt8] {
        let table = start + Int64(bytes.count)
        let offsetWidth = ObjectTable.width(UInt64(table))
        for offset in offsets { bytes.append(number: UInt64(offset), width: offsetWidth) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
        bytes.append(number: UInt64(offsets.count), width: 8)
        bytes.append(number: 0, width: 8)
        bytes.append(number: UInt64(table), width: 8)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: UInt64, width: Int) {
        for shift in stride(from: (width - 1) * 8, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }
}
