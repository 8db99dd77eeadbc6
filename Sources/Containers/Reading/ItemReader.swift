import Documents
import LinuxFiles
import PropertyLists

/// Reads entries of a container's folders: plain ones with one call, documents through their kind.
///
/// The folder comes with each call. Its only state is what it remembers (`ReadingMemory.swift`).
public struct ItemReader: Sendable {
    public let options: ShowingOptions
    public let kinds: KindRegistry
    let memory = ReadingMemory()

    public init(options: ShowingOptions, kinds: KindRegistry) { (self.options, self.kinds) = (options, kinds) }

    /// What an entry is. `type` is what the folder said of it, and `was` what a look at it did: each spares a call.
    public func read(_ name: Name, type: FileType = .unknown, was seen: FileStatus? = nil, in folder: borrowing Descriptor) throws(Errno) -> Item {
        var known = seen?.type ?? type
        var status = seen
        if known == .unknown {
            let found = try folder.status(of: name)
            status = found
            known = found.type
        }
        if known == .regular || known == .folder, let candidate = candidate(for: name, isFolder: known == .folder) {
            do throws(DocumentFault) {
                return try listed(name, as: candidate, was: known == .regular ? status : nil, in: folder)
            } catch {
                var fault: String? = Self.sentence(of: error)
                // Any file may be something else without a fault, unless it is called as only a document is.
                if case .foreign = error, !candidate.kind.isMeant(storedName: name.bytes) { fault = nil }
                return Item(name: name, status: try folder.status(of: name), fault: fault, isDenied: Self.isDenied(error))
            }
        }
        if let status { return Item(name: name, status: status) }
        return Item(name: name, status: try folder.status(of: name))
    }

    /// An entry as it lies there, its insides not looked at.
    public func readOriginal(_ name: Name, in folder: borrowing Descriptor) throws(Errno) -> Item {
        Item(name: name, status: try folder.status(of: name))
    }

    /// An entry of the folder with this path.
    public func read(_ name: Name, in folder: borrowing Descriptor, at path: some Sequence<Name>) throws(Errno) -> Item {
        try kinds.isPackage(at: path) ? readOriginal(name, in: folder) : read(name, in: folder)
    }

    /// The kind that an item of this name may be, from the name alone.
    public func candidate(for name: Name, isFolder: Bool) -> KindID? { kinds.candidate(for: name, isFolder: isFolder) }

    /// Whether a folder of this name may be one item, from the name alone.
    public func mayBePackage(_ name: Name) -> Bool { candidate(for: name, isFolder: true) != nil || kinds.isOwnPackage(name) }

    /// A document that was read, with its parts held open: what they say cannot change any more by a save.
    public struct Opened: Sendable {
        public var item: Item
        public let reading: DocumentReading
        /// The content's part by itself.
        public let content: FileStatus
        /// The package's folder.
        public let package: OpenFile?
        /// One a part; nil where the document has none.
        public let parts: [OpenFile?]
        public let sources: [(any ByteSource)?]
        /// All of a package that is shown as one flat file. Its parts are not open.
        public var flat: FlatPackage?

        /// What a drive shows of it.
        public var shownContent: any ByteSource {
            switch reading.content {
            case .bytes(let bytes): return Bytes(bytes)
            case .flat: return flat ?? Bytes([])
            case .elsewhere: return ElsewhereSource(byteCount: reading.length)
            case .range(let part, let offset, let length):
                guard sources.indices.contains(part), let source = sources[part] else { return Bytes([]) }
                return RangeSource(source, from: offset, count: length)
            }
        }
    }

    /// Opens a document's parts and reads what it shows: for Valise itself, which is no access of anybody's (`openContent` is).
    public func open(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(DocumentFault) -> Opened {
        try open(name, as: id, in: folder, hurried: false, untraced: true).opened
    }

    /// A document that was read, and its parts' facts.
    struct Found {
        let opened: Opened
        let parts: [FileStatus?]
        /// The names of a package's parts.
        let names: [Name]
    }

    /// The same of a document that lies under another name than its own, or has its parts under other names.
    public func open(
        _ name: Name, as id: KindID, in folder: borrowing Descriptor, called stored: Name? = nil, parts: [Name]? = nil
    ) throws(DocumentFault) -> Opened {
        try open(name, as: id, in: folder, hurried: false, untraced: true, called: stored ?? name, parts: parts).opened
    }

    /// The same for a listing, with a call less for each part. What looks broken then may just have been saved meanwhile. That
    /// the drive looks what something is, is no access of anybody's.
    private func listed(_ name: Name, as id: KindID, was: FileStatus?, in folder: borrowing Descriptor) throws(DocumentFault) -> Item {
        do throws(DocumentFault) { return try open(name, as: id, in: folder, hurried: true, untraced: true, was: was).opened.item } catch {
            if case .foreign = error { throw error }
            return try open(name, as: id, in: folder, hurried: false, untraced: true).opened.item
        }
    }

    func open(
        _ name: Name, as id: KindID, in folder: borrowing Descriptor, hurried: Bool, untraced: Bool = false, called stored: Name? = nil,
        parts otherParts: [Name]? = nil, found: FoundPackage? = nil, was: FileStatus? = nil
    ) throws(DocumentFault) -> Found {
        var found = found, was = was
        // What is moved out of the container while it is opened, or a package whose folder has just been, cannot be reached any more,
        // for a process that may reach nothing else. Another one may have its name, or it comes back.
        for _ in 0..<Self.mostMoves {
            do throws(DocumentFault) {
                return try openOnce(name, as: id, in: folder, hurried: hurried, untraced: untraced, called: stored, parts: otherParts, found: found, was: was)
            } catch { guard error.errno == .accessDenied else { throw error } }
            (found, was) = (nil, nil)
        }
        return try openOnce(name, as: id, in: folder, hurried: hurried, untraced: untraced, called: stored, parts: otherParts)
    }

    private static let mostMoves = 3

    private func openOnce(
        _ name: Name, as id: KindID, in folder: borrowing Descriptor, hurried: Bool, untraced: Bool, called stored: Name?,
        parts otherParts: [Name]?, found: FoundPackage? = nil, was: FileStatus? = nil
    ) throws(DocumentFault) -> Found {
        let kind = id.kind
        if let flat = kind.flat { return try openFlat(name, as: id, flat, in: folder, called: stored ?? name) }
        var parts: [OpenFile?] = []
        var sources: [(any ByteSource)?] = []
        var statuses: [FileStatus?] = []
        var folderOfParts: OpenFile?
        func take(_ file: OpenFile, _ facts: FileStatus) {
            parts.append(file)
            sources.append(FileSource(file, byteCount: facts.size))
            statuses.append(facts)
        }
        var names: [Name] = []
        if let form = id.form {
            let opened = if let found { found.package } else { OpenFile(try Self.openPackage(name, in: folder)) }
            folderOfParts = opened
            let home = if let found { found.home } else { try Self.home(form, in: opened) }
            if let known = found?.names ?? otherParts { names = known } else {
                do throws(Errno) { names = try form.names(in: home.descriptor) } catch { throw .unreadable(error.rawValue) }
            }
            for (index, part) in names.enumerated() {
                if let (file, facts) = try Self.openPart(part, in: home.descriptor, hurried, untraced: untraced, was: found?.parts[index]) {
                    take(file, facts)
                } else {
                    parts.append(nil)
                    sources.append(nil)
                    statuses.append(nil)
                }
            }
        } else {
            let called = stored ?? name
            func mayBe(_ count: Int64) -> Bool { kind.mayBe(storedName: called.bytes, byteCount: count) }
            guard let (file, facts) = try Self.openPart(name, in: folder, hurried, untraced: untraced, was: was, of: mayBe) else { throw .unreadable(Errno.noSuchEntry.rawValue) }
            take(file, facts)
        }
        let reading = try kind.read(sources, called: id.variableNames(among: names), storedName: (stored ?? name).bytes, options: options)
        guard let item = Self.item(name, id, reading, statuses), let content = statuses.compactMap(\.self).first else { throw .damaged("none of the files that such a document is made of is in “\(name)”") }
        return Found(opened: Opened(item: item, reading: reading, content: content, package: folderOfParts, parts: parts, sources: sources), parts: statuses, names: names)
    }

    /// All of a package, as one flat file.
    private func openFlat(_ name: Name, as id: KindID, _ form: FlatForm, in folder: borrowing Descriptor, called stored: Name) throws(DocumentFault) -> Found {
        let package = OpenFile(try Self.openPackage(name, in: folder)), flat = try FlatPackage(package, form)
        let reading = try id.kind.read([flat], storedName: stored.bytes, options: options)
        let item = Item(name: name, status: flat.status, document: DocumentItem(kind: id, reading: reading))
        let opened = Opened(item: item, reading: reading, content: flat.status, package: package, parts: [], sources: [flat], flat: flat)
        return Found(opened: opened, parts: [], names: [])
    }

    /// A document as the drive shows it: a regular file with the content's size and the newest part's times.
    static func item(_ name: Name, _ id: KindID, _ reading: DocumentReading, _ parts: [FileStatus?]) -> Item? {
        guard let shown = shownStatus(of: parts.compactMap(\.self), length: reading.length) else { return nil }
        return Item(name: name, status: shown, document: DocumentItem(kind: id, reading: reading))
    }

    /// What is shown of a document with these parts and content of this length; nil for one without parts.
    public static func shownStatus(of parts: [FileStatus], length: Int64) -> FileStatus? {
        guard let first = parts.first else { return nil }
        var shown = parts.dropFirst().reduce(first, combined)
        shown.size = length
        shown.links = 1
        shown.mode = regularFile | shown.mode & 0o666
        shown.blocks = FileStatus.blocks(of: length)
        return shown
    }

    private static let regularFile: UInt32 = 0o100000

    /// The first part's facts, with the newest times of both.
    private static func combined(_ first: FileStatus, _ second: FileStatus) -> FileStatus {
        var status = first
        status.modified = max(first.modified, second.modified)
        status.changed = max(first.changed, second.changed)
        return status
    }

    /// As a place, so that nobody needs leave to list it, or `readable` where they have it.
    static func openPackage(_ name: Name, in folder: borrowing Descriptor, readable: Bool = false) throws(DocumentFault) -> Descriptor {
        if readable, let package = try? folder.open(name, [.read, .folder]) { return package }
        do throws(Errno) { return try folder.open(name, [.path, .folder]) }
        catch { throw .unreadable(error.rawValue) }
    }

    /// Where the parts of a package are. One without that folder is any folder that is called so.
    static func home(_ form: PackageForm, in package: OpenFile) throws(DocumentFault) -> OpenFile {
        do throws(Errno) { return try form.home(in: package) } catch {
            guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw .unreadable(error.rawValue) }
            throw .foreign("None of the files is in it that each document of its kind has.")
        }
    }

    /// Opens a part if it is there. What is not a regular file is never opened: a pipe would make the
    /// reader wait, a device may do anything. `was`: what `facts` said of it a moment ago.
    static func openPart(
        _ part: Name, in folder: borrowing Descriptor, _ hurried: Bool = false, untraced: Bool = false, was: FileStatus? = nil,
        of mayBe: (Int64) -> Bool = { _ in true }
    ) throws(DocumentFault) -> (file: OpenFile, facts: FileStatus)? {
        guard let facts = if let was { was } else { try facts(of: part, in: folder) } else { return nil }
        guard mayBe(facts.size) else { throw .foreign("No document of its kind is as long as it is, or as short.") }
        do throws(Errno) {
            let flags: OpenFlags = [.read, .nonBlocking]
            let file = OpenFile(untraced ? try folder.openUntraced(part, flags) : try folder.open(part, flags))
            // Asked again, because a save may have put another file in its place.
            return (file, hurried ? facts : try file.descriptor.status())
        } catch {
            guard error == .noSuchEntry else { throw .unreadable(error.rawValue) }
            return nil
        }
    }

    /// A part that is not there is no fault; one that cannot be reached is.
    static func facts(of part: Name, in folder: borrowing Descriptor) throws(DocumentFault) -> FileStatus? {
        let facts: FileStatus
        do throws(Errno) { facts = try folder.status(of: part) } catch {
            guard error == .noSuchEntry else { throw .unreadable(error.rawValue) }
            return nil
        }
        guard facts.type == .regular else { throw .damaged("Its \(part) is not a regular file.") }
        return facts
    }

    package static func isDenied(_ fault: DocumentFault) -> Bool {
        fault.errno == .accessDenied || fault.errno == .notPermitted
    }

    /// A fault as a sentence for `user.valise.error` and the status page.
    public static func sentence(of fault: DocumentFault) -> String {
        switch fault {
        case .foreign(let reason), .damaged(let reason), .unfit(let reason): reason
        case .unreadable(let number?): "it cannot be read: \(Errno(rawValue: number))"
        case .unreadable(nil): "it ends before its end"
        }
    }
}

extension DocumentFault {
    /// Why its bytes could not be read; nil where they were, or ended early.
    public var errno: Errno? { if case .unreadable(let number?) = self { Errno(rawValue: number) } else { nil } }
}

/// The content of what nobody here has: it has a length, and cannot be read.
private struct ElsewhereSource: ByteSource {
    let byteCount: Int64

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) { throw SourceFailure(errno: Errno.unreachable.rawValue) }
}
