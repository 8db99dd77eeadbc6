import Containers
import Documents
import Glibc
import LinuxFiles

/// The tree behind its lock, and what is asked of it most. What comes out is a value; whoever changes several things at once does
/// it in `withLock`, and neither waits nor asks anybody in there.
final class TreeTable: Sendable {
    private let table: Locked<Tree>
    private let kinds: KindRegistry

    init(_ kinds: KindRegistry) {
        self.kinds = kinds
        table = Locked(Tree(kinds), .tree)
    }

    /// What a document is.
    func kind(of node: Node) -> KindID { kinds[node.kind] }

    func withLock<Value, Problem: Error>(_ body: (inout sending Tree) throws(Problem) -> sending Value) throws(Problem) -> sending Value {
        try table.withLock(body)
    }

    // MARK: Nodes

    subscript(id: NodeNumber) -> Node { table.withLock { $0[id] } }

    func contains(_ id: NodeNumber) -> Bool { table.withLock { $0.contains(id) } }

    /// The node that the kernel means, or nil if it was forgotten.
    func node(_ id: NodeID) -> NodeNumber? { table.withLock { $0.node(id) } }

    /// A node as it is under one of its names.
    func node(_ id: NodeNumber, called name: Name, in folder: NodeNumber) -> Node { table.withLock { $0.node(id, called: name, in: folder) } }

    /// What is open of a document, or waits to be saved.
    func document(_ id: NodeNumber) -> OpenDocument? { table.withLock { $0.documents[id] } }

    /// A node and its document, both as they are at one moment.
    func nodeAndDocument(_ id: NodeNumber) -> (Node, OpenDocument?) { table.withLock { ($0[id], $0.documents[id]) } }

    /// A node, and what is left of it where its name is gone.
    func nodeAndRemains(_ id: NodeNumber) -> (Node, OpenFile?) { table.withLock { ($0[id], $0.remains(of: id)) } }

    /// What an entry without a name was.
    func remains(of id: NodeNumber) -> OpenFile? { table.withLock { $0.remains(of: id) } }

    /// A new document that has its name still.
    func isUnborn(_ id: NodeNumber) -> Bool { table.withLock { $0.isUnborn(id) } }

    /// Whether a name leads to something else by now than what its handles have open.
    func isReplaced(_ id: NodeNumber, by status: FileStatus) -> Bool { table.withLock { $0.isReplaced(id, by: status) } }

    // MARK: Lives

    func mayBeInMemory(_ id: NodeNumber) -> Bool { table.withLock { $0.mayBeInMemory(id) } }
    func addHandle(_ id: NodeNumber) { table.withLock { $0.addHandle(id) } }
    func removeHandle(_ id: NodeNumber) { table.withLock { $0.removeHandle(id) } }
    func forget(_ id: NodeNumber, count: UInt64) { table.withLock { $0.forget(id, count: count) } }

    /// What the handles of a document shared goes with the last of them, unless a draft waits in it.
    func dropDocumentIfIdle(_ id: NodeNumber) { table.withLock { $0.dropDocumentIfIdle(id) } }

    /// The documents that give way to a draft since this was asked last.
    func takeGaveWay() -> [(node: NodeNumber, item: AwayItem)] { table.withLock { $0.takeGaveWay() } }

    /// An open document that somebody may write to and has not yet; nil where it is none.
    func awaited(_ id: NodeNumber) -> (Node, OpenDocument)? { table.withLock { tree in tree.isAwaited(id) ? tree.documents[id].map { (tree[id], $0) } : nil } }

    /// One whose item is gone.
    func isLost(_ id: NodeNumber) -> Bool { table.withLock { $0.lost[id] != nil } }

    /// The folders and drafts that others have moved since this was asked last.
    func takeMovedParts() -> [NodeNumber] { table.withLock { $0.takeMovedParts() } }

    /// The table's number for a node that the kernel names. A number that it was told to forget is stale.
    func known(_ node: NodeID) throws(Errno) -> NodeNumber {
        // Where thumbnails may be asked for, they were looked at before.
        guard ThumbnailNode(node) == nil else { throw .readOnly }
        guard node.rawValue >> 32 == 0 || ControlNode(node) == nil else { throw .notPermitted }
        guard let id = table.withLock({ tree in tree.node(node).map { tree.standing(for: $0) } }) else { throw .stale }
        return id
    }

    /// What stands for a node that the kernel names, and what that is; nil if it was forgotten.
    func standing(for node: NodeID) -> (NodeNumber, Role)? {
        table.withLock { tree in tree.node(node).map { tree.standing(for: $0) }.map { ($0, tree[$0].role) } }
    }

    /// A node whose name is gone stands for another one from now on: see `SecondLooks`.
    func succeed(_ node: NodeID, by successor: NodeID) -> Bool { table.withLock { $0.succeed(node, by: successor) } }

    func isStill(_ role: Role, _ id: NodeNumber) -> Bool { table.withLock { $0[id].role == role } }

    /// An answer that the kernel is given of a node, and knows it once more by; nil if the node is gone, or its name is.
    func entry(of id: NodeNumber, _ attributes: Attributes, named: Bool = true) -> Entry? {
        table.withLock { tree in
            guard tree.contains(id), !(named && tree[id].isNameless) else { return nil }
            tree.remember(id)
            tree.noteCached(attributes)
            return Entry(node: attributes.node, generation: UInt64(tree[id].generation), attributes: attributes)
        }
    }

    // MARK: Folders

    /// The node that has a name.
    func child(shown name: Name, of folder: NodeNumber) -> NodeNumber? { table.withLock { $0.child(shown: name, of: folder) } }

    /// The node of an item, by its name in the container.
    func node(stored name: Name, of folder: NodeNumber) -> NodeNumber? { table.withLock { $0.node(stored: name, of: folder) } }

    /// The names from the root to a node, as they lie in the container; nil for what has no name and what is under it.
    func storedPath(of id: NodeNumber, most: Int = .max) -> (top: NodeNumber, names: [Name])? { table.withLock { $0.storedPath(of: id, most: most) } }

    /// The same of what is below the root, where some folders are known to be elsewhere: `isNow` where one of them is on the way.
    func storedPath(of id: NodeNumber, orOf moved: [NodeNumber: [Name]]) -> (names: [Name], isNow: Bool)? { table.withLock { $0.storedPath(of: id, orOf: moved) } }

    /// The names from the root to a folder, as they are shown; nil for what has no name and what is under it.
    func shownNames(of id: NodeNumber) -> [Name]? { table.withLock { $0.shownNames(of: id) } }

    func hasUnborn(in folder: NodeNumber) -> Bool { table.withLock { $0.hasUnborn(in: folder) } }

    /// Takes a name out of a folder, and holds on to the file or folder for as long as the kernel knows it.
    func remove(_ name: Name, of folder: NodeNumber, keeping file: OpenFile? = nil) { table.withLock { $0.remove(name, of: folder, keeping: file) } }

    /// What was read of a folder is not to be relied on any more.
    func forgetReading(of folder: NodeNumber) { table.withLock { $0.folders[folder]?.read = nil } }

    func isFollowed(_ folder: NodeNumber) -> Bool { table.withLock { $0.isFollowed(folder) } }

    /// Where a name of this folder is, for saving.
    func address(_ name: Name, in folder: NodeNumber, _ place: OpenFile) -> Address {
        Address(folder: place, path: table.withLock { $0.storedPath(of: folder)?.names ?? [] }, shown: name)
    }

    func documentPlace(of node: Node, _ folder: OpenFile) throws(Errno) -> DocumentPlace {
        guard let path = table.withLock({ $0.storedPath(of: node.parent)?.names }) else { throw .stale }
        return DocumentPlace(folder: folder, path: path, stored: node.stored, kind: self.kind(of: node))
    }

    /// Whether a name is that of an item which is shown under another one: nothing else can have it in the container.
    func isItem(_ name: Name, in folder: NodeNumber) -> Bool {
        table.withLock { tree in tree.entry(stored: name, of: folder).map { tree[$0].shown != name } ?? false }
    }

    /// The copies of a document that are hidden beside it.
    func copies(of stored: Name, in folder: NodeNumber) -> [Name] {
        table.withLock { tree in
            guard tree.folders[folder]?.hasCopies == true else { return [] }
            return tree.children(of: folder).map { tree[$0] }.filter { $0.isHiddenCopy && Container.copiedItem(by: $0.stored) == stored }.map(\.stored)
        }
    }

    /// A document that cannot be read any more: the kernel is to look again, and will find what it is now.
    func refuse(_ fault: DocumentFault, _ folder: NodeNumber) -> Errno {
        if case .unreadable(let number?) = fault, ![ENOENT, ENOTDIR, ELOOP].contains(number) { return Errno(rawValue: number) }
        forgetReading(of: folder)
        return .stale
    }
}
