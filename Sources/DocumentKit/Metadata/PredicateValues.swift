import Foundation
import Predicates

/// Foundation's values as those that predicates compare, there and back.
enum PredicateValues {
    /// nil for what a predicate has no value for.
    static func value(_ any: Any) -> Value? {
        switch any {
        case let text as String: .text(text)
        case is NSNull: .missing
        case let date as Date: .date(moment(date))
        case let url as URL: .text(MetadataURL.text(of: url))
        case let number as NSNumber: value(number)
        case let flag as Bool: .flag(flag)
        case let number as any BinaryInteger: .number(Double(number))
        case let number as any BinaryFloatingPoint: .number(Double(number))
        default: nil
        }
    }

    private static func value(_ number: NSNumber) -> Value {
        if case .boolean(let flag) = FoundationObject.number(number) { return .flag(flag) }
        return .number(number.doubleValue)
    }

    static func argument(_ any: Any) -> PredicateArgument? {
        let elements = any as? [Any] ?? (any as? NSSet)?.allObjects ?? (any as? Set<AnyHashable>)?.map(\.base)
        guard let elements else { return value(any).map { .value($0) } }
        let values = elements.compactMap(value)
        return values.count == elements.count ? .list(values) : nil
    }

    /// Times that nobody has stand at the ends of what there is.
    static func moment(_ date: Date) -> Moment {
        let whole = date.timeIntervalSince1970.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return Moment(seconds: whole < 0 ? .min : .max) }
        return Moment(seconds: seconds, nanoseconds: Int64(((date.timeIntervalSince1970 - whole) * 1e9).rounded(.down)))
    }

    static func date(_ moment: Moment) -> Date { Date(timeIntervalSince1970: Double(moment.nanoseconds) / 1e9) }
}
