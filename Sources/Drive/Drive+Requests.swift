import Containers
import LinuxFiles
import Thumbnails

// What the kernel asks, and which part answers. Whose a node is (`Namespace`), what "." and ".." are, which extended attributes
// there are, and that a request comes from the drive itself is decided here and nowhere else.

// MARK: Whose a node is

/// Whose a node is: the one place where that is decided.
enum Namespace {
    /// Documents, plain files and folders; and the container as it is on disk, under `/.valise/originals`.
    case container(NodeNumber)
    /// `/.valise` itself.
    case control
    case status
    /// A folder under `/.valise/versions`, or a version.
    case versions(NodeNumber)
    /// A folder under `/.valise/deleted`, or what was deleted.
    case deleted(NodeNumber)
    /// `.sh_thumbnails` of a folder and what is in it.
    case thumbnails(ThumbnailNode)
    /// What has nodes of its own in the control folder: `/.valise/kvs`, `search` and `searches`.
    case own(OwnNode)
}

extension DriveParts {
    /// Throws `.stale` for a number that the kernel was told to forget.
    func namespace(of node: NodeID) throws(Errno) -> Namespace {
        if let thumbnails = ThumbnailNode(node) { return .thumbnails(thumbnails) }
        if let own = own.owner(of: node) { return .own(own) }
        guard let (id, role) = tree.standing(for: node) else { throw .stale }
        return switch role {
        case .folder, .plain, .document, .originalFolder, .original, .packageFolder, .packagePart: .container(id)
        case .control: .control
        case .status: .status
        case .versionFolder, .version: .versions(id)
        case .controlNamespace: throw .stale
        case .deletedFolder, .deleted: .deleted(id)
        }
    }

    /// The table's number for a node that is to have entries or names of a sort that only the tree has.
    func inTree(_ node: NodeID) throws(Errno) -> NodeNumber {
        guard own.owner(of: node) == nil else { throw .notPermitted }
        return try tree.known(node)
    }
}

extension Drive {
    /// Whether the drive's own thread asks, which tells those who watch the drive what changed.
    func isEcho(_ caller: Caller) -> Bool { parts.echoThread?.isThread(caller.thread) ?? false }
}

// MARK: Reading only

extension Drive {
    /// The one gate of a drive that is mounted for reading: each request that changes something passes it first, whatever it is about. What other programs
    /// ask for by the container's socket passes no front; there `Workshop?.required` refuses it.
    func requireWriting() throws(Errno) { guard !parts.options.readOnly else { throw .readOnly } }
}

// MARK: Names

/// What is looked for in a folder.
public enum LookedUp: Sendable {
    case name(Name)
    /// "." and "..": an NFS server finds its way back by them to a node of which it only has the number.
    case itself
    case parent
}

extension Drive {
    /// In the root, and never listed there.
    public static let controlFolder = Hidden.state

    public func lookUp(_ what: LookedUp, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        switch what {
        case .name(let name): try lookUp(name, in: folder, caller: caller)
        case .itself: try lookUpAgain(folder)
        case .parent: try lookUpParent(of: folder)
        }
    }

    public func lookUp(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        if isEcho(caller) { return try parts.echo.lookUp(name, in: folder) }
        let place = NameRetries.Place(folder: folder, name: name)
        do throws(Errno) {
            let entry = try find(name, in: folder, caller: caller)
            parts.nameRetries.looked(caller.thread, at: place, entry)
            return entry
        } catch {
            if error == .noSuchEntry { parts.nameRetries.looked(caller.thread, at: place, nil) }
            throw error
        }
    }

    func find(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        switch try parts.namespace(of: folder) {
        case .thumbnails(let node): return try parts.thumbnailFolders.lookUp(name, in: node)
        case .versions(let id): return try inEitherForm(name) { (name) throws(Errno) in try parts.versions.lookUp(name, in: id) }
        case .deleted(let id): return try inEitherForm(name) { (name) throws(Errno) in try parts.deleted.lookUp(name, in: id) }
        case .control:
            guard let child = parts.control.child(name, of: NodeNumber.control) else { throw .noSuchEntry }
            return child
        case .status: throw .notDirectory
        case .own(let own): return try own.part.lookUp(name, in: own.node, caller)
        case .container(let id):
            if let control = parts.control.child(name, of: id) { return control }
            parts.growing.settle(in: id, for: caller)
            do throws(Errno) { return try parts.names.lookUp(name, in: id, caller: caller) } catch {
                guard error == .noSuchEntry, name == SharedThumbnail.folder else { throw error }
                return try parts.thumbnailFolders.lookUpTop(of: id)
            }
        }
    }

    /// What has no such name may have it in NFC.
    private func inEitherForm(_ name: Name, _ body: (Name) throws(Errno) -> Entry) throws(Errno) -> Entry {
        do throws(Errno) { return try body(name) } catch {
            let composed = name.composed
            guard error == .noSuchEntry, composed != name else { throw error }
            var entry = try body(composed)
            entry.isItsName = false
            return entry
        }
    }

    private func lookUpParent(of folder: NodeID) throws(Errno) -> Entry {
        switch try parts.namespace(of: folder) {
        case .thumbnails(let node): return try parts.thumbnailFolders.lookUpParent(of: node)
        case .own(let own) where own.node.number != 0: return try entry(of: NodeID(own.node.area.folder), named: true)
        default: break
        }
        let id = try parts.tree.known(folder)
        return try entry(of: NodeID(parts.tree[id].parent), named: true)
    }

    /// The folder or file itself, told as `lookUp` tells it.
    public func lookUpAgain(_ node: NodeID) throws(Errno) -> Entry { try entry(of: node, named: false) }

    private func entry(of node: NodeID, named: Bool) throws(Errno) -> Entry {
        switch try parts.namespace(of: node) {
        case .thumbnails(let node): return try parts.thumbnailFolders.entry(of: node)
        case .own(let own) where own.node.number != 0: return try own.part.entry(of: own.node)
        default: break
        }
        let attributes: Attributes
        do throws(Errno) { attributes = try shownAttributes(of: node, nil) } catch { throw error == .noSuchEntry ? .stale : error }
        guard let entry = parts.tree.entry(of: try parts.tree.known(node), attributes, named: named) else { throw .stale }
        return entry
    }

    public func forget(_ node: NodeID, count: UInt64) {
        if let thumbnails = ThumbnailNode(node) { return parts.thumbnailFolders.forget(thumbnails, count: count) }
        if let own = parts.own.owner(of: node), own.node.number != 0 { return own.part.forget(own.node, count: count) }
        parts.names.forget(node, count: count)
    }

    public func readLink(_ node: NodeID, caller: Caller = .own) throws(Errno) -> [UInt8] {
        if let own = parts.own.owner(of: node) { return try own.part.readLink(own.node, caller) }
        return try byName(node, caller) { (node) throws(Errno) in try parts.names.readLink(node) }
    }

    // MARK: Attributes

    public func attributes(of node: NodeID, handle: HandleID?, caller: Caller = .own) throws(Errno) -> Attributes {
        if let own = parts.own.owner(of: node) { return try own.part.attributes(of: own.node, handle, caller) }
        do throws(Errno) {
            return try byName(node, caller, isAll: false) { (node) throws(Errno) in try parts.shown.noteCached(shownAttributes(of: node, handle)) }
        } catch {
            // It went after the program had found it. The kernel asks before it opens something, too, and would not make what is gone.
            guard error == .noSuchEntry, let found = parts.nameRetries.attributes(of: node, foundBy: caller.thread) else { throw error }
            return found
        }
    }

    /// When it was made, for who asks for that, too: as the container's file system says, and as `created` is in a search.
    public func birth(of node: NodeID) -> Timestamp? {
        guard case .container(let id)? = try? parts.namespace(of: node) else { return nil }
        return parts.items.birth(of: id)
    }

    private func shownAttributes(of node: NodeID, _ handle: HandleID?, isOwnDoing: Bool = false) throws(Errno) -> Attributes {
        let namespace = try parts.namespace(of: node)
        if case .thumbnails(let node) = namespace { return try parts.thumbnailFolders.attributes(of: node) }
        if let handle, let status = try parts.handles[handle]?.content.currentStatus() { return parts.shown.present(status, as: try parts.tree.known(node)) }
        switch namespace {
        case .container(let id): return try parts.attributes.attributes(of: id, isOwnDoing: isOwnDoing)
        case .control: return parts.shown.fixedAttributes(of: NodeNumber.control)
        case .status: return parts.shown.fixedAttributes(of: NodeNumber.status)
        case .versions(let id): return try parts.versions.attributes(of: id)
        case .deleted(let id): return try parts.deleted.attributes(of: id)
        case .thumbnails(let node): return try parts.thumbnailFolders.attributes(of: node)
        case .own(let own): return try own.part.attributes(of: own.node, handle, .own)
        }
    }

    public func setAttributes(of node: NodeID, _ change: AttributeChange, handle: HandleID?, caller: Caller) throws(Errno) -> Attributes {
        if isEcho(caller) { return try attributes(of: node, handle: nil) }
        try requireWriting()
        if let own = parts.own.owner(of: node) {
            try own.part.setAttributes(of: own.node, change, handle, caller)
            return try own.part.attributes(of: own.node, handle, caller)
        }
        func now(_ node: NodeID) throws(Errno) -> Attributes { try parts.shown.noteCached(shownAttributes(of: node, handle, isOwnDoing: true)) }
        return try parts.growing.changing(node, by: caller, unlessSame: { (id) throws(Errno) in try parts.attributes.has(change, id) ? now(node) : nil }) { () throws(Errno) in
            try byName(node, caller) { (node) throws(Errno) in
                try parts.setting.set(change, of: try parts.tree.known(node), handle: handle, caller: caller)
                return try now(node)
            }
        }
    }

    public func fileSystemStatus(of node: NodeID) throws(Errno) -> FileSystemStatus { try container.documents.descriptor.fileSystemStatus() }

    public func extendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        try parts.extended.require(name)
        if let own = parts.own.owner(of: node) {
            guard let label = ExtendedAttributes.label(of: name) else { throw .noData }
            return try own.part.extendedAttribute(label, of: own.node, caller)
        }
        return try byName(node, caller, isAll: false) { (node) throws(Errno) in
            if case .thumbnails = try parts.namespace(of: node) { throw .noData }
            return try parts.extended.value(of: name, of: try parts.tree.known(node), caller: caller)
        }
    }

    public func extendedAttributeNames(of node: NodeID, caller: Caller = .own) throws(Errno) -> [[UInt8]] {
        if parts.own.owner(of: node) != nil { return [] }
        return try byName(node, caller) { (node) throws(Errno) in
            if case .container(let id) = try parts.namespace(of: node) { try parts.extended.names(of: id, caller: caller) } else { [] }
        }
    }

    public func setExtendedAttribute(_ name: [UInt8], of node: NodeID, to value: [UInt8], flags: Int32, caller: Caller) throws(Errno) {
        try requireWriting()
        try parts.extended.require(name)
        if let own = parts.own.owner(of: node) {
            guard let label = ExtendedAttributes.label(of: name) else { throw .notSupported }
            return try own.part.setExtendedAttribute(label, of: own.node, to: value, caller)
        }
        func isSame(_ id: NodeNumber) throws(Errno) -> Void? { flags == 0 && (try? parts.extended.value(of: name, of: id, caller: caller)) == value ? () : nil }
        try parts.growing.changing(node, by: caller, unlessSame: isSame) { () throws(Errno) in
            try byName(node, caller) { (node) throws(Errno) in
                try parts.extendedSetting.set(name, of: try parts.tree.known(node), to: value, flags: flags, caller: caller)
            }
        }
    }

    public func removeExtendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) {
        try requireWriting()
        try parts.extended.require(name)
        try parts.growing.changing(node, by: caller) { () throws(Errno) in
            try byName(node, caller) { (node) throws(Errno) in
                try parts.extendedSetting.remove(name, of: try parts.tree.known(node), caller: caller)
            }
        }
    }
}

// MARK: Content

extension Drive {
    public func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        if let own = parts.own.owner(of: handle) { return try own.read(handle, at: offset, count: count) }
        return try parts.handles.read(handle, at: offset, count: count)
    }

    public func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        // They have no holes that anybody could see.
        if parts.own.owner(of: handle) != nil { throw .invalid }
        return try parts.handles.seek(handle, to: offset, whence: whence)
    }

    /// Finds the place for `count` bytes and lets `transfer` move them there: (descriptor, offset) → how many were moved.
    /// `isMapped`: a program wrote them into a map of the file.
    public func write(
        _ handle: HandleID, at offset: Int64, count: Int, _ end: WriteEnd = .asAsked, isMapped: Bool = false, losingSetIDs writer: Caller? = nil,
        _ transfer: (Int32, Int64) throws(Errno) -> Int
    ) throws(Errno) -> Int {
        if let own = parts.own.owner(of: handle) { return try own.write(handle, at: offset, count: count, transfer) }
        return try parts.writing.write(handle, at: offset, count: count, end, isMapped: isMapped, losingSetIDs: writer, transfer)
    }

    public func allocate(_ handle: HandleID, mode: Int32, offset: Int64, length: Int64, caller: Caller? = nil) throws(Errno) {
        if handle == EchoThread.handle { return }
        if parts.own.owner(of: handle) != nil { throw .notSupported }
        try parts.writing.allocate(handle, mode: mode, offset: offset, length: length, caller: caller)
    }

    public func copyRange(
        from: HandleID, at fromOffset: Int64, to: HandleID, at toOffset: Int64, count: Int, caller: Caller? = nil
    ) throws(Errno) -> Int {
        // The kernel copies by reading and writing then.
        if parts.own.owner(of: from) != nil || parts.own.owner(of: to) != nil { throw .notSupported }
        return try parts.writing.copyRange(from: from, at: fromOffset, to: to, at: toOffset, count: count, caller: caller)
    }

    public func flush(_ handle: HandleID) throws(Errno) {
        if let own = parts.own.owner(of: handle) { return try own.flush(handle) }
        try parts.closing.flush(handle)
    }

    public func sync(_ handle: HandleID, dataOnly: Bool) throws(Errno) {
        // What is in memory is on the store when it is closed.
        if parts.own.owner(of: handle) != nil { return }
        try parts.synchronizing.sync(handle, dataOnly: dataOnly)
    }

    public func release(_ handle: HandleID) {
        if let own = parts.own.owner(of: handle) { return own.release(handle) }
        parts.closing.release(handle)
    }
}

// MARK: Folders

extension Drive {
    public func openFolder(_ node: NodeID, flags: Int32 = 0, caller: Caller) throws(Errno) -> OpenedFolder {
        switch try parts.namespace(of: node) {
        case .thumbnails(let node): return try parts.thumbnailFolders.openFolder(node)
        case .own(let own): return try own.part.openFolder(own.node, caller)
        default: break
        }
        let id = try parts.tree.known(node)
        parts.growing.settle(in: id, for: caller)
        return try parts.listings.open(id, flags: flags, caller: caller)
    }

    /// Calls `take` for one entry after another from `position` on, until it says false: that one it did not take.
    /// With `counting`, the kernel learns of each node that was taken, "." and ".." excepted, as `lookUp` tells it.
    public func readFolder(
        _ handle: FolderHandleID, from position: UInt64, counting: Bool, _ take: (borrowing FolderEntry) -> Bool
    ) throws(Errno) {
        try parts.listings.read(handle, from: position, counting: counting, take)
        parts.growing.found()
    }

    public func releaseFolder(_ handle: FolderHandleID) { parts.listings.release(handle) }

    public func syncFolder(_ node: NodeID) throws(Errno) {
        if parts.own.owner(of: node) != nil { return }
        let id = try parts.tree.known(node)
        try parts.listings.synchronize(id)
        parts.growing.synchronized(id)
    }
}

// MARK: Entries that come, go and change their names

extension Drive {
    /// A file without a name, as `O_TMPFILE` makes it. A link to what is open may give it one.
    public func createNameless(in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        try requireWriting()
        if parts.own.owner(of: folder) != nil { throw .notSupported }
        return try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try parts.making.createNameless(in: try parts.tree.known(folder), mode: mode, flags: flags, caller: caller)
        }
    }

    /// What is made is called as its name is in NFC, but for the parts of a package. The kernel forgets another form at once.
    private func making(
        _ name: Name, in folder: NodeNumber, _ body: (Name, NodeNumber) throws(Errno) -> Entry
    ) throws(Errno) -> Entry {
        let composed = parts.tree.composed(name, in: folder)
        var entry = try body(composed, folder)
        if composed != name { entry.isItsName = false }
        return entry
    }

    public func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry {
        if isEcho(caller) { return try parts.echo.made(name, in: folder) }
        try requireWriting()
        if let own = parts.own.owner(of: folder) {
            guard FileType(mode: mode) == .regular else { throw .notPermitted }
            return try own.part.makeFile(name, in: own.node, caller)
        }
        return try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try making(name, in: try parts.tree.known(folder)) { (name, folder) throws(Errno) in
                try parts.making.makeNode(name, in: folder, mode: mode, device: device, caller: caller)
            }
        }
    }

    public func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry {
        if isEcho(caller) { return try parts.echo.made(name, in: folder) }
        try requireWriting()
        return try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            let entry = try making(name, in: try parts.inTree(folder)) { (name, folder) throws(Errno) in
                try parts.making.makeFolder(name, in: folder, mode: mode, caller: caller)
            }
            parts.growing.made(entry.node, by: caller)
            return entry
        }
    }

    public func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry {
        if isEcho(caller) { return try parts.echo.made(name, in: folder) }
        try requireWriting()
        return try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try making(name, in: try parts.inTree(folder)) { (name, folder) throws(Errno) in
                try parts.making.makeSymbolicLink(name, in: folder, to: target, caller: caller)
            }
        }
    }

    public func link(_ node: NodeID, as name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        try requireWriting()
        return try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try making(name, in: try parts.inTree(folder)) { (name, folder) throws(Errno) in
                try parts.making.link(try parts.inTree(node), as: name, in: folder, caller: caller)
            }
        }
    }

    public func unlink(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) {
        if isEcho(caller) { return try parts.echo.removed(name, in: folder) }
        try requireWriting()
        if let own = parts.own.owner(of: folder) { return try own.part.unlink(name, in: own.node, caller) }
        if case .deleted(let id) = try parts.namespace(of: folder) { return try parts.undeleting.purge(name, in: id, caller: caller) }
        try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try parts.removing.unlink(name, in: try parts.tree.known(folder), caller: caller)
        }
    }

    public func removeFolder(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) {
        if isEcho(caller) { return try parts.echo.removed(name, in: folder) }
        try requireWriting()
        if let own = parts.own.owner(of: folder) { return try own.part.removeFolder(name, in: own.node) }
        if case .deleted(let id) = try parts.namespace(of: folder), try parts.deleted.removesEmptied(name, in: id) { return }
        try parts.growing.changing(folder, by: caller) { () throws(Errno) in
            try parts.removing.removeFolder(name, in: try parts.tree.known(folder), caller: caller)
        }
    }
}
