/// Facts by what they are about, in the order in which that was spoken of first. As a dictionary, but for its room: a dictionary that has grown keeps
/// room for as many facts again, and has each key twice.
public struct FactTable<Key: FactKey>: Sequence, Sendable {
    private var blocks: [[Fact]] = []
    public private(set) var count = 0
    /// One more than the number of a fact, or 0; twice as many as facts at least.
    private var slots: [UInt32] = []

    private static var blockBits: Int { 9 }

    public init() {}

    public var isEmpty: Bool { count == 0 }
    public var values: FactTable { self }
    public var keys: [Key] { compactMap { Key(of: $0) } }
    public func makeIterator() -> FlattenSequence<[[Fact]]>.Iterator { blocks.joined().makeIterator() }
    public var underestimatedCount: Int { count }

    public subscript(key: Key) -> Fact? {
        guard case .fact(let number) = find(key) else { return nil }
        return blocks[number >> Self.blockBits][number & (1 << Self.blockBits - 1)]
    }

    /// In the place of what is there about the same.
    mutating func set(_ fact: Fact, at key: Key) {
        if slots.count < 2 * (count + 1) { grow() }
        switch find(key) {
        case .fact(let number): blocks[number >> Self.blockBits][number & (1 << Self.blockBits - 1)] = fact
        case .free(let slot):
            if count & (1 << Self.blockBits - 1) == 0 {
                blocks.append([])
                // The first one stays as small as what is in it.
                if count > 0 { blocks[blocks.count - 1].reserveCapacity(1 << Self.blockBits) }
            }
            blocks[blocks.count - 1].append(fact)
            count += 1
            slots[slot] = UInt32(truncatingIfNeeded: count)
        }
    }

    private enum Slot { case fact(Int), free(Int) }

    private func find(_ key: Key) -> Slot {
        guard !slots.isEmpty else { return .free(0) }
        var slot = Self.slot(of: key, among: slots.count)
        while true {
            guard slots[slot] != 0 else { return .free(slot) }
            let number = Int(slots[slot]) - 1
            if Key(of: blocks[number >> Self.blockBits][number & (1 << Self.blockBits - 1)]) == key { return .fact(number) }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: Swift.max(8, slots.count * 2))
        var number: UInt32 = 0
        for fact in self {
            number += 1
            guard let key = Key(of: fact) else { continue }
            var slot = Self.slot(of: key, among: slots.count)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = number
        }
    }

    /// Of as many as are a power of two. Whoever draws marks that meet in one slot would have to know the secret.
    private static func slot(of key: Key, among count: Int) -> Int {
        let product = (key.mark.high ^ secret.0).multipliedFullWidth(by: key.mark.low ^ secret.1)
        return Int(truncatingIfNeeded: product.high ^ product.low) & (count - 1)
    }
}

/// Drawn anew in each process.
private let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

extension FactTable: Equatable {
    public static func == (left: FactTable, right: FactTable) -> Bool {
        left.count == right.count && left.allSatisfy { fact in Key(of: fact).flatMap { right[$0] } == fact }
    }
}

/// What a fact is about, or what it is called.
public protocol FactKey: Equatable, Sendable {
    var mark: Mark { get }
    /// Nil: the fact says something else.
    init?(of fact: Fact)
}

extension FactID: FactKey {
    public init?(of fact: Fact) { self = fact.id }
}

extension ItemID: FactKey {
    /// Of its place.
    public init?(of fact: Fact) {
        guard case .place(let place) = fact.statement else { return nil }
        self = place.item
    }
}
