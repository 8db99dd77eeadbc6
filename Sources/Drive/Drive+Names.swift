import Containers
import LinuxFiles
import Thumbnails

// Names to nodes.
extension Drive {
    /// In the root, and never listed there.
    public static let controlFolder = Hidden.state

    public func lookUp(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        let place = SecondLooks.Place(folder: folder, name: name)
        do throws(Errno) {
            let entry = try find(name, in: folder, caller: caller)
            secondLooks.looked(caller.process, at: place, entry.node)
            return entry
        } catch {
            if error == .noSuchEntry { secondLooks.looked(caller.process, at: place, nil) }
            throw error
        }
    }

    func find(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        if let thumbnails = ThumbnailNode(folder) { return try lookUpThumbnail(name, in: thumbnails) }
        let parent = try known(folder)
        if let fixed = fixedChild(name, of: parent) { return fixed }
        switch tree.withLock({ $0[parent].role }) {
        case .control: throw .noSuchEntry
        case .versionFolder: return try lookUpVersion(name, in: parent)
        default: break
        }
        if rights.areChecked { _ = try self.folder(parent, for: caller, .enter) }
        // What is found may be gone from the container before it is read: then the folder is read again.
        for _ in 0..<4 {
            try readNames(of: parent)
            let spelling = spelling(of: name, in: parent)
            guard let id = tree.withLock({ $0.child(shown: spelling, of: parent) }) else {
                guard name == SharedThumbnail.folder else { throw .noSuchEntry }
                return try lookUpThumbnails(of: parent)
            }
            if var entry = try entry(of: id) {
                entry.isItsName = spelling == name
                return entry
            }
            tree.withLock { $0.prefer(spelling, in: parent) }
            forgetReading(of: parent)
        }
        throw .noSuchEntry
    }

    public func lookUpParent(of folder: NodeID) throws(Errno) -> Entry {
        if let thumbnails = ThumbnailNode(folder) { return try lookUpParent(of: thumbnails) }
        let id = try known(folder)
        let parent = tree.withLock { $0[id].parent }
        guard let entry = try entry(of: parent) else { throw .stale }
        return entry
    }

    /// The folder or file itself, told as `lookUp` tells it: an NFS server has only its number.
    public func lookUpAgain(_ node: NodeID) throws(Errno) -> Entry {
        if let thumbnails = ThumbnailNode(node) { return try entry(of: thumbnails) }
        guard let entry = try entry(of: try known(node), named: false) else { throw .stale }
        return entry
    }

    public func forget(_ node: NodeID, count: UInt64) {
        if let thumbnails = ThumbnailNode(node) { return forget(thumbnails, count: count) }
        tree.withLock { tree in
            if let id = tree.node(node) { tree.forget(id, count: count) }
        }
        dropUnneededWatches()
    }

    public func readLink(_ node: NodeID) throws(Errno) -> [UInt8] {
        let id = try known(node)
        return try checkedBacking(of: id).file.descriptor.readSymbolicLink()
    }

    /// A node with its attributes as they are now, and the kernel told of it once more; nil if it is gone, or its name is.
    func entry(of id: UInt32, named: Bool = true) throws(Errno) -> Entry? {
        let attributes: Attributes
        do throws(Errno) { attributes = try self.attributes(of: NodeID(rawValue: UInt64(id)), handle: nil) } catch {
            if error == .stale || error == .noSuchEntry { return nil }
            throw error
        }
        return tree.withLock { tree in
            guard tree.contains(id), !(named && tree[id].flags.contains(.orphan)) else { return nil }
            tree.remember(id)
            tree.tell(attributes)
            return Entry(node: attributes.node, generation: UInt64(tree[id].generation), attributes: attributes)
        }
    }

    /// What is in the control folder.
    var controlItems: [UInt32] { [Tree.originals, Tree.status] + (options.keepsVersions ? [Tree.versions] : []) }

    /// The control folder is in the root and never listed; in it are things that exist nowhere else.
    private func fixedChild(_ name: Name, of parent: UInt32) -> Entry? {
        let candidates: [UInt32] =
            switch parent {
            case Tree.root: [Tree.control]
            case Tree.control: controlItems
            default: []
            }
        guard let id = candidates.first(where: { id in tree.withLock { $0[id].shown == name } }) else { return nil }
        return (try? entry(of: id)) ?? nil
    }
}
