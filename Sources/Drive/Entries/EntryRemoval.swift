import Containers
import Coordination
import LinuxFiles

/// Entries that go.
final class EntryRemoval: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let rights: CallerRights
    private let equivalentNames: EquivalentNames
    private let removed: AwayDocuments
    private let nameless: NamelessFiles
    private let changes: FolderChanges
    private let access: AccessChecks
    private let claims: ExternalClaims
    private let saving: DraftSaving
    private let waiting: WaitingDrafts
    private let kept: PlainFilesKept
    private let folderItems: FolderItemRemovals
    private let newKinds: NewKinds
    private let thinning: VersionThinning
    private let options: DriveOptions
    private let beside: BesideFiles

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, rights: CallerRights,
        equivalentNames: EquivalentNames, removed: AwayDocuments, nameless: NamelessFiles, changes: FolderChanges, access: AccessChecks,
        claims: ExternalClaims, saving: DraftSaving, waiting: WaitingDrafts, kept: PlainFilesKept, folderItems: FolderItemRemovals,
        newKinds: NewKinds, thinning: VersionThinning, options: DriveOptions, beside: BesideFiles
    ) {
        self.beside = beside
        (self.claims, self.kept, self.folderItems) = (claims, kept, folderItems)
        (self.newKinds, self.thinning, self.options) = (newKinds, thinning, options)
        (self.tree, self.coordinator, self.workshop, self.rights, self.equivalentNames) = (tree, coordinator, workshop, rights, equivalentNames)
        (self.removed, self.nameless, self.changes, self.access, self.saving, self.waiting) = (removed, nameless, changes, access, saving, waiting)
    }

    func unlink(_ name: Name, in parent: NodeNumber, caller: Caller) throws(Errno) {
        func ask(for purpose: ClaimPurpose) -> PresentedItemUse? {
            claims.askPresenters(of: equivalentNames.node(name, in: parent), for: purpose, by: caller.thread)
        }
        // What is kept is what there was, with what an app has not saved yet.
        if options.keepsDeleted { ask(for: .reading)?.end() }
        let use = ask(for: .deleting)
        defer { use?.end() }
        try changes.changing(parent, for: caller) { (place) throws(Errno) in
            let asked = name, name = equivalentNames.spelling(of: asked, in: parent)
            defer { equivalentNames.leavesName(name, in: parent, askedAs: asked) }
            guard let id = tree.withLock({ $0.child(shown: name, of: parent) }) else { throw .noSuchEntry }
            let node = tree.node(id, called: name, in: parent)
            var remains: OpenFile?
            switch node.role {
            case .folder: throw .isDirectory
            case .plain:
                remains = place.item(node.stored)
                try access.checkRemoval(of: id, remains, place, by: caller)
                let address = tree.address(name, in: parent, place)
                folderItems.begins(in: address, by: caller)
                if !rights.areChecked, try kept.takeAway(id, node.stored, from: address, in: parent, by: caller) { break }
                try kept.keeping(id, node.stored, in: address, parent, by: caller) { (held) throws(Errno) in
                    try folderItems.removing(node.stored, in: address, isKept: held != nil, by: caller) { () throws(Errno) in
                        try rights.removing(for: caller, place) { () throws(Errno) in try place.descriptor.unlink(node.stored) }
                    }
                }
            case .document:
                try access.checkRemoval(of: id, place.item(node.stored), place, by: caller)
                try coordinator.write(LaneID(id)) { () throws(Errno) in try removeDocument(id, name, parent, place) }
            default: throw .readOnly
            }
            newKinds.leaves(node, name, in: parent)
            tree.withLock { $0.remove(name, of: parent, keeping: remains) }
            beside.left(name, node.stored, in: parent, place)
            claims.tellPresentersOfRemoval(of: node.stored, in: parent)
        }
        waiting.tryAgain(by: saving)
        thinning.order()
    }

    /// A document's name goes: the document is remembered for a while, with what was written of it till now.
    func removeDocument(_ id: NodeNumber, _ name: Name, _ parent: NodeNumber, _ place: OpenFile) throws(Errno) {
        coordinator.checkWriting(LaneID(id))
        let workshop = try workshop.required()
        let document = tree.document(id)
        if let document { saving.saveBeforeItGoes(document, id) }
        let node = tree.node(id, called: name, in: parent)
        // What could not become the document is nowhere else.
        if let draft = document?.draft {
            try workshop.commit(.keepDraft(draft, from: tree.address(name, in: parent, place)), unfit: .invalid)
        }
        if !node.isUnborn {
            let address = tree.address(name, in: parent, place)
            do throws(Errno) {
                let outcome = try removed.makingRoom { () throws(Errno) in
                    try workshop.commit(.putAway(node.stored, tree.kind(of: node), from: address, ending: document?.draft), unfit: .invalid)
                }
                if let away = outcome.away { removed.remember(away, as: name, in: parent) }
            } catch {
                // A full store may have no room to remember anything, and still lets things go.
                guard error == .noSpace || error == .quota else { throw error }
                try workshop.commit(.remove(node.stored, from: address), unfit: .invalid)
            }
        } else if case .away(let item) = document?.base {
            removed.remember(item, as: name, in: parent)
        }
        if let document { nameless.abandon(document) }
    }

    func removeFolder(_ name: Name, in parent: NodeNumber, caller: Caller) throws(Errno) {
        try changes.changing(parent, for: caller) { (place) throws(Errno) in
            let asked = name, name = equivalentNames.spelling(of: asked, in: parent)
            defer { equivalentNames.leavesName(name, in: parent, askedAs: asked) }
            guard let id = tree.withLock({ $0.child(shown: name, of: parent) }) else { throw name.absence }
            let node = tree[id], stored = node.stored
            guard node.role.isFolder else { throw .notDirectory }
            // The document's package has its parts in it.
            guard node.role != .packageFolder else { throw .notEmpty }
            guard !tree.hasUnborn(in: id) else { throw .notEmpty }
            let remains = place.item(stored)
            try access.checkRemoval(of: id, remains, place, by: caller)
            let address = tree.address(name, in: parent, place)
            try folderItems.removingFolder(stored, in: address, parent, by: caller) { () throws(Errno) in
                try rights.removing(for: caller, place) { () throws(Errno) in
                    do throws(Errno) { try place.descriptor.removeFolder(stored) } catch {
                        guard error == .notEmpty, try removeLitter(in: stored, address, isInPackage: tree.isPackage(id), by: caller) else { throw error }
                        try place.descriptor.removeFolder(stored)
                    }
                }
            }
            removed.forget(of: id)
            if let path = tree.withLock({ $0.storedPath(of: parent) })?.names { _ = try? workshop?.commit(.forgetNames(of: stored, in: path)) }
            tree.withLock { $0.remove(name, of: parent, keeping: remains) }
            claims.tellPresentersOfRemoval(of: stored, in: parent)
        }
    }

    /// A folder in which only hidden files are left looks empty, and is removed with them, as a Mac does. In a package, what lies beside a part is one, too.
    /// False, and nothing is removed, where there is anything else in it.
    private func removeLitter(in stored: Name, _ place: Address, isInPackage: Bool, by caller: Caller) throws(Errno) -> Bool {
        let inner = OpenFile(try place.folder.descriptor.open(stored, [.path, .folder]))
        var litter: [Name] = [], entries: FolderReader
        do throws(Errno) { entries = try FolderReader(untraced: inner.descriptor) } catch {
            // Who may not look into it is told what any file system tells them.
            guard error == .accessDenied else { throw error }
            return false
        }
        while let entry = try entries.next() {
            guard Hidden.hides(entry.name), entry.type == .regular, !isInPackage || !Hidden.isBesideFile(entry.name) else { return false }
            litter.append(entry.name)
        }
        for name in litter {
            let address = Address(folder: inner, path: place.path + [stored], shown: name)
            try folderItems.removing(name, in: address, isKept: false, by: caller) { () throws(Errno) in try inner.descriptor.unlink(name) }
        }
        return true
    }
}
