import Dispatch

/// A thread that does one thing after another.
///
/// No dispatch queue: the threads of these are made by whatever thread first needs one, and share its open files. One that the
/// thread which tells watchers had made would have none, like it, and all that it is given to do later would fail.
public final class OrderedThread: Sendable {
    private enum Phase { case new, started, ended }

    private struct State {
        var phase = Phase.new
        var waiting: [@Sendable () -> Void] = []
    }

    /// What the thread and those who have it do things share.
    private final class Line: Sendable {
        let state = Locked(State())
        let bell = DispatchSemaphore(value: 0)

        func run() {
            while true {
                bell.wait()
                let (waiting, isEnding) = state.withLock { state in
                    defer { state.waiting = [] }
                    return (state.waiting, state.phase == .ended)
                }
                for body in waiting { body() }
                if isEnding { return }
            }
        }
    }

    private let line = Line()

    public init() {}

    deinit {
        line.state.withLock { $0.phase = .ended }
        line.bell.signal()
    }

    /// What was asked for before is done from now on. By a thread that has the process's files.
    public func start() {
        line.state.withLock { $0.phase = .started }
        BackgroundThread.start { [line] in line.run() }
    }

    public func async(_ body: @escaping @Sendable () -> Void) {
        line.state.withLock { $0.waiting.append(body) }
        line.bell.signal()
    }

    /// Runs `body`, on this thread, after all that was asked for before and before all that comes.
    public func sync(_ body: () -> Void) {
        let reached = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
        async {
            reached.signal()
            done.wait()
        }
        reached.wait()
        body()
        done.signal()
    }

    /// Waits until all is done that was asked for, if it was started.
    public func finish() {
        if line.state.withLock({ $0.phase == .started }) { sync {} }
    }
}
