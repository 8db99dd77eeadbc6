import Containers
import Coordination
import LinuxFiles

/// What has the name that a rename takes: it is kept before, and is out of the way after.
final class ReplacedByRenaming: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let removed: AwayDocuments
    private let nameless: NamelessFiles
    private let saving: DraftSaving
    private let kinds: KindChanges
    private let kept: PlainFilesKept
    private let temporaryFiles: TemporaryFiles
    private let versions: PlainFileVersions

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, removed: AwayDocuments,
        nameless: NamelessFiles, saving: DraftSaving, kinds: KindChanges, kept: PlainFilesKept, temporaryFiles: TemporaryFiles,
        versions: PlainFileVersions
    ) {
        (self.tree, self.coordinator, self.workshop, self.removed, self.nameless) = (tree, coordinator, workshop, removed, nameless)
        (self.saving, self.kinds, self.kept) = (saving, kinds, kept)
        (self.temporaryFiles, self.versions) = (temporaryFiles, versions)
    }

    // MARK: Plain files

    /// A plain file that gives way is a version of what takes its name. Otherwise it is kept among the deleted, unless a program saves so: what it
    /// made a moment ago takes the place of what was. What a document takes the name of is no version of that, and always kept.
    func keepingPlain(_ asked: RenameRequest, _ body: (RenameRequest) throws(Errno) -> Void) throws(Errno) {
        guard let node = asked.replacedNode, node.role == .plain else { return try body(asked) }
        var move = asked
        let staysPlain = try staysPlain(move)
        let isSave = staysPlain && temporaryFiles.isPassing(move.node.inode, called: move.node.shown, by: move.caller)
        if staysPlain, let plain = versions.replaced(by: move, isSave: isSave) {
            move.plain = plain
            try body(move)
            if case .version(goesOn: false) = plain { versions.wasReplaced(move.replaced) }
            return
        }
        if isSave {
            move.plain = .saved
            return try body(move)
        }
        try kept.keeping(move.replaced, node.stored, in: move.newAddress, move.to.folder, by: move.caller) { (item) throws(Errno) in
            move.plain = versions.isFirst(move) ? .saved : item.map { .deleted($0) } ?? .gone
            try body(move)
        }
    }

    /// Whether it is a plain file, and no document under its new name.
    private func staysPlain(_ move: RenameRequest) throws(Errno) -> Bool {
        guard move.node.role == .plain else { return false }
        guard let kind = move.kind else { return true }
        return try !kinds.isAdoptable(move.node.stored, in: move.from.place, as: kind, named: move.name)
    }

    /// A plain file has its new name. What was kept of one that had it is not kept, if this was how a program saves.
    func noteMovedPlain(_ move: RenameRequest) {
        let former = RemovedName(folder: move.from.folder, name: move.node.shown)
        temporaryFiles.note(move.node.inode, renamedBy: move.caller, from: former)
        versions.wasRenamed(former, to: move.name, in: move.to.folder, by: move.caller)
        if temporaryFiles.isPassing(move.node.inode, called: move.node.shown, by: move.caller) {
            kept.cameAnew(move.name, in: move.to.folder, move.to.place, by: move.caller)
        }
    }

    // MARK: Documents

    /// Whether what was written to the document that gives way is saved before, as far as it fits.
    func isSavedBeforeItGoes(_ replaced: NodeNumber, _ document: OpenDocument?) -> Bool {
        document.map { saving.isSavedBeforeItGoes($0, replaced) } ?? false
    }

    /// What was written to the document that gives way becomes a version. A rename that is refused leaves it unsaved,
    /// so this comes after whatever may refuse. In its lane.
    func save(_ move: RenameRequest) {
        guard let replaced = move.replaced, let document = tree.document(replaced) else { return }
        coordinator.checkWriting(LaneID(replaced))
        saving.saveBeforeItGoes(document, replaced)
    }

    /// What was written to the document that gives way, and could not become it, is nowhere else: it is among the
    /// deleted, unless `body` fails. In its lane.
    func keepingUnsaved(_ move: RenameRequest, _ body: () throws(Errno) -> Void) throws(Errno) {
        guard let replaced = move.replaced, let document = tree.document(replaced) else { return try body() }
        coordinator.checkWriting(LaneID(replaced))
        guard let draft = document.draft else { return try body() }
        let kept = try workshop.required().commit(.keepDraft(draft, from: move.newAddress), unfit: .invalid).deleted
        do throws(Errno) { try body() } catch {
            if let kept { _ = try? workshop?.commit(.purge(kept)) }
            throw error
        }
    }

    /// The document that gave way is remembered, and a program that has it open goes on without its name.
    func putAside(_ away: AwayItem?, _ move: RenameRequest) {
        let document = move.replaced.flatMap { id in tree.document(id) }
        if let away {
            removed.remember(away, as: move.name, in: move.to.folder)
        } else if case .away(let item) = document?.base {
            // It was a draft, with which that one was to come back.
            removed.remember(item, as: move.name, in: move.to.folder)
        } else {
            removed.forget(move.name, in: move.to.folder)
        }
        if let document { nameless.abandon(document) }
    }

    /// The same where a new document that is still being written takes the name. What had the name is remembered, also
    /// where it was no more than a draft itself.
    func putAsideForUnborn(_ away: AwayItem?, _ move: RenameRequest) {
        guard let replaced = move.replaced else { return }
        let (other, document) = tree.nodeAndDocument(replaced)
        if let away { removed.remember(away, as: move.name, in: move.to.folder) }
        if other.isUnborn, case .away(let item) = document?.base {
            removed.remember(item, as: move.name, in: move.to.folder)
        }
        if let document { nameless.abandon(document) }
    }
}
