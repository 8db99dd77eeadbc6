import Containers
import Coordination
import LinuxFiles

/// Versions that come back and conflicts that end, when somebody decides who has claimed the document.
final class VersionDecisions: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let options: DriveOptions
    private let kernel: KernelMemory
    private let places: Places
    private let folders: FolderContents
    private let saved: SavedDocuments
    private let thumbnails: ThumbnailMaking
    private let thinning: VersionThinning
    private let changes: FolderChanges

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        options: DriveOptions, kernel: KernelMemory, places: Places, folders: FolderContents, saved: SavedDocuments,
        thumbnails: ThumbnailMaking, thinning: VersionThinning, changes: FolderChanges
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop) = (tree, handles, coordinator, workshop)
        (self.container, self.options) = (container, options)
        (self.kernel, self.places, self.folders, self.saved, self.thumbnails) = (kernel, places, folders, saved, thumbnails)
        (self.thinning, self.changes) = (thinning, changes)
    }

    func carryOut(_ decision: VersionDecision, on item: ItemPath) throws(SaveFault) {
        try deciding(about: item) { (id, place, workshop) throws(Errno) in try carryOut(decision, id, place, workshop) }
    }

    /// What was written is given up, and whoever has the document open goes on with what was saved last.
    func dropDraft(of item: ItemPath) throws(SaveFault) {
        try deciding(about: item) { (id, place, workshop) throws(Errno) in dropDraft(of: id, place, workshop) }
    }

    /// Runs `body` alone in the document's lane.
    private func deciding(about item: ItemPath, _ body: (NodeNumber, OpenFile, Workshop) throws(Errno) -> SaveFault?) throws(SaveFault) {
        let outcome: SaveFault?
        do throws(Errno) {
            guard let name = item.names.last else { throw .isDirectory }
            let workshop = try workshop.required()
            // In the document's lane an error is what it is there.
            outcome = try changing(folders.folderNode(at: item.names.dropLast())) { (folder, place) throws(Errno) in
                guard let id = tree.withLock({ $0.node(stored: name, of: folder) }) else { throw .noSuchEntry }
                return try coordinator.write(LaneID(id)) { () throws(Errno) in try body(id, place, workshop) }
            }
        } catch { throw .failed(error) }
        if let outcome { throw outcome }
    }

    /// Runs `body` alone in a folder. There may be more documents in it then, or fewer copies.
    private func changing<Value>(_ folder: NodeNumber, _ body: (NodeNumber, OpenFile) throws(Errno) -> Value) throws(Errno) -> Value {
        defer {
            tree.forgetReading(of: folder)
            kernel.tell([.content(folder)])
        }
        return try changes.changing(folder) { (place) throws(Errno) in try body(folder, place) }
    }

    private func carryOut(_ decision: VersionDecision, _ id: NodeNumber, _ folder: OpenFile, _ workshop: Workshop) throws(Errno) -> SaveFault? {
        coordinator.checkWriting(LaneID(id))
        let (node, document) = tree.nodeAndDocument(id)
        guard options.keepsVersions, [.document, .plain, .folder].contains(node.role), node.hasItem else { throw .notSupported }
        // What somebody is writing would be lost, or take the version's place at once.
        guard document?.draft == nil, node.role == .document || handles.writers(of: id) == 0, node.role != .folder || !tree.hasWriters(below: id)
        else { throw .busy }
        defer {
            if node.role != .document {
                kernel.tell([.attributes(id), .content(id)])
                // One that came back is another folder under this name.
                if node.role == .folder { kernel.tell([.entry(node.shown, in: node.parent)]) }
            } else {
                saved.refreshContent(of: id, stored: node.stored, in: folder)
                thumbnails.order(of: id)
            }
            thinning.order()
        }
        let place = try tree.documentPlace(of: node, folder)
        do throws(SaveFault) { try workshop.commit(.decide(decision, on: place, shown: node.shown)) } catch { return error }
        return nil
    }

    private func dropDraft(of id: NodeNumber, _ folder: OpenFile, _ workshop: Workshop) -> SaveFault? {
        coordinator.checkWriting(LaneID(id))
        let (node, document) = tree.nodeAndDocument(id)
        guard let document, let draft = document.draft else { return .unfit("it has no unsaved changes (a draft) to give up") }
        guard node.hasItem, case .stored? = document.base else {
            return .unfit("it was never saved: there is nothing to go back to; to be rid of it, remove it")
        }
        let address = tree.address(node.shown, in: node.parent, folder)
        do throws(SaveFault) { try workshop.commit(.keepDraft(draft, from: address)) } catch { return error }
        document.state.withLock { $0.draft = nil }
        workshop.discard(draft)
        saved.note(nil, of: id)
        saved.refreshContent(of: id, stored: node.stored, in: folder)
        thumbnails.order(of: id)
        tree.withLock { $0.dropDocumentIfIdle(id) }
        return nil
    }

    /// The versions that somebody has to decide about, a line each; nil where there are none.
    func conflicts(of id: NodeNumber) throws(Errno) -> [UInt8]? {
        let node = tree[id]
        guard options.keepsVersions, [.document, .plain, .folder].contains(node.role), node.hasItem else { return nil }
        let conflicts = try container.unresolvedConflicts(of: tree.documentPlace(of: node, places.place(of: node.parent)))
        return conflicts.isEmpty ? nil : Array(conflicts.map(\.id.text).joined(separator: "\n").utf8)
    }
}
