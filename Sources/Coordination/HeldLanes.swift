import Glibc
import LinuxFiles

/// The lanes that the calling thread is in. Nothing in a lane waits for another program, sleeps or asks a person: whoever
/// wants the document, or lists its folder, would wait as well. What waits says so with `checkNone`, what needs a lane with
/// `DocumentCoordinator.checkWriting`, and debug builds end where it is wrong; in others nothing is counted.
public enum HeldLanes {
    struct Lane: Equatable {
        let coordinator: ObjectIdentifier
        let item: LaneID
    }

    #if DEBUG
    private final class Held {
        var lanes: [(lane: Lane, isWritten: Bool)] = []
    }

    /// Each thread has a list of its own under this key.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // SAFETY: the key is this process's as long as it lives. What is kept under it was retained for that, and is released when
        // its thread ends.
        unsafe pthread_key_create(&key) { kept in
            if let kept = unsafe kept { unsafe Unmanaged<Held>.fromOpaque(kept).release() }
        }
        return key
    }()

    private static var held: Held {
        // SAFETY: as above; a thread reads and writes its own.
        if let kept = unsafe pthread_getspecific(key) { return unsafe Unmanaged<Held>.fromOpaque(kept).takeUnretainedValue() }
        let new = Held()
        // SAFETY: as above.
        unsafe pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
        return new
    }

    static var count: Int { held.lanes.count }

    static func isIn(_ lane: Lane, writing: Bool) -> Bool { held.lanes.contains { $0.lane == lane && ($0.isWritten || !writing) } }
    #endif

    static func within<Value>(_ lane: Lane, writing: Bool, _ body: () -> Value) -> Value {
        #if DEBUG
        held.lanes.append((lane, writing))
        defer { held.lanes.removeLast() }
        #endif
        return body()
    }

    /// Before something that waits.
    public static func checkNone(_ waiting: StaticString = #function) {
        #if DEBUG
        precondition(count == 0, "“\(waiting)” waits inside a lane")
        HeldLocks.checkNoTable(waiting)
        #endif
    }
}
