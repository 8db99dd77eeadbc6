import Containers
import Glibc
import LinuxFiles

/// A client's end: one claim at a time, by one thread at a time.
final class CoordinationConnection: Sendable {
    let socket: LocalSocket

    private struct Talk {
        /// Which both speak, once that is known.
        var version: UInt16?
        var lastNumber: UInt32 = 0
        var input = MessageBuffer()
        var buffer = [UInt8](repeating: 0, count: 4096)
    }

    /// Held through a call: the connection is one thread's at that time.
    private let talk = Locked(Talk(), .coordinationTalk)

    enum Outcome {
        case granted(UInt32, [ItemPath])
        case refused(Errno, String)
        /// The time is over; the connection is no good any more.
        case late
        /// Whoever served is gone, or the connection was shut down here.
        case ended
    }

    init(_ socket: LocalSocket) { self.socket = socket }

    func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64? = nil, before deadline: Int64?) -> Outcome {
        talk.withLock { talk in
            talk.lastNumber &+= 1
            let number = talk.lastNumber
            // Greeted and asked in one go: an answer to the greeting comes first, or none at all.
            var words = talk.version == nil ? CoordinationRequest.hello(version: CoordinationProtocol.version).bytes : []
            if presenter != nil, talk.version == nil {
                // What the older one does not know would end the connection.
                guard send(words), case .answer(.hello(let version)) = Self.next(&talk, socket, before: deadline), Self.understands(version) else { return .ended }
                (talk.version, words) = (version, [])
            }
            words += CoordinationRequest.claim(number, items, throughDrive: throughDrive, presenter: talk.version == 1 ? nil : presenter).bytes
            guard send(words) else { return .ended }
            while true {
                switch Self.next(&talk, socket, before: deadline) {
                case .answer(.hello(let version)):
                    guard Self.understands(version), talk.version == nil else { return .refused(.notSupported, "it is coordinated by another version of Valise") }
                    talk.version = version
                case .answer(.granted(number, let paths)): return .granted(number, paths)
                case .answer(.refused(number, let errno, let sentence)): return errno == .tryAgain ? .ended : .refused(errno, sentence)
                case .answer: return .ended
                case .late:
                    // Ends the claim with the connection, granted or not.
                    socket.shutDown()
                    return .late
                case .ended: return .ended
                }
            }
        }
    }

    /// Whoever serves answers with the lower one of both.
    private static func understands(_ version: UInt16) -> Bool { (1...CoordinationProtocol.version).contains(version) }

    /// Asks for something to be done in a claim, however long that takes. Throws what came of it.
    func decide(_ number: UInt32, item: UInt8, _ decision: VersionDecision) throws(Failure) {
        _ = try done(.decide(number, item: item, decision), number)
    }

    /// Has what was handed over put in its place.
    func save(_ number: UInt32, item: UInt8, _ staged: StagedItem) throws(Failure) -> StagedOutcome {
        try done(.save(number, item: item, staged), number) == CoordinationProtocol.conflict ? .conflict : .saved
    }

    private func done(_ request: CoordinationRequest, _ number: UInt32) throws(Failure) -> String {
        try talk.withLock { (talk) throws(Failure) in
            guard request.version <= talk.version ?? 1 else { throw Failure(.notSupported, "whoever writes in the container is an older Valise") }
            guard send(request.bytes), case .answer(let answer) = Self.next(&talk, socket, before: nil),
                case .decided(number, let errno, let sentence) = answer
            else { throw Failure(Errno(rawValue: ECONNRESET), "whoever writes in the container has ended meanwhile") }
            if let errno { throw Failure(errno, sentence) }
            return sentence
        }
    }

    /// Says something that needs no answer. If nobody hears it, it needs no hearing.
    func tell(_ request: CoordinationRequest) { _ = send(request.bytes) }

    /// Messages are far shorter than what a connection has room for.
    private func send(_ bytes: [UInt8]) -> Bool { (try? socket.send(bytes[...])) == bytes.count }

    private enum Next {
        case answer(CoordinationAnswer)
        case late, ended
    }

    private static func next(_ talk: inout Talk, _ socket: LocalSocket, before deadline: Int64?) -> Next {
        while true {
            switch talk.input.next() {
            case .message(let message): return CoordinationAnswer(message).map(Next.answer) ?? .ended
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
