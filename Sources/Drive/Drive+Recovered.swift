import Containers
import LinuxFiles

// Drafts at the beginning and at the end of a drive.
extension Drive {
    /// Goes on showing a draft that an earlier drive could not save.
    func show(_ recovered: RecoveredDraft) {
        guard let folder = try? folderNode(at: recovered.path), (try? readNames(of: folder)) != nil else { return }
        let number = (try? recovered.draft.status().identity.number) ?? 0
        let document = OpenDocument(content: .draft(recovered.draft), draft: recovered.draft, base: recovered.base)
        let shown = tree.withLock { tree -> UInt32? in
            let id: UInt32
            if case .stored(let stored) = recovered.base {
                guard let item = tree.entry(stored: stored, of: folder), tree[item].role == .document else { return nil }
                id = item
            } else {
                let name = tree.freeName(recovered.shown, in: folder)
                id = tree.add(Node(unborn: name, in: folder, number: number, recovered.draft.kind))
            }
            tree.documents[id] = document
            tree.note(recovered.reason, of: id)
            return id
        }
        if let shown, recovered.waits { waits(shown) }
    }

    func folderNode(at path: [Name]) throws(Errno) -> UInt32 {
        var current = Tree.root
        for name in path {
            try readNames(of: current)
            guard let next = tree.withLock({ $0.entry(stored: name, of: current) }) else { throw .noSuchEntry }
            current = next
        }
        return current
    }

    /// Saves every draft that can be saved. What cannot stays in staging, and is shown by the next drive.
    func saveEverything() {
        let open = tree.withLock { $0.documents.map { ($0.key, $0.value) } }
        for (id, document) in open { try? save(document, id, durably: false) }
    }
}
