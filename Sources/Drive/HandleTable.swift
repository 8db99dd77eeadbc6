import Containers
import LinuxFiles

/// What an open file of the drive reads from.
enum OpenContent: Sendable {
    /// A document as it was when it was opened: a range of a part that a save replaces and never changes.
    case snapshot(OpenFile, offset: Int64, length: Int64, FileStatus)
    /// A document's or the status page's bytes, made when it was opened.
    case bytes([UInt8], FileStatus?)
    case plain(OpenFile)

    /// What is open now, whatever became of its name. Nil where the node's own answer is as good.
    func currentStatus() throws(Errno) -> FileStatus? {
        switch self {
        case .snapshot(_, _, _, let status): status
        case .bytes(_, let status): status
        case .plain(let file): try file.descriptor.status()
        }
    }
}

struct OpenHandle: Sendable {
    let node: UInt32
    let content: OpenContent

    func currentStatus() throws(Errno) -> FileStatus? { try content.currentStatus() }
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
