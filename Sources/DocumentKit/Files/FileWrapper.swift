import Foundation
import LinuxFiles

/// A file, a folder or a symbolic link in memory: what a document of several files is read into and written from. As
/// Foundation's class of this name, which Linux does not have.
///
/// A folder's children, and a file's contents, are read when they are asked for first; what changed on disk meanwhile is not
/// mixed in, but missing (nil). Writing leaves what did not change alone: it keeps its place on disk.
///
/// ```swift
/// let wrapper = FileWrapper(directoryWithFileWrappers: [:])
/// wrapper.addRegularFile(withContents: image, preferredFilename: "photo.data")
/// try wrapper.write(to: url, options: .atomic, originalContentsURL: nil)
/// ```
open class FileWrapper: NSObject {
    private(set) var content: Content
    private var preferred: String?
    /// Folders that this one is in. They follow when its preferred name changes.
    private var parents: [Parent] = []
    /// The file on disk that has this content, as it was when that was known.
    var stamp: FileStamp?

    enum Content {
        case file(FileContents)
        case folder(FolderContents)
        case link(String)
    }

    private struct Parent { weak var wrapper: FileWrapper? }

    /// How a wrapper is read.
    ///
    /// ```swift
    /// let wrapper = try FileWrapper(url: url, options: .immediate)
    /// ```
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// All of it at once, and not when it is asked for.
        public static let immediate = ReadingOptions(rawValue: 1 << 0)
        /// Contents are copied into memory: they always are here.
        public static let withoutMapping = ReadingOptions(rawValue: 1 << 1)
    }

    /// How a wrapper is written.
    ///
    /// ```swift
    /// try wrapper.write(to: url, options: [.atomic, .withNameUpdating], originalContentsURL: url)
    /// ```
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Wholly or not at all.
        public static let atomic = WritingOptions(rawValue: 1 << 0)
        /// Afterwards, the wrappers know the names that they were written under.
        public static let withNameUpdating = WritingOptions(rawValue: 1 << 1)
        /// See `WrapperWriting`. Foundation has no such option.
        static let withoutTakenAway = WritingOptions(rawValue: 1 << 16)
    }

    // MARK: Making

    private init(content: Content) {
        self.content = content
        super.init()
    }

    /// A folder with these children, by the names that they get. A child without a preferred name prefers that.
    ///
    /// ```swift
    /// let wrapper = FileWrapper(directoryWithFileWrappers: ["photo.data": data, "photo.metadata": metadata])
    /// ```
    public init(directoryWithFileWrappers children: [String: FileWrapper]) {
        content = .folder(FolderContents(children: children))
        super.init()
        for (name, child) in children { adopt(child, as: name) }
    }

    /// A file with these contents.
    ///
    /// ```swift
    /// let wrapper = FileWrapper(regularFileWithContents: Data("text".utf8))
    /// ```
    public init(regularFileWithContents contents: Data) {
        content = .file(FileContents(data: contents))
        super.init()
    }

    /// A symbolic link.
    ///
    /// ```swift
    /// let wrapper = FileWrapper(symbolicLinkWithDestinationURL: URL(fileURLWithPath: "photo.data"))
    /// ```
    public init(symbolicLinkWithDestinationURL url: URL) {
        content = .link(url.relativePath)
        super.init()
    }

    /// What lies at a URL. Children and contents are read when they are asked for.
    ///
    /// ```swift
    /// let wrapper = try FileWrapper(url: document.fileURL, options: [])
    /// ```
    /// - Throws: an error of the Cocoa domain that names the file.
    public convenience init(url: URL, options: ReadingOptions = []) throws {
        try self.init(FoundFile(FilePlace(url)))
        if options.contains(.immediate) { try readAll(depth: 0) }
    }

    init(_ found: FoundFile) {
        (content, stamp, filename, preferred) = (found.content, found.stamp, found.name, found.name)
        fileAttributes = found.attributes
        super.init()
    }

    /// What ``serializedRepresentation`` made; nil where it is not that.
    ///
    /// ```swift
    /// let wrapper = FileWrapper(serializedRepresentation: data)
    /// ```
    public convenience init?(serializedRepresentation data: Data) {
        guard let list = SerializedWrapper.list(in: data) else { return nil }
        self.init(serialized: list)
    }

    convenience init?(serialized list: SerializedWrapper) {
        switch list.content {
        case .file(let data): self.init(regularFileWithContents: data)
        case .link(let target): self.init(content: .link(target))
        case .folder(let members):
            var children: [String: FileWrapper] = [:]
            for (name, member) in members { children[name] = FileWrapper(serialized: member) }
            guard children.count == members.count else { return nil }
            self.init(directoryWithFileWrappers: children)
        }
        if let preferred = list.preferredFilename { self.preferred = preferred }
        filename = list.filename
    }

    // MARK: What it is

    /// ```swift
    /// if wrapper.isDirectory { print(wrapper.fileWrappers ?? [:]) }
    /// ```
    open var isDirectory: Bool { if case .folder = content { true } else { false } }

    /// ```swift
    /// if wrapper.isRegularFile { print(wrapper.regularFileContents?.count ?? 0) }
    /// ```
    open var isRegularFile: Bool { if case .file = content { true } else { false } }

    /// ```swift
    /// if wrapper.isSymbolicLink { print(wrapper.symbolicLinkDestinationURL as Any) }
    /// ```
    open var isSymbolicLink: Bool { if case .link = content { true } else { false } }

    /// What it is to be called. Folders that it is in call it so, as far as that is free.
    ///
    /// ```swift
    /// wrapper.preferredFilename = "photo.data"
    /// ```
    open var preferredFilename: String? {
        get { preferred }
        set {
            let holders = parents.compactMap(\.wrapper).filter { $0.keyForChildFileWrapper(self) != nil }
            holders.forEach { $0.removeFileWrapper(self) }
            preferred = newValue
            holders.forEach { $0.addFileWrapper(self) }
        }
    }

    /// What it was called where it was read or written last.
    ///
    /// ```swift
    /// print(wrapper.filename ?? "never on disk")
    /// ```
    open var filename: String?

    /// Facts of the file, by the raw values of `FileAttributeKey`. The permissions are those that it is written with.
    ///
    /// ```swift
    /// let date = wrapper.fileAttributes[FileAttributeKey.modificationDate.rawValue] as? Date
    /// ```
    open var fileAttributes: [String: Any] = [:]

    /// The contents of a file; nil for anything else, and where the file was changed before they were read.
    ///
    /// ```swift
    /// let image = wrapper.fileWrappers?["photo.data"]?.regularFileContents
    /// ```
    open var regularFileContents: Data? {
        guard case .file(let contents) = content else { return nil }
        return contents.data()
    }

    /// Where a symbolic link leads to; nil for anything else.
    ///
    /// ```swift
    /// print(wrapper.symbolicLinkDestinationURL?.relativePath ?? "no link")
    /// ```
    open var symbolicLinkDestinationURL: URL? {
        guard case .link(let target) = content else { return nil }
        return URL(fileURLWithPath: target)
    }

    // MARK: Children

    /// A folder's children, by their names in it; nil for anything else, and where the folder cannot be read.
    ///
    /// ```swift
    /// for (name, child) in wrapper.fileWrappers ?? [:] { print(name, child.isDirectory) }
    /// ```
    open var fileWrappers: [String: FileWrapper]? {
        guard case .folder(let contents) = content, let children = try? children(of: contents) else { return nil }
        return children
    }

    private func children(of contents: FolderContents, toWrite: Bool = false) throws -> [String: FileWrapper] {
        if let children = contents.children { return children }
        var children: [String: FileWrapper] = [:]
        for part in try toWrite ? contents.partsToWrite() : contents.parts() {
            // What is neither file, folder nor link is no part of the document.
            guard let found = try? FoundFile(part) else { continue }
            let child = FileWrapper(found)
            child.preferred = NumberedName.preferred(of: found.name)
            child.parents.append(Parent(wrapper: self))
            children[found.name] = child
        }
        contents.children = children
        return children
    }

    /// Of a folder that is another one by now, what that has.
    func childrenToWrite() throws -> [String: FileWrapper] {
        guard case .folder(let contents) = content else { return [:] }
        return try children(of: contents, toWrite: true)
    }

    /// Somebody has taken away what this was read from, and nobody has it in memory.
    var isTakenAway: Bool {
        switch content {
        case .file(let contents): contents.areTakenAway
        case .folder(let contents): contents.isTakenAway
        case .link: false
        }
    }

    private func readAll(depth: Int) throws {
        guard depth < FilePlace.deepest else { throw FileFault.error(.fileReadUnknown, filename ?? "", nil) }
        switch content {
        case .file(let contents):
            guard contents.data() == nil else { return }
            _ = try contents.dataToWrite()
            // It has changed since it was looked at.
            throw FileFault.error(.fileReadUnknown, filename ?? "", .stale)
        case .folder(let contents): for child in try children(of: contents).values { try child.readAll(depth: depth + 1) }
        case .link: break
        }
    }

    /// Puts a child into this folder under its preferred name, or with a number before that where it is taken.
    ///
    /// ```swift
    /// let key = wrapper.addFileWrapper(child)
    /// ```
    /// - Returns: the name that it has in ``fileWrappers``; "" where this is no folder.
    @discardableResult
    open func addFileWrapper(_ child: FileWrapper) -> String {
        guard case .folder(let contents) = content, let present = try? children(of: contents) else { return "" }
        if let key = present.first(where: { $0.value === child })?.key { return key }
        let name = NumberedName.free(child.preferred ?? child.filename ?? "Untitled") { present[$0] != nil }
        contents.children?[name] = child
        adopt(child, as: name)
        return name
    }

    private func adopt(_ child: FileWrapper, as name: String) {
        if child.preferred == nil { child.preferred = name }
        child.parents.removeAll { $0.wrapper == nil || $0.wrapper === self }
        child.parents.append(Parent(wrapper: self))
    }

    /// Puts a new file into this folder.
    ///
    /// ```swift
    /// wrapper.addRegularFile(withContents: thumbnail, preferredFilename: "photo.metadata")
    /// ```
    /// - Returns: the name that it has in ``fileWrappers``.
    @discardableResult
    open func addRegularFile(withContents data: Data, preferredFilename name: String) -> String {
        let child = FileWrapper(regularFileWithContents: data)
        child.preferred = name
        return addFileWrapper(child)
    }

    /// Takes a child out of this folder.
    ///
    /// ```swift
    /// if let old = wrapper.fileWrappers?["photo.data"] { wrapper.removeFileWrapper(old) }
    /// ```
    open func removeFileWrapper(_ child: FileWrapper) {
        guard case .folder(let contents) = content, let key = keyForChildFileWrapper(child) else { return }
        contents.children?[key] = nil
        child.parents.removeAll { $0.wrapper === self }
    }

    /// The name that a child has in ``fileWrappers``; nil where it is none.
    ///
    /// ```swift
    /// let key = wrapper.keyForChildFileWrapper(child)
    /// ```
    open func keyForChildFileWrapper(_ child: FileWrapper) -> String? { fileWrappers?.first { $0.value === child }?.key }

    // MARK: On disk

    /// Becomes what lies at a URL. Children that are still there by their names stay the objects that they are.
    ///
    /// ```swift
    /// try wrapper.read(from: url, options: [])
    /// ```
    /// - Throws: an error of the Cocoa domain that names the file.
    open func read(from url: URL, options: ReadingOptions = []) throws {
        let new = try FileWrapper(url: url, options: options)
        become(new)
        if preferred == nil { preferred = new.preferred }
    }

    private func become(_ new: FileWrapper) {
        if case .folder(let contents) = new.content {
            var known: [String: FileWrapper] = [:]
            if case .folder(let old) = content { known = old.children ?? [:] }
            // Who has asked for the children may have kept them.
            if !known.isEmpty, let found = try? new.children(of: contents) {
                contents.children = Dictionary(uniqueKeysWithValues: found.map { name, child in
                    guard let own = known[name] else { return (name, child) }
                    own.become(child)
                    return (name, own)
                })
            }
            for (name, child) in contents.children ?? [:] {
                child.parents.removeAll { $0.wrapper === new }
                adopt(child, as: name)
            }
            for (name, child) in known where contents.children?[name] !== child { child.parents.removeAll { $0.wrapper === self } }
        }
        (content, stamp, fileAttributes, filename) = (new.content, new.stamp, new.fileAttributes, new.filename)
    }

    /// Whether what lies at a URL is still what this wrapper was read from, or written to, last. The bytes are not compared.
    ///
    /// ```swift
    /// if !wrapper.matchesContents(of: url) { try wrapper.read(from: url, options: []) }
    /// ```
    open func matchesContents(of url: URL) -> Bool {
        guard let place = try? FilePlace(url) else { return false }
        return matches(place, depth: 0)
    }

    /// The opposite of ``matchesContents(of:)``, by a path.
    ///
    /// ```swift
    /// if wrapper.needsToBeUpdated(fromPath: path) { try wrapper.read(from: url, options: []) }
    /// ```
    open func needsToBeUpdated(fromPath path: String) -> Bool { !matchesContents(of: URL(fileURLWithPath: path)) }

    private func matches(_ place: FilePlace, depth: Int) -> Bool {
        guard depth < FilePlace.deepest, let stamp, let status = try? place.status() else { return false }
        guard case .folder(let contents) = content else { return stamp == FileStamp(status) }
        guard status.type == .folder, status.identity == stamp.identity else { return false }
        guard let children = contents.children else { return stamp == FileStamp(status) }
        guard let places = try? place.inside(), places.count == children.count else { return false }
        return places.allSatisfy { inner in children[inner.shownName].map { $0.matches(inner, depth: depth + 1) } ?? false }
    }

    /// Writes it to a URL.
    ///
    /// A part that did not change since it was read from `originalContentsURL`, or whose bytes are the same there, is not
    /// written again: it stays, or becomes a second name of the same file.
    ///
    /// ```swift
    /// try wrapper.write(to: url, options: .atomic, originalContentsURL: url)
    /// ```
    /// - Throws: an error of the Cocoa domain that names the file. With `.atomic`, what lay there then still does.
    open func write(to url: URL, options: WritingOptions = [], originalContentsURL: URL?) throws {
        let place = try FilePlace(url), original = try originalContentsURL.map { try FilePlace($0) }
        let writing = WrapperWriting(
            isNoting: options.contains(.withNameUpdating), leavesOutTakenAway: options.contains(.withoutTakenAway))
        if options.contains(.atomic) { try writing.replace(place, with: self, original: original) } else { try writing.write(self, to: place, original: original) }
        if options.contains(.withNameUpdating) { filename = place.shownName }
    }

    /// All of it as bytes, for the pasteboard say. Only this library reads them.
    ///
    /// ```swift
    /// let data = wrapper.serializedRepresentation
    /// ```
    /// - Returns: nil where a part of it cannot be read.
    open var serializedRepresentation: Data? { SerializedWrapper(self, depth: 0)?.data }
}
