import LinuxFiles

/// Which kinds of documents occur in a container that nobody said anything about.
enum KindSurvey {
    /// How many entries are looked at before what was seen is taken for all there is.
    private static let limit = 20_000
    private static let depth = 8

    /// The kinds found; all of them where there is nothing at all, none where there are only other files.
    static func kinds(in documents: borrowing Descriptor, reader: ItemReader) -> [KindID] {
        var found: Set<KindID> = []
        var seen = 0
        walk(documents, depth: 0, reader: reader, found: &found, seen: &seen)
        return seen == 0 ? reader.kinds.all : reader.kinds.all.filter(found.contains)
    }

    private static func walk(_ folder: borrowing Descriptor, depth level: Int, reader: ItemReader, found: inout Set<KindID>, seen: inout Int) {
        guard level < depth, var entries = try? FolderReader(folder) else { return }
        while seen < limit, found.count < reader.kinds.all.count, let entry = (try? entries.next()) ?? nil {
            if Hidden.hides(entry.name) { continue }
            seen += 1
            let candidate = reader.candidate(for: entry.name, isFolder: entry.type == .folder)
            if let candidate {
                if !found.contains(candidate), (try? reader.open(entry.name, as: candidate, in: folder)) != nil { found.insert(candidate) }
            } else if entry.type == .folder, let inner = try? folder.open(entry.name, [.path, .folder]) {
                walk(inner, depth: level + 1, reader: reader, found: &found, seen: &seen)
            }
        }
    }
}
