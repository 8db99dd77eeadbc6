/// A key of a device's key-value store. The store joins entries as facts are joined: the highest (time, id) counts.
public struct LocalKey: Hashable, Sendable {
    /// Nil: it was removed.
    public let value: [UInt8]?
    public let time: Int64
    public let id: Mark

    public init(_ value: [UInt8]?, time: Int64, id: Mark) { (self.value, self.time, self.id) = (value, time, id) }

    fileprivate var order: Fact.Order { Fact.Order(rank: time, id: FactID(id)) }
}

/// What a device's key-value store and the facts have to say to each other. A fact about a key has the id and the time of
/// its entry, so whoever says it says the same, after a crash as well.
public struct KeyExchange {
    /// Entries that nobody has heard of.
    public private(set) var said: [Fact] = []
    /// Entries that are to come here. A store may hold more than anybody may set there, then.
    public private(set) var coming: [[UInt8]: LocalKey] = [:]

    public init(_ facts: Facts, _ here: [[UInt8]: LocalKey]) { self.init(facts, here, .all) }

    package init(_ facts: Facts, _ here: [[UInt8]: LocalKey], _ rules: Rules) {
        for (key, entry) in here where entry.value != nil || rules.contains(.removedKeysAreSaid) {
            if let known = facts.keys[key], entry.order <= known.order { continue }
            said.append(Fact(id: FactID(entry.id), rank: entry.time, device: .none, .key(Key(key, value: entry.value))))
        }
        for (key, fact) in facts.keys {
            guard case .key(let known) = fact.statement else { continue }
            let there = here[key]
            if let there, fact.order <= there.order { continue }
            // A store forgets removals of long ago: one that it has not, and would forget again, is no news to it.
            if there == nil, known.value == nil, rules.contains(.forgottenRemovalsStay) { continue }
            coming[key] = LocalKey(known.value, time: fact.rank, id: fact.id.mark)
        }
        said.sort { $0.id < $1.id }
    }
}
