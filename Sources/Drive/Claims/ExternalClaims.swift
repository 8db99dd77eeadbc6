import Coordination
import Documents
import LinuxFiles

/// Other programs that have claimed items of the container: who saves waits for them, and they are told what moves.
final class ExternalClaims: Sendable {
    private let tree: TreeTable
    private let options: DriveOptions
    private let connected = Latest<CoordinationServer?>(nil)

    init(tree: TreeTable, options: DriveOptions) { (self.tree, self.options) = (tree, options) }

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

    /// Before a program uses an item: whoever has it open saves it, and is waited for. In no lane. Nothing where nobody has any. What is
    /// answered is ended when the program is done with the item.
    func askPresenters(of id: @autoclosure () -> NodeNumber?, for purpose: ClaimPurpose, by thread: UInt32?) -> PresenterAsking {
        guard let server, server.hasPresenters, let id = id(), [.document, .plain, .folder].contains(tree[id].role) else { return PresenterAsking() }
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

    /// What was seen in a folder that others changed. Those whose own claim it was may hear of it, too.
    /// `besides`: what was told as moved.
    func tellPresenters(of changes: [KernelChange], in folder: NodeNumber, besides moved: Set<Name> = []) {
        guard let server, server.hasPresenters else { return }
        var isSmaller = false, hasOtherParts = false
        for change in changes {
            switch change {
            case .content(let id): if !tree[id].role.isFolder { tellPresenters(.changed, of: id) }
            case .removed(let entry, _):
                isSmaller = true
                if !entry.isDocument { hasOtherParts = true }
            case .added(let entry): if !entry.isDocument { hasOtherParts = true }
            case .entry, .attributes: break
            }
        }
        guard isSmaller || hasOtherParts, let names = tree.storedPath(of: folder, most: ItemPath.deepest)?.names, let path = ItemPath(names) else { return }
        // The folder may be an app's package that is none of the kinds, or in one.
        if hasOtherParts, !names.isEmpty { server.tellPresenters(.changed, path) }
        guard isSmaller else { return }
        for item in server.presentedItems(in: path) {
            // What is moved or removed in a claim is told when that ends, as what it was.
            if let name = item.names.last, !moved.contains(name), tree.node(stored: name, of: folder) == nil, !server.isBeingWritten(item) { server.tellPresenters(.deleted, item) }
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
        let now = tree.storedName(ofShown: shown, in: newFolder)
        if let now, let new = itemPath(now, in: newFolder), new != old { server.moved(old, to: new) }
    }

    /// Whether another program may be changing an item in a claim.
    func isBeingWritten(_ stored: Name, in folder: NodeNumber) -> Bool {
        guard let server, let path = itemPath(stored, in: folder) else { return false }
        return server.isBeingWritten(path)
    }

    /// Another program has renamed an item, and did not say so.
    func tellRename(of old: Name, to new: Name, in folder: NodeNumber) {
        guard let server, server.hasClients, let old = itemPath(old, in: folder), let new = itemPath(new, in: folder) else { return }
        server.moved(old, to: new)
    }

    private func itemPath(_ stored: Name, in folder: NodeNumber) -> ItemPath? {
        (tree.storedPath(of: folder, most: ItemPath.deepest)?.names).flatMap { ItemPath($0 + [stored]) }
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
