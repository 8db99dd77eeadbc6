import LinuxFiles

/// What a device is called in a share: drawn at random, and another one when two turn out to have the same. Its folder there is called after it, and
/// nobody else writes in that.
public struct ShareDevice: Hashable, Comparable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }

    private static let start = Array("d-".utf8)

    /// Nil where a folder of this name is no device's.
    init?(folder name: Name) {
        guard name.bytes.starts(with: Self.start), let number = Hexadecimal.number(name.bytes[Self.start.count...]) else { return nil }
        self.init(number)
    }

    /// Nil never: it is digits.
    var folder: Name? { Name(Self.start + Hexadecimal.digits(of: number)) }

    public static func < (left: ShareDevice, right: ShareDevice) -> Bool { left.number < right.number }
}

extension ShareDevice: CustomStringConvertible {
    public var description: String { String(decoding: Self.start + Hexadecimal.digits(of: number), as: UTF8.self) }
}

/// Numbers as they stand in names: lower-case digits, all of them.
enum Hexadecimal {
    static func digits(of number: UInt64) -> [UInt8] {
        let digits = String(number, radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8)
    }

    /// Of 16 digits; nil for anything else.
    static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard digits.count == 16 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard let value = value(digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    /// Of twice as many digits as bytes.
    static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = [], high: UInt8?
        for digit in digits {
            guard let value = value(digit) else { return nil }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
