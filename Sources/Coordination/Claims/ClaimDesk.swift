import Containers
import Glibc
import LinuxFiles

/// What the serving thread has: the connections, and the table of claims. Nobody else touches it.
struct ClaimDesk {
    // A stranger may ask for much; so much of it is remembered.
    private static let mostClients = 256, mostClaims = 1024, mostPlaces = 500_000, mostUnsent = 1 << 20

    private final class Client {
        let number: Int
        let socket: LocalSocket
        var input = MessageBuffer()
        var output: [UInt8] = []
        var claims: [UInt32: Claim] = [:]
        /// Which it speaks; nil before it has said that.
        var version: UInt16?
        let process: Int32
        /// The numbers under which it presents something.
        var presents: Set<UInt32> = []
        /// Its side of the connection is full.
        var isStuck = false

        init(_ number: Int, _ socket: LocalSocket, of process: Int32) {
            self.process = process
            self.number = number
            self.socket = socket
        }
    }

    private let server: CoordinationServer
    private var listener: LocalSocket?
    private let bell: LocalSocket
    private var table = ClaimTable()
    private var presenters: PresenterDesk
    private var inner = InnerClaims()
    /// Those whom all have answered. What they did before they answered is heard of by the next round, and then these go on.
    private var answered: [PresenterDesk.Asking] = []
    private var clients: [Int: Client] = [:]
    private var lastNumber = 0
    private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Clients that have something to be sent.
    private var unsent: Set<Int> = []
    private var isStopping = false
    /// Who asked for the container's lock, and waits for it. Nothing is granted meanwhile.
    private var successor: Int? { didSet { server.note(isAskedForLock: successor != nil) } }
    private var heldBack: [Claim] = []
    private var deadline: Int64?

    init(_ server: CoordinationServer, _ listener: LocalSocket?, bell: LocalSocket) {
        self.server = server
        self.listener = listener
        self.bell = bell
        presenters = PresenterDesk(server.patience)
    }

    mutating func serve() {
        while !(isStopping && (!hasGranted || Monotonic.milliseconds >= deadline ?? .max)) {
            let polled = Array(clients.values)
            var watches = [LocalSocket.Watch(bell)] + (listener.map { [LocalSocket.Watch($0)] } ?? [])
            let first = watches.count
            for client in polled { watches.append(LocalSocket.Watch(client.socket, wantsToSend: client.isStuck)) }
            let goOn = answered, patience = patience
            answered = []
            guard (try? LocalSocket.wait(&watches, milliseconds: patience)) != nil else { return }
            if watches[0].canReceive { hear() }
            if first > 1, watches[1].canReceive { admit() }
            for (watch, client) in zip(watches[first...], polled) {
                if watch.canSend { unsent.insert(client.number) }
                if watch.canReceive { receive(from: client) }
            }
            for asking in goOn { self.goOn(asking) }
            passPresenters()
            if successor != nil, !isStopping, !hasGranted { makeRoom() }
            sendAll()
            server.note(waiting: table.waiting.count)
        }
    }

    /// Nobody who waits for presenters is left waiting.
    mutating func abandon() {
        presenters.end()
        for asking in answered + presenters.takeSettled() { asking.done?() }
    }

    private var patience: Int64? {
        guard answered.isEmpty else { return 0 }
        return [deadline, presenters.next].compactMap(\.self).min().map { max(0, $0 - Monotonic.milliseconds) }
    }

    private var hasGranted: Bool { clients.values.contains { $0.claims.values.contains(where: \.isGranted) } }

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
        lastNumber += 1
        clients[lastNumber] = Client(lastNumber, socket, of: peer.process)
        server.note(clients: clients.count)
    }

    /// A client that goes, whether it says so or dies, gives up all of its claims.
    private mutating func dismiss(_ client: Client) {
        guard clients.removeValue(forKey: client.number) != nil else { return }
        client.socket.shutDown()
        unsent.remove(client.number)
        presenters.dismiss(client.number, client.presents)
        if !client.presents.isEmpty { notePresented() }
        let claims = client.claims.values
        client.claims = [:]
        for claim in claims { end(claim) }
        if successor == client.number { goOnServing() }
        server.note(clients: clients.count)
    }

    private mutating func receive(from client: Client) {
        let count: Int?
        do throws(Errno) { count = try client.socket.receive(into: &scratch) } catch { return dismiss(client) }
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

    private mutating func say(_ answer: CoordinationAnswer, to client: Client) {
        client.output += answer.bytes
        unsent.insert(client.number)
    }

    /// All that a client is told in one round goes out at once.
    private mutating func sendAll() {
        for number in unsent {
            guard let client = clients[number], !client.output.isEmpty else { continue }
            let sent: Int
            do throws(Errno) { sent = try client.socket.send(client.output[...]) } catch {
                dismiss(client)
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
    private mutating func answer(_ request: CoordinationRequest, of client: Client) -> Bool {
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
            begin(Claim(items, client: client.number, id, throughDrive: throughDrive, presenter: presenter), of: client)
        case .release(let id):
            // It may have been refused just now.
            if let claim = client.claims.removeValue(forKey: id) { end(claim) }
        case .moved(let id, let from, let to):
            guard let claim = client.claims[id], claim.isGranted, claim.items.contains(where: { $0.purpose.isWriting && from.isInside($0.path) }) else { return false }
            move(from, to, except: claim.presenter)
        case .decide(let id, let index, let decision):
            guard let claim = client.claims[id], claim.isGranted, claim.items.indices.contains(Int(index)), claim.items[Int(index)].purpose.isWriting
            else { return false }
            decide(decision, on: claim.items[Int(index)].path, claim.key)
        case .save(let id, let index, let staged):
            guard let claim = client.claims[id], claim.isGranted, claim.items.indices.contains(Int(index)), claim.items[Int(index)].purpose.isWriting
            else { return false }
            save(staged, at: claim.items[Int(index)].path, claim.key, claim.presenter)
        case .present(let number, let name, let path):
            guard client.presents.insert(number).inserted else { return false }
            presenters.add(number, of: client.number, PresenterTable.Presenter(name: name, process: client.process, path: path), ofClient: client.presents.count)
            notePresented()
        case .withdraw(let number):
            guard client.presents.remove(number) != nil else { return false }
            presenters.remove(PresenterTable.Key(client: client.number, number: number))
            notePresented()
        case .answer(let question, let errno): presenters.answered(question, by: client.number, errno)
        case .here: break
        case .search(let search):
            guard client.claims.isEmpty, client.presents.isEmpty, let presenter = server.presenter else { return false }
            // From here on the connection is the search's.
            clients[client.number] = nil
            unsent.remove(client.number)
            server.note(clients: clients.count)
            presenter.answer(search, SearchAnswer(client.socket, after: client.output))
        // A drive keeps what it has.
        case .makeRoom: if server.presenter == nil, !isStopping { successor = successor ?? client.number }
        }
        return true
    }

    /// Takes its time, and is answered then.
    private func decide(_ decision: VersionDecision, on item: ItemPath, _ key: Claim.Key) {
        let server = server
        server.errands.async {
            do throws(SaveFault) {
                try server.decide(decision, on: item)
                server.send(.decided(key, nil, ""))
                if server.hasPresenters { server.send(.told(decision.event, item, nil)) }
            } catch { server.send(.decided(key, error, "")) }
        }
    }

    private func save(_ staged: StagedItem, at item: ItemPath, _ key: Claim.Key, _ presenter: UInt64?) {
        let server = server
        server.errands.async {
            do throws(SaveFault) {
                let outcome = try server.save(staged, at: item)
                // Whoever saved it hears that from the answer.
                if outcome == .conflict, server.hasPresenters { server.send(.told(.gainedConflict, item, presenter)) }
                server.send(.decided(key, nil, outcome == .conflict ? CoordinationProtocol.conflict : ""))
            } catch { server.send(.decided(key, error, "")) }
        }
    }

    private mutating func tellDecided(_ key: Claim.Key, _ fault: SaveFault?, _ text: String) {
        // Gone meanwhile.
        guard let client = clients[key.client] else { return }
        switch fault {
        case nil: say(.decided(key.claim, nil, text), to: client)
        case .failed(let errno): say(.decided(key.claim, errno, "\(errno)"), to: client)
        case .unfit(let reason): say(.decided(key.claim, .invalid, reason), to: client)
        }
    }

    private mutating func begin(_ claim: Claim, of client: Client) {
        guard !isStopping else { return say(.refused(claim.id, .tryAgain, Self.ending), to: client) }
        guard client.claims.count < Self.mostClaims, table.places < Self.mostPlaces else {
            return say(.refused(claim.id, .noMemory, "there are too many claims already"), to: client)
        }
        client.claims[claim.id] = claim
        if let presenter = claim.presenter, inner.enter(claim, among: presenters.claims(waitingFor: presenter)) { return settleInner() }
        if table.enter(claim) { grant([claim]) }
    }

    private static let ending = "whoever coordinated is about to end"

    /// They have their places: their clients are told, once the presenter has saved what is open of them.
    private mutating func grant(_ claims: [Claim]) {
        for claim in claims {
            let asking = PresenterDesk.Asking(for: claim)
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

    private mutating func tellGranted(_ claim: Claim) {
        guard let client = clients[claim.client], !inner.keepsBack(claim) else { return }
        guard successor == nil || inner.contains(claim) else { return heldBack.append(claim) }
        claim.isGranted = true
        if server.presenter != nil, !claim.throughDrive { server.noteGranted(claim.key, claim.items) }
        say(.granted(claim.id, claim.hasMoved ? claim.items.map(\.path) : []), to: client)
    }

    private mutating func end(_ claim: Claim) {
        if claim.isGranted, let presenter = server.presenter {
            server.noteEnded(claim.key)
            let written = claim.items.filter(\.purpose.isWriting)
            if !written.isEmpty { server.noteWritten(written, presenter) }
        }
        presenters.over(claim)
        if claim.isGranted { tellWritten(claim) }
        let wasInner = inner.leave(claim)
        grant(table.leave(claim))
        if wasInner || !inner.isEmpty { settleInner() }
    }

    // MARK: Whoever serves next

    /// Nothing is granted any more: whoever waits asks the next one.
    private mutating func makeRoom() {
        server.endListening()
        stop(nil)
    }

    /// The one who asked is gone: those who would have had their claims have them.
    private mutating func goOnServing() {
        successor = nil
        guard !isStopping else { return }
        let claims = heldBack
        heldBack = []
        for claim in claims where clients[claim.client]?.claims[claim.id] === claim { tellGranted(claim) }
    }

    // MARK: Who presents

    private func notePresented() { server.note(presented: presenters.table.paths) }

    /// Those who present its items hear that they were written, or are gone.
    private func tellWritten(_ claim: Claim) {
        for item in claim.items where item.purpose.isWriting && !presenters.table.concerned(by: item).isEmpty { server.lookAgain(at: item.path, for: claim.presenter) }
    }

    private mutating func move(_ old: ItemPath, _ new: ItemPath, except presenter: UInt64?) {
        grant(table.move(from: old, to: new))
        guard presenters.table.count > 0 else { return }
        presenters.move(from: old, to: new, except: presenter)
        notePresented()
    }

    private mutating func goOn(_ asking: PresenterDesk.Asking) {
        if let done = asking.done { done() }
        // It may have ended meanwhile.
        guard let claim = asking.claim, clients[claim.client]?.claims[claim.id] === claim else { return }
        prepare(claim)
        settleInner()
    }

    private mutating func passPresenters() {
        presenters.pass(Monotonic.milliseconds)
        answered += presenters.takeSettled()
        for (number, word) in presenters.takeWords() { if let client = clients[number] { say(word, to: client) } }
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
                // Gone meanwhile, or given up.
                let claim = clients[key.client]?.claims[key.claim]
                if let claim, !claim.isGranted, !claim.isPrepared { tellGranted(claim) }
            case .moved(let from, let to): move(from, to, except: nil)
            case .ask(let item, let process, let done):
                let asking = PresenterDesk.Asking(done)
                if !presenters.ask([item], for: asking, except: nil, process: process, at: Monotonic.milliseconds) { done() }
            case .told(let event, let item, let presenter): presenters.tell(event, item, except: presenter)
            case .decided(let key, let fault, let text): tellDecided(key, fault, text)
            case .stop(let until): stop(until)
            case .join(let socket): admit(socket)
            }
        }
    }

    private mutating func stop(_ until: Int64?) {
        isStopping = true
        deadline = until
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
