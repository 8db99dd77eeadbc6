import LinuxFiles
import Synchronization

/// Those whose open was refused because the name leads elsewhere by now. The kernel looks the name up again for them, once, and
/// opens what it found; refused again, the program hears of it.
final class RefusedOpens: Sendable {
    struct Place: Hashable, Sendable {
        let folder: UInt32
        let name: Name
    }

    private let table = Mutex<[UInt32: Place]>([:])
    /// Threads that never came again.
    private static let most = 256

    /// Whether this thread was refused the same name just before. Each is asked once.
    func isSecond(_ thread: UInt32, _ place: Place) -> Bool {
        table.withLock { table in
            if table[thread] == place {
                table[thread] = nil
                return true
            }
            if table.count >= Self.most { table = [:] }
            table[thread] = place
            return false
        }
    }

    func forget(_ thread: UInt32) { table.withLock { table in if !table.isEmpty { table[thread] = nil } } }
}
