import Documents
import Glibc
import LinuxFiles

// The versions of documents, as they lie there: those that saves kept, under `.valise/versions`, each document's in a
// folder that has its path; and what sync tools left beside documents and in packages.
extension Container {
    package static let versionsName = Name(constant: "versions")

    /// The document with this path, and what it is called.
    public func document(at path: [Name]) throws(Errno) -> (place: DocumentPlace, shown: Name) {
        guard let stored = path.last else { throw .isDirectory }
        let folder = try documents.folder(at: path.dropLast())
        guard let document = try reader.read(stored, in: folder.descriptor, at: path.dropLast()).document else { throw .invalid }
        let shown = try name(of: document, stored: stored, in: path.dropLast())
        return (DocumentPlace(folder: folder, path: path.dropLast(), stored: stored, kind: document.kind), shown)
    }

    /// What has this path and may have versions, and what it is called: a document, a plain file, or a folder that is one item, as a package of an app's
    /// own is.
    public func versioned(at path: [Name]) throws(Errno) -> (place: DocumentPlace, shown: Name) {
        do throws(Errno) { return try document(at: path) } catch {
            guard error == .invalid, let stored = path.last else { throw error }
            let folder = try documents.folder(at: path.dropLast()), item = try reader.read(stored, in: folder.descriptor, at: path.dropLast())
            guard item.document == nil, let kind = try kindOfVersions(of: item, in: folder, at: path.dropLast()) else { throw .invalid }
            return (DocumentPlace(folder: folder, path: path.dropLast(), stored: stored, kind: kind), stored)
        }
    }

    /// What an item that is no document has versions as; nil where it has none. A folder of which versions were kept is a
    /// package, also for who does not know its type.
    func kindOfVersions(of item: Item, in folder: OpenFile, at path: some Collection<Name>) throws(Errno) -> KindID? {
        // Who may not read it does not know what it is.
        guard !item.isDenied else { return nil }
        switch item.status.type {
        case .regular: return .plain
        case .folder:
            let place = try folder.descriptor.open(item.name, [.path, .folder])
            if isFolderItem(item.name, place, in: Array(path)) { return .folder }
            return try isPackageByVersions(Array(path) + [item.name]) ? .folder : nil
        default: return nil
        }
    }

    /// Whether an app that saves there has what it replaces kept: any folder that it saves is a package.
    public func canKeepVersion(at path: [Name]) -> Bool {
        if (try? versioned(at: path)) != nil { return true }
        guard let stored = path.last, let folder = try? documents.folder(at: path.dropLast()) else { return false }
        return (try? reader.open(stored, as: .folder, in: folder.descriptor)) != nil
    }

    /// Whether what was kept under a path are packages.
    public func isPackageByVersions(_ path: [Name]) throws(Errno) -> Bool {
        guard let folder = try versionFolder(path) else { return false }
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            if entry.type == .folder, DocumentVersion(entry: entry.name) != nil { return true }
        }
        return false
    }

    /// A document's versions but for the current one, the newest first.
    public func versions(of document: DocumentPlace) throws(Errno) -> [DocumentVersion] {
        // What a sync tool leaves beside a plain file is a plain file, and a folder beside a folder.
        if document.kind == .plain || document.kind == .folder {
            return try keptVersions(of: document).sorted { $0.id > $1.id }
        }
        return try (keptVersions(of: document) + copies(of: document)).sorted { $0.id > $1.id }
    }

    /// Those that saves kept. They are there although the document may be gone.
    public func keptVersions(of document: DocumentPlace) throws(Errno) -> [DocumentVersion] { try keptVersions(of: document, in: versionsFolder()) }

    func keptVersions(of document: DocumentPlace, in versions: OpenFile?) throws(Errno) -> [DocumentVersion] {
        guard let versions, let folder = try Self.folder(at: document.path + [document.stored], in: versions) else { return [] }
        var found: [DocumentVersion] = []
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { if let version = DocumentVersion(entry: entry.name) { found.append(version) } }
        return found
    }

    public func unresolvedConflicts(of document: DocumentPlace) throws(Errno) -> [DocumentVersion] {
        try versions(of: document).filter(\.isUnresolved)
    }

    /// The version that the document is now. It is in none of the lists.
    public func currentVersion(of document: DocumentPlace) throws(DocumentFault) -> DocumentVersion {
        let opened = try reader.open(document.stored, as: document.kind, in: document.folder.descriptor)
        return DocumentVersion(Provenance(of: opened), isConflict: false, location: .current)
    }

    /// Opens what a document was.
    public func open(_ version: DocumentVersion, of document: DocumentPlace) throws(DocumentFault) -> ItemReader.Opened {
        switch version.location {
        case .kept(let entry):
            let folder: OpenFile?
            do throws(Errno) { folder = try versionFolder(document.path + [document.stored]) } catch { throw .unreadable(error.rawValue) }
            guard let folder else { throw .unreadable(ENOENT) }
            do throws(DocumentFault) {
                return try reader.open(entry, as: document.kind, in: folder.descriptor, called: document.stored)
            } catch {
                if let package = try? openPackage(entry, in: folder.descriptor, of: document) { return package }
                guard error.errno == nil || error.errno == .notDirectory, let plain = try? openPlain(entry, in: folder.descriptor, of: document) else { throw error }
                return plain
            }
        case .current: return try reader.open(document.stored, as: document.kind, in: document.folder.descriptor)
        case .beside(let name): return try reader.open(name, as: document.kind, in: document.folder.descriptor, called: document.stored)
        case .inside(let parts):
            guard let form = document.kind.form else { return try reader.open(document.stored, as: document.kind, in: document.folder.descriptor) }
            let own: [Name]
            do throws(Errno) {
                own = form.isFixed ? form.draftNames : try form.names(in: document.folder.descriptor.open(document.stored, [.path, .folder]))
            } catch { throw .unreadable(error.rawValue) }
            return try reader.open(document.stored, as: document.kind, in: document.folder.descriptor, parts: zip(parts, own).map { $0 ?? $1 })
        }
    }

    /// What a plain file was before it became a document. Its bytes are what was shown, in the form in which the document is shown.
    private func openPlain(
        _ entry: Name, in folder: borrowing Descriptor, of document: DocumentPlace
    ) throws(DocumentFault) -> ItemReader.Opened {
        let plain = try reader.open(entry, as: .plain, in: folder, called: document.stored)
        var reading = plain.reading
        let now = try? reader.open(document.stored, as: document.kind, in: document.folder.descriptor)
        reading.fileExtension = now?.reading.fileExtension ?? ""
        return ItemReader.Opened(
            item: plain.item, reading: reading, content: plain.content, package: nil, parts: plain.parts, sources: plain.sources)
    }

    /// What a plain file was while it was a package that is shown as one flat file: apps and sync tools change from the
    /// one to the other. Nil where it never was.
    private func openPackage(
        _ entry: Name, in folder: borrowing Descriptor, of document: DocumentPlace
    ) throws(DocumentFault) -> ItemReader.Opened? {
        guard document.kind == .plain, let kind = kinds.candidate(for: document.stored, isFolder: true), kind.kind.flat != nil else {
            return nil
        }
        return try reader.open(entry, as: kind, in: folder, called: document.stored)
    }

    /// Where a version lies, as an absolute path; nil where it shares its package with the document.
    public func place(of version: DocumentVersion, of document: DocumentPlace) -> String? {
        func text(_ names: [Name]) -> String { names.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/") }
        let documentsPath = hasDocumentsFolder ? path + "/Documents/" : path + "/"
        switch version.location {
        case .kept(let entry): return "\(state.fullPath)/" + text([Self.versionsName] + document.path + [document.stored, entry])
        case .current: return documentsPath + text(document.path + [document.stored])
        case .beside(let name): return documentsPath + text(document.path + [name])
        case .inside: return nil
        }
    }

    /// The folder with this path in the folder of versions; nil where nothing was kept under it.
    public func versionFolder(_ path: [Name]) throws(Errno) -> OpenFile? {
        guard let versions = try versionsFolder() else { return nil }
        return try Self.folder(at: path, in: versions)
    }

    func versionsFolder() throws(Errno) -> OpenFile? {
        do throws(StateFault) { return try state.opened().flatMap { (own) throws(StateFault) in try state.folder(Self.versionsName, in: own) } } catch { throw error.errno }
    }

    /// The folder with a document's versions; nil where there is none.
    static func folder(at path: [Name], in versions: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return try versions.folder(at: path) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return nil
        }
    }

    // MARK: What sync tools leave

    /// The item that this one is a copy of, if it is called as sync tools call copies.
    public static func copiedItem(by name: Name) -> Name? { SyncCopy(name)?.copied }

    /// The items of a folder of which there are copies beside them.
    public func documentsWithCopies(in folder: OpenFile) throws(Errno) -> Set<Name> {
        var originals: Set<Name> = []
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { if let copy = SyncCopy(entry.name) { originals.insert(copy.copied) } }
        return originals
    }

    private func copies(of document: DocumentPlace) throws(Errno) -> [DocumentVersion] {
        var names: [Name] = []
        var entries = try FolderReader(document.folder.descriptor)
        while let entry = try entries.next() { if SyncCopy(entry.name) != nil { names.append(entry.name) } }
        return try copiesBeside(document, among: names) + copiesInside(document)
    }

    func copiesBeside(_ document: DocumentPlace, among names: [Name]) throws(Errno) -> [DocumentVersion] {
        var found: [DocumentVersion] = []
        for name in names {
            guard let copy = SyncCopy(name), copy.copied == document.stored, let version = try besideVersion(name, copy, of: document) else { continue }
            found.append(version)
        }
        return found
    }

    /// What cannot be read as a document is no version of one: it stays the file that it is.
    private func besideVersion(_ name: Name, _ copy: SyncCopy, of document: DocumentPlace) throws(Errno) -> DocumentVersion? {
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try reader.open(name, as: document.kind, in: document.folder.descriptor, called: document.stored) } catch {
            if let errno = error.errno, errno != .noSuchEntry, errno != .notDirectory { throw errno }
            return nil
        }
        return DocumentVersion(
            id: VersionID(opened.content.modified, mark: copy.source), computer: copy.computer, isConflict: true, isResolved: false,
            location: .beside(name))
    }

    package static func names(in folder: borrowing Descriptor) throws(Errno) -> [Name] {
        var names: [Name] = []
        var entries = try FolderReader(folder)
        while let entry = try entries.next() { names.append(entry.name) }
        return names
    }

    /// `names`: what is in the package, for who has read that already.
    func copiesInside(_ document: DocumentPlace, among names: [Name]? = nil) throws(Errno) -> [DocumentVersion] {
        // In one that is shown as one flat file, or whose content lies deeper, a copy is a part like all others.
        guard let form = document.kind.form, form.flat == nil, form.folders.isEmpty else { return [] }
        if let names, names.allSatisfy({ form.draftNames.contains($0) }) { return [] }
        let package: Descriptor
        do throws(Errno) { package = try document.folder.descriptor.open(document.stored, [.path, .folder]) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return []
        }
        let inside: [Name]
        if let names { inside = names } else { inside = try Self.names(in: package) }
        let partNames = form.names(among: inside)
        let others = inside.filter { !partNames.contains($0) }
        // What one tool says of one side belongs together: its first copies, then its second ones.
        var sides: [(source: String, computer: String, parts: [Name?])] = []
        for name in others.sorted() {
            guard let copy = SyncCopy(name, insidePackage: true), let part = partNames.firstIndex(of: copy.copied) else { continue }
            if let side = sides.firstIndex(where: { $0.source == copy.source && $0.parts[part] == nil }) { sides[side].parts[part] = name } else {
                sides.append((copy.source, copy.computer, partNames.indices.map { $0 == part ? name : nil }))
            }
        }
        var found: [DocumentVersion] = []
        for (source, computer, parts) in sides {
            guard let named = parts.compactMap(\.self).first, let status = try? package.status(of: parts[0] ?? named) else { continue }
            found.append(DocumentVersion(
                id: VersionID(status.modified, mark: source), computer: computer, isConflict: true, isResolved: false, location: .inside(parts)))
        }
        return found
    }
}
