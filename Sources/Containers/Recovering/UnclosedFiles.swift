import LinuxFiles

/// What was saved of files that nobody had closed, or closed a moment before, when the last drive ended: whoever mounts is told, because it may
/// be a half of one.
struct UnclosedFiles {
    private var documents: [Name] = [], replacing: [Name] = []
    private var files: [Name] = []
    private static let mostNamed = 3

    enum Outcome { case document, replacingDocument, plainFile }

    mutating func note(_ shown: Name, _ outcome: Outcome) {
        switch outcome {
        case .document: documents.append(shown)
        case .replacingDocument: replacing.append(shown)
        case .plainFile: files.append(shown)
        }
    }

    /// What is to be said; nil where there is nothing.
    var sentence: String? {
        let parts = [
            Self.part(replacing, "is saved as it was then", "are saved as they were then", "what was there before is among the versions"),
            Self.part(documents, "is saved as it was then", "are saved as they were then", nil),
            Self.part(files, "is a plain file with what there was of it", "are plain files with what there was of them", nil),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func part(_ names: [Name], _ one: String, _ many: String, _ more: String?) -> String? {
        guard let first = names.first else { return nil }
        let named = names.prefix(mostNamed).map { "“\($0)”" }.joined(separator: ", ") + (names.count > mostNamed ? " and \(names.count - mostNamed) more" : "")
        let beginning = names.count == 1 ? "“\(first)” was being written when the last drive ended, and \(one)" : "\(named) were being written when the last drive ended, and \(many)"
        return beginning + ", which may not be all" + (more.map { ": \($0)" } ?? "")
    }
}
