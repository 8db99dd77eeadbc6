import Containers
import Coordination
import Documents
import LinuxFiles

/// Other programs that have claimed items of the container: who saves waits for them, and they are told what moves.
final class ExternalClaims: Sendable {
    private let tree: Tree
    private let options: DriveOptions
    private let connected = Latest<CoordinationServer?>(nil)

    init(tree: Tree, options: DriveOptions) { (self.tree, self.options) = (tree, options) }

    /// Whoever serves the claims of other programs, until the drive ends.
    func connect(_ server: CoordinationServer?) { connected.set(server) }

    /// Whoever serves their claims, while somebody does.
    var server: CoordinationServer? { connected.value }

    /// Waits while another program has a claim on a document that is about to be saved. In no lane: nobody who wants the document
    /// or lists its folder is to wait for that program.
    func waitForOthers(on id: NodeNumber, _ patience: SavePatience) {
        guard let server = connected.value, server.hasClients else { return }
        for path in itemPaths(of: id) { server.waitForOthers(on: path, atMost: patience.left) }
    }

    /// Whether another program has a claim on a document. For who is in its lane this stays right: whoever asks for it
    /// meanwhile gets it when the lane is free.
    func isClaimedByOthers(_ id: NodeNumber) -> Bool {
        guard let server = connected.value, server.hasClients else { return false }
        return itemPaths(of: id).contains { server.isClaimed($0) }
    }

    // MARK: Those who have items open

    /// Before a program uses an item: whoever has it open saves it, and is waited for. In no lane. Nil where nobody has it. What is
    /// answered is ended when the program is done with the item.
    func askPresenters(of id: @autoclosure () -> NodeNumber?, for purpose: ClaimPurpose, by thread: UInt32?) -> PresentedItemUse? {
        guard let server, server.mayHavePresenters, let id = id(), [.document, .plain, .folder].contains(tree[id].role) else { return nil }
        return server.askPresenters(of: itemPaths(of: id), for: purpose) { [options] in thread.flatMap(options.threadPage).flatMap { ThreadFacts.process(page: $0) } }
    }

    func tellPresenters(_ event: PresenterEvent.Kind, of id: NodeNumber) {
        guard let server, server.hasPresenters else { return }
        for path in itemPaths(of: id) { server.tellPresenters(event, path) }
    }

    func tellPresentersOfRemoval(of stored: Name, in folder: NodeNumber) {
        guard let server, server.hasPresenters, let path = itemPath(stored, in: folder) else { return }
        server.tellPresenters(.deleted, path)
    }

    /// Something was made on the drive that is no document, and that nobody will save.
    func tellPresenters(ofNew name: Name, in parent: NodeNumber) {
        guard let server, server.hasPresenters, let path = itemPath(name, in: parent) else { return }
        server.tellPresenters(.changed, path)
        if let id = tree.withLock({ $0.node(stored: name, of: parent) }), tree[id].role == .folder { server.followNew(path) }
    }

    /// What was seen in a folder that others changed. Those whose own claim it was may hear of it, too.
    /// `besides`: what is told as moved.
    func tellPresenters(of changes: [KernelChange], in folder: NodeNumber, besides moved: OutsideMoves.Ends = OutsideMoves.Ends()) {
        guard !changes.isEmpty, let server, server.hasPresenters, let (top, names) = tree.withLock({ $0.storedPath(of: folder, most: ItemPath.deepest) }), top == NodeNumber.root, !names.contains(where: { GrowingName.package(in: $0) != nil }) else { return }
        var told: Set<ItemPath> = []
        for change in changes {
            switch change {
            case .added(let entry) where GrowingName.package(in: entry.stored) != nil: break
            case .removed(let entry, _) where GrowingName.package(in: entry.stored) != nil: break
            case .content(let id):
                guard !tree[id].role.isFolder else { continue }
                for path in itemPaths(of: id) where told.insert(path).inserted { server.tellPresenters(.changed, path) }
            case .added(let entry):
                // Who makes or moves something in a claim says so at its end.
                guard !moved.come.contains(entry.stored), let path = ItemPath(names + [entry.stored]), !server.isBeingWritten(path) else { continue }
                if told.insert(path).inserted { server.tellPresenters(.changed, path) }
                if entry.type == .folder { server.followNew(path) }
            case .removed(let entry, _):
                guard !moved.left.contains(entry.stored), let path = ItemPath(names + [entry.stored]), !server.isBeingWritten(path) else { continue }
                if tree.withLock({ $0.node(stored: entry.stored, of: folder) }) == nil { server.tellPresenters(.deleted, path) }
            case .entry, .attributes: break
            }
        }
    }

    /// Where a document is in the container. A new one has its name, and the one that its item gets where nothing else has that.
    private func itemPaths(of id: NodeNumber) -> [ItemPath] {
        let (node, document) = tree.nodeAndDocument(id)
        var names = [node.stored]
        if node.isUnborn {
            let now = UnixMicroseconds(rawValue: Timestamp.now.seconds &* 1_000_000)
            let stored = document?.base?.stored ?? Name(tree.kind(of: node).kind.storedName(forShown: node.shown.bytes, at: now, attempt: 0))
            if let stored { names.append(stored) }
        }
        return names.compactMap { itemPath($0, in: node.parent) }
    }

    /// Those who wait for an item that has another name now get it there.
    func tellOthers(_ stored: Name, in folder: NodeNumber, becameShown shown: Name, in newFolder: NodeNumber) {
        guard let server = connected.value, server.hasClients, let old = itemPath(stored, in: folder) else { return }
        let now = tree.withLock { tree in tree.entry(shown: shown, of: newFolder).map { tree[$0].stored } }
        if let now, let new = itemPath(now, in: newFolder), new != old { server.moved(old, to: new) }
    }

    /// Whether another program may be changing an item in a claim.
    func isBeingWritten(_ stored: Name, in folder: NodeNumber) -> Bool {
        guard let server, let path = itemPath(stored, in: folder) else { return false }
        return server.isBeingWritten(path)
    }

    /// Another program has renamed or moved an item, and did not say so. `folder`: what the tree has had there.
    func tellMove(of old: [Name], to new: [Name], of folder: NodeNumber? = nil) {
        guard let server, server.hasClients, let old = ItemPath(old), let new = ItemPath(new) else { return }
        let isPresented = server.hasPresenters && (server.isPresented(old) || server.isPresented(new))
        let known = isPresented ? folder.flatMap { tree.isKnown($0) ? items(below: $0, at: new) : nil } : nil
        server.moved(old, to: new, knowing: known)
    }

    /// All that the tree knows below a folder, at its new place.
    private func items(below folder: NodeNumber, at path: ItemPath) -> Set<ItemPath> {
        var found: Set<ItemPath> = [], waiting = [(node: folder, path: path)]
        while let next = waiting.popLast() {
            for inside in tree.items(in: next.node) {
                guard let path = ItemPath(next.path.names + [inside.stored]) else { continue }
                found.insert(path)
                if let folder = inside.folder { waiting.append((folder, path)) }
            }
        }
        return found
    }

    /// nil also of what grows, of which no other program knows.
    private func itemPath(_ stored: Name, in folder: NodeNumber) -> ItemPath? {
        if tree.grows(stored, in: folder) { return nil }
        return (tree.withLock({ $0.storedPath(of: folder, most: ItemPath.deepest) })?.names).flatMap { ItemPath($0 + [stored]) }
    }
}

/// How long one save waits for other programs: none keeps the drive from saving for ever.
struct SavePatience {
    private static let longest: Int64 = 10_000
    private let end = Monotonic.milliseconds + longest

    /// The milliseconds that may still be waited.
    var left: Int64 { max(0, end - Monotonic.milliseconds) }
    var isOver: Bool { left == 0 }
}
