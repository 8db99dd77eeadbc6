/// A property list as a test spells it out: any form that the format allows, wanted or not.
public indirect enum Plist: Sendable {
    case text(String), utf16(String), integer(Int64), real(Double), boolean(Bool), data([UInt8]), uid(UInt64)
    case array([Plist]), set([Plist]), dictionary([(Plist, Plist)])
    /// Data and text whose length takes eight bytes though one would do: `4F 13`, `5F 13`.
    case longData([UInt8]), longText(String)
    /// An object as its bytes.
    case raw([UInt8])
    /// One object, however many places name it. The first place says what it is; the others may be inside it.
    case shared(String, Plist)
    case again(String)
}

extension Plist: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
}

/// Writes what tests spell out, without the code that is tested.
public struct HandMade {
    private struct Object {
        var head: [UInt8]
        var references: [Int] = []
    }

    private var objects: [Object] = []
    private var named: [String: Int] = [:]

    public static func bytes(
        _ top: Plist, unreferenced: [Plist] = [], referenceSize: Int = 1, offsetSize: Int = 2, topIsLast: Bool = false
    ) -> [UInt8] {
        var maker = HandMade()
        if topIsLast { for plist in unreferenced { _ = maker.add(plist) } }
        let topIndex = maker.add(top)
        if !topIsLast { for plist in unreferenced { _ = maker.add(plist) } }
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in maker.objects {
            offsets.append(bytes.count)
            bytes += object.head
            for reference in object.references { bytes += big(UInt64(reference), referenceSize) }
        }
        let table = bytes.count
        for offset in offsets { bytes += big(UInt64(offset), offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        return bytes + big(UInt64(offsets.count), 8) + big(UInt64(topIndex), 8) + big(UInt64(table), 8)
    }

    /// A keyed archive. Apps write its four entries in two orders.
    public static func archive(
        _ top: [(String, UInt64)], _ objects: [Plist], versionFirst: Bool = true, extra: [(Plist, Plist)] = []
    ) -> Plist {
        let first: [(Plist, Plist)] = [("$version", 100_000), ("$archiver", "NSKeyedArchiver")]
        let last: [(Plist, Plist)] = [("$top", .dictionary(top.map { (.text($0.0), .uid($0.1)) })), ("$objects", .array(["$null"] + objects))]
        return .dictionary((versionFirst ? first + last : last + first.reversed()) + extra)
    }

    /// The object that says what class others are of.
    public static func aClass(_ name: String, above: [String]? = ["NSObject"]) -> Plist {
        var entries: [(Plist, Plist)] = [("$classname", .text(name))]
        if let above { entries.append(("$classes", .array(([name] + above).map { .text($0) }))) }
        return .dictionary(entries)
    }

    public static func big(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 > 7 ? 0 : UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    private mutating func add(_ plist: Plist) -> Int {
        if case .again(let name) = plist { return named[name] ?? 0 }
        let index = objects.count
        objects.append(Object(head: []))
        var content = plist
        if case .shared(let name, let inner) = plist {
            named[name] = index
            content = inner
        }
        objects[index] = object(content)
        return index
    }

    private mutating func object(_ plist: Plist) -> Object {
        switch plist {
        case .text(let text): return Object(head: Self.counted(0x50, text.utf8.count) + Array(text.utf8))
        case .longText(let text): return Object(head: [0x5F, 0x13] + Self.big(UInt64(text.utf8.count), 8) + Array(text.utf8))
        case .utf16(let text): return Object(head: Self.counted(0x60, text.utf16.count) + text.utf16.flatMap { Self.big(UInt64($0), 2) })
        case .integer(let number) where number >= 0 && number < 256: return Object(head: [0x10, UInt8(number)])
        case .integer(let number): return Object(head: [0x13] + Self.big(UInt64(bitPattern: number), 8))
        case .real(let number): return Object(head: [0x23] + Self.big(number.bitPattern, 8))
        case .boolean(let value): return Object(head: [value ? 0x09 : 0x08])
        case .data(let bytes): return Object(head: Self.counted(0x40, bytes.count) + bytes)
        case .longData(let bytes): return Object(head: [0x4F, 0x13] + Self.big(UInt64(bytes.count), 8) + bytes)
        case .uid(let number): return Object(head: number < 256 ? [0x80, UInt8(number)] : [0x87] + Self.big(number, 8))
        case .raw(let bytes): return Object(head: bytes)
        case .array(let items): return Object(head: Self.counted(0xA0, items.count), references: items.map { add($0) })
        case .set(let items): return Object(head: Self.counted(0xC0, items.count), references: items.map { add($0) })
        case .dictionary(let entries):
            let keys = entries.map { add($0.0) }
            return Object(head: Self.counted(0xD0, entries.count), references: keys + entries.map { add($0.1) })
        case .shared(_, let inner): return object(inner)
        case .again: return Object(head: [0])
        }
    }

    private static func counted(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + big(UInt64(count), 4)
    }
}
