import Containers
import LinuxFiles

/// Drafts that an earlier drive could not save: they go on being shown.
final class RecoveredDrafts: Sendable {
    private let tree: Tree
    private let folders: FolderContents
    private let saving: DraftSaving
    private let waiting: WaitingDrafts
    private let workshop: Workshop?
    /// Those that are not shown yet.
    private let hidden: TakenOnce<[RecoveredDraft]>

    init(
        _ drafts: [RecoveredDraft], tree: Tree, folders: FolderContents, saving: DraftSaving, waiting: WaitingDrafts,
        workshop: Workshop?
    ) {
        hidden = TakenOnce(drafts)
        (self.tree, self.folders, self.saving, self.waiting, self.workshop) = (tree, folders, saving, waiting, workshop)
    }

    func show() {
        for draft in hidden.take() ?? [] { show(draft) }
        for path in workshop?.takePlainFiles() ?? [] { keepNew(path) }
    }

    /// What was new for an earlier drive and is a plain file now may become a document still.
    private func keepNew(_ path: [Name]) {
        guard let name = path.last, let folder = try? folders.folderNode(at: Array(path.dropLast())), (try? folders.readNames(of: folder)) != nil,
            let file = tree.withLock({ $0.node(stored: name, of: folder) })
        else { return }
        tree.setNew(true, file)
    }

    /// Goes on showing a draft that an earlier drive could not save.
    private func show(_ recovered: RecoveredDraft) {
        guard let folder = try? folders.folderNode(at: recovered.path), (try? folders.readNames(of: folder)) != nil else { return }
        let number = (try? recovered.draft.status().identity.number) ?? 0
        let document = OpenDocument(content: .draft(recovered.draft), draft: recovered.draft, base: recovered.base)
        let shown = tree.recover(document, recovered.draft.kind, inode: number, shown: recovered.shown, in: folder, because: recovered.reason)
        if let shown, recovered.waits { waiting.add(shown, savedBy: saving) }
    }
}
