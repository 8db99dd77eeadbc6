import Coordination
import Dispatch
import LinuxFiles

/// Locks and lanes, taken in an order that is wrong, and once in the right one.
enum Cases {
    private static let coordinator = DocumentCoordinator(label: "trial")
    private static let document = LaneID(rawValue: 7), other = LaneID(rawValue: 8)
    private static let turn = Locked((), .journalRecords), laterTurn = Locked((), .systemLog)
    private static let handles = Locked((), .openHandles), tree = Locked((), .tree), leaf = Locked(()), otherLeaf = Locked(())
    private static func readFile() { _ = try? Descriptor.atPath("/", [.path, .folder]) }

    static let all: [(name: String, run: @Sendable () -> Void)] = [
        ("right", {
            coordinator.write(document) {
                coordinator.checkWriting(document)
                coordinator.read(other) { coordinator.checkReading(other) }
                turn.withLock { _ in
                    readFile()
                    laterTurn.withLock { _ in handles.withLock { _ in tree.withLock { _ in leaf.withLock { _ in } } } }
                    readFile()
                }
            }
            _ = handles.withLockIfAvailable { _ in tree.withLockIfAvailable { _ in } }
            // What another thread holds is nothing to this one.
            tree.withLock { _ in
                let ended = DispatchSemaphore(value: 0)
                BackgroundThread.start {
                    handles.withLock { _ in }
                    readFile()
                    coordinator.write(document) {}
                    ended.signal()
                }
                ended.wait()
            }
            HeldLanes.checkNone()
        }),
        // Locks.
        ("table before table", { tree.withLock { _ in handles.withLock { _ in } } }),
        ("table before table that may be had", { tree.withLock { _ in _ = handles.withLockIfAvailable { _ in } } }),
        ("table before turn", { handles.withLock { _ in turn.withLock { _ in } } }),
        ("turn before turn", { laterTurn.withLock { _ in turn.withLock { _ in } } }),
        ("leaf in leaf", { leaf.withLock { _ in otherLeaf.withLock { _ in } } }),
        ("lock in itself", { tree.withLock { _ in tree.withLock { _ in } } }),
        // What takes time, with a table in the hands.
        ("file with table", { tree.withLock { _ in readFile() } }),
        ("file with leaf", { leaf.withLock { _ in readFile() } }),
        ("file with turn and table", { turn.withLock { _ in handles.withLock { _ in readFile() } } }),
        ("lane with table", { handles.withLock { _ in coordinator.write(document) {} } }),
        ("reader's lane with table", { handles.withLock { _ in coordinator.read(document) {} } }),
        ("waiting with table", { handles.withLock { _ in HeldLanes.checkNone("waitForOthers") } }),
        // Lanes.
        ("lane in itself", { coordinator.write(document) { coordinator.write(document) {} } }),
        ("reader's lane in itself", { coordinator.write(document) { coordinator.read(document) {} } }),
        ("lane in its reader's", { coordinator.read(document) { coordinator.write(document) {} } }),
        ("writing outside", { coordinator.checkWriting(document, "saved") }),
        ("writing as reader", { coordinator.read(document) { coordinator.checkWriting(document, "saved") } }),
        ("writing in another's", { coordinator.write(other) { coordinator.checkWriting(document, "saved") } }),
        ("writing in another coordinator's", { DocumentCoordinator().write(document) { coordinator.checkWriting(document, "saved") } }),
        ("reading outside", { coordinator.checkReading(document, "looked") }),
        ("waiting in lane", { coordinator.write(document) { coordinator.drain() } }),
        ("waiting in reader's lane", { coordinator.read(document) { HeldLanes.checkNone("waitForOthers") } }),
    ]
}
