import Containers
import LinuxFiles

/// A claim that was granted, whoever serves now, until it is given up.
final class HeldClaim: Sendable {
    struct Way {
        /// Which it has to itself.
        let connection: any ClaimConnection
        let number: UInt32
    }

    private struct State {
        var way: Way
        var token: Claimants.Token?
        var isOver = false
    }

    let items: [ClaimedItem]
    let throughDrive: Bool, presenter: UInt64?
    private let state: Locked<State>

    init(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, _ token: Claimants.Token?, _ connection: any ClaimConnection, _ number: UInt32) {
        (self.items, self.throughDrive, self.presenter) = (items, throughDrive, presenter)
        state = Locked(State(way: Way(connection: connection, number: number), token: token))
    }

    var way: Way { state.withLock { $0.way } }
    /// By which whoever serves next sees that there is one.
    var token: Claimants.Token? { state.withLock { $0.token } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Where it has none yet.
    func keep(_ token: Claimants.Token) { state.withLock { $0.token = token } }

    func end() -> Way {
        state.withLock { state in
            state.isOver = true
            return state.way
        }
    }

    /// Answers by which it went until now; nil where it was given up meanwhile.
    func goOn(by way: Way) -> Way? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            defer { state.way = way }
            return state.way
        }
    }

    // MARK: In it

    func decide(item: Int, _ decision: VersionDecision) throws(Failure) {
        let way = way
        try way.connection.decide(way.number, item: UInt8(clamping: item), decision)
    }

    func save(item: Int, _ staged: StagedItem) throws(Failure) -> StagedOutcome {
        let way = way
        return try way.connection.save(way.number, item: UInt8(clamping: item), staged)
    }

    func moved(from old: ItemPath, to new: ItemPath) {
        let way = way
        way.connection.tell(.moved(way.number, from: old, to: new))
    }
}
