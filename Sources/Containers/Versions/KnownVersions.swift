import LinuxFiles

/// Of which documents of a folder sync tools left copies beside them. Kept as long as the folder does not change: whoever opens all
/// documents of a large folder would read it again for each.
final class KnownCopies: Sendable {
    private struct Folder {
        let modified: Timestamp, changed: Timestamp
        let copied: Set<Name>
    }

    private let folders = RecentTable<FileIdentity, Folder>(most: 64)

    func copied(in folder: OpenFile, of container: Container) throws(Errno) -> Set<Name> {
        let status = try folder.descriptor.status()
        if let known = folders[status.identity], (known.modified, known.changed) == (status.modified, status.changed) { return known.copied }
        let copied = try container.documentsWithCopies(in: folder)
        // Another change may have the same time.
        if !status.isUnsettled { folders[status.identity] = Folder(modified: status.modified, changed: status.changed, copied: copied) }
        return copied
    }
}

extension Container {
    /// False where nobody has to decide anything about an item's versions. Where it is true, `unresolvedConflicts` says it.
    /// `parts`: what is in it where it is a folder, for who has read that already; nil where it is a file.
    public func mayBeInConflict(at path: [Name], in folder: OpenFile, parts: [Name]?) throws(Errno) -> Bool {
        guard let stored = path.last else { return false }
        let candidate = reader.candidate(for: stored, isFolder: parts != nil)
        let kind = candidate ?? (parts == nil ? KindID.plain : .folder)
        let document = DocumentPlace(folder: folder, path: path.dropLast(), stored: stored, kind: kind)
        if try keptVersions(of: document, in: versionsKnown.folder(of: self)).contains(where: \.isUnresolved) { return true }
        guard candidate != nil else { return false }
        if let parts, try copiesInside(document, among: parts).contains(where: \.isUnresolved) { return true }
        return try copies.copied(in: folder, of: self).contains(stored)
    }
}

/// The folder of versions, for who asks of one document after the other whether it has some: to go there through Valise's own folder takes five
/// calls. It is the same one as long as Valise's folder does not change. Nothing that lies there is followed this way.
final class KnownVersionsFolder: Sendable {
    private struct Known: Sendable {
        let state: FileStatus
        let folder: OpenFile?
    }

    private let known = Latest<Known?>(nil)

    /// The folder of versions; nil where there is none.
    func folder(of container: Container) throws(Errno) -> OpenFile? {
        let now: FileStatus
        do throws(Errno) { now = try container.base.descriptor.status(of: container.state.name) } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
        if let known = known.value, known.state.isAsIt(was: now) { return known.folder }
        let folder = try container.versionsFolder()
        // Another change may have the same time.
        if !now.isUnsettled { known.set(Known(state: now, folder: folder)) }
        return folder
    }
}
