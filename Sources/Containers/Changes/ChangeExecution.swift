import Documents
import LinuxFiles

/// The one door: each change of a container comes here, and goes to the part that plans it.
final class ChangeExecution: Sendable {
    private let saving: DocumentSaving
    private let staged: StagedSaving
    private let adopting: Adopting
    private let renaming: DocumentRenaming
    private let exchanging: ItemExchanging
    private let plain: PlainFileMaking
    private let draftKeeping: DraftKeeping
    private let removal: ItemRemoval
    private let deleted: DeletedKeeping
    private let restoring: VersionRestoring
    private let names: NameKeeping
    private let versions: VersionRemoval
    private let thinning: KeptThinning
    private let thumbnails: PhotoThumbnails
    private let many: ManyItems
    private let kinds: ContainerKinds
    private let keeping: VersionKeeping
    private let plainKeeping: PlainFileKeeping
    private let folderItems: FolderItemKeeping
    private let folderVersions: FolderItemVersions

    init(
        saving: DocumentSaving, staged: StagedSaving, adopting: Adopting, renaming: DocumentRenaming, exchanging: ItemExchanging,
        plain: PlainFileMaking, draftKeeping: DraftKeeping, removal: ItemRemoval, deleted: DeletedKeeping, restoring: VersionRestoring,
        names: NameKeeping, versions: VersionRemoval, thinning: KeptThinning, thumbnails: PhotoThumbnails, many: ManyItems,
        kinds: ContainerKinds, keeping: VersionKeeping, plainKeeping: PlainFileKeeping, folderItems: FolderItemKeeping, folderVersions: FolderItemVersions
    ) {
        (self.saving, self.staged, self.adopting, self.renaming, self.exchanging) = (saving, staged, adopting, renaming, exchanging)
        (self.plain, self.draftKeeping, self.removal) = (plain, draftKeeping, removal)
        (self.deleted, self.restoring) = (deleted, restoring)
        (self.names, self.versions, self.thinning, self.thumbnails, self.many) = (names, versions, thinning, thumbnails, many)
        (self.kinds, self.keeping, self.plainKeeping, self.folderItems) = (kinds, keeping, plainKeeping, folderItems)
        self.folderVersions = folderVersions
    }

    func commit(_ change: Change) throws(SaveFault) -> Outcome {
        kinds.uses(change)
        switch change {
        case .save(let draft, at: let address, over: let base, removing: let removing, ending: let ending, durably: let durably):
            let outcome = try saving.save(draft, at: address, over: base, removing: removing, ending: ending, durably: durably)
            if case .away(let item) = base, let stored = outcome.stored { deleted.cameBack(item, at: address.path, as: stored) }
            return outcome
        case .put(let item, at: let path): return try staged.save(item, at: path)
        case .placeGrown(_, as: let stored, since: let base, in: let address):
            return try done { () throws(Errno) in try staged.placeGrown(stored, since: base, in: address) }
        case .copyToGrow(let stored, in: let address): return try done { () throws(Errno) in try staged.copyToGrow(stored, in: address) }
        case .adopt(let adoption): return try done { () throws(Errno) in try adopting.adopt(adoption) }
        case .rename(let stored, let kind, from: let old, to: let new, replacing: let replacing, removing: let removing, draft: let draft, copies: let copies):
            return try renaming.rename(stored, kind, from: old, to: new, replacing: replacing, removing: removing, draft: draft, copies: copies)
        case .renameDraft(let place, replacing: let replacing, removing: let removing):
            return try done { () throws(Errno) in try renaming.rename(place, replacing: replacing, removing: removing) }
        case .move(
            let stored, from: let old, to: let new, as: let name, replacing: let replacing, removing: let removing,
            plain: let plain):
            return try done { () throws(Errno) in
                try renaming.move(
                    stored, from: old, to: new, as: name, replacing: replacing, removing: removing, plain: plain)
            }
        case .exchange(let first, let second): return try exchanging.exchange(first, second)
        case .follow(let old, to: let new): return try done { () throws(Errno) in try renaming.follow(old, to: new) }
        case .forgetNames(of: let stored, in: let path): return names.forgetNames(of: stored, in: path)
        case .turnPlain(let opened, let stored, from: let old, to: let new, as: let name, replacing: let replacing, removing: let removing):
            return try done { () throws(Errno) in
                try plain.turnPlain(opened, stored, from: old, to: new, as: name, replacing: replacing, removing: removing)
            }
        case .release(let draft, asPlain: let name, at: let address, over: let outdated):
            return try done { () throws(Errno) in try plain.release(draft, asPlain: name, at: address, over: outdated) }
        case .keep(plain: let stored, at: let address): return try done { () throws(Errno) in try plainKeeping.keep(stored, at: address) }
        case .keepFormer(plain: let former, at: let old, of: let stored, writtenAt: let address, let asVersion):
            return try done { () throws(Errno) in
                try plainKeeping.keep(former, at: old, of: stored, at: address, asVersion: asVersion)
            }
        case .keepRemoved(let item, let asVersion):
            return try done { () throws(Errno) in
                try item.isFolder ? folderVersions.keep(removed: item) : plainKeeping.keep(removed: item, asVersion: asVersion)
            }
        case .forgetVersions(of: let stored, in: let path):
            keeping.forgetVersions(of: stored, in: path)
            return Outcome()
        case .putAway(let stored, let kind, from: let address, ending: let draft):
            return try done { () throws(Errno) in try removal.putAway(stored, kind, from: address, ending: draft) }
        case .moveToDeleted(let item): return removal.moveToDeleted(item)
        case .putBack(let item, at: let address, with: let draft, removing: let removing):
            return try done { () throws(Errno) in try removal.putBack(item, at: address, with: draft, removing: removing) }
        case .drop(let item): return removal.drop(item)
        case .remove(let stored, from: let address): return try done { () throws(Errno) in try removal.remove(stored, from: address) }
        case .takeAway(plain: let stored, from: let address): return try done { () throws(Errno) in try deleted.takeAway(plain: stored, from: address) }
        case .hold(plain: let stored, in: let address): return try done { () throws(Errno) in try deleted.hold(plain: stored, in: address) }
        case .letGo(held: let item): return try done { () throws(Errno) in try deleted.letGo(of: item) }
        case .holdPart(let stored, in: let address, like: let status):
            return try done { () throws(Errno) in try folderItems.hold(part: stored, in: address, like: status) }
        case .holdFolder(let stored, in: let address, like: let status):
            return try done { () throws(Errno) in try folderItems.hold(folder: stored, in: address, like: status) }
        case .gather(let numbers, into: let item): return try done { () throws(Errno) in try folderItems.gather(numbers, into: item) }
        case .keepDraft(let draft, from: let address): return try done { () throws(Errno) in try draftKeeping.keep(draft, from: address) }
        case .bringBack(let item, to: let folder, at: let path, as: let stored, shown: let shown):
            return try done { () throws(Errno) in try deleted.bringBack(item, to: folder, at: path, as: stored, shown: shown) }
        case .rejoin(let item, in: let folder, showing: let shown): return try done { () throws(Errno) in try deleted.rejoin(item, in: folder, showing: shown) }
        case .makeFolder(at: let path): return try done { () throws(Errno) in try deleted.makeFolder(at: path) }
        case .recall(let item, for: let address): return try renaming.recall(item, for: address)
        case .purge(let item): return try done { () throws(Errno) in try deleted.purge(item) }
        case .thin: return try done { () throws(Errno) in try thinning.thin() }
        case .makeRoom: return thinning.giveUp()
        case .decide(let decision, on: let document, shown: let shown): return try restoring.carryOut(decision, on: document, shown: shown)
        case .decideOfMany(let decision, at: let path): return try carryOut(decision, at: path)
        case .putThumbnail(let staged, into: let stored, in: let folder):
            return try done { () throws(Errno) in try thumbnails.put(staged, into: stored, in: folder.descriptor) }
        }
    }

    private func carryOut(_ decision: ContainerDecision, at path: [Name]) throws(SaveFault) -> Outcome {
        switch decision {
        case .purgeVersions(let moment): try done { () throws(Errno) in try versions.purge(at: path, before: moment) }
        case .undelete(let numbers): try deleted.undelete(numbers)
        case .purge(let numbers): try deleted.purge(numbers)
        case .place(let name): try done { () throws(Errno) in try many.place(name) }
        case .takeBack(let name): try done { () throws(Errno) in try many.takeBack(name) }
        }
    }

    private func done(_ body: () throws(Errno) -> Outcome) throws(SaveFault) -> Outcome {
        do throws(Errno) { return try body() } catch { throw .failed(error) }
    }
}
