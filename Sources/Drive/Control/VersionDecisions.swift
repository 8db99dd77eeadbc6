import Containers
import Coordination
import LinuxFiles

/// Versions that come back and conflicts that end, when somebody decides who has claimed the document.
final class VersionDecisions: Sendable {
    private let tree: TreeTable
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
        tree: TreeTable, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        options: DriveOptions, kernel: KernelMemory, places: Places, folders: FolderContents, saved: SavedDocuments,
        thumbnails: ThumbnailMaking, thinning: VersionThinning, changes: FolderChanges
    ) {
        (self.tree, self.coordinator, self.workshop, self.container, self.options) = (tree, coordinator, workshop, container, options)
        (self.kernel, self.places, self.folders, self.saved, self.thumbnails) = (kernel, places, folders, saved, thumbnails)
        (self.thinning, self.changes) = (thinning, changes)
    }

    func carryOut(_ decision: VersionDecision, on item: ItemPath) throws(SaveFault) {
        let outcome: SaveFault?
        do throws(Errno) {
            guard let name = item.names.last else { throw .isDirectory }
            // In the document's lane an error is what it is there.
            outcome = try changing(folders.folderNode(at: item.names.dropLast())) { (folder, place) throws(Errno) in
                guard let id = tree.node(stored: name, of: folder) else { throw .noSuchEntry }
                return try coordinator.write(LaneID(id)) { () throws(Errno) in try carryOut(decision, id, place) }
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

    private func carryOut(_ decision: VersionDecision, _ id: NodeNumber, _ folder: OpenFile) throws(Errno) -> SaveFault? {
        coordinator.checkWriting(LaneID(id))
        let workshop = try workshop.required()
        let (node, document) = tree.nodeAndDocument(id)
        if decision == .dropDraft { return dropDraft(of: id, node, document, in: folder) }
        guard options.keepsVersions, node.role == .document, node.hasItem else { throw .notSupported }
        // What somebody is writing would be lost, or take the version's place at once.
        guard document?.draft == nil else { throw .busy }
        defer {
            saved.refreshContent(of: id, stored: node.stored, in: folder)
            thumbnails.order(of: id)
            thinning.order()
        }
        let place = try tree.documentPlace(of: node, folder)
        do throws(SaveFault) { try workshop.commit(.decide(decision, on: place, shown: node.shown)) } catch { return error }
        return nil
    }

    /// What was written is given up, and whoever has the document open goes on with what was saved last.
    private func dropDraft(of id: NodeNumber, _ node: Node, _ document: OpenDocument?, in folder: OpenFile) -> SaveFault? {
        coordinator.checkWriting(LaneID(id))
        guard let document, let draft = document.draft else { return .unfit("it has no unsaved changes (a draft) to give up") }
        guard node.hasItem, case .stored? = document.base else {
            return .unfit("it was never saved: there is nothing to go back to; to be rid of it, remove it")
        }
        do throws(Errno) { try workshop?.commit(.keepDraft(draft, from: tree.address(node.shown, in: node.parent, folder)), unfit: .invalid) } catch { return .failed(error) }
        document.state.withLock { $0.draft = nil }
        workshop?.discard(draft)
        saved.note(nil, of: id)
        saved.refreshContent(of: id, stored: node.stored, in: folder)
        thumbnails.order(of: id)
        tree.dropDocumentIfIdle(id)
        return nil
    }

    /// The versions that somebody has to decide about, a line each; nil where there are none.
    func conflicts(of id: NodeNumber) throws(Errno) -> [UInt8]? {
        let node = tree[id]
        guard options.keepsVersions, node.role == .document, node.hasItem else { return nil }
        let conflicts = try container.unresolvedConflicts(of: tree.documentPlace(of: node, places.place(of: node.parent)))
        return conflicts.isEmpty ? nil : Array(conflicts.map(\.id.text).joined(separator: "\n").utf8)
    }
}
