import LinuxFiles

/// Names to nodes.
final class NameLookup: Sendable {
    private let tree: Tree
    private let rights: CallerRights
    private let watching: OutsideNotices
    private let folders: FolderContents
    private let equivalentNames: EquivalentNames
    private let access: AccessChecks
    private let attributes: NodeAttributes

    init(
        tree: Tree, rights: CallerRights, watching: OutsideNotices, folders: FolderContents, equivalentNames: EquivalentNames, access: AccessChecks,
        attributes: NodeAttributes
    ) {
        (self.tree, self.rights, self.watching, self.folders, self.access) = (tree, rights, watching, folders, access)
        self.attributes = attributes
        self.equivalentNames = equivalentNames
    }

    /// A name that is given to another item each time somebody looks is there all the same.
    private static let patience = 20

    /// `parent` is a folder of documents, or one of the originals. `.sh_thumbnails` is asked for elsewhere.
    func lookUp(_ name: Name, in parent: NodeNumber, caller: Caller) throws(Errno) -> Entry {
        if rights.areChecked { _ = try access.folder(parent, for: caller, .enter) }
        // What is found may be gone from the container before it is read: then the folder is read again.
        for _ in 0..<Self.patience {
            try folders.readName(name, of: parent)
            let spelling = equivalentNames.spelling(of: name, in: parent)
            guard let id = tree.child(spelling, of: parent) else { throw .noSuchEntry }
            if var entry = try attributes.entry(of: id) {
                // What this name leads to changes when a package is whole, and when the document goes that has it in the container.
                entry.isItsName = spelling == name && tree.withLock { !$0.isPackageFolder(id) && !$0.isGrowing(id) }
                return entry
            }
            tree.withLock { $0.prefer(spelling, in: parent) }
            tree.forgetReading(of: parent)
        }
        throw .noSuchEntry
    }

    func forget(_ node: NodeID, count: UInt64) {
        tree.forget(node, count: count)
        watching.dropUnneededWatches()
    }

    func readLink(_ node: NodeID) throws(Errno) -> [UInt8] {
        let id = try tree.known(node)
        return try access.checkedBacking(of: id).file.descriptor.readSymbolicLink()
    }
}
