import Containers
import LinuxFiles

/// All nodes and folders that are known. A plain struct behind the lock of `Tree`: no I/O in here, and what only that one asks stands there.
struct NodeTable {
    /// The kinds of documents that the container has.
    let kinds: KindRegistry
    private(set) var nodes: [Node]
    /// Files with several names.
    var links = LinkedFiles()
    private var vacant: [NodeNumber] = []
    var folders: [NodeNumber: Folder] = [:]
    /// How many of them are kept open, besides the two at the top.
    var openPlaces = 0
    /// Why something is not shown as the document it looks like.
    var faults: [EntryNumber: String] = [:]
    /// What the nodes under `/.valise/versions` stand for.
    var versioned: [NodeNumber: VersionedItem] = [:]
    /// The same of those under `/.valise/deleted`.
    var deleted: [NodeNumber: DeletedNode] = [:]
    /// The documents that are open, or have a draft.
    var documents: [NodeNumber: OpenDocument] = [:]
    /// Which file the handles of a plain file have open.
    private var openFiles: [NodeNumber: FileIdentity] = [:]
    /// The nodes that a program has opened since the kernel knows them: the kernel may have their content in memory.
    private(set) var opened = NodeSet()
    /// What is left of files and folders whose names are gone: the kernel may still have them open, a pipe or a
    /// working folder without our knowing.
    private(set) var remaining: [NodeNumber: OpenFile] = [:]
    /// The nodes that are watched, by their watch; and watches that nobody needs any more: see `Tree+Watching.swift`.
    var watched = NameIndex<NodeNumber>()
    var unneeded: Set<WatchID> = []
    /// Folders that others have moved to where the tree does not have them yet.
    var moving: Set<NodeNumber> = []
    var separated = SeparatedNodes()
    /// What is opened for a node that is nobody's any more: see `succeed`.
    var successors: [NodeNumber: (node: NodeNumber, generation: UInt32)] = [:]
    /// Documents that were put away and that an app has made anew since, with the nodes that they were to come back to.
    var gaveWay: [(node: NodeNumber, item: AwayItem)] = []
    /// Documents whose items are gone and that somebody may still write to, with the generations of their folders: see `NodeTable+Followed.swift`.
    var lost: [NodeNumber: UInt32] = [:]
    /// Folders that others have moved, and documents of which something was written by then.
    var movedParts: [NodeNumber] = []
    /// Packages that programs fill.
    var growing: [NodeNumber: GrowingPackage] = [:]
    /// Those in each folder.
    var growingIn: [NodeNumber: Set<NodeNumber>] = [:]
    /// Whether a document's package was ever looked for under its stored name.
    var hasPackageFolders = false
    /// Plain files that are written to through the drive.
    var writtenFiles: [NodeNumber: WrittenFile] = [:]
    private static let mostRemaining = 256
    /// Of so many nodes and more, those that the kernel has forgotten go with their folders.
    var mostForgotten = 16_384
    /// Numbers generations across all slots, so that no (number, generation) occurs twice; and from anywhere, so that
    /// none of another mount does: an NFS client still has those.
    private var generations = UInt32.random(in: 1...UInt32.max)

    private static let lastFixed = NodeNumber.searches

    init(_ kinds: KindRegistry) {
        self.kinds = kinds
        func fixed(_ role: Role, _ name: Name, in parent: NodeNumber) -> Node {
            Node(parent: parent, generation: 1, lookups: 1, stored: name, shown: name, inode: 0, stamp: .unknown, role: role)
        }
        // Slot 0 is nobody's: 0 means "no node". Root's name is never looked at.
        nodes = [
            fixed(.control, Node.noName, in: .none),
            fixed(.folder, Node.noName, in: NodeNumber.root),
            fixed(.control, Hidden.state, in: NodeNumber.root),
            fixed(.originalFolder, Name(constant: "originals"), in: NodeNumber.control),
            fixed(.status, Name(constant: "status"), in: NodeNumber.control),
            fixed(.versionFolder, Name(constant: "versions"), in: NodeNumber.control),
            fixed(.controlNamespace, Name(constant: "kvs"), in: NodeNumber.control),
            fixed(.deletedFolder, Name(constant: "deleted"), in: NodeNumber.control),
            fixed(.controlNamespace, Name(constant: "search"), in: NodeNumber.control),
            fixed(.controlNamespace, Name(constant: "searches"), in: NodeNumber.control),
        ]
        for folder in [NodeNumber.root, NodeNumber.originals, NodeNumber.versions, NodeNumber.deletedItems] { folders[folder] = Folder() }
        versioned[NodeNumber.versions] = .folder([])
        deleted[NodeNumber.deletedItems] = .all
    }

    // MARK: One node

    func contains(_ entry: EntryNumber) -> Bool { contains(NodeNumber(entry.rawValue)) }

    func contains(_ id: NodeNumber) -> Bool { id.index < nodes.count && id != .none && nodes[id.index].parent != .none }

    /// The node that the kernel means, or nil if it was forgotten.
    func node(_ id: NodeID) -> NodeNumber? {
        guard let raw = UInt32(exactly: id.rawValue), contains(NodeNumber(raw)) else { return nil }
        return NodeNumber(raw)
    }

    /// A name as if it were a node: with its folder, and what it is called.
    subscript(entry: EntryNumber) -> Node {
        get { nodes[entry.index] }
        _modify { yield &nodes[entry.index] }
    }

    subscript(id: NodeNumber) -> Node {
        get { nodes[id.index] }
        _modify { yield &nodes[id.index] }
    }

    var count: Int { nodes.count - vacant.count - 1 }

    // MARK: Entries of a folder

    // An entry is a name in a folder, by its place in the table. It is its node's own, or an alias: see `LinkedFiles`.
    // Entries come and go with their names, so nobody keeps one when the lock is let go of: folder and name say which it is.

    /// The node that has a name.
    func child(shown name: Name, of folder: NodeNumber) -> NodeNumber? { entry(shown: name, of: folder).map(node(of:)) }

    func entry(shown name: Name, of folder: NodeNumber) -> EntryNumber? {
        folders[folder]?.byShown.find(nameHash(name.bytes)) { nodes[$0.index].names.isShown(name) }
    }

    /// What a listing read a while ago.
    func entry(_ listed: ListedEntry, in folder: NodeNumber) -> EntryNumber? {
        let id = listed.entry
        if contains(id), self[id].parent == folder, !self[id].isNameless, self[id].names.isShown(listed.name) { return id }
        return entry(shown: listed.name, of: folder)
    }

    func entry(stored name: Name, of folder: NodeNumber) -> EntryNumber? {
        folders[folder]?.byStored.find(nameHash(name.bytes)) { nodes[$0.index].names.isStored(name) }
    }

    /// The node of an item, by its name in the container.
    func node(stored name: Name, of folder: NodeNumber) -> NodeNumber? { entry(stored: name, of: folder).map(node(of:)) }

    func children(of folder: NodeNumber) -> [EntryNumber] {
        var children: [EntryNumber] = []
        folders[folder]?.byShown.forEach { children.append($0) }
        return children
    }

    /// Adds an entry; its shown name must be free.
    mutating func add(_ node: Node) -> NodeNumber {
        let id = put(node)
        enter(EntryNumber(of: id))
        if isBesidePart(node) { nodes[id.index].flags.remove(.unlisted) }
        if node.role.isFolder { folders[id] = Folder() }
        return id
    }

    /// The node of what is made anew each time: the one that has this name already, if it is the same thing, or a new one.
    mutating func node<Item: Equatable>(
        of item: Item, _ items: WritableKeyPath<NodeTable, [NodeNumber: Item]>, _ role: Role, called name: Name, in folder: NodeNumber
    ) -> NodeNumber {
        if let id = child(shown: name, of: folder) {
            if self[keyPath: items][id] == item { return id }
            detach(EntryNumber(of: id))
        }
        let id = add(Node(parent: folder, generation: 0, stored: name, shown: name, inode: 0, stamp: .unknown, role: role))
        self[keyPath: items][id] = item
        return id
    }

    /// Very many at once take no more memory than they need. Few come as others did.
    mutating func makeRoom(for count: Int) { if count > nodes.count { nodes.reserveCapacity(nodes.count + count) } }

    /// A node without an entry in a folder.
    mutating func put(_ node: Node) -> NodeNumber {
        var node = node
        generations &+= 1
        node.generation = generations
        if let slot = vacant.popLast() {
            nodes[slot.index] = node
            return slot
        }
        nodes.append(node)
        return NodeNumber(UInt32(nodes.count - 1))
    }

    /// Takes an entry out of its folder. Its node lives on: under another name that it has, or else while the
    /// kernel or a handle knows it.
    mutating func detach(_ entry: EntryNumber) {
        guard !nodes[entry.index].isNameless, !detachName(entry) else { return }
        leave(entry)
        let id = NodeNumber(carrying: entry)
        growing[id] = nil
        if !moving.contains(id) { endWatch(of: id) }
        become(.nameless, id)
        dropIfUnused(id)
    }

    /// Takes a name out of a folder, and holds on to the file or folder for as long as the kernel knows it.
    /// Removing very many at once must not use up all descriptors, so there is a limit.
    mutating func remove(_ name: Name, of folder: NodeNumber, keeping file: OpenFile? = nil) {
        guard let entry = entry(shown: name, of: folder) else { return }
        detach(entry)
        let id = NodeNumber(carrying: entry)
        if let file, nodes[id.index].isNameless, contains(id), remaining.count < Self.mostRemaining { remaining[id] = file }
    }

    /// Gives an entry another place, another name, or both. The shown name must be free there.
    mutating func move(_ id: EntryNumber, to folder: NodeNumber, stored: Name, shown: Name) {
        if nodes[id.index].isNameless { become(.file, NodeNumber(carrying: id)) } else { leave(id) }
        remaining[NodeNumber(carrying: id)] = nil
        nodes[id.index].parent = folder
        nodes[id.index].names = NodeNames(stored: stored, shown: shown)
        enter(id)
    }

    mutating func enter(_ id: EntryNumber) {
        let parent = nodes[id.index].parent
        // Taken out while it is changed: a dictionary's value that is changed in place copies nothing either,
        // but the closures below read the node table.
        guard var folder = folders.removeValue(forKey: parent) else { return }
        folder.byShown.insert(id, nodes[id.index].names.shownHash) { nodes[$0.index].names.shownHash }
        if hasStoredName(id) {
            folder.byStored.insert(id, nodes[id.index].names.storedHash) { nodes[$0.index].names.storedHash }
        }
        if folder.byFolded != nil {
            folder.byFolded?.insert(id, nameHash(nodes[id.index].shown.folded)) { nameHash(nodes[$0.index].shown.folded) }
        }
        if folder.byForm != nil, hasForms(id) {
            folder.byForm?.insert(id, nameHash(nodes[id.index].stored.composed.bytes)) { nameHash(nodes[$0.index].stored.composed.bytes) }
        }
        folder.edition += 1
        folders[parent] = folder
        noteGrowing(NodeNumber(carrying: id))
    }

    /// Whether an entry is the one that its stored name leads to. That of a package folder is its document's.
    func hasStoredName(_ id: EntryNumber) -> Bool { !nodes[id.index].isUnborn && !isPackageFolder(NodeNumber(carrying: id)) }

    mutating func leave(_ id: EntryNumber) {
        let parent = nodes[id.index].parent
        if !growingIn.isEmpty { leaveGrowing(NodeNumber(carrying: id), parent) }
        folders[parent]?.byShown.remove(id, nodes[id.index].names.shownHash)
        if folders[parent]?.byFolded != nil { folders[parent]?.byFolded?.remove(id, nameHash(nodes[id.index].shown.folded)) }
        if folders[parent]?.byForm != nil, hasForms(id) { folders[parent]?.byForm?.remove(id, nameHash(nodes[id.index].stored.composed.bytes)) }
        if hasStoredName(id) { folders[parent]?.byStored.remove(id, nodes[id.index].names.storedHash) }
        folders[parent]?.edition += 1
    }

    // MARK: Lives

    /// The kernel was told of a node once more.
    mutating func remember(_ id: NodeNumber) {
        // Whoever was told of so often is never forgotten again.
        if nodes[id.index].lookups < .max { nodes[id.index].lookups += 1 }
    }

    mutating func forget(_ id: NodeNumber, count: UInt64) {
        guard id > Self.lastFixed else { return }
        let known = nodes[id.index].lookups
        guard known < .max else { return }
        nodes[id.index].lookups = known - UInt32(min(UInt64(known), count))
        if nodes[id.index].lookups == 0 { opened.remove(id) }
        dropIfUnused(id)
    }

    /// Keeps a folder's place in the table, as a handle does, for somebody whom the kernel does not know: until `removeHandle`.
    /// Without it the place may be another's by the time that what was read of the folder is added. False where there is no such folder.
    mutating func hold(_ id: NodeNumber) -> Bool {
        guard contains(id), folders[id] != nil else { return false }
        addHandle(id)
        return true
    }

    mutating func addHandle(_ id: NodeNumber) {
        nodes[id.index].handles += 1
        opened.insert(id)
    }

    mutating func removeHandle(_ id: NodeNumber) {
        if nodes[id.index].handles > 0 { nodes[id.index].handles -= 1 }
        if nodes[id.index].handles == 0 { openFiles[id] = nil }
        dropIfUnused(id)
    }

    /// What has no name and that nobody knows any more is gone. A folder that the kernel has forgotten keeps what was read of it, because
    /// an NFS client still has the numbers of what is in it, and a program that looks again is to see the same ones. Where
    /// there is very much of that, it goes.
    private mutating func dropIfUnused(_ id: NodeNumber) {
        guard id > Self.lastFixed, nodes[id.index].lookups == 0, nodes[id.index].handles == 0 else { return }
        if documents[id]?.draft != nil, !nodes[id.index].isNameless { return }
        // It is made anew when its name is looked for.
        if isPackageFolder(id), !nodes[id.index].isNameless, foldersNobodyKnows(in: id) != nil { return detach(EntryNumber(of: id)) }
        if nodes[id.index].role.isFolder, nodes[id.index].isNameless || count > mostForgotten { unload(id) }
        if nodes[id.index].isNameless, folders[id].map({ $0.byShown.count == 0 }) ?? true {
            documents[id] = nil
            remaining[id] = nil
            vacate(id)
        }
    }

    /// Nothing has this place in the table any more.
    mutating func vacate(_ id: NodeNumber) {
        if nodes[id.index].flags.contains(.linked) { links.forget(id) }
        endWatch(of: id)
        writtenFiles[id] = nil
        successors[id] = nil
        lost[id] = nil
        growing[id] = nil
        separated.remove(id)
        opened.remove(id)
        folders[id] = nil
        faults[EntryNumber(of: id)] = nil
        versioned[id] = nil
        deleted[id] = nil
        become(.vacant, id)
        nodes[id.index].names = NodeNames(stored: Node.noName, shown: Node.noName)
        vacant.append(id)
    }

    /// A folder loses what was read of it, if nobody knows anything in it.
    private mutating func unload(_ id: NodeNumber) {
        guard let folders = foldersNobodyKnows(in: id) else { return }
        for folder in folders.reversed() { empty(folder) }
    }

    /// A folder and all in it, each before what is in it; nil if somebody knows something there.
    private func foldersNobodyKnows(in id: NodeNumber) -> [NodeNumber]? {
        guard folders[id] != nil else { return nil }
        var found = [id], next = 0
        while next < found.count {
            for child in children(of: found[next]).map({ NodeNumber(carrying: $0) }) {
                let node = nodes[child.index]
                guard node.lookups == 0, node.handles == 0, documents[child] == nil else { return nil }
                if folders[child] != nil { found.append(child) }
            }
            next += 1
        }
        return found
    }

    private mutating func empty(_ id: NodeNumber) {
        let children = children(of: id)
        // Aliases first: a node takes another name only from a folder that stays.
        for child in children where nodes[child.index].flags.contains(.alias) { _ = detachName(child) }
        for child in children where contains(child) && nodes[child.index].parent == id && !detachName(child) { vacate(NodeNumber(carrying: child)) }
        folders[id] = Folder()
    }

    /// The names from the root, or another top, to a node, as they lie in the container; nil for what has no name and what is under it, and where
    /// there are more than so many.
    func storedPath(
        of id: NodeNumber, most: Int = .max, below isTop: (NodeNumber) -> Bool = { _ in false }
    ) -> (top: NodeNumber, names: [Name])? {
        var names: [Name] = []
        var current = id
        while current != NodeNumber.root, current != NodeNumber.originals, !isTop(current) {
            let node = nodes[current.index]
            guard node.parent != .none, !node.isNameless, names.count < most else { return nil }
            names.append(node.stored)
            current = node.parent
        }
        return (current, names.reversed())
    }

    /// The shown path, for sentences: "Holiday/cat.jpg".
    func shownPath(of id: NodeNumber) -> String {
        var parts: [String] = []
        var current = id
        while current != NodeNumber.root, current != .none {
            parts.append(nodes[current.index].shown.description)
            current = nodes[current.index].parent
        }
        return parts.reversed().joined(separator: "/")
    }

    // MARK: What is open

    /// Whether a file is the one that the others of its handles have open, or the first to be.
    mutating func keepOpen(_ id: NodeNumber, _ file: FileIdentity) -> Bool {
        if nodes[id.index].handles > 0, let open = openFiles[id] { return open == file }
        openFiles[id] = file
        return true
    }

    /// The handles of what was a document go on with a plain file.
    mutating func reopen(_ id: NodeNumber, _ file: FileIdentity) {
        if nodes[id.index].handles > 0 { openFiles[id] = file }
    }

    /// Whether a name leads to something else by now than what its handles have open.
    func isReplaced(_ id: NodeNumber, by status: FileStatus) -> Bool {
        let node = nodes[id.index]
        guard node.handles > 0, !node.isNameless else { return false }
        guard node.role == .document else { return openFiles[id].map { $0 != status.identity } ?? false }
        return documents[id]?.content.isReplaced(by: status) ?? false
    }

    func isBelow(_ id: NodeNumber, _ folder: NodeNumber) -> Bool {
        guard id != folder else { return false }
        var current = id
        while current != NodeNumber.root, current != .none {
            if current == folder { return true }
            current = nodes[current.index].parent
        }
        return false
    }

    /// Two entries change places: each gets the other's folder and shown name, and its stored name where no other is given.
    mutating func exchange(_ first: EntryNumber, _ second: EntryNumber, storedAs names: (Name, Name)? = nil) {
        leave(first)
        leave(second)
        let (one, other) = (nodes[first.index], nodes[second.index])
        for (id, place, stored) in [(first, other, names?.0), (second, one, names?.1)] {
            nodes[id.index].parent = place.parent
            nodes[id.index].shown = place.shown
            nodes[id.index].stored = stored ?? place.stored
            enter(id)
        }
        for id in [first, second] { setListed(id) }
    }

    /// Whether a Mac keeps it of something, in a package: there it is a part like any other.
    private func isBesidePart(_ node: Node) -> Bool {
        node.role == .plain && node.flags.contains(.unlisted) && Hidden.isBesideFile(node.shown) && isInPackage(node.parent)
    }

    /// What is listed or not by its name. Of documents, only what a Mac keeps beside them is not.
    mutating func setListed(_ id: EntryNumber) {
        let role = nodes[id.index].role, shown = nodes[id.index].shown
        guard !role.isFixed else { return }
        if role == .document ? Hidden.isBesideFile(shown) : Hidden.hides(shown) { nodes[id.index].flags.insert(.unlisted) } else { nodes[id.index].flags.remove(.unlisted) }
        if isBesidePart(nodes[id.index]) { nodes[id.index].flags.remove(.unlisted) }
    }
}
