import LinuxFiles

/// Extended attributes that are set and removed: those of the container. What Valise says of a document is not for others to say.
final class ExtendedAttributeSetting: Sendable {
    private let tree: Tree
    private let rights: CallerRights
    private let access: AccessChecks
    private let kernel: KernelMemory
    private let extended: ExtendedAttributes
    private let setting: AttributeSetting

    init(
        tree: Tree, rights: CallerRights, access: AccessChecks, kernel: KernelMemory, extended: ExtendedAttributes,
        setting: AttributeSetting
    ) {
        (self.tree, self.rights, self.access, self.kernel) = (tree, rights, access, kernel)
        (self.extended, self.setting) = (extended, setting)
    }

    func set(_ name: [UInt8], of id: NodeNumber, to value: [UInt8], flags: Int32, caller: Caller) throws(Errno) {
        // Whoever copies access lists sets one of each file: of a document's permissions, where it has no more to say.
        if name == AccessList.name, extended.isForeign(name, to: id), let permissions = AccessList.permissions(of: value) {
            var change = AttributeChange()
            change.permissions = permissions
            try setting.set(change, of: id, handle: nil, caller: caller)
            return kernel.tell([.attributes(id)])
        }
        let (holder, status) = try attributeHolder(name, id, caller)
        tree.document(id)?.draft?.noteAttributes()
        // An access list from somebody who is not in the file's group takes its set-group-id bit away.
        try setting.whereItIs(id) { () throws(Errno) in
            try rights.acting(for: caller, on: status, needing: .write, clearsSetIDs: true) { () throws(Errno) in
                try holder.descriptor.setExtendedAttribute(name, to: value, flags: flags)
            }
        }
        tellOfChange(of: id, holder)
    }

    func remove(_ name: [UInt8], of id: NodeNumber, caller: Caller) throws(Errno) {
        let (holder, status) = try attributeHolder(name, id, caller)
        try setting.whereItIs(id) { () throws(Errno) in
            try rights.acting(for: caller, on: status, needing: .write) { () throws(Errno) in try holder.descriptor.removeExtendedAttribute(name) }
        }
        tellOfChange(of: id, holder)
    }

    /// The kernel is told now, and not when it asks: what comes back to it meanwhile it does not take for new, and would decide who may do what by
    /// what it had before a list changed it.
    private func tellOfChange(of id: NodeNumber, _ holder: OpenFile) {
        let status = try? holder.descriptor.status()
        // What else the kernel has to be told, where that is not all that changed.
        let other = status.flatMap { status in
            tree.withLock { tree in
                let isPackage = tree[id].role == .document && tree.kinds[tree[id].kind].isPackage
                return isPackage || tree.documents[id]?.draft != nil ? nil : tree.see(id, status, keepsContent: true)
            }
        }
        kernel.tell([.attributes(id)])
        if case .content? = other { kernel.tell([.content(id)]) }
    }

    private func attributeHolder(_ name: [UInt8], _ id: NodeNumber, _ caller: Caller) throws(Errno) -> (file: OpenFile, status: FileStatus?) {
        guard !tree[id].role.isFixed else { throw .readOnly }
        // What we say of a document is not for others to say.
        guard !ExtendedAttributes.isOurs(name) else { throw .notPermitted }
        guard !extended.isForeign(name, to: id) else { throw .notSupported }
        // Who has it open does not look again after a list of theirs changed what it permits.
        let (file, status) = try access.checkedBacking(of: id, attributesOnly: true)
        if let status, name.starts(with: "system.".utf8) { try rights.requireOwnership(of: caller, status) }
        return (file, status)
    }
}
