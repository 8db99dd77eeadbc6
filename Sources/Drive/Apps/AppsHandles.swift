import Containers
import LinuxFiles

/// What is open at the top of a drive that shows several containers: listings of it, and its status page.
struct AppsHandles: Sendable {
    enum Listed: Sendable {
        case apps([(app: AppsFolder.App, number: AppNumber)])
        case control
    }

    private var last: UInt64 = 0
    private var listings: [UInt64: Listed] = [:]
    private var pages: [UInt64: [UInt8]] = [:]

    mutating func add(_ listing: Listed) -> FolderHandleID {
        last += 1
        listings[last] = listing
        return FolderHandleID(rawValue: last)
    }

    mutating func add(page: [UInt8]) -> HandleID {
        last += 1
        pages[last] = page
        return HandleID(rawValue: last)
    }

    subscript(handle: FolderHandleID) -> Listed? { listings[handle.rawValue] }
    subscript(handle: HandleID) -> [UInt8]? { pages[handle.rawValue] }
    mutating func remove(_ handle: FolderHandleID) { listings[handle.rawValue] = nil }
    mutating func remove(_ handle: HandleID) { pages[handle.rawValue] = nil }
}
