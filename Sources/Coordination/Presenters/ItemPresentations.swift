import Containers
import Dispatch
import Glibc
import LinuxFiles

/// An item that is presented, until it is withdrawn.
public final class FilePresentation: Sendable {
    /// Unlike any other's, so that whoever serves next knows it as well.
    let name: UInt64
    let container: String
    private let number: UInt32
    private let presentations: ItemPresentations

    fileprivate init(_ number: UInt32, _ name: UInt64, _ container: String, _ presentations: ItemPresentations) {
        (self.number, self.name, self.container, self.presentations) = (number, name, container, presentations)
    }

    /// Where the item is now.
    public var path: ItemPath? { presentations.path(of: number) }

    /// Whether this process itself serves the container.
    package var isServedHere: Bool { presentations.isServedHere }

    /// Nobody is asked any more. What was asked already is still answered.
    public func withdraw() { presentations.remove(number) }
}

/// What one program presents of a container, and its connection to whoever serves that. One thread waits for questions: it says at
/// once that the program is there, and hands the questions to the presenters' queues. Where that is this process, nobody has to wait.
final class ItemPresentations: Sendable {
    private struct Presented {
        let presentation: FilePresentation
        let presenter: any FilePresenter
        let queue = DispatchQueue(label: "valise.presented")
        var path: ItemPath
        /// Who waits until it is known to whoever serves.
        var waiter: AwaitedAnswer<Failure?>?
        /// What was asked, and is not over: whoever asked that knows when it is.
        var questions: Set<UInt32> = []
    }

    private struct State {
        var presented: [UInt32: Presented] = [:]
        var last: UInt32 = 0
        /// Once whoever serves has said hello.
        var way: Way?
        var hasThread = false
        var isOver = false
    }

    /// How whoever serves is told something.
    private enum Way {
        case socket(LocalSocket)
        case own(CoordinationServer, Int)

        func shutDown() {
            switch self {
            case .socket(let socket): socket.shutDown()
            case .own(let server, let client): server.dismiss(client)
            }
        }
    }

    private let state = Locked(State())
    private struct Sending {
        var unsent: [UInt8] = []
        /// Once something was presented.
        var claimants: Claimants?
        /// While something is: whoever serves next sees that.
        var isNoted = false
    }

    /// One message after another.
    private let sending = Locked(Sending(), .presenterWords)
    private let program = Claimants.newProgram()

    // MARK: What is presented

    func add(_ path: ItemPath, _ presenter: any FilePresenter, in coordinator: FileCoordinator) throws(Failure) -> FilePresentation {
        let waiter = AwaitedAnswer<Failure?>()
        let container = coordinator.container.path
        let (number, presentation, way, needsThread) = state.withLock { state in
            state.last += 1
            let presentation = FilePresentation(state.last, Claimants.presenterName(state.last, of: program), container, self)
            state.presented[state.last] = Presented(presentation: presentation, presenter: presenter, path: path, waiter: waiter)
            defer { state.hasThread = true }
            return (state.last, presentation, state.way, !state.hasThread)
        }
        noteWhetherPresenting(in: coordinator.container)
        if let way { send(.present(number, name: presentation.name, path), to: way) }
        if needsThread { BackgroundThread.start { [self, weak coordinator] in run { coordinator } } }
        if let failure = outcome(waiter, in: coordinator) {
            remove(number)
            throw failure
        }
        return presentation
    }

    /// nil where it is presented.
    private func outcome(_ waiter: AwaitedAnswer<Failure?>, in coordinator: FileCoordinator) -> Failure? {
        var silent: SilentServer?
        while true {
            if let outcome = waiter.wait(milliseconds: Int(SilentServer.quiet)) { return outcome }
            if silent == nil { silent = SilentServer(of: coordinator.container) }
            if let failure = silent?.look() { return failure }
        }
    }

    func remove(_ number: UInt32) {
        let way = state.withLock { state in state.presented.removeValue(forKey: number) == nil ? nil : state.way }
        if let way { send(.withdraw(number), to: way) }
        noteWhetherPresenting()
    }

    private func noteWhetherPresenting(in container: Container? = nil) {
        sending.withLock { sending in
            let isPresenting = state.withLock { !$0.presented.isEmpty }
            guard isPresenting != sending.isNoted else { return }
            // Opened once: a document that is opened costs no look at the store.
            if sending.claimants == nil, let container { sending.claimants = Claimants(of: container) }
            guard let claimants = sending.claimants else { return }
            if isPresenting { sending.isNoted = claimants.begin(presentersOf: program) } else {
                claimants.end(presentersOf: program)
                sending.isNoted = false
            }
        }
    }

    var isServedHere: Bool { state.withLock { if case .own = $0.way { true } else { false } } }

    func path(of number: UInt32) -> ItemPath? { state.withLock { $0.presented[number]?.path } }

    func end() {
        let way = state.withLock { state in
            state.isOver = true
            state.presented = [:]
            return state.way
        }
        way?.shutDown()
        noteWhetherPresenting()
    }

    // MARK: The connection

    private func run(_ coordinator: () -> FileCoordinator?) {
        var waits = ReconnectionWaits()
        while !state.withLock({ $0.isOver }) {
            do throws(Failure) {
                switch try coordinator()?.connectedOrServing() {
                case .other(let socket):
                    serve(socket)
                    if !state.withLock({ $0.isOver }) { waits.waitAgain() }
                case .this(let server): serve(by: server)
                case nil:
                    if coordinator() == nil { return }
                    usleep(5000)
                    continue
                }
            } catch {
                fail(error)
                usleep(100_000)
            }
            disconnected()
        }
    }

    /// Nobody says any more when what was asked is over.
    private func disconnected() {
        let open = state.withLock { state in
            state.way = nil
            defer { for number in state.presented.keys { state.presented[number]?.questions = [] } }
            return state.presented.flatMap { number, presented in presented.questions.sorted().map { (number, $0) } }
        }
        for (number, question) in open { tell(number, .over(question: question)) }
    }

    /// Whoever waits to present something cannot; what is presented goes on waiting for somebody who serves.
    private func fail(_ failure: Failure) {
        let waiters = state.withLock { state in
            defer { for number in state.presented.keys { state.presented[number]?.waiter = nil } }
            return state.presented.values.compactMap(\.waiter)
        }
        for waiter in waiters { waiter.give(failure) }
    }

    private func send(_ request: CoordinationRequest, to way: Way) {
        switch way {
        case .socket(let socket): send(request, to: socket)
        case .own(let server, let client): server.say(request, from: client)
        }
    }

    private func send(_ request: CoordinationRequest, to socket: LocalSocket) {
        sending.withLock { sending in
            sending.unsent = request.bytes
            while !sending.unsent.isEmpty {
                guard let count = try? socket.send(sending.unsent[...]) else { return socket.shutDown() }
                sending.unsent.removeFirst(count)
                // Whoever serves always reads.
                if !sending.unsent.isEmpty { usleep(1000) }
            }
        }
    }

    /// By this process: what it says comes in the call that leads to it.
    private func serve(by server: CoordinationServer) {
        let over = DispatchSemaphore(value: 0)
        guard let client = server.admit({ [self] in if let answer = $0 { hear(answer) } else { over.signal() } }) else { return _ = usleep(5000) }
        introduce(to: .own(server, client))
        over.wait()
    }

    private func serve(_ socket: LocalSocket) {
        var input = MessageBuffer(), buffer = [UInt8](repeating: 0, count: 16_384)
        send(.hello(version: CoordinationProtocol.version), to: socket)
        while let count = try? socket.receiveWaiting(into: &buffer), count > 0 {
            input.add(buffer[..<count])
            while true {
                switch input.next() {
                case .message(let message):
                    guard let answer = CoordinationAnswer(message), hear(answer, from: socket) else { return socket.shutDown() }
                    continue
                case .nonsense: return socket.shutDown()
                case .incomplete: break
                }
                break
            }
        }
    }

    private func hear(_ answer: CoordinationAnswer, from socket: LocalSocket) -> Bool {
        switch answer {
        case .hello(let version):
            guard version >= 2 else {
                fail(Failure(.notSupported, "the container is coordinated by an older Valise, which asks nobody who has a document open"))
                usleep(100_000)
                return false
            }
            introduce(to: .socket(socket))
        case .areYouThere: send(.here, to: socket)
        case .granted, .refused, .decided, .held: return false
        case .presented, .asked, .over, .event, .left: hear(answer)
        }
        return true
    }

    /// Whoever serves may have its lock held: no word to it from here.
    private func hear(_ answer: CoordinationAnswer) {
        switch answer {
        case .presented(let number, let errno): presented(number, errno)
        case .asked(let number, let question, let item): ask(number, PresenterQuestion(number: question, path: item.path, purpose: item.purpose))
        case .over(let number, let question):
            state.withLock { _ = $0.presented[number]?.questions.remove(question) }
            tell(number, .over(question: question))
        case .event(let number, let kind, let path, let new):
            if kind == .moved, let new { state.withLock { if $0.presented[number]?.path == path { $0.presented[number]?.path = new } } }
            tell(number, PresenterEvent(kind, path, to: new))
        case .left(let number, let path, let place):
            guard let presented = state.withLock({ $0.presented[number] }) else { return }
            presented.queue.async { presented.presenter.presentedItem(path, leftTo: place) }
        case .hello, .areYouThere, .granted, .refused, .decided, .held: break
        }
    }

    /// All that is presented is, of whoever serves now. What happened before is not known.
    private func introduce(to way: Way) {
        let presented = state.withLock { state in
            state.way = state.isOver ? nil : way
            return state.isOver ? [] : state.presented.sorted { $0.key < $1.key }
        }
        if state.withLock({ $0.isOver }) { way.shutDown() }
        for (number, presented) in presented { send(.present(number, name: presented.presentation.name, presented.path), to: way) }
        if !presented.isEmpty { send(.here, to: way) }
    }

    private func presented(_ number: UInt32, _ errno: Errno?) {
        let (waiter, path) = state.withLock { state in
            defer { state.presented[number]?.waiter = nil }
            return (state.presented[number]?.waiter, state.presented[number]?.path)
        }
        guard let path else { return }
        if let waiter { waiter.give(errno.map { Failure($0, "“\(path)” cannot be presented: \($0)") }) } else { tell(number, .changed(path)) }
    }

    // MARK: The presenters

    /// What is not presented any more was withdrawn, which is an answer.
    private func ask(_ number: UInt32, _ question: PresenterQuestion) {
        let (asked, way) = state.withLock { state in
            state.presented[number]?.questions.insert(question.number)
            return (state.presented[number], state.way)
        }
        guard let asked, let way else { return }
        asked.queue.async { [self] in
            asked.presenter.presentedItemIsWanted(question) { self.send(.answer(question: question.number, $0), to: way) }
        }
    }

    private func tell(_ number: UInt32, _ event: PresenterEvent) {
        guard let presented = state.withLock({ $0.presented[number] }) else { return }
        presented.queue.async { presented.presenter.presentedItem(event) }
    }
}
