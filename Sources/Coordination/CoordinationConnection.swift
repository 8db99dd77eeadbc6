import Containers
import Glibc
import LinuxFiles

/// A client's way to whoever serves in another process: one claim at a time, by one thread at a time.
final class CoordinationConnection: ClaimConnection {
    let number = ConnectionNumbers.next
    let ownServer: ObjectIdentifier? = nil
    private let socket: LocalSocket
    private let container: Container

    private struct Talk {
        /// The version of the protocol that both sides speak, once that is known.
        var version: UInt16?
        var lastNumber: UInt32 = 0
        var input = MessageBuffer()
        var buffer = [UInt8](repeating: 0, count: 4096)
    }

    /// Held through a call: the connection is one thread's at that time.
    private let talk = Locked(Talk(), .coordinationTalk)

    init(_ socket: LocalSocket, to container: Container) {
        (self.socket, self.container) = (socket, container)
        socket.setPatience(milliseconds: Int(SilentServer.quiet))
    }

    func shutDown() { socket.shutDown() }

    func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?, _ wait: ClaimWait) -> ClaimOutcome {
        wait.answer { [self] in ask(items, throughDrive: throughDrive, presenter: presenter, before: deadline) }
    }

    private func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?) -> ClaimOutcome {
        talk.withLock { talk in
            // What the older one does not know would end the connection.
            if presenter != nil, let failed = greet(&talk, before: deadline) { return end(failed, 0) }
            talk.lastNumber &+= 1
            // Greeted and asked in one go: an answer to the greeting comes first, or none at all.
            let greeting = talk.version == nil ? CoordinationRequest.hello(version: CoordinationProtocol.version).bytes : []
            let claim = CoordinationRequest.claim(talk.lastNumber, items, throughDrive: throughDrive, presenter: talk.version == 1 ? nil : presenter)
            guard Self.send(greeting + claim.bytes, socket) else { return .ended }
            return outcome(of: talk.lastNumber, items, &talk, before: deadline)
        }
    }

    func resume(_ token: Claimants.Token, _ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?) -> ClaimOutcome {
        talk.withLock { talk in
            if let failed = greet(&talk, before: nil) { return end(failed, 0) }
            talk.lastNumber &+= 1
            let request = CoordinationRequest.resume(token, talk.lastNumber, items, throughDrive: throughDrive, presenter: presenter)
            guard request.version <= talk.version ?? 1 else { return .refused(.notSupported, "whoever writes in the container is an older Valise") }
            guard Self.send(request.bytes, socket) else { return .ended }
            return outcome(of: talk.lastNumber, items, &talk, before: nil)
        }
    }

    /// Which version both speak is known afterwards; or what came instead of that.
    private func greet(_ talk: inout Talk, before deadline: Int64?) -> NextAnswer? {
        guard talk.version == nil else { return nil }
        guard Self.send(CoordinationRequest.hello(version: CoordinationProtocol.version).bytes, socket) else { return .ended }
        let next = next(&talk, before: deadline)
        guard case .answer(.hello(let version)) = next else { return next }
        guard Self.understands(version) else { return .ended }
        talk.version = version
        return nil
    }

    private func outcome(of number: UInt32, _ items: [ClaimedItem], _ talk: inout Talk, before deadline: Int64?) -> ClaimOutcome {
        var holders = ClaimHolders(of: items)
        while true {
            let next = next(&talk, before: deadline, claim: number)
            if case .answer(.held(number, let processes)) = next {
                holders.look(at: processes)
                // What it is told instead of an answer keeps nobody waiting for longer.
                if let deadline, Monotonic.milliseconds >= deadline { return end(.late, number) }
                continue
            }
            if case .answer(.hello(let version)) = next {
                guard Self.understands(version), talk.version == nil else { return .refused(.notSupported, "it is coordinated by another version of Valise") }
                talk.version = version
                continue
            }
            return end(next, number)
        }
    }

    /// What is not waited for any longer ends with the connection, granted or not.
    private func end(_ next: NextAnswer, _ number: UInt32) -> ClaimOutcome {
        switch next {
        case .late, .stopped: socket.shutDown()
        case .answer, .ended: break
        }
        return next.outcome(of: number)
    }

    /// Whoever serves answers with the lower one of both.
    private static func understands(_ version: UInt16) -> Bool { (1...CoordinationProtocol.version).contains(version) }

    func done(_ request: CoordinationRequest, _ number: UInt32) throws(Failure) -> String {
        try talk.withLock { (talk) throws(Failure) in
            guard request.version <= talk.version ?? 1 else {
                throw Failure(
                    .notSupported,
                    "whoever writes in the container is an older Valise; if its drive is mounted, mount it anew")
            }
            let next = Self.send(request.bytes, socket) ? next(&talk, before: nil) : .ended
            // What comes of it later is not to be taken for the answer to something else.
            if case .stopped = next { socket.shutDown() }
            return try next.decided(number)
        }
    }

    /// What cannot be said ends the connection: whoever serves would go by what is not so any more.
    func tell(_ request: CoordinationRequest) {
        // What an older one does not know would end the connection, and the claim.
        if request.version > 2, talk.withLock({ $0.version ?? 1 }) < request.version { return }
        if !Self.send(request.bytes, socket) { socket.shutDown() }
    }

    /// Messages are far shorter than what a connection has room for.
    private static func send(_ bytes: [UInt8], _ socket: LocalSocket) -> Bool {
        for _ in 0..<mostTries {
            do throws(Errno) { return try socket.send(bytes[...]) == bytes.count } catch { guard error.isShortageForNow else { return false } }
            usleep(1000)
        }
        return false
    }

    private static let mostTries = 1000

    /// `claim`: the number of the one that is waited for, where it is one.
    private func next(_ talk: inout Talk, before deadline: Int64?, claim: UInt32? = nil) -> NextAnswer {
        var silent: SilentServer?
        while true {
            switch talk.input.next() {
            case .message(let message): return CoordinationAnswer(message).map(NextAnswer.answer) ?? .ended
            case .nonsense: return .ended
            case .incomplete: break
            }
            do throws(Errno) {
                guard let count = try receive(&talk, before: deadline) else { return .late }
                guard count > 0 else { return .ended }
                talk.input.add(talk.buffer[..<count])
            } catch {
                guard error == .tryAgain else { return .ended }
                if silent == nil { silent = SilentServer((try? socket.peer())?.process ?? 0, of: container) }
                if let failure = silent?.look() { return .stopped(failure) }
                if let claim, talk.version ?? 1 >= CoordinationProtocol.naming, !Self.send(CoordinationRequest.holders(claim).bytes, socket) { return .ended }
            }
        }
    }

    /// nil when the time is over. Throws `.tryAgain` after a silence.
    private func receive(_ talk: inout Talk, before deadline: Int64?) throws(Errno) -> Int? {
        // One call for each answer where there is no hurry.
        guard let deadline else { return try socket.receiveWaiting(into: &talk.buffer) }
        let left = max(0, deadline - Monotonic.milliseconds)
        var watches = [LocalSocket.Watch(socket)]
        guard try LocalSocket.wait(&watches, milliseconds: min(left, SilentServer.quiet)) else {
            guard left > SilentServer.quiet else { return nil }
            throw .tryAgain
        }
        return try socket.receiveWaiting(into: &talk.buffer)
    }
}
