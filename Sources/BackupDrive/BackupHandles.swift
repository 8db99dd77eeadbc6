import Backups
import Drive
import LinuxFiles
import Synchronization

/// The files that are open, by their numbers. None is forgotten before it is closed.
final class BackupHandles: Sendable {
    enum Target: Sendable {
        case content(BackupContent)
        /// The status, as it was when it was opened.
        case page([UInt8])
    }

    private let targets = RecentTable<UInt64, Target>(most: .max)
    private let last = Atomic<UInt64>(0)

    func add(_ target: Target) -> HandleID {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        targets[number] = target
        return HandleID(rawValue: number)
    }

    subscript(_ handle: HandleID) -> Target {
        get throws(Errno) {
            guard let target = targets[handle.rawValue] else { throw .badDescriptor }
            return target
        }
    }

    /// The file is closed after the lock: that takes time.
    func remove(_ handle: HandleID) { _ = targets.take(handle.rawValue) }
}
