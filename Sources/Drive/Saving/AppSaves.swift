import Containers
import Coordination
import LinuxFiles

/// Saves of apps, which have written an item whole and have claimed it: put in its place as what is saved through the drive is.
final class AppSaves: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let kernel: KernelMemory
    private let folders: FolderContents
    private let saved: SavedDocuments
    private let thumbnails: ThumbnailMaking
    private let thinning: VersionThinning
    private let changes: FolderChanges

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, kernel: KernelMemory,
        folders: FolderContents,
        saved: SavedDocuments, thumbnails: ThumbnailMaking, thinning: VersionThinning, changes: FolderChanges
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop) = (tree, handles, coordinator, workshop)
        (self.kernel, self.folders) = (kernel, folders)
        (self.saved, self.thumbnails, self.thinning, self.changes) = (saved, thumbnails, thinning, changes)
    }

    /// What is new there is seen when the claim ends.
    func save(_ item: StagedItem, at path: ItemPath) throws(SaveFault) -> StagedOutcome {
        let outcome: Result<Outcome, SaveFault>
        do throws(Errno) {
            guard let name = path.names.last else { throw .isDirectory }
            let workshop = try workshop.required(), folder = try folders.folderNode(at: path.names.dropLast())
            defer { tree.forgetReading(of: folder) }
            outcome = try changes.changing(folder) { (place) throws(Errno) in
                guard let id = tree.withLock({ $0.node(stored: name, of: folder) }) else { return Self.outcome { () throws(SaveFault) in try workshop.commit(.put(item, at: path.names)) } }
                return coordinator.write(LaneID(id)) {
                    defer { follow(id, name, in: place) }
                    // What a program writes to the file that is replaced is in the version then.
                    var item = item
                    item.isOpen = tree[id].role == .plain && handles.writers(of: id) > 0
                    return Self.outcome { () throws(SaveFault) in try workshop.commit(.put(item, at: path.names)) }
                }
            }
        } catch { throw .failed(error) }
        return try outcome.get().isConflict ? .conflict : .saved
    }

    /// Of many items at once: as with what others do in the container, the notices say which folders changed.
    func carryOut(_ decision: ContainerDecision) throws(SaveFault) {
        let workshop = try workshop.required(orFault: ())
        try workshop.commit(.decideOfMany(decision, at: []))
        guard let top = try? folders.folderNode(at: []) else { return }
        tree.forgetReading(of: top)
        try? folders.readNames(of: top)
        kernel.tell([.content(top)])
    }

    private static func outcome(_ save: () throws(SaveFault) -> Outcome) -> Result<Outcome, SaveFault> {
        do throws(SaveFault) { return .success(try save()) } catch { return .failure(error) }
    }

    /// Those who have it open on the drive go on with what was saved. Whoever writes there goes on with what they had, and that clashes with it then: of
    /// the two, no part would fit the other.
    func follow(_ id: NodeNumber, _ stored: Name, in folder: OpenFile, makesThumbnail: Bool = true) {
        coordinator.checkWriting(LaneID(id))
        let (node, document) = tree.nodeAndDocument(id)
        guard node.role == .document, document?.isWritten != true else {
            thinning.order()
            return kernel.tell([.content(id)])
        }
        saved.refreshContent(of: id, stored: stored, in: folder)
        if makesThumbnail { thumbnails.order(of: id) }
        thinning.order()
    }
}
