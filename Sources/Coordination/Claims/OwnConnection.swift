import Containers
import Dispatch
import LinuxFiles

/// The way to whoever serves where that is this process itself: a claim that nobody has to be waited for is granted in the call.
final class OwnConnection: ClaimConnection {
    private struct State {
        var lastNumber: UInt32 = 0
        var answers: [CoordinationAnswer] = []
        var isOver = false
        var isWaiting = false
    }

    /// What whoever serves has said.
    private final class Heard: Sendable {
        let state = Locked(State())
        let turn = DispatchSemaphore(value: 0)

        func hear(_ answer: CoordinationAnswer?) {
            let isWaiting = state.withLock { state in
                if let answer { state.answers.append(answer) } else { state.isOver = true }
                defer { state.isWaiting = false }
                return state.isWaiting
            }
            if isWaiting { turn.signal() }
        }
    }

    let number = ConnectionNumbers.next
    var ownServer: ObjectIdentifier? { ObjectIdentifier(server) }
    private let heard = Heard()
    private let server: CoordinationServer
    private let client: Int

    /// nil where nobody is served any more.
    init?(_ server: CoordinationServer) {
        let heard = heard
        guard let client = server.admit({ heard.hear($0) }) else { return nil }
        (self.server, self.client) = (server, client)
    }

    deinit { server.dismiss(client) }

    func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?, _ wait: ClaimWait) -> ClaimOutcome {
        outcome(items, before: deadline, wait) { .claim($0, items, throughDrive: throughDrive, presenter: presenter) }
    }

    func resume(_ token: Claimants.Token, _ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?) -> ClaimOutcome {
        outcome(items, before: nil) { .resume(token, $0, items, throughDrive: throughDrive, presenter: presenter) }
    }

    private func outcome(_ items: [ClaimedItem], before deadline: Int64?, _ wait: ClaimWait = ClaimWait(), _ request: (UInt32) -> CoordinationRequest) -> ClaimOutcome {
        let number = heard.state.withLock { state in
            state.lastNumber &+= 1
            return state.lastNumber
        }
        server.say(request(number), from: client)
        var holders = ClaimHolders(of: items), next = next(before: deadline, wait, claim: number)
        while case .answer(.held(number, let processes)) = next {
            holders.look(at: processes)
            next = self.next(before: deadline, wait, claim: number)
        }
        let outcome = next.outcome(of: number)
        if case .late = outcome { shutDown() }
        return outcome
    }

    func done(_ request: CoordinationRequest, _ number: UInt32) throws(Failure) -> String {
        server.say(request, from: client)
        return try next(before: nil, ClaimWait()).decided(number)
    }

    /// The versions of what was moved go along in the call: this process may end right after it.
    func tell(_ request: CoordinationRequest) {
        if case .moved(_, let old, let new) = request { server.follow(old, to: new) }
        server.say(request, from: client)
    }

    func shutDown() { server.dismiss(client) }

    /// `claim`: the number of the one that is waited for, where it is one. After a silence it is asked who has what it waits for.
    private func next(before deadline: Int64?, _ wait: ClaimWait, claim: UInt32? = nil) -> NextAnswer {
        while true {
            let next: NextAnswer? = heard.state.withLock { state in
                if !state.answers.isEmpty { return .answer(state.answers.removeFirst()) }
                guard !state.isOver else { return .ended }
                state.isWaiting = true
                return nil
            }
            if let next { return next }
            let silence = claim.map { _ in Monotonic.milliseconds + SilentServer.quiet }, end = [deadline, silence].compactMap(\.self).min()
            let isTold = wait.answer { [heard] in
                guard let end else {
                    heard.turn.wait()
                    return true
                }
                return heard.turn.wait(timeout: .now() + .milliseconds(Int(clamping: max(0, end - Monotonic.milliseconds)))) == .success
            }
            if isTold { continue }
            if let deadline, Monotonic.milliseconds >= deadline { return .late }
            if let claim { server.say(.holders(claim), from: client) }
        }
    }
}
