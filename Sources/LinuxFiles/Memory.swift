import CLinux

/// How this process treats memory that it has used once.
public enum Memory {
    /// Gives big blocks back to the system as soon as they are free: for a process that lives long and is idle mostly.
    public static func returnWhenFree() { CLinux_return_memory() }
}
