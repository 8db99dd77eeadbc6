import Containers
import Coordination
import LinuxFiles

// What every change of a folder has in common: its lane, its place, and that the tree knows what is in it.
extension Drive {
    /// The one writer of the container, or the errno for a drive that does not write.
    func writer() throws(Errno) -> Workshop {
        guard let workshop else { throw .readOnly }
        return workshop
    }

    /// Runs `body` alone in a folder whose names are known. What it changes there needs no reading again. With a caller, for
    /// one who may change names there.
    func changing<Value>(
        _ folder: UInt32, for caller: Caller? = nil, _ body: (OpenFile) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try checkChangeable(folder)
        let place = try place(of: folder)
        if let caller { try checkChangeable(folder, place, by: caller) }
        return try coordinator.write(lane(folder)) { () throws(Errno) in
            try readNamesInLane(of: folder, place)
            defer { settle(folder, place) }
            return try body(place)
        }
    }

    /// The same for two folders, which may be one.
    func changing<Value>(
        _ first: UInt32, _ second: UInt32, for caller: Caller, _ body: (OpenFile, OpenFile) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        try checkChangeable(first)
        try checkChangeable(second)
        let one = try place(of: first), other = try place(of: second)
        try checkChangeable(first, one, by: caller)
        if second != first { try checkChangeable(second, other, by: caller) }
        return try coordinator.write(lane(first), lane(second)) { () throws(Errno) in
            try readNamesInLane(of: first, one)
            try readNamesInLane(of: second, other)
            defer {
                settle(first, one)
                settle(second, other)
            }
            return try body(one, other)
        }
    }

    /// The same for the folder that a node is in by then, and in the node's lane.
    func changingFolder<Value>(of id: UInt32, _ body: (OpenFile) throws(Errno) -> Value) throws(Errno) -> Value {
        while true {
            let parent = tree.withLock { $0[id].parent }
            let done: Value? = try changing(parent) { (place) throws(Errno) in
                try coordinator.write(lane(id)) { () throws(Errno) in
                    // It was moved meanwhile.
                    guard tree.withLock({ $0[id].parent }) == parent else { return nil }
                    return try body(place)
                }
            }
            if let done { return done }
        }
    }

    func lane(_ id: UInt32) -> ItemID { ItemID(rawValue: UInt64(id)) }

    func checkChangeable(_ folder: UInt32) throws(Errno) {
        guard !options.readOnly else { throw .readOnly }
        let role = tree.withLock { $0[folder].role }
        guard role.isFolder else { throw .notDirectory }
        guard !role.isFixed else { throw .readOnly }
    }

    /// The folder's new times are of our own making: nothing in it has to be read again because of them, if nothing else has
    /// come up that it has to be read for.
    private func settle(_ folder: UInt32, _ place: OpenFile) {
        guard let status = try? place.descriptor.status() else { return }
        tree.withLock { tree in
            if tree.folders[folder]?.read != nil { tree.folders[folder]?.read = FolderStamp(settled: status) }
        }
    }

    /// The kind that a new file of this name becomes, if its content fits. As a document, what is called as sync tools call
    /// copies would be a version of another one, and not there under its name.
    func claim(_ name: Name) -> KindID? {
        if options.keepsVersions, Container.original(ofCopy: name) != nil { return nil }
        return container.creating.first { $0.kind.claims(shownName: name.bytes) }
    }

    /// Where a name of this folder is, for saving.
    func address(_ name: Name, in folder: UInt32, _ place: OpenFile) -> Address {
        Address(folder: place, path: tree.withLock { $0.storedPath(of: folder)?.names ?? [] }, shown: name)
    }

    /// A free name that the caller may take, or the errno why not.
    func checkFree(_ name: Name, in folder: UInt32) throws(Errno) {
        if folder == Tree.root, Hidden.isState(name) { throw .exists }
        let spelling = spelling(of: name, in: folder)
        guard tree.withLock({ $0.child(shown: spelling, of: folder) }) == nil else { throw .exists }
    }

    /// Whether a name is that of an item which is shown under another one: nothing else can have it in the container.
    func isItem(_ name: Name, in folder: UInt32) -> Bool {
        tree.withLock { tree in tree.entry(stored: name, of: folder).map { tree[$0].shown != name } ?? false }
    }

    /// Adds what was just made in a folder, and tells it as an answer.
    func entryOfNew(_ name: Name, in folder: UInt32, _ place: OpenFile, linkTo linked: UInt32? = nil) throws(Errno) -> Entry {
        let status = try place.descriptor.status(of: name)
        let id = tree.withLock { tree in
            let found = Found(name: name, number: status.identity.number, facts: nil)
            if let linked { tree.note(linked, hasSeveralNames: status) } else { tree.noteNew(status, .plain) }
            let node = Tree.node(found, Facts(Item(name: name, status: status)), in: folder, parentRole: .folder, shown: name)
            let entry = tree.addFile(node, status)
            let id = tree.node(of: entry)
            tree.remember(id)
            return id
        }
        return entry(id, status)
    }

    func entry(_ id: UInt32, _ status: FileStatus) -> Entry {
        let generation = tree.withLock { UInt64($0[id].generation) }
        return Entry(node: NodeID(rawValue: UInt64(id)), generation: generation, attributes: told(present(status, as: id)))
    }
}
