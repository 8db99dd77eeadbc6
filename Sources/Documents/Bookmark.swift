import KeyedArchives
import PropertyLists

/// What the archive of a bookmark says.
struct Bookmark {
    static let nameKey = "Bookmark Name"
    static let urlKey = "Bookmark URL"
    static let formKey = "Valise Link Form"
    static let contentKey = "Valise Content"
    static let contentFormKey = "Valise Content Form"
    static let contentNameKey = "Valise Content Name"
    static let contentURLKey = "Valise Content URL"

    /// A file that said more than a canonical one, and the bookmark that it was written for.
    struct Exact {
        var bytes: [UInt8]
        var form: LinkForm
        var name: String
        var url: String
    }

    var className: String
    var name = "Bookmark Name"
    var url = "www.example.com"
    /// Whether the archive has a name of its own.
    var isNamed = true
    var fileExtension: String?
    var exact: Exact?
    /// Where it was read from; nil for an empty file, and for a new bookmark.
    private(set) var archive: KeyedArchive?

    /// The bookmark that an empty file is.
    init(className: String = BookmarkKind.className) {
        self.className = className
    }

    init(_ file: any ByteSource, storedName: [UInt8]) throws(DocumentFault) {
        if file.byteCount == 0 {
            guard storedName.isEmpty || storedName.starts(with: BookmarkKind.storedPrefix) else { throw .foreign("It is an empty file.") }
            self.init()
            return
        }
        guard file.byteCount <= BookmarkKind.limit else { throw .foreign("It is too long for a bookmark.") }
        do throws(PropertyListFault) {
            let archive = try KeyedArchive(file)
            guard let object = try archive.root(BookmarkKind.root) else { throw .foreign("It is another archive.") }
            guard let className = try archive.className(of: object) else { throw .damaged("It does not tell a class.") }
            guard lastComponent(ofClass: className) == BookmarkKind.className[...] else { throw .foreign("It holds a \(className).") }
            self.init(className: className)
            self.archive = archive
            url = try archive.text(Self.urlKey, of: object) ?? ""
            if let name = try archive.text(Self.nameKey, of: object), !name.isEmpty {
                self.name = name
            } else {
                isNamed = false
                if let name = Self.name(inStored: storedName) ?? Link(url: url).host { self.name = name }
            }
            // What is ours is a comfort: a broken one is as good as none.
            fileExtension = try unlessBroken { () throws(PropertyListFault) in try archive.text(Self.formKey, of: object) }
            exact = try unlessBroken { () throws(PropertyListFault) in try Self.exact(archive, object) }
        } catch { throw DocumentFault(error) }
    }

    private static func exact(_ archive: KeyedArchive, _ object: KeyedArchive.Object) throws(PropertyListFault) -> Exact? {
        guard let range = try archive.data(contentKey, of: object), range.length <= Int64(LinkFile.limit),
              let form = try archive.text(contentFormKey, of: object).flatMap(LinkForm.init(rawValue:)),
              let name = try archive.text(contentNameKey, of: object),
              let url = try archive.text(contentURLKey, of: object) else { return nil }
        return Exact(bytes: try archive.bytes(range), form: form, name: name, url: url)
    }

    /// The name that the app put into the item's: `Bookmark_<name>-<time>`. Where there was none it put that into words.
    static func name(inStored storedName: [UInt8]) -> String? {
        guard storedName.starts(with: BookmarkKind.storedPrefix) else { return nil }
        let rest = storedName.dropFirst(BookmarkKind.storedPrefix.count)
        let name = rest.lastIndex(of: UInt8(ascii: "-")).map { rest[..<$0] } ?? rest
        return name.isEmpty || name.elementsEqual("(null)".utf8) ? nil : String(decoding: name, as: UTF8.self)
    }

    // MARK: Showing

    func shown(_ options: ShowingOptions) -> (form: LinkForm, fileExtension: String) {
        if let fileExtension, let form = LinkForm(fileExtension: fileExtension) { return (form, fileExtension) }
        return (options.linkForm, options.linkForm.rawValue)
    }

    func content(_ form: LinkForm) -> [UInt8] {
        if let exact, exact.form == form, owns(exact) { return exact.bytes }
        return LinkFile.canonical(form: form, name: name, url: url)
    }

    /// Whether the bookmark still is the one that a file was written for.
    func owns(_ exact: Exact) -> Bool {
        exact.url.utf8.elementsEqual(url.utf8) && (!exact.form.carriesName || exact.name.utf8.elementsEqual(name.utf8))
    }

    // MARK: Writing

    /// The archive that says this; from the one that it was read from, everything else is kept.
    func written() throws(DocumentFault) -> [UInt8] {
        let bytes = try archived()
        // It would be written, and not be read again.
        guard bytes.count <= BookmarkKind.limit else { throw .unfit("The bookmark would be too long.") }
        return bytes
    }

    private func archived() throws(DocumentFault) -> [UInt8] {
        try reading { () throws(PropertyListFault) in
            var draft = ArchiveDraft(key: BookmarkKind.root, className: className)
            if let archive { draft = try ArchiveDraft(changing: archive) }
            guard let uid = draft.root(BookmarkKind.root) else { throw .damaged("The archive holds no bookmark.") }
            draft.set(Self.nameKey, of: uid, to: .text(name))
            // None was read: that stays, too.
            if archive == nil || !url.isEmpty { draft.set(Self.urlKey, of: uid, to: .text(url)) }
            draft.set(Self.formKey, of: uid, to: fileExtension.map { .text($0) })
            draft.set(Self.contentKey, of: uid, to: exact.map { .data($0.bytes) })
            draft.set(Self.contentFormKey, of: uid, to: exact.map { .text($0.form.rawValue) })
            draft.set(Self.contentNameKey, of: uid, to: exact.map { .text($0.name) })
            draft.set(Self.contentURLKey, of: uid, to: exact.map { .text($0.url) })
            return try draft.written()
        }
    }
}

extension LinkForm {
    /// Whether a file of this form says the link's name.
    var carriesName: Bool { self == .desktop || self == .html }
}
