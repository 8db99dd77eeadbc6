import Containers
import LinuxFiles
import Synchronization

/// The tree that a user sees: each call is one question of the kernel's, answered as a value or thrown as an errno.
///
/// Synchronous: a caller is a thread that may wait. No FUSE here: `FuseBridge` decodes, calls one
/// method and replies. The methods are in the `Drive+` files, by topic.
public final class Drive: Sendable {
    public let counts = RequestCounts()
    let noticesBox = Mutex<(any KernelNotices)?>(nil)

    public init(container: Container, options: DriveOptions) {}

    /// The kernel's ear, once there is one. Held weakly by nobody: cleared with nil before the session ends.
    public func setNotices(_ notices: (any KernelNotices)?) { noticesBox.withLock { $0 = notices } }

    /// The drive was mounted: what the status page says of it.
    public func mounted(at mountpoint: String) {}
    /// Saves what is open and stops all work. After the last request.
    public func close() {}

    // Names
    public func lookUp(_ name: Name, in folder: NodeID) throws(Errno) -> Entry { throw .notImplemented }
    public func lookUpParent(of folder: NodeID) throws(Errno) -> Entry { throw .notImplemented }
    /// The folder or file itself, told as `lookUp` tells it: an NFS server has only its number.
    public func lookUpAgain(_ node: NodeID) throws(Errno) -> Entry { throw .notImplemented }
    public func forget(_ node: NodeID, count: UInt64) {}
    public func attributes(of node: NodeID, handle: HandleID?) throws(Errno) -> Attributes { throw .notImplemented }
    public func readLink(_ node: NodeID) throws(Errno) -> [UInt8] { throw .notImplemented }
    public func fileSystemStatus() throws(Errno) -> FileSystemStatus { throw .notImplemented }

    // Folders
    public func openFolder(_ node: NodeID) throws(Errno) -> OpenedFolder { throw .notImplemented }
    /// Calls `take` for one entry after another from `position` on, until it says false: that one it did not take.
    /// With `counting`, the kernel learns of each node that was taken, "." and ".." excepted, as `lookUp` tells it.
    public func readFolder(_ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool) throws(Errno) { throw .notImplemented }
    public func releaseFolder(_ handle: FolderHandleID) {}
    public func syncFolder(_ node: NodeID) throws(Errno) { throw .notImplemented }

    // Content. `flags` are those of open(2).
    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened { throw .notImplemented }
    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content { throw .notImplemented }
    /// Finds the place for `count` bytes and lets `transfer` move them there: (descriptor, offset) → how many were moved.
    public func write(_ handle: HandleID, at offset: Int64, count: Int, _ transfer: (Int32, Int64) throws(Errno) -> Int) throws(Errno) -> Int { throw .notImplemented }
    public func flush(_ handle: HandleID) throws(Errno) { throw .notImplemented }
    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) { throw .notImplemented }
    public func release(_ handle: HandleID) {}
    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64) throws(Errno) { throw .notImplemented }
    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 { throw .notImplemented }
    public func copyRange(from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int) throws(Errno) -> Int { throw .notImplemented }

    // Changes
    public func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes { throw .notImplemented }
    public func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry { throw .notImplemented }
    public func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry { throw .notImplemented }
    public func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry { throw .notImplemented }
    public func link(_ node: NodeID, as name: Name, in folder: NodeID) throws(Errno) -> Entry { throw .notImplemented }
    public func create(_ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) { throw .notImplemented }
    public func unlink(_ name: Name, in folder: NodeID) throws(Errno) { throw .notImplemented }
    public func removeFolder(_ name: Name, in folder: NodeID) throws(Errno) { throw .notImplemented }
    public func rename(_ name: Name, in folder: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32) throws(Errno) { throw .notImplemented }

    // Extended attributes
    public func extendedAttribute(_ name: [UInt8], of node: NodeID) throws(Errno) -> [UInt8] { throw .notImplemented }
    public func extendedAttributeNames(of node: NodeID) throws(Errno) -> [[UInt8]] { throw .notImplemented }
    public func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32) throws(Errno) { throw .notImplemented }
    public func removeExtendedAttribute(_ name: [UInt8], of node: NodeID) throws(Errno) { throw .notImplemented }
}

/// How a drive shows its container.
public struct DriveOptions: Sendable {
    public var readOnly = true
    /// All that is shown belongs to this user and group, where given.
    public var owner: UInt32?
    public var group: UInt32?
    /// Permissions that nothing on the drive has.
    public var umask: UInt32?
    public init() {}
}
