import CFuse3
import Drive
import LinuxFiles

/// Told one after another on a thread of their own, soon after: the kernel holds locks of a request while it
/// waits for its answer, and what it is told wants the same locks, so a thread that answers must not tell it.
///
/// The result is of no use: the kernel says "no such entry" of what it does not remember.
extension Session: KernelListener {
    public func forgetEntry(_ name: Name, in folder: NodeID) {
        telling.async {
            // SAFETY: the name lives through the call, the session as long as `self`.
            unsafe name.bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                _ = unsafe CFuse3_notify_entry(self.handle, folder.rawValue, start, bytes.count)
            }
        }
    }

    public func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID) {
        telling.async {
            // SAFETY: as above.
            unsafe name.bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                _ = unsafe CFuse3_notify_removed(self.handle, folder.rawValue, node.rawValue, start, bytes.count)
            }
        }
    }

    public func afterwards(_ body: @escaping @Sendable () -> Void) { telling.async(body) }

    public func whileSilent(_ body: () -> Void) { telling.sync(body) }

    public func forgetContent(of node: NodeID, from offset: Int64, count: Int64) {
        // SAFETY: as above.
        guard offset >= 0 else {
            // For attributes alone the kernel takes no lock, and who opens a changed file must not see its old size.
            _ = unsafe CFuse3_notify_content(handle, node.rawValue, offset, count)
            return
        }
        telling.async { _ = unsafe CFuse3_notify_content(self.handle, node.rawValue, offset, count) }
    }
}
