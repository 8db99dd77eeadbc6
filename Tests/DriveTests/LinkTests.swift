import LinuxFiles
import Testing

@testable import Containers
@testable import Drive

/// A file with several names is one node, whichever of them come and go.
@Suite struct LinkTests {
    private let status: FileStatus

    init() throws {
        // Any file will do: what counts is that it is one and the same, and that it has two names.
        var status = try Descriptor.atPath("/proc/self/exe", .path).status()
        status.links = 2
        self.status = status
    }

    private func node(_ name: String, in folder: NodeNumber = NodeNumber.root, _ role: Role = .plain) -> Node {
        Node(parent: folder, generation: 0, stored: Name(name)!, shown: Name(name)!, inode: status.identity.number, stamp: .unknown, role: role)
    }

    private func child(_ name: String, of folder: NodeNumber = NodeNumber.root, _ tree: NodeTable) -> NodeNumber? { tree.child(shown: Name(name)!, of: folder) }

    /// A file "a", "b" and "sub/c".
    private func linked() -> (tree: NodeTable, id: NodeNumber, folder: NodeNumber) {
        var tree = NodeTable(.shipped)
        let folder = tree.add(node("sub", .folder))
        tree.remember(folder)
        let entry = tree.addFile(node("a"), status), id = tree.node(of: entry)
        _ = tree.addFile(node("b"), status)
        _ = tree.addFile(node("c", in: folder), status)
        tree.remember(id)
        return (tree, id, folder)
    }

    private func node(_ name: String, _ role: Role) -> Node { node(name, in: NodeNumber.root, role) }

    @Test func allNamesLeadToOneNode() {
        let (nodes, id, folder) = linked(), tree = Tree(.shipped)
        #expect(child("a", nodes) == id && child("b", nodes) == id && child("c", of: folder, nodes) == id)
        tree.withLock { $0 = nodes }
        #expect(tree.node(id, called: Name("c")!, in: folder).parent == folder)
    }

    @Test func theNodeOutlivesTheNameItWasFoundBy() {
        var (tree, id, folder) = linked()
        tree.remove(Name("a")!, of: NodeNumber.root)
        #expect(child("a", tree) == nil && child("b", tree) == id && child("c", of: folder, tree) == id)
        tree.remove(Name("b")!, of: NodeNumber.root)
        #expect(child("b", tree) == nil && child("c", of: folder, tree) == id)
        #expect(tree[id].parent == folder && tree[id].stored == Name("c")!)
        tree.remove(Name("c")!, of: folder)
        #expect(tree.contains(id) && tree[id].isNameless)
        tree.forget(id, count: 1)
        #expect(!tree.contains(id) && tree.links.isEmpty)
        #expect(tree.count == NodeTable(.shipped).count + 1, "an alias was left")
    }

    @Test func aNameThatIsFoundAgainFindsTheOpenFile() {
        var (tree, id, folder) = linked()
        for name in ["a", "b"] { tree.remove(Name(name)!, of: NodeNumber.root) }
        tree.remove(Name("c")!, of: folder)
        let entry = tree.addFile(node("d"), status)
        #expect(tree.node(of: entry) == id)
        #expect(child("d", tree) == id && !tree[id].isNameless)
    }

    @Test func aForgottenFolderTakesNoFileWithIt() {
        var (tree, id, folder) = linked()
        tree.remove(Name("a")!, of: NodeNumber.root)
        tree.remove(Name("b")!, of: NodeNumber.root)
        _ = tree.addFile(node("a"), status)
        // The node carries "c" now, and goes on as "a".
        tree.mostForgotten = 0
        tree.forget(id, count: 1)
        tree.forget(folder, count: 1)
        #expect(child("c", of: folder, tree) == nil)
        #expect(child("a", tree) == id && tree[id].parent == NodeNumber.root)
    }

    @Test func aNameThatWasReplacedIsAnotherFile() throws {
        var (tree, id, _) = linked()
        var other = status
        other.identity = FileIdentity(device: status.identity.device, number: status.identity.number &+ 1)
        other.links = 1
        for name in ["a", "b"] {
            let entry = try #require(tree.entry(shown: Name(name)!, of: NodeNumber.root))
            let (leadsToOther, leadsToItself) = (tree.leads(entry, to: other), tree.leads(entry, to: status))
            #expect(!leadsToOther && leadsToItself)
        }
        tree.becomeSingle(id, stored: Name("b")!, in: NodeNumber.root)
        #expect(child("a", tree) == nil && child("b", tree) == id)
        let leads = tree.leads(EntryNumber(of: id), to: other)
        #expect(leads)
    }

    @Test func hiddenIsTheNameAndNotTheFile() {
        var (tree, id, folder) = linked()
        tree.move(tree.entry(shown: Name("b")!, of: NodeNumber.root)!, to: NodeNumber.root, stored: Name(".DS_Store")!, shown: Name(".DS_Store")!)
        tree.setListed(tree.entry(shown: Name(".DS_Store")!, of: NodeNumber.root)!)
        #expect(!tree[id].flags.contains(.unlisted))
        tree.remove(Name("a")!, of: NodeNumber.root)
        tree.remove(Name("c")!, of: folder)
        #expect(child(".DS_Store", tree) == id && tree[id].flags.contains(.unlisted))
    }
}
