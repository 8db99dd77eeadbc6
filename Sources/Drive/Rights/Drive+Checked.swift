import Containers
import LinuxFiles

// Each thing that a program asks for is done to what the kernel was told of, and to nothing that has its name since.
//
// 1. Ann, whose folder it is, looks at a file of hers on the drive. The kernel remembers whose it is and what it permits.
// 2. She exchanges its name below with that of a file of Bob's, and calls before the drive has noticed.
// 3. The kernel lets her, because it remembers her file. So the drive opens the name, looks at what it got, and works on that
//    only if it is what the kernel was told; or else the kernel is to look again.
extension Drive {
    /// Throws `.stale`, and has the kernel look again, unless a file or folder is the one that it was told of, and as it was told.
    func check(_ id: UInt32, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, tree.withLock({ $0[id].told }) != ToldAccess(status) else { return }
        tell([.attributes(id)])
        throw .stale
    }

    /// A document is another file after each save, and has the permissions that it had.
    func checkDocument(_ id: UInt32, _ status: FileStatus) throws(Errno) {
        guard rights.areChecked, !tree.withLock({ $0[id].told }).permits(as: ToldAccess(status)) else { return }
        tell([.attributes(id)])
        throw .stale
    }

    /// A folder in which the caller looks something up, or which they list.
    func folder(_ id: UInt32, for caller: Caller, _ wanted: FileRights) throws(Errno) -> OpenFile {
        let place = try place(of: id)
        guard rights.areChecked else { return place }
        let status = try place.descriptor.status()
        try check(id, status)
        try rights.requireEntry(wanted, of: caller, to: place, status)
        return place
    }

    /// A folder in which the caller changes names.
    func checkChangeable(_ id: UInt32, _ place: OpenFile, by caller: Caller) throws(Errno) {
        guard rights.areChecked else { return }
        let status = try place.descriptor.status()
        try check(id, status)
        try rights.require([.write, .enter], of: caller, on: place, status)
    }

    /// A name that is about to be taken away, in a folder that the caller may change: it stands for what was meant, and they may.
    /// Nothing is asked of a drive that has one user.
    func checkRemoval(of id: UInt32, _ item: OpenFile?, _ place: OpenFile, by caller: Caller) throws(Errno) {
        guard rights.areChecked, let item else { return }
        let status = try item.descriptor.status(), folder = try place.descriptor.status()
        if tree.withLock({ $0[id].role != .document }) { try check(id, status) }
        try rights.requireRemoval(of: caller, status, in: folder)
    }

    /// What a document's handles have, before somebody reads it or writes to it.
    func checkUse(of document: OpenDocument, _ id: UInt32, _ wanted: FileRights, by caller: Caller) throws(Errno) {
        guard rights.areChecked, let status = try document.content.currentStatus() else { return }
        try checkDocument(id, status)
        guard let file = document.content.file else {
            // Its bytes are in memory by now, and were read from a file that had these permissions.
            return try rights.requireShown(wanted, of: caller, status)
        }
        try rights.require(wanted, of: caller, on: file, status)
    }

    /// The same of what was just read of the container. A package lets those in who may enter its folder.
    func checkUse(of opened: ItemReader.Opened, _ id: UInt32, _ wanted: FileRights, by caller: Caller) throws(Errno) {
        guard rights.areChecked, let part = opened.parts.lazy.compactMap(\.self).first else { return }
        try checkDocument(id, opened.item.status)
        try rights.require(wanted, of: caller, on: part, opened.content)
        let node = tree.withLock { $0[id] }
        guard node.kindID.kind.partNames != nil else { return }
        let package = OpenFile(try place(of: node.parent).descriptor.open(node.stored, [.path, .folder]))
        try rights.requireEntry(.enter, of: caller, to: package, package.descriptor.status())
    }

    /// The file or folder that a node stands for, as the kernel was told of it.
    func checkedBacking(of id: UInt32) throws(Errno) -> (file: OpenFile, status: FileStatus?) {
        let file = try backing(of: id)
        guard rights.areChecked else { return (file, nil) }
        let status = try file.descriptor.status()
        let (node, draft) = tree.withLock { ($0[id], $0.documents[id]?.draft) }
        if node.flags.contains(.orphan) {
            // It is what somebody has open, and nothing has its name.
        } else if node.role == .document {
            if let draft { try checkDocument(id, draft.status()) } else { try checkDocument(id, currentItem(of: id).status) }
        } else {
            try check(id, status)
        }
        return (file, status)
    }
}

extension Tree {
    /// The kernel is told of a node now.
    mutating func tell(_ attributes: Attributes) {
        guard attributes.access != .nothing, let id = node(attributes.node) else { return }
        self[id].told = attributes.access
    }
}
