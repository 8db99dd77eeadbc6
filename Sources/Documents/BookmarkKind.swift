import KeyedArchives
import PropertyLists

/// A bookmark: a regular file with a name and a URL in a keyed archive, shown as a link file.
///
/// What Valise has to remember lies in the archived object, under keys of its own:
/// - `Valise Link Form`, the extension that the link was given. Without it, the form is the mount's choice.
/// - `Valise Content` and what it belonged to: a file that said more than the plainest one would
///   is shown again as it was, byte for byte, until another app changes the bookmark.
public struct BookmarkKind: DocumentKind {
    /// Largest archive that is read, and what is less than the words that are in each.
    static let limit: Int64 = 1 << 22, least: Int64 = 100
    static let className = "Bookmark"
    static let root = "Bookmark"
    static let storedPrefix = Array("Bookmark_".utf8)

    public init() {}

    public let name = "bookmark"
    public let parts: [DocumentPart]? = nil
    public let contentStart: Int64? = nil
    public let storedNameFollowsShown = false
    public var contentType: (identifier: String, itemExtension: String) { ("public.url", "") }

    public func remarks(on parts: [(any ByteSource)?], reading: DocumentReading) -> [DocumentRemark] {
        guard let archive = parts.first ?? nil, archive.byteCount == 0 else { return [] }
        return [.empty("it is empty, and apps and drives show the bookmark that a new one begins as")]
    }

    /// The app takes every file for a bookmark that is an archive of one, whatever it is called. Only what a name says to be
    /// something else is not looked into: that of a text, however it begins. What is behind the last point of an app's own name is a fraction of a second.
    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool { !isFolder && !ForeignNames.isForeign(storedName) }

    public func mayBe(storedName: [UInt8], byteCount: Int64) -> Bool {
        storedName.starts(with: Self.storedPrefix) || (Self.least...Self.limit).contains(byteCount)
    }

    /// A file of another name may be anything.
    public func isMeant(storedName: [UInt8]) -> Bool { storedName.starts(with: Self.storedPrefix) }

    public func takes(shownName: [UInt8]) -> Bool {
        ItemName.isPlain(shownName) && LinkName(shownName) != nil
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        let stem = LinkName(shownName)?.stem ?? shownName
        let (moment, overflow) = time.rawValue.addingReportingOverflow(Int64(attempt))
        let magnitude = (overflow ? time.rawValue : moment).magnitude
        let fraction = String(magnitude % 1_000_000)
        let ending = Array("-\(moment < 0 ? "-" : "")\(magnitude / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)".utf8)
        let room = ItemName.limit - Self.storedPrefix.count - ending.count
        return Self.storedPrefix + ItemName.shortened(ItemName.withoutForbidden(stem), to: room) + ending
    }

    // MARK: Reading

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let file = parts.first ?? nil else { throw .damaged("The bookmark is missing.") }
        let bookmark = try Bookmark(file, storedName: storedName)
        let (form, fileExtension) = bookmark.shown(options)
        return DocumentReading(
            name: Array(bookmark.name.utf8), fileExtension: fileExtension, content: .bytes(bookmark.content(form)),
            spelling: Spelling(rawValue: bookmark.className), facts: [.init("URL", bookmark.url)])
    }

    // MARK: Writing

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        guard let link = LinkName(shownName) else { throw .unfit("That is no name of a link.") }
        guard content.byteCount <= Int64(LinkFile.limit) else { throw .unfit("The file is too long for a link.") }
        let bytes = try content.few(at: 0, count: Int(content.byteCount))
        if let archived = try Self.archived(bytes, as: link, over: existing?.first ?? nil) { return [.bytes(archived)] }
        let parsed = try LinkFile.parse(bytes, form: link.form)

        var bookmark: Bookmark
        if let file = existing?.first ?? nil {
            bookmark = try Bookmark(file, storedName: [])
        } else {
            let className = spelling?.rawValue ?? Self.className
            bookmark = Bookmark(className: lastComponent(ofClass: className) == Self.className[...] ? className : Self.className)
            bookmark.isNamed = false
        }
        if !bookmark.isNamed { bookmark.name = ItemName.withForbidden(link.stem) }
        // An address that no link file can hold is shown encoded; saving that again must not change it.
        let isSame = existing != nil && bytes == LinkFile.canonical(form: link.form, name: bookmark.name, url: bookmark.url)
        if !isSame { bookmark.url = parsed.url }
        let isCanonical = bytes == LinkFile.canonical(form: link.form, name: bookmark.name, url: bookmark.url)
        bookmark.exact = isCanonical ? nil : .init(bytes: bytes, form: link.form, name: bookmark.name, url: bookmark.url)
        bookmark.fileExtension = link.fileExtension
        return [.bytes(try bookmark.written())]
    }

    /// A new bookmark as its app makes one: it says no form.
    package static func archive(shownName: [UInt8], url: String) throws(DocumentFault) -> [UInt8] {
        guard let link = LinkName(shownName) else { throw .unfit("That is no name of a link.") }
        var bookmark = Bookmark()
        (bookmark.name, bookmark.url) = (ItemName.withForbidden(link.stem), url)
        return try bookmark.written()
    }

    /// A bookmark as its app keeps it, as when one is copied over another one: it stays what it is but for what it is called and shown as.
    /// Nil for everything else.
    private static func archived(_ bytes: [UInt8], as link: LinkName, over existing: (any ByteSource)?) throws(DocumentFault) -> [UInt8]? {
        guard bytes.count >= least, var bookmark = try? Bookmark(Bytes(bytes), storedName: []), !bookmark.url.isEmpty else { return nil }
        let before = try existing.map { (file) throws(DocumentFault) in try Bookmark(file, storedName: []) }
        let name = if let before, before.isNamed { before.name } else { ItemName.withForbidden(link.stem) }
        let fileExtension = before == nil ? link.fileExtension : before?.fileExtension
        if bookmark.isNamed, bookmark.name == name, bookmark.fileExtension == fileExtension { return bytes }
        (bookmark.name, bookmark.fileExtension) = (name, fileExtension)
        return try bookmark.written()
    }

    /// A file that is renamed keeps its bytes: an exact one now belongs to the new name.
    public func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting] {
        guard let file = parts.first ?? nil else { throw .damaged("The bookmark is missing.") }
        guard let link = LinkName(shownName) else { throw .unfit("That is no name of a link.") }
        var bookmark = try Bookmark(file, storedName: storedName)
        let name = ItemName.withForbidden(link.stem)
        if let exact = bookmark.exact, bookmark.owns(exact) { bookmark.exact?.name = name }
        bookmark.name = name
        if link.fileExtension != bookmark.shown(options).fileExtension { bookmark.fileExtension = link.fileExtension }
        return [.bytes(try bookmark.written())]
    }
}

/// The name of a link file.
struct LinkName {
    let stem: [UInt8]
    let form: LinkForm
    /// As it is written, ".URL" too.
    let fileExtension: String

    init?(_ name: [UInt8]) {
        guard let parts = ItemName.parts(name), let form = LinkForm(fileExtension: parts.fileExtension) else { return nil }
        (stem, fileExtension) = parts
        self.form = form
    }
}

extension LinkForm {
    public init?(fileExtension: String) {
        guard let form = LinkForm(rawValue: ItemName.lowercased(fileExtension)) else { return nil }
        self = form
    }
}
