import Dispatch
import Foundation
import LinuxFiles

/// The key-value stores of this process that are on disk, and what becomes of them when it ends, or is told to.
enum KeyValueStoresAtEnd {
    private struct Weak: Sendable { weak let store: NSUbiquitousKeyValueStore? }

    private static let stores = Locked<[ObjectIdentifier: Weak]>([:])
    private static let queue = DispatchQueue(label: "valise.ending.key-values")

    static func add(_ store: NSUbiquitousKeyValueStore) { stores.withLock { $0[ObjectIdentifier(store)] = Weak(store: store) } }

    static func remove(_ store: NSUbiquitousKeyValueStore) { _ = stores.withLock { $0.removeValue(forKey: ObjectIdentifier(store)) } }

    /// Before there is anything to lose.
    static func watch() {
        EndingSignals.watch()
        _ = exit
    }

    private static let process = getpid()

    /// Not in a child that is a copy of this process: it has its memory and none of its threads.
    private static let exit = {
        _ = process
        return atexit { if getpid() == process { writeAll(until: .now() + EndingSignals.patience) } }
    }()

    /// Writes what waits. Another program that has the file for longer is not waited for.
    static func writeAll(until end: DispatchTime) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            // Out of the lock first: a store that goes with the last one who has it takes itself from the table.
            let all = stores.withLock { $0.values.compactMap(\.store) }
            for store in all { store.writeWhatWaits() }
            done.signal()
        }
        _ = done.wait(timeout: end)
    }
}
