import Containers
import Coordination
import LinuxFiles

/// Decides which plain files have versions, and has one made of what a program is about to change: at the first write or cut of each opening, and when
/// another file takes a file's name. What is made here is in the container's versions (`PlainFileKeeping.swift`).
final class PlainFileVersions: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let places: Places
    private let options: DriveOptions
    private let mount: MountFacts
    private let thinning: VersionThinning
    /// What was saved lately, and what is left alone. Of what was forgotten a version is kept for nothing.
    private let saves = RecentTable<FileKey, Saves>(most: 4096)
    /// The version that was made for a file that is open, until it is closed. One that was forgotten stays, also where nothing was changed.
    private let made = RecentTable<NodeNumber, VersionID>(most: 4096)
    /// Files that a program has given a backup's name to.
    private let backups = RecentTable<RemovedName, Backup>(most: 256)
    private let sharing = SetOnce<Bool>()

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container, places: Places,
        options: DriveOptions, mount: MountFacts, thinning: VersionThinning
    ) {
        (self.tree, self.handles, self.coordinator, self.workshop, self.container) = (tree, handles, coordinator, workshop, container)
        (self.places, self.options, self.mount, self.thinning) = (places, options, mount, thinning)
    }

    /// A file by its folder and its name, which stay when a program replaces it.
    private struct FileKey: Hashable {
        let folder: FileIdentity
        let name: Name

        init(_ name: Name, in folder: OpenFile) throws(Errno) { (self.folder, self.name) = (try folder.descriptor.status().identity, name) }
    }

    private struct Saves {
        var times: [Int64] = []
        var rule: PlainFileRule?
    }

    private struct Backup {
        let folder: NodeNumber
        let name: Name
        let act: ProgramAct
        /// By the program that gave it that name, as the draft of a document.
        var isWrittenAnew = false
    }

    private static let mostSaves = 5, minute: Int64 = 60

    var isOn: Bool { options.keepsFiles && workshop != nil }

    // MARK: What is changed where it lies

    /// Something that is there is about to be written over or cut off, by its name or through a handle: of that one, the first time.
    /// In no lane, because it claims those of the folder and the file.
    func keepBeforeChange(of id: NodeNumber, through handle: HandleID?, isMapped: Bool = false) {
        guard isOn else { return }
        while let parent = tree.namedNode(id)?.parent {
            let isDone = coordinator.read(LaneID(parent)) {
                coordinator.write(LaneID(id)) {
                    // It was moved to another folder before its lane was free.
                    guard let node = tree.namedNode(id), node.parent == parent else { return false }
                    keep(node, id, handle, isMapped)
                    return true
                }
            }
            if isDone { return }
        }
        if let handle { _ = handles.takeUnkept(handle) }
    }

    private func keep(_ node: Node, _ id: NodeNumber, _ handle: HandleID?, _ isMapped: Bool) {
        coordinator.checkWriting(LaneID(id))
        if let handle, !handles.takeUnkept(handle) { return }
        // What another program has written and not closed is no version.
        guard node.role == .plain, node.hasItem, !handles.isBeingWritten(id, but: handle) else { return }
        do throws(Errno) {
            let place = try places.place(of: node.parent), address = tree.address(node.shown, in: node.parent, place)
            let key = try FileKey(node.shown, in: place)
            defer { if isMapped { leaveAlone(key, .mapped) } }
            let file = OpenFile(try place.descriptor.openUntraced(node.stored, [.read, .nonBlocking])), status = try file.descriptor.status()
            guard status.type == .regular, status.size > 0, try rule(for: id, node, key, file, status, place, isSave: true) == nil else { return }
            made[id] = try workshop.required().commit(.keep(plain: node.stored, at: address), unfit: .invalid).kept
            thinning.order()
        } catch {
            // Writing matters more than keeping.
            SystemLog.write("what “\(tree.withLock { $0.shownPath(of: id) })” was is not kept as a version: \(error)", .warning)
        }
    }

    /// A program writes to a file through a map of it that others may share.
    func noteMapped(_ id: NodeNumber) {
        guard isOn, let node = tree.namedNode(id), let place = try? places.place(of: node.parent), let key = try? FileKey(node.shown, in: place) else { return }
        leaveAlone(key, .mapped)
    }

    /// A program that may have written to a file has closed it. What was not changed has no version more than before.
    func closed(_ id: NodeNumber) {
        guard isOn, handles.writers(of: id) == 0, let version = made.take(id), let parent = tree.namedNode(id)?.parent else { return }
        coordinator.read(LaneID(parent)) { coordinator.write(LaneID(id)) { dropUnchanged(version, of: id, in: parent) } }
    }

    private func dropUnchanged(_ version: VersionID, of id: NodeNumber, in parent: NodeNumber) {
        coordinator.checkWriting(LaneID(id))
        guard let workshop, let node = tree.namedNode(id), node.role == .plain, node.parent == parent, let folder = try? places.place(of: parent),
            let place = try? tree.documentPlace(of: node, folder), let kept = try? container.keptVersions(of: place).first(where: { $0.id == version }),
            let then = try? container.open(kept, of: place).parts.first ?? nil, let now = try? folder.descriptor.openUntraced(node.stored, [.read, .nonBlocking]),
            let size = try? now.status().size, size <= PlainFileRule.mostCopied, (try? then.descriptor.status().size) == size,
            (try? now.hasSameBytes(at: 0, as: then.descriptor, at: 0, count: size)) == true
        else { return }
        _ = try? workshop.commit(.decide(.remove(version), on: place, shown: node.shown))
    }

    // MARK: What is replaced, renamed or taken away

    /// What becomes of a plain file that another one takes the name of. nil where it is no version of that one. `isSave`: programs save so, and
    /// what takes the name was there for that alone. In the lanes of both folders.
    func replaced(by move: RenameRequest, isSave: Bool) -> ReplacedPlainFile? {
        coordinator.checkWriting(LaneID(move.to.folder))
        guard isOn, move.node.role == .plain, let replaced = move.replaced, let node = move.replacedNode, node.role == .plain
        else { return nil }
        do throws(Errno) {
            let status = try move.to.place.descriptor.status(of: node.stored)
            guard status.type == .regular, status.size > 0, try move.from.place.descriptor.status(of: move.node.stored).type == .regular else { return nil }
            let file = OpenFile(try move.to.place.descriptor.openUntraced(node.stored, [.read, .nonBlocking]))
            guard isSave || isFirst(move),
                try rule(for: replaced, node, FileKey(node.shown, in: move.to.place), file, status, move.to.place, isSave: true) == nil
            else { return nil }
            let goesOn = status.links > 1 || handles.writers(of: replaced) > 0
            return goesOn && status.size > PlainFileRule.mostCopied && !sharesBlocks ? nil : .version(goesOn: goesOn)
        } catch { return nil }
    }

    /// Whether what gets another name has no versions itself.
    func isFirst(_ move: RenameRequest) -> Bool {
        guard let path = tree.withLock({ $0.storedPath(of: move.from.folder)?.names }) else { return false }
        do throws(Errno) { return try container.versionFolder(path + [move.node.stored]) == nil } catch { return false }
    }

    /// A file that gave way has another name among the versions: who has it open sees that its own is gone.
    func wasReplaced(_ id: NodeNumber?) {
        if let id { tree.withLock { if $0.contains(id) { $0[id].flags.insert(.kept) } } }
        thinning.order()
    }

    /// A program has renamed a file, perhaps in order to write it anew.
    func wasRenamed(_ former: RemovedName, to name: Name, in folder: NodeNumber, by caller: Caller) {
        guard isOn, Self.isBackup(name) else { return }
        backups[former] = Backup(folder: folder, name: name, act: ProgramAct(by: caller))
    }

    private static func isBackup(_ name: Name) -> Bool { PassingName.isOne(name) || name.bytes.suffix(4).elementsEqual(".bak".utf8) }

    /// A plain file has this name now. Where the program that makes it has just given a backup's name to what was there, that is a version. In the
    /// folder's lane.
    func cameAnew(_ name: Name, in folder: NodeNumber, _ place: OpenFile, by caller: Caller) {
        coordinator.checkWriting(LaneID(folder))
        guard isOn, let backup = backups.take(RemovedName(folder: folder, name: name)), backup.act.isBySame(as: caller, within: ProgramAct.instant)
        else { return }
        keep(backup, of: name, in: folder, place)
    }

    private func keep(_ backup: Backup, of name: Name, in folder: NodeNumber, _ place: OpenFile) {
        coordinator.checkWriting(LaneID(folder))
        guard let former = tree.withLock({ $0.child(shown: backup.name, of: backup.folder) }), let new = tree.withLock({ $0.child(shown: name, of: folder) })
        else { return }
        let node = tree.node(former, called: backup.name, in: backup.folder), stored = tree.node(new, called: name, in: folder).stored
        do throws(Errno) {
            let home = try places.place(of: backup.folder), file = OpenFile(try home.descriptor.openUntraced(node.stored, [.read, .nonBlocking]))
            let status = try file.descriptor.status()
            guard node.role == .plain, status.type == .regular, status.size > 0 else { return }
            let rule = try rule(
                for: new, tree.node(new, called: name, in: folder), FileKey(name, in: place), file, status, place, isSave: true)
            try workshop.required().commit(
                .keepFormer(
                    plain: node.stored, at: tree.address(backup.name, in: backup.folder, home), of: stored,
                    writtenAt: tree.address(name, in: folder, place), asVersion: rule == nil),
                unfit: .invalid)
            thinning.order()
        } catch { /* It has its backup. */ }
    }

    /// The same where the program has taken away what was there. Under a rule it is no version, and those that it had stay the file's. False
    /// where it stays among the deleted. In the folder's lane.
    func cameAnew(_ name: Name, in folder: NodeNumber, _ place: OpenFile, instead item: DeletedItem) -> Bool {
        coordinator.checkWriting(LaneID(folder))
        guard let workshop, let id = tree.withLock({ $0.child(shown: name, of: folder) }) else { return false }
        let node = tree.node(id, called: name, in: folder)
        guard node.role == .plain, node.stored == item.stored else { return false }
        do throws(Errno) {
            guard let (home, entry) = try container.deletedPlace(of: item) else { return false }
            let file = OpenFile(try home.descriptor.openUntraced(entry, [.read, .nonBlocking])), status = try file.descriptor.status()
            var isVersion = isOn && status.type == .regular && status.size > 0
            if isVersion { isVersion = try rule(for: id, node, FileKey(name, in: place), file, status, place, isSave: true) == nil }
            try workshop.commit(.keepRemoved(item, asVersion: isVersion), unfit: .invalid)
            thinning.order()
            return true
        } catch { return false }
    }

    /// A draft of a new document has turned out to be a plain file.
    func becamePlain(_ name: Name, in folder: NodeNumber, _ place: OpenFile) {
        guard let backup = backups.take(RemovedName(folder: folder, name: name)), backup.isWrittenAnew else { return }
        keep(backup, of: name, in: folder, place)
    }

    /// A new document's draft has this name now, and may be a plain file in the end.
    func beganAnew(_ name: Name, in folder: NodeNumber, by caller: Caller) {
        backups.change(RemovedName(folder: folder, name: name)) { backup in
            guard let act = backup?.act else { return }
            backup?.isWrittenAnew = act.isBySame(as: caller, within: ProgramAct.instant)
        }
    }

    // MARK: The rules

    /// Which rule keeps versions from a file, as a sentence; nil where it has versions.
    func sentence(of id: NodeNumber) -> String? {
        guard isOn, let node = tree.namedNode(id), node.role == .plain, node.hasItem, let place = try? places.place(of: node.parent),
            let key = try? FileKey(node.shown, in: place), let opened = try? place.descriptor.openUntraced(node.stored, [.read, .nonBlocking])
        else { return nil }
        let file = OpenFile(opened)
        guard let status = try? file.descriptor.status(), status.type == .regular else { return nil }
        if let rule = try? rule(for: id, node, key, file, status, place, isSave: false) { return rule.sentence }
        return status.size > PlainFileRule.mostCopied && !sharesBlocks ? PlainFileRule.tooLargeToCopy : nil
    }

    private func rule(
        for id: NodeNumber, _ node: Node, _ key: FileKey, _ file: OpenFile, _ status: FileStatus, _ folder: OpenFile, isSave: Bool
    ) throws(Errno) -> PlainFileRule? {
        if let rule = saves[key]?.rule { return rule }
        guard let rule = try ruleOfFile(id, node, file, status, folder) else { return isSave && isTooOften(key) ? .busy : nil }
        if rule.lasts { leaveAlone(key, rule) }
        return rule
    }

    private func ruleOfFile(_ id: NodeNumber, _ node: Node, _ file: OpenFile, _ status: FileStatus, _ folder: OpenFile) throws(Errno) -> PlainFileRule? {
        let isInPackage = tree.isPackage(node.parent)
        let rule = try PlainFileRule.of(
            node.stored, file, status, in: folder, isInPackage: isInPackage, sharesBlocks: { sharesBlocks })
        if let rule { return rule }
        if let locks = options.locks, let device = mount.device, locks.isLocked(NodeID(id).rawValue, on: device) { return .locked }
        return nil
    }

    private func leaveAlone(_ key: FileKey, _ rule: PlainFileRule) { saves.change(key) { $0 = Saves(rule: $0?.rule ?? rule) } }

    /// Whether this is a save more than is kept within a minute.
    private func isTooOften(_ key: FileKey) -> Bool {
        // A wall clock that was wrong for a moment would leave the file alone for good.
        let now = Monotonic.secondsSinceStart
        return saves.change(key) { saves in
            let times = (saves?.times ?? []).filter { now - $0 < Self.minute }
            let isTooOften = times.count >= Self.mostSaves
            saves = isTooOften ? Saves(rule: .busy) : Saves(times: times + [now])
            return isTooOften
        }
    }

    /// Whether the container's file system has files that share their blocks. Tried once, when it counts.
    private var sharesBlocks: Bool {
        if let known = sharing.value { return known }
        let found = workshop?.sharesBlocks ?? false
        sharing.set(found)
        return found
    }
}
