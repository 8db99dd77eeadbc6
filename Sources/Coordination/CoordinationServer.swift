import Containers
import Dispatch
import Glibc
import LinuxFiles
import Synchronization

/// Serves the claims of other processes on a container, in the process that holds its lock.
///
/// One thread for all of them: it waits for whichever has something to say, answers all that came in one go, and never
/// does anything slow. What takes time is the presenter's, on a queue of its own. This process's own claims need no thread: they are
/// granted where they are asked for, if nobody has to be waited for.
public final class CoordinationServer: Sendable {
    /// What other threads of this process tell the one that serves.
    enum Message: Sendable {
        case prepared(Claim.Key)
        /// `knowing`: what was in it where another program has moved it and did not say so.
        case moved(ItemPath, ItemPath, knowing: Set<ItemPath>?)
        case decided(Claim.Key, SaveFault?, String)
        /// An item of a claim was moved, because another computer said so.
        case adoptedMove(Claim.Key, ItemPath, ItemPath)
        /// The versions of what was moved in a claim have gone along.
        case followed(Claim.Key)
        /// What others do with an item is noticed from now on: whoever presents it under this number can go on.
        case noticed(client: Int, UInt32)
        /// Whoever presents it is asked, but for this process. Then `done` is called, on the thread that serves.
        case ask(UInt64, ClaimedItem, process: Int32, done: @Sendable () -> Void)
        /// What they were asked for under this number has ended.
        case over(UInt64)
        /// Something happened to an item that somebody presents, by whoever has this name among the presenters.
        /// `as`: what a file was when that was said.
        case event(PresenterEvent.Kind, ItemPath, UInt64?, as: FileStatus? = nil)
        /// No new claims; ends when those that are granted have ended, or at this moment.
        case stop(until: Int64?)
    }

    struct Desk {
        var messages: [Message] = []
        /// The claims that clients have, which the drive waits for before it saves.
        var granted: [Claim.Key: [ClaimedItem]] = [:]
        var waiters: [DispatchSemaphore] = []
        /// What the presenter has not looked at yet.
        var written: [ClaimedItem] = []
        /// What other programs present.
        var presented: Set<ItemPath> = []
        var lastPassedOver: String?
        /// Claims that whoever served before has granted are not resumed yet: nobody knows which items they are on.
        var isAwaiting = false
        /// Nobody serves any more.
        var isOver = false

        func isPresented(_ path: ItemPath) -> Bool { (0...path.names.count).contains { presented.contains(path.above($0)) } }

        func isClaimed(_ path: ItemPath) -> Bool {
            isAwaiting || granted.values.joined().contains { item in item.path == path || (item.purpose.isDeep && path.isInside(item.path)) }
        }
    }

    let presenter: (any ItemPresenter)?
    let container: Container
    /// nil where nobody else is served.
    private let state: OpenFile?
    /// Why nothing is claimed for writing, where this process cannot write in the container and serves itself alone.
    let refusal: Failure?
    private let bell: LocalSocket
    let desk = Locked(Desk(), .serverDesk)
    let askings = Atomic<UInt64>(0), isAwaitingPresenters = Atomic(false)
    private let clients = Atomic(0), waiting = Atomic(0), presented = Atomic(0), asked = Atomic(0), passedOver = Atomic(0)
    let patience: PresenterQuestions.Patience
    /// nil before it begins and after its end.
    private let claims = Locked<ClaimDesk?>(nil, .claimDesk)
    private let ended = DispatchGroup()
    let errands = DispatchQueue(label: "valise.presenter")
    /// Goes through folders that are presented, which takes as long as they are large: who opens something does not wait for that.
    let followings = DispatchQueue(label: "valise.presented-folders")

    /// Begins to serve. `lock` is kept as long as this is; nil where the caller keeps it. On a store without sockets whoever brings
    /// the lock serves itself alone, and nobody else can be served.
    public convenience init(_ container: Container, lock: ContainerLock? = nil, presenter: (any ItemPresenter)? = nil) throws(Failure) {
        try self.init(container, lock: lock, presenter: presenter, PresenterQuestions.Patience())
    }

    /// This process's own claims, while it serves them itself.
    struct OwnClaims: Sendable {
        /// Before it lets go of the lock: what is to go on is to be seen by whoever serves next.
        let note: @Sendable (CoordinationServer) -> Void
        /// Whoever has some resumes them there.
        let resume: @Sendable (CoordinationServer) -> Void
    }

    convenience init(_ container: Container, lock: ContainerLock?, presenter: (any ItemPresenter)?, _ patience: PresenterQuestions.Patience, own: OwnClaims? = nil) throws(Failure) {
        // Before anybody can connect: who claims something from here on claims it here.
        var course = HandOver(Serving.lookingBack)
        let (claimants, awaited) = try Self.claimants(of: container)
        course.handle(awaited.isEmpty ? .noneFromBefore : .someFromBefore)
        let state: OpenFile, listener: LocalSocket?, bell: (own: LocalSocket, theirs: LocalSocket)
        do throws(Errno) {
            guard let own = try container.ownState() else { throw Errno.noSuchEntry }
            state = own
            // Of a process that ended: whoever has the lock is the only one to serve.
            do throws(Errno) { try state.descriptor.unlink(ContainerLock.socketName) } catch { if error != .noSuchEntry { throw error } }
            let isAlone = lock != nil
            do throws(Errno) { listener = try LocalSocket.listening(in: state.descriptor, as: ContainerLock.socketName) } catch {
                guard isAlone, Self.sayThereAreNone.contains(error) else { throw error }
                // What the store may have made instead.
                try? state.descriptor.unlink(ContainerLock.socketName)
                listener = nil
            }
            bell = try LocalSocket.pair()
        } catch {
            // A store without sockets may have made something else.
            if let state = try? container.base.descriptor.open(container.state.name, [.path, .folder]) { try? state.unlink(ContainerLock.socketName) }
            throw Failure(error, "cannot coordinate with other programs through “\(container.state.fullPath)/coordination”: \(error)", cause: error)
        }
        if course.handle(.listens) == .clearHanded { container.clearHanded() }
        self.init(container, state, Holding(lock: lock), presenter, patience, refusal: nil, bell: bell.own)
        note(awaited)
        claims.withLock { [course] in $0 = ClaimDesk(self, course, listener, bell: bell.theirs, claimants, awaited) }
        begin(own)
    }

    /// For this process's own claims in a container that it cannot write in: nobody has its lock, no other program is served, and nothing of it is changed.
    convenience init(reading container: Container, refusal: Failure, own: OwnClaims) throws(Failure) {
        var course = HandOver(Serving.lookingBack)
        course.handle(.noneFromBefore)
        let bell: (own: LocalSocket, theirs: LocalSocket)
        do throws(Errno) { bell = try LocalSocket.pair() } catch { throw Failure(error, "the claims on “\(container.path)” cannot be kept: \(error)", cause: error) }
        course.handle(.listens)
        self.init(container, nil, Holding(lock: nil, isListening: false), nil, PresenterQuestions.Patience(), refusal: refusal, bell: bell.own)
        claims.withLock { [course] in $0 = ClaimDesk(self, course, nil, bell: bell.theirs, nil, []) }
        begin(own)
    }

    private init(
        _ container: Container, _ state: OpenFile?, _ holding: Holding, _ presenter: (any ItemPresenter)?, _ patience: PresenterQuestions.Patience, refusal: Failure?, bell: LocalSocket
    ) {
        (self.container, self.state, self.presenter, self.patience, self.refusal, self.bell) = (container, state, presenter, patience, refusal, bell)
        self.holding = Locked(holding, .openingWorkshop)
    }

    private func begin(_ own: OwnClaims?) {
        ended.enter()
        BackgroundThread.start { [self] in
            serve()
            clients.store(0, ordering: .releasing)
            note(presented: [])
            note(Set<Claimants.Token>())
            // Nobody is waited for any more.
            let late = self.desk.withLock { desk in
                desk.isOver = true
                defer { desk.messages = [] }
                return desk.messages
            }
            for case .ask(_, _, _, let done) in late { done() }
            claims.withLock { $0?.abandon() }
            end(own)
        }
    }

    /// One thing after another: what is next is asked when it is done.
    private func end(_ own: OwnClaims?) {
        var event: Serving.Event? = .servesNoMore
        while let done = event {
            switch claims.withLock({ $0?.course.handle(done) }) {
            case .noteOwn:
                own?.note(self)
                event = .ownAreNoted
            case .letGo:
                letGo()
                event = .lockIsFree
            case .hangUp:
                // Whoever is told so goes to the next one, which can be there from now on.
                claims.withLock { $0?.hangUp() }
                event = .allHungUp
            case .resumeOwn:
                claims.withLock { $0 = nil }
                ended.leave()
                own?.resume(self)
                event = nil
            default: event = nil
            }
        }
    }

    private func serve() {
        while var round = claims.withLock({ $0?.begin() }) {
            guard (try? LocalSocket.wait(&round.watches, milliseconds: round.patience)) != nil else { return }
            claims.withLock { [round] in $0?.end(round) }
        }
    }

    // MARK: This process's own

    /// A client of this process: `hear` is told what others are told by a socket, on whatever thread, and is to return at once. nil where
    /// nobody is served any more.
    func admit(_ hear: @escaping @Sendable (CoordinationAnswer?) -> Void) -> Int? { claims.withLock { $0?.admit(hear) } }

    func say(_ request: CoordinationRequest, from client: Int) {
        if claims.withLock({ $0?.hear(request, from: client) }) == true { ring() }
    }

    /// It gives up all of its claims, and is told that it has ended.
    func dismiss(_ client: Int) {
        if claims.withLock({ $0?.dismiss(client) }) == true { ring() }
    }

    /// Where it cannot be said it is said again: nobody else wakes the thread. One that is full has been rung.
    private func ring() {
        var tries = 0
        while (try? bell.send([1])) == nil, tries < 1000 {
            tries += 1
            usleep(1000)
        }
    }

    /// Who has claims from before. While that cannot be said nobody may be served: somebody would get what another one has.
    private static func claimants(of container: Container) throws(Failure) -> (Claimants?, awaited: Set<Claimants.Token>) {
        var tries = 0
        while true {
            do throws(Errno) {
                guard let claimants = try Claimants.existing(of: container) else { return (nil, []) }
                return (claimants, try claimants.others().union(claimants.presenters()))
            } catch {
                tries += 1
                guard tries < 100 else { throw Failure(error, "which claims there are in “\(container.path)” cannot be found out: \(error)", cause: error) }
                usleep(10_000)
            }
        }
    }

    /// What stores without sockets answer, each in its own way.
    private static let sayThereAreNone: Set<Errno> = [.notPermitted, .inputOutput, .notSupported, .notImplemented, .invalid]

    /// Whether nobody can be served in a container, because its store has no sockets. Makes one for a moment.
    static func isUnreachable(_ container: Container) -> Bool {
        guard let state = try? container.ownState(), let name = Name("coordination-\(getpid())") else { return false }
        defer { try? state.descriptor.unlink(name) }
        do throws(Errno) { _ = try LocalSocket.listening(in: state.descriptor, as: name) } catch { return sayThereAreNone.contains(error) }
        return false
    }

    /// Takes no new claims and waits until those that are granted have ended, so long at the most.
    public func stop(waiting milliseconds: Int64?) {
        endListening()
        send(.stop(until: milliseconds.map { Monotonic.milliseconds + $0 }))
        ended.wait()
    }

    /// Newcomers look for somebody else, who can be there as soon as the lock is free.
    func endListening() {
        holding.withLock { holding in
            guard holding.isListening else { return }
            holding.isListening = false
            try? state?.descriptor.unlink(ContainerLock.socketName)
        }
    }

    /// What was begun ends before the next one has the container.
    private func letGo() {
        endListening()
        if presenter == nil { errands.sync {} }
        holding.withLock { ($0.workshop, $0.lock) = (nil, nil) }
        isOver.store(true, ordering: .releasing)
    }

    /// The documents are in another folder by now: whoever comes next opens that. `foreign`: for a claim of another process, which may have none where
    /// this one has its own. A drive goes on with what it shows.
    func isOutdated(foreign: Bool) -> Bool {
        guard presenter == nil else { return false }
        return switch container.documentsNow {
        case .here: false
        case .elsewhere: true
        case .nowhere: foreign
        }
    }

    /// Why nobody gets a claim on an item of the container from a drive that shows another folder: its name would be that of another item.
    public var misnaming: String? {
        guard let presenter else { return nil }
        var drive: String { "the drive" + (presenter.mountpoint.isEmpty ? "" : " on “\(presenter.mountpoint)”") }
        switch presenter.documentsNow {
        case .here: return nil
        case .elsewhere where container.hasDocumentsFolder: return "the folder “Documents” is another one than \(drive) shows; unmount that drive, and mount it again"
        case .elsewhere: return "“Documents” was made after \(drive) was mounted, which shows the folder around it; unmount that drive, and mount it again"
        case .nowhere: return "the folder “Documents” that \(drive) shows is gone from the container, or renamed; put it back, or unmount that drive and mount it again"
        }
    }

    /// Somebody else serves by now, or can: it has let go of the lock.
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// An item has another place now. `known`: what was in a folder that another program has moved. What has come into it since is new, and would be
    /// read as if it had been in there.
    public func moved(_ old: ItemPath, to new: ItemPath, knowing known: Set<ItemPath>? = nil) {
        if hasClients { send(.moved(old, new, knowing: known)) }
    }

    /// How many claims are waited for.
    public var waitingClaims: Int { waiting.load(ordering: .relaxed) }

    /// How many programs are connected.
    public var programs: Int { clients.load(ordering: .acquiring) }

    public var hasClients: Bool { programs > 0 }

    private var mayHaveClaims: Bool { hasClients || desk.withLock { $0.isAwaiting } }

    // MARK: Presenters

    /// How many items other programs present.
    public var presentedItems: Int { presented.load(ordering: .acquiring) }

    public var hasPresenters: Bool { presentedItems > 0 }
    /// Or some are on their way here, who were served by another one before.
    public var mayHavePresenters: Bool { hasPresenters || isAwaitingPresenters.load(ordering: .acquiring) }

    /// How often whoever presents an item was asked, and how often nobody waited for the answer any longer.
    public var questions: Int { asked.load(ordering: .relaxed) }
    public var unanswered: Int { passedOver.load(ordering: .relaxed) }
    public var lastPassedOver: String? { desk.withLock { $0.lastPassedOver } }

    func note(presented paths: Set<ItemPath>) {
        desk.withLock { $0.presented = paths }
        presented.store(paths.count, ordering: .releasing)
    }

    /// What is not here yet of those whom another one has served before.
    func note(_ awaited: Set<Claimants.Token>) {
        isAwaitingPresenters.store(awaited.contains(where: Claimants.isOfPresenters), ordering: .releasing)
        // Who waits for another one of them waits again.
        let waiters = desk.withLock { desk in
            desk.isAwaiting = !awaited.isEmpty
            defer { desk.waiters = [] }
            return desk.waiters
        }
        for waiter in waiters { waiter.signal() }
    }

    func note(_ notices: [String], asked count: Int) {
        asked.store(count, ordering: .relaxed)
        guard let last = notices.last else { return }
        passedOver.wrappingAdd(notices.count, ordering: .relaxed)
        desk.withLock { $0.lastPassedOver = last }
        for notice in notices { SystemLog.write(notice, .warning) }
    }

    // MARK: Versions

    private struct Holding {
        /// The right to serve; nil where the drive has it.
        var lock: ContainerLock?
        /// Where no drive is: the container's one writer all the same, once there is something to write.
        var workshop: Workshop?
        /// The socket has its name, and that is this one.
        var isListening = true
    }

    private let holding: Locked<Holding>
    private let isOver = Atomic(false)

    /// How it stands with the container's lock; nil before it begins and after its end.
    var handOver: Serving? { claims.withLock { $0?.course.state } }

    func decide(_ decision: ClaimDecision, on item: ItemPath) throws(SaveFault) {
        if let presenter { return try presenter.carryOut(decision, on: item) }
        let workshop = try ownWorkshop()
        switch decision {
        case .version(let decision):
            let document = try document(at: item)
            try workshop.commit(.decide(decision, on: document.place, shown: document.shown))
        // Where no drive is, nothing is being written.
        case .dropDraft:
            _ = try document(at: item)
            throw .failed(.invalid)
        case .container(let decision): try workshop.commit(.decideOfMany(decision, at: item.names))
        }
    }

    /// Where nothing of the container is shown, a document is called what it calls itself.
    private func document(at item: ItemPath) throws(SaveFault) -> (place: DocumentPlace, shown: Name) {
        do throws(Errno) { return try container.versioned(at: item.names) } catch { throw .failed(error) }
    }

    func save(_ staged: StagedItem, at item: ItemPath) throws(SaveFault) -> StagedOutcome {
        if let presenter { return try presenter.save(staged, at: item) }
        return try ownWorkshop().commit(.put(staged, at: item.names)).isConflict ? .conflict : .saved
    }

    func adopt(_ adoption: Adoption) throws(SaveFault) -> Adopted {
        if let presenter { return try presenter.adopt(adoption) }
        return try Adopted(ownWorkshop().commit(.adopt(adoption)))
    }

    /// The versions of what was moved go along.
    func follow(_ old: ItemPath, to new: ItemPath) {
        if let presenter { return presenter.follow(old, to: new) }
        guard (try? container.versionFolder(old.names)) != nil else { return }
        _ = try? ownWorkshop().commit(.follow(old.names, to: new.names))
    }

    private func ownWorkshop() throws(SaveFault) -> Workshop {
        do throws(Failure) {
            return try holding.withLock { (holding) throws(Failure) in
                if let workshop = holding.workshop { return workshop }
                guard let lock = holding.lock else { throw Failure(.readOnly, "the container is not written by this process") }
                let new = try Workshop.open(in: container, holding: lock, versions: .standard, deleted: .standard)
                _ = try new.recover()
                holding.workshop = new
                return new
            }
        } catch { throw .failed(error.errno) }
    }

    // MARK: Between the threads

    func send(_ message: Message) {
        let wasEmpty = desk.withLock { desk in
            guard !desk.isOver else { return nil as Bool? }
            desk.messages.append(message)
            return desk.messages.count == 1
        }
        if wasEmpty == true { ring() }
        if wasEmpty == nil, case .ask(_, _, _, let done) = message { done() }
    }

    func takeMessages() -> [Message] {
        desk.withLock { desk in
            let messages = desk.messages
            desk.messages = []
            return messages
        }
    }

    func note(clients count: Int) { clients.store(count, ordering: .releasing) }
    func note(waiting count: Int) { waiting.store(count, ordering: .relaxed) }

    func noteGranted(_ key: Claim.Key, _ items: [ClaimedItem]) { desk.withLock { $0.granted[key] = items } }

    func noteEnded(_ key: Claim.Key) {
        let waiters = desk.withLock { desk in
            guard desk.granted.removeValue(forKey: key) != nil else { return [DispatchSemaphore]() }
            let waiters = desk.waiters
            desk.waiters = []
            return waiters
        }
        for waiter in waiters { waiter.signal() }
    }

    /// The presenter looks at all that was written by the time it comes to that: claims may end faster than it looks.
    func noteWritten(_ items: [ClaimedItem], _ presenter: any ItemPresenter) {
        let isFirst = desk.withLock { desk in
            defer { desk.written += items }
            return desk.written.isEmpty
        }
        guard isFirst else { return }
        errands.async { [self] in
            presenter.written(desk.withLock { desk in
                defer { desk.written = [] }
                return desk.written
            })
        }
    }

    /// Whether somebody else may be writing an item now, and those who present it are told at the end.
    public func isBeingWritten(_ path: ItemPath) -> Bool {
        mayHaveClaims && desk.withLock { desk in desk.granted.values.joined().contains { $0.purpose.isWriting && ($0.path == path || ($0.purpose.isDeep && path.isInside($0.path))) } }
    }

    /// Whether somebody else has a claim on an item now.
    public func isClaimed(_ path: ItemPath) -> Bool { mayHaveClaims && desk.withLock { $0.isClaimed(path) } }

    /// Waits while somebody else has a claim on an item that this process is about to change, so long at the most:
    /// no program keeps a drive from saving for ever.
    public func waitForOthers(on path: ItemPath, atMost milliseconds: Int64) {
        HeldLanes.checkNone()
        guard mayHaveClaims else { return }
        let deadline = DispatchTime.now() + .milliseconds(Int(clamping: milliseconds))
        while true {
            let turn: DispatchSemaphore? = desk.withLock { desk in
                guard desk.isClaimed(path) else { return nil }
                let turn = DispatchSemaphore(value: 0)
                desk.waiters.append(turn)
                return turn
            }
            guard let turn, turn.wait(timeout: deadline) == .success else { return }
        }
    }
}
