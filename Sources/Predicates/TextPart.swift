/// What a predicate may ask of a text, as NSString has it: `name.pathExtension`.
public enum TextPart: String, CaseIterable, Sendable {
    case pathExtension, lastPathComponent, stringByDeletingPathExtension, stringByDeletingLastPathComponent, lowercaseString, uppercaseString
    /// Its characters as NSString counts them.
    case length

    var sort: Attribute.Sort { self == .length ? .number : .text }

    func of(_ value: Value) -> Value {
        guard case .text(let text) = value else { return .missing }
        return switch self {
        case .pathExtension: .text(Array(Self.extensionStart(text).map { text[$0...] } ?? []))
        case .lastPathComponent: .text(Array(Self.lastComponent(text)))
        case .stringByDeletingPathExtension: .text(Array(Self.extensionStart(text).map { text[..<($0 - 1)] } ?? text[...]))
        case .stringByDeletingLastPathComponent: .text(Array(Self.folder(text)))
        case .lowercaseString: .text(Array(String(decoding: text, as: UTF8.self).lowercased().utf8))
        case .uppercaseString: .text(Array(String(decoding: text, as: UTF8.self).uppercased().utf8))
        case .length: .number(Double(String(decoding: text, as: UTF8.self).utf16.count))
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static func lastComponent(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let end = (text.lastIndex { $0 != slash } ?? -1) + 1
        // All of it is slashes: the top.
        guard end > 0 else { return text.prefix(1) }
        return text[((text[..<end].lastIndex(of: slash) ?? -1) + 1)..<end]
    }

    private static func folder(_ text: [UInt8]) -> ArraySlice<UInt8> {
        let start = lastComponent(text).startIndex
        guard let end = text[..<start].lastIndex(where: { $0 != slash }) else { return text.prefix(start > 0 || text.first == slash ? 1 : 0) }
        return text[...end]
    }

    /// Behind the point of the last component, where something stands before and behind it.
    private static func extensionStart(_ text: [UInt8]) -> Int? {
        let name = lastComponent(text)
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex, point + 1 < name.endIndex, name.endIndex == text.endIndex else { return nil }
        return point + 1
    }
}
