import KeyValueStore
import PropertyLists
import SeededNumbers
import Testing

/// The store in memory, its limits and its bytes.
@Suite struct KeyValueContentsTests {
    private func filled() throws -> KeyValueContents {
        var contents = KeyValueContents()
        try contents.set("bookmarks", to: .array([.dictionary([.init("name", .string("Swift")), .init("url", .string("http://swift.org"))])]), at: 10)
        try contents.set("é 😀", to: .integer(-5), at: 11)
        try contents.set("on", to: .boolean(true), at: 12)
        try contents.set("when", to: .date(1.5), at: 13)
        try contents.set("data", to: .data([1, 2]), at: 14)
        try contents.set("gone", to: .real(2.5), at: 15)
        contents.remove("gone", at: 16)
        return contents
    }

    @Test func itsBytesSayAllOfIt() throws {
        let contents = try filled()
        #expect(try KeyValueContents(try contents.bytes()) == contents)
        #expect(contents.keys == ["bookmarks", "data", "on", "when", "é 😀"] && contents["gone"] == nil && contents.entries["gone"]?.time == 16)
    }

    /// Whoever writes one by other means has its parts in whatever order, and sets what has no time.
    @Test func theOrderOfItsPartsMeansNothing() throws {
        let contents = try filled()
        guard case .dictionary(let parts) = try PropertyList(reading: Bytes(try contents.bytes())) else { throw PropertyListFault.foreign("") }
        func written(_ change: (String, inout [PropertyList.Member]) -> Void) throws -> KeyValueContents {
            try KeyValueContents(PropertyList.dictionary(parts.map { part in
                guard case .dictionary(var members) = part.value else { return part }
                change(part.key, &members)
                return .init(part.key, .dictionary(members))
            }).binary())
        }
        for turned in ["values", "times", "ids"] { #expect(try written { if $0 == turned { $1.reverse() } } == contents) }
        let more = try written { if $0 == "values" { $1.insert(.init("a new one", .integer(7)), at: 0) } }
        #expect(more["a new one"] == .integer(7) && more.entries["a new one"]?.time == 0 && more.entries.count == contents.entries.count + 1)
        let twice = try written { if $0 == "values" { $1 += [.init("on", .boolean(false))] } }
        #expect(twice["on"] == .boolean(false) && twice.entries["on"]?.time == 12)
        let without = try written { if $0 == "ids" { $1.removeAll { $0.key == "data" } } }
        #expect(without.entries["data"]?.id == 0 && without.entries["on"] == contents.entries["on"])
        #expect(throws: PropertyListFault.self) { try written { if $0 == "ids" { $1.append(.init("z", .data([1]))) } } }
    }

    /// A list of keys and values as apps keep one has no times: whatever is set later wins.
    @Test func aPlainListIsRead() throws {
        let plain = try PropertyList.dictionary([.init("bookmarks", .array([])), .init("n", .integer(1))]).binary()
        var contents = try KeyValueContents(plain)
        #expect(contents.keys == ["bookmarks", "n"] && contents.entries["n"]?.time == 0)
        #expect(contents.join(try filled()) == ["bookmarks", "data", "on", "when", "é 😀"])
    }

    @Test func whatDoesNotFitChangesNothing() throws {
        var contents = try filled()
        let before = contents
        let long = String(repeating: "k", count: 65), wide = String(repeating: "é", count: 33)
        for key in ["", long, wide] { #expect(throws: KeyValueFault.key(key)) { try contents.set(key, to: .integer(1), at: 20) } }
        #expect(throws: KeyValueFault.self) { try contents.set("k", to: .data([UInt8](repeating: 0, count: KeyValueContents.mostBytes)), at: 20) }
        #expect(throws: KeyValueFault.value("k")) { try contents.set("k", to: .uid(1), at: 20) }
        #expect(throws: KeyValueFault.value("k")) { try contents.set("k", to: .array([.null]), at: 20) }
        #expect(contents == before)
        var full = KeyValueContents()
        for number in 0..<KeyValueContents.mostKeys { try full.set("key \(number)", to: .integer(0), at: 1) }
        #expect(throws: KeyValueFault.keys) { try full.set("one more", to: .integer(0), at: 2) }
        try full.set("key 7", to: .integer(1), at: 2)
        full.remove("key 8", at: 2)
        try full.set("one more", to: .integer(0), at: 2)
        #expect(try KeyValueContents(try full.bytes()) == full)
        // Key bytes do not count.
        var exact = KeyValueContents()
        try exact.set("k", to: .data([UInt8](repeating: 0, count: KeyValueContents.mostBytes)), at: 1)
        #expect(exact.size == KeyValueContents.mostBytes)
    }

    private static func data(_ count: Int) -> PropertyList { .data([UInt8](repeating: 0, count: count)) }

    /// What was set in one turn, as it waits.
    private func waiting(_ turn: [(key: String, bytes: Int?)]) -> WaitingEntries {
        var waiting = WaitingEntries()
        for (number, (key, bytes)) in turn.enumerated() {
            waiting.add(.init(value: bytes.map(Self.data), time: 10 + Int64(number), id: 0), under: key)
        }
        return waiting
    }

    /// Where all of a turn fits, it does not matter in which order it is taken: not even where one that grows was set before one that shrinks.
    @Test func aTurnIsTakenTogether() throws {
        var contents = KeyValueContents()
        try contents.set("a", to: Self.data(600_000), at: 1)
        try contents.set("b", to: Self.data(400_000), at: 1)
        #expect(contents.take(waiting([("b", 600_000), ("a", 400_000)])) == [] && contents.size == 1_000_000)
        #expect(contents.take(waiting([("c", 900_000)])) == ["c"])
        var turn = [(key: String, bytes: Int?)](), full = KeyValueContents()
        for number in 0..<KeyValueContents.mostKeys {
            try full.set("old \(number)", to: .integer(0), at: 1)
            turn += [("new \(number)", 8), ("old \(number)", nil)]
        }
        #expect(full.take(waiting(turn)) == [] && full.keys.count == KeyValueContents.mostKeys && full["new 0"] != nil)
    }

    /// Somebody else has taken the room: what makes room is taken, and of what takes it what fits, in the order in which it was set.
    @Test func whatFitsOfATurnIsTakenInItsOrder() throws {
        var contents = KeyValueContents()
        try contents.set("theirs", to: Self.data(500_000), at: 20)
        try contents.set("mine", to: Self.data(200_000), at: 1)
        let refused = contents.take(waiting([("1", 400_000), ("2", 400_000), ("theirs", nil), ("mine", 100_000), ("3", 1_000)]))
        #expect(refused == ["2"] && contents.keys == ["1", "3", "mine", "theirs"] && contents.size == 1_001_000)
    }

    /// What was set again while the first was written waits still.
    @Test func whatWasSetAgainWaits() {
        var waiting = WaitingEntries()
        for key in ["a", "b"] { waiting.add(.init(value: .real(.nan), time: 1, id: 0), under: key) }
        let written = waiting
        waiting.add(.init(value: .real(.nan), time: 1, id: 0), under: "a")
        waiting.remove(written)
        #expect(waiting["a"] != nil && waiting["b"] == nil)
    }

    /// What values count for is counted along.
    @Test func whatIsCountedAlongIsWhatThereIs() throws {
        var random = SeededNumbers(seed: 3), contents = KeyValueContents()
        for time in 1...500 {
            let key = "k\(Int.random(in: 0..<20, using: &random))"
            if Bool.random(using: &random) { try contents.set(key, to: Self.data(.random(in: 0...100, using: &random)), at: Int64(time)) } else { contents.remove(key, at: Int64(time)) }
        }
        #expect(contents.size == contents.entries.values.reduce(0) { $0 + ($1.value.map(KeyValueContents.size) ?? 0) })
        #expect(try KeyValueContents(contents.bytes()) == contents)
    }

    /// Joined in whatever order, and however often, the same comes out.
    @Test func joiningNeedsNoOrder() throws {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<60 {
            var sides = [KeyValueContents(), KeyValueContents(), KeyValueContents()]
            for _ in 0..<12 {
                let side = Int.random(in: 0..<3, using: &random), key = "k\(Int.random(in: 0..<4, using: &random))", time = Int64.random(in: 1..<6, using: &random)
                let id = UInt128.random(in: .min ... .max, using: &random)
                if Bool.random(using: &random) { try sides[side].set(key, to: .integer(Int128(time)), at: time, id: id) } else { sides[side].remove(key, at: time, id: id) }
            }
            var one = sides[0], other = sides[2]
            for side in [sides[1], sides[2], sides[1]] { one.join(side) }
            for side in [sides[0], sides[1]] { other.join(side) }
            #expect(one == other)
        }
    }

    /// A clock that goes back does not make a later value the earlier one.
    @Test func aKeysTimeOnlyGrows() throws {
        var contents = KeyValueContents()
        try contents.set("k", to: .integer(1), at: 100)
        try contents.set("k", to: .integer(2), at: 5)
        #expect(contents.entries["k"]?.time == 101)
        contents.remove("k", at: 5)
        #expect(contents.entries["k"]?.time == 102)
    }

    @Test func brokenBytesAreAnError() throws {
        var random = SeededNumbers(seed: 9)
        let bytes = try filled().bytes()
        for _ in 0..<1_000 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) { broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0 { broken.removeLast(Int.random(in: 1..<broken.count, using: &random)) }
            if var contents = try? KeyValueContents(broken) {
                // Times at the ends of their range end nothing.
                try? contents.set("on", to: .integer(1), at: .max)
                contents.remove("on", at: .max)
                _ = (contents.size, contents.latest)
            }
        }
        #expect(throws: PropertyListFault.self) { _ = try KeyValueContents(Array(bytes.prefix(bytes.count / 2))) }
    }
}
