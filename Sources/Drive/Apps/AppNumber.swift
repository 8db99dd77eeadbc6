import LinuxFiles

/// Which container of a drive that shows several a number of the kernel's belongs to. Each container's tree has numbers of its own
/// (`NodeNumber.swift`); on such a drive they have the container's number above them. 0 is the drive's own.
struct AppNumber: Hashable, Sendable {
    let rawValue: UInt64

    /// Above all marks of nodes, and below that of nodes that stand for something that is gone.
    private static let shift: UInt64 = 44
    static let most = 0xFFFF
    static let drive = AppNumber(rawValue: 0)

    init(rawValue: UInt64) { self.rawValue = rawValue }
    init(_ node: NodeID) { self.init(of: node.rawValue) }
    init(_ handle: HandleID) { self.init(of: handle.rawValue) }
    init(_ handle: FolderHandleID) { self.init(of: handle.rawValue) }

    private init(of number: UInt64) { rawValue = number >> Self.shift & UInt64(Self.most) }

    private func above(_ number: UInt64) -> UInt64 { number | rawValue << Self.shift }
    private func without(_ number: UInt64) -> UInt64 { number & ~(UInt64(Self.most) << Self.shift) }

    // What the kernel is told, and what the container's tree calls it.
    func outer(_ node: NodeID) -> NodeID { NodeID(rawValue: above(node.rawValue)) }
    func inner(_ node: NodeID) -> NodeID { NodeID(rawValue: without(node.rawValue)) }
    func outer(_ handle: HandleID) -> HandleID { HandleID(rawValue: above(handle.rawValue)) }
    func inner(_ handle: HandleID) -> HandleID { HandleID(rawValue: without(handle.rawValue)) }
    func outer(_ handle: FolderHandleID) -> FolderHandleID { FolderHandleID(rawValue: above(handle.rawValue)) }
    func inner(_ handle: FolderHandleID) -> FolderHandleID { FolderHandleID(rawValue: without(handle.rawValue)) }

    func outer(_ attributes: Attributes) -> Attributes {
        var attributes = attributes
        attributes.node = outer(attributes.node)
        return attributes
    }

    func outer(_ entry: Entry) -> Entry {
        var outside = Entry(node: outer(entry.node), generation: entry.generation, attributes: outer(entry.attributes))
        outside.isItsName = entry.isItsName
        return outside
    }

    func outer(_ opened: Opened) -> Opened {
        var outside = Opened(handle: outer(opened.handle))
        (outside.keepsCache, outside.bypassesCache) = (opened.keepsCache, opened.bypassesCache)
        (outside.closesSilently, outside.seekable) = (opened.closesSilently, opened.seekable)
        return outside
    }
}

/// The kernel's ear for one container of a drive that shows several.
final class AppListener: KernelListener {
    private let listener: any KernelListener
    private let app: AppNumber

    init(_ listener: any KernelListener, for app: AppNumber) { (self.listener, self.app) = (listener, app) }

    func forgetEntry(_ name: Name, in folder: NodeID) { listener.forgetEntry(name, in: app.outer(folder)) }
    func removedEntry(_ name: Name, in folder: NodeID, was node: NodeID) { listener.removedEntry(name, in: app.outer(folder), was: app.outer(node)) }
    func afterwards(_ body: @escaping @Sendable () -> Void) { listener.afterwards(body) }
    func whileSilent(_ body: () -> Void) { listener.whileSilent(body) }
    func forgetContent(of node: NodeID, from offset: Int64, count: Int64) { listener.forgetContent(of: app.outer(node), from: offset, count: count) }
}
