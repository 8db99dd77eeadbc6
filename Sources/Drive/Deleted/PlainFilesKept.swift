import Containers
import LinuxFiles

/// Plain files that are kept when their names go: those with no other name, and not for a moment only.
final class PlainFilesKept: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let temporaryFiles: TemporaryFiles
    private let options: DriveOptions
    private let thinning: VersionThinning
    private let versions: PlainFileVersions
    private let folderItems: FolderItemRemovals
    /// By the name that it had. One that was forgotten is kept for nothing.
    private let lately = RecentTable<RemovedName, (item: DeletedItem, act: ProgramAct)>(most: 256)

    init(
        tree: Tree, workshop: Workshop?, temporaryFiles: TemporaryFiles, options: DriveOptions, thinning: VersionThinning,
        versions: PlainFileVersions, folderItems: FolderItemRemovals
    ) {
        (self.tree, self.workshop, self.temporaryFiles, self.options) = (tree, workshop, temporaryFiles, options)
        (self.thinning, self.versions, self.folderItems) = (thinning, versions, folderItems)
    }

    /// Takes a plain file away and keeps it. False where it is not to be kept: then nothing was done.
    func takeAway(_ id: NodeNumber, _ stored: Name, from address: Address, in parent: NodeNumber, by caller: Caller) throws(Errno) -> Bool {
        guard isKept(stored, in: address.folder, called: address.shown, by: caller), let workshop else { return false }
        guard let item = try workshop.commit(.takeAway(plain: stored, from: address), unfit: .invalid).deleted else { return false }
        note(item, of: id, as: RemovedName(folder: parent, name: address.shown), by: caller)
        return true
    }

    /// Runs what takes a plain file's name away, where others decide whether it may go. It has one more name until that is known, by
    /// which it is kept: `body` is given what it is then.
    func keeping(
        _ id: NodeNumber?, _ stored: Name, in address: Address, _ parent: NodeNumber, by caller: Caller, _ body: (DeletedItem?) throws(Errno) -> Void
    ) throws(Errno) {
        guard let id, isKept(stored, in: address.folder, called: address.shown, by: caller),
            let held = try workshop?.commit(.hold(plain: stored, in: address), unfit: .invalid).deleted
        else {
            let isLast = (try? address.folder.descriptor.status(of: stored).links) == 1
            try body(nil)
            if isLast { _ = try? workshop?.commit(.forgetVersions(of: stored, in: address.path)) }
            return
        }
        do throws(Errno) { try body(held) } catch {
            _ = try? workshop?.commit(.purge(held))
            throw error
        }
        _ = try? workshop?.commit(.letGo(held: held))
        note(held, of: id, as: RemovedName(folder: parent, name: address.shown), by: caller)
    }

    /// A plain file has this name now. Where the program that makes it has just taken another one away, it saves so: nothing was deleted, and what was
    /// there is a version.
    func cameAnew(_ name: Name, in folder: NodeNumber, _ place: OpenFile, by caller: Caller) {
        versions.cameAnew(name, in: folder, place, by: caller)
        guard let former = lately.take(RemovedName(folder: folder, name: name)), former.act.isBySame(as: caller, within: ProgramAct.instant),
            let workshop
        else { return }
        let beside = workshop.deletedParts(of: [former.item])
        guard versions.cameAnew(name, in: folder, place, instead: former.item) else { return }
        // What a Mac keeps beside it was there all the time.
        for part in beside { _ = try? workshop.commit(.bringBack(part, to: place, at: part.path, as: part.stored, shown: part.shown)) }
        if !beside.isEmpty { tree.forgetReading(of: folder) }
    }

    /// A new document's draft has this name now, and may be a plain file in the end.
    func beganAnew(_ name: Name, in folder: NodeNumber, by caller: Caller) { versions.beganAnew(name, in: folder, by: caller) }

    private func note(_ item: DeletedItem, of id: NodeNumber, as name: RemovedName, by caller: Caller) {
        noteHeld(id)
        lately[name] = (item, ProgramAct(by: caller))
        folderItems.took(item, by: caller)
        thinning.order()
    }

    /// Whoever has it open sees that its name is gone, though it has another one where it is kept.
    private func noteHeld(_ id: NodeNumber) { tree.withLock { if $0.contains(id) { $0[id].flags.insert(.kept) } } }

    private func isKept(_ stored: Name, in folder: OpenFile, called shown: Name, by caller: Caller) -> Bool {
        guard options.keepsDeleted, let status = try? folder.descriptor.status(of: stored) else { return false }
        guard status.type == .regular, status.links == 1 else { return false }
        return !temporaryFiles.isPassing(status.identity.number, called: shown, by: caller) { at in tree.withLock { $0.child(shown: at.name, of: at.folder) } != nil }
    }
}
