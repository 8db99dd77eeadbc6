import BookmarkFiles
import Containers
import Documents
import Hashes
import LinuxFiles

/// The folders that an import puts something into: how each is called, and what is in it already. An address is remembered as a short digest, so that
/// many take little room.
struct ImportFolders {
    private let container: Container
    /// Where all of it goes.
    let top: [Name]
    private var places: [[String]: [Name]] = [:]
    private var read: Set<[Name]> = []
    /// Whether each was there before the import.
    private var addresses: [Digest: Bool] = [:]
    /// Stored names of documents by what they are shown as, of folders into which files are put.
    private var shown: [[Name]: [Name: (stored: Name, kind: KindID)]] = [:]
    private var made: Set<[Name]> = []
    /// Those that are called shorter than they were listed, and are not told yet.
    private var shortened: Set<[Name]> = []

    /// Deeper ones are not made: no program could name what is in them.
    private static let deepest = 64, longestPath = 2000

    init(_ container: Container, top: [Name]) { (self.container, self.top) = (container, top) }

    /// The folder's names from the documents on; and whether it is the one that was asked for, or one above it because that would lie too deep.
    mutating func place(_ folders: [String]) -> (path: [Name], isWhole: Bool) {
        if let known = places[folders] { return (known, known.count == top.count + folders.count) }
        var path = top, length = top.reduce(0) { $0 + $1.bytes.count + 1 }
        for folder in folders {
            let wanted = Self.name(folder), name = free(wanted.bytes, in: path)
            length += name.bytes.count + 1
            guard path.count < Self.deepest, length < Self.longestPath else { break }
            path.append(name)
            if wanted.isShortened { shortened.insert(path) }
        }
        // Each is asked for again and again by what follows it; of very many, only the last.
        if places.count > 4096 { places = [:] }
        places[folders] = path
        return (path, path.count == top.count + folders.count)
    }

    /// Without what no name has, and with another beginning where it would be hidden.
    static func visible(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { $0 == "/" ? "∕" : $0 == "\0" ? " " : $0 } as [Unicode.Scalar]
        var visible = String.UnicodeScalarView(scalars)
        if visible.first == "." { visible.replaceSubrange(..<visible.index(after: visible.startIndex), with: ["_"]) }
        return String(visible)
    }

    /// A name that a folder can have, and that makes no package of it.
    private static func name(_ text: String) -> (bytes: [UInt8], isShortened: Bool) {
        let whole = visible(text)
        var shortened = whole
        while shortened.utf8.count > 200 { shortened.unicodeScalars.removeLast() }
        return (shortened.isEmpty ? Array("Folder".utf8) : Array(shortened.utf8), shortened.utf8.count < whole.utf8.count)
    }

    /// How many folders on the way have a shorter name than they were listed with; each is told of once.
    mutating func shortenedFolders(to path: [Name]) -> Int {
        guard !shortened.isEmpty else { return 0 }
        return (0...path.count).count { shortened.remove(Array(path.prefix($0))) != nil }
    }

    /// Where something else has the name, the next one.
    private func free(_ name: [UInt8], in path: [Name]) -> Name {
        let folder = try? container.documents.folder(at: path)
        for attempt in 0..<1000 {
            guard let candidate = Name(attempt == 0 ? name : name + Array(" \(attempt)".utf8)) else { break }
            if container.kinds.isPackage(candidate) { continue }
            guard let folder, let status = try? folder.descriptor.status(of: candidate) else { return candidate }
            if status.type == .folder { return candidate }
        }
        return Name(constant: "Folder")
    }

    enum Address { case new, known, doubled }

    /// What an address is to the folder, in which it is from now on.
    mutating func add(_ url: String, to path: [Name]) -> Address {
        readOnce(path)
        let digest = Self.digest(url, path)
        if let wasThere = addresses[digest] { return wasThere ? .known : .doubled }
        addresses[digest] = false
        return .new
    }

    /// Of the address as a link file keeps it: what cannot stand in one is written in another way there, and is the same address when it comes again.
    private static func digest(_ url: String, _ path: [Name]) -> Digest {
        var hash = SHA256()
        for name in path { hash.add(name.bytes + [0x2F]) }
        hash.add([0] + Array(LinkFile.encoded(url).utf8))
        return hash.finish()
    }

    private mutating func readOnce(_ path: [Name]) {
        guard read.insert(path).inserted, let folder = try? container.documents.folder(at: path), var entries = try? FolderReader(folder.descriptor) else { return }
        while let entry = try? entries.next() {
            guard !Hidden.hides(entry.name), let item = try? container.reader.read(entry.name, in: folder.descriptor), let document = item.document else { continue }
            if let url = document.reading.fact("URL") { addresses[Self.digest(url, path)] = true }
            shown[path, default: [:]][document.naturalName] = (entry.name, document.kind)
        }
    }

    // MARK: Files

    /// The name that a file gets; nil where one with its content is there under its name, or under that name and a number.
    mutating func freeName(for file: OpenFile, _ status: FileStatus, called name: Name, _ kind: KindID, in path: [Name]) -> Name? {
        readOnce(path)
        for attempt in 0..<10_000 {
            let candidate = attempt == 0 ? name : ShownName.numbered(name, attempt)
            guard let there = shown[path]?[candidate] else {
                shown[path, default: [:]][candidate] = (Name(constant: "-"), kind)
                return candidate
            }
            if isSame(file, status, there, in: path) { return nil }
        }
        return nil
    }

    /// What becomes of a document that comes as its app keeps it.
    enum StoredName {
        case free(Name, KindID), known, taken
    }

    /// The name that it gets: its own, or that with a number where something else has it, if it is the same kind of
    /// document then.
    func freeStoredName(
        for item: ComingItem, called stored: Name, in path: [Name], isTaken: (Name) -> Bool
    ) -> StoredName {
        let home = try? container.documents.folder(at: path), kind = kind(of: stored, item)
        guard let kind else { return .taken }
        for attempt in 0..<10_000 {
            let name = attempt == 0 ? stored : ShownName.numbered(stored, attempt)
            guard self.kind(of: name, item) == kind else { return .taken }
            if let home, (try? home.descriptor.exists(name)) == true {
                if item.isSame(as: name, in: home) { return .known }
            } else if !isTaken(name) { return .free(name, kind) }
        }
        return .taken
    }

    /// The kind of a document, or of a folder that is one item.
    private func kind(of name: Name, _ item: ComingItem) -> KindID? {
        if let kind = container.reader.candidate(for: name, isFolder: item.isFolder) { return kind }
        return item.isFolder && container.kinds.isOwnPackage(name) ? .folder : nil
    }

    private func isSame(_ file: OpenFile, _ status: FileStatus, _ there: (stored: Name, kind: KindID), in path: [Name]) -> Bool {
        guard let folder = try? container.documents.folder(at: path), let opened = try? container.reader.open(there.stored, as: there.kind, in: folder.descriptor) else { return false }
        guard opened.reading.length == status.size else { return false }
        switch opened.reading.content {
        case .bytes(let bytes): return (try? file.descriptor.read(at: 0, count: bytes.count)) == bytes
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let content = opened.parts[part] else { return false }
            return (try? file.descriptor.hasSameBytes(at: 0, as: content.descriptor, at: offset, count: length)) == true
        case .elsewhere: return false
        case .flat: return (try? FileSource(file, byteCount: status.size).hasSameBytes(as: opened.shownContent)) == true
        }
    }

    // MARK: New folders

    /// Those of a place that are not there yet, the outermost first; each is told of once.
    mutating func newFolders(to path: [Name]) -> [[Name]] {
        var new: [[Name]] = []
        for count in 1..<max(2, path.count + 1) where count <= path.count {
            let folder = Array(path.prefix(count))
            if made.contains(folder) { continue }
            if (try? container.documents.folder(at: folder)) == nil { new.append(folder) }
            made.insert(folder)
        }
        return new
    }
}
