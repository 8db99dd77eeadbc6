@testable import Coordination

/// A container's lock, programs that claim one item of it and serve each other, and a drive that is mounted and unmounted: without sockets, files
/// and threads. All that they decide is in the tables that the processes themselves go by. What the kernel does is said here: messages arrive
/// later, in their order; who dies loses its locks and connections; a connection on which nothing is granted may break.
struct HandOverWorld: Hashable {
    /// A program that has a claim of the item, or wants one; nil for one that only serves.
    struct Claim: Hashable {
        /// Who it is.
        let process: Int8
        /// Other programs' claims wait for it, because it is the one of a presenter.
        let isInner: Bool
        var holding: Holding?
        /// The program uses the item.
        var isInside = false
        var isDone = false
        /// Its byte of “claimants” is locked.
        var token = false
        var server: Int8 = -1
        /// The other end of its connection is gone.
        var isBroken = false
        var up: Up?, down: Down?
    }

    enum Up: Hashable { case claim, resume, release, gone }
    enum Down: Hashable { case granted, refused }
    enum Place: Hashable { case none, setAside, queued, heldBack, granted }

    struct Server: Hashable {
        var course = HandOver(Serving.lookingBack)
        /// Claims from before that were not resumed; and those of them that have ended.
        var awaited: UInt8 = 0, ended: UInt8 = 0
        var listens = false
        /// Of each claim; and the order in which they came.
        var places: [Place]
        var queue: [Int8] = []
        var isWanted = false

        /// What it decides no more.
        mutating func forget() { (awaited, ended, places, queue, isWanted) = (0, 0, places.map { _ in .none }, [], false) }
    }

    enum Drive: Hashable { case notThere, waiting, serving, stopping, gone }

    /// So much may go wrong.
    var faults: Int8
    /// Programs stop coordinating, too, before their claims have ended or after.
    let programsStop: Bool
    var lock: Int8 = -1
    var alive: [Bool]
    /// Which of them have stopped serving of their own accord.
    var stopped: [Bool]
    var servers: [Server?]
    var claims: [Claim]
    var drive = Drive.notThere, wanting = HandOver(Wanting.idle), asks: Int8 = -1
    /// The word that it waits has not arrived.
    var askIsUnderWay = false

    /// The drive is the last process. `claims` says whose they are.
    init(processes: Int, claims: [(process: Int8, isInner: Bool)], faults: Int8, programsStop: Bool) {
        (self.faults, self.programsStop) = (faults, programsStop)
        alive = Array(repeating: true, count: processes)
        stopped = Array(repeating: false, count: processes)
        servers = Array(repeating: nil, count: processes)
        self.claims = claims.map { Claim(process: $0.process, isInner: $0.isInner) }
    }

    // MARK: What must hold

    /// Programs that use the item, and do not know that they have lost it.
    var holders: Int { claims.count { $0.isInside && $0.holding != .lost } }

    /// Nobody waits for anything any more.
    var isAtEnd: Bool {
        (drive == .gone) && claims.allSatisfy { $0.isDone || !alive[Int($0.process)] }
    }
}

/// The worlds that can follow one, each after one step.
struct HandOverSteps {
    private(set) var next: [(world: HandOverWorld, isFault: Bool)] = []
    var served: Set<ServingEntry> = [], held: Set<HoldingEntry> = [], wanted: Set<WantingEntry> = []
    /// Events in states in which they cannot happen.
    var impossible: Set<String> = []

    struct ServingEntry: Hashable { let state: Serving, event: Serving.Event }
    struct HoldingEntry: Hashable { let state: Holding, event: Holding.Event }
    struct WantingEntry: Hashable { let state: Wanting, event: Wanting.Event }

    mutating func look(from world: HandOverWorld) {
        next.removeAll(keepingCapacity: true)
        for process in world.alive.indices where world.alive[process] { step(world, process) }
        for claim in world.claims.indices where world.alive[Int(world.claims[claim].process)] { step(world, claim: claim) }
        stepDrive(world)
    }

    private mutating func add(_ world: HandOverWorld, isFault: Bool = false, _ change: (inout Self, inout HandOverWorld) -> Void) {
        var new = world
        if isFault { new.faults -= 1 }
        change(&self, &new)
        next.append((new, isFault))
    }

    // MARK: The tables

    @discardableResult private mutating func tell(_ server: Int, _ event: Serving.Event, _ world: inout HandOverWorld) -> Serving.Action? {
        guard let state = world.servers[server]?.course.state else { return nil }
        guard state.after(event) != nil else {
            impossible.insert("\(event) while it is \(state)")
            return nil
        }
        served.insert(ServingEntry(state: state, event: event))
        return world.servers[server]?.course.handle(event)
    }

    @discardableResult private mutating func tell(claim: Int, _ event: Holding.Event, _ world: inout HandOverWorld) -> Holding.Action? {
        guard let state = world.claims[claim].holding else { return nil }
        held.insert(HoldingEntry(state: state, event: event))
        guard let passage = state.after(event) else {
            impossible.insert("\(event) while it is \(state)")
            return nil
        }
        world.claims[claim].holding = passage.state
        return passage.action
    }

    private mutating func tellDrive(_ event: Wanting.Event, _ world: inout HandOverWorld) -> Wanting.Action? {
        wanted.insert(WantingEntry(state: world.wanting.state, event: event))
        if world.wanting.state.after(event) == nil { impossible.insert("\(event) while it is \(world.wanting.state)") }
        return world.wanting.handle(event)
    }

    // MARK: Whoever serves

    private mutating func step(_ world: HandOverWorld, _ process: Int) {
        if world.faults > 0 { add(world, isFault: true) { $0.die(process, &$1) } }
        guard let server = world.servers[process] else { return }
        let state = server.course.state
        switch state {
        case .lookingBack:
            add(world) { steps, world in
                for (index, claim) in world.claims.enumerated() where claim.token { world.servers[process]?.awaited |= 1 << UInt8(index) }
                steps.tell(process, world.servers[process]?.awaited == 0 ? .noneFromBefore : .someFromBefore, &world)
            }
        case .opening, .openingForSome:
            add(world) { steps, world in
                steps.tell(process, .listens, &world)
                world.servers[process]?.listens = true
            }
        case .noting:
            add(world) { steps, world in
                for index in world.claims.indices where world.claims[index].server == process && world.claims[index].process == process {
                    if steps.tell(claim: index, .servingEnds, &world) == .note { world.claims[index].token = true }
                }
                steps.tell(process, .ownAreNoted, &world)
            }
        case .lettingGo:
            add(world) { steps, world in
                world.servers[process]?.listens = false
                world.lock = -1
                steps.tell(process, .lockIsFree, &world)
                world.servers[process]?.forget()
            }
        case .hangingUp:
            add(world) { steps, world in
                for index in world.claims.indices where world.claims[index].server == process { (world.claims[index].isBroken, world.claims[index].up) = (true, nil) }
                if world.asks == process { world.asks = -2 }
                steps.tell(process, .allHungUp, &world)
                world.servers[process] = nil
                if process == world.alive.count - 1 { world.drive = .gone }
            }
        case .finished: add(world) { $0.tell(process, .servesNoMore, &$1) }
        case .closing, .over: break
        case .awaiting, .awaitingWanted, .granting, .wanted, .leaving, .leavingAfterOwn, .leavingAfterAll: stepServing(world, process, server)
        }
        if [.noting, .lettingGo, .hangingUp, .finished].contains(state) {
            hear(world, process, server)
            turn(world, process, server)
        }
    }

    private mutating func stepServing(_ world: HandOverWorld, _ process: Int, _ server: HandOverWorld.Server) {
        let isDrive = process == world.alive.count - 1
        // It cannot wait for messages.
        if world.faults > 0 { add(world, isFault: true) { $0.tell(process, .servesNoMore, &$1) } }
        if !world.stopped[process], isDrive ? world.drive == .serving : world.programsStop {
            // A program's claims may have ended by then, or not.
            add(world) { steps, world in
                world.stopped[process] = true
                if isDrive { world.drive = .stopping }
                world.servers[process]?.listens = false
                if steps.tell(process, isDrive ? .stopAfterAll : .stopAfterOwn, &world) == .refuseWaiting { steps.refuseWaiting(process, &world) }
            }
        }
        if let whom = server.course.state.waitsFor, !isAnybodyWaitedFor(whom, world, process, server) {
            add(world) { steps, world in
                guard steps.tell(process, .nobodyIsWaitedFor, &world) == .stopListening else { return }
                world.servers[process]?.listens = false
                if steps.tell(process, .listensNoMore, &world) == .refuseWaiting { steps.refuseWaiting(process, &world) }
            }
        }
        // What it is told of the claims before, and asks the kernel.
        let gone = world.claims.indices.filter { server.awaited & 1 << UInt8($0) != 0 && (server.ended & 1 << UInt8($0) != 0 || world.claims[$0].holding == .lost) }
        if !gone.isEmpty {
            add(world) { steps, world in
                for index in gone { world.servers[process]?.awaited &= ~(1 << UInt8(index)) }
                world.servers[process]?.ended = 0
                if world.servers[process]?.awaited == 0 { steps.goOnWithoutAwaited(process, &world) }
            }
        }
        hear(world, process, server)
        // Whoever waits for the lock.
        if world.asks == process, world.askIsUnderWay, !isDrive {
            add(world) { steps, world in
                world.askIsUnderWay = false
                world.servers[process]?.isWanted = true
                steps.tell(process, .lockWanted, &world)
            }
        }
        if server.isWanted, world.asks != process {
            add(world) { steps, world in
                world.servers[process]?.isWanted = false
                if steps.tell(process, .wanterGone, &world) == .tellHeldBack {
                    for index in world.claims.indices where world.servers[process]?.places[index] == .heldBack { world.servers[process]?.places[index] = .queued }
                }
            }
        }
        turn(world, process, server)
    }

    private mutating func turn(_ world: HandOverWorld, _ process: Int, _ server: HandOverWorld.Server) {
        if let first = server.queue.first.map(Int.init), server.places[first] == .queued, !server.places.contains(.granted) {
            add(world) { steps, world in
                switch steps.tell(process, world.claims[first].isInner ? .innerTurnCame : .turnCame, &world) {
                case .tell: steps.grant(first, process, &world)
                case .holdBack: world.servers[process]?.places[first] = .heldBack
                default: world.servers[process]?.queue.removeAll { $0 == first }
                }
            }
        }
    }

    private func isAnybodyWaitedFor(_ whom: Serving.Waiting, _ world: HandOverWorld, _ process: Int, _ server: HandOverWorld.Server) -> Bool {
        switch whom {
        // The drive's patience may be over.
        case .all, .whatCannotGoOn: false
        case .ownToo: world.claims.indices.contains { world.claims[$0].process == process && server.places[$0] == .granted }
        }
    }

    /// What programs say. Its own threads are heard until the end.
    private mutating func hear(_ world: HandOverWorld, _ process: Int, _ server: HandOverWorld.Server) {
        for index in world.claims.indices where world.claims[index].server == process {
            let claim = world.claims[index]
            guard let up = claim.up, claim.process == process || ![.noting, .lettingGo, .hangingUp].contains(server.course.state) else { continue }
            add(world) { steps, world in
                world.claims[index].up = nil
                switch up {
                case .claim:
                    switch steps.tell(process, .claimCame, &world) {
                    case .enter: steps.enter(index, process, &world)
                    case .setAside: world.servers[process]?.places[index] = .setAside
                    default: world.claims[index].down = .refused
                    }
                case .resume:
                    guard steps.tell(process, .resumeCame, &world) == .take else { return world.claims[index].down = .refused }
                    let isFree = world.servers[process].map { !$0.places.contains(.granted) && $0.queue.isEmpty } ?? false
                    if isFree { steps.grant(index, process, &world) } else { steps.enter(index, process, &world) }
                    let wasAwaited = (world.servers[process]?.awaited ?? 0) & 1 << UInt8(index) != 0
                    world.servers[process]?.awaited &= ~(1 << UInt8(index))
                    if wasAwaited, world.servers[process]?.awaited == 0 { steps.goOnWithoutAwaited(process, &world) }
                case .release, .gone:
                    steps.leave(index, process, &world)
                    world.claims[index].server = -1
                }
            }
        }
    }

    private func enter(_ claim: Int, _ process: Int, _ world: inout HandOverWorld) {
        world.servers[process]?.places[claim] = .queued
        world.servers[process]?.queue.append(Int8(claim))
    }

    private func grant(_ claim: Int, _ process: Int, _ world: inout HandOverWorld) {
        world.servers[process]?.places[claim] = .granted
        world.servers[process]?.queue.removeAll { $0 == claim }
        world.claims[claim].down = .granted
    }

    private func leave(_ claim: Int, _ process: Int, _ world: inout HandOverWorld) {
        world.servers[process]?.places[claim] = .none
        world.servers[process]?.queue.removeAll { $0 == claim }
    }

    private mutating func goOnWithoutAwaited(_ process: Int, _ world: inout HandOverWorld) {
        guard tell(process, .allResumed, &world) == .enterSetAside else { return }
        for index in world.claims.indices where world.servers[process]?.places[index] == .setAside { enter(index, process, &world) }
    }

    private mutating func refuseWaiting(_ process: Int, _ world: inout HandOverWorld) {
        for index in world.claims.indices {
            guard let place = world.servers[process]?.places[index], place != .none, place != .granted else { continue }
            leave(index, process, &world)
            world.claims[index].down = .refused
            // The next one's turn comes by that, and it is refused as well.
            if let next = world.servers[process]?.queue.first.map(Int.init), world.servers[process]?.places.contains(.granted) == false {
                tell(process, world.claims[next].isInner ? .innerTurnCame : .turnCame, &world)
            }
        }
    }

    private func die(_ process: Int, _ world: inout HandOverWorld) {
        world.alive[process] = false
        if world.lock == process { world.lock = -1 }
        world.servers[process] = nil
        for index in world.claims.indices {
            if world.claims[index].process == process {
                unlock(index, &world)
                (world.claims[index].isInside, world.claims[index].holding, world.claims[index].down) = (false, nil, nil)
                // Whoever serves hears of it.
                if world.claims[index].server >= 0, world.claims[index].server != process, !world.claims[index].isBroken { world.claims[index].up = .gone } else {
                    (world.claims[index].server, world.claims[index].up) = (-1, nil)
                }
            } else if world.claims[index].server == process {
                (world.claims[index].isBroken, world.claims[index].up) = (true, nil)
            }
        }
        if process == world.alive.count - 1 { (world.drive, world.asks, world.askIsUnderWay, world.wanting) = (.gone, -1, false, HandOver(.idle)) }
        if world.asks == process { (world.asks, world.askIsUnderWay) = (-2, false) }
    }

    // MARK: Whoever has a claim

    /// Whom a program finds that looks for one who serves. It serves itself where nobody has the lock, or waits for it.
    private func server(_ world: HandOverWorld) -> Int? { world.servers.indices.first { world.servers[$0]?.listens == true } }

    private func serve(_ process: Int, _ world: inout HandOverWorld) {
        world.lock = Int8(process)
        world.servers[process] = HandOverWorld.Server(places: Array(repeating: .none, count: world.claims.count))
    }

    private mutating func step(_ world: HandOverWorld, claim index: Int) {
        let claim = world.claims[index], process = Int(claim.process)
        let looks = !claim.isDone && claim.server == -1 && (claim.holding == nil || claim.holding == .over || claim.holding == .left) && !(claim.holding == .over && claim.isInside)
        if looks, let server = server(world) {
            add(world) { steps, world in
                if claim.holding == .left {
                    guard steps.tell(claim: index, .nextFound, &world) == .resume else { return }
                } else {
                    // Its own connection needs no byte: it is noted before the end.
                    (world.claims[index].holding, world.claims[index].token) = (.asking, process != server)
                }
                (world.claims[index].server, world.claims[index].isBroken, world.claims[index].up, world.claims[index].down) = (Int8(server), false, claim.holding == .left ? .resume : .claim, nil)
            }
        }
        if looks, world.lock == -1, world.drive != .waiting, world.servers[process] == nil { add(world) { $0.serve(process, &$1) } }
        if claim.holding == .left, claim.server == -1, world.faults > 0 { add(world, isFault: true) { $0.tell(claim: index, .noneFound, &$1) } }
        if claim.isInside, claim.holding != .over {
            add(world) { steps, world in
                let isGood = steps.tell(claim: index, .givenUp, &world) == .release
                (world.claims[index].isInside, world.claims[index].isDone) = (false, true)
                steps.unlock(index, &world)
                if isGood, !claim.isBroken { world.claims[index].up = .release } else if claim.holding != .resuming, claim.up != .gone { steps.part(index, &world) }
            }
        }
        guard claim.server >= 0 else { return }
        let awaitsAnswer = claim.holding == .asking || claim.holding == .resuming || claim.holding == .left || (claim.holding == .over && claim.up == nil)
        if let down = claim.down { hear(down, world, index) } else if claim.isBroken, awaitsAnswer {
            add(world) { steps, world in
                steps.tell(claim: index, .hungUp, &world)
                steps.part(index, &world)
            }
        }
        // Heard by a thread of its own, before or after what was said before.
        if claim.isBroken, claim.holding != nil, claim.holding != .over || !claim.isDone {
            add(world) { steps, world in
                let action = steps.tell(claim: index, .connectionEnded, &world)
                if action == .lookForNext || claim.holding == .held { steps.part(index, &world) }
            }
        }
        // A connection on which nothing is granted may break: what is to be said cannot be said, or nobody waits any more.
        if world.faults > 0, !claim.isBroken, claim.holding == .asking || (claim.holding == .resuming && claim.up == .resume) {
            add(world, isFault: true) { steps, world in
                steps.tell(claim: index, .hungUp, &world)
                steps.drop(index, &world)
            }
        }
    }

    private mutating func hear(_ down: HandOverWorld.Down, _ world: HandOverWorld, _ index: Int) {
        let before = world.claims[index].holding
        add(world) { steps, world in
            world.claims[index].down = nil
            if down == .refused {
                steps.tell(claim: index, .hungUp, &world)
                return steps.drop(index, &world)
            }
            switch steps.tell(claim: index, .granted, &world) {
            case .use: world.claims[index].isInside = true
            case .goOn: break
            default: steps.drop(index, &world)
            }
        }
        // It does not know such claims, say.
        if down == .granted, before == .resuming, world.faults > 0 {
            add(world, isFault: true) { steps, world in
                world.claims[index].down = nil
                steps.tell(claim: index, .refused, &world)
                steps.drop(index, &world)
            }
        }
        if down == .granted, before == .asking, world.faults > 0 {
            add(world, isFault: true) { steps, world in
                world.claims[index].down = nil
                steps.tell(claim: index, .refused, &world)
                steps.drop(index, &world)
            }
        }
    }

    /// The next time it is another byte.
    private func unlock(_ claim: Int, _ world: inout HandOverWorld) {
        world.claims[claim].token = false
        for process in world.servers.indices { if let awaited = world.servers[process]?.awaited { world.servers[process]?.ended |= awaited & 1 << UInt8(claim) } }
    }

    /// Its end of the connection goes: whoever serves hears of it later.
    private func drop(_ claim: Int, _ world: inout HandOverWorld) {
        if world.claims[claim].isBroken { return part(claim, &world) }
        (world.claims[claim].up, world.claims[claim].down) = (.gone, nil)
        if world.claims[claim].holding == .over, !world.claims[claim].isInside { unlock(claim, &world) }
    }

    private func part(_ claim: Int, _ world: inout HandOverWorld) {
        (world.claims[claim].server, world.claims[claim].isBroken, world.claims[claim].up, world.claims[claim].down) = (-1, false, nil, nil)
        if world.claims[claim].holding == .over { unlock(claim, &world) }
    }

    // MARK: The drive

    private mutating func stepDrive(_ world: HandOverWorld) {
        let process = world.alive.count - 1
        guard world.alive[process] else { return }
        if world.drive == .notThere {
            add(world) { $1.drive = .waiting }
            // It never comes.
            add(world) { $1.drive = .gone }
        }
        guard world.drive == .waiting else { return }
        if world.lock == -1 {
            add(world) { steps, world in
                (world.drive, world.asks, world.askIsUnderWay, world.wanting) = (.serving, -1, false, HandOver(.idle))
                steps.serve(process, &world)
            }
        } else {
            add(world) { steps, world in
                if world.asks == -2 {
                    _ = steps.tellDrive(.hungUp, &world)
                    world.asks = -1
                }
                guard steps.tellDrive(.lockIsTaken, &world) == .ask else { return }
                let server = steps.server(world)
                _ = steps.tellDrive(server == nil ? .notSaid : .said, &world)
                if let server { (world.asks, world.askIsUnderWay) = (Int8(server), true) }
            }
        }
        // It does not wait any longer.
        add(world) { $1.giveUpWaiting() }
    }
}

extension HandOverWorld: CustomStringConvertible {
    /// A line, for who looks how something came about.
    var description: String {
        let serving = servers.enumerated().compactMap { process, server in
            server.map { "\(process) is \($0.course.state)\($0.listens ? "" : ", deaf"), awaits \($0.awaited), has \($0.places) \($0.queue)\($0.isWanted ? ", wanted" : "")" }
        }
        let having = claims.map { claim in
            "\(claim.process) \(claim.holding.map { "is \($0)" } ?? "has none")\(claim.isInside ? ", inside" : "")\(claim.isDone ? ", done" : "")\(claim.token ? ", locked" : "")"
                + (claim.server < 0 ? "" : " by \(claim.server)\(claim.isBroken ? ", broken" : "")") + (claim.up.map { ", says \($0)" } ?? "") + (claim.down.map { ", is told \($0)" } ?? "")
        }
        return "lock \(lock); alive \(alive.indices.filter { alive[$0] }); \(serving); \(having); drive \(drive), \(wanting.state), asks \(asks)\(askIsUnderWay ? " soon" : ""); faults \(faults)"
            .replacing("CoordinationTests.HandOverWorld.", with: "")
    }

    fileprivate mutating func giveUpWaiting() { (drive, asks, askIsUnderWay, wanting) = (.gone, -1, false, HandOver(.idle)) }
}
