import LinuxFiles

/// What the drive tells the kernel of its own accord, when what the kernel remembers is no longer so.
/// Never called while a lock is held: the kernel may wait for a request that wants that lock.
public protocol KernelListener: AnyObject, Sendable {
    /// This name may mean something else now.
    func forgetEntry(_ name: Name, in folder: NodeID)
    /// This name is gone: also tells whoever watches the folder.
    func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID)
    /// Runs `body` when all that was told before is known to the kernel.
    func afterwards(_ body: @escaping @Sendable () -> Void)
    /// Runs `body`, on this thread, while nothing is being told.
    func whileSilent(_ body: () -> Void)
    /// The attributes changed, and the content from `offset` on (`count` 0: to the end); a negative offset: attributes only.
    func forgetContent(of node: NodeID, from offset: Int64, count: Int64)
}
