import Documents
import Foundation
import LinuxFiles
import MountTesting
import SeededNumbers
import Testing

@testable import Containers
@testable import Drive

/// What may follow what in a node's life is one table, which is drawn in docs/ARCHITECTURE.md; and each of its arrows is gone here by the tree's own operations.
@Suite struct NodeStateTests {
    private struct Arrow: Hashable, CustomStringConvertible {
        let from: NodeState, to: NodeState
        var description: String { "\(from) → \(to)" }
    }

    private static let arrows = NodeState.allCases.flatMap { from in from.followers.map { Arrow(from: from, to: $0) } }

    private let name = Name("Notes.txt")!, stored = Name("Notes.stedoc")!
    private let kind: KindID
    private let place: TemporaryFolder
    private let status: FileStatus

    init() throws {
        kind = try #require(KindRegistry.shipped.named("text"))
        place = try TemporaryFolder()
        status = try Descriptor.atPath(place.path, .path).status()
    }

    // MARK: The drawing

    @Test func theTableIsDrawn() throws {
        let page = try String(contentsOfFile: Places.inPackage("docs/ARCHITECTURE.md"), encoding: .utf8)
        var drawn: [NodeState: Set<NodeState>] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let state = NodeState(rawValue: cells[0]) else { continue }
            drawn[state] = Set(cells[2].components(separatedBy: ", ").compactMap(NodeState.init))
        }
        for state in NodeState.allCases { #expect(drawn[state] == state.followers, "\(state)") }
    }

    @Test func eachStateIsReachedAndLeft() {
        for state in NodeState.allCases {
            #expect(!state.followers.isEmpty && !state.followers.contains(state))
            #expect(NodeState.allCases.contains { $0.followers.contains(state) }, "nothing leads to \(state)")
        }
    }

    // MARK: The walk

    private func item(_ role: Role, in folder: NodeNumber = Tree.root) -> Node {
        Node(
            parent: folder, generation: 0, stored: role == .document ? stored : name, shown: name, inode: 1, stamp: .unknown, role: role,
            kind: role == .document ? kind.place : 0)
    }

    private func draft() throws -> Draft {
        let folder = try Descriptor.atPath(place.path, [.read, .folder]), file = OpenFile(try folder.open(Name("draft")!, [.readWrite, .create], mode: 0o600))
        return Draft(number: 1, kind: kind, file: file, contentStart: 0, changed: true)
    }

    private func written(base: Base?) throws -> OpenDocument { OpenDocument(content: .bytes([], nil), draft: try draft(), base: base) }

    /// Puts a node into a place that is nobody's.
    private func make(_ state: NodeState, _ tree: inout Tree, in folder: NodeNumber = Tree.root) throws -> NodeNumber? {
        switch state {
        case .vacant: return nil
        case .file: return tree.add(item(.plain, in: folder))
        case .document: return tree.add(item(.document, in: folder))
        case .drafted:
            let id = tree.add(item(.document, in: folder))
            tree.documents[id] = try written(base: .stored(stored))
            return id
        case .unborn: return tree.addUnborn(name, in: folder, inode: 1, kind, try written(base: nil))
        case .nameless: return tree.addNameless(item(.plain, in: folder))
        }
    }

    /// Goes an arrow as the drive does. Answers false where nothing of the tree's does that.
    private func go(_ arrow: Arrow, _ tree: inout Tree, _ id: NodeNumber) throws -> Bool {
        switch (arrow.from, arrow.to) {
        case (.vacant, let to): return try make(to, &tree) == id
        case (.file, .document): tree.becomeDocument(id, kind, OpenDocument(content: .bytes([], nil), base: .stored(stored)))
        case (.document, .drafted):
            let document = OpenDocument(content: .bytes([], nil), base: .stored(stored))
            return tree.begin(try draft(), of: document, id, over: tree[id].stored)
        case (.nameless, .document):
            // Of which nothing was written.
            tree.documents[id] = nil
            tree.regainName(id, in: Tree.root, stored: stored, shown: name)
        case (.nameless, .unborn):
            let document = OpenDocument(content: .bytes([], nil), base: .stored(stored))
            tree.documents[id] = document
            tree.becomeNew(id, document, try draft(), called: name, in: Tree.root)
        case (_, .file) where arrow.from == .nameless: tree.move(EntryNumber(of: id), to: Tree.root, stored: name, shown: name)
        case (_, .file): tree.becomeFile(id, status)
        case (.drafted, .document): tree.documents[id]?.state.withLock { $0.draft = nil }
        case (.drafted, .unborn): return tree.loseItem(id)
        case (.unborn, .drafted): tree.becomeStored(id, as: stored)
        case (.nameless, .vacant): tree.forget(id, count: 1)
        case (_, .vacant):
            // With a folder that nobody knows any more.
            let folder = tree[id].parent
            tree.mostForgotten = 0
            tree.forget(id, count: 1)
            tree.forget(folder, count: 1)
        case (_, .nameless): tree.detach(EntryNumber(of: id))
        default: return false
        }
        return true
    }

    @Test(arguments: arrows) private func eachArrowIsGone(arrow: Arrow) throws {
        var tree = Tree()
        let id: NodeNumber
        if arrow.from == .vacant {
            id = tree.add(item(.plain))
            tree.detach(EntryNumber(of: id))
        } else {
            let folder = arrow.to == .vacant && arrow.from != .nameless
                ? tree.add(Node(parent: Tree.root, generation: 0, stored: name, shown: name, inode: 2, stamp: .unknown, role: .folder)) : Tree.root
            if folder != Tree.root { tree.remember(folder) }
            id = try #require(try make(arrow.from, &tree, in: folder))
            tree.remember(id)
        }
        #expect(tree.state(of: id) == arrow.from)
        #expect(try go(arrow, &tree, id))
        #expect(tree.state(of: id) == arrow.to)
        // What is in the tables of its folder is what its state says.
        let isNamed = arrow.to != .nameless && arrow.to != .vacant
        #expect((tree.child(shown: name, of: Tree.root) == id) == isNamed)
        let item = tree.node(stored: name, of: Tree.root) ?? tree.node(stored: stored, of: Tree.root)
        #expect((item == id) == (isNamed && arrow.to != .unborn))
    }

    /// Walks of many steps, each by an arrow.
    @Test func longWalksStayInTheTable() throws {
        var numbers = SeededNumbers(seed: 30)
        for _ in 0..<200 {
            var tree = Tree()
            let id = try #require(try make(.file, &tree))
            var state = NodeState.file, count = 0
            tree.remember(id)
            while state != .vacant, count < 40 {
                let next = state.followers.filter { $0 != .vacant || state == .nameless }.sorted { $0.rawValue < $1.rawValue }
                let arrow = Arrow(from: state, to: next[Int(numbers.next() % UInt64(next.count))])
                #expect(try go(arrow, &tree, id), "\(arrow)")
                state = tree.state(of: id)
                #expect(state == arrow.to, "\(arrow)")
                count += 1
            }
        }
    }
}
