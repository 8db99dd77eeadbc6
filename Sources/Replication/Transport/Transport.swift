import Hashes

/// What carries facts and contents from device to device: a folder that others carry, a server. It decides nothing, and has one duty: to lose nothing
/// that was said. A device may have several, and passes on what it heard by one.
///
/// The order of a meeting: `hear`; what was heard is written down, in one transaction with `memory`; contents are fetched and adopted; `say`, of what is
/// durable here by then.
public protocol Transport {
    /// What it remembers between meetings, on the device that it serves: what was read, and what was said. It is part of that device's database.
    associatedtype Memory: Sendable
    var memory: Memory { get set }

    /// Facts that may be new here. The same ones may come any number of times, and in any order.
    mutating func hear() throws -> [Fact]

    /// Those of some contents that can be had now.
    func available(_ wanted: Set<Digest>) throws -> Set<Digest>

    /// Says whatever of these is not said yet, whoever said it first, and gives contents that others lack.
    mutating func say(_ facts: Facts, _ contents: ContentsHere) throws
}

/// What a device can give, and what it asks for: what the parts of versions lie in, by digests of just these bytes. That of a version is
/// another one, because what a device makes for itself of an item counts for nothing and does not travel.
public struct ContentsHere: Hashable, Sendable {
    /// Current or in conflict, and whole here.
    public private(set) var held: Set<Digest>
    /// Current or in conflict, and not here.
    public private(set) var lacking: Set<Digest>

    /// Of versions that are needed, of which some are whole here.
    public init(_ needed: [Version], isHere: (Version) -> Bool) {
        var held: Set<Digest> = [], lacking: Set<Digest> = []
        for version in needed { if isHere(version) { held.formUnion(version.contents) } else { lacking.formUnion(version.contents) } }
        (self.held, self.lacking) = (held, lacking.subtracting(held))
    }

    mutating func set(_ content: Digest, isHeld: Bool, isLacking: Bool) {
        if isHeld { held.insert(content) } else { held.remove(content) }
        if isLacking, !isHeld { lacking.insert(content) } else { lacking.remove(content) }
    }

    public init(needed: Set<Digest>, here: Set<Digest>) { (held, lacking) = (needed.intersection(here), needed.subtracting(here)) }
}
