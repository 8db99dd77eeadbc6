import Hashes
import Replication
import SeededNumbers

/// Two to five devices with users, and all goes wrong that can: files come late, torn or never, computers crash between any two steps, are
/// copied or put back as they were, folders are emptied, sticks are from last week, and servers forget. At rest all see the same, a newcomer too, and
/// nothing that a save was acknowledged for is out of reach.
final class World {
    var numbers: SeededNumbers
    private let twins: Set<Twin>
    private let seed: UInt64
    private(set) var devices: [WorldDevice] = []
    private var ways: [Way] = []
    private var carriers: [Carrier] = []
    private let server = Joiner()
    private var isCarried = false
    private var backups: [(WorldDevice, WorldDevice.State)] = [], sticks: [(Int, [Carrier.Path: Carrier.File])] = []
    private var folders = 0, contents = 0

    private enum Way { case folder, server, both }

    /// What a world came to.
    struct Outcome { let devices: Int, facts: Int, hasConflicts: Bool }

    init(seed: UInt64, twins: Set<Twin> = []) {
        (self.seed, self.twins) = (seed, twins)
        numbers = SeededNumbers(seed: seed)
    }

    // MARK: Chance

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    func fraction() -> Double { Double.random(in: 0..<1, using: &numbers) }
    func chance(_ share: Double) -> Bool { fraction() < share }
    func pick<Element>(_ all: [Element]) -> Element { all[number(0...(all.count - 1))] }
    func mark() -> Mark { Mark.drawn(with: &numbers) }
    func id() -> FactID { FactID(mark()) }
    func newFolder() -> String {
        folders += 1
        return "d-\(1000 + folders)"
    }
    func newContent(by name: String) -> Digest {
        contents += 1
        return RandomHistory.digest(of: "\(name) \(contents)")
    }

    func check(_ known: FollowedView) throws {
        if let fault = faults(of: known.view, known.facts).first { throw Fault(fault) }
        guard known.view == View(of: known.facts) else { throw Fault("what is followed is not the whole") }
    }

    // MARK: What happens

    func run(steps: Int = 60) throws -> Outcome {
        for index in 0..<number(2...4) { devices.append(WorldDevice(["A", "B", "C", "D"][index], self, twins)) }
        ways = devices.indices.map { $0 < 2 ? pick([.folder, .both]) : pick([.folder, .folder, .server, .both]) }
        if ways.contains(.server) { ways[0] = .both }
        isCarried = chance(0.7)
        let one = Carrier()
        carriers = devices.map { _ in isCarried ? Carrier() : one }
        var clock: Int64 = 0
        for step in 0..<steps {
            clock += Int64(number(1...3))
            try happen(at: clock, step)
        }
        try comeToRest()
        return try judge()
    }

    private func happen(at clock: Int64, _ step: Int) throws {
        let index = number(0...(devices.count - 1)), device = devices[index], what = fraction()
        switch what {
        // A clock that is off, in a third of the worlds.
        case ..<0.45: try device.act(clock + (device.name == "B" && seed % 3 == 0 ? 1000 : 0))
        case ..<0.75: _ = try meet(index)
        case ..<0.92:
            guard isCarried else { return }
            let other = pick(devices.indices.filter { $0 != index })
            carriers[other].carry(from: carriers[index], chance, isBad: true)
        case ..<0.935: backups.append((device, device.backup))
        case ..<0.945:
            guard !backups.isEmpty, devices.count < 6 else { return }
            let (restored, state) = pick(backups)
            restored.restore(state)
        case ..<0.955:
            guard devices.count < 5 else { return }
            let copy = WorldDevice("X\(step)", self, twins)
            copy.seen = device.seen
            copy.restore(device.backup)
            devices.append(copy)
            ways.append(ways[index])
            carriers.append(isCarried ? Carrier(carriers[index].all) : carriers[index])
        case ..<0.965: sticks.append((index, carriers[index].all))
        case ..<0.97:
            guard !sticks.isEmpty, isCarried else { return }
            let (owner, files) = pick(sticks)
            carriers[owner].replaceAll(with: files)
        case ..<0.975:
            for path in carriers[index].files.keys.sorted() where path.folder == device.now.folder { carriers[index].remove(path) }
        case ..<0.985: server.forget(after: pick(server.marks.keys.sorted()))
        default: break
        }
    }

    private func meet(_ index: Int, mayCrash: Bool = true) throws {
        let device = devices[index]
        func crash() throws {
            if mayCrash, chance(0.03) { throw Crash() }
        }
        do {
            if ways[index] != .server { _ = try device.meet(carriers[index], isAtRest: !mayCrash, mayCrash: crash) }
            if ways[index] != .folder { _ = try device.meet(server, mayCrash: crash) }
        } catch is Crash {
            device.crash()
        }
    }

    private func everybodyMeets() throws {
        for index in devices.indices {
            try meet(index, mayCrash: false)
            guard isCarried else { continue }
            for from in devices.indices {
                for to in devices.indices where from != to { carriers[to].carry(from: carriers[from], chance, isBad: false) }
            }
        }
    }

    /// Until nothing is new; and then nobody writes any more.
    private func comeToRest() throws {
        func repeated(_ most: Int, _ least: Int, _ state: () -> [String], _ fault: String) throws {
            for round in 0..<most {
                let before = state()
                try everybodyMeets()
                if before == state(), round >= least { return }
            }
            throw Fault(fault)
        }
        try repeated(80, 7, { devices.map { "\($0.now.known.facts.count) \($0.now.folder)" } }, "never at rest")
        try repeated(40, 0, { carriers.map { "\($0.writes)" } }, "somebody writes for ever")
    }

    private func judge() throws -> Outcome {
        let first = devices[0].now.known
        for device in devices {
            let known = device.now.known
            guard Shape(known.view, known.facts) == Shape(first.view, first.facts) else { throw Fault("devices differ") }
            guard known.facts == first.facts else { throw Fault("somebody was not told") }
        }
        for device in devices {
            let lacks = try device.adopt { _ in false }.lacks
            let held = devices.reduce(into: server.contents) { $0.formUnion($1.now.content) }
            guard lacks.isDisjoint(with: held) else { throw Fault("a content did not come") }
            // What was lost with a backup that was put back is nobody's fault, if nobody else had it.
            guard lacks.isEmpty || !backups.isEmpty else { throw Fault("a content is lost") }
        }
        let newcomer = WorldDevice("N", self, [])
        let carrier = isCarried ? Carrier(carriers[0].all) : carriers[0]
        for _ in 0..<3 {
            _ = try newcomer.meet(carrier, isAtRest: true, mayCrash: {})
            for index in devices.indices {
                if isCarried { carriers[index].carry(from: carrier, chance, isBad: false) }
                try meet(index, mayCrash: false)
                if isCarried { carrier.carry(from: carriers[index], chance, isBad: false) }
            }
        }
        let seen = Shape(newcomer.now.known.view, newcomer.now.known.facts)
        guard seen.rows == Shape(first.view, first.facts).rows else { throw Fault("a newcomer sees something else") }
        return Outcome(devices: devices.count, facts: newcomer.now.known.facts.count, hasConflicts: seen.rows.contains { !$0.others.isEmpty })
    }
}
