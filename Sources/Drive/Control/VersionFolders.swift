import Containers
import Documents
import LinuxFiles

/// `/.valise/versions`: what documents were, under the paths that they have on the drive. Each version is a file with the
/// bytes that the document showed then, called after its time. The kernel remembers nothing of this: it is looked at anew each time.
final class VersionFolders: Sendable {
    private let tree: Tree
    private let container: Container
    private let rights: CallerRights
    private let places: Places
    private let shown: ShownAttributes
    private let folders: FolderContents
    private let documents: OpenDocuments
    private let mirror: MirroredRights

    init(
        tree: Tree, container: Container, rights: CallerRights, places: Places, shown: ShownAttributes,
        folders: FolderContents, documents: OpenDocuments, mirror: MirroredRights
    ) {
        (self.tree, self.container, self.rights, self.places, self.shown) = (tree, container, rights, places, shown)
        (self.folders, self.documents, self.mirror) = (folders, documents, mirror)
    }

    private struct VersionEntry {
        let shown: Name
        let item: VersionedItem
    }

    func lookUp(_ name: Name, in folder: NodeNumber) throws(Errno) -> Entry {
        let id: NodeNumber
        if let known = knownDocument(name, in: folder) { id = known } else {
            guard let found = try versionEntries(in: folder, called: name).first(where: { $0.shown == name }) else { throw .noSuchEntry }
            id = node(of: found, in: folder)
        }
        guard let entry = tree.entry(of: id, try attributes(of: id)) else { throw .noSuchEntry }
        return entry
    }

    /// The document that was found under a name before, where that is right still. Nobody looks at all that has versions then: a listing asks for each.
    private func knownDocument(_ name: Name, in folder: NodeNumber) -> NodeNumber? {
        guard case .folder(let path)? = tree.versioned(folder), let id = tree.withLock({ $0.child(shown: name, of: folder) }), case .document(_, let stored, let kind)? = tree.versioned(id)
        else { return nil }
        if let real = try? folders.folderNode(at: path), (try? folders.readNames(of: real)) != nil {
            if let there = tree.withLock({ $0.node(stored: stored, of: real) }) { return tree[there].shown == name && self.kind(of: tree[there]) == kind ? id : nil }
            guard tree.withLock({ $0.child(shown: name, of: real) }) == nil else { return nil }
        }
        return (try? container.versionFolder(path)?.descriptor.status(of: stored).type) == .folder ? id : nil
    }

    /// What a document or a plain file has versions as.
    private func kind(of node: Node) -> KindID? {
        switch node.role {
        case .document: tree.kind(of: node)
        // What is called as only a document is may have been one, and is damaged.
        case .plain: container.reader.candidate(for: node.stored, isFolder: false).flatMap { $0.kind.isMeant(storedName: node.stored.bytes) ? $0 : nil } ?? .plain
        case .folder: tree.isFolderItem(node) ? .folder : nil
        default: nil
        }
    }

    func list(in folder: NodeNumber) throws(Errno) -> [ListedEntry] {
        try versionEntries(in: folder, called: nil).compactMap { found in
            let id = node(of: found, in: folder)
            // A version may have been removed since the folder was read.
            guard let attributes = try? attributes(of: id) else { return nil }
            return tree.listed(id, attributes)
        }
    }

    func attributes(of id: NodeNumber) throws(Errno) -> Attributes {
        switch tree.versioned(id) {
        case .folder(let path): return try mirror.attributes(ofFolder: path, as: id)
        case .document(let path, let stored, _): return try mirror.attributes(ofDocument: stored, in: path, as: id)
        case .version: return try attributes(ofVersion: id, openedVersion(id).item.status)
        case nil: throw .stale
        }
    }

    /// Those may read it who might when it was saved, and may read the document now.
    private func attributes(ofVersion id: NodeNumber, _ status: FileStatus) throws(Errno) -> Attributes {
        guard case .version(let path, let stored, _, let version)? = tree.versioned(id) else { throw .stale }
        var status = status
        status.mode &= ~0o222
        status.modified = version.modified
        var attributes = shown.present(status, as: id)
        if let now = try mirror.documentNow(stored, in: path) { attributes = attributes.narrowed(by: now) }
        attributes.keeps = .not
        return attributes
    }

    func open(_ id: NodeNumber, _ caller: Caller) throws(Errno) -> Opened {
        let opened = try openedVersion(id)
        guard try rights.mayRead(attributes(ofVersion: id, opened.item.status), caller) else { throw .accessDenied }
        return try documents.register(id, opened.item.status, .content(try OpenContent(opened)), writes: false)
    }

    /// What a version tells of itself, as `user.valise.*`.
    func facts(of id: NodeNumber) -> [(label: String, bytes: [UInt8])] {
        guard case .version(_, _, let kind, let version)? = tree.versioned(id) else { return [] }
        var facts = [("kind", kind.name), ("version", version.id.text), ("computer", version.computer)]
        if version.isConflict { facts.append(("conflict", version.isResolved ? "resolved" : "unresolved")) }
        return facts.map { ($0.0, Array($0.1.utf8)) }
    }

    private func openedVersion(_ id: NodeNumber) throws(Errno) -> ItemReader.Opened {
        guard case .version(let path, let stored, let kind, let version)? = tree.versioned(id) else { throw .stale }
        let place = try documentPlace(path, stored, kind)
        do throws(DocumentFault) { return try container.open(version, of: place) } catch {
            let errno = error.errno ?? .inputOutput
            throw errno == .noSuchEntry ? .stale : errno
        }
    }

    /// The node that has this name already, if it is the same thing; or a new one.
    private func node(of entry: VersionEntry, in folder: NodeNumber) -> NodeNumber {
        let role: Role = if case .version = entry.item { .version } else { .versionFolder }
        return tree.withLock { $0.node(of: entry.item, \.versioned, role, called: entry.shown, in: folder) }
    }

    /// What the documents in a folder of versions were called there, by their items' names.
    private func namesOfDocuments(in folder: NodeNumber) -> [Name: Name] {
        tree.withLock { tree in
            var names: [Name: Name] = [:]
            for entry in tree.children(of: folder) {
                if case .document(_, let stored, _)? = tree.versioned[NodeNumber(carrying: entry)], tree[entry].shown != stored { names[stored] = tree[entry].shown }
            }
            return names
        }
    }

    /// What a folder of versions has in it: all that has versions, or whatever has the name.
    private func versionEntries(in folder: NodeNumber, called name: Name?) throws(Errno) -> [VersionEntry] {
        switch tree.versioned(folder) {
        case .folder(let path): return try itemsWithVersions(in: path, folder, called: name)
        case .document(let path, let stored, let kind): return try versionFiles(path, stored, kind)
        case .version, nil: throw .notDirectory
        }
    }

    private func itemsWithVersions(in path: [Name], _ folder: NodeNumber, called name: Name?) throws(Errno) -> [VersionEntry] {
        var kept: Set<Name> = []
        if let home = try container.versionFolder(path) {
            var entries = try FolderReader(home.descriptor)
            while let entry = try entries.next() { if entry.type == .folder { kept.insert(entry.name) } }
        }
        var found: [VersionEntry] = []
        var known: Set<Name> = [], taken: Set<Name> = []
        // As they are shown on the drive, as long as they are there.
        if let real = try? folders.folderNode(at: path), (try? folders.readNames(of: real)) != nil {
            let withCopies = try container.documentsWithCopies(in: try places.place(of: real))
            let items = tree.withLock { tree in tree.children(of: real).map { tree[$0] } }
            for node in items where [.folder, .document, .plain].contains(node.role) && !node.isUnborn {
                if node.role == .plain, !kept.contains(node.stored) { continue }
                known.insert(node.stored)
                taken.insert(node.shown)
                guard kept.contains(node.stored) || withCopies.contains(node.stored) || node.shown == name else { continue }
                var kind = kind(of: node)
                if kind == nil, try container.isPackageByVersions(path + [node.stored]) { kind = .folder }
                let item = kind.map { VersionedItem.document(path, node.stored, $0) } ?? .folder(path + [node.stored])
                found.append(VersionEntry(shown: node.shown, item: item))
            }
        }
        // What is gone is called as it was shown last, where nothing else is, and by who knows its item as that.
        let gone = kept.subtracting(known).sorted(), before = gone.isEmpty ? [:] : namesOfDocuments(in: folder)
        for stored in gone {
            // A folder that is gone, with what was in it. Its name may be one that a document has.
            guard try holdsVersions(path + [stored]) else {
                let shown = ShownName.unused(stored) { taken.contains($0) }
                taken.insert(shown)
                found.append(VersionEntry(shown: shown, item: .folder(path + [stored])))
                continue
            }
            let isFolder = try container.isPackageByVersions(path + [stored])
            let candidate = [true, false].lazy.compactMap { self.container.reader.candidate(for: stored, isFolder: $0) }.first
            let kind = candidate ?? (isFolder ? KindID.folder : .plain)
            let item = VersionedItem.document(path, stored, kind), remembered = before[stored].flatMap { taken.contains($0) ? nil : $0 }
            let shown = remembered ?? ShownName.unused(lastName(of: stored, kind, in: path) ?? stored) { taken.contains($0) }
            taken.insert(shown)
            found.append(VersionEntry(shown: shown, item: item))
            // A version is read for it, which is done once.
            if remembered == nil { _ = node(of: VersionEntry(shown: shown, item: item), in: folder) }
            if name == stored, !taken.contains(stored) { found.append(VersionEntry(shown: stored, item: item)) }
        }
        return found
    }

    /// Whether what has this path is a document, and no folder with more of them.
    private func holdsVersions(_ path: [Name]) throws(Errno) -> Bool {
        guard let home = try container.versionFolder(path) else { return true }
        var entries = try FolderReader(home.descriptor)
        while let entry = try entries.next() { if DocumentVersion(entry: entry.name) != nil { return true } else if entry.type == .folder { return false } }
        return true
    }

    /// nil where none of its versions tells it.
    private func lastName(of stored: Name, _ kind: KindID, in path: [Name]) -> Name? {
        guard let place = try? documentPlace(path, stored, kind), let versions = try? container.versions(of: place) else { return nil }
        for version in versions { if let document = (try? container.open(version, of: place))?.item.document { return try? container.name(of: document, stored: stored, in: path) } }
        return nil
    }

    private func versionFiles(_ path: [Name], _ stored: Name, _ kind: KindID) throws(Errno) -> [VersionEntry] {
        let place = try documentPlace(path, stored, kind)
        var found: [VersionEntry] = []
        for version in try container.versions(of: place) {
            guard let opened = try? container.open(version, of: place) else { continue }
            let isPlain = opened.item.document?.kind == .plain
            let fileExtension = opened.reading.fileExtension
            guard let shown = Name(version.id.text + (version.isUnresolved ? " conflict" : "") + (fileExtension.isEmpty ? "" : ".") + fileExtension) else { continue }
            found.append(VersionEntry(shown: shown, item: .version(path, stored, isPlain ? .plain : kind, version)))
        }
        return found
    }

    /// A document that may be gone, as its folder may.
    private func documentPlace(_ path: [Name], _ stored: Name, _ kind: KindID) throws(Errno) -> DocumentPlace {
        var folder: OpenFile
        do throws(Errno) { folder = try container.documents.folder(at: path) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            guard let home = try container.versionFolder(path) else { throw .stale }
            folder = home
        }
        return DocumentPlace(folder: folder, path: path, stored: stored, kind: kind)
    }
}

/// What a node under `/.valise/versions` stands for.
enum VersionedItem: Hashable, Sendable {
    /// A folder of the container, by its names from the documents on.
    case folder([Name])
    /// A document, whose versions are in here.
    case document([Name], Name, KindID)
    case version([Name], Name, KindID, DocumentVersion)
}
