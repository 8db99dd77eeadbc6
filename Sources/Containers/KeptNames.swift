import LinuxFiles

// Names that items could not be given. An app's item may have to be called longer than the document is shown (`.stedoc`
// for `.txt`), or its name may be somebody else's. Where the document has no place of its own for its name, that is kept in
// `.valise/names`: a file for each such document, under the item's path, with the name in it and nothing else.
//
// By the item's name, and not as an attribute of the file: an app that saves puts another file in the place of the old one.
extension Container {
    static let namesName = Name(constant: "names")

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
        if let kept, kind.kind.claims(shownName: kept.bytes) { kept } else { naturalName }
    }
}

// Names that are kept, and go where their documents go: each in the same plan as its document.
extension Workshop {
    /// A name that is written into staging when a plan is carried out.
    struct NewName {
        let staged: Name
        let shown: Name
        /// The folder of names that it goes to.
        let path: [Name]
    }

    /// What comes to a place is a document that is shown under this name.
    func keepName(_ shown: Name, _ kind: KindID, at place: Place, _ plan: inout Plan) throws(Errno) {
        try forgetName(at: place, &plan)
        guard !kind.kind.tells(shownName: shown.bytes, storedName: place.name.bytes) else { return }
        let name = NewName(staged: Self.stagedName(nextNumber(), ".name"), shown: shown, path: place.path)
        plan.names.append(name)
        plan.steps.append(.add(.staged(name.staged), place.ofNames))
    }

    /// What was at a place goes, or something else comes there.
    func forgetName(at place: Place, _ plan: inout Plan) throws(Errno) {
        guard !plan.nameless.contains(place), try hasName(at: place) else { return }
        plan.nameless.insert(place)
        let gone = Self.stagedName(nextNumber(), Self.thinnedSuffix)
        plan.steps.append(.move(place.ofNames, .staged(gone)))
        plan.discarded.append(gone)
    }

    /// The names of all in a folder go with it.
    func followNames(from: Place, to: Place, _ plan: inout Plan) throws(Errno) {
        guard from != to else { return }
        try forgetName(at: to, &plan)
        guard try hasName(at: from) else { return }
        plan.nameFolders.append(to.path)
        plan.steps.append(.add(from.ofNames, to.ofNames))
    }

    /// Whether a name is kept of an item, or of something in it.
    func hasName(at place: Place) throws(Errno) -> Bool {
        guard keepsNames, let folder = try container.nameFolder(place.path) else { return false }
        return try folder.descriptor.exists(place.name)
    }

    /// What was removed without a plan has no name any more.
    public func forgetName(of stored: Name, in path: [Name]) {
        guard keepsNames, let folder = try? container.nameFolder(path) else { return }
        try? removeTree(stored, in: folder.descriptor)
    }

    /// Writes down the names that a plan keeps, before its first step.
    func stageNames(of plan: Plan) throws(Errno) {
        for path in plan.nameFolders + plan.names.map(\.path) { try makeNameFolder(path) }
        for name in plan.names {
            let file = try stageFile(name.staged)
            try file.write(name.shown.bytes, at: 0)
            try file.synchronize()
        }
    }

    func clearNames(of plan: Plan) {
        for name in plan.names { try? removeTree(name.staged, in: staging.descriptor) }
    }

    private func makeNameFolder(_ path: [Name]) throws(Errno) {
        var folder: OpenFile
        do throws(StateFault) { folder = try container.state.madeFolder(Container.namesName, in: state) } catch { throw error.errno }
        for name in path {
            do throws(Errno) { folder = OpenFile(try Self.folder(name, in: folder.descriptor)) } catch {
                // The name of a document that was where a folder is now.
                guard error == .notDirectory else { throw error }
                try folder.descriptor.unlink(name)
                folder = OpenFile(try Self.folder(name, in: folder.descriptor))
            }
        }
        noteNames()
    }
}
