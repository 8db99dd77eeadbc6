import Containers
import Coordination
import Documents
import LinuxFiles

/// Folders that become packages of apps by their new names, or cease to be any.
final class PackageFolders: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let container: Container
    private let folders: FolderContents
    private let changes: FolderChanges
    private let saved: SavedDocuments
    private let saving: DraftSaving
    private let plainDrafts: DraftsAsPlainFiles
    private let kinds: KindChanges

    init(
        tree: Tree, workshop: Workshop?, container: Container, folders: FolderContents, changes: FolderChanges,
        saved: SavedDocuments, saving: DraftSaving, plainDrafts: DraftsAsPlainFiles, kinds: KindChanges
    ) {
        (self.tree, self.workshop, self.container) = (tree, workshop, container)
        (self.folders, self.changes, self.saved) = (folders, changes, saved)
        (self.saving, self.plainDrafts, self.kinds) = (saving, plainDrafts, kinds)
    }

    /// Whether nothing in a folder is a document any more, under another name or in another folder.
    private func becomesPackage(_ id: NodeNumber, _ name: Name, in folder: NodeNumber) -> Bool {
        !tree.isPackage(id) && (container.kinds.isPackage(name) || tree.isPackage(folder))
    }

    /// A program may fill a package under a passing name, and is to find in it what it wrote: documents that were made
    /// on this drive become the plain files that they look like, before the folder has its new name, and packages that grow the folders. Those that were
    /// found stay as they lie, and are documents again when the folder is no package any more. In no lane.
    func prepare(_ id: NodeNumber, for name: Name, in folder: NodeNumber) throws(Errno) {
        guard becomesPackage(id, name, in: folder) else { return }
        var waiting = [id]
        while let current = waiting.popLast() {
            try folders.readNames(of: current)
            for (child, node) in tree.nodes(in: current) {
                if node.role == .folder {
                    if let package = GrowingName.package(in: node.stored) { try becomeFolder(child, as: package, in: current) }
                    waiting.append(child)
                }
                if node.role == .document {
                    try changes.changingFolder(of: child) { (place) throws(Errno) in try becomeFile(child, place) }
                }
            }
        }
    }

    /// A package that grows has its name in the container, too.
    private func becomeFolder(_ id: NodeNumber, as package: Name, in folder: NodeNumber) throws(Errno) {
        try changes.changing(folder) { (place) throws(Errno) in
            let node = tree[id]
            guard tree.growing(id) != nil, node.parent == folder, GrowingName.package(in: node.stored) == package else { return }
            let address = tree.address(node.shown, in: folder, place)
            try workshop.required().commit(.move(node.stored, from: address, to: address, as: package), unfit: .invalid)
            tree.withLock { $0.move(EntryNumber(of: id), to: folder, stored: package, shown: node.shown) }
        }
    }

    /// In the lanes of its folder and its own. A document with versions is kept among the deleted.
    private func becomeFile(_ id: NodeNumber, _ place: OpenFile) throws(Errno) {
        let document = tree.document(id)
        if let document { _ = try? saving.saveInLane(document, id, durably: false) }
        let node = tree[id]
        guard node.role == .document, !node.isNameless, node.flags.contains(.isNew) else { return }
        let workshop = try workshop.required(), address = tree.address(node.shown, in: node.parent, place)
        // Whatever is written into it, the app's file stays one.
        defer { tree.setNew(false, id) }
        if node.isUnborn {
            if let document, let draft = document.draft { try plainDrafts.becomePlain(document, draft, id, place) }
            return
        }
        let plain = tree.freeStoredName(node.shown, in: node.parent)
        let hasVersions = try !container.keptVersions(of: tree.documentPlace(of: node, place)).isEmpty
        let outcome: Outcome
        if let draft = document?.draft {
            let outdated = OutdatedDocument(stored: node.stored, at: address, replacing: nil, removing: nil)
            outcome = try workshop.commit(
                .release(draft, asPlain: plain, at: address, over: outdated), unfit: .invalid)
            saved.note(nil, of: id)
        } else {
            let opened: ItemReader.Opened
            do throws(DocumentFault) {
                opened = try container.reader.open(node.stored, as: tree.kind(of: node), in: place.descriptor)
            } catch { throw tree.refuse(error, node.parent) }
            outcome = try workshop.commit(
                .turnPlain(opened, node.stored, from: address, to: address, as: plain, replacing: nil), unfit: .invalid)
        }
        if let away = outcome.away { _ = try? workshop.commit(hasVersions ? .moveToDeleted(away) : .drop(away)) }
        tree.withLock { $0.becomeStored(id, as: plain) }
        try kinds.becameFile(id, document, in: place)
    }

    /// What is in a folder is something else since it became a package or ceased to be one. In no lane.
    func lookAgain(at id: NodeNumber, wasPackage: Bool) {
        guard tree.withLock({ $0.contains(id) }), tree[id].role == .folder, tree.isPackage(id) != wasPackage else { return }
        var waiting = [id]
        while let current = waiting.popLast() {
            guard tree.withLock({ $0.hold(current) }) else { continue }
            defer { tree.withLock { $0.removeHandle(current) } }
            guard tree.isKnown(current) else { continue }
            _ = try? folders.readListing(of: current)
            waiting += tree.nodes(in: current).filter { $0.node.role == .folder }.map(\.id)
        }
    }
}
