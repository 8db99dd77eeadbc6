import Containers
import Coordination
import LinuxFiles

/// What a program wrote is on the disk when it is told so (`fsync`).
final class FileSynchronizing: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let places: Places
    private let saving: DraftSaving
    private let waiting: WaitingDrafts

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, places: Places,
        saving: DraftSaving, waiting: WaitingDrafts
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop) = (tree, handles, coordinator, workshop)
        (self.places, self.saving, self.waiting) = (places, saving, waiting)
    }

    func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {
        guard let open = handles[handle] else { throw .badDescriptor }
        defer { waiting.tryAgain(by: saving) }
        guard let document = open.document, !document.state.withLock({ $0.isNameless }) else {
            return try synchronizePlain(open, dataOnly)
        }
        // A draft that is on the store is saved or shown after whatever happens. One whose content is parsed is
        // small, and becomes the document at once, if it is whole already: that is asked when it is closed.
        if let draft = document.draft, draft.kind.kind.contentStart == nil, document.base != nil {
            do throws(Errno) { try saving.save(document, open.node, durably: true) } catch {
                if error != .invalid { throw error }
            }
        }
        let draft = document.draft
        // This takes its time, and nobody waits for it who opens the document.
        try draft?.file.descriptor.synchronize()
        try coordinator.read(LaneID(open.node)) { () throws(Errno) in
            // Somebody may have removed it meanwhile.
            let isNameless = document.state.withLock { $0.isNameless }
            if !isNameless, tree.isStill(.document, open.node) {
                return try synchronizePlace(of: draft, document, open.node)
            }
            if let open = handles[handle] { try synchronizePlain(open, dataOnly) }
        }
    }

    private func synchronizePlain(_ open: OpenHandle, _ dataOnly: Bool) throws(Errno) {
        if case .plain(let file) = open.content { try file.descriptor.synchronize(dataOnly: dataOnly) }
    }

    /// What was written is found after a power cut: as the draft that it was, or as the document if it was saved
    /// meanwhile, which a program that closes a copy of the handle does. In its lane.
    private func synchronizePlace(of draft: Draft?, _ document: OpenDocument, _ id: NodeNumber) throws(Errno) {
        coordinator.checkReading(LaneID(id))
        if let draft, document.draft === draft { return try workshop.required().synchronizePlace(of: draft) }
        let node = tree[id]
        guard let workshop, node.hasItem else { return try document.content.file?.descriptor.synchronize() ?? () }
        try workshop.synchronize(node.stored, tree.kind(of: node), in: places.place(of: node.parent))
    }
}
