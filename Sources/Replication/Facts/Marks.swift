/// 16 bytes, drawn at random: so many that two that were drawn apart are never alike.
public struct Mark: Hashable, Comparable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public static let count = 16

    public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    public static func drawn(with numbers: inout some RandomNumberGenerator) -> Mark { Mark(high: numbers.next(), low: numbers.next()) }

    public static func < (left: Mark, right: Mark) -> Bool { left.high == right.high ? left.low < right.low : left.high < right.high }
}

/// What a fact is called, for ever.
public struct FactID: Hashable, Comparable, Sendable {
    public let mark: Mark
    public init(_ mark: Mark) { self.mark = mark }
    public static func < (left: FactID, right: FactID) -> Bool { left.mark < right.mark }
}

/// A document, plain file, folder or symbolic link, for life.
public struct ItemID: Hashable, Comparable, Sendable {
    public let mark: Mark
    public init(_ mark: Mark) { self.mark = mark }
    public static func < (left: ItemID, right: ItemID) -> Bool { left.mark < right.mark }
}

/// One computer's replica of a container.
public struct DeviceID: Hashable, Comparable, Sendable {
    public let mark: Mark
    public init(_ mark: Mark) { self.mark = mark }
    public static func < (left: DeviceID, right: DeviceID) -> Bool { left.mark < right.mark }

    /// Of facts that follow from others, so that whoever says them says the same.
    public static let none = DeviceID(Mark(high: 0, low: 0))
}

extension Mark: CustomStringConvertible {
    public var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
extension FactID: CustomStringConvertible { public var description: String { mark.description } }
extension ItemID: CustomStringConvertible { public var description: String { mark.description } }
extension DeviceID: CustomStringConvertible { public var description: String { mark.description } }
