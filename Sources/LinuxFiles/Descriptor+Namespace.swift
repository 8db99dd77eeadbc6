import CLinux

extension Descriptor {
    /// From now on this process sees the mounts of the namespace that this file stands for, and paths lead there.
    /// Only while the process has one thread.
    public borrowing func enterMountNamespace() throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_enter_mount_namespace(raw) }
    }

    /// The top of a file system of the kernel's own, mounted for this process alone. Only for root.
    public static func mountedNowhere(_ type: String) throws(Errno) -> Descriptor {
        Descriptor(adopting: try retrying { unsafe CLinux_mount_nowhere(type) })
    }
}
