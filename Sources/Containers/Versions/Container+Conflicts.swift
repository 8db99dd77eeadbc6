import Documents
import LinuxFiles

/// A document that two sides changed at once.
public struct ConflictedDocument: Sendable {
    public let place: DocumentPlace
    /// What the document is called.
    public let shown: Name
    /// Those that wait for somebody to decide, the newest first.
    public let conflicts: [DocumentVersion]
}

// All conflicts of a container, for whoever asks: everything is looked at.
extension Container {
    public func conflictedDocuments() throws(Errno) -> [ConflictedDocument] {
        var found: [ConflictedDocument] = []
        try find(in: documents, [], versionsFolder(), &found)
        return found
    }

    /// `kept` is the folder of what was kept of what is in this folder; nil where nothing was.
    private func find(
        in folder: OpenFile, _ path: [Name], _ kept: OpenFile?, _ found: inout [ConflictedDocument]
    ) throws(Errno) {
        var names: [(name: Name, isFolder: Bool)] = [], entries: FolderReader
        do throws(Errno) { entries = try FolderReader(untraced: folder.descriptor) } catch {
            // Nobody decides about what they may not read.
            if error == .accessDenied, !path.isEmpty { return }
            throw error
        }
        while let entry = try entries.next() { if !Hidden.isState(entry.name) { names.append((entry.name, entry.type == .folder)) } }
        let copied = Set(names.compactMap { Self.copiedItem(by: $0.name) })
        let haveVersions = try kept.map { (kept) throws(Errno) in Set(try Self.names(in: kept.descriptor)) } ?? []
        for (name, isFolder) in names.sorted(by: { $0.name < $1.name }) {
            guard let kind = reader.candidate(for: name, isFolder: isFolder) else {
                if haveVersions.contains(name), let conflicted = try conflicted(name, in: folder, path) {
                    found.append(conflicted)
                }
                guard isFolder, !kinds.isPackage(name),
                    let inner = try? folder.descriptor.open(name, [.path, .folder])
                else { continue }
                let below = try kept.flatMap { (kept) throws(Errno) in try Self.folder(at: [name], in: kept) }
                try find(in: OpenFile(inner), path + [name], below, &found)
                continue
            }
            let place = DocumentPlace(folder: folder, path: path, stored: name, kind: kind)
            var versions = try keptVersions(of: place) + copiesInside(place)
            if copied.contains(name) { versions += try copiesBeside(place, among: names.map(\.name)) }
            let conflicts = versions.filter(\.isUnresolved).sorted { $0.id > $1.id }
            guard !conflicts.isEmpty else { continue }
            guard let document = try? reader.open(name, as: kind, in: folder.descriptor).item.document else {
                if let conflicted = try conflicted(name, in: folder, path) { found.append(conflicted) }
                continue
            }
            found.append(ConflictedDocument(place: place, shown: try self.name(of: document, stored: name, in: path), conflicts: conflicts))
        }
    }

    /// The same of what is no document: a plain file, or a package of an app's own. nil where there is nothing to
    /// decide.
    private func conflicted(_ name: Name, in folder: OpenFile, _ path: [Name]) throws(Errno) -> ConflictedDocument? {
        guard let item = try? reader.read(name, in: folder.descriptor, at: path), item.document == nil,
            let kind = try kindOfVersions(of: item, in: folder, at: path)
        else { return nil }
        let place = DocumentPlace(folder: folder, path: path, stored: name, kind: kind)
        let conflicts = try unresolvedConflicts(of: place)
        return conflicts.isEmpty ? nil : ConflictedDocument(place: place, shown: name, conflicts: conflicts)
    }
}
