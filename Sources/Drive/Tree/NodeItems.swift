import Containers
import Coordination
import Glibc
import LinuxFiles

/// Reads the item of the container that a node stands for, as it is now.
final class NodeItems: Sendable {
    private let tree: Tree
    private let container: Container
    private let options: DriveOptions
    private let moves: MovesUnderWay
    private let presence: ContainerPresence
    private let top: TopStatus
    private let places: Places
    private let watching: OutsideNotices

    init(
        tree: Tree, container: Container, options: DriveOptions, moves: MovesUnderWay, presence: ContainerPresence, top: TopStatus,
        places: Places, watching: OutsideNotices
    ) {
        (self.tree, self.container, self.options, self.moves, self.presence) = (tree, container, options, moves, presence)
        (self.top, self.places, self.watching) = (top, places, watching)
    }

    /// Reads a node's item anew. `.busy` is a document that somebody may be writing: see `whenWhole`.
    func currentItem(of id: NodeNumber) throws(Errno) -> Item {
        if id == NodeNumber.root { return Item(name: Node.noName, status: try presence.topStatus { () throws(Errno) in try top.status() }) }
        if id == NodeNumber.originals { return Item(name: Node.noName, status: try container.base.descriptor.status()) }
        return try moves.following { () throws(Errno) in try namedItem(of: id) }
    }

    private func namedItem(of id: NodeNumber) throws(Errno) -> Item {
        let node = tree[id]
        guard !node.isNameless else { throw .stale }
        let folder = try places.place(of: node.parent)
        do throws(Errno) {
            let item = try node.role == .document
                ? container.reader.read(node.stored, as: tree.kind(of: node), in: folder.descriptor)
                : readItem(
                    node.stored, as: options.keepsVersions && node.isHiddenCopy || tree.isPackage(node.parent) ? .original : node.role, in: folder)
            guard node.role == .document, item.document == nil else { return item }
            // What can be no document of its kind under this name, whatever is written to it, is something else.
            let mayBecome = tree.kind(of: node).kind.mayBe(storedName: node.stored.bytes, isFolder: item.status.type == .folder)
            if mayBecome, watching.mayBeHalf(node.stored, in: node.parent) { throw Errno.busy }
            tree.forgetReading(of: node.parent)
            throw .stale
        } catch {
            // It is gone from the container, or there is something else: the kernel is to look again.
            throw [.noSuchEntry, .notDirectory].contains(error) ? .stale : error
        }
    }

    /// When it was made; nil where the file system does not know that, or where it has no name there.
    func birth(of id: NodeNumber) -> Timestamp? {
        if id == NodeNumber.root { return (try? container.documents.descriptor.statusAndBirth())?.made }
        let node = tree[id]
        guard id != NodeNumber.originals, node.hasItem, let folder = try? places.place(of: node.parent) else { return nil }
        return (try? folder.descriptor.statusAndBirth(of: node.stored))?.made
    }

    /// As what the items of a folder are read: as they lie there where none is a document.
    func role(ofItemsIn folder: NodeNumber) -> Role { tree[folder].role.showsOriginals || tree.isPackage(folder) ? .original : .plain }

    /// `type` is what the folder said of it, and `was` what a look at it did: see `ItemReader.read`.
    func readItem(_ name: Name, as role: Role, type: FileType = .unknown, was seen: FileStatus? = nil, in folder: OpenFile) throws(Errno) -> Item {
        role == .original || role == .packagePart || role.showsOriginals
            ? try container.reader.readOriginal(name, in: folder.descriptor)
            : try container.reader.read(name, type: type, was: seen, in: folder.descriptor)
    }

    /// Asks again for a while, as long as the answer is `.busy`: the document is being written. In no lane.
    func whenWhole<Value>(_ ask: () throws(Errno) -> Value) throws(Errno) -> Value {
        HeldLanes.checkNone()
        let end = Monotonic.milliseconds + NoticedChanges.requestPatience
        while true {
            do throws(Errno) { return try ask() } catch { guard error == .busy, Monotonic.milliseconds < end else { throw error } }
            usleep(20_000)
        }
    }
}
