import Containers
import Coordination
import Dispatch
import LinuxFiles

/// Drafts that could not be saved although their content is right: a store without room, most of all. They are tried
/// again in a moment, and when something changed that may have made room.
///
/// Who has a draft wait says who saves it: that part is given this one, and not the other way round.
final class WaitingDrafts: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let changes: FolderChanges
    private let claims: ExternalClaims
    private let saved: SavedDocuments
    private let lost: DraftsInLostFolders
    private let plainDrafts: DraftsAsPlainFiles
    private let table = Locked(Table())

    private struct Table {
        var documents: [NodeNumber: Waiting] = [:]
        /// When they are tried again by themselves, in seconds.
        var delay = shortest
        var isTimed = false

        static let shortest = 1, longest = 30
    }

    private struct Waiting {
        /// It will be tried, and need not be ordered again.
        var isOrdered = false
        /// Since it was found that another program has a claim on the document.
        var patience: SavePatience?
    }

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, changes: FolderChanges,
        claims: ExternalClaims, saved: SavedDocuments, lost: DraftsInLostFolders, plainDrafts: DraftsAsPlainFiles
    ) {
        (self.tree, self.coordinator, self.workshop, self.changes) = (tree, coordinator, workshop, changes)
        (self.claims, self.saved, self.lost, self.plainDrafts) = (claims, saved, lost, plainDrafts)
    }

    /// A draft could not be saved and may be the next time.
    func add(_ id: NodeNumber, savedBy saver: any DraftSaver) {
        let isNew = table.withLock { table in
            guard table.documents[id] == nil else { return false }
            table.documents[id] = Waiting()
            table.delay = Table.shortest
            return true
        }
        if isNew { setTimer(saver) }
    }

    /// What no program has open any more and has lost its folder is taken to the top, if the folder does not come back
    /// within a moment.
    func addLost(savedBy saver: any DraftSaver) {
        for (id, document) in tree.draftsInLostFolders() where document.state.withLock({ $0.writers }) == 0 {
            add(id, savedBy: saver)
        }
    }

    /// Why it is not saved is kept with it and told, and it waits.
    func failed(_ draft: Draft, of id: NodeNumber, _ error: Errno, savedBy saver: any DraftSaver) {
        let reason = tree.withLock({ $0.lostFolder(of: id) }) != nil
            ? DraftsInLostFolders.reason
            : "it could not be saved: \(error)"
                + (whenTriedAgain(id, error).map { "; that is tried again by itself \($0)" } ?? "")
        draft.note(reason)
        saved.note(reason, of: id)
        add(id, savedBy: saver)
    }

    /// What has to be there before another try can come to something; nil where nobody knows.
    private func whenTriedAgain(_ id: NodeNumber, _ error: Errno) -> String? {
        if error.isFull { return "when there is room" }
        guard [.accessDenied, .notPermitted].contains(error), let workshop,
            let names = tree.withLock({ $0.storedPath(of: $0[id].parent) })?.names
        else { return nil }
        let folder = ([workshop.container.documentsPath] + names.map(\.description)).joined(separator: "/")
        return "when the drive may write in the folder “\(folder)”"
    }

    /// What stays a plain file becomes one. Where that fails, it waits as what could not be saved does.
    func becomePlain(
        _ document: OpenDocument, _ id: NodeNumber, isClosing: Bool = false, savedBy saver: any DraftSaver
    ) throws(Errno) {
        guard plainDrafts.staysPlain(document, id, isClosing: isClosing), let draft = document.draft else { return }
        try waitingIfItFails(draft, id, saver) { () throws(Errno) in
            try changes.changingFolder(of: id) { (place) throws(Errno) in
                try plainDrafts.becomePlain(document, draft, id, place)
            }
        }
    }

    private func waitingIfItFails(
        _ draft: Draft, _ id: NodeNumber, _ saver: any DraftSaver, _ body: () throws(Errno) -> Void
    ) throws(Errno) {
        do throws(Errno) { try body() } catch {
            failed(draft, of: id, error, savedBy: saver)
            throw error
        }
    }

    // MARK: Trying again

    private func setTimer(_ saver: any DraftSaver) {
        let delay: Int? = table.withLock { table in
            guard !table.isTimed, !table.documents.isEmpty else { return nil }
            table.isTimed = true
            defer { table.delay = min(table.delay * 2, Table.longest) }
            return table.delay
        }
        guard let delay else { return }
        let time = DispatchTime.now() + .seconds(delay)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: time) { [weak self, weak saver] in
            guard let self, let saver else { return }
            table.withLock { $0.isTimed = false }
            tryAgain(by: saver)
            setTimer(saver)
        }
    }

    /// Something changed that may have made room: each is tried in its lane, later. Nobody waits for what comes of it.
    func tryAgain(by saver: any DraftSaver) {
        let ordered = table.withLock { table in
            let ids = table.documents.filter { !$0.value.isOrdered }.map(\.key)
            for id in ids { table.documents[id]?.isOrdered = true }
            return ids
        }
        for id in ordered {
            if tree.withLock({ $0.lostFolder(of: id) }) != nil {
                changes.changingLater(NodeNumber.root, with: id, { [self] top in
                    guard let document = tree.document(id), lost.takeToTop(document, id, top) else { return }
                    tryAgain(id, in: top, saver)
                }, ended: { [self] in triedAgain(id) })
            } else if tree[id].isUnborn {
                // A new item appears in the folder.
                changes.changingFolderLater(
                    of: id, { [self] place in tryAgain(id, in: place, saver) }, ended: { [self] in triedAgain(id) })
            } else {
                coordinator.later(LaneID(id)) { [self] in
                    tryAgain(id, in: nil, saver)
                    triedAgain(id)
                }
            }
        }
    }

    /// In its lane; and if it is new, in that of its folder. What another program has claimed goes on waiting, and not
    /// for longer than a program that closes a document.
    private func tryAgain(_ id: NodeNumber, in place: OpenFile?, _ saver: any DraftSaver) {
        coordinator.checkWriting(LaneID(id))
        let document = tree.namedNode(id).flatMap { _ in tree.document(id) }
        if let document {
            guard place != nil || !tree[id].isUnborn else { return }
            let patience = claims.isClaimedByOthers(id) ? firstPatience(of: id) : SavePatience()
            do throws(Errno) {
                let isSettled = try saver.saveInLane(
                    document, id, durably: false, inFolderLane: place != nil, patience)
                guard isSettled else { return }
                if let place, plainDrafts.staysPlain(document, id), let draft = document.draft {
                    try waitingIfItFails(draft, id, saver) { () throws(Errno) in
                        try plainDrafts.becomePlain(document, draft, id, place)
                    }
                }
            } catch { return }
        }
        table.withLock { $0.documents[id] = nil }
        tree.withLock { $0.dropDocumentIfIdle(id) }
    }

    private func firstPatience(of id: NodeNumber) -> SavePatience {
        table.withLock { table in
            let patience = table.documents[id]?.patience ?? SavePatience()
            table.documents[id]?.patience = patience
            return patience
        }
    }

    private func triedAgain(_ id: NodeNumber) { table.withLock { $0.documents[id]?.isOrdered = false } }
}

/// Saves drafts, each in its lane.
protocol DraftSaver: AnyObject, Sendable {
    func saveInLane(
        _ document: OpenDocument, _ id: NodeNumber, durably: Bool, inFolderLane: Bool, _ patience: SavePatience
    ) throws(Errno) -> Bool
}
