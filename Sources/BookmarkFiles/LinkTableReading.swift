import PropertyLists

/// Links in a table with commas (RFC 4180), whose first line says what its columns are: as Raindrop and Pocket export them, and others alike.
struct LinkTableReading {
    private var stream: ByteStream
    private var separator = UInt8(ascii: ",")
    private static let longestField = 1 << 20, mostFields = 256

    /// What a column may be called, in small letters.
    private enum Column: CaseIterable {
        case url, name, note, folder, tags, added, cover

        var words: [String] {
            switch self {
            case .url: ["url", "link", "address", "uri"]
            case .name: ["title", "name"]
            case .note: ["note", "description", "excerpt"]
            case .folder: ["folder", "collection"]
            case .tags: ["tags", "labels"]
            case .added: ["created", "time_added", "added", "date"]
            case .cover: ["icon"]
            }
        }
    }

    /// Whether a file that begins so is one.
    static func isTable(_ beginning: [UInt8]) -> Bool {
        var reading = LinkTableReading(stream: ByteStream(Bytes(beginning)))
        return reading.columns() != nil
    }

    static func read(_ source: any ByteSource, _ take: @escaping ListedItemTaker) {
        var reading = LinkTableReading(stream: ByteStream(source))
        guard let columns = reading.columns() else { return }
        reading.readRows(columns, take)
    }

    private init(stream: ByteStream) { self.stream = stream }

    /// Which column is where; nil where none is for addresses.
    private mutating func columns() -> [Column: [Int]]? {
        // A spreadsheet of some countries has semicolons, and says so or does not.
        guard let first = record() else { return nil }
        var heads = first.fields
        if heads.count == 1, heads[0].contains(";") {
            separator = UInt8(ascii: ";")
            heads = heads[0].split(separator: ";", omittingEmptySubsequences: false).map { String($0.drop { $0 == "\"" }.prefix { $0 != "\"" }) }
        }
        var found: [Column: [Int]] = [:]
        let words = heads.map { ListedLink.name($0, for: "").lowercased() }
        for column in Column.allCases { for word in column.words { if let index = words.firstIndex(of: word) { found[column, default: []].append(index) } } }
        return found[.url] == nil ? nil : found
    }

    private mutating func readRows(_ columns: [Column: [Int]], _ take: ListedItemTaker) {
        while let (fields, place, isWhole) = record() {
            if fields.count == 1, fields[0].isEmpty { continue }
            func field(_ column: Column) -> String { columns[column]?.lazy.compactMap { fields.indices.contains($0) && !fields[$0].isEmpty ? fields[$0] : nil }.first ?? "" }
            guard isWhole else {
                _ = take(.fault(place: place, reason: "the file ends in the middle of a line"))
                return
            }
            guard fields.count > (columns[.url]?.first ?? 0) else {
                if !take(.fault(place: place, reason: "the line has \(fields.count == 1 ? "one column" : "\(fields.count) columns"), and none of them is the address")) { return }
                continue
            }
            let tags = field(.tags), moment = field(.added)
            let link = ListedLink(
                folders: MomentText.words(field(.folder), between: "/"), name: field(.name), url: field(.url),
                added: Int64(moment).flatMap(MomentText.seconds) ?? MomentText.seconds(moment), tags: MomentText.words(tags, between: tags.contains("|") ? "|" : ","),
                note: field(.note), icon: field(.cover))
            if !take(link.checked(at: place)) { return }
        }
        if stream.failure != nil { _ = take(.fault(place: stream.place, reason: "the file cannot be read from here on")) }
    }

    /// The next line of the table; nil at the end.
    private mutating func record() -> (fields: [String], place: String, isWhole: Bool)? {
        guard stream.peek() != nil else { return nil }
        let place = stream.place, separator = separator
        var fields: [String] = []
        while true {
            var field: [UInt8] = []
            if stream.peek() == UInt8(ascii: "\"") {
                _ = stream.next()
                while true {
                    stream.take(into: &field, limit: Self.longestField) { $0 == UInt8(ascii: "\"") }
                    guard stream.next() != nil else { return (fields, place, false) }
                    guard stream.peek() == UInt8(ascii: "\"") else { break }
                    field.append(UInt8(ascii: "\""))
                    _ = stream.next()
                }
            }
            stream.take(into: &field, limit: Self.longestField) { $0 == separator || $0 == 0x0A || $0 == 0x0D }
            if fields.count < Self.mostFields { fields.append(GuessedText.text(field)) }
            guard let end = stream.next() else { return (fields, place, true) }
            if end == separator { continue }
            if end == 0x0D, stream.peek() == 0x0A { _ = stream.next() }
            return (fields, place, true)
        }
    }
}
