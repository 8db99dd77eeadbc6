import Containers
import LinuxFiles

// What `Serving` says is done here: at its end, and at its beginning where others have granted claims before.
extension ClaimDesk {
    // MARK: Its end

    /// No new claims. With `until` those that are granted end first, or this moment comes; without, those that would not go on at whoever
    /// serves next.
    mutating func stop(until: Int64?) {
        lastEnd = lastEnd ?? until
        if course.handle(until == nil ? .stopAfterOwn : .stopAfterAll) == .refuseWaiting { refuseWaiting() }
    }

    mutating func lookWhoIsWaitedFor() {
        guard let whom = course.state.waitsFor, !isAnybodyWaitedFor(whom), course.handle(.nobodyIsWaitedFor) == .stopListening else { return }
        server.endListening()
        if course.handle(.listensNoMore) == .refuseWaiting { refuseWaiting() }
    }

    private func isAnybodyWaitedFor(_ whom: Serving.Waiting) -> Bool {
        switch whom {
        case .all: hasGranted { _ in true } && Monotonic.milliseconds < lastEnd ?? .max
        // Clients of a version that resumes no claims are waited for.
        case .ownToo: underWay > 0 || hasGranted { $0.socket == nil || $0.version ?? 1 < CoordinationProtocol.resuming }
        case .whatCannotGoOn: underWay > 0 || hasGranted { $0.socket != nil && $0.version ?? 1 < CoordinationProtocol.resuming }
        }
    }

    private func hasGranted(_ counts: (ClaimClient) -> Bool) -> Bool { clients.values.contains { counts($0) && $0.claims.values.contains(where: \.isGranted) } }

    /// Those who would have had their claims have them.
    mutating func wanterGone() {
        guard course.handle(.wanterGone) == .tellHeldBack else { return }
        let claims = heldBack
        heldBack = []
        for claim in claims where clients[claim.client]?.claims[claim.id] === claim { tellGranted(claim) }
    }

    // MARK: Claims from before

    /// Those are resumed here that whoever served before has granted, or their programs are gone. One that does neither is not waited for for ever.
    mutating func lookForAwaited() {
        guard !awaited.isEmpty else { return }
        let before = awaited, now = Monotonic.milliseconds
        if claimants == nil { awaited = [] }
        if let claimants, let others = try? claimants.others().union(claimants.presenters()) { awaited.formIntersection(others) }
        let late = now >= lastAwaited - Self.longestAwaited + Self.longestAwaitedPresenters ? awaited.filter(Claimants.isOfPresenters) : []
        if !late.isEmpty {
            let seconds = Self.longestAwaitedPresenters / 1000
            SystemLog.write("\(late.count) programs that had items of the container open did not say so in \(seconds) seconds, and are not waited for any longer", .warning)
            awaited.subtract(late)
        }
        if !awaited.isEmpty, now >= lastAwaited {
            SystemLog.write("\(awaited.count) claims on items of the container were not resumed in \(Self.longestAwaited / 1000) seconds, and are not waited for any longer", .warning)
            awaited = []
        }
        if awaited != before { goOnWithoutSome() }
    }

    /// A claim was resumed, or a program has said all that it presents.
    mutating func haveCome(_ token: Claimants.Token) { if awaited.remove(token) != nil { goOnWithoutSome() } }

    private mutating func goOnWithoutSome() {
        server.note(awaited)
        guard awaited.isEmpty, course.handle(.allResumed) == .enterSetAside else { return }
        let claims = latecomers
        latecomers = []
        for claim in claims where clients[claim.client]?.claims[claim.id] === claim { enter(claim) }
    }

    mutating func resume(_ claim: Claim, _ token: Claimants.Token, of client: ClaimClient) {
        guard course.handle(.resumeCame) == .take else { return say(.refused(claim.id, .tryAgain, Self.ending), to: client) }
        client.claims[claim.id] = claim
        // Nobody else has it, and nobody is asked: all that was done when it was granted.
        if table.enter(claim) { tell(granted: claim, to: client) }
        haveCome(token)
    }
}
