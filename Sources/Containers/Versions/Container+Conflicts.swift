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
        try find(in: documents, [], &found)
        return found
    }

    private func find(in folder: OpenFile, _ path: [Name], _ found: inout [ConflictedDocument]) throws(Errno) {
        var names: [(name: Name, isFolder: Bool)] = [], entries: FolderReader
        do throws(Errno) { entries = try FolderReader(untraced: folder.descriptor) } catch {
            // Nobody decides about what they may not read.
            if error == .accessDenied, !path.isEmpty { return }
            throw error
        }
        while let entry = try entries.next() { if !Hidden.isState(entry.name) { names.append((entry.name, entry.type == .folder)) } }
        let copied = Set(names.compactMap { Self.copiedItem(by: $0.name) })
        for (name, isFolder) in names.sorted(by: { $0.name < $1.name }) {
            guard let kind = reader.candidate(for: name, isFolder: isFolder) else {
                if isFolder, !kinds.isPackage(name), let inner = try? folder.descriptor.open(name, [.path, .folder]) { try find(in: OpenFile(inner), path + [name], &found) }
                continue
            }
            let place = DocumentPlace(folder: folder, path: path, stored: name, kind: kind)
            var versions = try keptVersions(of: place) + copiesInside(place)
            if copied.contains(name) { versions += try copiesBeside(place, among: names.map(\.name)) }
            let conflicts = versions.filter(\.isUnresolved).sorted { $0.id > $1.id }
            guard !conflicts.isEmpty, let opened = try? reader.open(name, as: kind, in: folder.descriptor), let document = opened.item.document else { continue }
            found.append(ConflictedDocument(place: place, shown: try self.name(of: document, stored: name, in: path), conflicts: conflicts))
        }
    }
}
