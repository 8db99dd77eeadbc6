import Containers
import Coordination
import Documents
import LinuxFiles

// Names that change. What a file is follows from its name and its content: a plain file that is given a document's name
// becomes a document if its content fits, and a document that is given a foreign name becomes a plain file.
extension Drive {
    private static let noReplace: UInt32 = 1, exchange: UInt32 = 2

    /// One rename, as it was asked for.
    struct Move {
        let id: UInt32
        let node: Node
        let replaced: UInt32?
        /// What is replaced, where it is no document.
        let remains: OpenFile?
        let from: (folder: UInt32, place: OpenFile)
        let to: (folder: UInt32, place: OpenFile)
        let name: Name
        let caller: Caller
    }

    func renameNow(
        _ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno) {
        let old = try known(folder), new = try known(newFolder)
        guard flags & ~(Self.noReplace | Self.exchange) == 0 else { throw .invalid }
        if new == Tree.root, Hidden.isState(newName) { throw .notPermitted }
        try changing(old, new, for: caller) { (from, to) throws(Errno) in
            let asked = name, name = spelling(of: asked, in: old), spelled = spelling(of: newName, in: new)
            // Its own name with other letters is a new one.
            let newName = old == new && spelled == name ? newName : spelled
            defer { leavesName(name, in: old, askedAs: asked) }
            guard let id = tree.withLock({ $0.child(shown: name, of: old) }) else { throw absence(of: name) }
            let replaced = tree.withLock { $0.child(shown: newName, of: new) }
            if flags & Self.noReplace != 0, replaced != nil { throw .exists }
            let move = Move(
                id: id, node: tree.withLock { $0.node(id, called: name, in: old) }, replaced: replaced,
                remains: remains(of: replaced, called: newName, in: new, to), from: (old, from), to: (new, to), name: newName, caller: caller)
            try checkMoving(move, exchanging: flags & Self.exchange != 0)
            if flags & Self.exchange != 0 { return try exchangePlaces(move) }
            guard replaced != id else { return }
            try checkReplacing(move)
            try carryOut(move)
            tellOthers(move.node.stored, in: old, becameShown: newName, in: new)
        }
    }

    /// Both names stand for what was meant, and the caller may take them away. A folder that gets another one above it is changed
    /// itself: it says there which that is.
    private func checkMoving(_ move: Move, exchanging: Bool) throws(Errno) {
        guard rights.areChecked else { return }
        let moved = move.node.flags.contains(.unborn) ? nil : remains(of: move.node.stored, in: move.from.place)
        try checkRemoval(of: move.id, moved, move.from.place, by: move.caller)
        if let replaced = move.replaced {
            let node = tree.withLock { $0.node(replaced, called: move.name, in: move.to.folder) }
            let there = node.flags.contains(.unborn) ? nil : remains(of: node.stored, in: move.to.place)
            try checkRemoval(of: replaced, there, move.to.place, by: move.caller)
            if exchanging, node.role.isFolder, let there { try checkMovingFolder(there, move) }
        }
        if move.node.role.isFolder, let moved { try checkMovingFolder(moved, move) }
    }

    private func checkMovingFolder(_ folder: OpenFile, _ move: Move) throws(Errno) {
        guard move.from.folder != move.to.folder else { return }
        try rights.require(.write, of: move.caller, on: folder, folder.descriptor.status())
    }

    private func remains(of replaced: UInt32?, called name: Name, in folder: UInt32, _ place: OpenFile) -> OpenFile? {
        guard let node = replaced.map({ id in tree.withLock { $0.node(id, called: name, in: folder) } }), node.role != .document else { return nil }
        return remains(of: node.stored, in: place)
    }

    private func checkReplacing(_ move: Move) throws(Errno) {
        guard let replaced = move.replaced else { return }
        let isFolder = tree.withLock { $0[replaced].role.isFolder }
        if isFolder, !move.node.role.isFolder { throw .isDirectory }
        if !isFolder, move.node.role.isFolder { throw .notDirectory }
    }

    private func carryOut(_ move: Move) throws(Errno) {
        switch move.node.role {
        case .folder: try moveFolder(move)
        case .plain: try movePlain(move)
        case .document:
            // Two documents are two lanes, the lower number first, as everywhere.
            try coordinator.write(lane(move.id), lane(move.replaced ?? move.id)) { () throws(Errno) in try moveDocument(move) }
        default: throw .readOnly
        }
    }

    // MARK: Folders and plain files

    private func moveFolder(_ move: Move) throws(Errno) {
        if let replaced = move.replaced, tree.withLock({ $0.hasUnborn(in: replaced) }) { throw .notEmpty }
        let stored = try storedName(of: move), drafts = drafts(below: move.id, as: stored, in: move.to.folder)
        try moves.during { () throws(Errno) in
            _ = try writer().move(move.node.stored, from: oldAddress(move), to: newAddress(move), as: stored, drafts: drafts)
            relocate(move, stored: stored)
        }
        forgetAway(move.name, in: move.to.folder)
        if let replaced = move.replaced { forgetAway(of: replaced) }
    }

    func oldAddress(_ move: Move) -> Address { address(move.node.shown, in: move.from.folder, move.from.place) }
    func newAddress(_ move: Move) -> Address { address(move.name, in: move.to.folder, move.to.place) }

    /// What a plain file or a folder is called in the container: as it is shown. Where an item is called so that is shown
    /// otherwise, that name is not to be had.
    private func storedName(of move: Move) throws(Errno) -> Name {
        let isTaken = tree.withLock { tree in
            let own = tree.entry(shown: move.node.shown, of: move.from.folder), other = tree.entry(stored: move.name, of: move.to.folder)
            return other.map { $0 != own && tree[$0].shown != move.name } ?? false
        }
        if isTaken { throw .exists }
        return move.name
    }

    private func movePlain(_ move: Move) throws(Errno) {
        if let kind = claim(move.name), try isRegular(move.node.stored, in: move.from.place) {
            let replaced = move.replaced.map { id in (id: id, node: tree.withLock { $0[id] }) }
            let isAdopted = try coordinator.write(lane(move.id), lane(move.replaced ?? move.id)) { () throws(Errno) in
                try moves.during { () throws(Errno) in try adoptMoved(move, kind, over: replaced) }
            }
            if isAdopted { return }
        }
        try replaceByPlain(move)
    }

    private func isRegular(_ name: Name, in place: OpenFile) throws(Errno) -> Bool {
        try place.descriptor.status(of: name).type == .regular
    }

    /// A plain file takes a name that may have been a document's.
    private func replaceByPlain(_ move: Move) throws(Errno) {
        guard let replaced = move.replaced, replacedDocument(move) != nil else {
            return try moves.during { () throws(Errno) in try replaceAllByPlain(move) }
        }
        try coordinator.write(lane(replaced)) { () throws(Errno) in
            try moves.during { () throws(Errno) in try replaceAllByPlain(move) }
        }
    }

    private func replaceAllByPlain(_ move: Move) throws(Errno) {
        let stored = try storedName(of: move)
        let away = try makingRoom { () throws(Errno) in
            try writer().move(
                move.node.stored, from: oldAddress(move), to: newAddress(move), as: stored, replacing: replacedDocument(move),
                removing: replacedPlain(move, but: stored))
        }
        putAside(away, move)
        relocate(move, stored: stored)
    }

    /// The document that gave way is remembered, and whoever has it open goes on without its name.
    private func putAside(_ away: AwayItem?, _ move: Move) {
        let document = move.replaced.flatMap { id in tree.withLock { $0.documents[id] } }
        if let away {
            remember(away, as: move.name, in: move.to.folder)
        } else if case .away(let item) = document?.base {
            // It was a draft, with which that one was to come back.
            remember(item, as: move.name, in: move.to.folder)
        } else {
            forgetAway(move.name, in: move.to.folder)
        }
        abandon(document)
    }

    /// What the tree makes of a rename that was carried out.
    private func relocate(_ move: Move, stored: Name) {
        tree.withLock { tree in
            tree.remove(move.name, of: move.to.folder, keeping: move.remains)
            guard let entry = tree.entry(shown: move.node.shown, of: move.from.folder) else { return }
            tree.move(entry, to: move.to.folder, stored: stored, shown: move.name)
            tree.setListed(entry)
        }
    }

    // MARK: Plain files that become documents

    /// Makes a document of a plain file that is given a document's name, in the lanes of both. False where it stays a plain file.
    private func adoptMoved(_ move: Move, _ kind: KindID, over replaced: (id: UInt32, node: Node)?) throws(Errno) -> Bool {
        guard let replaced, replaced.node.role == .document, replaced.node.kindID == kind else {
            if let replaced, replaced.node.role == .document { return false }
            let away = takeAway(move.name, kind, in: move.to.folder)
            let source = (move.from.folder, move.from.place, move.node.stored)
            var isAdopted = false
            defer { if !isAdopted, let away { rememberAgain(away, as: move.name, in: move.to.folder) } }
            isAdopted = try adopt(
                move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: away.map(Base.away),
                replacing: move.replaced, move.remains, by: move.caller)
            return isAdopted
        }
        let document = tree.withLock { $0.documents[replaced.id] }
        let base: Base? = replaced.node.flags.contains(.unborn) ? document?.base : .stored(replaced.node.stored)
        let source = (move.from.folder, move.from.place, move.node.stored)
        guard try adopt(move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: base, replacing: replaced.id, by: move.caller) else {
            // The document keeps its content, and the file keeps its name: nothing is lost.
            throw .invalid
        }
        abandon(document)
        return true
    }

    /// Makes a document of a plain file, in the lanes of its folders and its own. False where the content does not fit: it stays a plain file.
    func adopt(
        _ id: UInt32, as kind: KindID, named name: Name, in folder: UInt32, _ place: OpenFile,
        from source: (folder: UInt32, place: OpenFile, stored: Name), over base: Base?,
        replacing: UInt32? = nil, _ remains: OpenFile? = nil, by caller: Caller? = nil
    ) throws(Errno) -> Bool {
        let workshop = try writer()
        // That it is looked at is no access of the user's.
        let file = try source.place.descriptor.openUntraced(source.stored, [.read, .nonBlocking])
        let status = try file.status()
        guard status.type == .regular, status.links == 1 else { return false }
        let plain = OpenFile(file)
        guard fits(plain, status.size, kind, name) else { return false }
        let address = address(name, in: folder, place)
        let known = base.flatMap { base in caller.flatMap { reading(of: base.stored, in: folder, by: $0) } }
        let draft = try workshop.draft(kind, ofContent: plain.descriptor, from: known)
        let stored: Name
        do throws(SaveFault) {
            let path = tree.withLock { $0.storedPath(of: source.folder)?.names ?? [] }
            let (node, other) = tree.withLock { tree in (replacing.map { tree.node($0, called: name, in: folder) }, replacing.flatMap { tree.documents[$0]?.draft }) }
            // A plain file that has the name goes too: its item is called so, and the document's is not.
            let plain = node.flatMap { $0.role == .document ? nil : (address.path, $0.stored) }
            stored = try workshop.save(
                draft, at: address, over: base, removing: [(path, source.stored)] + (plain.map { [$0] } ?? []), ending: other)
        } catch {
            workshop.discard(draft)
            if case .failed(let errno) = error { throw errno }
            return false
        }
        if case .away(let item) = base, item.stored != stored { workshop.drop(item) }
        tree.withLock { tree in
            tree.becomeSingle(id, stored: source.stored, in: source.folder)
            if tree.child(shown: name, of: folder) != id { tree.remove(name, of: folder, keeping: remains) }
            tree.move(id, to: folder, stored: stored, shown: name)
        }
        try becameDocument(id, kind, .plain(plain), in: place, draft, by: caller)
        return true
    }

    /// What was a plain file, or a document of another kind, is a document, and all who have it open go on with that.
    func becameDocument(_ id: UInt32, _ kind: KindID, _ content: OpenContent, in place: OpenFile, _ draft: Draft? = nil, by caller: Caller? = nil) throws(Errno) {
        let stored = tree.withLock { $0[id].stored }
        let document = OpenDocument(content: content, base: .stored(stored))
        tree.withLock { tree in
            tree[id].role = .document
            tree[id].kind = kind.rawValue
            tree[id].flags.remove(.unlisted)
            tree.documents[id] = document
        }
        let writers = handles.withLock { $0.retarget(id, to: .document(document)) }
        document.state.withLock { state in
            state.writers = writers
            state.writer = caller?.process
        }
        try saved(document, id, as: stored, in: place, nil, draft)
        tree.withLock { $0.dropDocumentIfIdle(id) }
    }

    /// Whether content is what a name says, found out without copying it.
    private func fits(_ file: OpenFile, _ size: Int64, _ kind: KindID, _ name: Name) -> Bool {
        (try? kind.kind.write(content: FileSource(file, byteCount: size), shownName: name.bytes, over: nil, spelling: nil)) != nil
    }

    // MARK: Documents

    private func moveDocument(_ move: Move) throws(Errno) {
        // What was written to it is saved first, if it can be. A program that has claimed it is not waited for: the draft goes along.
        if let document = tree.withLock({ $0.documents[move.id] }) { _ = try? saveInLane(document, move.id, durably: false) }
        let node = tree.withLock { $0[move.id] }
        let keepsKind = claims(move.name, node.kindID)
        try moves.during { () throws(Errno) in
            if node.flags.contains(.unborn) { return try moveUnborn(move, node, keepsKind: keepsKind) }
            if keepsKind { try renameDocument(move, node) } else { try turnPlain(move, node) }
        }
    }

    /// Whether a name is still one of this kind: also where the container does not create that kind.
    private func claims(_ name: Name, _ kind: KindID) -> Bool { kind.kind.claims(shownName: name.bytes) }

    /// A new document that is still being written is known by its name only.
    private func moveUnborn(_ move: Move, _ node: Node, keepsKind: Bool) throws(Errno) {
        guard let document = tree.withLock({ $0.documents[move.id] }), let draft = document.draft else { throw .stale }
        var base: Base?
        if let replaced = move.replaced {
            let other = tree.withLock { $0[replaced] }
            if keepsKind, other.role == .document, other.kindID == node.kindID, !other.flags.contains(.unborn) {
                // It takes the other one's place when it is saved.
                base = .stored(other.stored)
            }
        } else if keepsKind, let away = takeAway(move.name, node.kindID, in: move.to.folder) {
            base = .away(away)
        }
        let place = DraftPlace(draft: draft, address: newAddress(move), base: base)
        let gone: AwayItem?
        do throws(Errno) {
            gone = try makingRoom { () throws(Errno) in
                try writer().rename(place, replacing: replacedDocument(move), removing: replacedPlain(move))
            }
        } catch {
            if case .away(let item) = base { rememberAgain(item, as: move.name, in: move.to.folder) }
            throw error
        }
        putAsideUnborn(gone, move)
        if case .away(let item) = document.base { remember(item, as: node.shown, in: move.from.folder) }
        tree.withLock { tree in
            tree.remove(move.name, of: move.to.folder, keeping: move.remains)
            if case .stored(let stored) = base {
                tree.move(move.id, to: move.to.folder, stored: move.name, shown: move.name)
                tree.becomeStored(move.id, as: stored)
            } else {
                tree.move(move.id, to: move.to.folder, stored: move.name, shown: move.name)
            }
        }
        document.state.withLock { $0.base = base }
        if !keepsKind { try becomePlain(document, draft, move.id, move.to.place) }
    }

    /// What had the name is remembered, also where it was no more than a draft itself.
    private func putAsideUnborn(_ away: AwayItem?, _ move: Move) {
        guard let replaced = move.replaced else { return }
        let (other, document) = tree.withLock { ($0[replaced], $0.documents[replaced]) }
        if let away { remember(away, as: move.name, in: move.to.folder) }
        if other.flags.contains(.unborn), case .away(let item) = document?.base { remember(item, as: move.name, in: move.to.folder) }
        abandon(document)
    }

    private func renameDocument(_ move: Move, _ node: Node) throws(Errno) {
        let workshop = try writer()
        let replacing = replacedDocument(move), copies = copies(of: node.stored, in: move.from.folder)
        let result: (stored: Name, away: AwayItem?)
        do throws(SaveFault) {
            result = try workshop.rename(
                node.stored, node.kindID, from: oldAddress(move), to: newAddress(move), replacing: replacing, removing: replacedPlain(move),
                draft: tree.withLock { $0.documents[move.id]?.draft }, copies: copies)
        } catch {
            if case .failed(let errno) = error { throw errno }
            throw .inputOutput
        }
        putAside(result.away, move)
        relocate(move, stored: result.stored)
        tree.withLock { $0.documents[move.id] }?.state.withLock { $0.base = .stored(result.stored) }
        refreshContent(of: move.id, stored: result.stored, in: move.to.place)
        // What copies are is found by reading the whole folder.
        if !copies.isEmpty { for folder in [move.from.folder, move.to.folder] { forgetReading(of: folder) } }
    }

    /// A renamed document may show other bytes: a link file of another form.
    func refreshContent(of id: UInt32, stored: Name, in place: OpenFile) {
        let (kind, parent, document) = tree.withLock { ($0[id].kindID, $0[id].parent, $0.documents[id]) }
        guard let opened = try? container.reader.open(stored, as: kind, in: place.descriptor), let content = try? content(of: opened) else { return }
        let number = (try? place.descriptor.status(of: stored).identity.number) ?? 0
        tree.withLock { $0[id].number = number }
        noteSaving(of: stored, in: parent, BaseStamp(opened.content), by: nil)
        document?.state.withLock { state in
            state.content = content
            state.stamp = BaseStamp(opened.content)
            if options.keepsVersions { state.draft?.begin(from: BaseStamp(opened.content)) }
        }
        tell([.content(id)])
    }

    private func turnPlain(_ move: Move, _ node: Node) throws(Errno) {
        let workshop = try writer()
        let document = tree.withLock { $0.documents[move.id] }
        if let draft = document?.draft {
            // The draft is what is shown, so it is what gets the name; the last good content goes away with the old one.
            return try releaseDraft(move, node, document, draft)
        }
        let opened: ItemReader.Opened
        do throws(DocumentFault) { opened = try container.reader.open(node.stored, as: node.kindID, in: move.from.place.descriptor) } catch {
            throw refuse(error, move.from.folder)
        }
        let stored = try storedName(of: move)
        let (away, replaced) = try workshop.turnPlain(
            opened, node.stored, from: oldAddress(move), to: newAddress(move), as: stored, replacing: replacedDocument(move),
            removing: replacedPlain(move, but: stored))
        remember(away, as: node.shown, in: move.from.folder)
        try nowPlain(move, document, as: stored, replaced)
    }

    private func releaseDraft(_ move: Move, _ node: Node, _ document: OpenDocument?, _ draft: Draft) throws(Errno) {
        let stored = try storedName(of: move)
        let outdated = Workshop.Outdated(
            stored: node.stored, at: oldAddress(move), replacing: replacedDocument(move), removing: replacedPlain(move, but: stored))
        let (away, replaced) = try writer().release(draft, asPlain: stored, at: newAddress(move), over: outdated)
        if let away { remember(away, as: node.shown, in: move.from.folder) }
        document?.state.withLock { $0.draft = nil }
        note(nil, of: move.id)
        try nowPlain(move, document, as: stored, replaced)
    }

    private func nowPlain(_ move: Move, _ document: OpenDocument?, as stored: Name, _ replaced: AwayItem?) throws(Errno) {
        putAside(replaced, move)
        relocate(move, stored: stored)
        try becameFile(move.id, document, in: move.to.place)
        // The new name may be another kind's.
        guard let kind = claim(move.name), handles.withLock({ $0.writers(of: move.id) }) == 0 else { return }
        let source = (move.to.folder, move.to.place, stored)
        _ = try adopt(move.id, as: kind, named: move.name, in: move.to.folder, move.to.place, from: source, over: nil)
    }

    /// What was a document is a plain file, and all who have it open go on with that.
    func becameFile(_ id: UInt32, _ document: OpenDocument?, in place: OpenFile) throws(Errno) {
        let stored = tree.withLock { $0[id].stored }
        let file = OpenFile(try place.descriptor.open(stored, [.readWrite, .nonBlocking]))
        let status = try file.descriptor.status()
        document?.state.withLock { state in
            state.draft = nil
            state.content = .plain(file)
        }
        tree.withLock { tree in
            tree[id].role = .plain
            tree[id].number = status.identity.number
            tree[id].stamp = ContentStamp(status)
            tree.reopen(id, status.identity)
            if Hidden.hides(tree[id].shown) { tree[id].flags.insert(.unlisted) }
            tree.documents[id] = nil
        }
        _ = handles.withLock { $0.retarget(id, to: .content(.plain(file))) }
        tell([.attributes(id)])
    }

    /// The document that gives way, for the workshop. One that is a draft only is thrown away when all is done.
    private func replacedDocument(_ move: Move) -> Workshop.Replaced? {
        guard let node = replacedNode(move), node.role == .document, !node.flags.contains(.unborn) else { return nil }
        let draft = tree.withLock { tree in move.replaced.flatMap { tree.documents[$0]?.draft } }
        return Workshop.Replaced(stored: node.stored, kind: node.kindID, draft: draft)
    }

    /// The item of the plain file that gives way, unless it is replaced by its name.
    private func replacedPlain(_ move: Move, but stored: Name? = nil) -> Name? {
        guard let node = replacedNode(move), node.role != .document, node.stored != stored else { return nil }
        return node.stored
    }

    private func replacedNode(_ move: Move) -> Node? {
        move.replaced.map { id in tree.withLock { $0.node(id, called: move.name, in: move.to.folder) } }
    }

    // MARK: Drafts on the way

    /// The drafts in a folder, where they are when it has another name.
    func drafts(below folder: UInt32, as stored: Name, in parent: UInt32) -> [DraftPlace] {
        let (moved, old, new) = tree.withLock { tree in
            (
                tree.documents.filter { $0.value.draft != nil && tree.isBelow($0.key, folder) && !tree[$0.key].flags.contains(.orphan) },
                tree.storedPath(of: folder)?.names ?? [], (tree.storedPath(of: parent)?.names ?? []) + [stored]
            )
        }
        return moved.compactMap { id, document in
            let node = tree.withLock { $0[id] }
            guard let draft = document.draft, let place = try? place(of: node.parent) else { return nil }
            let now = address(node.shown, in: node.parent, place)
            let then = Address(folder: now.folder, path: new + now.path.dropFirst(old.count), shown: now.shown)
            return DraftPlace(draft: draft, address: then, base: document.base)
        }
    }
}
