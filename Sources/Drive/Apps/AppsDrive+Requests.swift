import Containers
import Glibc
import LinuxFiles

// What the kernel asks of a drive that shows several containers: what is above them is answered here, and the rest by the drive of the
// container that the node or the handle is of.

extension AppsDrive: ServedTree {
    /// What a node is.
    private enum Place {
        case top, control, status
        /// The folder in which a container is shown.
        case app(AppSlot)
        /// What lies in it.
        case inside(AppSlot, NodeID)
    }

    private func place(of node: NodeID) throws(Errno) -> Place {
        let number = AppNumber(node)
        guard number == .drive else {
            let slot = try slot(number), inner = number.inner(node)
            return inner == .root ? .app(slot) : .inside(slot, inner)
        }
        switch node {
        case .root: return .top
        case .control: return .control
        case .status: return .status
        default: throw .stale
        }
    }

    /// The container's drive, and what it calls the node; what is above all containers is refused.
    private func inside(_ node: NodeID, otherwise error: Errno = .notPermitted) throws(Errno) -> (AppNumber, Drive, NodeID) {
        switch try place(of: node) {
        case .top, .control, .status: throw error
        case .app(let slot): return (slot.number, try drive(slot), .root)
        case .inside(let slot, let inner): return (slot.number, try drive(slot), inner)
        }
    }

    private func inside(_ handle: HandleID) throws(Errno) -> (Drive, HandleID) {
        let number = AppNumber(handle)
        guard number != .drive else { throw .badDescriptor }
        return (try opened(number), number.inner(handle))
    }

    /// What a drive's own thread has open on it to tell those who watch it. The number is the same on all drives, and no container's.
    private func isEcho(_ handle: HandleID) -> Bool { handle == EchoThread.handle }

    // MARK: Names

    public func lookUp(_ what: LookedUp, in node: NodeID, caller: Caller) throws(Errno) -> Entry {
        switch (try place(of: node), what) {
        case (.top, .itself), (.top, .parent), (.control, .parent): return entry(.root, try topAttributes())
        case (.control, .itself), (.status, .itself): return entry(node, fixedAttributes(of: node))
        case (.status, _): throw .notDirectory
        case (.top, .name(let name)):
            guard name != Drive.controlFolder else { return entry(.control, fixedAttributes(of: .control)) }
            guard let app = try apps().first(where: { $0.name == name }) else { throw .noSuchEntry }
            let slot = try slot(of: app)
            return entry(slot.number.outer(.root), try attributes(of: slot))
        case (.control, .name(let name)):
            guard name == Self.statusName else { throw .noSuchEntry }
            return entry(.status, fixedAttributes(of: .status))
        case (.app(let slot), .itself): return entry(node, try attributes(of: slot))
        case (.app, .parent): return entry(.root, try topAttributes())
        case (.app(let slot), .name): return slot.number.outer(try drive(slot).lookUp(what, in: .root, caller: caller))
        case (.inside(let slot, let inner), _): return slot.number.outer(try drive(slot).lookUp(what, in: inner, caller: caller))
        }
    }

    public func forget(_ node: NodeID, count: UInt64) {
        guard case .inside(let slot, let inner)? = try? place(of: node) else { return }
        slot.opened?.forget(inner, count: count)
    }

    public func readLink(_ node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        let (_, drive, inner) = try inside(node, otherwise: .invalid)
        return try drive.readLink(inner, caller: caller)
    }

    // MARK: Attributes

    public func attributes(of node: NodeID, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes {
        switch try place(of: node) {
        case .top: return try topAttributes()
        case .control, .status: return fixedAttributes(of: node)
        case .app(let slot): return try attributes(of: slot)
        case .inside(let slot, let inner):
            let open = handle.flatMap { isEcho($0) ? nil : slot.number.inner($0) }
            return slot.number.outer(try drive(slot).attributes(of: inner, handle: open, caller: caller))
        }
    }

    public func birth(of node: NodeID) -> Timestamp? {
        guard case .inside(let slot, let inner)? = try? place(of: node) else { return nil }
        return slot.opened?.birth(of: inner)
    }

    public func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes {
        let (number, drive, inner) = try inside(node)
        return number.outer(try drive.setAttributes(of: inner, change, handle: handle.map(number.inner), caller: caller))
    }

    public func fileSystemStatus(of node: NodeID) throws(Errno) -> FileSystemStatus {
        guard let (drive, inner) = try? opened(for: node) else { return try folder.descriptor.fileSystemStatus() }
        return try drive.fileSystemStatus(of: inner)
    }

    public func extendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        guard let (drive, inner) = try opened(for: node) else { throw .noData }
        return try drive.extendedAttribute(name, of: inner, caller: caller)
    }

    public func extendedAttributeNames(of node: NodeID, caller: Caller) throws(Errno) -> [[UInt8]] {
        guard let (drive, inner) = try opened(for: node) else { return [] }
        return try drive.extendedAttributeNames(of: inner, caller: caller)
    }

    /// The drive of the container that a node is in; nil above all, and for a container's own folder as long as nobody has looked into it.
    private func opened(for node: NodeID) throws(Errno) -> (Drive, NodeID)? {
        switch try place(of: node) {
        case .top, .control, .status: nil
        case .app(let slot): slot.opened.map { ($0, .root) }
        case .inside(let slot, let inner): (try drive(slot), inner)
        }
    }

    public func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32, caller: Caller) throws(Errno) {
        let (_, drive, inner) = try inside(node)
        try drive.setExtendedAttribute(name, of: inner, to: value, flags: flags, caller: caller)
    }

    public func removeExtendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) {
        let (_, drive, inner) = try inside(node)
        try drive.removeExtendedAttribute(name, of: inner, caller: caller)
    }

    // MARK: Content

    public func open(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> Opened {
        if node == .status {
            guard flags & O_ACCMODE == O_RDONLY, flags & O_TRUNC == 0 else { throw .accessDenied }
            return openStatus()
        }
        let (number, drive, inner) = try inside(node, otherwise: .isDirectory)
        return number.outer(try drive.open(inner, flags: flags, caller: caller))
    }

    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        if let page = withHandles({ $0[handle] }) {
            let first = Int(clamping: max(offset, 0))
            return .bytes(page[min(first, page.count)..<min(first + count, page.count)])
        }
        let (drive, inner) = try inside(handle)
        return try drive.read(inner, at: offset, count: count)
    }

    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        if withHandles({ $0[handle] != nil }) { throw .invalid }
        let (drive, inner) = try inside(handle)
        return try drive.seek(inner, to: offset, whence: whence)
    }

    public func write(
        _ handle: HandleID, at offset: Int64, count: Int, _ end: WriteEnd, isMapped: Bool, losingSetIDs writer: Caller?,
        _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int {
        let (drive, inner) = try inside(handle)
        return try drive.write(inner, at: offset, count: count, end, isMapped: isMapped, losingSetIDs: writer, transfer)
    }

    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller?) throws(Errno) {
        if isEcho(handle) { return }
        let (drive, inner) = try inside(handle)
        try drive.allocate(inner, mode: mode, offset: offset, length: length, caller: caller)
    }

    public func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller?
    ) throws(Errno) -> Int {
        let (drive, source) = try inside(from), (other, target) = try inside(to)
        // The kernel copies by reading and writing then.
        guard drive === other else { throw .notSupported }
        return try drive.copyRange(from: source, at: fromOffset, to: target, at: toOffset, count: count, caller: caller)
    }

    public func flush(_ handle: HandleID) throws(Errno) {
        if isEcho(handle) || withHandles({ $0[handle] != nil }) { return }
        let (drive, inner) = try inside(handle)
        try drive.flush(inner)
    }

    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {
        if isEcho(handle) || withHandles({ $0[handle] != nil }) { return }
        let (drive, inner) = try inside(handle)
        try drive.sync(inner, dataOnly: dataOnly)
    }

    public func release(_ handle: HandleID) {
        if isEcho(handle) { return }
        guard AppNumber(handle) != .drive else { return withHandles { $0.remove(handle) } }
        guard let (drive, inner) = try? inside(handle) else { return }
        drive.release(inner)
    }

    // MARK: Folders

    public func openFolder(_ node: NodeID, flags: Int32, caller: Caller) throws(Errno) -> OpenedFolder {
        switch try place(of: node) {
        case .status: throw .notDirectory
        case .control: return OpenedFolder(handle: withHandles { $0.add(.control) }, caches: false, keepsCache: false)
        case .top:
            var listed: [(AppsFolder.App, AppNumber)] = []
            for app in try apps() { listed.append((app, try slot(of: app).number)) }
            return OpenedFolder(handle: withHandles { $0.add(.apps(listed)) }, caches: false, keepsCache: false)
        case .app, .inside:
            let (number, drive, inner) = try inside(node), opened = try drive.openFolder(inner, flags: flags, caller: caller)
            return OpenedFolder(handle: number.outer(opened.handle), caches: opened.caches, keepsCache: opened.keepsCache)
        }
    }

    public func readFolder(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        let number = AppNumber(handle)
        guard number == .drive else {
            return try opened(number).readFolder(number.inner(handle), from: position, counting: counting) { entry in
                take(FolderEntry(name: entry.name, dots: entry.dots, next: entry.next, entry: number.outer(entry.entry), isNameOnly: entry.isNameOnly))
            }
        }
        guard let listing = withHandles({ $0[handle] }) else { throw .badDescriptor }
        var entries: [(name: Name?, dots: FolderEntry.Dots, node: NodeID)] = [(nil, .one, .root), (nil, .two, .root)]
        switch listing {
        case .apps(let apps): entries += apps.map { ($0.app.name, .none, $0.number.outer(.root)) }
        case .control: entries.append((Self.statusName, .none, .status))
        }
        for index in entries.indices.dropFirst(Int(clamping: position)) {
            // The kernel asks for the rest by a name: of each app's folder as it is by then.
            var attributes = fixedAttributes(of: entries[index].node == .status ? .status : .control)
            attributes.node = entries[index].node
            let entry = Entry(node: attributes.node, generation: 0, attributes: attributes)
            guard take(FolderEntry(name: entries[index].name, dots: entries[index].dots, next: UInt64(index) + 1, entry: entry, isNameOnly: true)) else { return }
        }
    }

    public func releaseFolder(_ handle: FolderHandleID) {
        let number = AppNumber(handle)
        guard number != .drive else { return withHandles { $0.remove(handle) } }
        (try? opened(number))?.releaseFolder(number.inner(handle))
    }

    public func syncFolder(_ node: NodeID) throws(Errno) {
        guard let (drive, inner) = try opened(for: node) else { return }
        try drive.syncFolder(inner)
    }

    // MARK: Entries that come, go and change their names

    public func create(_ name: Name, in node: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        let (number, drive, inner) = try inside(node), (entry, opened) = try drive.create(name, in: inner, mode: mode, flags: flags, caller: caller)
        return (number.outer(entry), number.outer(opened))
    }

    public func createNameless(in node: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        let (number, drive, inner) = try inside(node), (entry, opened) = try drive.createNameless(in: inner, mode: mode, flags: flags, caller: caller)
        return (number.outer(entry), number.outer(opened))
    }

    public func makeNode(_ name: Name, in node: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry {
        let (number, drive, inner) = try inside(node)
        return number.outer(try drive.makeNode(name, in: inner, mode: mode, device: device, caller: caller))
    }

    public func makeFolder(_ name: Name, in node: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry {
        let (number, drive, inner) = try inside(node)
        return number.outer(try drive.makeFolder(name, in: inner, mode: mode, caller: caller))
    }

    public func makeSymbolicLink(_ name: Name, in node: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry {
        let (number, drive, inner) = try inside(node)
        return number.outer(try drive.makeSymbolicLink(name, in: inner, to: target, caller: caller))
    }

    public func link(_ node: NodeID, as name: Name, in newFolder: NodeID, caller: Caller) throws(Errno) -> Entry {
        let (number, drive, target) = try inside(newFolder)
        guard AppNumber(node) == number else { throw .crossDevice }
        return number.outer(try drive.link(number.inner(node), as: name, in: target, caller: caller))
    }

    public func unlink(_ name: Name, in node: NodeID, caller: Caller) throws(Errno) {
        let (_, drive, inner) = try inside(node)
        try drive.unlink(name, in: inner, caller: caller)
    }

    public func removeFolder(_ name: Name, in node: NodeID, caller: Caller) throws(Errno) {
        let (_, drive, inner) = try inside(node)
        try drive.removeFolder(name, in: inner, caller: caller)
    }

    public func rename(
        _ name: Name, in node: NodeID, to newName: Name, in newFolder: NodeID, flags: UInt32, caller: Caller
    ) throws(Errno) {
        let number = AppNumber(node)
        // From one container into another: programs copy when they hear that.
        guard number == AppNumber(newFolder) else { throw number == .drive || AppNumber(newFolder) == .drive ? .notPermitted : .crossDevice }
        let (_, drive, inner) = try inside(node)
        try drive.rename(name, in: inner, to: newName, in: number.inner(newFolder), flags: flags, caller: caller)
    }
}
