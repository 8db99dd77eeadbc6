import Containers
import LinuxFiles

/// Drafts that an earlier drive could not save: they go on being shown.
final class RecoveredDrafts: Sendable {
    private let tree: TreeTable
    private let folders: FolderContents
    private let saving: DraftSaving
    /// Those that are not shown yet.
    private let hidden: Locked<[RecoveredDraft]>

    init(_ drafts: [RecoveredDraft], tree: TreeTable, folders: FolderContents, saving: DraftSaving) {
        hidden = Locked(drafts)
        (self.tree, self.folders, self.saving) = (tree, folders, saving)
    }

    func show() {
        let drafts = hidden.withLock { hidden in
            defer { hidden = [] }
            return hidden
        }
        for draft in drafts { show(draft) }
    }

    /// Goes on showing a draft that an earlier drive could not save.
    private func show(_ recovered: RecoveredDraft) {
        guard let folder = try? folders.folderNode(at: recovered.path), (try? folders.readNames(of: folder)) != nil else { return }
        let number = (try? recovered.draft.status().identity.number) ?? 0
        let document = OpenDocument(content: .draft(recovered.draft), draft: recovered.draft, base: recovered.base)
        let shown = tree.withLock { tree -> NodeNumber? in
            let id: NodeNumber
            if case .stored(let stored) = recovered.base {
                guard let item = tree.node(stored: stored, of: folder), tree[item].role == .document else { return nil }
                id = item
            } else {
                let name = tree.freeName(recovered.shown, in: folder)
                id = tree.add(Node(unborn: name, in: folder, number: number, recovered.draft.kind))
            }
            tree.documents[id] = document
            tree.note(recovered.reason, of: id)
            return id
        }
        if let shown, recovered.waits { saving.waits(shown) }
    }
}
