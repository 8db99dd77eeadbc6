import CLinux

/// How this process treats memory that it has used once.
public enum Memory {
    /// Gives big blocks back to the system as soon as they are free: for a process that lives long and is idle mostly.
    public static func returnWhenFree() { CLinux_return_memory() }

    /// Gives back all that is free now, also what lies between small blocks in use. Takes about a millisecond.
    public static func returnFree() { CLinux_trim_memory() }
}
