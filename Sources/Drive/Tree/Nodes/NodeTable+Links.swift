import LinuxFiles

/// Files with more names than one: one node for all of them.
///
/// The node carries one of the names itself, as every node does. Each other name that is known is an entry of the table too,
/// an *alias*: it leads to the node, and the kernel never hears of it. So a file with one name costs nothing for this.
struct LinkedFiles {
    /// A file is another node among the originals.
    struct Key: Hashable {
        let identity: FileIdentity
        let role: Role
    }

    private struct File {
        var key: Key
        var aliases: [EntryNumber] = []
    }

    private var nodes: [Key: NodeNumber] = [:]
    private var files: [NodeNumber: File] = [:]
    private var carriers: [EntryNumber: NodeNumber] = [:]

    var isEmpty: Bool { files.isEmpty }

    func node(for key: Key) -> NodeNumber? { nodes[key] }
    func node(of alias: EntryNumber) -> NodeNumber? { carriers[alias] }
    func aliases(of node: NodeNumber) -> [EntryNumber] { files[node]?.aliases ?? [] }

    mutating func add(_ node: NodeNumber, as key: Key) {
        if let old = files[node]?.key, nodes[old] == node { nodes[old] = nil }
        nodes[key] = node
        files[node, default: File(key: key)].key = key
    }

    mutating func add(_ alias: EntryNumber, to node: NodeNumber) {
        files[node]?.aliases.append(alias)
        carriers[alias] = node
    }

    mutating func remove(_ alias: EntryNumber) {
        guard let node = carriers.removeValue(forKey: alias) else { return }
        files[node]?.aliases.removeAll { $0 == alias }
    }

    /// The identity belongs to another file by now.
    mutating func release(_ key: Key) { nodes[key] = nil }

    mutating func forget(_ node: NodeNumber) {
        guard let file = files.removeValue(forKey: node) else { return }
        if nodes[file.key] == node { nodes[file.key] = nil }
        for alias in file.aliases { carriers[alias] = nil }
    }
}

extension NodeTable {
    /// The node that an entry leads to.
    func node(of entry: EntryNumber) -> NodeNumber {
        guard nodes[entry.index].flags.contains(.alias) else { return NodeNumber(carrying: entry) }
        return links.node(of: entry) ?? NodeNumber(carrying: entry)
    }

    /// Takes a name that is not the only one of its node: false where it is, and nothing is done.
    mutating func detachName(_ entry: EntryNumber) -> Bool {
        if self[entry].flags.contains(.alias) {
            leave(entry)
            links.remove(entry)
            vacate(NodeNumber(carrying: entry))
            return true
        }
        guard self[entry].flags.contains(.linked), let alias = links.aliases(of: NodeNumber(carrying: entry)).last else { return false }
        exchangeNames(NodeNumber(carrying: entry), alias)
        return detachName(alias)
    }

    /// The node carries the name of one of its aliases itself, and the alias the node's. Whoever reaches the file by
    /// the one or the other reaches the same.
    private mutating func exchangeNames(_ id: NodeNumber, _ alias: EntryNumber) {
        let own = EntryNumber(of: id)
        exchange(own, alias)
        let fault = faults[own]
        note(faults[alias], of: own)
        note(fault, of: alias)
    }

    /// The name by which a file was found is the one to reach it by: another one may be gone by now.
    mutating func prefer(_ name: Name, in folder: NodeNumber) {
        guard let entry = entry(shown: name, of: folder), self[entry].flags.contains(.alias) else { return }
        exchangeNames(node(of: entry), entry)
    }

    /// A file has this one name, whatever it had before.
    mutating func becomeSingle(_ id: NodeNumber, stored: Name, in folder: NodeNumber) {
        guard self[id].flags.contains(.linked) else { return }
        if let entry = entry(stored: stored, of: folder) { prefer(self[entry].shown, in: folder) }
        for alias in links.aliases(of: id) { _ = detachName(alias) }
        links.forget(id)
        self[id].flags.remove(.linked)
    }

    /// A file is known to have several names.
    mutating func note(_ id: NodeNumber, hasSeveralNames status: FileStatus) {
        let key = LinkedFiles.Key(identity: status.identity, role: self[id].role)
        guard links.node(for: key) == nil else { return }
        links.add(id, as: key)
        self[id].flags.insert(.linked)
    }

    /// A file that was made this moment is no other that had its number before.
    mutating func noteNew(_ status: FileStatus, _ role: Role) {
        if !links.isEmpty { links.release(LinkedFiles.Key(identity: status.identity, role: role)) }
    }

    /// Adds an entry for a plain file: of a node of its own, or of the one that the file has under another name.
    mutating func addFile(_ node: Node, _ status: FileStatus) -> EntryNumber {
        guard !node.role.isFolder, status.links > 1 || !links.isEmpty else { return EntryNumber(of: add(node)) }
        guard let known = links.node(for: LinkedFiles.Key(identity: status.identity, role: node.role)) else {
            let id = add(node)
            if status.links > 1 { note(id, hasSeveralNames: status) }
            return EntryNumber(of: id)
        }
        if self[known].isNameless {
            let entry = EntryNumber(of: known)
            move(entry, to: node.parent, stored: node.stored, shown: node.shown)
            setListed(entry)
            return entry
        }
        var node = node
        node.flags.insert(.alias)
        let alias = EntryNumber(of: add(node))
        links.add(alias, to: known)
        return alias
    }

    /// Whether an entry still leads to the node of the file that its name was found to have.
    mutating func leads(_ entry: EntryNumber, to status: FileStatus) -> Bool {
        let id = node(of: entry)
        guard status.links > 1 || self[id].flags.contains(.linked) else { return true }
        if let holder = links.node(for: LinkedFiles.Key(identity: status.identity, role: self[id].role)) { return holder == id }
        // A name's file was replaced. Only a node that has no other name goes on with the new one.
        guard entry == EntryNumber(of: id), links.aliases(of: id).isEmpty else { return false }
        note(id, hasSeveralNames: status)
        return true
    }
}
