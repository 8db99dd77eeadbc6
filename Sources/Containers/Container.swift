import Documents
import LinuxFiles

/// A container on disk: a folder of documents as an app keeps them.
///
/// Holds what belongs to the whole of it: where its documents are, which kinds new files become, how its
/// archives are spelled. Reading one item is `ItemReader`'s, saving one is in `Workshop`.
public final class Container: Sendable {
    /// The absolute path that it was opened by, for sentences.
    public let path: String
    /// The folder itself: with the state folder and all data.
    public let base: OpenFile
    /// Where the documents are: `Documents/` if there is one, or else the folder itself.
    public let documents: OpenFile
    private let documentsIdentity: FileIdentity?
    /// A folder `Documents` in it is one like any other.
    private let isAllDocuments: Bool
    public let reader: ItemReader
    public let access: Access
    /// The kinds of documents that it has.
    public var kinds: KindRegistry { reader.kinds }
    /// What is wrong with the kinds that it names itself, in sentences.
    public let kindMistakes: [String]
    /// Where Valise keeps its own state.
    public let state: StateFolder
    /// The kinds that a new file with the right name and content becomes.
    public let creating: [KindID]
    let copies = KnownCopies(), versionsKnown = KnownVersionsFolder()
    private let spellings = Locked<[KindID: Spelling]>([:])

    public enum Access: Sendable { case read, readWrite }

    init(path: String, base: OpenFile, documents: OpenFile, state: StateFolder, access: Access, reader: ItemReader, creating: [KindID], kindMistakes: [String]) {
        self.path = path
        self.state = state
        self.base = base
        self.documents = documents
        isAllDocuments = Self.isAllDocuments(path)
        documentsIdentity = documents === base ? nil : try? documents.descriptor.status().identity
        self.access = access
        (self.creating, self.kindMistakes) = (creating, kindMistakes)
        self.reader = reader
    }

    /// Opens a folder as a container. `creating`: the kinds of documents that new files become, by name,
    /// or nil to decide as `valise init` wrote down, or else by the documents that are found. `kinds`: those that there are in all containers; a
    /// container may name others.
    public static func open(
        _ path: String, access: Access, options: ShowingOptions = ShowingOptions(), creating: [String]? = nil, kinds: KindRegistry
    ) throws(Failure) -> Container {
        let base: OpenFile, documents: OpenFile, absolute: String, state: StateFolder
        do throws(Errno) {
            base = OpenFile(try Descriptor.atPath(path, [.path, .folder]))
            absolute = try AbsolutePath.of(base.descriptor)
            documents = try isAllDocuments(absolute) ? base : documentsFolder(of: base)
            state = try StateFolder(in: base, path: absolute, access: access)
        } catch {
            throw Failure(error, sentence(for: error, path: path), cause: error)
        }
        let settings = Settings.bytes(in: state)
        let (written, mistakes) = kinds.with(KindsFile(settings, hasOwnLines: true), isContainers: true)
        let all = written.showing(options.packages), reader = ItemReader(options: options, kinds: all)
        PackageExtensions.add(all)
        let chosen = try creating?.map { (name) throws(Failure) in try all.wanted(name) } ?? Settings(settings, all).creating
        // Who declared a kind that is shown as flat files wants them: there is nothing else that a file of that name with such a content could be.
        // Of those that are shipped that is so where documents are made at all.
        let found = chosen ?? KindSurvey.kinds(in: documents.descriptor, reader: reader)
        let declared = all.all.filter { id in
            creating == nil && id.kind.flat != nil && (!found.isEmpty || KindRegistry.shipped.named(id.name) == nil)
        }
        let made = (found + declared.filter { !found.contains($0) }).filter(\.kind.isMadeFromFiles)
        return Container(
            path: absolute, base: base, documents: documents, state: state, access: access, reader: reader, creating: made,
            kindMistakes: mistakes.map { PersonsKinds.sentence($0, in: "\(state.fullPath)/\(Settings.fileName)") })
    }

    package static let journalName = Name(constant: "journal")
    /// The folder that documents have of their own, where a container holds more.
    public static let documentsName = Name(constant: "Documents")

    /// Whether the documents are in a folder of their own.
    public var hasDocumentsFolder: Bool { documents !== base }

    /// iCloud Drive's own folder is all documents: a folder `Documents` in it is what a Mac puts there of its own folder of that name.
    private static func isAllDocuments(_ path: String) -> Bool {
        path.split(separator: "/").last.flatMap { Name(String($0)) }.flatMap { AppIdentifier(folder: $0) } == .drive
    }

    /// Where whoever opens the container now has its documents.
    public enum DocumentsNow: Sendable {
        /// Where this has them.
        case here
        /// In a folder `Documents` that was made since this was opened, or that took the place of another one.
        case elsewhere
        /// Not where this has them: their folder has another name, or is gone. It may come back, and till then there are none.
        case nowhere
    }

    public var documentsNow: DocumentsNow {
        guard !isAllDocuments else { return .here }
        let now: FileStatus?
        do throws(Errno) { now = try base.descriptor.status(of: Self.documentsName) } catch {
            // What cannot be looked at is no other folder.
            guard error == .noSuchEntry else { return .here }
            now = nil
        }
        guard let now, now.type == .folder else { return hasDocumentsFolder ? .nowhere : .here }
        return now.identity == documentsIdentity ? .here : .elsewhere
    }

    /// Whether the documents are in another folder by now.
    public var isOutdated: Bool { documentsNow == .elsewhere }

    /// Why a drive of it is empty, where documents lie beside the folder that is for them: what else is there is the app's.
    public var emptinessReason: String? {
        guard hasDocumentsFolder, !has(in: documents, { _ in true }), has(in: base, isDocument) else { return nil }
        return "the folder “Documents” of “\(path)” is empty, and a drive shows only what is in it; move the documents that lie beside it there"
    }

    private func isDocument(_ entry: FolderReader.Entry) -> Bool {
        guard let kind = reader.candidate(for: entry.name, isFolder: entry.type == .folder) else { return false }
        return (try? reader.open(entry.name, as: kind, in: base.descriptor)) != nil
    }

    /// Where it cannot be read, nothing is said of it.
    private func has(in folder: OpenFile, _ isWanted: (FolderReader.Entry) -> Bool) -> Bool {
        guard var entries = try? FolderReader(untraced: folder.descriptor) else { return true }
        while let entry = try? entries.next() { if !Hidden.hides(entry.name), isWanted(entry) { return true } }
        return false
    }

    /// The path that this leads to, for sentences.
    public var documentsPath: String { hasDocumentsFolder ? "\(path)/\(Self.documentsName)" : path }

    /// What stat says of the folder in which the documents of a container are, for who does not open it.
    public static func documentsStatus(of base: borrowing Descriptor, named name: Name) throws(Errno) -> FileStatus {
        let own = try base.status()
        guard AppIdentifier(folder: name) != .drive, let inner = try? base.status(of: documentsName), inner.type == .folder else { return own }
        return inner
    }

    private static func documentsFolder(of base: OpenFile) throws(Errno) -> OpenFile {
        do throws(Errno) { return OpenFile(try base.descriptor.open(documentsName, [.path, .folder])) }
        catch {
            // A plain file or a link of that name is a document like any other.
            guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw error }
            return base
        }
    }

    private static func sentence(for error: Errno, path: String) -> String {
        switch error {
        case .noSuchEntry: "there is no folder “\(path)”; if it was moved or renamed, name it as it is called now"
        case .notDirectory: "“\(path)” is not a folder: a container is a folder of documents"
        case .accessDenied: "you may not read “\(path)”: its owner can give you the permission, by a group or an ACL"
        default: "cannot open “\(path)”: \(error)"
        }
    }

    /// Remembers how a document spells its archive: new ones are spelled alike.
    public func note(_ reading: DocumentReading, of kind: KindID) {
        guard let spelling = reading.spelling else { return }
        spellings.withLock { if $0[kind] == nil { $0[kind] = spelling } }
    }

    public func spelling(of kind: KindID) -> Spelling? { spellings.withLock { $0[kind] } }
}

extension Container {
    /// The folder with this path, or the nearest one above it that is still there.
    func nearestFolder(to path: [Name]) throws(Errno) -> (OpenFile, [Name]) {
        var folder = documents
        var found: [Name] = []
        for name in path {
            do throws(Errno) { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
                guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw error }
                break
            }
            found.append(name)
        }
        return (folder, found)
    }
}

extension Container {
    /// The folder with the store, and the store's name in it; nil where there is no such folder yet, and none is to be made.
    ///
    /// Beside `Documents` it is an item of the container like any other, which sync tools and backups take along. Where all of
    /// the container is shown on the drive, it would be a file there: then it is in Valise's own folder.
    public func keyValuePlace(making: Bool) throws(Failure) -> (folder: OpenFile, name: Name)? {
        try telling("the key-value store") { () throws(StateFault) in
            guard hasDocumentsNow else { return try ownFolder(Self.keyValueName, making: making).map { ($0, Self.keyValueFile) } }
            return (try Self.readable(base), Self.keyValueFile)
        }
    }

    /// Where it lay before the documents had a folder of their own, in Valise's; nil where there is no such folder, or it is none of Valise's own, and where
    /// it lies there still.
    public func formerKeyValuePlace() throws(Failure) -> (folder: OpenFile, name: Name)? {
        try telling("the former key-value store") { () throws(StateFault) in
            guard hasDocumentsNow else { return nil }
            do throws(StateFault) { return try ownFolder(Self.keyValueName, making: false).map { ($0, Self.keyValueFile) } } catch {
                guard [.notPermitted, .accessDenied].contains(error.errno) else { throw error }
                return nil
            }
        }
    }

    /// The documents may have got a folder of their own since the container was opened.
    private var hasDocumentsNow: Bool { hasDocumentsFolder || isOutdated }

    /// The same as a path, from the container's folder on.
    public var keyValuePath: [Name] { hasDocumentsNow ? [Self.keyValueFile] : [state.name, Self.keyValueName, Self.keyValueFile] }

    private static let keyValueFile = Name(constant: "KeyValueStore.plist")

    static let keyValueName = Name(constant: "kvs"), searchesName = Name(constant: "searches")
    package static let importsName = Name(constant: "imports")

    /// The folder with saved searches; nil where there is none yet, and none is to be made.
    public func searchesPlace(making: Bool) throws(Failure) -> OpenFile? {
        try telling("the saved searches") { () throws(StateFault) in try ownFolder(Self.searchesName, making: making) }
    }

    /// The folder with what imports have made; nil where there is none yet, and none is to be made.
    public func importsPlace(making: Bool) throws(Failure) -> OpenFile? {
        try telling("the list of imports") { () throws(StateFault) in try ownFolder(Self.importsName, making: making) }
    }

    /// A folder in Valise's own one.
    private func ownFolder(_ name: Name, making: Bool) throws(StateFault) -> OpenFile? {
        guard let own = try making ? state.made() : state.opened(), let place = try making ? state.madeFolder(name, in: own) : state.folder(name, in: own) else { return nil }
        return try Self.readable(place)
    }

    private static func readable(_ folder: OpenFile) throws(StateFault) -> OpenFile {
        do throws(Errno) { return OpenFile(try folder.descriptor.reopened([.read, .folder])) } catch { throw .failed(error) }
    }

    private func telling<Value>(_ what: String, _ body: () throws(StateFault) -> Value) throws(Failure) -> Value {
        do throws(StateFault) { return try body() } catch {
            switch error {
            case .failed(let errno): throw Failure(errno, "cannot open \(what) of “\(path)”: \(errno)", cause: errno)
            case .odd(let sentence): throw Failure(.notPermitted, sentence)
            }
        }
    }
}
