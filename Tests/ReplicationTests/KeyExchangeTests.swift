import Replication
import Testing

/// The keys of a key-value store and the facts about them.
@Suite struct KeyExchangeTests {
    static let key = Array("key".utf8), one: [UInt8] = [1], two: [UInt8] = [2]
    static func mark(_ number: UInt64) -> Mark { Mark(high: 4, low: number) }
    static func fact(_ value: [UInt8]?, _ time: Int64, _ number: UInt64) -> Fact {
        Fact(id: FactID(mark(number)), rank: time, device: .none, .key(Key(key, value: value)))
    }

    @Test func whatIsLaterGoesOrComes() {
        let here = [Self.key: LocalKey(Self.one, time: 5, id: Self.mark(1))]
        #expect(KeyExchange(Facts(), here).said == [Self.fact(Self.one, 5, 1)])
        #expect(KeyExchange(Facts([Self.fact(Self.two, 4, 2)]), here).said == [Self.fact(Self.one, 5, 1)])
        let later = KeyExchange(Facts([Self.fact(Self.two, 5, 2)]), here)
        #expect(later.said.isEmpty && later.coming == [Self.key: LocalKey(Self.two, time: 5, id: Self.mark(2))])
        let same = KeyExchange(Facts([Self.fact(Self.one, 5, 1)]), here)
        #expect(same.said.isEmpty && same.coming.isEmpty)
    }

    @Test func removalsAreSaidAndComeOnce() {
        let removed = [Self.key: LocalKey(nil, time: 6, id: Self.mark(3))], known = Facts([Self.fact(Self.one, 5, 1)])
        #expect(KeyExchange(known, removed).said == [Self.fact(nil, 6, 3)])
        let all = Facts([Self.fact(Self.one, 5, 1), Self.fact(nil, 6, 3)])
        let here = [Self.key: LocalKey(Self.one, time: 5, id: Self.mark(1))]
        #expect(KeyExchange(all, here).coming == removed)
        // A store that has forgotten it has nothing to remove.
        #expect(KeyExchange(all, [:]).coming.isEmpty && KeyExchange(all, [:]).said.isEmpty)
    }
}
