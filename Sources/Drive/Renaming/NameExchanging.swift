import Containers
import Coordination
import LinuxFiles

/// Two names that change places.
final class NameExchanging: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let moves: MovesUnderWay
    private let testPoints: TestPoints<TestPoint>
    private let removed: AwayDocuments
    private let saved: SavedDocuments
    private let saving: DraftSaving
    private let plainDrafts: DraftsAsPlainFiles
    private let kinds: KindChanges
    private let newKinds: NewKinds

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, moves: MovesUnderWay,
        testPoints: TestPoints<TestPoint>, removed: AwayDocuments, saved: SavedDocuments, saving: DraftSaving,
        plainDrafts: DraftsAsPlainFiles, kinds: KindChanges, newKinds: NewKinds
    ) {
        (self.tree, self.coordinator, self.workshop, self.moves) = (tree, coordinator, workshop, moves)
        (self.testPoints, self.removed, self.saved, self.saving) = (testPoints, removed, saved, saving)
        (self.plainDrafts, self.kinds, self.newKinds) = (plainDrafts, kinds, newKinds)
    }

    func exchange(_ move: RenameRequest) throws(Errno) {
        guard let other = move.replaced else { throw .noSuchEntry }
        guard move.id != other else { return }
        guard !(tree[move.id].role.isFixed || tree[other].role.isFixed) else { throw .readOnly }
        // As the lanes of two files, the lower number first. What is in a folder that moves is not touched.
        let lanes = [move.id, other].filter { id in !tree[id].role.isFolder }.map(LaneID.init)
        let wereNew = (tree[move.id].flags.contains(.isNew), tree[other].flags.contains(.isNew))
        if let first = lanes.first, let last = lanes.last {
            try coordinator.write(first, last) { () throws(Errno) in try exchange(move, other) }
        } else { try exchange(move, other) }
        // Each is as new as what had its name.
        for (id, wasNew) in [(move.id, wereNew.1), (other, wereNew.0)] where tree[id].role == .plain {
            tree.setNew(wasNew, id)
        }
    }

    private func exchange(_ move: RenameRequest, _ other: NodeNumber) throws(Errno) {
        try settleForExchange(move.id, in: move.from.place)
        try settleForExchange(other, in: move.to.place)
        try moves.during { () throws(Errno) in try exchangeSettled(move, other) }
    }

    private func exchangeSettled(_ move: RenameRequest, _ other: NodeNumber) throws(Errno) {
        let names = (move.node.shown, move.name)
        let one = try party(move.id, called: names.0, in: move.from)
        let two = try party(other, called: names.1, in: move.to)
        if one.isAsItIs(under: two), two.isAsItIs(under: one),
            try !workshop.required().haveFollowers([one, two]),
            try workshop.required().store.exchange(
                one.stored, in: move.from.place.descriptor, with: two.stored, in: move.to.place.descriptor)
        {
            return exchange(names, move, storedAs: nil)
        }
        let outcome: Outcome
        do throws(Errno) {
            outcome = try workshop.required().commit(.exchange(one, two), unfit: .wrongContent)
        } catch {
            // Somebody else made another one of a name that was free for a moment: the kernel looks again.
            throw error == .exists ? .stale : error
        }
        guard let result = outcome.exchanged else { throw .inputOutput }
        testPoints.pass(.exchanged)
        removed.forget(one.address.shown, in: move.from.folder)
        removed.forget(two.address.shown, in: move.to.folder)
        exchange(names, move, storedAs: (result.0.stored, result.1.stored))
        // They have changed places, whatever somebody else makes of either by now: of that, the next look tells.
        do throws(Errno) { try follow(move.id, result.0, in: move.to.place) } catch {
            tree.forgetReading(of: move.to.folder)
        }
        do throws(Errno) { try follow(other, result.1, in: move.from.place) } catch {
            tree.forgetReading(of: move.from.folder)
        }
    }

    private func exchange(_ names: (Name, Name), _ move: RenameRequest, storedAs stored: (Name, Name)?) {
        tree.exchange((names.0, move.from.folder), (names.1, move.to.folder), storedAs: stored)
    }

    /// What was written is saved if it can be, and what is a new draft still is the plain file that it looks like.
    private func settleForExchange(_ id: NodeNumber, in place: OpenFile) throws(Errno) {
        guard let document = tree.document(id) else { return }
        _ = try? saving.saveInLane(document, id, durably: false)
        if let draft = document.draft { try plainDrafts.becomePlain(document, draft, id, place) }
    }

    private func party(
        _ id: NodeNumber, called name: Name, in home: (folder: NodeNumber, place: OpenFile)
    ) throws(Errno) -> ExchangeParty {
        let node = tree.node(id, called: name, in: home.folder), draft = tree.document(id)?.draft
        let item: ExchangeParty.Item
        if node.role == .document {
            item = .document(tree.kind(of: node))
        } else {
            let status = try home.place.descriptor.status(of: node.stored)
            let isAlone = status.type == .regular && status.links == 1
            item = isAlone
                ? .file(OpenFile(try home.place.descriptor.open(node.stored, [.read, .nonBlocking]))) : .other
        }
        return ExchangeParty(
            stored: node.stored, item: item, address: tree.address(node.shown, in: home.folder, home.place),
            draft: draft, newKind: node.isFoundPlain ? nil : newKinds.kind(of: node.shown, in: home.folder),
            isInPackage: tree.isPackage(home.folder))
    }

    /// What the tree and the open files make of it.
    private func follow(_ id: NodeNumber, _ result: ExchangeResult, in place: OpenFile) throws(Errno) {
        let (node, document) = tree.nodeAndDocument(id)
        switch (node.role == .document ? tree.kind(of: node) : nil, result.kind) {
        case (nil, nil): break
        case (let old?, let new?) where old == new:
            document?.state.withLock { $0.base = .stored(result.stored) }
            saved.refreshContent(of: id, stored: result.stored, in: place)
        case (_, let kind?):
            let content = document?.content ?? .bytes([], nil)
            document?.state.withLock { $0.draft = nil }
            try kinds.becameDocument(id, kind, content, in: place)
        case (.some, nil):
            saved.note(nil, of: id)
            try kinds.becameFile(id, document, in: place)
        }
    }
}

extension ExchangeParty {
    /// Whether it is the same under the other's name, whatever is in it.
    fileprivate func isAsItIs(under other: ExchangeParty) -> Bool {
        switch (item, other.item) {
        case (.document, _): false
        case (.file, .document): false
        case (.file, _): other.newKind == nil
        case (.other, .document): false
        case (.other, _): true
        }
    }
}
