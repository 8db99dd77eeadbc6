import Foundation

/// The address in a link file, and the file with another one. What else is in it stays.
public struct LinkAddress: Equatable, Sendable {
    public let address: String
    /// All of the file.
    public let text: String
    private let range: Range<String.Index>

    /// Nil where it is no link file. `name`: what it is called, which tells its form.
    public init?(_ text: String, called name: String) {
        self.text = text
        switch (name as NSString).pathExtension.lowercased() {
        case "url", "desktop":
            guard let key = text.range(of: "^URL=", options: [.regularExpression, .caseInsensitive]) ?? text.range(of: "\nURL=", options: .caseInsensitive) else { return nil }
            range = key.upperBound..<(text[key.upperBound...].firstIndex(where: \.isNewline) ?? text.endIndex)
            address = String(text[range])
        case "webloc":
            guard let key = text.range(of: "<key>URL</key>\\s*<string>", options: .regularExpression), let end = text.range(of: "</string>", range: key.upperBound..<text.endIndex) else { return nil }
            range = key.upperBound..<end.lowerBound
            address = Self.marks.reversed().reduce(String(text[range])) { $0.replacingOccurrences(of: $1.coded, with: $1.plain) }
        default: return nil
        }
    }

    private var isMarkup: Bool { text[..<range.lowerBound].hasSuffix("<string>") }
    private static let marks: [(plain: String, coded: String)] = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")]

    /// Nil of what is no address. One without a scheme is a page's.
    public func replaced(by words: String) -> String? {
        let words = words.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !words.isEmpty, !words.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else { return nil }
        let hasScheme = words.range(of: "^[A-Za-z][A-Za-z0-9+.-]*:(?![0-9])", options: .regularExpression) != nil
        let address = hasScheme ? words : "https://" + words
        return text.replacingCharacters(in: range, with: isMarkup ? Self.marks.reduce(address) { $0.replacingOccurrences(of: $1.plain, with: $1.coded) } : address)
    }
}
