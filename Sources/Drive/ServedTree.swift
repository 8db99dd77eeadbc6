import LinuxFiles

/// A tree that the kernel is shown: what `FuseBridge` asks, one call a request. A container's drive is one (`Drive`).
///
/// Synchronous: a caller is a thread that may wait. Nothing here has an answer of its own but for trees that are only read
/// (`ReadTree`), so that the compiler finds what another tree forgets.
public protocol ServedTree: AnyObject, Sendable {
    // MARK: From the mount to its end

    /// The kernel's ear, once there is one, and until the session ends.
    func setListener(_ listener: (any KernelListener)?)
    /// The kernel has greeted who serves it.
    func setKernelMeans(_ means: KernelMeans)
    /// Before it is unmounted: who tells of changes by using it stops.
    func endEchoing()
    /// Each request is counted before it is answered.
    func count(_ kind: RequestKind, at node: NodeID)
    /// What a request is answered that failed so.
    func explained(_ error: Errno) -> Errno

    // MARK: Names and attributes

    func lookUp(_ what: LookedUp, in folder: NodeID, caller: Caller) throws(Errno) -> Entry
    func forget(_ node: NodeID, count: UInt64)
    func readLink(_ node: NodeID, caller: Caller) throws(Errno) -> [UInt8]
    func attributes(of node: NodeID, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes
    func birth(of node: NodeID) -> Timestamp?
    func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes
    /// Of the file system that a node lies on.
    func fileSystemStatus(of node: NodeID) throws(Errno) -> FileSystemStatus
    func extendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) -> [UInt8]
    func extendedAttributeNames(of node: NodeID, caller: Caller) throws(Errno) -> [[UInt8]]
    func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32, caller: Caller) throws(Errno)
    func removeExtendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno)

    // MARK: Content

    func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened
    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content
    func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64
    func write(
        _ handle: HandleID, at offset: Int64, count: Int, _ end: WriteEnd, isMapped: Bool, losingSetIDs writer: Caller?,
        _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int
    func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller?) throws(Errno)
    func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller?
    ) throws(Errno) -> Int
    func flush(_ handle: HandleID) throws(Errno)
    func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno)
    func release(_ handle: HandleID)

    // MARK: Folders

    func openFolder(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> OpenedFolder
    /// Calls `take` for one entry after another from `position` on, until it says false: that one it did not take.
    /// With `counting`, the kernel learns of each node that was taken, "." and ".." excepted, as `lookUp` tells it.
    func readFolder(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno)
    func releaseFolder(_ handle: FolderHandleID)
    func syncFolder(_ node: NodeID) throws(Errno)

    // MARK: Entries that come, go and change their names

    func create(_ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened)
    func createNameless(in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened)
    func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry
    func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry
    func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry
    func link(_ node: NodeID, as name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry
    func unlink(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno)
    func removeFolder(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno)
    func rename(
        _ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno)
}

/// A tree that is only read: whatever would change it is refused, and the kernel is told of no change.
public protocol ReadTree: ServedTree {}

extension ReadTree {
    public func setListener(_ listener: (any KernelListener)?) {}
    public func setKernelMeans(_ means: KernelMeans) {}
    public func endEchoing() {}
    public func count(_ kind: RequestKind, at node: NodeID) {}
    public func explained(_ error: Errno) -> Errno { error }

    public func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes { throw .readOnly }
    public func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32, caller: Caller) throws(Errno) { throw .readOnly }
    public func removeExtendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) { throw .readOnly }
    public func write(
        _ handle: HandleID, at offset: Int64, count: Int, _ end: WriteEnd, isMapped: Bool, losingSetIDs writer: Caller?,
        _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int { throw .badDescriptor }
    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller?) throws(Errno) { throw .badDescriptor }
    public func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller?
    ) throws(Errno) -> Int { throw .badDescriptor }
    public func flush(_ handle: HandleID) throws(Errno) {}
    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {}
    public func syncFolder(_ node: NodeID) throws(Errno) {}
    public func create(_ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) { throw .readOnly }
    public func createNameless(in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) { throw .readOnly }
    public func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func link(_ node: NodeID, as name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    public func unlink(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) { throw .readOnly }
    public func removeFolder(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) { throw .readOnly }
    public func rename(
        _ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno) { throw .readOnly }
}
