import Containers
import Coordination
import Documents
import LinuxFiles
import Thumbnails

/// Photos get thumbnails after they were saved. Nothing waits for them, and a photo without one is complete.
final class ThumbnailMaking: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let queue: ThumbnailQueue?
    private let kernel: KernelMemory
    private let places: Places

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
        queue: ThumbnailQueue?, kernel: KernelMemory, places: Places
    ) {
        (self.tree, self.coordinator, self.workshop, self.container, self.queue) = (tree, coordinator, workshop, container, queue)
        (self.kernel, self.places) = (kernel, places)
    }

    private struct SavedPhoto {
        let stored: Name
        let folder: OpenFile
        let opened: ItemReader.Opened
        /// Saving a photo makes a new file of its image; nothing else does.
        let image: FileIdentity
        let metadata: FileStatus?
    }

    private struct MadeThumbnail {
        let png: [UInt8]
        /// The image that it is of.
        let image: FileIdentity
    }

    /// So often a photo's metadata may change while its thumbnail is written.
    private static let mostTries = 4

    /// A document was saved: if it is a photo, it gets a thumbnail when its turn comes. `then` follows, whatever came of it.
    func order(of id: NodeNumber, then: @escaping @Sendable () -> Void = {}) {
        guard let queue, workshop != nil else { return then() }
        // The number stays the photo's until its turn is over.
        let isPhoto = tree.withLock { tree in
            guard tree.contains(id), tree[id].role == .document, tree.kinds[tree[id].kind].kind.thumbnails != nil else { return false }
            tree.remember(id)
            return true
        }
        guard isPhoto else { return then() }
        let isOrdered = queue.order(id) { [self] isInTime, ended in
            let end = { @Sendable [self] in
                tree.forget(NodeID(id), count: 1)
                then()
                ended()
            }
            guard isInTime, let made = try? makeThumbnail(of: id, queue.worker) else { return end() }
            save(made, in: id, tries: Self.mostTries, end)
        }
        guard !isOrdered else { return }
        tree.forget(NodeID(id), count: 1)
        then()
    }

    private func makeThumbnail(of id: NodeNumber, _ worker: ThumbnailWorker) throws(Errno) -> MadeThumbnail? {
        HeldLanes.checkNone()
        guard let photo = try savedPhoto(id), case .range(0, let offset, let length) = photo.opened.reading.content,
            let image = photo.opened.parts[0], let png = try? worker.thumbnail(of: image, offset: offset, length: length)
        else { return nil }
        return MadeThumbnail(png: png, image: photo.image)
    }

    /// Only the last step is in the photo's lane, later: whoever uses the photo does not wait for the store. `end` follows in any case.
    private func save(_ thumbnail: MadeThumbnail, in id: NodeNumber, tries: Int, _ end: @escaping @Sendable () -> Void) {
        guard tries > 0, let queue, let workshop, let photo = try? savedPhoto(id), photo.image == thumbnail.image,
            let staged = try? workshop.stageThumbnail(thumbnail.png, for: photo.opened)
        else { return end() }
        coordinator.later(LaneID(id)) { [self] in
            let isPut = try? put(staged, in: id, as: photo)
            if isPut != true { workshop.discard(staged) }
            // The photo was changed meanwhile: its thumbnail is written anew.
            if isPut == false { return queue.goOn { [self] in save(thumbnail, in: id, tries: tries - 1, end) } }
            end()
        }
    }

    /// False where the photo is not as it was.
    private func put(_ staged: StagedThumbnail, in id: NodeNumber, as photo: SavedPhoto) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(id))
        guard let workshop, let now = try photoInLane(id), now.image == photo.image, now.metadata == photo.metadata else { return false }
        try workshop.commit(.putThumbnail(staged, into: now.stored, in: now.folder), unfit: .invalid)
        try thumbnailCame(to: id, before: now)
        kernel.tell([.attributes(id)])
        return true
    }

    private func savedPhoto(_ id: NodeNumber) throws(Errno) -> SavedPhoto? {
        try coordinator.read(LaneID(id)) { () throws(Errno) in try photoInLane(id) }
    }

    /// In its lane.
    private func photoInLane(_ id: NodeNumber) throws(Errno) -> SavedPhoto? {
        coordinator.checkReading(LaneID(id))
        guard let node = tree.namedNode(id), node.role == .document, let thumbnails = tree.kind(of: node).kind.thumbnails, node.hasItem else { return nil }
        let folder = try places.place(of: node.parent)
        guard let opened = try? container.reader.open(node.stored, as: tree.kind(of: node), in: folder.descriptor), opened.parts.indices.contains(thumbnails.part),
            let image = opened.parts[0]
        else { return nil }
        return SavedPhoto(
            stored: node.stored, folder: folder, opened: opened, image: try image.descriptor.status().identity,
            metadata: try opened.parts[thumbnails.part]?.descriptor.status())
    }

    /// The content is the same, so what the kernel has cached of it stays right, and who has it open reads on.
    private func thumbnailCame(to id: NodeNumber, before: SavedPhoto) throws(Errno) {
        guard let after = try photoInLane(id) else { return }
        let old = ContentStamp(before.opened.item.status), content = try OpenContent(after.opened)
        let new = ContentStamp(after.opened.item.status)
        let document = tree.withLock { tree in
            if tree[id].stamp == old { tree[id].stamp = tree[id].stamp.mayHaveOldPages ? new.withOldPages : new }
            return tree.documents[id]
        }
        document?.state.withLock { if $0.draft == nil { $0.content = content } }
    }
}
