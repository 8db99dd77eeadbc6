import Containers
import Glibc
import LinuxFiles

/// What is behind the lock of whoever serves: the connections, and the table of claims. The serving thread hears those of other
/// processes, one round after another; those of this process are heard on their own threads, in between.
struct ClaimDesk {
    // A stranger may ask for much; so much of it is remembered.
    private static let mostClients = 256, mostClaims = 1024, mostPlaces = 500_000, mostUnsent = 1 << 20

    let server: CoordinationServer
    private var listener: LocalSocket?
    private let bell: LocalSocket
    var table = ClaimTable()
    private var presenters: PresenterQuestions
    private var inner = InnerClaims()
    /// Those whom all have answered. What they did before they answered is heard of by the next round, and then these go on.
    private var answered: [PresenterQuestions.Asking] = []
    /// Those who go on in this round.
    private var goingOn: [PresenterQuestions.Asking] = []
    /// What this process asked for itself, and has not ended yet.
    private var ownAskings: [UInt64: [PresenterQuestions.Asking]] = [:]
    /// Claims in which items were moved whose versions have not gone along yet: nobody else has the items before. And those of them that were given up.
    var following: [Claim.Key: Int] = [:], givenUp: [Claim.Key: Claim] = [:]
    var clients: [Int: ClaimClient] = [:]
    private var lastNumber = 0
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Clients that have something to be sent.
    private var unsent: Set<Int> = []
    /// How it stands with the container's lock, and the end. It may wait for claims until this moment.
    var course: HandOver<Serving>
    var lastEnd: Int64?
    /// What is done for claims, and is answered before the end.
    var underWay = 0
    /// Claims that whoever served before has granted, and that have not been resumed here, and programs that presented items and have not come.
    /// Nothing new is granted before.
    var awaited: Set<Claimants.Token>
    let claimants: Claimants?
    let lastAwaited = Monotonic.milliseconds + ClaimDesk.longestAwaited
    var latecomers: [Claim] = []
    static let longestAwaited: Int64 = 5000, nextLook: Int64 = 10
    /// For programs that present items, which may be stopped.
    static let longestAwaitedPresenters: Int64 = 2000
    /// Who waits for the container's lock.
    var wanters: Set<Int> = []
    /// Claims that are granted when nobody does any more.
    var heldBack: [Claim] = []

    init(
        _ server: CoordinationServer, _ course: HandOver<Serving>, _ listener: LocalSocket?, bell: LocalSocket, _ claimants: Claimants?, _ awaited: Set<Claimants.Token>
    ) {
        (self.course, self.claimants, self.awaited) = (course, claimants, awaited)
        self.server = server
        self.listener = listener
        self.bell = bell
        presenters = PresenterQuestions(server.patience)
    }

    /// What is waited for before the next round.
    struct Round: Sendable {
        var watches: [LocalSocket.Watch]
        fileprivate let clients: [Int]
        fileprivate let hasListener: Bool
        let patience: Int64?
    }

    /// nil when nobody is served any more.
    mutating func begin() -> Round? {
        lookWhoIsWaitedFor()
        guard course.state != .finished else { return nil }
        var watches = [LocalSocket.Watch(bell)] + (listener.map { [LocalSocket.Watch($0)] } ?? []), polled: [Int] = []
        for client in clients.values {
            guard let socket = client.socket else { continue }
            watches.append(LocalSocket.Watch(socket, wantsToSend: client.isStuck))
            polled.append(client.number)
        }
        (goingOn, answered) = (goingOn + answered, [])
        return Round(watches: watches, clients: polled, hasListener: listener != nil, patience: patience)
    }

    mutating func end(_ round: Round) {
        let first = round.hasListener ? 2 : 1
        if round.watches[0].canReceive { hear() }
        if first > 1, round.watches[1].canReceive { admit() }
        for (watch, number) in zip(round.watches[first...], round.clients) {
            guard let client = clients[number] else { continue }
            if watch.canSend { unsent.insert(number) }
            if watch.canReceive { receive(from: client, watch.socket) }
        }
        let goOn = goingOn
        goingOn = []
        for asking in goOn { self.goOn(asking) }
        settle()
    }

    /// What follows from what was heard.
    private mutating func settle() {
        lookForAwaited()
        dismissSilent()
        passPresenters()
        lookWhoIsWaitedFor()
        sendAll()
        server.note(waiting: table.waiting.count)
    }

    /// The serving thread is to look again before somebody else's word wakes it.
    private var needsRound: Bool { course.state.isEnding || !unsent.isEmpty || patience != nil || clients.values.contains(where: \.isStuck) }

    /// Nobody who waits for presenters is left waiting, and nobody of this process for an answer.
    mutating func abandon() {
        presenters.end()
        for asking in goingOn + answered + presenters.takeSettled() { asking.done?() }
    }

    mutating func hangUp() {
        for client in clients.values { if case .own(let hear) = client.line { hear(nil) } }
        clients = [:]
    }

    // MARK: Those of this process

    /// nil where nobody is admitted any more.
    mutating func admit(_ hear: @escaping @Sendable (CoordinationAnswer?) -> Void) -> Int? {
        guard !course.state.isEnding, clients.count < Self.mostClients else { return nil }
        let client = add(.own(hear), of: getpid())
        client.version = CoordinationProtocol.version
        return client.number
    }

    /// Answers whether the serving thread has something to do.
    mutating func hear(_ request: CoordinationRequest, from number: Int) -> Bool {
        guard let client = clients[number] else { return false }
        if !answer(request, of: client) { dismiss(client) }
        settle()
        return needsRound
    }

    mutating func dismiss(_ number: Int) -> Bool {
        guard let client = clients[number] else { return false }
        dismiss(client)
        settle()
        return needsRound
    }

    private var patience: Int64? {
        guard answered.isEmpty, goingOn.isEmpty else { return 0 }
        let ends = [course.state == .leavingAfterAll ? lastEnd : nil, presenters.next, awaited.isEmpty ? nil : Monotonic.milliseconds + Self.nextLook]
        let greetings = clients.values.lazy.filter { $0.version == nil }.map(\.lastGreeting).min()
        return (ends + [greetings]).compactMap(\.self).min().map { max(0, $0 - Monotonic.milliseconds) }
    }

    // MARK: Comings and goings

    private mutating func admit() {
        while let listener {
            let socket: LocalSocket?
            do throws(Errno) { socket = try listener.accept() } catch { return }
            guard let socket else { return }
            admit(socket)
        }
    }

    private mutating func admit(_ socket: LocalSocket) {
        // The folder lets in nobody else; this holds also where its permissions were changed.
        guard clients.count < Self.mostClients, let peer = try? socket.peer(), peer.user == geteuid() || peer.user == 0 else { return }
        _ = add(.socket(socket), of: peer.process)
    }

    private mutating func add(_ line: ClaimClient.Line, of process: Int32) -> ClaimClient {
        lastNumber += 1
        let client = ClaimClient(lastNumber, line, of: process, lastGreeting: Monotonic.milliseconds + server.patience.greeting)
        clients[lastNumber] = client
        server.note(clients: clients.count)
        return client
    }

    /// A client that goes, whether it says so or dies, gives up all of its claims.
    private mutating func dismiss(_ client: ClaimClient) {
        guard clients.removeValue(forKey: client.number) != nil else { return }
        switch client.line {
        case .socket(let socket): socket.shutDown()
        case .own(let hear): hear(nil)
        }
        unsent.remove(client.number)
        presenters.dismiss(client.number, client.presents)
        if !client.presents.isEmpty { notePresented() }
        let claims = client.claims.values
        client.claims = [:]
        for claim in claims { end(claim) }
        if wanters.remove(client.number) != nil, wanters.isEmpty { wanterGone() }
        server.note(clients: clients.count)
    }

    /// There is room for so many connections: one that never greets keeps no program out.
    private mutating func dismissSilent() {
        let now = Monotonic.milliseconds
        for client in clients.values where client.version == nil && now >= client.lastGreeting { dismiss(client) }
    }

    private mutating func receive(from client: ClaimClient, _ socket: LocalSocket) {
        let count: Int?
        do throws(Errno) { count = try socket.receive(into: &scratch) } catch { return dismiss(client) }
        guard let count else { return }
        guard count > 0 else { return dismiss(client) }
        client.input.add(scratch[..<count])
        if !client.presents.isEmpty { presenters.heard(client.number, at: Monotonic.milliseconds) }
        // What one of its messages led to may have ended it.
        while clients[client.number] != nil {
            switch client.input.next() {
            case .message(let message):
                guard let request = CoordinationRequest(message), answer(request, of: client) else { return dismiss(client) }
            case .incomplete: return
            case .nonsense: return dismiss(client)
            }
        }
    }

    mutating func say(_ answer: CoordinationAnswer, to client: ClaimClient) {
        if case .own(let hear) = client.line {
            // A process that asks itself whether it is there knows.
            if case .areYouThere = answer { presenters.heard(client.number, at: Monotonic.milliseconds) } else { hear(answer) }
            return
        }
        client.output += answer.bytes
        unsent.insert(client.number)
    }

    /// All that a client is told in one round goes out at once.
    private mutating func sendAll() {
        for number in unsent {
            guard let client = clients[number], !client.output.isEmpty, let socket = client.socket else { continue }
            let sent: Int
            do throws(Errno) { sent = try socket.send(client.output[...]) } catch {
                guard error.isShortageForNow else {
                    dismiss(client)
                    continue
                }
                // The next round says it again. Whoever it is for is there, and perhaps in a claim: if that ended with the connection, somebody else
                // would get it meanwhile.
                client.isStuck = true
                usleep(1000)
                continue
            }
            client.isStuck = sent < client.output.count
            if client.isStuck { client.output.removeFirst(sent) } else { client.output.removeAll(keepingCapacity: true) }
            // What one that does not read is told is not kept for ever.
            if client.output.count > Self.mostUnsent { dismiss(client) }
        }
        // What dismissing led to is told in the next round, which begins at once: those clients have room.
        unsent = unsent.filter { clients[$0].map { !$0.output.isEmpty && !$0.isStuck } ?? false }
        if !unsent.isEmpty { sendAll() }
    }

    // MARK: Claims

    /// False for what no honest client says.
    private mutating func answer(_ request: CoordinationRequest, of client: ClaimClient) -> Bool {
        guard let version = client.version else {
            guard case .hello(let version) = request, version > 0 else { return false }
            client.version = min(version, CoordinationProtocol.version)
            say(.hello(version: min(version, CoordinationProtocol.version)), to: client)
            return true
        }
        guard request.version <= version else { return false }
        switch request {
        case .hello: return false
        case .claim(let id, let items, let throughDrive, let presenter):
            guard client.claims[id] == nil else { return false }
            if !throughDrive, let reason = server.misnaming {
                say(.refused(id, .stale, reason), to: client)
                return true
            }
            // Whoever only reads finds by himself what is there.
            if items.contains(where: \.purpose.isWriting) {
                if let refusal = server.refusal {
                    say(.refused(id, refusal.errno, refusal.sentence), to: client)
                    return true
                }
                if server.isOutdated(foreign: client.socket != nil) { stop(until: nil) }
            }
            begin(Claim(items, client: client.number, id, throughDrive: throughDrive, presenter: presenter), of: client)
        case .resume(let token, let id, let items, let throughDrive, let presenter):
            guard client.claims[id] == nil else { return false }
            resume(Claim(items, client: client.number, id, throughDrive: throughDrive, presenter: presenter), token, of: client)
        case .holders(let id):
            guard let claim = client.claims[id], !claim.isGranted else { break }
            say(.held(id, by: holders(whileWaiting: claim)), to: client)
        case .release(let id):
            // It may have been refused just now.
            if let claim = client.claims.removeValue(forKey: id) { end(claim) }
        case .moved(let id, let from, let to):
            guard let claim = client.claims[id], claim.isGranted, claim.items.contains(where: { $0.purpose.isWriting && from.isInside($0.path) }) else { return false }
            noteMove(from, to, in: claim)
            follow(from, to, in: claim)
        case .left(let id, let from, let place):
            guard let claim = client.claims[id], claim.isGranted, claim.items.contains(where: { $0.purpose.isWriting && from.isInside($0.path) }) else { return false }
            presenters.leave(from, to: place, except: claim.presenter)
            claim.left.append(from)
        case .decide(let id, let index, let decision):
            guard let claim = client.writingClaim(id, of: index) else { return false }
            decide(decision, on: claim.items[Int(index)].path, claim.key)
        case .save(let id, let index, let staged):
            guard let claim = client.writingClaim(id, of: index) else { return false }
            save(staged, at: claim.items[Int(index)].path, claim.key, claim.presenter)
        case .adopt(let id, let index, let adoption):
            guard let claim = client.writingClaim(id, of: index), adopt(adoption, of: Int(index), in: claim) else {
                return false
            }
        case .present(let number, let name, let path):
            guard client.presents.insert(number).inserted else { return false }
            client.program = Claimants.program(ofPresenter: name)
            let presenter = PresenterTable.Presenter(name: name, process: client.process, path: path)
            guard presenters.add(number, of: client.number, presenter, ofClient: client.presents.count) else { return true }
            notePresented()
            // What others do with it from the answer on is noticed.
            if !follow(path, then: .noticed(client: client.number, number)) { presenters.sayPresented(number, to: client.number) }
        case .withdraw(let number):
            guard client.presents.remove(number) != nil else { return false }
            presenters.remove(PresenterTable.Key(client: client.number, number: number))
            notePresented()
        case .answer(let question, let errno): presenters.answered(question, by: client.number, errno)
        // And said when it has said what it presents.
        case .here: if let program = client.program { haveCome(Claimants.token(ofPresenters: program)) }
        case .search(let search):
            guard client.claims.isEmpty, client.presents.isEmpty, let presenter = server.presenter, let socket = client.socket else { return false }
            // From here on the connection is the search's.
            clients[client.number] = nil
            unsent.remove(client.number)
            server.note(clients: clients.count)
            presenter.answer(search, SearchAnswer(socket, after: client.output))
        // A drive keeps what it has.
        case .yieldLock: if server.presenter == nil, wanters.insert(client.number).inserted { course.handle(.lockWanted) }
        }
        return true
    }

    /// The programs whose claims a claim waits for.
    private func holders(whileWaiting claim: Claim) -> [Int32] {
        let holding = clients.values.filter { client in
            client.number != claim.client && client.claims.values.contains { other in
                other.isGranted && other.items.contains { held in claim.items.contains { $0.excludes(held) } }
            }
        }
        return Array(Set(holding.map(\.process)).sorted().prefix(CoordinationProtocol.mostHolders))
    }

    private mutating func begin(_ claim: Claim, of client: ClaimClient) {
        let action = course.handle(.claimCame)
        guard action != .refuse else { return say(.refused(claim.id, .tryAgain, Self.ending), to: client) }
        guard client.claims.count < Self.mostClaims, table.places < Self.mostPlaces else {
            return say(.refused(claim.id, .noMemory, "there are too many claims already"), to: client)
        }
        client.claims[claim.id] = claim
        if action == .setAside { latecomers.append(claim) } else { enter(claim) }
    }

    mutating func enter(_ claim: Claim) {
        if let presenter = claim.presenter, inner.enter(claim, among: presenters.claims(waitingFor: presenter)) { return settleInner() }
        if table.enter(claim) { grant([claim]) }
    }

    static let ending = "whoever coordinated is about to end"

    /// They have their places: their clients are told, once the presenter has saved what is open of them.
    private mutating func grant(_ claims: [Claim]) {
        for claim in claims {
            let asking = PresenterQuestions.Asking(for: claim)
            guard !presenters.ask(claim.items, for: asking, except: claim.presenter, process: nil, at: Monotonic.milliseconds) else {
                claim.isPrepared = false
                continue
            }
            prepare(claim)
        }
    }

    /// Other programs have saved what they have open of its items. Now the drive, where there is one.
    private mutating func prepare(_ claim: Claim) {
        guard let presenter = server.presenter, presenter.isConcerned(by: claim.items) else { return tellGranted(claim) }
        claim.isPrepared = false
        let items = claim.items, key = claim.key, server = server
        server.errands.async {
            presenter.prepare(for: items)
            server.send(.prepared(key))
        }
    }

    mutating func tellGranted(_ claim: Claim) {
        guard let client = clients[claim.client], !inner.keepsBack(claim) else { return }
        let action = course.handle(inner.contains(claim) ? .innerTurnCame : .turnCame)
        if action == .holdBack { heldBack.append(claim) } else if action == .tell { tell(granted: claim, to: client) }
    }

    mutating func tell(granted claim: Claim, to client: ClaimClient) {
        claim.isGranted = true
        if !claim.throughDrive { server.noteGranted(claim.key, claim.items) }
        say(.granted(claim.id, claim.hasMoved ? claim.items.map(\.path) : []), to: client)
    }

    mutating func end(_ claim: Claim) {
        guard following[claim.key] == nil else { return givenUp[claim.key] = claim }
        if claim.isGranted {
            server.noteEnded(claim.key)
            let written = claim.items.filter(\.purpose.isWriting)
            if let presenter = server.presenter, !written.isEmpty { server.noteWritten(written, presenter) }
        }
        presenters.over(claim)
        if claim.isGranted { tellWritten(claim) }
        let wasInner = inner.leave(claim)
        grant(table.leave(claim))
        if wasInner || !inner.isEmpty { settleInner() }
    }

    // MARK: Who presents

    private func notePresented() { server.note(presented: presenters.table.paths) }

    /// Those who present its items hear that they were written, or are gone.
    private func tellWritten(_ claim: Claim) {
        for item in claim.items where item.purpose.isWriting && !presenters.table.concerned(by: item).isEmpty {
            // What was moved has been told so: it is not gone, nor another one at its new place.
            guard !claim.moves.contains(where: { item.path == $0.new }) else { continue }
            // What is removed through the drive, the drive says; a new document has another name there.
            let wentElsewhere = (claim.moves.map(\.old) + claim.left).contains { item.path.isInside($0) }
            server.lookAgain(at: item.path, for: claim.presenter, tellsRemoval: !wentElsewhere && !claim.throughDrive)
        }
    }

    mutating func move(_ old: ItemPath, _ new: ItemPath, knowing known: Set<ItemPath>? = nil, except presenter: UInt64?) {
        grant(table.move(from: old, to: new))
        guard presenters.table.count > 0 else { return }
        presenters.move(from: old, to: new, except: presenter, at: Monotonic.milliseconds)
        notePresented()
        if !presenters.table.concerned(by: ClaimedItem(new, .moving)).isEmpty { _ = follow(new, knowing: known) }
    }

    private mutating func goOn(_ asking: PresenterQuestions.Asking) {
        if let done = asking.done { done() }
        // The claim may have ended meanwhile.
        guard let claim = asking.claim, clients[claim.client]?.claims[claim.id] === claim else { return }
        prepare(claim)
        settleInner()
    }

    private mutating func passPresenters() {
        presenters.pass(Monotonic.milliseconds)
        answered += presenters.takeSettled()
        for (number, word) in presenters.takeWords() { if let client = clients[number] { say(word.told(in: client.version ?? 1), to: client) } }
        server.note(presenters.takeNotices(), asked: presenters.asked)
    }

    /// Claims of presenters that are asked come before the claims that they are asked for.
    private mutating func settleInner() {
        guard !inner.isEmpty else { return }
        for claim in inner.takeLate({ presenters.claims(waitingFor: $0) }) where table.enter(claim) { grant([claim]) }
        let granted = clients.values.flatMap { $0.claims.values.filter(\.isGranted) }
        for claim in inner.next(beside: granted) { tellGranted(claim) }
        for claim in inner.takeFreed() { tellGranted(claim) }
    }

    // MARK: What this process says itself

    private mutating func hear() {
        _ = try? bell.receive(into: &scratch)
        for message in server.takeMessages() {
            switch message {
            case .prepared(let key):
                // The claim has ended or was given up meanwhile.
                let claim = clients[key.client]?.claims[key.claim]
                if let claim, !claim.isGranted, !claim.isPrepared { tellGranted(claim) }
            case .moved(let from, let to, let known): move(from, to, knowing: known, except: nil)
            case .ask(let number, let item, let process, let done):
                let asking = PresenterQuestions.Asking(done)
                if presenters.ask([item], for: asking, except: nil, process: process, at: Monotonic.milliseconds) { ownAskings[number, default: []].append(asking) } else { done() }
            case .over(let number): for asking in ownAskings.removeValue(forKey: number) ?? [] { presenters.over(asking) }
            case .event(let event, let item, let presenter, let status): presenters.tell(event, item, as: status, except: presenter)
            case .decided(let key, let fault, let text): tellDecided(key, fault, text)
            case .followed(let key): hasFollowed(key)
            case .adoptedMove(let key, let old, let new): noteMove(old, new, in: clients[key.client]?.claims[key.claim])
            case .noticed(let client, let number): presenters.sayPresented(number, to: client)
            case .stop(let until): stop(until: until)
            }
        }
    }

    /// Nothing begins any more: who waits for a claim asks whoever comes next.
    mutating func refuseWaiting() {
        listener = nil
        for client in clients.values {
            for claim in client.claims.values where !claim.isGranted {
                client.claims[claim.id] = nil
                end(claim)
                say(.refused(claim.id, .tryAgain, Self.ending), to: client)
            }
        }
        sendAll()
    }
}
