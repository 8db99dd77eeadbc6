import LinuxFiles

/// Which claims are held and which wait, as a tree of the places that they are about. Pure: it is told of what comes
/// and goes, and says whose turn it is.
///
/// A claim holds its item, and passes through the folders above it. Each place has one queue, first come, first served,
/// so nobody starves; and every claim takes its places in the order of the tree, a folder before what is in it and
/// names in their order, so that no two claims ever wait for each other.
package struct ClaimTable {
    /// How many places there are now: what a stranger can make this process remember.
    private(set) var places = 1
    private let root = ClaimPlace(name: nil, above: nil)
    private var arrivals: UInt64 = 0
    private(set) var waiting: [ObjectIdentifier: Claim] = [:]

    package init() {}

    /// The claim begins. True when it is granted at once.
    package mutating func enter(_ claim: Claim) -> Bool {
        arrivals += 1
        claim.arrival = arrivals
        return start(claim)
    }

    private mutating func start(_ claim: Claim) -> Bool {
        claim.steps = Self.steps(for: claim.items)
        if advance(claim) { return true }
        waiting[ObjectIdentifier(claim)] = claim
        return false
    }

    /// The claim ends, whether it was granted or waits still. Answers those that are granted now.
    package mutating func leave(_ claim: Claim) -> [Claim] {
        var granted: [Claim] = []
        withdraw(claim, &granted)
        return granted
    }

    /// An item has moved: those who wait for it wait at its new place. Answers those that are granted now.
    package mutating func move(from old: ItemPath, to new: ItemPath) -> [Claim] {
        var granted: [Claim] = []
        let concerned = waiting.values.filter { $0.items.contains { $0.path.isInside(old) } }.sorted { $0.arrival < $1.arrival }
        for claim in concerned {
            withdraw(claim, &granted)
            for index in claim.items.indices {
                guard let path = claim.items[index].path.moved(from: old, to: new) else { continue }
                claim.items[index].path = path
                claim.hasMoved = true
            }
        }
        // One that was granted while others left is where the item was: it has moved on all the same, and begins anew.
        let isConcerned = Set(concerned.map(ObjectIdentifier.init))
        granted.removeAll { isConcerned.contains(ObjectIdentifier($0)) }
        for claim in concerned where start(claim) { granted.append(claim) }
        return granted
    }

    // MARK: Steps

    /// The places of a claim, in the one order, with all that it does there.
    private static func steps(for items: [ClaimedItem]) -> [Claim.Step] {
        var steps: [Claim.Step] = []
        for item in items {
            let mode = item.purpose.mode
            for depth in 0...item.path.names.count {
                let isItem = depth == item.path.names.count
                steps.append(Claim.Step(names: item.path.names[..<depth], modes: isItem ? mode : mode.passing))
            }
        }
        guard items.count > 1 else { return steps }
        steps.sort { $0.names.lexicographicallyPrecedes($1.names) }
        var merged: [Claim.Step] = []
        for step in steps {
            if let last = merged.last, last.names == step.names { merged[merged.count - 1].modes.formUnion(step.modes) } else { merged.append(step) }
        }
        return merged
    }

    /// Takes places until one has to be waited for. True when all are taken.
    private mutating func advance(_ claim: Claim) -> Bool {
        while claim.held.count < claim.steps.count {
            let step = claim.steps[claim.held.count]
            let place = find(step.names)
            guard place.queue.isEmpty, place.admits(step.modes) else {
                place.queue.append(claim)
                claim.waitsAt = place
                return false
            }
            place.take(step.modes)
            claim.held.append(place)
        }
        waiting[ObjectIdentifier(claim)] = nil
        return true
    }

    private mutating func find(_ names: ArraySlice<Name>) -> ClaimPlace {
        var place = root
        for name in names {
            if let next = place.below[name] { place = next } else {
                let next = ClaimPlace(name: name, above: place)
                place.below[name] = next
                places += 1
                place = next
            }
        }
        return place
    }

    private mutating func withdraw(_ claim: Claim, _ granted: inout [Claim]) {
        if let place = claim.waitsAt {
            claim.waitsAt = nil
            place.queue.removeAll { $0 === claim }
            pump(place, &granted)
            prune(place)
        }
        waiting[ObjectIdentifier(claim)] = nil
        for index in claim.held.indices.reversed() {
            let place = claim.held[index]
            place.drop(claim.steps[index].modes)
            pump(place, &granted)
            prune(place)
        }
        claim.held = []
    }

    /// Lets in whoever is next at a place.
    private mutating func pump(_ place: ClaimPlace, _ granted: inout [Claim]) {
        while let next = place.queue.first {
            let modes = next.steps[next.held.count].modes
            guard place.admits(modes) else { return }
            place.queue.removeFirst()
            place.take(modes)
            next.held.append(place)
            next.waitsAt = nil
            if advance(next) { granted.append(next) }
        }
    }

    private mutating func prune(_ place: ClaimPlace) {
        guard place.isIdle, let name = place.name, let above = place.above else { return }
        above.below[name] = nil
        places -= 1
    }
}

/// One claim, from when it is asked for until it is given up.
package final class Claim {
    struct Step {
        let names: ArraySlice<Name>
        var modes: ClaimModes
    }

    package fileprivate(set) var items: [ClaimedItem]
    /// It was asked for under another place than it is granted at.
    package fileprivate(set) var hasMoved = false
    fileprivate var arrival: UInt64 = 0
    fileprivate var steps: [Step] = []
    /// The places of the first so many steps, which it has.
    fileprivate var held: [ClaimPlace] = []
    fileprivate var waitsAt: ClaimPlace?
    /// Who asked: the connection's number, and the claim's number in it.
    package let client: Int, id: UInt32
    let throughDrive: Bool
    /// Its client knows that it has it.
    var isGranted = false
    /// The presenter has nothing to save for it, or has done so.
    var isPrepared = true
    /// Who makes it, where that is somebody who presents an item.
    let presenter: UInt64?
    /// The items that were moved in it: from where, and to where.
    var moves: [(old: ItemPath, new: ItemPath)] = []
    /// Those that were moved out of the container, and whose presenters know where they are.
    var left: [ItemPath] = []
    /// The questions that were asked for it.
    var asked: [(PresenterTable.Key, UInt32)] = []

    package init(_ items: [ClaimedItem], client: Int, _ id: UInt32, throughDrive: Bool = false, presenter: UInt64? = nil) {
        self.items = items
        self.client = client
        self.id = id
        self.throughDrive = throughDrive
        self.presenter = presenter
    }

    struct Key: Hashable, Sendable {
        let client: Int, claim: UInt32
    }

    var key: Key { Key(client: client, claim: id) }
}

/// A place of the tree that somebody holds, passes through or waits at.
private final class ClaimPlace {
    let name: Name?
    unowned let above: ClaimPlace?
    var below: [Name: ClaimPlace] = [:]
    var queue: [Claim] = []
    private var counts: (Int32, Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0, 0)
    private var taken: ClaimModes = []

    init(name: Name?, above: ClaimPlace?) {
        self.name = name
        self.above = above
    }

    func admits(_ modes: ClaimModes) -> Bool { taken.isDisjoint(with: modes.excluded) }

    func take(_ modes: ClaimModes) { change(modes, by: 1) }
    func drop(_ modes: ClaimModes) { change(modes, by: -1) }

    private func change(_ modes: ClaimModes, by step: Int32) {
        if modes.contains(.passRead) { counts.0 += step }
        if modes.contains(.passWrite) { counts.1 += step }
        if modes.contains(.read) { counts.2 += step }
        if modes.contains(.write) { counts.3 += step }
        if modes.contains(.deepRead) { counts.4 += step }
        if modes.contains(.deepWrite) { counts.5 += step }
        var taken: ClaimModes = []
        if counts.0 > 0 { taken.insert(.passRead) }
        if counts.1 > 0 { taken.insert(.passWrite) }
        if counts.2 > 0 { taken.insert(.read) }
        if counts.3 > 0 { taken.insert(.write) }
        if counts.4 > 0 { taken.insert(.deepRead) }
        if counts.5 > 0 { taken.insert(.deepWrite) }
        self.taken = taken
    }

    var isIdle: Bool { taken.isEmpty && queue.isEmpty && below.isEmpty }
}
