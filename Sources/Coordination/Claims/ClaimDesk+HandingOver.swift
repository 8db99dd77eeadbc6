import Containers
import LinuxFiles

// Its end, and its beginning where others have granted claims before.
extension ClaimDesk {
    /// How it comes to the end that is under way.
    enum Ending {
        /// Claims that were granted end first, or this moment comes.
        case afterAll(until: Int64)
        /// Those end first that would not go on at whoever serves next.
        case handingOver(own: Bool)
    }

    // MARK: Its end

    var deadline: Int64? { if case .afterAll(let until) = ending { until } else { nil } }

    var isAtEnd: Bool {
        switch ending {
        case nil: false
        case .afterAll(let until): !hasGranted { _ in true } || Monotonic.milliseconds >= until
        case .handingOver(let own): canHandOver(own: own)
        }
    }

    /// Clients of a version that resumes no claims are waited for.
    func canHandOver(own: Bool) -> Bool {
        underWay == 0 && !hasGranted { client in if case .own = client.line { !own } else { client.version ?? 1 < CoordinationProtocol.resuming } }
    }

    private func hasGranted(_ counts: (ClaimClient) -> Bool) -> Bool { clients.values.contains { counts($0) && $0.claims.values.contains(where: \.isGranted) } }

    // MARK: Claims from before

    /// Those are resumed here that whoever served before has granted, or their programs are gone. One that does neither is not waited for for ever.
    mutating func lookForAwaited() {
        guard !awaited.isEmpty else { return }
        if let claimants, let others = try? claimants.others() { awaited.formIntersection(others) } else if claimants == nil { awaited = [] }
        if !awaited.isEmpty, Monotonic.milliseconds >= lastAwaited {
            SystemLog.write("\(awaited.count) claims on items of the container were not resumed in \(Self.longestAwaited / 1000) seconds, and are not waited for any longer", .warning)
            awaited = []
        }
        if awaited.isEmpty { goOnWithoutAwaited() }
    }

    private mutating func goOnWithoutAwaited() {
        HandOverStep.whole.pass()
        server.note(isAwaiting: false)
        let claims = latecomers
        latecomers = []
        for claim in claims where clients[claim.client]?.claims[claim.id] === claim { enter(claim) }
    }

    mutating func resume(_ claim: Claim, _ token: Claimants.Token, of client: ClaimClient) {
        guard !isStopping else { return say(.refused(claim.id, .tryAgain, Self.ending), to: client) }
        client.claims[claim.id] = claim
        // Nobody else has it, and nobody is asked: all that was done when it was granted.
        if table.enter(claim) { tell(granted: claim, to: client) }
        HandOverStep.heard.pass()
        if awaited.remove(token) != nil, awaited.isEmpty { goOnWithoutAwaited() }
    }
}
