import Coordination
import Foundation
import LinuxFiles

/// The accesses that this process has been granted and that have not ended, by the purpose they are for: what is done for the same
/// purpose never waits for itself.
enum HeldAccesses {
    struct Access: Sendable {
        let purpose: String
        /// The path of the container; "" for what lies in none.
        let home: String
        let item: ClaimedItem
        /// In a container: the way to whoever writes there.
        let coordinated: CoordinatedItem?
        fileprivate let number: UInt64
    }

    private struct State {
        var last: UInt64 = 0
        var held: [Access] = []
    }

    private static let state = Locked(State())

    /// Notes what was granted; `end` is to be called with the answer.
    static func begin(_ items: [(home: String, item: ClaimedItem, coordinated: CoordinatedItem?)], for purpose: String) -> [UInt64] {
        state.withLock { state in
            items.map { item in
                state.last += 1
                state.held.append(Access(purpose: purpose, home: item.home, item: item.item, coordinated: item.coordinated, number: state.last))
                return state.last
            }
        }
    }

    static func end(_ numbers: [UInt64]) { state.withLock { $0.held.removeAll { numbers.contains($0.number) } } }

    /// Whether the purpose has something already that would be waited for.
    static func covers(_ item: ClaimedItem, in home: String, for purpose: String) -> Bool {
        state.withLock { $0.held.contains { $0.purpose == purpose && $0.home == home && $0.item.excludes(item) } }
    }

    /// An access for writing in which an item is; of one purpose, or of any.
    static func writing(_ path: ItemPath, in home: String, for purpose: String? = nil) -> Access? {
        state.withLock { $0.held.last { $0.home == home && (purpose == nil || $0.purpose == purpose) && $0.item.purpose.isWriting && path.isInside($0.item.path) } }
    }
}
