import Containers
import LinuxFiles

/// A claim from when it is asked for until it is given up, whoever serves now.
final class HeldClaim: Sendable {
    struct Way {
        /// The connection, which the claim has to itself.
        let connection: any ClaimConnection
        var number: UInt32
    }

    private struct State {
        var course = HandOver(Holding.asking)
        var items: [ClaimedItem]
        var way: Way
        /// The connection by which it is asked for, or goes on.
        var current: UInt64
        var token: Claimants.Token?
    }

    let throughDrive: Bool, presenter: UInt64?
    private let state: Locked<State>

    init(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, _ token: Claimants.Token?, _ connection: any ClaimConnection) {
        (self.throughDrive, self.presenter) = (throughDrive, presenter)
        state = Locked(State(items: items, way: Way(connection: connection, number: 0), current: connection.number, token: token), .heldClaim)
    }

    var items: [ClaimedItem] { state.withLock { $0.items } }
    var way: Way { state.withLock { $0.way } }
    /// By which whoever serves next sees that there is one.
    var token: Claimants.Token? { state.withLock { $0.token } }
    var isOver: Bool { state.withLock { $0.course.state == .over } }

    func handle(_ event: Holding.Event) -> Holding.Action? { state.withLock { $0.course.handle(event) } }

    /// Of a connection: nothing where the claim has gone on from there.
    func handle(_ event: Holding.Event, on connection: UInt64) -> Holding.Action? {
        state.withLock { $0.current == connection ? $0.course.handle(event) : nil }
    }

    func isNext(_ connection: any ClaimConnection) { state.withLock { $0.current = connection.number } }

    /// The items' places are those that were granted; none where they are as asked for.
    func granted(_ number: UInt32, _ paths: [ItemPath]) -> Holding.Action? {
        state.withLock { state in
            for (index, path) in paths.enumerated() where state.items.indices.contains(index) { state.items[index].path = path }
            state.way.number = number
            return state.course.handle(.granted)
        }
    }

    /// By another connection; what it went by until now lives a moment longer, outside of the lock.
    func granted(by way: Way) -> Holding.Action? {
        let (action, before) = state.withLock { state in
            let action = state.course.handle(.granted), before = state.way
            if action == .goOn { state.way = way }
            return (action, before)
        }
        return withExtendedLifetime(before) { action }
    }

    /// False where it has one already, or is over.
    func keep(_ token: Claimants.Token) -> Bool {
        state.withLock { state in
            guard state.token == nil, state.course.state != .over else { return false }
            state.token = token
            return true
        }
    }

    // MARK: In it

    func decide(item: Int, _ decision: ClaimDecision) throws(Failure) {
        let way = way
        try way.connection.decide(way.number, item: UInt8(clamping: item), decision)
    }

    func save(item: Int, _ staged: StagedItem) throws(Failure) -> StagedOutcome {
        let way = way
        return try way.connection.save(way.number, item: UInt8(clamping: item), staged)
    }

    func adopt(item: Int, _ adoption: ClaimAdoption) throws(Failure) -> Adopted {
        let way = way
        return try way.connection.adopt(way.number, item: UInt8(clamping: item), adoption)
    }

    func left(from old: ItemPath, to place: String) {
        let way = way
        way.connection.tell(.left(way.number, from: old, to: place))
    }

    func moved(from old: ItemPath, to new: ItemPath) {
        let way = way
        way.connection.tell(.moved(way.number, from: old, to: new))
    }
}
