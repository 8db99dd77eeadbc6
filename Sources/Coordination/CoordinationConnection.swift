import Containers
import Glibc
import LinuxFiles

/// A client's way to whoever serves in another process: one claim at a time, by one thread at a time.
final class CoordinationConnection: ClaimConnection {
    let number = ConnectionNumbers.next
    let isOwn = false
    private let socket: LocalSocket

    private struct Talk {
        /// The version of the protocol that both sides speak, once that is known.
        var version: UInt16?
        var lastNumber: UInt32 = 0
        var input = MessageBuffer()
        var buffer = [UInt8](repeating: 0, count: 4096)
    }

    /// Held through a call: the connection is one thread's at that time.
    private let talk = Locked(Talk(), .coordinationTalk)

    init(_ socket: LocalSocket) { self.socket = socket }

    func shutDown() { socket.shutDown() }

    func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?, _ wait: ClaimWait) -> ClaimOutcome {
        wait.answer { [self] in ask(items, throughDrive: throughDrive, presenter: presenter, before: deadline) }
    }

    private func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?) -> ClaimOutcome {
        talk.withLock { talk in
            // What the older one does not know would end the connection.
            if presenter != nil, !Self.greet(&talk, socket, before: deadline) { return .ended }
            talk.lastNumber &+= 1
            // Greeted and asked in one go: an answer to the greeting comes first, or none at all.
            let greeting = talk.version == nil ? CoordinationRequest.hello(version: CoordinationProtocol.version).bytes : []
            let claim = CoordinationRequest.claim(talk.lastNumber, items, throughDrive: throughDrive, presenter: talk.version == 1 ? nil : presenter)
            guard Self.send(greeting + claim.bytes, socket) else { return .ended }
            return Self.outcome(of: talk.lastNumber, &talk, socket, before: deadline)
        }
    }

    func resume(_ token: Claimants.Token, _ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?) -> ClaimOutcome {
        talk.withLock { talk in
            guard Self.greet(&talk, socket, before: nil) else { return .ended }
            talk.lastNumber &+= 1
            let request = CoordinationRequest.resume(token, talk.lastNumber, items, throughDrive: throughDrive, presenter: presenter)
            guard request.version <= talk.version ?? 1 else { return .refused(.notSupported, "whoever writes in the container is an older Valise") }
            guard Self.send(request.bytes, socket) else { return .ended }
            return Self.outcome(of: talk.lastNumber, &talk, socket, before: nil)
        }
    }

    /// Which version both speak is known afterwards.
    private static func greet(_ talk: inout Talk, _ socket: LocalSocket, before deadline: Int64?) -> Bool {
        guard talk.version == nil else { return true }
        guard send(CoordinationRequest.hello(version: CoordinationProtocol.version).bytes, socket),
            case .answer(.hello(let version)) = next(&talk, socket, before: deadline), understands(version) else { return false }
        talk.version = version
        return true
    }

    private static func outcome(of number: UInt32, _ talk: inout Talk, _ socket: LocalSocket, before deadline: Int64?) -> ClaimOutcome {
        while true {
            let next = next(&talk, socket, before: deadline)
            if case .answer(.hello(let version)) = next {
                guard understands(version), talk.version == nil else { return .refused(.notSupported, "it is coordinated by another version of Valise") }
                talk.version = version
                continue
            }
            // Ends the claim with the connection, granted or not.
            if case .late = next { socket.shutDown() }
            return next.outcome(of: number)
        }
    }

    /// Whoever serves answers with the lower one of both.
    private static func understands(_ version: UInt16) -> Bool { (1...CoordinationProtocol.version).contains(version) }

    func done(_ request: CoordinationRequest, _ number: UInt32) throws(Failure) -> String {
        try talk.withLock { (talk) throws(Failure) in
            guard request.version <= talk.version ?? 1 else { throw Failure(.notSupported, "whoever writes in the container is an older Valise") }
            let next = Self.send(request.bytes, socket) ? Self.next(&talk, socket, before: nil) : .ended
            return try next.decided(number)
        }
    }

    /// What cannot be said ends the connection: whoever serves would go by what is not so any more.
    func tell(_ request: CoordinationRequest) { if !Self.send(request.bytes, socket) { socket.shutDown() } }

    /// Messages are far shorter than what a connection has room for.
    private static func send(_ bytes: [UInt8], _ socket: LocalSocket) -> Bool {
        for _ in 0..<mostTries {
            do throws(Errno) { return try socket.send(bytes[...]) == bytes.count } catch { guard error.isShortageForNow else { return false } }
            usleep(1000)
        }
        return false
    }

    private static let mostTries = 1000

    private static func next(_ talk: inout Talk, _ socket: LocalSocket, before deadline: Int64?) -> NextAnswer {
        while true {
            switch talk.input.next() {
            case .message(let message): return CoordinationAnswer(message).map(NextAnswer.answer) ?? .ended
            case .nonsense: return .ended
            case .incomplete: break
            }
            do throws(Errno) {
                // One call for each answer where there is no hurry.
                if let deadline {
                    var watches = [LocalSocket.Watch(socket)]
                    guard try LocalSocket.wait(&watches, milliseconds: max(0, deadline - Monotonic.milliseconds)) else { return .late }
                }
                let count = try socket.receiveWaiting(into: &talk.buffer)
                guard count > 0 else { return .ended }
                talk.input.add(talk.buffer[..<count])
            } catch { return .ended }
        }
    }
}
