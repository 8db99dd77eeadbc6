import Containers
import Coordination
import LinuxFiles

/// Folders that are one item, and that a program removes as it removes any folder: what it takes out of one, one after another, until the folder itself goes.
/// Then that is one deleted item (`FolderItemKeeping.swift`). What it takes out of a folder that stays is deleted as in any other folder.
final class FolderItemRemovals: Sendable {
    private let container: Container
    private let workshop: Workshop?
    private let options: DriveOptions
    private let temporaryFiles: TemporaryFiles
    private let coordinator: DocumentCoordinator
    /// By the items' stored paths. Of one that was forgotten, each part is a deleted item by itself.
    private let removals = RecentTable<[Name], Removal>(most: 64)
    /// Those that went a moment ago, by their names. One that was forgotten is a deleted item and no version.
    private let lately = RecentTable<RemovedName, (item: DeletedItem, act: ProgramAct)>(most: 64)
    /// Longer than a program takes between two of many parts, in seconds.
    private static let pause: Int64 = 60

    private struct Removal {
        var act: ProgramAct
        var parts: [UInt64] = []
        /// Something that the program had made a moment ago went without being kept: what is left is no whole folder.
        var isIncomplete = false
        /// The folders, as they were before something in them went.
        var folders: [[Name]: FileStatus] = [:]
    }

    init(
        container: Container, workshop: Workshop?, options: DriveOptions, temporaryFiles: TemporaryFiles, coordinator: DocumentCoordinator
    ) {
        self.coordinator = coordinator
        (self.container, self.workshop, self.options, self.temporaryFiles) = (container, workshop, options, temporaryFiles)
    }

    /// Something in a folder is about to go. Answers the path of the item that this is about; nil in folders that are no part of one.
    @discardableResult
    func begins(in address: Address, by caller: Caller) -> [Name]? {
        guard options.keepsDeleted, workshop != nil, let item = container.kinds.ownPackage(at: address.path) else { return nil }
        if let removal = removals[item], removal.act.isBySame(as: caller, within: Self.pause) {
            if removal.folders[address.path] == nil { note(address, of: item) }
            return item
        }
        guard let name = item.last, let folder = try? container.documents.folder(at: item), container.kinds.isOwnPackage(name, folder.descriptor) else { return nil }
        removals[item] = Removal(act: ProgramAct(by: caller))
        note(address, of: item)
        return item
    }

    private func note(_ folder: Address, of item: [Name]) {
        guard let status = try? folder.folder.descriptor.status() else { return }
        removals.change(item) { if $0?.folders[folder.path] == nil { $0?.folders[folder.path] = status } }
    }

    /// A part is among the deleted.
    func took(_ part: DeletedItem, by caller: Caller) {
        guard let item = container.kinds.ownPackage(at: part.path), removals[item]?.act.isBySame(as: caller, within: Self.pause) == true else { return }
        let act = ProgramAct(by: caller)
        removals.change(item) { removal in
            removal?.act = act
            removal?.parts.append(part.number)
        }
    }

    /// Runs what takes away something that is not kept by itself. `isKept`: this one is.
    func removing(_ stored: Name, in address: Address, isKept: Bool, by caller: Caller, _ body: () throws(Errno) -> Void) throws(Errno) {
        guard !isKept, let item = begins(in: address, by: caller), let status = try? address.folder.descriptor.status(of: stored)
        else { return try body() }
        if temporaryFiles.isMade(status.identity.number, by: caller) {
            try body()
            return removals.change(item) { $0?.isIncomplete = true }
        }
        let then = removals[item]?.folders[address.path + [stored]]
        let held = try workshop?.commit(.holdPart(stored, in: address, like: then), unfit: .invalid).deleted
        try keeping(held, body)
        if let held { took(held, by: caller) }
    }

    /// Runs what removes an empty folder: the item itself, a part of one, or any other.
    func removingFolder(
        _ stored: Name, in address: Address, _ parent: NodeNumber, by caller: Caller, _ body: () throws(Errno) -> Void
    ) throws(Errno) {
        let item = address.path + [stored]
        guard container.kinds.ownPackage(at: item) == item else { return try removing(stored, in: address, isKept: false, by: caller, body) }
        guard let removal = removals[item], removal.act.isBySame(as: caller, within: Self.pause), !removal.parts.isEmpty,
            !removal.isIncomplete
        else { return try body() }
        let held = try workshop?.commit(.holdFolder(stored, in: address, like: removal.folders[item]), unfit: .invalid).deleted
        try keeping(held, body)
        // Hidden files went with the folder itself.
        let parts = removals.take(item)?.parts ?? removal.parts
        guard let held else { return }
        _ = try? workshop?.commit(.gather(parts, into: held))
        lately[RemovedName(folder: parent, name: address.shown)] = (held, ProgramAct(by: caller))
    }

    /// A folder has this name now. Where the program that makes it has just removed the one that had it, it saves so: that one is a version, and was not
    /// deleted. In the folder's lane.
    func cameAnew(_ name: Name, in folder: NodeNumber, by caller: Caller) {
        coordinator.checkWriting(LaneID(folder))
        guard let former = lately.take(RemovedName(folder: folder, name: name)), former.item.stored == name, options.keepsVersions,
            former.act.isBySame(as: caller, within: ProgramAct.instant)
        else { return }
        _ = try? workshop?.commit(.keepRemoved(former.item, asVersion: true))
    }

    private func keeping(_ held: DeletedItem?, _ body: () throws(Errno) -> Void) throws(Errno) {
        do throws(Errno) { try body() } catch {
            if let held { _ = try? workshop?.commit(.purge(held)) }
            throw error
        }
    }
}
