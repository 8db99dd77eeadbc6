import Containers
import Coordination
import Dispatch
import LinuxFiles

/// Drafts become documents, or the plain files that they look like.
final class DraftSaving: Sendable {
    private let tree: TreeTable
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let removed: RemovedDocuments
    private let changes: FolderChanges
    private let claims: ExternalClaims
    private let saved: SavedDocuments
    private let kernel: KernelMemory
    private let kinds: KindChanges
    private let newKinds: NewKinds
    private let returned: ReturnedDocuments
    /// Documents whose drafts wait for room.
    private let waiting = Locked(WaitingDrafts())

    init(
        tree: TreeTable, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places,
        removed: RemovedDocuments, changes: FolderChanges, claims: ExternalClaims, saved: SavedDocuments, kernel: KernelMemory,
        kinds: KindChanges, newKinds: NewKinds, returned: ReturnedDocuments
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.places) = (tree, handles, coordinator, workshop, places)
        (self.removed, self.changes, self.claims, self.saved, self.kernel) = (removed, changes, claims, saved, kernel)
        (self.kinds, self.newKinds, self.returned) = (kinds, newKinds, returned)
    }

    /// Saves every draft that can be saved. What cannot stays in staging, and is shown by the next drive.
    func saveEverything() {
        let open = tree.openDocuments()
        for (id, document) in open {
            if let why = missingEnd(of: document) { saved.note(why, of: id) } else { try? save(document, id, durably: false) }
        }
    }

    /// Saves it for somebody who wants to have it and has asked those who have it open. What is half written goes on being a draft.
    func saveForOthers(_ document: OpenDocument, _ id: NodeNumber) {
        if missingEnd(of: document) == nil { try? save(document, id, durably: false, asks: false) }
    }

    /// Why what is being written is seen not to be all of it.
    private func missingEnd(of document: OpenDocument) -> String? {
        let (draft, writers) = document.state.withLock { ($0.draft, $0.writers) }
        guard let draft, draft.isChanged, writers > 0 || draft.isUnclosed else { return nil }
        return draft.missingEnd()
    }

    /// A draft could not be saved and may be the next time.
    func waits(_ id: NodeNumber) {
        let isNew = waiting.withLock { waiting in
            guard waiting.documents[id] == nil else { return false }
            waiting.documents[id] = WaitingDraft()
            waiting.delay = WaitingDrafts.shortest
            return true
        }
        if isNew { setTimer() }
    }

    /// What nobody has open any more and has lost its folder is taken to the top, if the folder does not come back within a moment.
    func waitForLostFolders() {
        for (id, document) in tree.draftsInLostFolders() where document.state.withLock({ $0.writers }) == 0 { waits(id) }
    }

    private func setTimer() {
        let delay: Int? = waiting.withLock { waiting in
            guard !waiting.isTimed, !waiting.documents.isEmpty else { return nil }
            waiting.isTimed = true
            defer { waiting.delay = min(waiting.delay * 2, WaitingDrafts.longest) }
            return waiting.delay
        }
        guard let delay else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(delay)) { [weak self] in
            guard let self else { return }
            waiting.withLock { $0.isTimed = false }
            tryWaitingAgain()
            setTimer()
        }
    }

    /// Something changed that may have made room: each is tried in its lane, later. Nobody waits for what comes of it.
    func tryWaitingAgain() {
        let ordered = waiting.withLock { waiting in
            let ids = waiting.documents.filter { !$0.value.isOrdered }.map(\.key)
            for id in ids { waiting.documents[id]?.isOrdered = true }
            return ids
        }
        for id in ordered {
            if tree.lostFolder(of: id) != nil {
                changes.changingLater(Tree.root, with: id, { [self] top in
                    if let document = tree.document(id), isTakenToTop(document, id, top) { tryAgain(id, in: top) }
                }, ended: { [self] in triedAgain(id) })
            } else if tree.isUnborn(id) {
                // A new item appears in the folder.
                changes.changingFolderLater(of: id, { [self] place in tryAgain(id, in: place) }, ended: { [self] in triedAgain(id) })
            } else {
                coordinator.later(LaneID(id)) { [self] in
                    tryAgain(id, in: nil)
                    triedAgain(id)
                }
            }
        }
    }

    /// In its lane; and if it is new, in that of its folder. What another program has claimed goes on waiting, and not for longer
    /// than whoever closes a document.
    private func tryAgain(_ id: NodeNumber, in place: OpenFile?) {
        coordinator.checkWriting(LaneID(id))
        let document = tree.namedNode(id).flatMap { _ in tree.document(id) }
        if let document {
            guard place != nil || !tree.isUnborn(id) else { return }
            let patience = claims.isClaimedByOthers(id) ? firstPatience(of: id) : SavePatience()
            do throws(Errno) {
                guard try saveInLane(document, id, durably: false, inFolderLane: place != nil, patience) else { return }
                if let place, let draft = document.draft, document.state.withLock({ $0.writers }) == 0 {
                    try waitingIfItFails(draft, id) { () throws(Errno) in try becomePlain(document, draft, id, place) }
                }
            } catch { return }
        }
        waiting.withLock { $0.documents[id] = nil }
        tree.dropDocumentIfIdle(id)
    }

    private func firstPatience(of id: NodeNumber) -> SavePatience {
        waiting.withLock { waiting in
            let patience = waiting.documents[id]?.patience ?? SavePatience()
            waiting.documents[id]?.patience = patience
            return patience
        }
    }

    private func triedAgain(_ id: NodeNumber) { waiting.withLock { $0.documents[id]?.isOrdered = false } }

    func flush(_ handle: HandleID) throws(Errno) {
        guard let open = handles[handle], open.writes else { return }
        defer { tryWaitingAgain() }
        guard let document = open.document else {
            do throws(Errno) { return try adoptIfLastWriter(open.node, handles: 1) } catch {
                // It is gone, which is nothing to who closes it.
                if [.noSuchEntry, .stale].contains(error) { return }
                throw error
            }
        }
        guard !awaitsContent(document, open.node) else { return }
        document.draft?.noteClosed()
        try save(document, open.node, durably: false)
        guard let draft = document.draft, draft.fault != nil else { return }
        // Its next look sees what came of it. A shell closes copies of what is empty still, and a photo is to be written
        // where it stays.
        if document.state.withLock({ $0.writers }) == 1, (try? draft.length()) ?? 0 > 0 { try becomePlainIfNew(document, open.node) }
        // The drive tells each program that closes it that it is not saved, also one that changed nothing since that was said.
        if document.draft != nil, tree[open.node].hasItem { throw .invalid }
    }

    /// A shell closes what it opened for “>” once before anything is written, because it has a copy of it. What is empty then becomes no document
    /// yet, and empties none: whoever closes it last decides.
    private func awaitsContent(_ document: OpenDocument, _ id: NodeNumber) -> Bool {
        guard let draft = document.draft, draft.isChanged, draft.kind.kind.mayBeEmpty(shownName: tree[id].shown.bytes) else { return false }
        return (try? draft.length()) == 0
    }

    func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {
        guard let open = handles[handle] else { throw .badDescriptor }
        defer { tryWaitingAgain() }
        guard let document = open.document, !document.state.withLock({ $0.isOrphan }) else { return try synchronizePlain(open, dataOnly) }
        // A draft that is on the store is saved or shown after whatever happens. One whose content is parsed is
        // small, and becomes the document at once, if it is whole already: that is asked when it is closed.
        if let draft = document.draft, draft.kind.kind.contentStart == nil, document.base != nil {
            do throws(Errno) { try save(document, open.node, durably: true) } catch { if error != .invalid { throw error } }
        }
        let draft = document.draft
        // This takes its time, and nobody waits for it who opens the document.
        try draft?.file.descriptor.synchronize()
        try coordinator.read(LaneID(open.node)) { () throws(Errno) in
            // Somebody may have removed it meanwhile.
            let isOrphan = document.state.withLock { $0.isOrphan }
            if !isOrphan, tree.isStill(.document, open.node) { return try synchronizePlace(of: draft, document, open.node) }
            if let open = handles[handle] { try synchronizePlain(open, dataOnly) }
        }
    }

    private func synchronizePlain(_ open: OpenHandle, _ dataOnly: Bool) throws(Errno) {
        if case .plain(let file) = open.content { try file.descriptor.synchronize(dataOnly: dataOnly) }
    }

    /// What was written is found after a power cut: as the draft that it was, or as the document if it was saved meanwhile,
    /// which whoever closes a copy of the handle does. In its lane.
    private func synchronizePlace(of draft: Draft?, _ document: OpenDocument, _ id: NodeNumber) throws(Errno) {
        coordinator.checkReading(LaneID(id))
        if let draft, document.draft === draft { return try workshop.required().synchronizePlace(of: draft) }
        let node = tree[id]
        guard let workshop, node.hasItem else { return try document.content.file?.descriptor.synchronize() ?? () }
        try workshop.synchronize(node.stored, tree.kind(of: node), in: places.place(of: node.parent))
    }

    /// Saves what was written, if anything was. A new document whose content does not fit yet is left as it is. Whoever has it open
    /// beside the drive is asked before, unless that was done.
    func save(_ document: OpenDocument, _ id: NodeNumber, durably: Bool, asks: Bool = true) throws(Errno) {
        let patience = SavePatience()
        let isAsked = asks && document.draft?.isChanged == true
        let asking = isAsked ? claims.askPresenters(of: id, for: .writing, by: document.state.withLock { $0.writer }) : nil
        defer { asking?.end() }
        var isSettled = false
        while !isSettled {
            guard let draft = document.draft, draft.isChanged, !document.state.withLock({ $0.isOrphan }) else { return }
            if tree.lostFolder(of: id) != nil {
                try changes.changing(Tree.root) { (top) throws(Errno) in coordinator.write(LaneID(id)) { _ = isTakenToTop(document, id, top) } }
            }
            claims.waitForOthers(on: id, patience)
            if tree[id].isUnborn || document.isNew {
                // A new item appears in the folder: nobody lists it meanwhile.
                isSettled = try changes.changingFolder(of: id) { (_) throws(Errno) in try saveInLane(document, id, durably: durably, patience) }
            } else {
                isSettled = try coordinator.write(LaneID(id)) { () throws(Errno) in
                    try saveInLane(document, id, durably: durably, inFolderLane: false, patience)
                }
            }
        }
    }

    /// What was written of a document is not gone with its folder, which somebody deleted in the container: it is a new document at the top. Where
    /// a folder has that path again, it waits for the next drive, which looks there first. In the lanes of the top folder and its own.
    private func isTakenToTop(_ document: OpenDocument, _ id: NodeNumber, _ top: OpenFile) -> Bool {
        coordinator.checkWriting(LaneID(id))
        guard let path = tree.lostFolder(of: id), (try? isThere(path, below: top)) == false, let draft = document.draft, draft.isChanged || draft.fault != nil, let workshop,
            !document.state.withLock({ $0.isOrphan })
        else { return false }
        let before = tree.shownPath(of: id)
        guard let entry = tree.leaveLostFolder(id) else { return false }
        _ = saved.keep(nil, of: id)
        kernel.tell([.added(entry), .attributes(id)])
        try? workshop.record(draft, at: tree.address(entry.name, in: Tree.root, top), base: document.base)
        SystemLog.write(
            "the folder of “\(before)” was deleted while that was written; it is “\(entry.name)” at the top", .warning, [SystemLog.Field("VALISE_DOCUMENT", before)])
        return true
    }

    private func isThere(_ path: [Name], below top: OpenFile) throws(Errno) -> Bool {
        var place = top
        for name in path {
            do throws(Errno) { place = OpenFile(try place.descriptor.open(name, [.path, .folder])) } catch {
                guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
                return false
            }
        }
        return true
    }

    /// False, and nothing is saved, where another program has a claim on the document and there is patience left; or where its item went before its
    /// lane was free, so that a new one is to appear in the folder, and the folder's lane is not held.
    @discardableResult
    func saveInLane(
        _ document: OpenDocument, _ id: NodeNumber, durably: Bool, inFolderLane: Bool = true, _ patience: SavePatience = SavePatience()
    ) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(id))
        let (draft, base, orphan) = document.state.withLock { ($0.draft, $0.base, $0.isOrphan) }
        guard let draft, draft.isChanged, !orphan else { return true }
        if !inFolderLane { guard case .stored? = base else { return false } }
        guard patience.isOver || !claims.isClaimedByOthers(id) else { return false }
        // What somebody was writing when the drive was killed goes along as the draft that it is, until somebody writes it again and closes it.
        guard !draft.isUnclosed || draft.missingEnd() == nil else { return true }
        let unreported = document.state.withLock { state in
            defer { state.unreported = nil }
            return state.unreported
        }
        let node = tree[id]
        // Its folder became a package since: there it is a plain file.
        guard !node.isUnborn || !tree.isPackage(node.parent) else { return true }
        let folder = try places.place(of: node.parent)
        guard base == nil || !draft.isIncomplete else {
            if !isUnwritten(draft, document, id) { saved.note(Draft.incompleteReason, of: id) }
            throw .noSpace
        }
        let outcome: Outcome
        do throws(SaveFault) {
            outcome = try savingWithRoom(draft, at: tree.address(node.shown, in: node.parent, folder), over: base, durably: durably)
        } catch {
            switch error {
            case .failed(let errno):
                failed(draft, of: id, errno)
                throw errno
            case .unfit(let reason):
                guard !node.isUnborn else { return true }
                refused(document, draft, id, reason, unreported)
                throw .invalid
            }
        }
        try saved.saved(document, id, as: outcome.storedName(), in: folder, base, draft, current: outcome.current, isNew: base == nil)
        return true
    }

    /// What did not fit one name may fit the next one: then it is saved, by the last who writes it or at once. In its lane, and its folder's.
    func saveIfItFitsNow(_ id: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        guard let document = tree.document(id), let draft = document.draft, draft.fault != nil, !draft.isChanged, let content = try? draft.content(),
            kinds.fits(content, draft.kind, tree[id].shown)
        else { return }
        draft.touch()
        if document.state.withLock({ $0.writers }) == 0 { _ = try? saveInLane(document, id, durably: false) }
    }

    /// A document is about to lose its name, or another one is to be in its place: what was written of it is saved before, if it fits. In its lane.
    func saveBeforeItGoes(_ document: OpenDocument, _ id: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        if isSavedBeforeItGoes(document, id) { _ = try? saveInLane(document, id, durably: false) }
    }

    /// Whether it is, unless its content does not fit. What was only emptied is about to be written, and so is the rest of half an image. Without versions
    /// there would be nothing left of what the document was.
    func isSavedBeforeItGoes(_ document: OpenDocument, _ id: NodeNumber) -> Bool {
        guard workshop?.keepsVersions == true, tree[id].hasItem, let draft = document.draft, draft.isChanged else { return false }
        return ((try? draft.length()) ?? 0) > 0 && missingEnd(of: document) == nil
    }

    /// A shell closes what it opened for “>” once before anything is written, because it has a copy: what is empty while somebody may
    /// write is told when nobody may any more, if it is so still.
    func refused(_ document: OpenDocument, _ draft: Draft, _ id: NodeNumber, _ reason: String, _ unreported: String? = nil) {
        guard (try? draft.length()) == 0, document.state.withLock({ $0.writers }) > 0 else {
            // It may be refused for the same reason as when it was empty.
            return reason == unreported ? saved.tell(reason, of: id) : saved.note(reason, of: id)
        }
        if saved.keep(reason, of: id) { document.state.withLock { $0.unreported = reason } }
    }

    /// Where there is no room, what is only remembered gives up its own, and it is tried again.
    private func savingWithRoom(_ draft: Draft, at address: Address, over base: Base?, durably: Bool) throws(SaveFault) -> Outcome {
        let workshop = try workshop.required(orFault: ())
        return try removed.makingRoomToSave { () throws(SaveFault) in try workshop.commit(.save(draft, at: address, over: base, durably: durably)) }
    }

    /// The last writer of something is gone: what did not become a document till now is a plain file,
    /// and a plain file that fits its name becomes a document.
    func finishWriting(_ open: OpenHandle) {
        guard let document = open.document else {
            try? adoptIfLastWriter(open.node, handles: 0)
            rejoinIfLastWriter(open.node)
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
        giveUpUnwritten(document, open.node)
        // What was refused before and has lost its folder since.
        if document.draft != nil, tree.lostFolder(of: open.node) != nil { waits(open.node) }
        let unreported = document.state.withLock { state in
            defer { state.unreported = nil }
            return state.draft == nil || state.isOrphan ? nil : state.unreported
        }
        if let unreported { saved.tell(unreported, of: open.node) }
    }

    /// There was no room for anything that was to be written: then the document is what it was. Who reads it next, as `sed -i` does, must
    /// not take nothing for its text.
    private func giveUpUnwritten(_ document: OpenDocument, _ id: NodeNumber) {
        guard let draft = document.draft, isUnwritten(draft, document, id) else { return }
        try? coordinator.write(LaneID(id)) { () throws(Errno) in
            guard document.draft === draft, document.state.withLock({ $0.writers }) == 0, isUnwritten(draft, document, id) else { return }
            document.state.withLock { $0.draft = nil }
            workshop?.discard(draft)
            _ = saved.keep(nil, of: id)
            saved.tell(Draft.unwrittenReason, of: id)
            let node = tree[id]
            saved.refreshContent(of: id, stored: node.stored, in: try places.place(of: node.parent))
        }
    }

    private func isUnwritten(_ draft: Draft, _ document: OpenDocument, _ id: NodeNumber) -> Bool {
        guard draft.isIncomplete, (try? draft.length()) == 0, case .stored? = document.base else { return false }
        return tree[id].hasItem
    }

    /// Where that fails, it waits as what could not be saved does.
    func becomePlainIfNew(_ document: OpenDocument, _ id: NodeNumber) throws(Errno) {
        guard tree.isUnborn(id), let draft = document.draft else { return }
        try waitingIfItFails(draft, id) { () throws(Errno) in
            try changes.changingFolder(of: id) { (place) throws(Errno) in try becomePlain(document, draft, id, place) }
        }
    }

    private func waitingIfItFails(_ draft: Draft, _ id: NodeNumber, _ body: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try body() } catch {
            failed(draft, of: id, error)
            throw error
        }
    }

    private func failed(_ draft: Draft, of id: NodeNumber, _ error: Errno) {
        let reason = tree.lostFolder(of: id) != nil
            ? "its folder was deleted in the container; it comes to the top, or, where a folder has that path again, waits for the next drive, which looks there"
            : "it could not be saved: \(error)" + (whenTriedAgain(id, error).map { "; that is tried again by itself \($0)" } ?? "")
        draft.note(reason)
        saved.note(reason, of: id)
        waits(id)
    }

    /// What has to be there before another try can come to something; nil where nobody knows.
    private func whenTriedAgain(_ id: NodeNumber, _ error: Errno) -> String? {
        if error.isFull { return "when there is room" }
        guard [.accessDenied, .notPermitted].contains(error), let workshop, let names = tree.storedPath(of: tree[id].parent)?.names else { return nil }
        let folder = ([workshop.container.documentsPath] + names.map(\.description)).joined(separator: "/")
        return "when the drive may write in the folder “\(folder)”"
    }

    /// A draft that is no document becomes the plain file that it looks like. In the lanes of its folder and its own.
    func becomePlain(_ document: OpenDocument, _ draft: Draft, _ id: NodeNumber, _ place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        let node = tree[id]
        coordinator.checkWriting(LaneID(node.parent))
        guard node.isUnborn, !node.isNameless, document.draft === draft else { return }
        if case .away(let item) = document.base, draft.kind.kind.takes(shownName: node.shown.bytes), workshop?.isThere(item) == true {
            return try putBack(item, with: draft, document, id, place)
        }
        let stored = tree.freeStoredName(node.shown, in: node.parent)
        try workshop.required().commit(.release(draft, asPlain: stored, at: tree.address(node.shown, in: node.parent, place)), unfit: .invalid)
        if case .away(let item) = document.base { removed.remember(item, as: node.shown, in: node.parent) }
        tree.becomeStored(id, as: stored)
        try kinds.becameFile(id, document, in: place)
    }

    /// A program moved a document away a moment ago and wrote something else under its name, which does not fit. The drive brings the document back under
    /// that name, and takes what was written for its draft: nothing that does not fit takes a document's place, however a program saves.
    private func putBack(_ item: AwayItem, with draft: Draft, _ document: OpenDocument, _ id: NodeNumber, _ place: OpenFile) throws(Errno) {
        let node = tree[id], address = tree.address(node.shown, in: node.parent, place)
        let stored = try workshop.required().commit(.putBack(item, at: address, with: draft), unfit: .invalid).storedName()
        saved.cameBack(document, id, as: stored, in: place, because: draft.fault)
    }

    /// With so many handles left that write. In the lane of the file, in which it is opened for writing too: who opens it
    /// now finds it before or after.
    private func adoptIfLastWriter(_ id: NodeNumber, handles count: Int) throws(Errno) {
        func plainNode() -> Node? {
            tree.namedNode(id).flatMap { $0.role == .plain ? $0 : nil }
        }
        guard let parent = plainNode()?.parent, plainNode().flatMap(newKinds.kind) != nil, handles.writers(of: id) <= count else { return }
        try changes.changing(parent) { (place) throws(Errno) in
            try coordinator.write(LaneID(id)) { () throws(Errno) in
                guard let node = plainNode(), node.parent == parent, let kind = newKinds.kind(of: node), handles.writers(of: id) <= count else { return }
                let away = removed.take(node.shown, kind, in: parent)
                var isAdopted = false
                defer { if !isAdopted, let away { removed.rememberAgain(away, as: node.shown, in: parent) } }
                isAdopted = try kinds.adopt(
                    id, as: kind, named: node.shown, in: parent, place, from: (parent, place, node.stored), over: away.map(Base.away))
            }
        }
    }

    /// What was written under the name of a deleted document's item may be that document.
    private func rejoinIfLastWriter(_ id: NodeNumber) {
        guard let node = tree.namedNode(id), handles.writers(of: id) == 0, returned.isExpected(node.stored, in: node.parent) else { return }
        try? changes.changingFolder(of: id) { (place) throws(Errno) in
            guard let node = tree.namedNode(id), node.hasItem else { return }
            returned.rejoin(returned.expected(node.stored, in: node.parent), in: node.parent, place)
        }
    }
}

/// Drafts that could not be saved although their content is right: a store without room, most of all.
struct WaitingDrafts {
    var documents: [NodeNumber: WaitingDraft] = [:]
    /// When they are tried again by themselves, in seconds.
    var delay = shortest
    var isTimed = false

    static let shortest = 1, longest = 30
}

struct WaitingDraft {
    /// It will be tried, and need not be ordered again.
    var isOrdered = false
    /// Since it was found that another program has a claim on the document.
    var patience: SavePatience?
}
