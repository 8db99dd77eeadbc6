import Containers
import Glibc
import LinuxFiles

// Whoever granted claims is gone, or has handed the container's lock on: they go on at whoever serves next.
extension FileCoordinator {
    /// What was granted on it is resumed. On the thread that waits for ends.
    func connectionEnded(_ number: UInt64) {
        let held = desk.withLock { desk in
            let held = desk.held.removeValue(forKey: number)
            if held == nil { desk.ended.insert(number) }
            return held
        }
        if let held { resume(held) }
    }

    /// This process serves no more in a moment.
    func keepOwnClaims() {
        desk.withLock { desk in
            desk.isHandingOn = true
            let own = desk.held.values.filter { $0.way.connection.isOwn && $0.token == nil && !$0.isOver }
            guard !own.isEmpty else { return }
            if desk.claimants == nil { desk.claimants = Claimants(of: container) }
            for held in own { if let token = desk.claimants?.begin() { held.keep(token) } }
        }
    }

    func resumeOwnClaims() {
        let ended = desk.withLock { desk in
            let ended = desk.held.filter { $0.value.way.connection.isOwn }
            for number in ended.keys { desk.held[number] = nil }
            return ended.values
        }
        for held in ended { resume(held) }
    }

    private func resume(_ held: HeldClaim) {
        HandOverStep.left.pass()
        var waits = waits
        while !held.isOver {
            guard let connection = try? newConnection() else {
                guard waits.wait() else { return giveUp(held) }
                continue
            }
            HandOverStep.resuming.pass()
            switch connection.resume(held.token ?? 0, held.items, throughDrive: held.throughDrive, presenter: held.presenter) {
            case .granted(let number, _):
                HandOverStep.resumed.pass()
                let way = HeldClaim.Way(connection: connection, number: number)
                // Given up meanwhile: the connection goes, and the claim with it.
                guard let before = held.goOn(by: way) else { return }
                let hasEnded = desk.withLock { desk in
                    desk.held[connection.number] = held.isOver ? nil : held
                    return desk.ended.contains(connection.number)
                }
                withExtendedLifetime(before) {}
                guard hasEnded else { return }
                desk.withLock { $0.held[connection.number] = nil }
            case .refused(_, let sentence):
                return SystemLog.write("the claim on “\(held.items[0].path)” does not go on: \(sentence)", .warning)
            case .late, .ended: guard waits.wait() else { return giveUp(held) }
            }
        }
    }

    private func giveUp(_ held: HeldClaim) {
        SystemLog.write("the claim on “\(held.items[0].path)” does not go on: whoever serves the container now hangs up, or nobody does", .warning)
    }
}
