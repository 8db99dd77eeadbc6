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

    private func item(_ role: Role, in folder: NodeNumber = NodeNumber.root) -> Node {
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
    private func make(_ state: NodeState, _ tree: Tree, in folder: NodeNumber = NodeNumber.root) throws -> NodeNumber? {
        let document = try written(base: state == .drafted ? .stored(stored) : nil)
        if state == .nameless { return tree.addNameless(status, in: folder) }
        return tree.withLock { tree in
            switch state {
            case .vacant, .nameless: return nil
            case .file: return tree.add(item(.plain, in: folder))
            case .document: return tree.add(item(.document, in: folder))
            case .drafted:
                let id = tree.add(item(.document, in: folder))
                tree.documents[id] = document
                return id
            case .unborn: return tree.addUnborn(name, in: folder, inode: 1, kind, document)
            }
        }
    }

    /// Goes an arrow as the drive does. Answers false where nothing of the tree's does that.
    private func go(_ arrow: Arrow, _ tree: Tree, _ id: NodeNumber) throws -> Bool {
        let document = OpenDocument(content: .bytes([], nil), base: .stored(stored)), draft = try draft()
        switch (arrow.from, arrow.to) {
        case (.vacant, let to): return try make(to, tree) == id
        case (.file, .document): tree.becomeDocument(id, kind, document)
        case (.document, .drafted): return tree.begin(draft, of: document, id, over: tree[id].stored)
        case (.nameless, .file): tree.withLock { $0.move(EntryNumber(of: id), to: NodeNumber.root, stored: name, shown: name) }
        case (_, .file): tree.becomeFile(id, status)
        default: return tree.withLock { go(arrow, &$0, id, document, draft) }
        }
        return true
    }

    private func go(_ arrow: Arrow, _ tree: inout NodeTable, _ id: NodeNumber, _ document: OpenDocument, _ draft: Draft) -> Bool {
        switch (arrow.from, arrow.to) {
        case (.nameless, .document):
            // Of which nothing was written.
            tree.documents[id] = nil
            tree.regainName(id, in: NodeNumber.root, stored: stored, shown: name)
        case (.nameless, .unborn):
            tree.documents[id] = document
            tree.becomeNew(id, document, draft, called: name, in: NodeNumber.root)
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
        let tree = Tree(.shipped)
        let id: NodeNumber
        if arrow.from == .vacant {
            id = tree.withLock { tree in
                let file = tree.add(self.item(.plain))
                tree.detach(EntryNumber(of: file))
                return file
            }
        } else {
            let folder = arrow.to == .vacant && arrow.from != .nameless ? addFolder(tree) : NodeNumber.root
            id = try #require(try make(arrow.from, tree, in: folder))
            // A file that was made without a name is known by then.
            if arrow.from != .nameless { tree.withLock { $0.remember(id) } }
        }
        #expect(tree.withLock { $0.state(of: id) } == arrow.from)
        #expect(try go(arrow, tree, id))
        #expect(tree.withLock { $0.state(of: id) } == arrow.to)
        // What is in the tables of its folder is what its state says.
        let isNamed = arrow.to != .nameless && arrow.to != .vacant
        #expect((tree.withLock { $0.child(shown: name, of: NodeNumber.root) } == id) == isNamed)
        let item = tree.withLock { $0.node(stored: name, of: NodeNumber.root) ?? $0.node(stored: stored, of: NodeNumber.root) }
        #expect((item == id) == (isNamed && arrow.to != .unborn))
    }

    private func addFolder(_ tree: Tree) -> NodeNumber {
        tree.withLock { tree in
            let id = tree.add(Node(parent: NodeNumber.root, generation: 0, stored: name, shown: name, inode: 2, stamp: .unknown, role: .folder))
            tree.remember(id)
            return id
        }
    }

    /// Walks of many steps, each by an arrow.
    @Test func longWalksStayInTheTable() throws {
        var numbers = SeededNumbers(seed: 30)
        for _ in 0..<200 {
            let tree = Tree(.shipped)
            let id = try #require(try make(.file, tree))
            var state = NodeState.file, count = 0
            tree.withLock { $0.remember(id) }
            while state != .vacant, count < 40 {
                let next = state.followers.filter { $0 != .vacant || state == .nameless }.sorted { $0.rawValue < $1.rawValue }
                let arrow = Arrow(from: state, to: next[Int(numbers.next() % UInt64(next.count))])
                #expect(try go(arrow, tree, id), "\(arrow)")
                state = tree.withLock { $0.state(of: id) }
                #expect(state == arrow.to, "\(arrow)")
                count += 1
            }
        }
    }
}
