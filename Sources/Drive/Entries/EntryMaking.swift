import Containers
import Glibc
import LinuxFiles

/// New entries: files, documents, folders, links.
final class EntryMaking: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let options: DriveOptions
    private let rights: CallerRights
    private let places: Places
    private let removed: AwayDocuments
    private let changes: FolderChanges
    private let access: AccessChecks
    private let newKinds: NewKinds
    private let documents: OpenDocuments
    private let readers: DocumentReaders
    private let temporaryFiles: TemporaryFiles
    private let kept: PlainFilesKept
    private let claims: ExternalClaims
    private let returned: ReturnedDocuments
    private let folderItems: FolderItemRemovals

    init(
        tree: Tree, workshop: Workshop?, options: DriveOptions, rights: CallerRights, places: Places,
        removed: AwayDocuments, changes: FolderChanges, access: AccessChecks, newKinds: NewKinds, documents: OpenDocuments,
        readers: DocumentReaders, temporaryFiles: TemporaryFiles, kept: PlainFilesKept, claims: ExternalClaims, returned: ReturnedDocuments,
        folderItems: FolderItemRemovals
    ) {
        self.folderItems = folderItems
        (self.claims, self.returned) = (claims, returned)
        (self.temporaryFiles, self.kept, self.newKinds) = (temporaryFiles, kept, newKinds)
        (self.tree, self.workshop, self.options, self.rights, self.places) = (tree, workshop, options, rights, places)
        (self.removed, self.changes, self.access, self.documents, self.readers) = (removed, changes, access, documents, readers)
    }

    /// Throws `.exists` where there is something of that name by now.
    func create(
        _ name: Name, in parent: NodeNumber, mode: UInt32, flags: Int32, caller: Caller
    ) throws(Errno) -> (Entry, Opened) {
        let workshop = try workshop.required()
        return try changes.changing(parent, for: caller) { (place) throws(Errno) in
            try changes.checkFree(name, in: parent)
            if let kind = newKinds.kind(of: name, in: parent) { return try createDocument(name, kind, in: parent, place, workshop, mode, caller) }
            leaves(name, in: parent)
            let held = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
            let mode = try masked(mode, caller, in: place)
            let file = try removed.makingRoom { () throws(Errno) in
                try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in
                    OpenFile(try place.descriptor.open(name, [held.readable, .create, .exclusive, .nonBlocking], mode: mode & 0o7777))
                }
            }
            let entry = try changes.entryOfNew(name, in: parent, place)
            let id = NodeNumber(UInt32(truncatingIfNeeded: entry.node.rawValue))
            let status = try file.descriptor.status()
            temporaryFiles.note(status.identity.number, madeBy: caller)
            kept.cameAnew(name, in: parent, place, by: caller)
            let writes = flags & O_ACCMODE != O_RDONLY, opened = try documents.register(id, status, .content(.plain(file)), writes: writes)
            // Once it is closed, or now where nobody will write to it.
            if writes { tree.wrote(id) } else { claims.tellPresenters(ofNew: name, in: parent) }
            return (entry, opened)
        }
    }

    /// A file without a name, as `O_TMPFILE` makes it. A link to what is open may give it one.
    func createNameless(in parent: NodeNumber, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        try changes.checkChangeable(parent)
        let place = try places.place(of: parent)
        try access.checkChangeable(parent, place, by: caller)
        let held = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
        let mode = try masked(mode, caller, in: place)
        let file = try removed.makingRoom { () throws(Errno) in
            try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in
                OpenFile(try place.descriptor.reopened([held.readable, .nameless], mode: mode & 0o7777))
            }
        }
        let status = try file.descriptor.status()
        let id = tree.addNameless(status, in: parent)
        return (changes.entry(id, status), try documents.register(id, status, .content(.plain(file)), writes: true))
    }

    /// The permissions of what is made in a folder. The kernel takes the caller's mask from them itself, but where it serves
    /// access control lists: there a folder's default list is in the mask's place, and the store follows it.
    private func masked(_ mode: UInt32, _ caller: Caller, in place: OpenFile) throws(Errno) -> UInt32 {
        guard options.accessLists else { return forGroup(mode) }
        let hasList = (try? place.descriptor.extendedAttribute(Array("system.posix_acl_default".utf8))) != nil
        return hasList ? mode : forGroup(mode & ~(caller.umask & 0o777))
    }

    /// On a drive that is a group's, by `gid=` and `umask=`, the group has what the owner has of what is made there, as far as the drive shows it: who
    /// makes it has a mask for folders of their own. What a program keeps to itself stays so.
    private func forGroup(_ mode: UInt32) -> UInt32 {
        guard options.group != nil, let umask = options.umask, mode & 0o070 != 0 else { return mode }
        return mode | mode >> 3 & 0o070 & ~umask
    }

    /// A new document begins as a draft: what it is, is known when it is closed.
    private func createDocument(
        _ name: Name, _ kind: KindID, in parent: NodeNumber, _ place: OpenFile, _ workshop: Workshop, _ mode: UInt32, _ caller: Caller
    ) throws(Errno) -> (Entry, Opened) {
        let away = removed.take(name, kind, in: parent)
        let stamp = away.flatMap { readers.reading(of: $0.stored, called: name, in: parent, by: caller) }
        let draft: Draft, status: FileStatus
        do throws(Errno) {
            (draft, status) = try removed.makingRoom { () throws(Errno) in
                try workshop.newDraftAsShown(
                    kind, at: tree.address(name, in: parent, place), mode: forGroup(mode & ~(caller.umask & 0o777)), base: away.map(Base.away), from: stamp,
                    owner: try Self.owner(of: caller, in: place))
            }
        } catch {
            if let away { removed.remember(away, as: name, in: parent) }
            throw error
        }
        let document = OpenDocument(content: .draft(draft), draft: draft, base: away.map(Base.away), stamp: stamp)
        document.state.withLock { $0.writer = caller.thread }
        let id = tree.withLock { tree in
            let id = tree.addUnborn(name, in: parent, inode: status.identity.number, kind, document)
            tree.remember(id)
            return id
        }
        kept.beganAnew(name, in: parent, by: caller)
        return (changes.entry(id, status), try documents.register(id, nil, .document(document), writes: true))
    }

    /// Whose a new file is: the caller's, with the folder's group where the folder says so.
    private static func owner(of caller: Caller, in place: OpenFile) throws(Errno) -> (user: UInt32, group: UInt32) {
        let folder = try place.descriptor.status()
        let inherits = folder.permissions & 0o2000 != 0
        return (caller.user, inherits ? folder.group : caller.group)
    }

    func makeNode(_ name: Name, in parent: NodeNumber, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry {
        try make(name, in: parent, caller) { (place) throws(Errno) in
            let mode = try masked(mode, caller, in: place), type = mode & S_IFMT
            // A character device without a number is none: anybody may make one.
            let isDevice = type == S_IFBLK || type == S_IFCHR && device != 0
            if isDevice, let makeDevice = options.makeDevice { return try makeDevice(place, name, mode, device, caller) }
            try place.descriptor.makeNode(name, mode: mode, device: device)
        }
    }

    func makeFolder(_ name: Name, in parent: NodeNumber, mode: UInt32, caller: Caller) throws(Errno) -> Entry {
        let stored = try changes.storedName(ofFolder: name, in: parent)
        return try make(name, storedAs: stored, in: parent, caller) { (place) throws(Errno) in
            try changes.checkNoDocumentsFolder(name, in: parent)
            try place.descriptor.makeFolder(stored, mode: masked(mode, caller, in: place))
            folderItems.cameAnew(name, in: parent, by: caller)
        }
    }

    func makeSymbolicLink(_ name: Name, in parent: NodeNumber, to target: [UInt8], caller: Caller) throws(Errno) -> Entry {
        try make(name, in: parent, caller) { (place) throws(Errno) in try place.descriptor.makeSymbolicLink(name, to: target) }
    }

    /// What was called so, or whose item was, does not come back: it is among the deleted, with its versions.
    private func leaves(_ name: Name, in parent: NodeNumber) {
        removed.forget(name, in: parent)
        _ = returned.expected(name, in: parent)
    }

    private func make(
        _ name: Name, storedAs stored: Name? = nil, in parent: NodeNumber, _ caller: Caller, _ body: (OpenFile) throws(Errno) -> Void
    ) throws(Errno) -> Entry {
        return try changes.changing(parent, for: caller) { (place) throws(Errno) in
            try changes.checkFree(name, in: parent)
            leaves(name, in: parent)
            try removed.makingRoom { () throws(Errno) in
                try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in try body(place) }
            }
            let entry = try changes.entryOfNew(name, storedAs: stored ?? name, in: parent, place)
            claims.tellPresenters(ofNew: stored ?? name, in: parent)
            return entry
        }
    }

    func link(_ id: NodeNumber, as name: Name, in parent: NodeNumber, caller: Caller) throws(Errno) -> Entry {
        let source = tree[id]
        guard source.role == .plain else { throw .notPermitted }
        return try changes.changing(parent, for: caller) { (place) throws(Errno) in
            try changes.checkFree(name, in: parent)
            leaves(name, in: parent)
            if source.isNameless || rights.areChecked {
                // Unless it was made without a name, or has others that nobody asked for yet, the store refuses it.
                let (file, status) = try access.checkedBacking(of: id)
                if let status { try rights.requireLinking(of: caller, status) }
                try rights.acting(for: caller, on: status) { () throws(Errno) in try place.descriptor.linkOpenFile(file.descriptor, as: name) }
            } else {
                try places.place(of: source.parent).descriptor.link(source.stored, to: place.descriptor, as: name)
            }
            let entry = try changes.entryOfNew(name, in: parent, place, linkTo: id)
            claims.tellPresenters(ofNew: name, in: parent)
            return entry
        }
    }
}
