/// What an attribute of an item is, or what a predicate compares it with.
///
/// Texts are bytes, because names are: those that are no UTF-8 are compared as they are.
public enum Value: Hashable, Sendable {
    /// The item has no such attribute, or a predicate says `nil`.
    case missing
    case text([UInt8])
    case number(Double)
    case date(Moment)
    case flag(Bool)

    public static func text(_ text: String) -> Value { .text(Array(text.utf8)) }
}

/// Nanoseconds since 1970, as file systems keep them: the years 1678 to 2262.
public struct Moment: Hashable, Comparable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Those outside of what it can hold are the first or the last.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverToo) = whole.addingReportingOverflow(nanoseconds)
        self.nanoseconds = isOver || isOverToo ? (seconds < 0 ? .min : .max) : sum
    }

    public static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    /// So much later, or earlier.
    func advanced(by nanoseconds: Int64) -> Moment {
        let (sum, isOver) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Moment(nanoseconds: isOver ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}
