import Containers
import Glibc
import LinuxFiles

// Whoever granted claims is gone, or has handed the container's lock on: they go on at whoever serves next. What `Holding` says is done here.
extension FileCoordinator {
    /// On the thread that waits for ends.
    func connectionEnded(_ number: UInt64) {
        let claim = desk.withLock { desk in
            desk.idle.removeAll { $0.number == number }
            return desk.claims.removeValue(forKey: number)?.claim
        }
        if let claim, claim.handle(.connectionEnded, on: number) == .lookForNext { goOn(claim) }
    }

    /// This process serves no more in a moment.
    func noteClaims(by server: CoordinationServer) {
        for (number, registered) in claims(by: server) {
            guard registered.claim.handle(.servingEnds, on: number) == .note, registered.claim.token == nil else { continue }
            let claimants = desk.withLock { desk in
                if desk.claimants == nil { desk.claimants = Claimants(of: desk.container) }
                return desk.claimants
            }
            if let token = claimants?.begin(), !registered.claim.keep(token) { claimants?.end(token) }
        }
    }

    /// By then this process may serve again: what was granted by the new one is none of these, and would wait for itself.
    func resumeClaims(by server: CoordinationServer) {
        for (number, _) in claims(by: server) { connectionEnded(number) }
    }

    private func claims(by server: CoordinationServer) -> [UInt64: (claim: HeldClaim, ownServer: ObjectIdentifier?)] {
        desk.withLock { desk in desk.claims.filter { $0.value.ownServer == ObjectIdentifier(server) } }
    }

    private func goOn(_ claim: HeldClaim) {
        var waits = waits
        while !claim.isOver {
            if let connection = try? newConnection() {
                claim.isNext(connection)
                register(claim, on: connection)
                guard claim.handle(.nextFound) == .resume else { return forget(connection) }
                let action: Holding.Action?
                var sentence = ""
                switch connection.resume(claim.token ?? 0, claim.items, throughDrive: claim.throughDrive, presenter: claim.presenter) {
                case .granted(let number, _): action = claim.granted(by: HeldClaim.Way(connection: connection, number: number))
                case .refused(_, let reason): (action, sentence) = (claim.handle(.refused), reason)
                case .late, .stopped, .ended: action = claim.handle(.hungUp)
                }
                if action == .goOn { return }
                // Given up meanwhile, or gone again: the connection goes, and the claim with it.
                forget(connection)
                guard action == .lookAgain else { return action == .complain ? Self.complain(claim, sentence) : () }
            }
            guard waits.wait() else {
                if claim.handle(.noneFound) == .complain { Self.complain(claim, "whoever serves the container now hangs up, or nobody does") }
                return
            }
        }
    }

    private static func complain(_ claim: HeldClaim, _ sentence: String) {
        SystemLog.write("the claim on “\(claim.items[0].path)” does not go on: \(sentence)", .warning)
    }
}
