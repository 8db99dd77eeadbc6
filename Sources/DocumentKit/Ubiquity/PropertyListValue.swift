import Foundation
import PropertyLists

/// Property lists as Foundation's values, there and back.
enum PropertyListValue {
    private static let deepest = 64

    /// nil for what is no property list.
    static func list(_ value: Any, depth: Int = 0) -> PropertyList? {
        guard depth < deepest else { return nil }
        if let text = value as? String { return .string(text) }
        if let data = Data(value: value) { return .data([UInt8](data)) }
        if let date = value as? Date { return .date(date.timeIntervalSinceReferenceDate) }
        if let number = value as AnyObject as? NSNumber {
            switch FoundationObject.number(number) {
            case .boolean(let value): return .boolean(value)
            case .integer(let value): return .integer(value)
            case .real(let value): return .real(value)
            case .float(let value): return .real(Double(value))
            default: return nil
            }
        }
        if let array = value as? [Any] {
            let values = array.compactMap { list($0, depth: depth + 1) }
            return values.count == array.count ? .array(values) : nil
        }
        guard let dictionary = value as? [String: Any] else { return nil }
        let members = dictionary.sorted { $0.key < $1.key }.compactMap { pair in list(pair.value, depth: depth + 1).map { PropertyList.Member(pair.key, $0) } }
        return members.count == dictionary.count ? .dictionary(members) : nil
    }

    /// nil for what Foundation has no value for.
    static func value(_ list: PropertyList) -> Any? {
        switch list {
        case .string(let text): return text
        case .data(let bytes): return Data(bytes)
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return Int64(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(clamping: value))
        case .real(let value): return NSNumber(value: value)
        case .array(let values): return values.compactMap(value)
        case .dictionary(let members): return Dictionary(members.compactMap { member in value(member.value).map { (member.key, $0) } }) { _, last in last }
        case .null, .uid, .set: return nil
        }
    }
}
