import LinuxFiles

/// What was saved of files that nobody had closed, or closed a moment before, when the last drive ended: whoever mounts is told, because it may
/// be a half of one. So it is where the folder of what was written is gone: it comes to the nearest one that is left.
struct UnclosedFiles {
    private var documents: [[Name]] = [], replacing: [[Name]] = []
    private var files: [[Name]] = []
    private var waiting: [(path: [Name], reason: String)] = []
    private var lost: [(name: Name, folder: [Name], found: [Name])] = []

    enum Outcome { case document, replacingDocument, plainFile }

    /// `path`: where it is now.
    mutating func note(_ path: [Name], _ outcome: Outcome) {
        switch outcome {
        case .document: documents.append(path)
        case .replacingDocument: replacing.append(path)
        case .plainFile: files.append(path)
        }
    }

    /// It is shown as it was left, and not saved.
    mutating func note(_ path: [Name], waitsBecause reason: String) {
        waiting.append((path, reason.prefix(1).lowercased() + reason.dropFirst().dropLast(reason.hasSuffix(".") ? 1 : 0)))
    }

    /// What was left and is not saved; nil where all of it is.
    var waitingSentence: String? {
        guard let first = waiting.first else { return nil }
        let named = waiting.count == 1 ? "“\(Self.path(first.path))” was written before the last drive ended, and is not saved: \(first.reason)"
            : "\(Name.quoted(waiting.map(\.path))) were written before the last drive ended, and are not saved; the first one: \(first.reason)"
        return named + ". The drive shows what was written, and “valise status” says what to do"
    }

    /// Only a part of the way to the folder in which it was is found.
    mutating func note(_ shown: Name, lost folder: [Name], at found: [Name]) { lost.append((shown, folder, found)) }

    /// Where that comes to whose folder is gone; nil where there is nothing of that sort.
    var lostSentence: String? {
        guard let first = lost.first else { return nil }
        let alike = lost.filter { $0.folder == first.folder }, others = lost.count - alike.count
        let place = first.found.isEmpty ? "at the top" : "in “\(Self.path(first.found))”"
        return "the folder “\(Self.path(first.folder))” is gone; what was written in it (\(Name.quoted(alike.map { [$0.name] }))) is \(place) now"
            + (others > 0 ? ", and so \(others == 1 ? "is 1 of another folder" : "are \(others) of other folders"), in the nearest one that is left" : "")
    }

    private static func path(_ names: [Name]) -> String { names.map(\.description).joined(separator: "/") }

    /// What is to be said; nil where there is nothing.
    var sentence: String? {
        let parts = [
            Self.part(replacing, "is saved as it was then", "are saved as they were then", "what was there before is among the versions"),
            Self.part(documents, "is saved as it was then", "are saved as they were then", nil),
            Self.part(files, "is a plain file with what there was of it", "are plain files with what there was of them", nil),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func part(_ paths: [[Name]], _ one: String, _ many: String, _ more: String?) -> String? {
        guard let first = paths.first else { return nil }
        let beginning = paths.count == 1 ? "“\(path(first))” was being written when the last drive ended, and \(one)" : "\(Name.quoted(paths)) were being written when the last drive ended, and \(many)"
        return beginning + ", which may not be all" + (more.map { ": \($0)" } ?? "")
    }
}
