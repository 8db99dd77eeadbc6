import Glibc

/// How many lanes the calling thread is in. Nothing in a lane waits for another program, sleeps or asks a person: whoever
/// wants the document, or lists its folder, would wait as well. What waits says so with `checkNone`, and debug builds
/// end where it is wrong; in others nothing is counted.
public enum HeldLanes {
    #if DEBUG
    /// Each thread has a number of its own under this key, which begins with 0.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // SAFETY: the key is this process's as long as it lives, and what is kept under it is a number and no place.
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    // SAFETY: as above; a thread reads and writes its own.
    static var count: Int { unsafe Int(bitPattern: pthread_getspecific(key)) }

    private static func add(_ step: Int) {
        // SAFETY: as above.
        unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: count + step))
    }
    #endif

    static func within<Value>(_ body: () -> Value) -> Value {
        #if DEBUG
        add(1)
        defer { add(-1) }
        #endif
        return body()
    }

    /// Before something that waits.
    public static func checkNone(_ waiting: StaticString = #function) {
        #if DEBUG
        precondition(count == 0, "“\(waiting)” waits inside a lane")
        #endif
    }
}
