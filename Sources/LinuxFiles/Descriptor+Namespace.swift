import CLinux

extension Descriptor {
    /// From now on this process sees the mounts of the namespace that this file stands for, and paths lead there.
    /// Only while the process has one thread.
    public borrowing func enterMountNamespace() throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_enter_mount_namespace(raw) }
    }
}
