import LinuxFiles

/// A plain file that is written to through the drive: what changes meanwhile is mostly the drive's own doing.
struct WrittenFile {
    /// The number of handles that may write to the node.
    var writers = 0
    /// How many writes of the drive's own are under way, and when the last one had ended.
    var writing = 0
    var last: Timestamp?
    /// Something was written that those who present it have not heard of.
    var isNews = false
    /// What the last writer left behind, until the drive looks at the file again.
    var left: FileStatus?

    mutating func wrote() { (last, isNews) = (.now, true) }
}

// What is watched, and what was seen of it.
extension Tree {
    func takeUnneededWatches() -> Set<WatchID> {
        withLock { tree in
            defer { tree.unneeded = [] }
            return tree.unneeded
        }
    }

    /// Nobody knows any more what changed: all that was read has to be read again. The folders that it concerns.
    func distrustReadings() -> [NodeNumber] {
        withLock { tree in
            var known: [NodeNumber] = []
            for id in Array(tree.folders.keys) where tree.folders[id]?.read != nil {
                tree.folders[id]?.isFollowed = false
                tree.folders[id]?.read = nil
                known.append(id)
            }
            return known.sorted()
        }
    }

    /// Other programs have moved these folders, and the drive has not looked yet where they are. It may see before that their old names are gone. The kernel
    /// goes on telling what comes into them: their watches stay, and a handle keeps their nodes where the kernel forgets them.
    func beginMoves(of found: some Sequence<NodeNumber>) {
        withLock { tree in
            for folder in found where !tree.moving.contains(folder) && tree.hold(folder) { tree.moving.insert(folder) }
        }
    }

    /// They are where they were moved to, as nodes of their own, or nowhere.
    func endMoves(of found: some Sequence<NodeNumber>) {
        withLock { tree in
            for folder in found where tree.moving.remove(folder) != nil {
                if tree[folder].isNameless { tree.endWatch(of: folder) }
                tree.removeHandle(folder)
            }
        }
    }

    /// Holds one that somebody has looked into, until `removeHandle`.
    func holdKnown(_ folder: NodeNumber) -> Bool { withLock { $0.folders[folder]?.isKnown == true && !$0[folder].isNameless && $0.hold(folder) } }

    // MARK: Writing

    func wrote(_ id: NodeNumber) { withLock { $0.writtenFiles[id]?.wrote() } }

    /// Writes to a plain file: what is seen of it meanwhile is the drive's own doing, too.
    func writing<Value>(to id: NodeNumber, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        withLock { $0.writtenFiles[id]?.writing += 1 }
        defer {
            withLock { tree in
                tree.writtenFiles[id]?.writing -= 1
                tree.writtenFiles[id]?.wrote()
            }
        }
        return try body()
    }

    /// One of a plain file's writers is gone and left this behind: whether those who present it have not heard of it, and what the kernel has to be told.
    func finishWriting(_ id: NodeNumber, _ status: FileStatus?) -> (isNews: Bool, change: KernelChange?) {
        withLock { tree in
            guard let status, let isNews = tree.writtenFiles[id]?.isNews else { return (false, nil) }
            tree.writtenFiles[id]?.isNews = false
            let change = tree.see(id, status)
            tree.writtenFiles[id]?.writers -= 1
            if tree.writtenFiles[id]?.writers == 0 { tree.writtenFiles[id] = WrittenFile(left: status) }
            return (isNews, change)
        }
    }
}

extension NodeTable {
    func node(watch: WatchID) -> NodeNumber? {
        watched.find(Int(watch.rawValue)) { nodes[$0.index].watch == watch.rawValue }
    }

    /// Whether changes in it are noticed as those of a folder that is shown.
    func isWatchable(_ folder: NodeNumber) -> Bool { self[folder].role == .folder && !self[folder].isNameless }

    /// A folder or package is watched from now on. If another node was by the same watch, it was the same folder under its old name.
    mutating func setWatch(_ watch: WatchID, of id: NodeNumber) {
        unneeded.remove(watch)
        guard self[id].watch != watch.rawValue else { return }
        endWatch(of: id)
        if let other = node(watch: watch) { forgetWatch(of: other) }
        self[id].watch = watch.rawValue
        watched.insert(id, Int(watch.rawValue)) { Int(nodes[$0.index].watch) }
        unneeded.remove(watch)
    }

    /// The watch goes with its node.
    mutating func endWatch(of id: NodeNumber) {
        guard self[id].watch != 0 else { return }
        unneeded.insert(WatchID(rawValue: self[id].watch))
        forgetWatch(of: id)
    }

    /// The kernel has ended the watch, or its number is another node's.
    mutating func forgetWatch(of id: NodeNumber) {
        guard self[id].watch != 0 else { return }
        watched.remove(id, Int(self[id].watch))
        self[id].watch = 0
        folders[id]?.isFollowed = false
    }

    /// Whether every change of a node is noticed: of its name, and of what is in it.
    func isNoticed(_ id: NodeNumber) -> Bool {
        let node = nodes[id.index]
        if node.role.isFixed { return node.role == .control }
        let hasInside = node.role == .folder || (node.role == .document && kinds[node.kind].isPackage)
        if hasInside, node.watch == 0 { return false }
        // The folders in a package are not watched, and what is in them is shown.
        if node.role == .document, kinds[node.kind].kind.flat != nil || kinds[node.kind].hasDeepContent { return false }
        return id == NodeNumber.root || nodes[node.parent.index].watch != 0
    }

    // MARK: States

    /// A node was seen in a state. What the kernel has to be told, because it may have another one cached. `keepsContent`: its
    /// content is known to be the same as long as its size and its modification time are. `isTold`: the kernel hears of it.
    mutating func see(
        _ id: NodeNumber, _ status: FileStatus, keepsContent: Bool = false, isTold: Bool = true
    ) -> KernelChange? {
        let stamp = ContentStamp(status), before = nodes[id.index].stamp
        guard !isOutdated(status, of: id), stamp != before else { return nil }
        self[id].stamp = before.mayHaveOldPages ? stamp.withOldPages : stamp
        guard before != .unknown, documents[id]?.draft == nil, !isOwnWriting(id, status) else { return nil }
        if stamp.hasContent(of: before) { return keepsContent ? .attributes(id) : .content(id) }
        // Who opens it before the kernel has heard of it must not be given what that has of the content before.
        if isTold { self[id].stamp = stamp.withOldPages }
        return .content(id)
    }

    /// Whether a plain file is as the drive's own writing left it: the kernel has what was written.
    private func isOwnWriting(_ id: NodeNumber, _ status: FileStatus) -> Bool {
        guard let file = writtenFiles[id] else { return false }
        return file.writing > 0 || file.last.map { status.modified <= $0 } ?? false
    }

    /// Whether a plain file was looked at before its last writer was gone, and the tree only hears of it now: by then it knows better.
    private mutating func isOutdated(_ status: FileStatus, of id: NodeNumber) -> Bool {
        guard let file = writtenFiles[id], let left = file.left else { return false }
        if status.identity == left.identity, status.changed < left.changed { return true }
        if file.writers == 0 { writtenFiles[id] = nil } else { writtenFiles[id]?.left = nil }
        return false
    }
}
