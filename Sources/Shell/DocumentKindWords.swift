import Documents

/// The words for kinds of documents, as `--create` and `-o create=` take them.
public enum DocumentKindWords {
    public static let all = DocumentKinds.shipped.map(\.name)

    /// Understands a list with commas or plus signs, or "none".
    public static func parse(_ text: String, exitCode: Int32 = 2) throws(UsageFault) -> [String] {
        try merge(text, into: nil, exitCode: exitCode)
    }

    /// Adds a list to what an earlier one said.
    static func merge(_ text: String, into earlier: [String]?, exitCode: Int32) throws(UsageFault) -> [String] {
        let words = text.split { $0 == "," || $0 == "+" }.map(String.init)
        if words == ["none"] {
            guard earlier?.isEmpty ?? true else { throw contradiction(exitCode) }
            return []
        }
        if words.contains("none") || earlier?.isEmpty == true { throw contradiction(exitCode) }
        for word in words where !all.contains(word) {
            let nearest = nearestWord(to: word, in: all).map { "; did you mean “\($0)”?" } ?? ": there are \(all.joined(separator: ", ")) and none"
            throw UsageFault("“\(printable(word))” is no kind of document that new files become\(nearest)", exitCode: exitCode)
        }
        guard !words.isEmpty else { throw UsageFault("name kinds of documents: \(all.joined(separator: ", ")) or none", exitCode: exitCode) }
        // In one order, whatever order they were named in.
        return all.filter { words.contains($0) || earlier?.contains($0) == true }
    }

    private static func contradiction(_ exitCode: Int32) -> UsageFault {
        UsageFault("“none” cannot be named together with kinds of documents", exitCode: exitCode)
    }
}
