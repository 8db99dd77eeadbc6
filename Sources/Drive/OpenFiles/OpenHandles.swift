import Containers
import Documents
import LinuxFiles
import PropertyLists

/// An open file of the drive.
struct OpenHandle: Sendable {
    let node: NodeNumber
    var target: Target
    /// It may write, so closing it is news.
    let writes: Bool
    /// Of a plain file: nothing was written through it yet, and what is there may be kept before.
    var isUnkept = false
    /// Of a plain file: a program has closed it since something was written through it. The kernel says only later that no program has it any more.
    var isFlushed = false
    /// Of a document: finds what the program has seen through it. Nil where it only reads, or only writes.
    var seen: SeenKey?
    /// Of a flat file that it only reads: the package as it was when it was opened.
    private(set) var package: FlatPackage?

    init(node: NodeNumber, target: Target, writes: Bool, isUnkept: Bool = false, seen: SeenKey? = nil) {
        (self.node, self.target, self.writes, self.isUnkept, self.seen) = (node, target, writes, isUnkept, seen)
        if !writes, case .flat(let package) = content { self.package = package }
    }

    enum Target: Sendable {
        case document(OpenDocument)
        case content(OpenContent)
    }

    var content: OpenContent {
        switch target {
        case .document(let document): document.content
        case .content(let content): content
        }
    }

    /// What it reads. A flat file is read as it was when it was opened, or not at all: of two states, no program gets a ZIP
    /// that is some of each.
    func readContent() throws(Errno) -> OpenContent {
        let content = content
        guard let package else { return content }
        switch content {
        case .flat(let now) where now === package || now.isSame(as: package): return .flat(package)
        case .flat, .draft: throw .stale
        default: return content
        }
    }

    var document: OpenDocument? {
        if case .document(let document) = target { document } else { nil }
    }
}

/// The open files, by number. Numbers are used again, as descriptors are.
struct HandleTable {
    private var slots: [OpenHandle?] = []
    private var vacant: [Int] = []
    private var folders: [UInt64: FolderListing] = [:]
    private var lastFolder: UInt64 = 0

    subscript(handle: HandleID) -> OpenHandle? {
        let index = Int(truncatingIfNeeded: handle.rawValue)
        return slots.indices.contains(index) ? slots[index] : nil
    }

    mutating func add(_ handle: OpenHandle) -> HandleID {
        if let slot = vacant.popLast() {
            slots[slot] = handle
            return HandleID(rawValue: UInt64(slot))
        }
        slots.append(handle)
        return HandleID(rawValue: UInt64(slots.count - 1))
    }

    mutating func remove(_ handle: HandleID) -> OpenHandle? {
        guard let open = self[handle] else { return nil }
        slots[Int(handle.rawValue)] = nil
        vacant.append(Int(handle.rawValue))
        return open
    }

    /// All handles of a node go on with something else: it became a document, or a plain file. How many of them write.
    mutating func retarget(_ node: NodeNumber, to target: OpenHandle.Target) -> Int {
        var writers = 0
        for index in slots.indices where slots[index]?.node == node {
            slots[index]?.target = target
            slots[index]?.seen = nil
            if slots[index]?.writes == true { writers += 1 }
        }
        return writers
    }

    func writers(of node: NodeNumber) -> Int { slots.reduce(0) { $0 + ($1?.node == node && $1?.writes == true ? 1 : 0) } }

    /// Something is written through it for the first time. False where it was before.
    mutating func takeUnkept(_ handle: HandleID) -> Bool {
        guard self[handle]?.isUnkept == true else { return false }
        slots[Int(handle.rawValue)]?.isUnkept = false
        return true
    }

    mutating func setFlushed(_ isFlushed: Bool, _ handle: HandleID) {
        if self[handle] != nil { slots[Int(handle.rawValue)]?.isFlushed = isFlushed }
    }

    func isBeingWritten(_ node: NodeNumber, but handle: HandleID?) -> Bool {
        slots.indices.contains { index in
            guard let other = slots[index], other.node == node, other.writes, !other.isUnkept, !other.isFlushed else { return false }
            return handle?.rawValue != UInt64(index)
        }
    }

    /// What one of a node's handles has open: all that is left of a file without a name.
    func content(of node: NodeNumber) -> OpenContent? { slots.first { $0?.node == node }??.content }

    var count: Int { slots.count - vacant.count }

    // MARK: Folders

    subscript(folder handle: FolderHandleID) -> FolderListing? { folders[handle.rawValue] }

    mutating func add(_ listing: FolderListing) -> FolderHandleID {
        lastFolder += 1
        folders[lastFolder] = listing
        return FolderHandleID(rawValue: lastFolder)
    }

    mutating func remove(_ handle: FolderHandleID) -> FolderListing? { folders.removeValue(forKey: handle.rawValue) }
}

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

    /// Something is written through a handle for the first time. False where it was before.
    func takeUnkept(_ handle: HandleID) -> Bool { table.withLock { $0.takeUnkept(handle) } }

    /// A program has closed a plain file, or writes to it after one has.
    func setFlushed(_ isFlushed: Bool, _ handle: HandleID) { table.withLock { $0.setFlushed(isFlushed, handle) } }

    /// Whether something was written to a plain file that is not closed yet, through another handle.
    func isBeingWritten(_ node: NodeNumber, but handle: HandleID?) -> Bool { table.withLock { $0.isBeingWritten(node, but: handle) } }

    /// What one of a node's handles has open: all that is left of a file without a name.
    func content(of node: NodeNumber) -> OpenContent? { table.withLock { $0.content(of: node) } }

    var count: Int { table.withLock { $0.count } }
}

// Reads what is open: of a document a snapshot or its draft, of a plain file the file.
extension OpenHandles {
    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        guard let open = self[handle] else { throw .badDescriptor }
        guard offset >= 0, count >= 0 else { throw .invalid }
        switch try open.readContent() {
        case .snapshot(let file, let start, let length, _):
            let available = max(0, min(Int64(count), length - min(offset, length)))
            if let seen = open.seen { open.document?.noteReading(seen, file, start, length) }
            return .file(file, offset: start + offset, count: Int(available))
        case .plain(let file):
            return .file(file, offset: offset, count: count)
        case .draft(let draft):
            return .file(draft.file, offset: draft.contentStart + offset, count: try draft.available(count, at: offset))
        case .bytes(let bytes, _):
            let first = Int(min(offset, Int64(bytes.count)))
            return .bytes(bytes[first..<min(bytes.count, first + count)])
        case .flat(let flat):
            let available = Int(max(0, min(Int64(count), flat.byteCount - min(offset, flat.byteCount))))
            do throws(SourceFailure) { return .bytes(try flat.bytes(at: min(offset, flat.byteCount), count: available)[...]) } catch {
                throw error.errno.map(Errno.init) ?? .stale
            }
        case .headed(let head, let file, let start, let length, _):
            let behind = max(0, offset - Int64(head.count))
            let taken = head.dropFirst(Int(min(offset, Int64(head.count)))).prefix(count)
            let available = Int(max(0, min(Int64(count - taken.count), length - behind)))
            if taken.isEmpty { return .file(file, offset: start + behind, count: available) }
            return .bytes(taken + (try file.descriptor.read(at: start + behind, count: available)))
        }
    }

    func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        guard let open = self[handle] else { throw .badDescriptor }
        if case .plain(let file) = open.content { return try file.descriptor.seek(to: offset, whence: whence) }
        // Documents have no holes: data to the end, and one hole behind it.
        guard let length = try open.content.currentStatus()?.size, offset >= 0, offset < length else { throw .noSuchDevice }
        return whence == Self.seekHole ? length : offset
    }

    private static let seekHole: Int32 = 4
}
