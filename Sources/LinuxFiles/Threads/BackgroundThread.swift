import CLinux
import Glibc

/// A thread that nobody waits for.
public enum BackgroundThread {
    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    public static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        // SAFETY: the box is handed over to the thread, which takes it back exactly once.
        let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
        let failed = unsafe pthread_create(&thread, nil, { argument in
            if let argument = unsafe argument { unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, box)
        if failed == 0 { pthread_detach(thread) } else { unsafe Unmanaged<Box>.fromOpaque(box).release() }
    }

    /// Whether the calling thread is none: it is the one that the process began with. Foundation's `Thread.isMainThread` asks the kernel
    /// twice each time.
    public static var isFirst: Bool { CLinux_is_first_thread() != 0 }

    /// The calling thread does nothing for so long.
    public static func rest(milliseconds: Int64) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }

    /// Lets the other threads of the process go first, from now on and for good.
    public static func stepBack() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }

    /// A thread that has none of the process's open files, and is told its number: when the process is killed, its files are
    /// closed even if this thread waits in the kernel and cannot end. Nothing is run where the kernel is too old for that.
    public static func startWithoutFiles(_ body: @escaping @Sendable (UInt32) -> Void) {
        let numbers = FilesFromBefore.numbers, nothing = FilesFromBefore.nothing?.descriptor.rawValue ?? -1
        // SAFETY: the pointer and the count are the array's.
        start { if unsafe CLinux_leave_descriptors(nothing, numbers, numbers.count) == 0 { body(CLinux_thread_number()) } }
    }
}
