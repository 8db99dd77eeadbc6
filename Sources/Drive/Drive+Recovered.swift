import Containers
import LinuxFiles

// Drafts at the beginning and at the end of a drive.
extension Drive {
    /// Goes on showing a draft that an earlier drive could not save.
    func show(_ recovered: RecoveredDraft) {
        guard let folder = try? folder(at: recovered.path), (try? readNames(of: folder)) != nil else { return }
        tree.withLock { tree in
            guard let id = tree.entry(stored: recovered.stored, of: folder), tree[id].role == .document else { return }
            let document = OpenDocument(content: .draft(recovered.draft), draft: recovered.draft, base: .stored(recovered.stored))
            tree.documents[id] = document
            tree.note(recovered.reason, of: id)
        }
    }

    private func folder(at path: [Name]) throws(Errno) -> UInt32 {
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
