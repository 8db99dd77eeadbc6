import Hashes
import Replication
import SeededNumbers

/// Two to five devices with users, and all goes wrong that can: files come late, torn or never, computers crash between any two steps and forget what
/// was not durable, are copied or put back as they were, folders are emptied, sticks are from last week, servers forget, and clocks are off by
/// years. At rest all see the same, a newcomer too, and nothing that a save was acknowledged for is out of reach.
///
/// What happens is a row of events, each with numbers of its own: one can be left out, and the others stay what they were.
package final class World {
    package var numbers: SeededNumbers
    let twin: Twin?
    let rules: Rules
    private let seed: UInt64
    private let events: [Int]
    private(set) var time: Int64 = 1_000_000
    private var devices: [WorldDevice] = []
    private var ways: [Way] = []
    private var carriers: [Carrier] = []
    private let server = Joiner()
    private var isCarried = false
    /// Contents that a computer or one document had and, when its backup was put back, not any more, or without knowing
    /// that somebody waits for them. It had promised to keep them; what is in a mailbox, or with somebody for another
    /// document, goes when its turn comes.
    private var lost: Set<Digest> = []
    private var backups: [(WorldDevice, WorldDevice.Backup)] = [], sticks: [(Int, [Carrier.Path: Carrier.File])] = []
    private var folders = 0, contents = 0
    /// Between which two everything was carried, and what they were then.
    private var carried: [[Int]: [Int]] = [:]
    /// What happened, in words, if somebody wants to read it.
    package private(set) var story: [String] = []
    private let isTold: Bool
    let trouble: Trouble
    /// How often computers stop, and users go on, in the middle of what a device does; and how rarely it writes down what it knows.
    let roughness: Double

    private enum Way { case folder, server, both }

    /// What a world came to.
    package struct Outcome { package let devices: Int, facts: Int, hasConflicts: Bool }

    package static let rough = 5.0
    package static let usualEvents = Array(0..<60)

    package init(seed: UInt64, twin: Twin? = nil, events: [Int] = World.usualEvents, roughness: Double = 1, _ trouble: Trouble = [], isTold: Bool = false) {
        (self.seed, self.twin, self.events, self.roughness, self.trouble, self.isTold) = (seed, twin, events, roughness, trouble, isTold)
        rules = twin?.rules ?? .all
        numbers = SeededNumbers(seed: seed)
    }

    // MARK: Chance

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    func fraction() -> Double { Double.random(in: 0..<1, using: &numbers) }
    func chance(_ share: Double) -> Bool { fraction() < share }
    func pick<Element>(_ all: [Element]) -> Element { all[number(0...(all.count - 1))] }
    func mark() -> Mark { Mark.drawn(with: &numbers) }
    func id() -> FactID { FactID(mark()) }
    func has(_ twin: Twin) -> Bool { self.twin == twin }
    /// Whether the whole plan is to be that which goes on from the last one: without another rule of the planner they may miss it each in
    /// its way.
    var plansAreCompared: Bool { twin.map { $0.rules == .all || $0 == .contentUnnoticed } ?? true }
    func tell(_ sentence: @autoclosure () -> String) { if isTold { story.append(sentence()) } }

    func lose(_ content: Digest) { lost.insert(content) }

    func newFolder() -> String {
        folders += 1
        return "d-\(1000 + folders)"
    }
    func newContent() -> Digest {
        contents += 1
        return RandomHistory.digest(of: "content \(contents) of \(seed)")
    }

    /// What a version's content travels as. Not what it is called by, and in the same order.
    static func travelling(_ content: Digest, with thumbnail: Digest? = nil) -> Digest {
        var bytes = content.bytes
        bytes[bytes.count - 1] ^= 0xFF
        if let thumbnail { for (index, byte) in thumbnail.bytes.enumerated().dropFirst(Digest.count / 2) { bytes[index] ^= byte } }
        return Digest(bytes) ?? content
    }

    /// What holds after each step.
    func check(_ device: WorldDevice) throws {
        let known = device.now.known
        if twin == nil || twin?.rules != .all { guard known.view == View(of: known.facts, rules) else { throw Fault("what is followed is not the whole") } }
        if let fault = faults(of: known.view, known.facts).first { throw Fault(fault) }
        for item in known.view.items.values where item.current != nil && !item.isThere { throw Fault("a document is in no folder") }
    }

    // MARK: What happens

    package func run() throws -> Outcome {
        for index in 0..<number(2...4) {
            // In a third of the worlds one clock is off by years.
            devices.append(WorldDevice(["A", "B", "C", "D"][index], self, clockError: index == 1 && seed % 3 == 0 ? pick([100_000_000, -900_000]) : 0))
        }
        ways = devices.indices.map { $0 < 2 ? pick([.folder, .both]) : pick([.folder, .folder, .server, .both]) }
        if ways.contains(.server) { ways[0] = .both }
        isCarried = chance(0.7)
        let one = Carrier()
        carriers = devices.map { _ in isCarried ? Carrier() : one }
        for event in events {
            numbers = SeededNumbers(seed: seed &* 1_000_003 &+ UInt64(event) &+ 1)
            // Now and then nothing happens for so long that what is missing is gone.
            time += chance(0.2) ? 30 : Int64(number(1...5))
            try happen(event)
        }
        numbers = SeededNumbers(seed: seed &+ 1 << 40)
        try comeToRest()
        return try judge()
    }

    /// Instead of chance somebody says what happens, to devices of which each has the share as a folder of its own.
    func run(byHand names: [String], _ happen: ([WorldDevice], [Carrier]) throws -> Void) throws {
        isCarried = true
        devices = names.map { WorldDevice($0, self) }
        (ways, carriers) = (devices.map { _ in .folder }, devices.map { _ in Carrier() })
        try happen(devices, carriers)
        try comeToRest()
        _ = try judge()
    }

    private func happen(_ event: Int) throws {
        let index = number(0...(devices.count - 1)), device = devices[index], what = fraction()
        switch what {
        case ..<0.42: try device.act()
        case ..<0.48: try interrupted(device) { mayCrash in try device.work(mayCrash: mayCrash) }
        case ..<0.75: try meet(index)
        case ..<0.92:
            guard isCarried else { return }
            let other = pick(devices.indices.filter { $0 != index })
            carriers[other].carry(from: carriers[index], chance, isBad: true)
            tell("files are carried from \(device.name) to \(devices[other].name)")
        case ..<0.935: backups.append((device, device.backup))
        case ..<0.945:
            guard !backups.isEmpty else { return }
            let (restored, backup) = pick(backups)
            let had = restored.seen
            restored.restore(backup)
            lost.formUnion(had.subtracting(restored.keptContents))
            tell("\(restored.name) is put back from its backup")
        case ..<0.955:
            guard devices.count < 5 else { return }
            let copy = WorldDevice("copy of \(device.name) \(event)", self)
            copy.restore(device.backup)
            devices.append(copy)
            ways.append(ways[index])
            carriers.append(isCarried ? Carrier(carriers[index].all) : carriers[index])
            tell("\(device.name) is copied")
        case ..<0.965: sticks.append((index, carriers[index].all))
        case ..<0.97:
            guard !sticks.isEmpty, isCarried else { return }
            let (owner, files) = pick(sticks)
            carriers[owner].replaceAll(with: files)
            tell("\(devices[owner].name) has the share of last week")
        case ..<0.975:
            carriers[index].empty(device)
            tell("\(device.name)'s folder in the share is emptied")
        case ..<0.985:
            server.forget(after: pick(server.marks.keys.sorted()))
            tell("the server forgets")
            // Who notices that may crash just then.
            if ways[index] != .folder, chance(0.5) { try interrupted(device, 0.2) { mayCrash in try device.meet(server, isAtRest: false, mayCrash: mayCrash) } }
        default:
            device.crash()
            tell("\(device.name) crashes")
        }
    }

    private func interrupted(_ device: WorldDevice, _ share: Double = 0.02, _ body: (@escaping () throws -> Void) throws -> Void) throws {
        do { try body { [unowned self] in if chance(share * roughness) { throw Crash() } } } catch is Crash {
            device.crash()
            tell("\(device.name) crashes")
        }
    }

    private func meet(_ index: Int) throws {
        let device = devices[index]
        tell("\(device.name) meets the others")
        try interrupted(device) { mayCrash in
            if ways[index] != .server { try device.meet(carriers[index], isAtRest: false, mayCrash: mayCrash) }
            if ways[index] != .folder { try device.meet(server, isAtRest: false, mayCrash: mayCrash) }
        }
    }

    // MARK: At rest

    private func meetAtRest(_ index: Int) throws {
        if ways[index] != .server { try devices[index].meet(carriers[index], isAtRest: true, mayCrash: {}) }
        if ways[index] != .folder { try devices[index].meet(server, isAtRest: true, mayCrash: {}) }
    }

    private func everybodyMeets() throws {
        time += Planner.patience + 1
        for index in devices.indices {
            try meetAtRest(index)
            guard isCarried else { continue }
            for from in devices.indices {
                for to in devices.indices where from != to && carried[[from, to]] != [carriers[from].revision, carriers[to].revision] {
                    carriers[to].carry(from: carriers[from], chance, isBad: false)
                    carried[[from, to]] = [carriers[from].revision, carriers[to].revision]
                }
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
        try repeated(60, 3, { devices.map { "\($0.facts.count) \($0.now.share.folder) \($0.disk.files.count)" } }, "never at rest")
        try repeated(40, 0, { carriers.map { "\($0.writes)" } }, "somebody writes for ever")
    }

    /// What of a device's files is not what it sees. Of a document whose content is lost it has whatever it has, or nothing.
    private func differences(_ device: WorldDevice) -> [String] {
        func path(_ item: ItemID) -> String {
            guard let seen = device.view.items[item], seen.isThere else { return "" }
            return (seen.folder.map(path) ?? "") + "/" + String(decoding: device.nameHere(item, seen), as: UTF8.self)
        }
        // Text is equal however its letters are composed, and names are bytes.
        var files: [[UInt8]: Digest] = [:], found = device.namesWithoutNeed
        let here = device.disk.contents
        for (id, file) in device.disk.files { files[Array(device.disk.path(id).utf8)] = file.content }
        for (item, seen) in device.view.items where seen.isThere {
            let isFolder = seen.place?.place?.kind == .folder, path = path(item), there = files.removeValue(forKey: Array(path.utf8))
            let wanted = isFolder ? Disk.noBytes : seen.current.flatMap(device.digest)
            if there == wanted || wanted.map({ lost.contains($0) && !here.contains($0) }) == true { continue }
            found.append(there == nil ? "\(path) is not there" : "\(path) is not what is seen")
        }
        for (item, synced) in device.now.synced {
            guard let modes = device.disk.modes, let mode = device.disk.files[synced.entry]?.entry.mode, let wanted = device.view.items[item]?.place?.place?.permissions,
                mode & Location.permissionBits != wanted & modes
            else { continue }
            found.append("\(path(item)) has other permissions")
        }
        for (item, seen) in device.view.items {
            let kept = Set((device.disk.conflicts[item] ?? [:]).keys), wanted = Set(seen.conflicts)
            if !kept.isSubset(of: wanted) || !wanted.subtracting(kept).allSatisfy({ device.digest($0).map(lost.contains) ?? false }) { found.append("\(path(item)) has other conflicts") }
        }
        return found + files.keys.map { "\(String(decoding: $0, as: UTF8.self)) is there" }.sorted()
    }

    /// A key of which a device's store has another value than all have.
    private func strangeKey(_ device: WorldDevice) -> String? {
        guard trouble.contains(.keys) else { return nil }
        let all = device.facts.keys.compactMapValues { fact in if case .key(let key) = fact.statement { key.value } else { nil } }
        return Set(all.keys).union(device.disk.keys.values.keys).sorted { $0.lexicographicallyPrecedes($1) }
            .first { all[$0] != device.disk.keys.values[$0] }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func judge() throws -> Outcome {
        let first = devices[0]
        for device in devices {
            guard device.facts == first.facts else { throw Fault("somebody was not told") }
            guard device.view == first.view else { throw Fault("devices differ") }
        }
        let held = devices.reduce(into: server.contents) { $0.formUnion($1.disk.contents.map { Self.travelling($0) }) }
        for device in devices {
            let lacks = device.neededContents().subtracting(device.disk.contents)
            guard held.isDisjoint(with: lacks.map { Self.travelling($0) }) else { throw Fault("a content did not come") }
            guard lacks.isSubset(of: lost) else {
                for (item, seen) in device.view.items {
                    let of = ([seen.current].compactMap(\.self) + seen.conflicts).filter { device.digest($0).map(lacks.contains) ?? false }
                    if !of.isEmpty { tell("\(device.name) lacks of \(seen.name?.description ?? "\(item)") \(of), where \(seen.current.map { "\($0)" } ?? "nothing") is current") }
                }
                throw Fault("a content is lost")
            }
            if let key = strangeKey(device) { throw Fault("\(device.name) has another \(key)") }
            if let difference = differences(device).first { throw Fault("\(device.name) has other files: \(difference)") }
        }
        for item in first.view.items.values where item.isThere && item.name != item.place?.place?.name { throw Fault("a name is not said") }
        let conflicts = first.view.items.values.reduce(into: Set<FactID>()) { $0.formUnion($1.conflicts) }
        for device in devices { guard device.decisions.isDisjoint(with: conflicts) else { throw Fault("what somebody decided is in conflict again") } }
        let said = Set(first.facts.versions.values.compactMap(\.digest))
        for device in devices { guard device.saved.isSubset(of: said) else { throw Fault("a save is out of reach") } }
        return try judgeNewcomer(first)
    }

    private func judgeNewcomer(_ first: WorldDevice) throws -> Outcome {
        let newcomer = WorldDevice("N", self)
        let carrier = isCarried ? Carrier(carriers[0].all) : carriers[0]
        for _ in 0..<3 {
            try newcomer.meet(carrier, isAtRest: true, mayCrash: {})
            for index in devices.indices {
                if isCarried { carriers[index].carry(from: carrier, chance, isBad: false) }
                try meetAtRest(index)
                if isCarried { carrier.carry(from: carriers[index], chance, isBad: false) }
            }
        }
        let seen = Shape(newcomer.view, newcomer.facts)
        guard seen.rows == Shape(first.view, first.facts).rows else { throw Fault("a newcomer sees something else") }
        if let key = strangeKey(newcomer) { throw Fault("a newcomer has another \(key)") }
        if let difference = differences(newcomer).first { throw Fault("a newcomer has other files: \(difference)") }
        return Outcome(devices: devices.count, facts: newcomer.facts.count, hasConflicts: seen.rows.contains { !$0.others.isEmpty })
    }
}
