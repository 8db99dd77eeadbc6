import PropertyLists

/// One kind of document: how it is recognised, what it is called, where its content lies,
/// and how new content goes in. A kind is one file that implements this; nothing else knows it.
///
/// Pure: bytes come through `ByteSource`, what must be written is returned as values.
public protocol DocumentKind: Sendable {
    /// The word for it on the command line: "bookmark", "photo", "text".
    var name: String { get }

    /// What a package is made of, the content first; nil for a document that is one regular file.
    var parts: [DocumentPart]? { get }

    /// Whether an item of this name and shape is worth reading as this kind.
    /// No more than a guess from the name: `read` decides.
    func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool

    /// Whether one of so many bytes may be of this kind, of what `mayBe`: the others are not opened. Of a package, nobody asks.
    func mayBe(storedName: [UInt8], byteCount: Int64) -> Bool

    /// Whether only a document of this kind is called so, of what `mayBe`: that it is something else is a fault then.
    func isMeant(storedName: [UInt8]) -> Bool

    /// Reads what the drive shows of a document. `parts` go with `written` (or one, for a file);
    /// a part that does not exist is nil. Reads a few hundred bytes, whatever the size of the content.
    func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading

    /// The same for a kind whose parts are not always called the same: `names` say what each is called, or would be.
    func read(_ parts: [(any ByteSource)?], called names: [[UInt8]], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading

    /// Whether a file with this shown name becomes a document of this kind, if its content fits.
    func takes(shownName: [UInt8]) -> Bool

    /// Whether a document of this kind that gets this shown name stays one.
    func keeps(shownName: [UInt8]) -> Bool

    /// Whether new files become documents of this kind. Others are made by their apps, and are more than a file can say.
    var isMadeFromFiles: Bool { get }

    /// Where in the first part the content begins when the document is written: content can be
    /// written straight to its place before anything else is known. Nil when the content is parsed
    /// instead of kept (a bookmark).
    var contentStart: Int64? { get }

    /// The parts of the document with new content. `existing` are the parts of the document that
    /// it replaces, nil for a new one: all that is not content is kept from them: name, class names,
    /// key spelling, unknown keys. `spelling` is that of the container's other documents, for a new one.
    /// Throws `.unfit` when the content is not what the shown name says.
    func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting]

    /// Why content that fits seems not to be all of it, where nobody has said that it is: what was being written when a drive was killed, and
    /// what somebody else asks for meanwhile. Nil where that cannot be told. What is closed is saved as it is.
    func missingEnd(of content: any ByteSource) throws(DocumentFault) -> String?

    /// The parts after the document was given another shown name. A new extension of the same kind
    /// is a change of form (`.url` to `.desktop`): the same document, shown another way.
    func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting]

    /// The name that the app gives the item of a document with this shown name.
    /// `attempt` counts from 0: the later ones are for names that are taken (` 1`, ` 2`, …).
    func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8]

    /// Whether a document that is stored under this name tells by itself that it is shown under that one. Where it does not,
    /// somebody else has to remember it.
    func tells(shownName: [UInt8], storedName: [UInt8]) -> Bool

    /// Whether the stored name must change when the shown one does (a photo's folder is its title),
    /// or stays as the app gave it once (a bookmark's).
    var storedNameFollowsShown: Bool { get }

    // What the rest of the program asks for, and not every kind has.

    /// As Apple's programs call what its documents hold, and the extension of their items, empty where they have none.
    var contentType: (identifier: String, itemExtension: String) { get }

    /// What a person writes down to have this kind (`KindsFile.swift`); nil for one that cannot be written so.
    var section: String? { get }

    /// The extension, in small letters, of a kind whose documents are all packages with it, so that nobody has to ask
    /// about other names; nil of all others.
    var folderExtension: String? { get }

    /// Whether the content is a text, in which searches look for words.
    var isText: Bool { get }

    /// Of a kind whose packages are shown as one flat file each; nil of all others.
    var flat: FlatForm? { get }

    /// The small images of its documents; nil where they keep none.
    var thumbnails: (any ThumbnailKeeping)? { get }

    /// What of a package's part counts as content where several devices have the document, by the part's path; nil where all its bytes do.
    func essence(ofPart path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [PartEssence]?

    /// The part as it is given to other devices, without what each makes for itself; nil where it is given as it is.
    func travelling(part path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [UInt8]?

    /// What is worth telling of a document that can be read.
    func remarks(on parts: [(any ByteSource)?], reading: DocumentReading) -> [DocumentRemark]
}

extension DocumentKind {
    /// Those of the parts that are read and written one by one: the content, and single files. The others are kept, and go where the document goes.
    public var written: [DocumentPart] { (parts ?? []).enumerated().filter { isWritten($1, at: $0) }.map(\.1) }
    public var others: [DocumentPart] { (parts ?? []).enumerated().filter { !isWritten($1, at: $0) }.map(\.1) }

    /// All written parts lie in one folder: beside a content that lies deeper, there is none.
    private func isWritten(_ part: DocumentPart, at index: Int) -> Bool {
        index == 0 || part.isWrittenAlone && parts?.first?.folders.isEmpty != false
    }

    public func read(
        _ parts: [(any ByteSource)?], called names: [[UInt8]], storedName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> DocumentReading { try read(parts, storedName: storedName, options: options) }

    /// Whether what has no content yet is one of this kind: as a text is, and no image.
    public func mayBeEmpty(shownName: [UInt8]) -> Bool {
        (try? write(content: Bytes([]), shownName: shownName, over: nil, spelling: nil)) != nil
    }

    public func keeps(shownName: [UInt8]) -> Bool { takes(shownName: shownName) }
    public var isMadeFromFiles: Bool { true }
    public var flat: FlatForm? { nil }
    public var section: String? { nil }
    public var folderExtension: String? { nil }
    public var contentType: (identifier: String, itemExtension: String) { ("public.data", "") }
    public var isText: Bool { false }
    public var thumbnails: (any ThumbnailKeeping)? { nil }
    public func remarks(on parts: [(any ByteSource)?], reading: DocumentReading) -> [DocumentRemark] { [] }
    public func essence(ofPart path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [PartEssence]? { nil }
    public func travelling(part path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [UInt8]? { nil }
    public func isMeant(storedName: [UInt8]) -> Bool { true }
    public func missingEnd(of content: any ByteSource) throws(DocumentFault) -> String? { nil }
    public func tells(shownName: [UInt8], storedName: [UInt8]) -> Bool { true }
    public func mayBe(storedName: [UInt8], byteCount: Int64) -> Bool { true }
}

/// Microseconds since 1970, as stored names carry them.
public struct UnixMicroseconds: Hashable, Sendable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// How documents are to be shown where they leave a choice.
public struct ShowingOptions: Hashable, Sendable {
    /// The form of a bookmark that was not created under a form of its own.
    public var linkForm: LinkForm
    public var packages: ShownPackages

    public init(linkForm: LinkForm = .url, packages: ShownPackages = .kind) {
        (self.linkForm, self.packages) = (linkForm, packages)
    }

    /// One word for all of it: drives of one container may differ in that.
    public var word: String { packages == .kind ? linkForm.rawValue : "\(linkForm.rawValue)-\(packages.rawValue)" }
}

/// As what packages of other apps are shown: as the kind of each says, each as one flat file, or each as the folder
/// that it is.
public enum ShownPackages: String, CaseIterable, Hashable, Sendable {
    case kind, file, folder
}

/// The forms of a link file.
public enum LinkForm: String, CaseIterable, Hashable, Sendable {
    case url, desktop, webloc, html
}

/// How an app spells its archives' keys and classes, as one word that a kind understands and
/// everybody else only carries: "PhotoKeeper" for a Swift module, "PTK" for Objective-C.
public struct Spelling: Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a document shows.
public struct DocumentReading: Sendable {
    /// The document's own name: an archived name, or a title. Any text, "/" included: the drive
    /// makes a file name of it.
    public var name: [UInt8]
    /// The extension of its file, without the dot.
    public var fileExtension: String
    public var content: Content
    public var spelling: Spelling?
    /// What `valise info` prints besides, in order: ("URL", "https://…").
    public var facts: [Fact]

    public struct Fact: Hashable, Sendable {
        public let label: String
        public let value: String
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// Where the shown bytes are: a range of a part, handed on without being looked at; made from what was read; all of a package; or
    /// nowhere here.
    public enum Content: Hashable, Sendable {
        case range(part: Int, offset: Int64, length: Int64)
        case bytes([UInt8])
        case flat(length: Int64)
        case elsewhere(length: Int64)
    }

    public init(name: [UInt8], fileExtension: String, content: Content, spelling: Spelling? = nil, facts: [Fact] = []) {
        self.name = name
        self.fileExtension = fileExtension
        self.content = content
        self.spelling = spelling
        self.facts = facts
    }

    public func fact(_ label: String) -> String? { facts.first { $0.label == label }?.value }

    public var length: Int64 {
        switch content {
        case .range(_, _, let length), .flat(let length), .elsewhere(let length): length
        case .bytes(let bytes): Int64(bytes.count)
        }
    }
}

/// What becomes of one part in a save.
public enum PartWriting: Hashable, Sendable {
    /// It stays as it is, or stays away.
    case keep
    case bytes([UInt8])
    /// The content with these bytes before and after it. `head` is as long as the kind's `contentStart`.
    case around(head: [UInt8], tail: [UInt8])
}

/// Why a document could not be read or written.
public enum DocumentFault: Error, Hashable, Sendable {
    /// It is something else: a plain file with a document's name, an archive of another class.
    case foreign(String)
    /// It is meant to be a document of this kind, and is broken. A sentence that says how.
    case damaged(String)
    /// New content is not what its name says. A sentence that says how.
    case unfit(String)
    /// The bytes could not be read: the kernel's error number, or nil where they ended early.
    case unreadable(Int32?)
}

/// The kinds of which new files become documents, in the order in which items are asked whether they are of one. Each
/// container has them, and the packages of other apps (`ShippedPackages.swift`).
public enum DocumentKinds {
    public static let shipped: [any DocumentKind] = [BookmarkKind(), PhotoKind(), TextKind()]

    /// What iCloud left of what was not downloaded. Each container has it, and no file becomes one.
    public static let notDownloaded: any DocumentKind = PlaceholderKind()

    /// What plain files have versions as. No container has it.
    public static let plainFile: any DocumentKind = PlainKind()

    /// What folders that are one item have versions as, and are among the deleted. No container has it.
    public static let folderItem: any DocumentKind = FolderItemKind()
}
