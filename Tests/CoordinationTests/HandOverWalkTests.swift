import MountTesting
import Testing

@testable import Coordination

/// Every order of events, losses and deaths while the container's lock goes from one to the next, without sockets.
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct HandOverWalkTests {
    /// All worlds that can come, and which of them follow which without a fault.
    struct Walk {
        var steps = HandOverSteps()
        private(set) var worlds: [HandOverWorld] = []
        private var numbers: [HandOverWorld: Int32] = [:]
        /// From where one comes to each, and by which steps there was no fault.
        private var before: [[Int32]] = []
        private var parents: [Int32] = []
        /// A world in which two have the item, and how one comes there.
        private(set) var broken: [HandOverWorld] = []

        init(from first: HandOverWorld) {
            _ = number(of: first, after: 0)
            var index = 0
            while index < worlds.count, broken.isEmpty {
                steps.look(from: worlds[index])
                for (world, isFault) in steps.next {
                    let next = number(of: world, after: Int32(index))
                    if !isFault { before[Int(next)].append(Int32(index)) }
                }
                index += 1
            }
        }

        private mutating func number(of world: HandOverWorld, after parent: Int32) -> Int32 {
            if let known = numbers[world] { return known }
            let number = Int32(worlds.count)
            numbers[world] = number
            worlds.append(world)
            before.append([])
            parents.append(parent)
            if world.holders > 1, broken.isEmpty { broken = way(to: number) }
            return number
        }

        private func way(to number: Int32) -> [HandOverWorld] {
            var way = [number]
            while let first = way.first, first != 0 { way.insert(parents[Int(first)], at: 0) }
            return way.map { worlds[Int($0)] }
        }

        /// Those from which no end is reached, though nothing goes wrong any more.
        var stuck: [[HandOverWorld]] {
            var ends = worlds.map(\.isAtEnd), open = worlds.indices.filter { ends[$0] }
            while let index = open.popLast() {
                for earlier in before[index].map(Int.init) where !ends[earlier] {
                    ends[earlier] = true
                    open.append(earlier)
                }
            }
            return worlds.indices.filter { !ends[$0] }.map { way(to: Int32($0)) }
        }
    }

    /// Whoever serves first has the claim itself, or another program does; another one wants the item, and a drive comes and goes.
    static let worlds = [
        HandOverWorld(processes: 3, claims: [(0, false), (1, false)], faults: 1, programsStop: false),
        HandOverWorld(processes: 3, claims: [(0, false), (1, true)], faults: 0, programsStop: true),
    ]

    /// A table has an entry for each state and event, because it is a `switch`; here, that each state is come to by its table, and each event of it.
    @Test func allOfTheTablesIsComeTo() {
        #expect(entries(from: Serving.lookingBack) == Serving.allCases.flatMap { state in Serving.Event.allCases.filter { state.after($0) != nil } }.count)
        #expect(entries(from: Holding.asking) == Holding.allCases.flatMap { state in Holding.Event.allCases.filter { state.after($0) != nil } }.count)
        #expect(entries(from: Wanting.idle) == Wanting.allCases.flatMap { state in Wanting.Event.allCases.filter { state.after($0) != nil } }.count)
    }

    private func entries<Role: HandOverRole>(from first: Role) -> Int {
        var states: Set<Role> = [first], open = [first], events: Set<Role.Event> = [], count = 0
        while let state = open.popLast() {
            for event in Role.Event.allCases {
                guard let next = state.after(event)?.state else { continue }
                count += 1
                events.insert(event)
                if states.insert(next).inserted { open.append(next) }
            }
        }
        #expect(states.count == Role.allCases.count && events.count == Role.Event.allCases.count)
        return count
    }

    @Test func nobodyHasWhatAnotherHasAndNobodyWaitsForEver() {
        var served: Set<HandOverSteps.ServingEntry> = [], held: Set<HandOverSteps.HoldingEntry> = [], wanted: Set<HandOverSteps.WantingEntry> = []
        for first in Self.worlds {
            let walk = Walk(from: first), stuck = walk.broken.isEmpty ? walk.stuck : []
            served.formUnion(walk.steps.served)
            held.formUnion(walk.steps.held)
            wanted.formUnion(walk.steps.wanted)
            print("hand-over: \(walk.worlds.count) worlds")
            #expect(walk.broken.isEmpty, "two have one item:\n\(walk.broken.map(\.description).joined(separator: "\n"))")
            #expect(stuck.isEmpty, "\(stuck.count) of \(walk.worlds.count) worlds come to no end:\n\(stuck.first.map { $0.map(\.description).joined(separator: "\n") } ?? "")")
            #expect(walk.steps.impossible.isEmpty, "\(walk.steps.impossible.sorted().joined(separator: "; "))")
        }
        print("hand-over: \(served.count), \(held.count) and \(wanted.count) entries of the tables")
        #expect(served.count >= 71 && held.count >= 27 && wanted.count >= 4)
    }
}
