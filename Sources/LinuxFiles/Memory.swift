import CLinux

/// How this process treats memory that it has used once.
public enum Memory {
    /// Gives big blocks back to the system as soon as they are free: for a process that lives long and is idle mostly.
    public static func returnWhenFree() { CLinux_return_memory() }

    /// Nobody else looks into it from now on, root excepted, and no core dump has any of it: for a process that knows a password. Programs that it starts
    /// are as they always are.
    public static func hide() {
        _ = CLinux_hide_memory()
        _ = CLinux_limit(CLinux_RLIMIT_CORE, 0)
    }

    /// Gives back all that is free now, also what lies between small blocks in use. Takes about a millisecond.
    public static func returnFree() { CLinux_trim_memory() }
}
