import LinuxFiles

/// Answers to searches that go on: one thread sends them all, and notices who hears them no more.
public final class LiveAnswers: Sendable {
    /// One of them. Any thread says something on it, and does not wait.
    public final class Line: Sendable {
        /// What is to be sent, from `start` on.
        fileprivate struct Output {
            var bytes: [UInt8]
            var start = 0
            var count: Int { bytes.count - start }

            mutating func drop(_ sent: Int) {
                start += sent
                guard start * 2 >= bytes.count else { return }
                bytes.removeFirst(start)
                start = 0
            }
        }

        fileprivate let socket: LocalSocket
        fileprivate let output: Locked<Output>
        fileprivate let bell: LocalSocket
        fileprivate let ended: @Sendable () -> Void

        fileprivate init(_ socket: LocalSocket, _ unsent: [UInt8], bell: LocalSocket, ended: @escaping @Sendable () -> Void) {
            (self.socket, self.bell, self.ended) = (socket, bell, ended)
            output = Locked(Output(bytes: unsent))
        }

        public func add(_ words: [(word: SearchWord, fields: [UInt8])]) {
            let wasEmpty = output.withLock { output in
                defer { for (word, fields) in words { output.bytes += word.message(fields) } }
                return output.count == 0
            }
            if wasEmpty { _ = try? bell.send([1]) }
        }
    }

    private struct Table {
        var lines: [Line] = []
        var isRunning = false
    }

    private let table = Locked(Table())
    private let bell: (ours: LocalSocket, theirs: LocalSocket)?

    /// More would take more of the process's open files than others should have to do without.
    private static let most = 4096
    /// Who does not read while so much has happened is not waited for.
    private static let longest = 64 << 20, piece = 256 * 1024

    public init() { bell = (try? LocalSocket.pair()).map { (ours: $0.0, theirs: $0.1) } }

    /// Takes an answer over. `ended` is called when nobody hears it any more. nil where there are too many.
    public func begin(_ answer: sending SearchAnswer, ended: @escaping @Sendable () -> Void) -> Line? {
        guard let bell else { return nil }
        let (socket, unsent) = answer.handOver(), line = Line(socket, unsent, bell: bell.ours, ended: ended)
        let (isTaken, isFirst) = table.withLock { table in
            guard table.lines.count < Self.most else { return (false, false) }
            table.lines.append(line)
            defer { table.isRunning = true }
            return (true, !table.isRunning)
        }
        guard isTaken else { return nil }
        if isFirst { BackgroundThread.start { [self] in run(bell.theirs) } } else { _ = try? bell.ours.send([1]) }
        return line
    }

    private func run(_ bell: LocalSocket) {
        var rung = [UInt8](repeating: 0, count: 4096)
        while true {
            let lines = table.withLock { table in
                table.isRunning = !table.lines.isEmpty
                return table.lines
            }
            guard !lines.isEmpty else { return }
            var watches = [LocalSocket.Watch(bell)] + lines.map { line in LocalSocket.Watch(line.socket, wantsToSend: line.output.withLock { $0.count > 0 }) }
            guard (try? LocalSocket.wait(&watches, milliseconds: nil)) != nil else { return }
            if watches[0].canReceive { _ = try? bell.receive(into: &rung) }
            var over: [Line] = []
            for (line, watch) in zip(lines, watches.dropFirst()) where watch.canReceive || watch.canSend {
                // Whoever asked has no more to say: what comes is the end, or nonsense.
                if watch.canReceive || !send(line) { over.append(line) }
            }
            guard !over.isEmpty else { continue }
            table.withLock { table in table.lines.removeAll { line in over.contains { $0 === line } } }
            for line in over {
                line.socket.shutDown()
                line.ended()
            }
        }
    }

    /// What there is room for; false where nobody takes it.
    private func send(_ line: Line) -> Bool {
        while true {
            let piece = line.output.withLock { Array($0.bytes[$0.start...].prefix(Self.piece)) }
            if piece.isEmpty { break }
            guard let count = try? line.socket.send(piece[...]) else { return false }
            line.output.withLock { $0.drop(count) }
            if count < piece.count { break }
        }
        return line.output.withLock { $0.count <= Self.longest }
    }
}
