import KeyedArchives
import PropertyLists

/// A bookmark of the bookmark manager: a keyed archive in a file `Bookmark_<name>-<time>`, shown as a link file.
public struct BookmarkKind: DocumentKind {
    public let name = "bookmark"
    public let partNames: [String]? = nil
    /// Its content is parsed: nothing of the link file stays where it was written.
    public let room: Int64? = nil
    public let storedNameFollowsShown = false

    private static let prefix = Array("Bookmark_".utf8)

    public init() {}

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool {
        !isFolder && (storedName.starts(with: Self.prefix) || !storedName.contains(UInt8(ascii: ".")))
    }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        let bookmark = try Self.bookmark(parts, storedName)
        let form = bookmark.form ?? options.linkForm
        return DocumentReading(
            name: Array(bookmark.name.utf8), fileExtension: form.rawValue, content: .bytes(try bookmark.shown(as: form)),
            facts: [DocumentReading.Fact("URL", bookmark.url)])
    }

    private static func bookmark(_ parts: [(any ByteSource)?], _ storedName: [UInt8]) throws(DocumentFault) -> Bookmark {
        guard let source = parts.first ?? nil else { throw .damaged("its file is missing") }
        guard source.byteCount > 0 else {
            // The app makes an empty file first, and takes it for a bookmark with these words.
            guard storedName.starts(with: prefix) else { throw .foreign("it is empty") }
            return Bookmark.untouched
        }
        do throws(PropertyListFault) { return try Bookmark(source) } catch {
            // Something with a bookmark's name is meant to be one; a file that just has no extension is not.
            if case .foreign(let reason) = error, storedName.starts(with: prefix) { throw .damaged(reason) }
            throw DocumentFault(error)
        }
    }

    public func claims(shownName: [UInt8]) -> Bool { Self.form(of: shownName) != nil }

    static func form(of shownName: [UInt8]) -> LinkForm? {
        let (stem, fileExtension) = FileName.split(shownName)
        return stem.isEmpty ? nil : LinkForm(rawValue: fileExtension.lowercased())
    }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        guard let form = Self.form(of: shownName) else { throw .unfit("its name is not that of a link file") }
        let bytes = try content.allBytes(limit: LinkFile.longest)
        let link: LinkFile
        switch LinkFile.parse(bytes, as: form) {
        case .success(let parsed): link = parsed
        case .failure(let fault): throw .unfit(fault.reason)
        }
        let old = try existing.map { (parts) throws(DocumentFault) in try Self.bookmark(parts, Self.prefix) }
        var bookmark = old ?? Bookmark(name: FileName.unmapped(FileName.split(shownName).stem))
        bookmark.url = link.url
        // One that the app made is shown as the mount says; it keeps a form only where that is not the usual one.
        if old == nil || old?.form != nil || form != .url { bookmark.form = form }
        bookmark.keep(bytes, as: form)
        return [.bytes(try Self.archived(bookmark, over: existing))]
    }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] {
        guard let form = Self.form(of: shownName) else { throw .unfit("its name is not that of a link file") }
        var bookmark = try Self.bookmark(parts, storedName)
        let oldForm = bookmark.form ?? options.linkForm
        let shown = try bookmark.shown(as: oldForm)
        bookmark.name = FileName.unmapped(FileName.split(shownName).stem)
        // A file that is only renamed keeps its bytes, what they say of its name included.
        bookmark.keep(shown, as: oldForm)
        if form != oldForm || bookmark.form != nil || form != options.linkForm { bookmark.form = form }
        return [.bytes(try Self.archived(bookmark, over: parts))]
    }

    private static func archived(_ bookmark: Bookmark, over existing: [(any ByteSource)?]?) throws(DocumentFault) -> [UInt8] {
        guard let source = existing?.first ?? nil, source.byteCount > 0 else { return bookmark.archive() }
        return try readingArchive { () throws(PropertyListFault) in try bookmark.archive(over: source) }
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        let moment = time.rawValue &+ Int64(attempt)
        let (seconds, micro) = moment.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(micro.magnitude)
        let suffix = "-\(seconds).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
        let stem = Self.prefix + Array(FileName.unmapped(FileName.split(shownName).stem).utf8)
        return FileName.stored(stem, number: 0, suffix: suffix)
    }
}
