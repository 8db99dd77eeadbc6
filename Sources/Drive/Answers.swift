import Glibc
import LinuxFiles

/// A node's number, which is also the kernel's inode number for it.
/// Valid from the answer that named it until the kernel has forgotten it as often as it was told of it.
public struct NodeID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let root = NodeID(rawValue: 1)
    public static let control = NodeID(NodeNumber.control)
    public static let status = NodeID(NodeNumber.status)
}

/// An open file's number, from `open` or `create` until `release`.
public struct HandleID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An open folder's number, from `openFolder` until `releaseFolder`.
public struct FolderHandleID: Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The program that a request comes from.
public struct Caller: Sendable {
    public let user: UInt32
    public let group: UInt32
    /// The thread that the kernel names: of a program's first one, its process.
    public let thread: UInt32
    public let umask: UInt32

    public init(user: UInt32, group: UInt32, thread: UInt32, umask: UInt32 = 0) {
        self.user = user
        self.group = group
        self.thread = thread
        self.umask = umask
    }
}

extension Caller {
    /// The drive's own process.
    public static let own = Caller(user: geteuid(), group: getegid(), thread: 0)
}

/// What the drive says of a node: what `stat` shows.
public struct Attributes: Hashable, Sendable {
    public var node: NodeID
    public var mode: UInt32
    public var links: UInt32
    public var owner: UInt32
    public var group: UInt32
    public var device: UInt64
    public var size: Int64
    public var blocks: Int64
    public var accessed: Timestamp
    public var modified: Timestamp
    public var changed: Timestamp
    public var keeps = Keeping.long
    /// The same of the container, for comparing: what permissions are decided by.
    var access = CachedAccess.nothing

    public init(
        node: NodeID, mode: UInt32, links: UInt32, owner: UInt32, group: UInt32, device: UInt64, size: Int64, blocks: Int64,
        accessed: Timestamp, modified: Timestamp, changed: Timestamp, keeps: Keeping = .long
    ) {
        (self.node, self.mode, self.links, self.owner, self.group, self.device) = (node, mode, links, owner, group, device)
        (self.size, self.blocks, self.accessed, self.modified, self.changed, self.keeps) = (size, blocks, accessed, modified, changed, keeps)
    }
}

/// For how long the kernel may remember what it was told.
public enum Keeping: Sendable {
    /// The kernel may keep it until it is told of a change.
    case long
    /// For a moment: it may change, and nobody would tell the drive.
    case briefly
    /// The kernel keeps nothing of it: it is made anew each time it is asked for (`status`).
    case not
}

/// A name's answer: a node that the kernel now knows once more.
public struct Entry: Sendable {
    public let node: NodeID
    /// Tells two nodes apart that had the same number one after the other.
    public let generation: UInt64
    public let attributes: Attributes
    /// False where the name leads to what is called alike: nobody tells the kernel when that goes.
    public var isItsName = true

    public init(node: NodeID, generation: UInt64, attributes: Attributes) {
        (self.node, self.generation, self.attributes) = (node, generation, attributes)
    }
}

/// One entry while a folder is listed.
public struct FolderEntry {
    public let name: Name?
    public let dots: Dots
    /// Where to go on after this entry.
    public let next: UInt64
    public let entry: Entry
    /// The kernel learns of no node, only that there is the name.
    public let isNameOnly: Bool

    /// "." and ".." are entries of a folder and no names.
    public enum Dots: Sendable { case none, one, two }

    public init(name: Name?, dots: Dots, next: UInt64, entry: Entry, isNameOnly: Bool) {
        (self.name, self.dots, self.next, self.entry, self.isNameOnly) = (name, dots, next, entry, isNameOnly)
    }
}

/// An opened file, and how the kernel is to treat it.
public struct Opened: Sendable {
    public let handle: HandleID
    /// What the kernel has cached of this file is still its content.
    public var keepsCache = true
    /// Reads and writes are not to be cached at all: `status`, whose length nobody knows before.
    public var bypassesCache = false
    /// Closing it needs no word: it was opened for reading only.
    public var closesSilently = false
    public var seekable = true

    public init(handle: HandleID) { self.handle = handle }
}

public struct OpenedFolder: Sendable {
    public let handle: FolderHandleID
    /// The kernel may keep the listing.
    public let caches: Bool
    /// What it kept of an earlier listing is still right.
    public let keepsCache: Bool

    public init(handle: FolderHandleID, caches: Bool, keepsCache: Bool) {
        (self.handle, self.caches, self.keepsCache) = (handle, caches, keepsCache)
    }
}

/// Where the bytes of an answer to `read` are.
public enum Content: Sendable {
    /// A range of a file: goes to the kernel without being looked at.
    case file(OpenFile, offset: Int64, count: Int)
    case bytes(ArraySlice<UInt8>)
}

/// What `setattr` asks for. What is nil stays.
public struct AttributeChange: Sendable {
    public var permissions: UInt32?
    public var owner: UInt32?
    public var group: UInt32?
    public var size: Int64?
    public var accessed: Moment?
    public var modified: Moment?
    /// Who asks for it has no right to keep the file's set-id bits.
    public var losesSetIDs = false

    /// To change its content, or to touch it, one needs to be able to write to a file and not to own it.
    var needsOwnership: Bool {
        func isNow(_ moment: Moment?) -> Bool { if case .at = moment { false } else { true } }
        return permissions != nil || owner != nil || group != nil || !isNow(accessed) || !isNow(modified)
    }

    var isEmpty: Bool { permissions == nil && owner == nil && group == nil && size == nil && accessed == nil && modified == nil }

    public enum Moment: Sendable {
        case now
        case at(Timestamp)
    }

    public init() {}
}
