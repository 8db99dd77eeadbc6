import Containers
import LinuxFiles

// Extended attributes: `user.valise.*` tell about the document, the others are the container's own.
extension Drive {
    private static let ours = Array("user.valise.".utf8)

    static func isOurs(_ name: [UInt8]) -> Bool { name.starts(with: ours) }

    public func extendedAttribute(_ name: [UInt8], of node: NodeID, caller: Caller) throws(Errno) -> [UInt8] {
        guard ThumbnailNode(node) == nil else { throw .noData }
        let id = try known(node)
        guard !isForeign(name, to: id) else { throw .noData }
        guard name.starts(with: Self.ours) else { return try storedAttribute(name, of: id, caller) }
        try checkReading(id, by: caller)
        let label = String(decoding: name.dropFirst(Self.ours.count), as: UTF8.self)
        if label == "conflict", let conflicts = try conflicts(of: id) { return conflicts }
        guard let value = try facts(of: id).first(where: { $0.label == label }) else { throw .noData }
        return value.bytes
    }

    private func storedAttribute(_ name: [UInt8], of id: UInt32, _ caller: Caller) throws(Errno) -> [UInt8] {
        let (file, status) = try checkedBacking(of: id)
        // An access list may be read by whoever may look at the file.
        guard rights.areChecked, !name.starts(with: Array("system.".utf8)) else { return try file.descriptor.extendedAttribute(name) }
        return try rights.acting(for: caller, on: status, needing: .read) { () throws(Errno) in try file.descriptor.extendedAttribute(name) }
    }

    /// What there is to say of a document is in it.
    private func checkReading(_ id: UInt32, by caller: Caller) throws(Errno) {
        guard rights.areChecked, tree.withLock({ $0[id].role == .document }) else { return }
        let draft = tree.withLock { $0.documents[id]?.draft }
        let status = if let draft { try draft.status() } else { try currentItem(of: id).status }
        try checkDocument(id, status)
        try rights.requireShown(.read, of: caller, status)
    }

    /// Ours are found by name and not listed: a program that copies all attributes would carry them
    /// to places where they say nothing.
    public func extendedAttributeNames(of node: NodeID) throws(Errno) -> [[UInt8]] {
        guard ThumbnailNode(node) == nil else { return [] }
        let id = try known(node)
        if [.control, .status, .versionFolder, .version].contains(tree.withLock({ $0[id].role })) { return [] }
        return try checkedBacking(of: id).file.descriptor.extendedAttributeNames().filter { !isForeign($0, to: id) }
    }

    /// Documents have permissions, and no access control lists: their parts are made anew with every save.
    func isForeign(_ name: [UInt8], to id: UInt32) -> Bool {
        name.starts(with: Array("system.".utf8)) && tree.withLock { $0[id].role == .document }
    }

    /// The item whose own attributes a node has: of a package, the folder.
    func backing(of id: UInt32) throws(Errno) -> OpenFile {
        if id == Tree.root || id == Tree.originals { return try place(of: id) }
        if [.control, .status, .versionFolder, .version].contains(tree.withLock({ $0[id].role })) { throw .notSupported }
        if let document = tree.withLock({ $0[id].flags.isDisjoint(with: [.unborn, .orphan]) ? nil : $0.documents[id] }), let draft = document.draft {
            return draft.file
        }
        return try moves.following { () throws(Errno) in
            let (parent, stored, orphan) = tree.withLock { ($0[id].parent, $0[id].stored, $0[id].flags.contains(.orphan)) }
            guard !orphan else {
                guard let file = tree.withLock({ $0.remains(of: id) }) ?? handles.withLock({ $0.content(of: id) })?.file else { throw .stale }
                return file
            }
            return OpenFile(try place(of: parent).descriptor.open(stored, .path))
        }
    }

    /// What there is to say of a node, in the order in which `valise info` prints it.
    private func facts(of id: UInt32) throws(Errno) -> [(label: String, bytes: [UInt8])] {
        let (node, fault, draft) = tree.withLock { ($0[id], $0.faults[id], $0.documents[id]?.draft) }
        var facts: [(label: String, bytes: [UInt8])] = []
        switch node.role {
        case .control, .status, .versionFolder: return []
        case .version: return versionFacts(of: id)
        case .folder, .originalFolder: facts.append(("kind", Array("folder".utf8)))
        case .plain, .original: facts.append(("kind", Array("plain".utf8)))
        case .document where node.flags.contains(.unborn):
            facts.append(("kind", Array(node.kindID.kind.name.utf8)))
            facts.append(("name", ShownName.split(node.shown).stem))
        case .document:
            let item = try whenWhole { () throws(Errno) in try currentItem(of: id) }
            guard let document = item.document else { throw .stale }
            facts.append(("kind", Array(document.kind.kind.name.utf8)))
            facts.append(("name", document.reading.name))
            for fact in document.reading.facts { facts.append((fact.label.lowercased(), Array(fact.value.utf8))) }
        }
        if id != Tree.root, id != Tree.originals, !node.flags.contains(.unborn) { facts.append(("stored-name", node.stored.bytes)) }
        facts.append(("state", Array((draft != nil ? "draft" : fault == nil ? "saved" : "not understood").utf8)))
        if let fault { facts.append(("error", Array(fault.utf8))) }
        return facts
    }
}
