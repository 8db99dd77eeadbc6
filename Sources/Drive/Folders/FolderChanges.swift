import Containers
import Coordination
import LinuxFiles

/// What every change of a folder has in common: its lane, its place, and that the tree knows what is in it.
final class FolderChanges: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let container: Container
    private let feed: ChangeFeed
    private let places: Places
    private let shown: ShownAttributes
    private let folders: FolderContents
    private let equivalentNames: EquivalentNames
    private let access: AccessChecks
    private let newKinds: NewKinds

    init(
        tree: Tree, coordinator: DocumentCoordinator, container: Container, feed: ChangeFeed, places: Places,
        shown: ShownAttributes, folders: FolderContents, equivalentNames: EquivalentNames, access: AccessChecks, newKinds: NewKinds
    ) {
        (self.tree, self.coordinator, self.container, self.places) = (tree, coordinator, container, places)
        (self.shown, self.folders, self.access) = (shown, folders, access)
        (self.equivalentNames, self.feed, self.newKinds) = (equivalentNames, feed, newKinds)
    }

    /// Runs `body` alone in a folder whose names are known. What it changes there needs no reading again. With a caller, for
    /// one who may change names there.
    func changing<Value>(
        _ folder: NodeNumber, for caller: Caller? = nil, _ body: (OpenFile) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try checkChangeable(folder)
        let place = try places.place(of: folder)
        if let caller { try access.checkChangeable(folder, place, by: caller) }
        return try coordinator.write(LaneID(folder)) { () throws(Errno) in try changingInLane(folder, place, body) }
    }

    private func changingInLane<Value>(
        _ folder: NodeNumber, _ place: OpenFile, _ body: (OpenFile) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try folders.readNamesInLane(of: folder, place)
        defer { settle(folder, place) }
        return try body(place)
    }

    /// The same for two folders, which may be one.
    func changing<Value>(
        _ first: NodeNumber, _ second: NodeNumber, for caller: Caller? = nil,
        _ body: (OpenFile, OpenFile) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try checkChangeable(first)
        try checkChangeable(second)
        let one = try places.place(of: first), other = try places.place(of: second)
        if let caller {
            try access.checkChangeable(first, one, by: caller)
            if second != first { try access.checkChangeable(second, other, by: caller) }
        }
        return try coordinator.write(LaneID(first), LaneID(second)) { () throws(Errno) in
            try folders.readNamesInLane(of: first, one)
            try folders.readNamesInLane(of: second, other)
            defer {
                settle(first, one)
                settle(second, other)
            }
            return try body(one, other)
        }
    }

    /// The same for the folder that a node is in by then, and in the node's lane.
    func changingFolder<Value>(of id: NodeNumber, _ body: (OpenFile) throws(Errno) -> Value) throws(Errno) -> Value {
        while true {
            let parent = tree[id].parent
            let done: Value? = try changing(parent) { (place) throws(Errno) in
                try coordinator.write(LaneID(id)) { () throws(Errno) in
                    // The node was moved to another folder before its lane was free.
                    guard tree[id].parent == parent else { return nil }
                    return try body(place)
                }
            }
            if let done { return done }
        }
    }

    /// The same later, for what nobody waits for; `ended` follows, also where the folder cannot be changed or the node was moved meanwhile.
    func changingFolderLater(of id: NodeNumber, _ body: @escaping @Sendable (OpenFile) -> Void, ended: @escaping @Sendable () -> Void) {
        let parent = tree.withLock { $0.contains(id) ? $0[id].parent : nil }
        guard let parent else { return ended() }
        changingLater(parent, with: id, { [self] place in if tree.withLock({ $0.contains(id) && $0[id].parent == parent }) { body(place) } }, ended: ended)
    }

    /// The same in a folder that is given, and in the node's lane, wherever that is by then.
    func changingLater(_ folder: NodeNumber, with id: NodeNumber, _ body: @escaping @Sendable (OpenFile) -> Void, ended: @escaping @Sendable () -> Void) {
        coordinator.later(LaneID(folder)) { [self] in
            defer { ended() }
            guard tree.withLock({ $0.contains(folder) }), (try? checkChangeable(folder)) != nil, let place = try? places.place(of: folder) else { return }
            try? changingInLane(folder, place) { (place) throws(Errno) in coordinator.write(LaneID(id)) { body(place) } }
        }
    }

    func checkChangeable(_ folder: NodeNumber) throws(Errno) {
        let role = tree[folder].role
        guard role.isFolder else { throw .notDirectory }
        guard !role.isFixed else { throw .readOnly }
    }

    /// The folder's new times are of our own making: nothing in it has to be read again because of them, if nothing else has
    /// come up that it has to be read for.
    private func settle(_ folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        // Where nobody tells what changes, this is all that is heard of it.
        if feed.isFollowed, !tree.isFollowed(folder) { feed.add(nil, in: tree.cataloguedPath(of: folder)) }
        guard let status = try? place.descriptor.status() else { return }
        tree.withLock { tree in
            if tree.folders[folder]?.read != nil { tree.folders[folder]?.read = FolderStamp(settled: status) }
        }
    }

    /// What a new folder is called in the container. One with the name of a package grows beside its place: it would be half a document while it is filled. In
    /// a package of another app it is a folder. Throws where a document has the name in the container: there is that one's package.
    func storedName(ofFolder name: Name, in folder: NodeNumber) throws(Errno) -> Name {
        guard tree.isPackageName(name, in: folder) else { return name }
        guard let growing = GrowingName.of(name) else { throw .nameTooLong }
        return growing
    }

    /// Throws where a folder of this name at the drive's top would be the one that a container's documents are in: what is beside it would be nowhere
    /// when the drive is mounted again, and apps would not save here any more. A drive that shows such a folder may have another one in it.
    func checkNoDocumentsFolder(_ name: Name, in folder: NodeNumber) throws(Errno) {
        guard folder == NodeNumber.root, name == Container.documentsName, !container.hasDocumentsFolder else { return }
        SystemLog.write(
            "a folder “\(name)” at the top would be all that a drive shows of “\(container.path)”; call it otherwise, or make it in the container itself", .notice)
        throw .notPermitted
    }

    /// A free name that the caller may take, or the errno why not.
    func checkFree(_ name: Name, in folder: NodeNumber) throws(Errno) {
        if folder == NodeNumber.root, Hidden.isState(name) { throw .exists }
        let spelling = equivalentNames.spelling(of: name, in: folder)
        guard tree.withLock({ $0.child(shown: spelling, of: folder) }) == nil, tree.packageFolder(name, in: folder) == nil else { throw .exists }
    }

    /// Adds what was just made in a folder, and tells it as an answer.
    func entryOfNew(
        _ name: Name, storedAs stored: Name? = nil, in folder: NodeNumber, _ place: OpenFile, linkTo linked: NodeNumber? = nil
    ) throws(Errno) -> Entry {
        let stored = stored ?? name, status = try place.descriptor.status(of: stored), isNew = status.type == .regular && newKinds.kind(of: name, in: folder) != nil
        let id = tree.withLock { tree in
            let found = FoundEntry(name: stored, number: status.identity.number, facts: nil)
            if let linked { tree.note(linked, hasSeveralNames: status) } else { tree.noteNew(status, .plain) }
            let node = NodeTable.node(found, EntryFacts(Item(name: stored, status: status)), in: folder, parentRole: .folder, shown: name)
            let entry = tree.addFile(node, status)
            let id = tree.node(of: entry)
            tree.remember(id)
            return id
        }
        tree.setNew(isNew, id)
        return entry(id, status)
    }

    /// Something that was deleted is here again. What looks like an archive and cannot be read is not half-written because of that: it is there at once.
    func cameBack(_ name: Name, in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        guard let item = try? container.reader.read(name, in: place.descriptor), item.document == nil, item.fault != nil, item.status.type == .regular else { return }
        tree.withLock { tree in
            guard tree.entry(stored: name, of: folder) == nil, tree.child(shown: name, of: folder) == nil else { return }
            let found = FoundEntry(name: name, number: item.status.identity.number, facts: nil)
            _ = tree.addFile(NodeTable.node(found, EntryFacts(item), in: folder, parentRole: .folder, shown: name), item.status)
        }
    }

    func entry(_ id: NodeNumber, _ status: FileStatus) -> Entry {
        let (generation, isGrowing) = tree.withLock { (UInt64($0[id].generation), $0.isGrowing(id)) }
        var entry = Entry(node: NodeID(id), generation: generation, attributes: shown.noteCached(shown.present(status, as: id)))
        entry.isItsName = !isGrowing
        return entry
    }
}
