import Hashes

/// All that a device has heard, joined: a union of versions and of what is the same, and of each register what was said last. In whatever
/// order and however often facts come, the same ones make the same of it.
public struct Facts: Equatable, Sendable {
    public private(set) var versions = FactTable<FactID>()
    /// What is named as a parent by a version that is here, whether or not it is here itself. For ever.
    public private(set) var replaced: Set<FactID> = []
    public private(set) var places = FactTable<ItemID>()
    public private(set) var sames: [Fact.Statement: Fact] = [:]
    public private(set) var keys: [[UInt8]: Fact] = [:]
    /// By what names of their documents end with.
    public private(set) var kinds: [[UInt8]: Fact] = [:]
    public private(set) var names: [DeviceID: Fact] = [:]
    public private(set) var news = FactNews()

    public init() {}

    public init(_ facts: some Sequence<Fact>) {
        for fact in facts { add(fact) }
    }

    /// Where they are the same by whatever way they came.
    public static func == (left: Facts, right: Facts) -> Bool {
        left.versions == right.versions && left.replaced == right.replaced && left.places == right.places && left.sames == right.sames
            && left.keys == right.keys && left.kinds == right.kinds && left.names == right.names
    }

    public var count: Int { versions.count + places.count + sames.count + keys.count + kinds.count + names.count }

    /// What a fact was to those that were here.
    public enum News: Sendable {
        case none, new
        /// It took the place of another one of the same id, which nobody says who is honest: what followed from that one is to be forgotten.
        case instead
    }

    @discardableResult
    public mutating func add(_ fact: Fact) -> News {
        let found = join(fact)
        switch found {
        case .none: break
        case .new: news.add(fact.subject)
        // What was is not what anybody was told of.
        case .instead: news = FactNews()
        }
        return found
    }

    private mutating func join(_ fact: Fact) -> News {
        switch fact.statement {
        case .version: return addVersion(fact)
        case .place(let place):
            guard Self.isHigher(fact, than: places[place.item]) else { return .none }
            places.set(fact, at: place.item)
            return .new
        case .key(let key): return Self.keepHighest(fact, at: key.key, in: &keys)
        case .kind(let kind): return Self.keepHighest(fact, at: kind.ending, in: &kinds)
        case .name: return Self.keepHighest(fact, at: fact.device, in: &names)
        case .same:
            // It is no register: that it was said is all. Of several that say so, everybody keeps the same one.
            let known = sames[fact.statement]
            if let known, (known.order, known.device) <= (fact.order, fact.device) { return .none }
            sames[fact.statement] = fact
            guard known != nil else { return .new }
            news.add(fact.subject)
            return .none
        }
    }

    public mutating func add(_ facts: some Sequence<Fact>) {
        for fact in facts { add(fact) }
    }

    private mutating func addVersion(_ fact: Fact) -> News {
        let fact = replaced.contains(fact.id) ? fact.withoutBody : fact
        guard let known = versions[fact.id] else {
            versions.set(fact, at: fact.id)
            replaceParents(of: fact)
            return .new
        }
        guard known.withoutBody != fact.withoutBody else {
            // One side may have let go of what it was made of.
            guard fact.hasBody, !known.hasBody || Self.greater(known, fact) == fact, known != fact else { return .none }
            versions.set(fact, at: fact.id)
            return .new
        }
        // An id is drawn at random. Whoever says two that differ is lying or broken: then everybody takes the same one of the two.
        guard Self.greater(known, fact) == fact else { return .none }
        versions.set(fact, at: fact.id)
        replaced = []
        for version in Array(versions.values) { replaceParents(of: version) }
        return .instead
    }

    private mutating func replaceParents(of fact: Fact) {
        guard case .version(let version) = fact.statement else { return }
        for parent in version.parents where replaced.insert(parent).inserted {
            if let known = versions[parent], known.hasBody { versions.set(known.withoutBody, at: parent) }
        }
    }

    private static func greater(_ one: Fact, _ other: Fact) -> Fact {
        (one.bytes ?? []).lexicographicallyPrecedes(other.bytes ?? []) ? other : one
    }

    private static func keepHighest<Name: Hashable>(_ fact: Fact, at name: Name, in registers: inout [Name: Fact]) -> News {
        guard isHigher(fact, than: registers[name]) else { return .none }
        registers[name] = fact
        return .new
    }

    private static func isHigher(_ fact: Fact, than known: Fact?) -> Bool {
        guard let known else { return true }
        return known.order < fact.order || known.order == fact.order && known != fact && greater(known, fact) == fact
    }

    /// Whether it would say nothing new: it is here, or what its register says later is.
    public func knows(_ fact: Fact) -> Bool {
        func isAtLeast(_ known: Fact?) -> Bool { known.map { $0.order >= fact.order } ?? false }
        return switch fact.statement {
        case .version: versions[fact.id] != nil
        case .place(let place): isAtLeast(places[place.item])
        case .key(let key): isAtLeast(keys[key.key])
        case .kind(let kind): isAtLeast(kinds[kind.ending])
        case .name: isAtLeast(names[fact.device])
        case .same: sames[fact.statement] != nil
        }
    }

    /// A fact, and where what it is about lies and came from, up to the top, and the kind of it. Said together, because who hears an edit and never what was said before it would
    /// have words that are in no folder.
    public func withPlaces(_ fact: Fact) -> [Fact] {
        var found = [fact], seen: Set<ItemID> = [], waiting: [ItemID] = []
        func climb(from place: Location) { waiting += [place.folder, place.former].compactMap(\.self) }
        if let version = fact.version { waiting.append(version.item) }
        if let place = fact.place { climb(from: place) }
        while let item = waiting.popLast() {
            guard seen.insert(item).inserted, let fact = places[item], let place = fact.place else { continue }
            found.append(fact)
            climb(from: place)
        }
        // Or what came would be a folder of files there.
        let places = found.compactMap(\.place).filter { $0.kind == .document }
        let endings = Set(places.compactMap { AddedKind.ending(of: $0.name.shown) })
        return found + endings.compactMap { kinds[$0] }.filter { $0.id != fact.id }.sorted { $0.id < $1.id }
    }

    /// Each fact that is known, in no order.
    public var all: [Fact] { Array(versions.values) + Array(places.values) + others }

    private var others: [Fact] { Array(sames.values) + Array(keys.values) + Array(kinds.values) + Array(names.values) }

    /// Those of these ids that are known, in no order. Of places what is known is by their items: all are looked at.
    public func known(of ids: Set<FactID>) -> [Fact] {
        var known = ids.compactMap { versions[$0] }
        if known.count == ids.count { return known }
        for place in places where ids.contains(place.id) { known.append(place) }
        return known + others.filter { ids.contains($0.id) }
    }
}

extension Fact {
    var hasBody: Bool {
        if case .version(let version) = statement { version.body != nil } else { false }
    }

    /// What is left of a version once it is replaced.
    var withoutBody: Fact {
        guard case .version(var version) = statement, version.body != nil else { return self }
        version.body = nil
        return Fact(id: id, rank: rank, device: device, .version(version))
    }
}
