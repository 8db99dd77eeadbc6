import Containers
import LinuxFiles
import Testing

@testable import Drive

/// Which entry of a folder gets which name.
@Suite struct NamingTests {
    private static let status = try! Descriptor.atPath("/", .path).status()

    private func plain(_ name: String) -> FoundEntry {
        var file = Self.status
        file.mode = 0o100644
        return found(name, EntryFacts(Item(name: Name(name)!, status: file)))
    }

    private func bookmark(_ stored: String, _ natural: String) -> FoundEntry {
        var file = Self.status
        file.mode = 0o100644
        let kind = KindRegistry.shipped.named("bookmark")!
        return found(stored, EntryFacts(status: file, document: (kind, Name(natural)!), fault: nil))
    }

    private func found(_ name: String, _ facts: EntryFacts) -> FoundEntry {
        FoundEntry(name: Name(name)!, number: UInt64(truncatingIfNeeded: name.hashValue), facts: facts)
    }

    private func shown(_ tree: NodeTable) -> [String: String] {
        var names: [String: String] = [:]
        tree.folders[NodeNumber.root]?.byShown.forEach { names["\(tree[$0].stored)"] = "\(tree[$0].shown)" }
        return names
    }

    private func merged(_ rounds: [[FoundEntry]]) -> (names: [String: String], changes: [KernelChange]) {
        var tree = NodeTable(.shipped)
        var changes: [KernelChange] = []
        for round in rounds { _ = tree.merge(round, into: NodeNumber.root, changes: &changes) }
        return (shown(tree), changes)
    }

    @Test func theOrderOfReadingDoesNotMatter() {
        let entries = [bookmark("B3", "x.url"), bookmark("B1", "x.url"), plain("x 1.url"), bookmark("B2", "x.url"), plain("y"), bookmark("B4", "x 2.url")]
        let expected = ["B1": "x.url", "x 1.url": "x 1.url", "B4": "x 2.url", "B2": "x 3.url", "B3": "x 4.url", "y": "y"]
        for _ in 0..<50 { #expect(merged([entries.shuffled()]).names == expected) }
    }

    /// Shown in NFC, unless what is stored so is there: whichever was found first.
    @Test func namesAreShownInOneForm() {
        let (pieces, whole) = ("e\u{301}", "\u{e9}")
        #expect(merged([[plain(pieces)]]).names.map { Array($0.value.utf8) } == [Array(whole.utf8)])
        for rounds in [[[plain(pieces), plain(whole)]], [[plain(whole), plain(pieces)]], [[plain(pieces)], [plain(pieces), plain(whole)]]] {
            var tree = NodeTable(.shipped), changes: [KernelChange] = []
            for round in rounds { _ = tree.merge(round, into: NodeNumber.root, changes: &changes) }
            for name in [pieces, whole] {
                let entry = tree.entry(shown: Name(name)!, of: NodeNumber.root)
                #expect(entry.map { tree[$0].stored } == Name(name)!)
                #expect(entry == tree.entry(stored: Name(name)!, of: NodeNumber.root))
            }
        }
    }

    /// What was asked for in another form once is found so from then on, whatever comes and goes.
    @Test func aNameIsFoundInAnotherForm() {
        var tree = NodeTable(.shipped), changes: [KernelChange] = []
        func find(_ name: String) -> Name? { tree.entry(inOtherForm: Name(name)!, of: NodeNumber.root).map { tree[$0].stored } }
        _ = tree.merge([bookmark("Boe\u{301}", "x.url"), plain("pe\u{301}")], into: NodeNumber.root, changes: &changes)
        #expect(find("Bo\u{e9}") == Name("Boe\u{301}")! && find("p\u{e9}") == Name("pe\u{301}")! && find("n\u{e9}") == nil && find("x.url") == nil)
        _ = tree.merge([plain("pe\u{301}"), plain("ne\u{301}")], into: NodeNumber.root, changes: &changes)
        #expect(find("Bo\u{e9}") == nil && find("n\u{e9}") == Name("ne\u{301}")!)
    }

    @Test func plainFilesComeFirst() {
        let (names, _) = merged([[bookmark("B1", "a.url"), plain("a.url")]])
        #expect(names == ["a.url": "a.url", "B1": "a 1.url"])
    }

    @Test func whatHasANameKeepsItWhileItLives() {
        let first = [bookmark("B2", "a.url")]
        let second = [bookmark("B1", "a.url"), bookmark("B2", "a.url"), plain("b")]
        #expect(merged([first, second]).names == ["B2": "a.url", "B1": "a 1.url", "b": "b"])
        // The one with the number does not move up when the other one goes: its name is in use.
        #expect(merged([first, second, [bookmark("B1", "a.url")]]).names == ["B1": "a 1.url"])
    }

    /// A save puts a document in its place while the folder is listed.
    @Test func whatWasListedBeforeItsSaveEndedIsNoOther() throws {
        var tree = NodeTable(.shipped), changes: [KernelChange] = []
        let saved = try #require(tree.merge([bookmark("B1", "a.url")], into: NodeNumber.root, changes: &changes)[0])
        _ = tree.merge([bookmark("B1", "a.url"), bookmark("B2", "a.url")], into: NodeNumber.root, changes: &changes)
        #expect(shown(tree) == ["B1": "a.url", "B2": "a 1.url"])
        changes = []
        tree.becomeStored(tree.node(of: saved), as: Name("B2")!, &changes)
        #expect(shown(tree) == ["B2": "a.url"])
        #expect(tree.children(of: NodeNumber.root).count == 1)
        #expect(changes.compactMap { if case .removed(let gone, _) = $0 { "\(gone.name)" } else { nil } } == ["a 1.url"])
    }

    @Test func theKernelIsToldOfWhatWentAndOfNothingNew() {
        #expect(merged([[bookmark("B1", "a.url"), plain("p")]]).changes.isEmpty)
        #expect(merged([[bookmark("B1", "a.url"), plain("p")], [plain("p")]]).changes.count == 1)
        // A document that was renamed outside: the old name. The new one is news for those who watch; the kernel remembers nothing of it.
        let changes = merged([[bookmark("B1", "a.url")], [bookmark("B1", "b.url")]]).changes
        #expect(changes.count == 2)
        guard case .removed(let old, was: nil) = changes.first, case .added(let new) = changes.last else {
            Issue.record("\(changes)")
            return
        }
        #expect(old.name == Name("a.url") && new.name == Name("b.url"))
    }

    @Test func namesWithNumbersAreTold() throws {
        func isNumbered(_ shown: String, _ natural: String) throws -> Bool {
            NodeTable.isNumbered(try #require(Name(shown)), of: try #require(Name(natural)))
        }
        #expect(try isNumbered("a 1.url", "a.url"))
        #expect(try isNumbered("a 12.url", "a.url"))
        #expect(try !isNumbered("a.url", "a.url"))
        #expect(try !isNumbered("a 0.url", "a.url"))
        #expect(try !isNumbered("a 1.jpg", "a.url"))
        #expect(try !isNumbered("b 1.url", "a.url"))
        #expect(try !isNumbered("a 99999999999.url", "a.url"))
    }

    /// An app writes a document anew under a name of its own, which is seen, and then puts it in the place of the old one.
    @Test(arguments: [false, true]) func whatIsGoneKeepsNoName(isFollowed: Bool) {
        var tree = NodeTable(.shipped)
        var changes: [KernelChange] = []
        _ = tree.merge([bookmark("old", "Swift.url"), bookmark("new", "Renamed.url")], into: NodeNumber.root, changes: &changes)
        if isFollowed {
            _ = tree.merge([bookmark("old", "Renamed.url")], gone: [Name("new")!], into: NodeNumber.root, changes: &changes)
        } else {
            _ = tree.merge([bookmark("old", "Renamed.url")], into: NodeNumber.root, changes: &changes)
        }
        #expect(shown(tree) == ["old": "Renamed.url"])
    }
}

/// Numbers of nodes come again, and are never taken for the old ones.
@Suite struct TreeTests {
    private func node(_ name: String, in folder: NodeNumber = NodeNumber.root, _ role: Role = .plain) -> Node {
        Node(parent: folder, generation: 0, stored: Name(name)!, shown: Name(name)!, inode: 1, stamp: .unknown, role: role)
    }

    @Test func aNodeLivesUntilNobodyKnowsIt() {
        var tree = NodeTable(.shipped)
        let id = tree.add(node("a"))
        tree.remember(id)
        tree.remember(id)
        tree.addHandle(id)
        tree.detach(EntryNumber(of: id))
        #expect(tree.contains(id))
        tree.forget(id, count: 2)
        #expect(tree.contains(id))
        tree.removeHandle(id)
        #expect(!tree.contains(id))
        let next = tree.add(node("b"))
        #expect(next == id)
        #expect(tree[next].generation > 1)
        #expect(tree.child(shown: Name("a")!, of: NodeNumber.root) == nil)
    }

    @Test func aForgottenFolderLosesWhatWasReadOfIt() {
        var tree = NodeTable(.shipped)
        tree.mostForgotten = 0
        let folder = tree.add(node("f", .folder))
        tree.remember(folder)
        for index in 0..<100 { _ = tree.add(node("\(index)", in: folder)) }
        let before = tree.count
        tree.forget(folder, count: 1)
        #expect(tree.count == before - 100)
        #expect(tree.contains(folder))
        #expect(tree.child(shown: Name("5")!, of: folder) == nil)
    }

    @Test func pathsLeadFromTheTop() {
        var tree = NodeTable(.shipped)
        let outer = tree.add(node("outer", .folder))
        let inner = tree.add(node("inner", in: outer, .folder))
        let file = tree.add(node("file", in: inner))
        #expect(tree.storedPath(of: file)?.names == [Name("outer")!, Name("inner")!, Name("file")!])
        #expect(tree.shownPath(of: file) == "outer/inner/file")
        #expect(tree.isBelow(file, outer))
        #expect(!tree.isBelow(outer, inner))
    }

    private func node(_ name: String, _ role: Role) -> Node { node(name, in: NodeNumber.root, role) }
}
