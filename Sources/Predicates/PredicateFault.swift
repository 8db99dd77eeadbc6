/// A predicate that cannot be understood: where, why, and what may have been meant.
public struct PredicateFault: Error, Equatable, Sendable {
    /// The byte of the predicate at which it goes wrong.
    public let place: Int
    public let sentence: String
    /// A word that may have been meant.
    public let hint: String?

    init(_ place: Int, _ sentence: String, hint: String? = nil) {
        self.place = place
        self.sentence = sentence
        self.hint = hint
    }

    /// The sentence and the hint.
    public var description: String { sentence + (hint.map { "; did you mean \($0)?" } ?? "") }

    private static let window = 70

    /// The part of the predicate that it is about, with a caret under the place.
    public func lines(of predicate: String) -> [String] {
        // What is no single column on a terminal is shown as one that is.
        func column(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) ? " " : scalar
        }
        var shown: [Unicode.Scalar] = [], caret: Int?, bytes = 0
        let end = place + Self.window
        for scalar in predicate.unicodeScalars {
            if caret == nil, bytes >= place { caret = shown.count }
            guard bytes < end else { break }
            shown.append(column(scalar))
            bytes += UTF8.width(scalar)
        }
        let at = caret ?? shown.count
        let start = max(0, at - Self.window / 2)
        let text = String(String.UnicodeScalarView(shown[start..<min(shown.count, start + Self.window)]))
        return [text, String(repeating: " ", count: at - start) + "^"]
    }
}
