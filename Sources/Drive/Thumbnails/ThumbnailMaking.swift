import Containers
import Coordination
import Documents
import LinuxFiles
import Thumbnails

/// Photos get thumbnails after they were saved. Nothing waits for them, and a photo without one is complete.
final class ThumbnailMaking: Sendable {
    private let tree: TreeTable
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let queue: ThumbnailQueue?
    private let kernel: KernelMemory
    private let places: Places

    init(
        tree: TreeTable, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container,
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

    /// So often a photo's metadata may change while its thumbnail is written.
    private static let mostTries = 4

    /// A document was saved: if it is a photo, it gets a thumbnail when its turn comes. `then` follows, whatever came of it.
    func order(of id: NodeNumber, then: @escaping @Sendable () -> Void = {}) {
        guard let queue, workshop != nil else { return then() }
        let isPhoto = tree.withLock { tree in
            guard tree.contains(id), tree[id].role == .document, tree[id].kindID.kind is PhotoKind else { return false }
            // The number stays the photo's until its turn is over.
            tree.remember(id)
            return true
        }
        guard isPhoto else { return then() }
        let isOrdered = queue.order(id) { [self] isInTime in
            if isInTime { try? makeThumbnail(of: id, queue.worker) }
            tree.forget(id, count: 1)
            then()
        }
        guard !isOrdered else { return }
        tree.forget(id, count: 1)
        then()
    }

    private func makeThumbnail(of id: NodeNumber, _ worker: ThumbnailWorker) throws(Errno) {
        HeldLanes.checkNone()
        guard let workshop, let first = try savedPhoto(id), case .range(0, let offset, let length) = first.opened.reading.content,
            let image = first.opened.parts[0], let png = try? worker.thumbnail(of: image, offset: offset, length: length)
        else { return }
        // Only the last step is in the photo's lane: whoever uses the photo does not wait for the store.
        for _ in 0..<Self.mostTries {
            guard let photo = try savedPhoto(id), photo.image == first.image,
                let staged = try workshop.stageThumbnail(png, for: photo.opened)
            else { return }
            var isPut = false
            defer { if !isPut { workshop.discard(staged) } }
            isPut = try coordinator.write(ItemID(id)) { () throws(Errno) in
                guard let now = try photoInLane(id), now.image == photo.image, now.metadata == photo.metadata else { return false }
                try workshop.put(staged, into: now.stored, in: now.folder.descriptor)
                try thumbnailCame(to: id, before: now)
                return true
            }
            if isPut { return kernel.tell([.attributes(id)]) }
        }
    }

    private func savedPhoto(_ id: NodeNumber) throws(Errno) -> SavedPhoto? {
        try coordinator.read(ItemID(id)) { () throws(Errno) in try photoInLane(id) }
    }

    private func photoInLane(_ id: NodeNumber) throws(Errno) -> SavedPhoto? {
        coordinator.checkReading(ItemID(id))
        let node = tree.withLock { $0.contains(id) ? $0[id] : nil }
        guard let node, node.role == .document, node.kindID.kind is PhotoKind, node.flags.isDisjoint(with: [.orphan, .unborn]) else { return nil }
        let folder = try places.place(of: node.parent)
        guard let opened = try? container.reader.open(node.stored, as: node.kindID, in: folder.descriptor), opened.parts.count == 2,
            let image = opened.parts[0]
        else { return nil }
        return SavedPhoto(
            stored: node.stored, folder: folder, opened: opened, image: try image.descriptor.status().identity,
            metadata: try opened.parts[1]?.descriptor.status())
    }

    /// The content is the same, so what the kernel has cached of it stays right, and who has it open reads on.
    private func thumbnailCame(to id: NodeNumber, before: SavedPhoto) throws(Errno) {
        guard let after = try photoInLane(id) else { return }
        let old = ContentStamp(before.opened.item.status), content = try OpenContent(after.opened)
        let document = tree.withLock { tree in
            if tree[id].stamp == old { tree[id].stamp = ContentStamp(after.opened.item.status) }
            return tree.documents[id]
        }
        document?.state.withLock { if $0.draft == nil { $0.content = content } }
    }
}
