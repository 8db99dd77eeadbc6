import LinuxFiles
import SeededNumbers
import Testing

@testable import Coordination

/// Whose turn it is: the rules, without processes.
@Suite struct ClaimTableTests {
    private func path(_ text: String) throws -> ItemPath { try #require(ItemPath(text: text)) }

    private func claim(_ items: (String, ClaimPurpose)...) throws -> Claim {
        Claim(try items.map { ClaimedItem(try path($0.0), $0.1) }, client: 0, 0)
    }

    /// The table, in the few words that the tests need.
    private final class Table {
        var table = ClaimTable()
        func enter(_ claims: Claim...) -> [Bool] { claims.map { table.enter($0) } }
        func leave(_ claim: Claim) -> [ObjectIdentifier] { table.leave(claim).map(ObjectIdentifier.init) }
        func move(from old: ItemPath, to new: ItemPath) -> [ObjectIdentifier] { table.move(from: old, to: new).map(ObjectIdentifier.init) }
    }

    /// Whether the second is granted beside the first.
    @Test(arguments: [
        ("a", .reading, "a", .reading, true), ("a", .reading, "a", .writing, false), ("a", .writing, "a", .reading, false),
        ("a", .writing, "a", .writing, false), ("a", .writing, "b", .writing, true), ("a", .readingUnsaved, "a", .merging, false),
        // A folder's own item is not what is in it …
        ("f", .writing, "f/a", .writing, true), ("f", .reading, "f/a", .writing, true), ("f/a", .writing, "f", .reading, true),
        // … unless all that is in it is concerned.
        ("f", .moving, "f/a", .reading, false), ("f/a", .reading, "f", .deleting, false), ("f/a/b", .writing, "f", .replacing, false),
        ("f", .readingAll, "f/a", .reading, true), ("f", .readingAll, "f/a", .writing, false), ("f/a", .writing, "f", .readingAll, false),
        ("f", .readingAll, "f", .reading, true), ("f", .readingAll, "f/g", .readingAll, true), ("f", .readingAll, "f", .writing, false),
        ("f", .moving, "g/a", .writing, true), ("", .readingAll, "f/a", .writing, false), ("f", .deleting, "fa", .writing, true),
        // A package is one item, whatever is touched inside it.
        ("Cat.ptk/photo.data", .writing, "Cat.ptk/photo.metadata", .writing, false), ("Cat.ptk", .reading, "Cat.ptk/photo.data", .writing, false),
        ("f/Cat.ptk/x/y", .writing, "f/Cat.ptk", .reading, false),
    ] as [(String, ClaimPurpose, String, ClaimPurpose, Bool)])
    func rule(first: String, firstPurpose: ClaimPurpose, second: String, secondPurpose: ClaimPurpose, together: Bool) throws {
        let table = Table()
        let one = try claim((first, firstPurpose)), other = try claim((second, secondPurpose))
        #expect(table.enter(one, other) == [true, together])
        #expect(one.items[0].excludes(other.items[0]) == !together)
        #expect(table.leave(one) == (together ? [] : [ObjectIdentifier(other)]))
        #expect(table.leave(other).isEmpty && table.table.places == 1 && table.table.waiting.isEmpty)
    }

    @Test func claimsComeInTheirOrder() throws {
        let table = Table()
        let reader = try claim(("a", .reading)), writer = try claim(("a", .writing)), late = try claim(("a", .reading)), later = try claim(("a", .reading))
        #expect(table.enter(reader, writer, late, later) == [true, false, false, false])
        // Readers do not overtake a writer that waits.
        #expect(table.leave(reader) == [ObjectIdentifier(writer)])
        #expect(table.leave(writer) == [ObjectIdentifier(late), ObjectIdentifier(later)])
    }

    @Test func whoGivesUpLetsOthersIn() throws {
        let table = Table()
        let reader = try claim(("a", .reading)), writer = try claim(("a", .writing)), late = try claim(("a", .reading))
        #expect(table.enter(reader, writer, late) == [true, false, false])
        #expect(table.leave(writer) == [ObjectIdentifier(late)])
    }

    @Test func twoItemsAreTakenInOneOrder() throws {
        let table = Table()
        let first = try claim(("b", .writing), ("a", .writing)), second = try claim(("a", .writing), ("b", .writing))
        #expect(table.enter(first, second) == [true, false])
        #expect(table.leave(first) == [ObjectIdentifier(second)])
        #expect(table.leave(second).isEmpty)
        // A folder and what is in it, by one claim.
        #expect(table.enter(try claim(("f", .moving), ("f/a", .writing)), try claim(("f/b", .reading))) == [true, false])
    }

    @Test func whoWaitsFollowsTheItem() throws {
        let table = Table()
        let mover = try claim(("f", .moving)), waiter = try claim(("f/a", .writing)), behind = try claim(("f/a", .reading)), other = try claim(("g", .writing))
        #expect(table.enter(mover, waiter, behind, other) == [true, false, false, true])
        let new = try path("h/f/a")
        #expect(table.move(from: try path("f"), to: try path("h/f")) == [ObjectIdentifier(waiter)])
        #expect(waiter.hasMoved && waiter.items[0].path == new)
        #expect(table.leave(waiter) == [ObjectIdentifier(behind)])
        #expect(behind.items[0].path == new)
    }

    /// Claims come, go, give up and move at random. What is granted never excludes each other, and everybody's turn comes.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func atRandom(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed), table = ClaimTable(), granted: [Claim] = [], waiting: [Claim] = [], ended = 0
        let paths = try ["", "a", "b", "f", "f/a", "f/b", "f/g", "f/g/a", "h", "h/Cat.ptk/photo.data"].map(path)
        func noteGranted(_ claims: [Claim]) {
            for claim in claims {
                for other in granted {
                    let isAlone = !claim.items.contains { item in other.items.contains { $0.excludes(item) } }
                    #expect(isAlone, "seed \(seed)")
                }
                granted.append(claim)
                waiting.removeAll { $0 === claim }
            }
        }
        for step in 0..<20_000 {
            switch random.next() % 8 {
            case 0..<4 where granted.count + waiting.count < 40:
                let items = (0...random.next() % 2).map { _ in
                    ClaimedItem(paths[Int(random.next() % UInt64(paths.count))], ClaimPurpose.allCases[Int(random.next() % 8)])
                }
                let claim = Claim(items, client: step, 0)
                waiting.append(claim)
                if table.enter(claim) { noteGranted([claim]) }
            case 4 where !waiting.isEmpty:
                noteGranted(table.leave(waiting.remove(at: Int(random.next() % UInt64(waiting.count)))))
            case 5 where step % 50 == 0:
                noteGranted(table.move(from: paths[Int(random.next() % UInt64(paths.count - 1)) + 1], to: paths[1]))
            default:
                guard !granted.isEmpty else { continue }
                ended += 1
                noteGranted(table.leave(granted.remove(at: Int(random.next() % UInt64(granted.count)))))
            }
            #expect(table.waiting.count == waiting.count, "seed \(seed), step \(step)")
            // Where somebody waits, somebody works: nobody waits for each other.
            #expect(waiting.isEmpty || !granted.isEmpty, "seed \(seed), step \(step)")
        }
        while !granted.isEmpty { noteGranted(table.leave(granted.removeFirst())) }
        #expect(waiting.isEmpty && table.places == 1 && ended > 1000, "seed \(seed)")
    }
}

/// Messages are read as they were written, and nothing else is.
@Suite struct CoordinationMessageTests {
    @Test func requestsAndAnswersComeBack() throws {
        let path = try #require(ItemPath(text: "Folder/Cat.ptk")), other = try #require(ItemPath(text: ""))
        for request: CoordinationRequest in [
            .hello(version: 1), .claim(7, [ClaimedItem(path, .reading), ClaimedItem(other, .moving)], throughDrive: true), .release(.max), .moved(1, from: path, to: other),
        ] { #expect(CoordinationRequest(request.bytes.dropFirst(4)) == request) }
        for answer: CoordinationAnswer in [.hello(version: 1), .granted(3, [path]), .granted(3, []), .refused(4, .timedOut, "why")] {
            #expect(CoordinationAnswer(answer.bytes.dropFirst(4)) == answer)
        }
    }

    @Test func nonsenseIsNone() throws {
        let good = CoordinationRequest.claim(7, [ClaimedItem(try #require(ItemPath(text: "a/b")), .writing)], throughDrive: false).bytes.dropFirst(4)
        for count in 0..<good.count { #expect(CoordinationRequest(good.prefix(count)) == nil) }
        #expect(CoordinationRequest(good + [0]) == nil)
        for text in ["a//b", "/a", "../a", "a/..", "a\0b", String(repeating: "a/", count: 300) + "a"] { #expect(ItemPath(bytes: Array(text.utf8)[...]) == nil, "\(text)") }
        var random = SeededNumbers(seed: 7), buffer = MessageBuffer()
        for _ in 0..<20_000 {
            var bytes = Array(good)
            for _ in 0...random.next() % 4 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next()) }
            _ = CoordinationRequest(bytes[...])
            _ = CoordinationAnswer(bytes[...])
        }
        buffer.add([255, 255, 255, 255, 1])
        guard case .nonsense = buffer.next() else { return #expect(Bool(false), "a message of 4 GB is awaited") }
    }
}
