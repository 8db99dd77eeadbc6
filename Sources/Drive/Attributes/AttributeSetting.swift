import Containers
import Coordination
import LinuxFiles

/// Attributes that are set: `chmod`, `chown`, `touch` and `truncate`.
final class AttributeSetting: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let options: DriveOptions
    private let rights: CallerRights
    private let cachedAccess: CachedAccessChecks
    private let kernel: KernelMemory
    private let places: Places
    private let items: NodeItems
    private let access: AccessChecks
    private let documents: OpenDocuments
    private let readers: DocumentReaders
    private let setIDs: SetIDBits
    private let writing: DraftWriting
    private let saving: DraftSaving
    private let moved: MovedItems
    private let claims: ExternalClaims
    private let versions: PlainFileVersions

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?,
        options: DriveOptions, rights: CallerRights, cachedAccess: CachedAccessChecks, kernel: KernelMemory, places: Places,
        items: NodeItems, access: AccessChecks, documents: OpenDocuments, readers: DocumentReaders, setIDs: SetIDBits,
        writing: DraftWriting, saving: DraftSaving, moved: MovedItems, claims: ExternalClaims,
        versions: PlainFileVersions
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.options) = (tree, handles, coordinator, workshop, options)
        (self.rights, self.cachedAccess, self.kernel, self.places, self.items) = (rights, cachedAccess, kernel, places, items)
        (self.access, self.documents, self.readers, self.setIDs, self.writing) = (access, documents, readers, setIDs, writing)
        (self.saving, self.moved, self.claims, self.versions) = (saving, moved, claims, versions)
    }

    func set(_ change: AttributeChange, of id: NodeNumber, handle: HandleID?, caller: Caller) throws(Errno) {
        try whereItIs(id) { () throws(Errno) in try set(change, of: id, handle, caller) }
    }

    /// Another program may move an item out of the container after it was found, where this process may change nothing: the kernel is to look again then.
    func whereItIs(_ id: NodeNumber, _ body: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try body() } catch {
            if error == .stale { tree.forgetReading(of: tree[id].parent) }
            throw error
        }
    }

    private func set(_ change: AttributeChange, of id: NodeNumber, _ handle: HandleID?, _ caller: Caller) throws(Errno) {
        func open() -> OpenHandle? { handle.flatMap { handle in handles[handle] } }
        var isDone = false
        while !isDone {
            let role = tree[id].role
            guard !role.isFixed else { throw .readOnly }
            switch role {
            // In its lane, where a plain file becomes a document and the other way round.
            case .document:
                if change.size != nil { try moved.follow(id) }
                isDone = try coordinator.write(LaneID(id)) { () throws(Errno) in
                    guard tree.isStill(.document, id) else { return false }
                    try setDocument(id, change, open(), caller)
                    return true
                }
                if isDone, change.size != nil { saveIfClosed(id) }
            case .plain:
                if let size = change.size { try keepBeforeCutting(id, to: size, handle, open(), caller) }
                isDone = try coordinator.read(LaneID(id)) { () throws(Errno) in
                    guard tree.isStill(.plain, id) else { return false }
                    try setPlain(id, change, open(), caller)
                    return true
                }
            default:
                try setPlain(id, change, open(), caller)
                isDone = true
            }
        }
    }

    /// What is about to be cut is kept, for one who may do that: through a handle, the first time that something is changed. In no lane.
    private func keepBeforeCutting(_ id: NodeNumber, to size: Int64, _ handle: HandleID?, _ open: OpenHandle?, _ caller: Caller) throws(Errno) {
        guard versions.isOn, open?.isUnkept != false else { return }
        let (item, status) = try access.checkedBacking(of: id, attributesOnly: open != nil)
        if open == nil, let status { try rights.require(.write, of: caller, on: item, status) }
        if try size < item.descriptor.status().size { versions.keepBeforeChange(of: id, through: open == nil ? nil : handle) }
    }

    private func setPlain(_ id: NodeNumber, _ change: AttributeChange, _ open: OpenHandle?, _ caller: Caller) throws(Errno) {
        guard rights.areChecked else {
            return try setPlain(id, change, open, losingSetIDs: change.losesSetIDs ? caller : nil) { () throws(Errno) in try access.backing(of: id) }
        }
        var change = change
        if change.isEmpty {
            let file = try access.backing(of: id)
            if try removeSetIDs(from: file, of: id, file.descriptor.status(), by: &change, caller) { return }
        }
        let file: OpenFile, status: FileStatus?
        if let open, case .plain(let opened) = open.content {
            (file, status) = (opened, try opened.descriptor.status())
        } else {
            (file, status) = try access.checkedBacking(of: id, attributesOnly: change.size == nil)
        }
        if let status, try removeSetIDs(from: file, of: id, status, by: &change, caller) { return }
        if let status, change.needsOwnership { try rights.requireOwnership(of: caller, status) }
        // The store takes them away by itself when it is the caller who cuts the file, and the kernel remembers them.
        defer { if change.losesSetIDs { kernel.tell([.attributes(id)]) } }
        let needed: FileRights = change.needsOwnership ? [] : .write
        try rights.acting(for: caller, on: status, needing: needed, clearsSetIDs: change.losesSetIDs) { () throws(Errno) in
            try setPlain(id, change, open, losingSetIDs: nil) { file }
        }
    }

    /// When somebody writes to a file of another's, the kernel has its set-id bits taken away, which is no change of the writer's:
    /// by a change of nothing, perhaps of bits that are gone already and so of any file that they may write to; older kernels by a
    /// change of the permissions. True if that was all.
    private func removeSetIDs(
        from file: OpenFile, of id: NodeNumber, _ status: FileStatus, by change: inout AttributeChange, _ caller: Caller
    ) throws(Errno) -> Bool {
        guard !rights.isOwner(caller, of: status) else { return false }
        if change.isEmpty {
            // Where there are none, anybody may change nothing, and its time shows that. Who has it open for writing may write, whatever its
            // permissions are by now; whose request this is, the kernel does not say.
            if status.permissions & 0o6000 != 0, handles.writers(of: id) == 0 {
                do throws(Errno) { try rights.require(.write, of: caller, on: file, status) } catch { throw error == .accessDenied ? .notPermitted : error }
            }
            try file.descriptor.setOwner(nil, group: nil)
            return true
        }
        guard let permissions = change.permissions, status.loses(onlySetIDsBy: permissions) else { return false }
        try file.descriptor.setPlacePermissions(permissions)
        change.permissions = nil
        return change.isEmpty
    }

    private func setPlain(
        _ id: NodeNumber, _ change: AttributeChange, _ open: OpenHandle?, losingSetIDs writer: Caller?, _ backing: () throws(Errno) -> OpenFile
    ) throws(Errno) {
        if let size = change.size {
            let file: OpenFile
            if let open, open.writes, case .plain(let own) = open.content {
                file = own
            } else {
                file = OpenFile(try backing().descriptor.reopened([.write, .nonBlocking]))
            }
            func cut() throws(Errno) { try setIDs.losingSetIDs(file, of: id, writer) { () throws(Errno) in try file.descriptor.truncate(to: size) } }
            // Told when it is closed, or now where nobody has it open.
            if open != nil { try tree.writing(to: id, cut) } else {
                try cut()
                claims.tellPresenters(.changed, of: id)
            }
        }
        let item: OpenFile
        if let open, case .plain(let file) = open.content { item = file } else { item = try backing() }
        // Owner first: changing it clears the set-id bits, which a mode given with it sets again.
        // A `chown` that changes neither comes as a change of nothing, and its time is to be seen.
        if change.owner != nil || change.group != nil || change.isEmpty { try item.descriptor.setOwner(change.owner, group: change.group) }
        if let permissions = change.permissions { try item.descriptor.setPlacePermissions(permissions) }
        try setTimes(change, item.descriptor)
    }

    private func setTimes(_ change: AttributeChange, _ file: borrowing Descriptor) throws(Errno) {
        guard change.accessed != nil || change.modified != nil else { return }
        try file.setTimes(accessed: change.accessed?.timeChange, modified: change.modified?.timeChange)
    }

    /// A document that is cut by its name, and that nobody will close.
    private func saveIfClosed(_ id: NodeNumber) {
        guard let document = tree.document(id), document.state.withLock({ $0.writers }) == 0 else { return }
        try? saving.save(document, id, durably: false)
        tree.withLock { $0.dropDocumentIfIdle(id) }
    }

    /// A document's attributes are those of its parts; while it is written, those of its draft.
    private func setDocument(_ id: NodeNumber, _ change: AttributeChange, _ open: OpenHandle?, _ caller: Caller) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        if let size = change.size {
            // Who cuts what it has open, and has read nothing of it, goes on with what that was when it was opened, as who writes into it does.
            let opened = open.flatMap { open in open.writes ? open.document?.state.withLock { $0.stamp } : nil }
            let (document, _) = try documents.attach(id, by: caller, .write, isAccess: false)
            let draft = try writing.draft(of: document, id, keepingContent: size > 0 || !options.keepsVersions, by: caller, opened: opened, seen: open?.seen)
            try writing.cut(draft, to: size)
            // When it is saved, they are the document's.
            return try rights.acting(for: caller, on: draft.status(), needing: .write) { () throws(Errno) in
                try set(change, draft.file.descriptor, mask: 0o666)
            }
        }
        // One whose name is gone keeps what is set where its own content is.
        if tree[id].isNameless { _ = try writing.draft(of: try documents.attach(id, by: caller, [], isAccess: false).0, id, keepingContent: true) }
        var change = change
        if let draft = tree.document(id)?.draft {
            try setting(change, draft.status(), caller) { () throws(Errno) in try set(change, draft.file.descriptor, mask: 0o666) }
            if change.permissions != nil || change.owner != nil || change.group != nil { try workshop?.followAttributes(of: draft) }
            // They are those of what was written, and not of what it takes the place of.
            if draft.isChanged || draft.fault != nil { (change.accessed, change.modified) = (nil, nil) }
        }
        let node = tree[id]
        guard node.hasItem, change.permissions != nil || change.owner != nil || change.group != nil || change.accessed != nil || change.modified != nil else { return }
        let folder = try places.place(of: node.parent)
        let item = try itemOfDocument(node, in: folder)
        if rights.areChecked { try cachedAccess.checkDocument(id, items.currentItem(of: id).status) }
        try setting(change, item.descriptor.status(), caller) { () throws(Errno) in try setStored(id, node, item, change, folder) }
    }

    /// Runs `body` for one who may change what is asked for.
    private func setting(_ change: AttributeChange, _ status: FileStatus, _ caller: Caller, _ body: () throws(Errno) -> Void) throws(Errno) {
        if change.needsOwnership { try rights.requireOwnership(of: caller, status) }
        guard rights.areChecked else { return try body() }
        try rights.acting(for: caller, on: status, needing: change.needsOwnership ? [] : .write, body)
    }

    private func setStored(_ id: NodeNumber, _ node: Node, _ item: OpenFile, _ change: AttributeChange, _ folder: OpenFile) throws(Errno) {
        let before = options.keepsVersions ? contentStamp(of: item, tree.kind(of: node)) : nil
        defer { if let before { keepBase(of: id, node, before, contentStamp(of: item, tree.kind(of: node)), folder) } }
        let kind = tree.kind(of: node)
        guard kind.isPackage else { return try setContent(change, item.descriptor) }
        if kind.kind.flat != nil { return try setFlat(change, item) }
        let home = try kind.home(in: item)
        for (index, part) in try kind.partNames(in: home.descriptor).enumerated() {
            do throws(Errno) {
                let file = try home.descriptor.open(part, .path)
                if try file.status().type == .regular { if index == 0 { try setContent(change, file) } else { try set(change, file, mask: 0o666) } }
            } catch { if error != .noSuchEntry { throw error } }
        }
        // Who may read the content comes to it.
        for folder in try (kind.form?.foldersToContent(in: item) ?? []).reversed() + [item] {
            if change.owner != nil || change.group != nil { try folder.descriptor.setOwner(change.owner, group: change.group) }
            if let permissions = change.permissions { try folder.descriptor.setPlacePermissions(Draft.packageMode(for: permissions)) }
        }
    }

    /// What is in the package makes the file's bytes: permissions and times are the folder's alone. To another owner goes all of it.
    private func setFlat(_ change: AttributeChange, _ package: OpenFile) throws(Errno) {
        if change.owner != nil || change.group != nil { try package.descriptor.setOwnerOfAll(change.owner, group: change.group) }
        if let permissions = change.permissions { try package.descriptor.setPlacePermissions(Draft.packageMode(for: permissions)) }
        try setTimes(change, package.descriptor)
    }

    /// When it was saved is what it was, whatever its time is set to.
    private func setContent(_ change: AttributeChange, _ file: borrowing Descriptor) throws(Errno) {
        guard change.modified != nil else { return try set(change, file, mask: 0o666) }
        try Provenance.keeping(of: file) { () throws(Errno) in try set(change, file, mask: 0o666) }
    }

    /// What a document's name leads to, as long as that can be one of its kind: another program may have put anything there.
    private func itemOfDocument(_ node: Node, in folder: OpenFile) throws(Errno) -> OpenFile {
        do throws(Errno) {
            let item = OpenFile(try folder.descriptor.open(node.stored, .path)), kind = tree.kind(of: node)
            if kind.kind.flat != nil, try item.descriptor.status().type == .folder { return item }
            let home = try kind.home(in: item), content = try kind.contentName(in: home.descriptor)
            let status = if let content { try home.descriptor.status(of: content) } else { try item.descriptor.status() }
            if status.type == .regular { return item }
        } catch { guard [.noSuchEntry, .notDirectory].contains(error) else { throw error } }
        // The kernel is to look again.
        tree.forgetReading(of: node.parent)
        throw .stale
    }

    private func contentStamp(of item: OpenFile, _ kind: KindID) -> BaseStamp? {
        if let flat = kind.kind.flat { return (try? FlatPackage(item, flat)).map { BaseStamp($0.status) } }
        let home = (try? kind.home(in: item)) ?? item
        guard kind.isPackage, let part = (try? kind.contentName(in: home.descriptor)) ?? nil else { return (try? item.descriptor.status()).map(BaseStamp.init) }
        return (try? home.descriptor.status(of: part)).map(BaseStamp.init)
    }

    /// Times that are set here are no change by somebody else, under the draft.
    private func keepBase(of id: NodeNumber, _ node: Node, _ before: BaseStamp, _ after: BaseStamp?, _ folder: OpenFile) {
        guard let after, before != after else { return }
        readers.restamp(node.stored, in: node.parent, from: before, to: after)
        guard let document = tree.document(id) else { return }
        document.state.withLock { state in
            if state.stamp == before { state.stamp = after }
            for (key, seen) in state.seen where seen.stamp == before { state.seen[key]?.stamp = after }
        }
        guard let draft = document.draft, draft.base == before else { return }
        draft.begin(from: after)
        try? workshop?.record(draft, at: tree.address(node.shown, in: node.parent, folder), base: document.base)
    }

    private func set(_ change: AttributeChange, _ file: borrowing Descriptor, mask: UInt32) throws(Errno) {
        if change.owner != nil || change.group != nil { try file.setOwner(change.owner, group: change.group) }
        if let permissions = change.permissions { try file.setPlacePermissions(permissions & mask) }
        try setTimes(change, file)
    }
}

extension FileStatus {
    /// Whether other permissions are the same but for set-id bits that are gone.
    fileprivate func loses(onlySetIDsBy permissions: UInt32) -> Bool {
        let setIDs: UInt32 = 0o6000
        return permissions != self.permissions && permissions & ~setIDs == self.permissions & ~setIDs && permissions & ~self.permissions == 0
    }
}

extension AttributeChange.Moment {
    var timeChange: Descriptor.TimeChange {
        switch self {
        case .now: .now
        case .at(let time): .at(time)
        }
    }
}
