import LinuxFiles

/// The open files and folders behind their lock.
final class OpenHandles: Sendable {
    private let table = Locked(HandleTable(), .openHandles)

    subscript(handle: HandleID) -> OpenHandle? { table.withLock { $0[handle] } }
    subscript(folder handle: FolderHandleID) -> FolderListing? { table.withLock { $0[folder: handle] } }

    func add(_ handle: OpenHandle) -> HandleID { table.withLock { $0.add(handle) } }
    func add(_ listing: FolderListing) -> FolderHandleID { table.withLock { $0.add(listing) } }

    func remove(_ handle: HandleID) -> OpenHandle? { table.withLock { $0.remove(handle) } }
    func remove(_ handle: FolderHandleID) -> FolderListing? { table.withLock { $0.remove(handle) } }

    /// All handles of a node go on with something else: it became a document, or a plain file. How many of them write.
    func retarget(_ node: NodeNumber, to target: OpenHandle.Target) -> Int { table.withLock { $0.retarget(node, to: target) } }

    func writers(of node: NodeNumber) -> Int { table.withLock { $0.writers(of: node) } }

    /// What one of a node's handles has open: all that is left of a file without a name.
    func content(of node: NodeNumber) -> OpenContent? { table.withLock { $0.content(of: node) } }

    var count: Int { table.withLock { $0.count } }
}
