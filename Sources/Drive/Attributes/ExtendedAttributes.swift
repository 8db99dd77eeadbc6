import Containers
import LinuxFiles

/// Extended attributes that are read: `user.valise.*` tell about the document, the others are the container's own.
final class ExtendedAttributes: Sendable {
    private let tree: Tree
    private let rights: CallerRights
    private let cachedAccess: CachedAccessChecks
    private let items: NodeItems
    private let access: AccessChecks
    private let versions: VersionFolders
    private let decisions: VersionDecisions
    private let plainVersions: PlainFileVersions
    private let options: DriveOptions

    init(
        tree: Tree, rights: CallerRights, cachedAccess: CachedAccessChecks, items: NodeItems, access: AccessChecks,
        versions: VersionFolders, decisions: VersionDecisions, plainVersions: PlainFileVersions,
        options: DriveOptions
    ) {
        (self.tree, self.rights, self.cachedAccess, self.items, self.access) = (tree, rights, cachedAccess, items, access)
        (self.versions, self.decisions, self.plainVersions, self.options) = (versions, decisions, plainVersions, options)
    }

    private static let ours = Array("user.valise.".utf8)

    static func isOurs(_ name: [UInt8]) -> Bool { name.starts(with: ours) }

    /// What one of ours tells; nil for all others.
    static func label(of name: [UInt8]) -> String? { isOurs(name) ? String(decoding: name.dropFirst(ours.count), as: UTF8.self) : nil }

    /// Throws unless a name is of a namespace that exists here. "Not supported" is what `ls` remembers of a file system; any other
    /// answer, and it asks again for every file.
    func require(_ name: [UInt8]) throws(Errno) { guard serves(name) else { throw .notSupported } }

    private func serves(_ name: [UInt8]) -> Bool {
        if name.starts(with: "system.".utf8) { return options.accessLists && name.starts(with: "system.posix_acl_".utf8) }
        return !name.starts(with: "security.".utf8)
    }

    func value(of name: [UInt8], of id: NodeNumber, caller: Caller) throws(Errno) -> [UInt8] {
        guard !isForeign(name, to: id) else { throw .noData }
        guard name.starts(with: Self.ours) else { return try storedAttribute(name, of: id, caller) }
        try checkReading(id, by: caller)
        let label = Self.label(of: name)
        if label == "conflict", let conflicts = try decisions.conflicts(of: id) { return conflicts }
        if label == "history" {
            guard let sentence = plainVersions.sentence(of: id) else { throw .noData }
            return Array(sentence.utf8)
        }
        guard let value = try facts(of: id).first(where: { $0.label == label }) else { throw .noData }
        return value.bytes
    }

    private func storedAttribute(_ name: [UInt8], of id: NodeNumber, _ caller: Caller) throws(Errno) -> [UInt8] {
        let (file, status) = try access.checkedBacking(of: id, attributesOnly: true)
        // An access list may be read by whoever may look at the file.
        guard rights.areChecked, !name.starts(with: Array("system.".utf8)) else { return try file.descriptor.extendedAttribute(name) }
        return try rights.acting(for: caller, on: status, needing: .read) { () throws(Errno) in try file.descriptor.extendedAttribute(name) }
    }

    /// What there is to say of a document is in it.
    private func checkReading(_ id: NodeNumber, by caller: Caller) throws(Errno) {
        guard rights.areChecked, tree[id].role == .document else { return }
        let draft = tree.document(id)?.draft
        let status = if let draft { try draft.status() } else { try items.currentItem(of: id).status }
        try cachedAccess.checkDocument(id, status)
        try rights.requireShown(.read, of: caller, status)
    }

    /// Ours are found by name and not listed: a program that copies all attributes would carry them
    /// to places where they say nothing. Those of the system's administrator are not even named to others.
    func names(of id: NodeNumber, caller: Caller) throws(Errno) -> [[UInt8]] {
        try access.checkedBacking(of: id, attributesOnly: true).file.descriptor.extendedAttributeNames().filter { name in
            serves(name) && !Self.isOurs(name) && !isForeign(name, to: id) && (caller.user == 0 || !name.starts(with: "trusted.".utf8))
        }
    }

    /// Documents have permissions, and no access control lists: their parts are made anew with every save.
    func isForeign(_ name: [UInt8], to id: NodeNumber) -> Bool {
        name.starts(with: Array("system.".utf8)) && tree[id].role == .document
    }

    /// The kind of a folder that is one item; “folder” of all others.
    private func package(_ id: NodeNumber, _ node: Node) -> String {
        guard tree.isFolderItem(node), let folder = try? access.checkedBacking(of: id, attributesOnly: true).file
        else { return "folder" }
        return tree.kinds.folderPackage(called: node.stored, folder.descriptor)?.name ?? "folder"
    }

    /// What there is to say of a node, in the order in which `valise info` prints it.
    private func facts(of id: NodeNumber) throws(Errno) -> [(label: String, bytes: [UInt8])] {
        let (node, document) = tree.nodeAndDocument(id), fault = tree.withLock { $0.faults[EntryNumber(of: id)] }
        // One that was removed before it was saved has no more than one that is not saved yet.
        let wasNeverStored = node.isUnborn || node.isNameless && document?.isNew == true
        var facts: [(label: String, bytes: [UInt8])] = []
        switch node.role {
        case .control, .status, .versionFolder, .deletedFolder, .deleted, .controlNamespace: return []
        case .version: return versions.facts(of: id)
        case .folder, .originalFolder, .packageFolder: facts.append(("kind", Array(package(id, node).utf8)))
        case .plain, .original, .packagePart: facts.append(("kind", Array("plain".utf8)))
        case .document where wasNeverStored:
            facts.append(("kind", Array(tree.kind(of: node).name.utf8)))
            facts.append(("name", ShownName.split(node.shown).stem))
        case .document:
            let item = try items.whenWhole { () throws(Errno) in try items.currentItem(of: id) }
            guard let document = item.document else { throw .stale }
            facts.append(("kind", Array(document.kind.name.utf8)))
            facts.append(("name", document.reading.name))
            for fact in document.reading.facts { facts.append((fact.label.lowercased(), Array(fact.value.utf8))) }
        }
        if id != NodeNumber.root, id != NodeNumber.originals, !wasNeverStored { facts.append(("stored-name", node.stored.bytes)) }
        facts.append(("state", Array((document?.draft != nil ? "draft" : fault == nil ? "saved" : "not understood").utf8)))
        if let fault { facts.append(("error", Array(fault.utf8))) }
        return facts
    }
}

/// An access list, as the kernel hands it on: a version, and entries of eight bytes each, `u16` for whom, `u16` what, `u32` the user or group.
enum AccessList {
    static let name = Array("system.posix_acl_access".utf8)

    /// The permissions that a list of three entries is: for the owner, the group and all others. nil for one that says more.
    static func permissions(of bytes: [UInt8]) -> UInt32? {
        let owner: UInt8 = 1, group: UInt8 = 4, others: UInt8 = 32
        guard bytes.count == 28, bytes[..<4] == [2, 0, 0, 0] else { return nil }
        var permissions: UInt32 = 0
        for (start, whom) in zip([4, 12, 20], [owner, group, others]) {
            guard bytes[start] == whom, bytes[start + 1] == 0, bytes[start + 2] < 8, bytes[start + 3] == 0 else { return nil }
            permissions = permissions << 3 | UInt32(bytes[start + 2])
        }
        return permissions
    }
}
