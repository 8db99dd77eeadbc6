/// Words that a person types to look for them in names, URLs and texts: all of them must be there, in any case and with any marks.
/// A word in quotes may have spaces. One with a “*” may also be a pattern of the whole name, as a shell has them.
struct SearchWords {
    private let words: [(text: [UInt8], isPattern: Bool)]
    private static let most = 32

    /// nil for a text that was meant as a predicate, to judge by its operators.
    init?(_ text: String) {
        guard text.utf8.count <= 4096, let words = Self.words(of: text), (1...Self.most).contains(words.count), !Self.isMeantAsPredicate(words) else { return nil }
        self.words = words.map { (Array($0.text.utf8), !$0.isQuoted && $0.text.contains("*")) }
    }

    var predicate: Predicate {
        .all(words.map { word, isPattern in
            let contained = [Attribute.name, .url, .text].map { Predicate.comparison(Comparison($0, contains: word, .both)) }
            return .any(contained + (isPattern ? [.comparison(Comparison(.name, like: word, .both))] : []))
        })
    }

    private struct Word {
        let text: String
        let isQuoted: Bool
    }

    private static func words(of text: String) -> [Word]? {
        var words: [Word] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "\"" || first == "“" {
                guard let end = rest.dropFirst().firstIndex(of: first == "“" ? "”" : first) else { return nil }
                words.append(Word(text: String(rest[rest.index(after: rest.startIndex)..<end]), isQuoted: true))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(Word(text: String(word), isQuoted: false))
                rest = rest.dropFirst(word.count)
            }
        }
        return words.filter { !$0.text.isEmpty }
    }

    private static let signs = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">"]

    /// An attribute's name with a sign or with two more words behind it; a sign, an operator or a parenthesis that stands alone or begins it all.
    private static func isMeantAsPredicate(_ words: [Word]) -> Bool {
        let plain = words.filter { !$0.isQuoted }.map(\.text)
        guard let first = plain.first, words.first?.isQuoted == false else { return plain.contains { signs.contains($0) || isOperator($0) } }
        if plain.contains(where: { signs.contains($0) || isOperator($0) }) { return true }
        if "(!%{)".contains(first.first ?? " ") || first.uppercased() == "NOT" { return true }
        let beginning = String(first.prefix { $0.isLetter || $0 == "_" || $0 == "." })
        guard Attribute(named: beginning) != nil else { return false }
        return beginning.count < first.count && "=<>!'\"[".contains(first.dropFirst(beginning.count).first ?? " ") || words.count > 2
    }

    private static func isOperator(_ word: String) -> Bool {
        let name = word.prefix { $0 != "[" }.uppercased()
        return name != "IN" && Comparison.Operator.allCases.contains { $0.rawValue == name } || name == "TRUEPREDICATE" || name == "FALSEPREDICATE"
    }
}
