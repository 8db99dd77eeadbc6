import LinuxFiles

// Names that items could not be given. An app's item may have to be called longer than the document is shown (`.stedoc`
// for `.txt`), or its name may be somebody else's. Where the document has no place of its own for its name, that is kept in
// `.valise/names`: a file for each such document, under the item's path, with the name in it and nothing else.
//
// By the item's name, and not as an attribute of the file: an app that saves puts another file in the place of the old one.
extension Container {
    package static let namesName = Name(constant: "names")

    /// The folder of names with this path; nil where none was ever kept under it.
    func nameFolder(_ path: [Name]) throws(Errno) -> OpenFile? {
        let names: OpenFile
        do throws(StateFault) {
            guard let own = try state.opened(), let found = try state.folder(Self.namesName, in: own) else { return nil }
            names = found
        } catch {
            // Whoever only reads follows nothing of somebody else's.
            guard case .failed(let errno) = error, access == .readWrite || errno != .accessDenied else { return nil }
            throw errno
        }
        do throws(Errno) { return try names.folder(at: path) } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return nil
        }
    }

    /// The names that are kept of the documents of one folder, by their items'.
    public func keptNames(in path: [Name]) throws(Errno) -> [Name: Name] {
        guard let folder = try nameFolder(path) else { return [:] }
        var names: [Name: Name] = [:]
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { names[entry.name] = try Self.keptName(entry.name, in: folder) }
        return names
    }

    /// The name that is kept of a document.
    public func keptName(of stored: Name, in path: [Name]) throws(Errno) -> Name? {
        guard let folder = try nameFolder(path) else { return nil }
        return try Self.keptName(stored, in: folder)
    }

    /// What a document is called: as it was made, or else as its item says.
    public func name(of document: DocumentItem, stored: Name, in path: [Name]) throws(Errno) -> Name {
        document.name(kept: try keptName(of: stored, in: path))
    }

    private static func keptName(_ stored: Name, in folder: OpenFile) throws(Errno) -> Name? {
        do throws(Errno) {
            guard try folder.descriptor.status(of: stored).type == .regular else { return nil }
            return Name(try folder.descriptor.open(stored, [.read, .nonBlocking]).readAll(limit: Name.longest + 1))
        } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return nil
        }
    }
}

extension DocumentItem {
    /// The name to show it under. One that is kept must be a name of its kind, whatever somebody wrote there.
    public func name(kept: Name?) -> Name {
        if let kept, kind.kind.keeps(shownName: kept.bytes) { kept.composed } else { naturalName }
    }
}
