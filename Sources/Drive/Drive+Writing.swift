import Containers
import Coordination
import Documents
import Glibc
import LinuxFiles

// Writing into what is open.
extension Drive {
    /// Finds the place for `count` bytes and lets `transfer` move them there: (descriptor, offset) → how many were moved.
    public func write(
        _ handle: HandleID, at offset: Int64, count: Int, losingSetIDs writer: Caller? = nil, _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int {
        try changingContent(of: handle, losingSetIDs: writer) { (file, room, draft) throws(Errno) in
            try following(draft, offset, count) { () throws(Errno) in try transfer(file.descriptor.rawValue, offset + room) }
        }
    }

    /// What the store has no room for is missing in a draft until it is written after all: an incomplete draft does not
    /// replace a document.
    private func following(_ draft: Draft?, _ offset: Int64, _ count: Int, _ body: () throws(Errno) -> Int) throws(Errno) -> Int {
        guard let draft else { return try body() }
        var isNews = false
        defer { if isNews { workshop?.noteWholeness(of: draft) } }
        do throws(Errno) {
            let done = try body()
            isNews = draft.wrote(offset..<offset + Int64(max(done, 0)))
            return done
        } catch {
            isNews = Self.isFull(error) && count > 0 && draft.miss(offset..<offset + Int64(count))
            throw error
        }
    }

    static func isFull(_ error: Errno) -> Bool { error == .noSpace || error == .quota }

    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller? = nil) throws(Errno) {
        if handle == Herald.handle { return }
        try changingContent(of: handle, losingSetIDs: mayLoseSetIDs(caller)) { (file, room, _) throws(Errno) in
            try file.descriptor.allocate(mode: mode, at: offset + room, count: length)
        }
    }

    public func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller? = nil
    ) throws(Errno) -> Int {
        let source = try read(from, at: fromOffset, count: count)
        return try changingContent(of: to, losingSetIDs: mayLoseSetIDs(caller)) { (file, room, draft) throws(Errno) in
            try following(draft, toOffset, count) { () throws(Errno) in
                switch source {
                case .file(let other, let start, let available):
                    guard available > 0 else { return 0 }
                    return try other.descriptor.copyRange(at: start, to: file.descriptor, at: toOffset + room, count: available)
                case .bytes(let bytes):
                    try file.descriptor.write(Array(bytes), at: toOffset + room)
                    return bytes.count
                }
            }
        }
    }

    /// Runs `body` with the file that the content is written to, where in it the content begins, and the draft that it is.
    private func changingContent<Value>(
        of handle: HandleID, losingSetIDs writer: Caller?, _ body: (OpenFile, Int64, Draft?) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try makingRoom { () throws(Errno) in try changingContentOnce(of: handle, losingSetIDs: writer, body) }
    }

    private func changingContentOnce<Value>(
        of handle: HandleID, losingSetIDs writer: Caller?, _ body: (OpenFile, Int64, Draft?) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        while true {
            guard let open = handles.withLock({ $0[handle] }), open.writes else { throw .badDescriptor }
            // As a reader of the lane: while it is written to, no save runs, and no plain file becomes a document;
            // other writers do. What the handle has open is looked at in there, because it changes in there.
            let done: Value? = try coordinator.read(lane(open.node)) { () throws(Errno) in
                guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
                switch open.content {
                case .draft(let draft):
                    draft.touch()
                    return try body(draft.file, draft.room, draft)
                case .plain(let file):
                    defer { tree.withLock { $0.wrote(open.node) } }
                    return try losingSetIDs(file, of: open.node, writer) { () throws(Errno) in try body(file, 0, nil) }
                case .snapshot, .bytes, .headed: return nil
                }
            }
            if let done { return done }
            guard let document = open.document else { throw .badDescriptor }
            try coordinator.write(lane(open.node)) { () throws(Errno) in _ = try draft(of: document, open.node, keepingContent: true) }
        }
    }

    /// The draft of an open document, which begins now if there is none. In its lane.
    /// `caller` is who writes it anew, and may know it from before.
    func draft(of document: OpenDocument, _ id: UInt32, keepingContent: Bool, by caller: Caller? = nil) throws(Errno) -> Draft {
        if let draft = document.draft {
            if !keepingContent { try cut(draft, to: 0) }
            return draft
        }
        let workshop = try writer()
        let (node, orphan) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan)) }
        guard !orphan else { return try scratch(of: document, node.kindID, workshop, keepingContent: keepingContent) }
        let folder = try place(of: node.parent)
        let opened: ItemReader.Opened?
        do throws(DocumentFault) { opened = try container.reader.open(node.stored, as: node.kindID, in: folder.descriptor) } catch {
            let refused = refuse(error, node.parent)
            // It is being taken away or replaced. Whoever has it open goes on all the same.
            guard refused == .stale, keepingContent else { throw refused }
            opened = nil
        }
        // Who goes on with what was opened and replaced since, writes into that.
        let address = address(node.shown, in: node.parent, folder), isReplaced: Bool, draft: Draft
        let stamp = keepingContent ? document.state.withLock { $0.stamp } : caller.flatMap { reading(of: node.stored, in: node.parent, by: $0) }
        if let opened {
            isReplaced = document.content.isReplaced(by: try content(of: opened))
            draft = try workshop.draft(of: opened, at: address, stored: node.stored, keepingContent: keepingContent && !isReplaced, from: stamp)
        } else {
            guard let status = try document.content.currentStatus() else { throw .stale }
            isReplaced = true
            draft = try workshop.newDraft(
                node.kindID, at: address, mode: status.permissions, base: .stored(node.stored), from: stamp, owner: (status.owner, status.group))
        }
        interludes.pass(.draftBegun)
        do throws(Errno) {
            if keepingContent && isReplaced { try fill(draft, with: document.content) }
            guard isBegun(draft, of: document, id, node.stored) else { throw .stale }
            return draft
        } catch {
            workshop.discard(draft)
            guard error == .stale, keepingContent else { throw error }
        }
        return try scratch(of: document, node.kindID, workshop, keepingContent: true)
    }

    /// Makes a draft the document's in the same step in which its name is seen to be there still: whoever looks at the folder finds
    /// the item gone before that, or the draft, which outlives the item. False where the name is gone.
    private func isBegun(_ draft: Draft, of document: OpenDocument, _ id: UInt32, _ stored: Name) -> Bool {
        tree.withLock { tree in
            guard !tree[id].flags.contains(.orphan) else { return false }
            // It is about to be written to, and is somebody's from here on.
            draft.touch()
            document.state.withLock { state in
                state.draft = draft
                state.base = .stored(stored)
            }
            // Whoever closes it may have let go of it meanwhile, having seen no draft.
            tree.documents[id] = document
            return true
        }
    }

    func cut(_ draft: Draft, to length: Int64) throws(Errno) {
        if try draft.truncate(to: length) { workshop?.noteWholeness(of: draft) }
    }

    /// What is written to a document without a name is for those who have it open. In its lane.
    private func scratch(of document: OpenDocument, _ kind: KindID, _ workshop: Workshop, keepingContent: Bool) throws(Errno) -> Draft {
        let draft = try workshop.scratch(kind)
        if keepingContent { try fill(draft, with: document.content) }
        if let status = try? document.content.currentStatus() {
            try? draft.file.descriptor.setOwner(status.owner, group: status.group)
            try draft.file.descriptor.setPermissions(status.permissions)
            if keepingContent { try draft.setTimes(accessed: .at(status.accessed), modified: .at(status.modified)) }
        }
        document.state.withLock { state in
            state.draft = draft
            state.isOrphan = true
        }
        return draft
    }

    private func fill(_ draft: Draft, with content: OpenContent) throws(Errno) {
        switch content {
        case .snapshot(let file, let offset, let length, _):
            try file.descriptor.copyAll(from: offset, count: length, to: draft.file.descriptor, at: draft.room)
        case .bytes(let bytes, _): try draft.file.descriptor.write(bytes, at: draft.room)
        case .headed, .plain, .draft: throw .stale
        }
    }

    public func flush(_ handle: HandleID) throws(Errno) {
        guard let open = handles.withLock({ $0[handle] }), open.writes else { return }
        defer { tryWaitingAgain() }
        guard let document = open.document else {
            do throws(Errno) { return try adoptIfLastWriter(open.node, handles: 1) } catch {
                // It is gone, which is nothing to who closes it.
                if [.noSuchEntry, .stale].contains(error) { return }
                throw error
            }
        }
        try save(document, open.node, durably: false)
        guard let draft = document.draft, draft.fault != nil else { return }
        // Whoever closes it is told, also who changed nothing since it was refused.
        let isNew = tree.withLock { !$0[open.node].flags.isDisjoint(with: [.unborn, .orphan]) }
        guard isNew else { throw .invalid }
        // Its next look sees what came of it. A shell closes copies of what is empty still, and a photo is to be written
        // where it stays.
        if document.state.withLock({ $0.writers }) == 1, (try? draft.length()) ?? 0 > 0 { try becomePlainIfNew(document, open.node) }
    }

    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {
        guard let open = handles.withLock({ $0[handle] }) else { throw .badDescriptor }
        defer { tryWaitingAgain() }
        guard let document = open.document, !document.state.withLock({ $0.isOrphan }) else { return try synchronizePlain(open, dataOnly) }
        // A draft that is on the store is saved or shown after whatever happens. One whose content is parsed is
        // small, and becomes the document at once, if it is whole already: that is asked when it is closed.
        if let draft = document.draft, draft.kind.kind.room == nil, document.base != nil {
            do throws(Errno) { try save(document, open.node, durably: true) } catch { if error != .invalid { throw error } }
        }
        let draft = document.draft
        // This takes its time, and nobody waits for it who opens the document.
        try draft?.file.descriptor.synchronize()
        try coordinator.read(lane(open.node)) { () throws(Errno) in
            if isStill(.document, open.node) { return try synchronizePlace(of: draft, document, open.node) }
            if let open = handles.withLock({ $0[handle] }) { try synchronizePlain(open, dataOnly) }
        }
    }

    private func synchronizePlain(_ open: OpenHandle, _ dataOnly: Bool) throws(Errno) {
        if case .plain(let file) = open.content { try file.descriptor.synchronize(dataOnly: dataOnly) }
    }

    /// What was written is found after a power cut: as the draft that it was, or as the document if it was saved meanwhile,
    /// which whoever closes a copy of the handle does. In its lane.
    private func synchronizePlace(of draft: Draft?, _ document: OpenDocument, _ id: UInt32) throws(Errno) {
        if let draft, document.draft === draft { return try writer().synchronizePlace(of: draft) }
        let node = tree.withLock { $0[id] }
        guard let workshop, node.flags.isDisjoint(with: [.orphan, .unborn]) else { return try document.content.file?.descriptor.synchronize() ?? () }
        try workshop.synchronize(node.stored, node.kindID, in: place(of: node.parent))
    }
}

// Drafts become documents.
extension Drive {
    /// Saves what was written, if anything was. A new document whose content does not fit yet is left as it is.
    func save(_ document: OpenDocument, _ id: UInt32, durably: Bool) throws(Errno) {
        let patience = SavePatience()
        var isSettled = false
        while !isSettled {
            guard let draft = document.draft, draft.isChanged, !document.state.withLock({ $0.isOrphan }) else { return }
            waitForOthers(on: id, patience)
            func saveUnlessClaimed() throws(Errno) -> Bool { try saveInLane(document, id, durably: durably, patience) }
            if tree.withLock({ $0[id].flags.contains(.unborn) }) {
                // A new item appears in the folder: nobody lists it meanwhile.
                isSettled = try changingFolder(of: id) { (_) throws(Errno) in try saveUnlessClaimed() }
            } else {
                isSettled = try coordinator.write(lane(id)) { () throws(Errno) in try saveUnlessClaimed() }
            }
        }
    }

    /// False, and nothing is saved, where another program has a claim on the document and there is patience left.
    @discardableResult
    func saveInLane(_ document: OpenDocument, _ id: UInt32, durably: Bool, _ patience: SavePatience = SavePatience()) throws(Errno) -> Bool {
        let (draft, base, orphan) = document.state.withLock { ($0.draft, $0.base, $0.isOrphan) }
        guard let draft, draft.isChanged, !orphan else { return true }
        guard patience.isOver || !isClaimedByOthers(id) else { return false }
        let node = tree.withLock { $0[id] }
        let folder = try place(of: node.parent)
        guard base == nil || !draft.isIncomplete else {
            note(Workshop.incompleteReason, of: id)
            throw .noSpace
        }
        let stored: Name
        do throws(SaveFault) {
            stored = try savingWithRoom(draft, at: address(node.shown, in: node.parent, folder), over: base, durably: durably)
        } catch {
            switch error {
            case .failed(let errno):
                failed(draft, of: id, errno)
                throw errno
            case .unfit(let reason):
                guard !node.flags.contains(.unborn) else { return true }
                note(reason, of: id)
                throw .invalid
            }
        }
        try saved(document, id, as: stored, in: folder, base, draft)
        return true
    }

    /// Where there is no room, what is only remembered gives up its own, and it is tried again.
    private func savingWithRoom(_ draft: Draft, at address: Address, over base: Base?, durably: Bool) throws(SaveFault) -> Name {
        let workshop = try writer(orFault: ())
        while true {
            do throws(SaveFault) { return try workshop.save(draft, at: address, over: base, durably: durably) } catch {
                guard case .failed(let errno) = error, Self.isFull(errno), makeRoom() else { throw error }
            }
        }
    }

    func writer(orFault: Void) throws(SaveFault) -> Workshop {
        guard let workshop else { throw .failed(.readOnly) }
        return workshop
    }

    /// What was the draft's is the document's: its handles go on with what was saved.
    func saved(_ document: OpenDocument, _ id: UInt32, as stored: Name, in folder: OpenFile, _ base: Base?, _ draft: Draft?) throws(Errno) {
        if case .away(let item) = base, item.stored != stored { workshop?.drop(item) }
        let (node, changes) = tree.withLock { tree in
            var changes: [Change] = []
            tree.becomeStored(id, as: stored, &changes)
            tree.note(nil, of: id)
            return (tree[id], changes)
        }
        tell(changes)
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.open(stored, as: node.kindID, in: folder.descriptor) } catch {
            // It was saved, and is gone or another one already: whoever has it open goes on with what was written.
            forgetReading(of: node.parent)
            if let draft { try goOn(with: draft, document) }
            return
        }
        container.note(opened.reading, of: node.kindID)
        let content = try content(of: opened)
        let writer = document.state.withLock { state in
            state.content = content
            state.stamp = BaseStamp(opened.content)
            state.draft = nil
            state.base = .stored(stored)
            return state.writer
        }
        noteSaving(of: stored, in: node.parent, BaseStamp(opened.content), by: writer)
        tree.withLock { tree in
            // The kernel wrote these bytes itself, so what it has cached of them is right.
            tree[id].stamp = ContentStamp(opened.item.status)
            tree[id].number = (try? folder.descriptor.status(of: stored).identity.number) ?? 0
        }
        // What was written is a version, and the document is what somebody else made of it meanwhile.
        tell([draft?.isAside == true ? .content(id) : .attributes(id)])
        orderThumbnail(of: id)
        orderThinning()
    }

    private func goOn(with draft: Draft, _ document: OpenDocument) throws(Errno) {
        let content = OpenContent.snapshot(draft.file, offset: draft.room, length: try draft.length(), try draft.status())
        document.state.withLock { state in
            state.draft = nil
            state.content = content
        }
    }

    /// Keeps why a document is not saved, and tells it.
    func note(_ fault: String?, of id: UInt32) {
        let (file, isNews) = tree.withLock { tree in
            let isNews = tree.faults[id] != fault
            tree.note(fault, of: id)
            return (tree.shownPath(of: id), isNews)
        }
        // What waits is tried again all the time.
        guard let fault, isNews else { return }
        SystemLog.write("“\(file)” is not saved: \(fault)", .warning, [SystemLog.Field("VALISE_DOCUMENT", file)])
    }

    /// The last writer of something is gone: what did not become a document till now is a plain file,
    /// and a plain file that fits its name becomes a document.
    func finishWriting(_ open: OpenHandle) {
        guard let document = open.document else {
            try? adoptIfLastWriter(open.node, handles: 0)
            return
        }
        let writers = document.state.withLock { state in
            state.writers -= 1
            return state.writers
        }
        guard writers == 0 else { return }
        do throws(Errno) {
            try save(document, open.node, durably: false)
            try becomePlainIfNew(document, open.node)
        } catch {
            // It waits for better times. What does not fit its name was refused without an error.
        }
    }

    /// Where that fails, it waits as what could not be saved does.
    func becomePlainIfNew(_ document: OpenDocument, _ id: UInt32) throws(Errno) {
        guard tree.withLock({ $0.isUnborn(id) }), let draft = document.draft else { return }
        do throws(Errno) { try changingFolder(of: id) { (place) throws(Errno) in try becomePlain(document, draft, id, place) } } catch {
            failed(draft, of: id, error)
            throw error
        }
    }

    private func failed(_ draft: Draft, of id: UInt32, _ error: Errno) {
        let reason = "it could not be saved: \(error)"
        draft.note(reason)
        note(reason, of: id)
        waits(id)
    }

    /// A draft that is no document becomes the plain file that it looks like. In the lanes of its folder and its own.
    func becomePlain(_ document: OpenDocument, _ draft: Draft, _ id: UInt32, _ place: OpenFile) throws(Errno) {
        let node = tree.withLock { $0[id] }
        guard node.flags.contains(.unborn), !node.flags.contains(.orphan), document.draft === draft else { return }
        let stored = tree.withLock { $0.freeStoredName(node.shown, in: node.parent) }
        try writer().release(draft, asPlain: stored, at: address(node.shown, in: node.parent, place))
        if case .away(let item) = document.base { remember(item, as: node.shown, in: node.parent) }
        tree.withLock { $0.becomeStored(id, as: stored) }
        try becameFile(id, document, in: place)
    }

    /// With so many handles left that write. In the lane of the file, in which it is opened for writing too: who opens it
    /// now finds it before or after.
    private func adoptIfLastWriter(_ id: UInt32, handles count: Int) throws(Errno) {
        func plainNode() -> Node? {
            tree.withLock { $0.contains(id) && !$0[id].flags.contains(.orphan) && $0[id].role == .plain ? $0[id] : nil }
        }
        guard let parent = plainNode()?.parent, claim(of: plainNode()) != nil, handles.withLock({ $0.writers(of: id) }) <= count else { return }
        try changing(parent) { (place) throws(Errno) in
            try coordinator.write(lane(id)) { () throws(Errno) in
                guard let node = plainNode(), node.parent == parent, let kind = claim(of: node), handles.withLock({ $0.writers(of: id) }) <= count else { return }
                let away = takeAway(node.shown, kind, in: parent)
                var isAdopted = false
                defer { if !isAdopted, let away { rememberAgain(away, as: node.shown, in: parent) } }
                isAdopted = try adopt(
                    id, as: kind, named: node.shown, in: parent, place, from: (parent, place, node.stored), over: away.map(Base.away))
            }
        }
    }

    private func claim(of node: Node?) -> KindID? { node.flatMap { claim($0.shown) } }
}
