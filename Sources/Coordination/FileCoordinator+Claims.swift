import Containers
import Glibc
import LinuxFiles

/// What a coordinator has going on.
struct CoordinatorDesk {
    /// As it was opened last.
    var container: Container
    /// Connections that nobody uses now.
    var idle: [any ClaimConnection] = []
    var waiting: [ObjectIdentifier: any ClaimConnection] = [:]
    /// Claims that are asked for or were granted, by the numbers of their connections.
    var claims: [UInt64: (claim: HeldClaim, ownServer: ObjectIdentifier?)] = [:]
    /// How often `cancel` was called: whoever began to wait before gives up.
    var cancellations = 0
    /// While this process serves the container itself.
    var server: CoordinationServer?
    /// Once there was a claim of whoever served in another process.
    var claimants: Claimants?
    var ends: ConnectionEnds?
}

extension FileCoordinator {
    /// What each thread of this process has claimed, to notice one that would wait for itself.
    private static let byThread = Locked<[UInt: [ClaimedItem]]>([:])

    /// `presenter`: by whom it is made, where that is not whoever makes all claims of this object. `wait` is for giving it up.
    func claim(
        _ items: [ClaimedItem], _ timeout: Duration?, throughDrive: Bool, as presenter: UInt64? = nil, _ wait: ClaimWait = ClaimWait()
    ) throws(Failure) -> HeldClaim {
        try checkOwnClaims(against: items)
        let deadline = timeout.map { Monotonic.milliseconds + min(max($0.components.seconds, 0), 1 << 40) * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 }
        let cancellations = desk.withLock { $0.cancellations }
        var waits = waits
        while true {
            checkReading(items)
            let connection = try connection(before: deadline, items, cancellations)
            guard wait.begin(connection) else {
                doneWaiting(connection)
                throw Self.cancelled(items)
            }
            // Before it is asked for: whoever serves next sees what was granted a moment before the end.
            let token = connection.ownServer == nil ? claimants?.begin() : nil
            let claim = HeldClaim(items, throughDrive: throughDrive, presenter: presenter ?? self.presenter, token, connection)
            register(claim, on: connection)
            var answer = connection.ask(items, throughDrive: throughDrive, presenter: claim.presenter, before: deadline, wait)
            if !wait.end() { answer = .ended }
            doneWaiting(connection)
            switch answer {
            case .granted(let number, let paths):
                if claim.granted(number, paths) == .use {
                    Self.note(claim.items)
                    return claim
                }
            case .refused: _ = claim.handle(.refused)
            case .late, .stopped, .ended: _ = claim.handle(.hungUp)
            }
            forget(connection)
            if let token { claimants?.end(token) }
            switch answer {
            case .refused(let errno, let sentence): throw Failure(errno, "\(named(items)) cannot be \(Self.sayItCannot.contains(errno) ? "written" : "claimed"): \(sentence)")
            case .late: throw Failure(.timedOut, "\(named(items)) was in use by other programs for longer than was to be waited")
            case .stopped(let failure): throw unanswered(failure, items)
            case .granted, .ended:
                // Cancelled, or whoever served is gone: somebody else will.
                try checkCancelled(since: cancellations, items)
                guard !wait.isCancelled else { throw Self.cancelled(items) }
                guard waits.wait() else { throw Failure(.notConnected, "\(named(items)) cannot be claimed: whoever serves “\(container.path)” hangs up each time") }
            }
        }
    }

    /// Before anything is asked by it: its end is not missed.
    func register(_ claim: HeldClaim, on connection: any ClaimConnection) {
        desk.withLock { $0.claims[connection.number] = (claim, connection.ownServer) }
    }

    func forget(_ connection: any ClaimConnection) {
        desk.withLock { _ = $0.claims.removeValue(forKey: connection.number) }
    }

    func give(_ claim: HeldClaim, claimedBy thread: UInt = thisThread()) {
        Self.forget(claim.items, claimedBy: thread)
        let isGood = claim.handle(.givenUp) == .release, way = claim.way, token = claim.token
        if isGood { way.connection.tell(.release(way.number)) }
        desk.withLock { desk in
            if desk.claims.removeValue(forKey: way.connection.number) != nil, isGood { desk.idle.append(way.connection) }
            if let token { desk.claimants?.end(token) }
        }
    }

    /// Ends the serving, once those who have claims have given them up. Happens by itself when this object goes; a
    /// program that keeps it to its end calls this before.
    public func close() {
        let server = desk.withLock { desk in
            desk.idle = []
            defer { desk.server = nil }
            return desk.server
        }
        server?.stop(waiting: nil)
    }

    private func doneWaiting(_ connection: any ClaimConnection) {
        desk.withLock { $0.waiting[ObjectIdentifier(connection)] = nil }
    }

    private func checkCancelled(since cancellations: Int, _ items: [ClaimedItem]) throws(Failure) {
        guard desk.withLock({ $0.cancellations }) == cancellations else { throw Self.cancelled(items) }
    }

    private static func cancelled(_ items: [ClaimedItem]) -> Failure { Failure(Errno(rawValue: ECANCELED), "waiting for “\(items[0].path)” was cancelled") }

    // MARK: Connections

    private func connection(before deadline: Int64?, _ items: [ClaimedItem], _ cancellations: Int) throws(Failure) -> any ClaimConnection {
        var tries = 0, silent: SilentServer?
        while true {
            try checkCancelled(since: cancellations, items)
            let idle = desk.withLock { desk in
                let idle = desk.idle.popLast()
                if let idle { desk.waiting[ObjectIdentifier(idle)] = idle }
                return idle
            }
            if let idle { return idle }
            if let new = try newConnection() {
                desk.withLock { $0.waiting[ObjectIdentifier(new)] = new }
                return new
            }
            if let deadline, Monotonic.milliseconds >= deadline {
                throw Failure(.timedOut, "“\(container.path)” is used by a program that does not coordinate (\(ContainerLock.holder(of: container) ?? "it is gone now"))")
            }
            try checkReachable(&tries, &silent, items)
            usleep(5000)
        }
    }

    /// Whoever has the container may be about to serve, or to end. Where it never can, or is stopped, nobody waits for that.
    private func checkReachable(_ tries: inout Int, _ silent: inout SilentServer?, _ items: [ClaimedItem]) throws(Failure) {
        tries += 1
        if tries % 400 == 0 {
            if silent == nil { silent = SilentServer(of: container) }
            if let failure = silent?.look() { throw unanswered(failure, items) }
        }
        guard tries == 100, let holder = ContainerLock.holder(of: container), CoordinationServer.isUnreachable(container) else { return }
        throw Failure(
            .noSuchDevice, "“\(container.path)” lies on a file system without sockets, so that whoever uses it cannot be asked: \(holder); try again when that has ended")
    }

    /// For sentences; of all that a container has, the container.
    private func named(_ items: [ClaimedItem]) -> String { "“\(items[0].path.names.isEmpty ? container.path : "\(items[0].path)")”" }

    /// Whoever is asked does not answer.
    private func unanswered(_ failure: Failure, _ items: [ClaimedItem]) -> Failure {
        Failure(failure.errno, "\(named(items)) cannot be claimed: \(failure.sentence)", cause: failure)
    }

    func newConnection() throws(Failure) -> (any ClaimConnection)? {
        switch try connectedOrServing() {
        case .other(let socket): return watched(CoordinationConnection(socket, to: container), socket)
        case .this(let server): return OwnConnection(server)
        case nil: return nil
        }
    }

    private func watched(_ connection: CoordinationConnection, _ socket: LocalSocket) -> CoordinationConnection {
        let new: ConnectionEnds? = desk.withLock { desk in
            if desk.claimants == nil { desk.claimants = Claimants(of: desk.container) }
            let isFirst = desk.ends == nil
            if isFirst { desk.ends = try? ConnectionEnds() }
            try? desk.ends?.add(socket, as: connection.number)
            return isFirst ? desk.ends : nil
        }
        if let new { BackgroundThread.start { [weak self] in while let number = new.next() { self?.connectionEnded(number) } } }
        return connection
    }

    private var claimants: Claimants? { desk.withLock { $0.claimants } }

    /// The process that serves the container's claims.
    enum Serving {
        case other(LocalSocket)
        case this(CoordinationServer)
    }

    /// A connection to whoever serves, which is this process where nobody else does. Nil where that is to be tried again in a moment.
    func connectedOrServing() throws(Failure) -> Serving? {
        if let server = desk.withLock({ $0.server }), !server.hasEnded { return .this(server) }
        try followDocuments()
        do throws(Errno) { return .other(try container.connectionToWriter()) } catch {
            if error == .tryAgain { return nil }
            let isRefused = [.notPermitted, .accessDenied].contains(error)
            guard isRefused || [.noSuchEntry, Errno(rawValue: ECONNREFUSED)].contains(error) else {
                throw Failure(error, "whoever writes in “\(container.path)” cannot be asked: \(error)", cause: error)
            }
            if let server = try serve() { return .this(server) }
            guard isRefused else { return nil }
            let failure = Failure(error, "whoever writes there takes nothing from this user: \(error)", cause: error)
            return .this(try desk.withLock { (desk) throws(Failure) in try serveReading(failure, &desk) })
        }
    }

    // MARK: Where this process cannot write

    /// Why nothing can be claimed for writing; nil where it can, or where nobody has asked for a claim yet.
    package var refusal: Failure? {
        desk.withLock { desk in desk.server.flatMap { $0.hasEnded ? nil : $0.refusal } }
    }

    private static let sayItCannot: Set<Errno> = [.readOnly, .accessDenied, .notPermitted]

    /// What is only read is claimed all the same, from this process itself.
    private func serveReading(_ failure: Failure, _ desk: inout CoordinatorDesk) throws(Failure) -> CoordinationServer {
        let container = desk.container
        let why =
            if failure.errno == .readOnly { "is read-only: it lies on a read-only file system" } else if (try? container.base.descriptor.check(.write)) == nil {
                "is read-only for this user, who may not write in it"
            } else { "is read-only here: \(failure.sentence)" }
        let refusal = Failure(failure.errno, "“\(container.path)” \(why)", cause: failure.cause)
        let server = try CoordinationServer(reading: container, refusal: refusal, own: ownClaims)
        desk.server = server
        return server
    }

    private var ownClaims: CoordinationServer.OwnClaims {
        CoordinationServer.OwnClaims(note: { [weak self] in self?.noteClaims(by: $0) }, resume: { [weak self] in self?.resumeClaims(by: $0) })
    }

    /// While this process only reads there: whether somebody serves by now who can be asked, or what is to be written can be, is looked at for each claim.
    private func checkReading(_ items: [ClaimedItem]) {
        guard let server = desk.withLock({ $0.server }), server.refusal != nil, !server.hasEnded else { return }
        let container = container
        func mayWrite() -> Bool { items.contains(where: \.purpose.isWriting) && (try? ContainerLock.take(in: container, purpose: "coordinating with other programs")) != nil }
        if (try? container.connectionToWriter()) != nil || mayWrite() { server.stop(waiting: 0) }
    }

    /// Where the documents are in another folder by now, that is the one that counts. Whoever serves lets go when he is asked the next time. While there
    /// are none, whoever serves may take their names for those of other items.
    package func followDocuments() throws(Failure) {
        let container = container
        switch container.documentsNow {
        case .here: return
        case .nowhere: throw Failure(.noSuchEntry, "the documents of “\(container.path)” are gone: their folder “Documents” was removed, or renamed")
        case .elsewhere: break
        }
        let new = try Container.open(container.path, access: .readWrite, creating: [], kinds: PersonsKinds.own.registry)
        desk.withLock { if $0.container === container { $0.container = new } }
    }

    /// Becomes the one who serves, or is it already. Nil where somebody else has the container.
    private func serve() throws(Failure) -> CoordinationServer? {
        // Under the desk's lock, so that two threads of this process do not keep each other from it.
        try desk.withLock { (desk) throws(Failure) in
            if desk.server?.hasEnded == true { desk.server = nil }
            if let server = desk.server { return server }
            // A drive is being mounted.
            guard !AwaitedLock.isHeld(of: desk.container) else { return nil }
            let lock: ContainerLock
            do throws(Failure) { lock = try ContainerLock.take(in: desk.container, purpose: "coordinating with other programs") } catch {
                if error.errno == .tryAgain { return nil }
                guard Self.sayItCannot.contains(error.errno) else { throw error }
                return try serveReading(error, &desk)
            }
            let server = try CoordinationServer(desk.container, lock: lock, presenter: nil, PresenterQuestions.Patience(), own: ownClaims)
            desk.server = server
            return server
        }
    }

    // MARK: One thread's own claims

    static func thisThread() -> UInt { UInt(pthread_self()) }

    private func checkOwnClaims(against items: [ClaimedItem]) throws(Failure) {
        let own = Self.byThread.withLock { $0[Self.thisThread()] } ?? []
        for item in items {
            guard let other = own.first(where: { $0.excludes(item) }) else { continue }
            throw Failure(Errno(rawValue: EDEADLK), "“\(item.path)” would be waited for by the thread that has “\(other.path)” already: claim both at once")
        }
    }

    private static func note(_ items: [ClaimedItem]) { byThread.withLock { $0[thisThread(), default: []] += items } }

    private static func forget(_ items: [ClaimedItem], claimedBy thread: UInt) {
        byThread.withLock { all in
            var own = all[thread] ?? []
            for item in items { if let index = own.firstIndex(of: item) { own.remove(at: index) } }
            all[thread] = own.isEmpty ? nil : own
        }
    }
}

extension ClaimedItem {
    /// Whether the two cannot be claimed at the same time.
    package func excludes(_ other: ClaimedItem) -> Bool {
        if path == other.path { return purpose.isWriting || other.purpose.isWriting }
        if other.path.isInside(path) { return purpose.isDeep && (purpose.isWriting || other.purpose.isWriting) }
        if path.isInside(other.path) { return other.purpose.isDeep && (purpose.isWriting || other.purpose.isWriting) }
        return false
    }
}
