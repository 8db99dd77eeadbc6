import Dispatch
import Glibc
import LinuxFiles
import Synchronization

/// The process that makes thumbnails, seen from the one that wants them.
///
/// Started when it is first needed, started again when it has died, ended when nobody has asked for a while.
/// One request at a time: who asks meanwhile waits.
public final class ThumbnailWorker: Sendable {
    /// How long an answer may take, and how long the process is kept without a request, in milliseconds.
    public struct Patience: Sendable {
        public var answer: Int
        public var idle: Int

        public init(answer: Int = 15_000, idle: Int = 30_000) {
            self.answer = answer
            self.idle = idle
        }
    }

    private struct Turn {
        var lastUse: Int64 = 0
        var isWatched = false
    }

    private struct Running: Sendable {
        let process: any Servant
        let channel: Channel
    }

    private let program: String?
    private let patience: Patience
    private let starter: any ServantStarter
    /// Held through a request: that is what lets them follow one another.
    private let turn = Locked(Turn(), .thumbnailQuestion)
    /// Taken inside `turn`, or alone; never held while anything is waited for. Only who has the turn ends a process.
    private let running = Locked<Running?>(nil, .runningWorker)
    private let isClosed = Atomic(false), isUnsealed = Atomic(false)

    /// `starter`: who starts the process and ends it, where this one may not.
    public init(program: String? = ThumbnailProgram.find(), patience: Patience = Patience(), starter: any ServantStarter = OwnServants()) {
        self.program = program
        self.patience = patience
        self.starter = starter
    }

    deinit { _ = running.withLock { $0 }?.process.end() }

    public var isInstalled: Bool { program != nil }

    /// The number of the process, while one runs.
    public var process: Int32? { running.withLock { $0?.process.number } }

    /// A PNG of 150 × 150 pixels, made of the image in this range of the file.
    public func thumbnail(of file: OpenFile, offset: Int64, length: Int64) throws(ThumbnailFault) -> [UInt8] {
        try ask(.thumbnail(offset: offset, length: length), passing: file)
    }

    public func facts() throws(ThumbnailFault) -> ThumbnailFacts {
        guard let facts = ThumbnailFacts(try ask(.facts, passing: nil)) else { throw .died }
        return facts
    }

    /// Ends the process, also under somebody who waits for its answer. Nothing is made after that.
    public func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        running.withLock { $0?.channel.shutDown() }
        turn.withLock { _ in _ = end() }
    }

    // MARK: Requests

    private func ask(_ request: ThumbnailRequest, passing file: OpenFile?) throws(ThumbnailFault) -> [UInt8] {
        try turn.withLock { (turn) throws(ThumbnailFault) in
            defer {
                turn.lastUse = Monotonic.milliseconds
                if !turn.isWatched, process != nil {
                    turn.isWatched = true
                    watch(after: patience.idle)
                }
            }
            // It may have died of something else than this image, so one death is forgiven.
            do throws(ThumbnailFault) { return try askOnce(request, file) } catch {
                guard error == .died else { throw error }
                return try askOnce(request, file)
            }
        }
    }

    private func askOnce(_ request: ThumbnailRequest, _ file: OpenFile?) throws(ThumbnailFault) -> [UInt8] {
        let channel = try started().channel
        // Closed after the look at it in `started`: the process is there, and nobody would end it.
        guard !isClosed.load(ordering: .sequentiallyConsistent) else {
            _ = end()
            throw .closed
        }
        let message: Channel.Message?
        do throws(Errno) {
            try channel.send(request.bytes, passing: file)
            guard try channel.waits(milliseconds: patience.answer) else {
                _ = end()
                throw .timedOut
            }
            message = try channel.receive(limit: ThumbnailAnswer.longest, takingFile: false)
        } catch {
            if error == .timedOut { throw .silent }
            message = nil
        }
        switch message.flatMap({ ThumbnailAnswer($0.bytes) }) {
        case .done(let bytes): return bytes
        case .refused(let reason): throw .refused(reason)
        case nil: break
        }
        // Its own clock ends a process that takes too long: another try would take as long.
        let ending = end()
        guard !isClosed.load(ordering: .sequentiallyConsistent) else { throw .closed }
        switch ending {
        case .signal(SIGPROF): throw .silent
        case .code(ThumbnailProgram.unsealedCode):
            SystemLog.write("photos get no thumbnails: \(ThumbnailProgram.name) cannot give up its rights here", .warning)
            isUnsealed.store(true, ordering: .sequentiallyConsistent)
            throw .unsealed
        default: throw .died
        }
    }

    // MARK: The process

    private func started() throws(ThumbnailFault) -> Running {
        if let running = running.withLock({ $0 }) { return running }
        guard !isClosed.load(ordering: .sequentiallyConsistent) else { throw .closed }
        guard let program else { throw .missing }
        guard !isUnsealed.load(ordering: .sequentiallyConsistent) else { throw .unsealed }
        do throws(Errno) {
            let (ours, theirs) = try Channel.pair()
            let started = Running(process: try starter.start(program, talkingOver: theirs), channel: ours)
            running.withLock { $0 = started }
            return started
        } catch {
            throw [.noSuchEntry, .accessDenied].contains(error) ? .missing : .failed(error)
        }
    }

    /// How it ended: by itself, if it did before.
    private func end() -> ServantEnding? {
        let ended = running.withLock { running in
            defer { running = nil }
            return running
        }
        return ended?.process.end()
    }

    private func watch(after milliseconds: Int) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(max(1, milliseconds))) { [weak self] in
            self?.endIfIdle()
        }
    }

    private func endIfIdle() {
        let isOver: Void? = turn.withLockIfAvailable { turn in
            let rest = Int64(patience.idle) - (Monotonic.milliseconds - turn.lastUse)
            if rest > 0 { return watch(after: Int(rest)) }
            turn.isWatched = false
            _ = end()
        }
        if isOver == nil { watch(after: patience.idle) }
    }
}
