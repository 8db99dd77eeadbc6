import PropertyLists

/// A file with bookmarks, of any of the forms that browsers and services write: which, its first bytes tell and not its name.
public enum BookmarkFile {
    public enum Form: Hashable, Sendable {
        /// HTML, as browsers export it.
        case page
        /// JSON: Chromium's, Firefox's, or an export of ours.
        case tree
        /// The same, packed by Firefox.
        case packedTree
        /// Safari's, or an app's settings.
        case list
        case table
        /// Firefox's `places.sqlite`, which no reader of bytes can make sense of.
        case database
    }

    /// So much of its beginning tells which it is.
    public static let beginning = 1 << 16
    /// The longest packed file.
    static let longestPacked = 1 << 27

    /// nil where it is none of these.
    public static func form(_ source: any ByteSource) -> Form? {
        guard let first = try? source.bytes(at: 0, count: Int(min(source.byteCount, Int64(beginning)))) else { return nil }
        if first.starts(with: "SQLite format 3\0".utf8) { return .database }
        if first.starts(with: LZ4Block.mark) { return .packedTree }
        if first.starts(with: "bplist0".utf8) { return .list }
        var stream = ByteStream(Bytes(first)), text: [UInt8] = []
        stream.take(into: &text, limit: beginning) { _ in false }
        let lower = LinkPageReading.lowercased(text)
        let begin = lower.drop { $0 <= 0x20 }
        if begin.starts(with: "<?xml".utf8) || begin.starts(with: "<!doctype plist".utf8) || begin.starts(with: "<plist".utf8), contains(lower, "<plist") { return .list }
        if begin.first == UInt8(ascii: "{") || begin.first == UInt8(ascii: "[") { return .tree }
        if begin.first == UInt8(ascii: "<") || contains(lower, "<dl"), ["<!doctype netscape-bookmark", "<dl", "<dt", "<a href"].contains(where: { contains(lower, $0) }) { return .page }
        return LinkTableReading.isTable(text) ? .table : nil
    }

    private static func contains(_ bytes: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard bytes.count >= word.count, let first = word.first else { return false }
        return bytes.indices.dropLast(word.count - 1).contains { bytes[$0] == first && bytes[$0..<$0 + word.count].elementsEqual(word) }
    }

    /// Has all that it lists taken, in its order.
    public static func read(_ source: any ByteSource, as form: Form, _ take: @escaping ListedItemTaker) {
        switch form {
        case .page: LinkPageReading.read(source, take)
        case .tree: LinkTreeReading.read(source, take)
        case .list: LinkListReading.read(source, take)
        case .table: LinkTableReading.read(source, take)
        case .packedTree:
            guard source.byteCount <= Int64(longestPacked), let packed = try? source.bytes(at: 0, count: Int(source.byteCount)), let (bytes, fault) = LZ4Block.unpacked(backup: packed) else {
                _ = take(.fault(place: "all of it", reason: "it is too long, or cannot be read"))
                return
            }
            LinkTreeReading.read(Bytes(bytes), take)
            if let fault { _ = take(.fault(place: "all of it", reason: "it is packed, and \(fault)")) }
        case .database: _ = take(.fault(place: "all of it", reason: "it is a database"))
        }
    }
}
