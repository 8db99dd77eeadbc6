import LinuxFiles
import Testing

@testable import Drive

/// A node's two names, packed.
@Suite struct NodeNamesTests {
    @Test func bothNamesAreKeptAsTheyAre() throws {
        func name(_ text: String, _ count: Int) throws -> Name { try #require(Name(String(repeating: text, count: count))) }
        var pairs: [(Name, Name)] = []
        for (stored, shown) in [("a.ptk", "a.jpg"), ("a", "a"), ("a", "b"), ("abc", "ab"), ("ab", "abc"), ("1234567890.stedoc", "1234567890.txt"), ("ü.ptk", "ý.jpg")] {
            pairs.append((try name(stored, 1), try name(shown, 1)))
        }
        for count in 1...Name.longest {
            pairs += [
                (try name("x", count), try name("x", count)), (try name("x", count), try name("y", count)), (try name("x", count), try name("x", 1)),
                (try name("x", 1), try name("x", count)), (try name("x", 1), try name("y", count)),
            ]
        }
        for (stored, shown) in pairs {
            let names = NodeNames(stored: stored, shown: shown)
            #expect(names.stored == stored)
            #expect(names.shown == shown)
            #expect(names.storedHash == nameHash(stored.bytes))
            #expect(names.shownHash == nameHash(shown.bytes))
            #expect(names.isStored(stored) && names.isShown(shown))
            #expect(names.isStored(shown) == (stored == shown) && names.isShown(stored) == (stored == shown))
        }
    }

    /// There are very many.
    @Test func aNodeIsSmall() { #expect(MemoryLayout<Node>.stride <= 72) }
}
