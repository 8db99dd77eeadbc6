import Containers
import Coordination

/// What other programs are told and asked that claim items of the container while they are open here.
final class OpenDocumentPresenter: ItemPresenter {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let kernel: KernelMemory
    private let folders: FolderContents
    private let saving: DraftSaving
    private let decisions: VersionDecisions
    private let appSaves: AppSaves
    private let adopted: AdoptedItems
    private let undeleting: Undeleting
    private let thinning: VersionThinning
    private let asked: AskedSearches
    private let workshop: Workshop?
    private let mount: MountFacts
    private let container: Container
    private let top: TopStatus

    init(
        tree: Tree, coordinator: DocumentCoordinator, kernel: KernelMemory, folders: FolderContents,
        saving: DraftSaving, decisions: VersionDecisions, appSaves: AppSaves, adopted: AdoptedItems,
        undeleting: Undeleting, thinning: VersionThinning, asked: AskedSearches,
        workshop: Workshop?, mount: MountFacts, container: Container, top: TopStatus
    ) {
        (self.container, self.top) = (container, top)
        (self.thinning, self.asked, self.workshop, self.mount) = (thinning, asked, workshop, mount)
        (self.tree, self.coordinator, self.kernel, self.folders, self.saving) = (tree, coordinator, kernel, folders, saving)
        (self.decisions, self.appSaves, self.adopted, self.undeleting) = (decisions, appSaves, adopted, undeleting)
    }

    var mountpoint: String { mount.path }
    var documentsNow: Container.DocumentsNow { top.answer { [container] in container.documentsNow } ?? .here }

    func answer(_ search: SearchRequest, _ answer: sending SearchAnswer) { asked.answer(search, answer) }

    func isConcerned(by items: [ClaimedItem]) -> Bool { !open(in: items).isEmpty }

    func prepare(for items: [ClaimedItem]) {
        for (id, document) in open(in: items.filter(\.purpose.wantsSaving)) { saving.saveForOthers(document, id) }
        // What is being saved by somebody else is in its lane.
        for (id, _) in open(in: items) { coordinator.read(LaneID(id)) {} }
    }

    func isFollowing(_ item: ItemPath) -> Bool {
        let (folder, node) = tree.folderAndNode(ofStored: item.names)
        guard let folder, tree.isFollowed(folder) else { return false }
        // What is in a folder that is presented, too, to the bottom: that is looked at. And what the drive has not seen yet may be one.
        guard !item.names.isEmpty, let node else { return false }
        return tree[node].role != .folder
    }

    func follow(_ item: ItemPath) -> [ItemPath] {
        guard let folder = try? folders.folderNode(at: Array(item.names.dropLast())), (try? folders.readNames(of: folder)) != nil,
            let node = item.names.isEmpty ? NodeNumber.root : item.names.last.flatMap({ name in tree.withLock { $0.node(stored: name, of: folder) } }), tree[node].role == .folder
        else { return [] }
        var found: [ItemPath] = [], waiting = [(node: node, path: item)], looked = 0
        while let next = waiting.popLast(), looked < Self.mostFolders {
            guard tree.withLock({ $0.hold(next.node) }) else { continue }
            defer { tree.withLock { $0.removeHandle(next.node) } }
            looked += 1
            guard (try? folders.readNames(of: next.node)) != nil else { continue }
            for inside in tree.items(in: next.node) {
                guard let path = ItemPath(next.path.names + [inside.stored]) else { continue }
                found.append(path)
                if let folder = inside.folder { waiting.append((folder, path)) }
            }
        }
        return found
    }

    /// Below a presented folder, no more folders are followed.
    private static let mostFolders = 10_000

    func written(_ items: [ClaimedItem]) {
        let paths = Set(items.map(\.path.names))
        let places = paths.map { tree.folderAndNode(ofStored: $0) }
        for folder in Set(places.compactMap { $0.folder }) {
            // Where changes are noticed, no more is read than those.
            if !tree.isFollowed(folder) { tree.forgetReading(of: folder) }
            try? folders.readNames(of: folder)
        }
        // The same file may have been written to.
        kernel.tell(places.compactMap { $0.node }.map { .content($0) })
    }

    func carryOut(_ decision: ClaimDecision, on item: ItemPath) throws(SaveFault) {
        switch decision {
        case .version(let decision): try decisions.carryOut(decision, on: item)
        case .dropDraft: try decisions.dropDraft(of: item)
        case .container(.purgeVersions(let moment)): try thinning.purge(at: item.names, before: moment)
        case .container(.undelete(let numbers)): try undeleting.undelete(numbers)
        case .container(.purge(let numbers)): try undeleting.purge(numbers)
        case .container(.place(let name)): try appSaves.carryOut(.place(name))
        case .container(.takeBack(let name)): try appSaves.carryOut(.takeBack(name))
        }
    }

    func save(_ staged: StagedItem, at item: ItemPath) throws(SaveFault) -> StagedOutcome { try appSaves.save(staged, at: item) }

    func adopt(_ adoption: Adoption) throws(SaveFault) -> Adopted { try adopted.adopt(adoption) }

    func follow(_ old: ItemPath, to new: ItemPath) { _ = try? workshop?.commit(.follow(old.names, to: new.names)) }

    /// The open documents that are one of the items, or in one.
    private func open(in items: [ClaimedItem]) -> [(NodeNumber, OpenDocument)] {
        guard !items.isEmpty else { return [] }
        return tree.openDocumentsByPath().compactMap { id, document, names in
            guard let path = ItemPath(names), items.contains(where: { path.isInside($0.path) }) else { return nil }
            return (id, document)
        }
    }
}
