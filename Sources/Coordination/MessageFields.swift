import Containers
import LinuxFiles

/// A message as it is written.
struct MessageBytes {
    private var bytes: [UInt8]

    init(_ kind: UInt8) { bytes = [0, 0, 0, 0, kind] }

    /// Both sides say it alike.
    static func hello(_ version: UInt16) -> [UInt8] {
        var message = MessageBytes(1)
        message.add(CoordinationProtocol.magic)
        message.add(version)
        return message.finished
    }

    mutating func add(_ number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// 0 where nothing went wrong.
    mutating func add(outcome errno: Errno?) { add(UInt32(bitPattern: errno?.rawValue ?? 0)) }

    mutating func add(text: [UInt8]) {
        add(UInt16(text.count))
        bytes += text
    }

    mutating func add(claim id: UInt32, _ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?) {
        add(id)
        add(UInt8((throughDrive ? 1 : 0) | (presenter == nil ? 0 : 2)))
        if let presenter { add(presenter) }
        add(UInt8(items.count))
        for item in items {
            add(item.purpose.rawValue)
            add(text: item.path.bytes)
        }
    }

    var finished: [UInt8] {
        var whole = bytes
        for index in 0..<4 { whole[index] = UInt8(truncatingIfNeeded: (bytes.count - 4) >> (8 * index)) }
        return whole
    }
}

/// A message as it is read. Nothing of it is trusted.
struct MessageFields {
    private var rest: ArraySlice<UInt8>

    init(_ message: ArraySlice<UInt8>) { rest = message }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    struct Claim {
        let id: UInt32, items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?
    }

    mutating func claim() -> Claim? {
        guard let id = number() as UInt32?, let flags = byte(), flags < 4,
            let presenter = flags & 2 == 0 ? 0 : number() as UInt64?,
            let count = byte(), (1...CoordinationProtocol.mostItems).contains(Int(count))
        else { return nil }
        var items: [ClaimedItem] = []
        for _ in 0..<count {
            guard let purpose = byte().flatMap(ClaimPurpose.init), let path = path() else { return nil }
            items.append(ClaimedItem(path, purpose))
        }
        return Claim(id: id, items: items, throughDrive: flags & 1 != 0, presenter: flags & 2 == 0 ? nil : presenter)
    }

    /// What went wrong, if anything did.
    struct Outcome {
        let fault: Errno?
    }

    mutating func outcome() -> Outcome? {
        (number() as UInt32?).map { Outcome(fault: $0 == 0 ? nil : Errno(rawValue: Int32(bitPattern: $0))) }
    }

    /// Its name, and what it was begun from, or nothing.
    mutating func stagedItem() -> StagedItem? {
        guard let name = text().flatMap({ Name($0) }), let base = text() else { return nil }
        let stamp = BaseStamp(text: String(decoding: base, as: UTF8.self))
        return base.isEmpty || stamp != nil ? StagedItem(name: name, base: stamp) : nil
    }

    /// An absolute path.
    mutating func place() -> String? {
        guard let text = text(), text.count <= ItemPath.longest, text.first == UInt8(ascii: "/"), !text.contains(0)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    mutating func path() -> ItemPath? { text().flatMap(ItemPath.init(bytes:)) }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        let width = Number.bitWidth / 8
        guard rest.count >= width else { return nil }
        var number: Number = 0
        for byte in rest.prefix(width).reversed() { number = number << 8 | Number(truncatingIfNeeded: byte) }
        rest = rest.dropFirst(width)
        return number
    }

    /// The version that the other side speaks.
    mutating func hello() -> UInt16? { number() as UInt32? == CoordinationProtocol.magic ? number() : nil }

    mutating func text() -> ArraySlice<UInt8>? {
        guard let count = number() as UInt16?, rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
