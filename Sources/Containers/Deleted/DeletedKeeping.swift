import Documents
import LinuxFiles
import Transactions

/// What was deleted is kept, with the versions that it had: by renames, so that no byte is copied. It comes back, or it goes for good.
final class DeletedKeeping: Sendable {
    private let container: Container
    private let staging: Staging
    private let store: Store
    private let records: DeletedRecords
    private let versions: VersionKeeping
    private let names: NameKeeping
    private let plans: PlanExecution

    init(
        container: Container, staging: Staging, store: Store, records: DeletedRecords, versions: VersionKeeping, names: NameKeeping,
        plans: PlanExecution
    ) {
        (self.container, self.staging, self.store, self.records) = (container, staging, store, records)
        (self.versions, self.names, self.plans) = (versions, names, plans)
    }

    /// Also those of kinds that this program does not know.
    var all: [DeletedItem] { records.all }

    // MARK: It is deleted

    /// Keeps a document whose name did not come back. It goes for good where it is not to be kept, or there is no room to. Where that cannot be told
    /// now, the next opening tries again.
    func keep(away number: UInt64) -> (isKept: Bool, item: DeletedItem?) {
        let noted: DeletedItem?
        do throws(Errno) { noted = try records.itemToKeep(away: number) } catch { return (error != .noSuchEntry, nil) }
        guard let item = noted, let folder = records.folder else { return (false, nil) }
        var plan = Plan()
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(folder, at: [], of: .deleted)
        plan.steps = [.add(.staged(Name.away(number)), item.place)]
        do throws(Errno) {
            if try takesVersionsAlong(item, in: folder) { plan.steps.append(.add(item.former.ofVersions, item.versionsPlace)) }
            try plans.carryOut(plan)
            records.settle(item)
            if let home = try? container.documents.folder(at: item.path) { takeBesideFiles(of: item, from: home) }
            return (true, item)
        } catch {
            if error.isFull, records.isRecalled(item), goesBack(item, number, in: folder) { return (true, item) }
            guard !error.isFull, error != .noSuchEntry else {
                records.forget(item, after: error)
                return (false, nil)
            }
            return (true, nil)
        }
    }

    /// What was to come back, and did not, was kept before: it is again, also where the journal has no room for a word of it. Renames need none. If this
    /// process ends between the two, the item is kept without its versions.
    private func goesBack(_ item: DeletedItem, _ number: UInt64, in folder: OpenFile) -> Bool {
        do throws(Errno) {
            let takesVersions = try takesVersionsAlong(item, in: folder)
            try staging.folder.descriptor.rename(Name.away(number), to: folder.descriptor, as: item.entry)
            if takesVersions { try? versions.makeVersionFolder(item.path).descriptor.rename(item.stored, to: folder.descriptor, as: item.versionsEntry) }
            records.settle(item)
            return true
        } catch { return false }
    }

    /// Unless another one has its place by now, or they went before it.
    private func takesVersionsAlong(_ item: DeletedItem, in folder: OpenFile) throws(Errno) -> Bool {
        guard records.wasLast(in: item.former, away: item.away), try versions.hasVersions(item.path + [item.stored]), try !folder.descriptor.exists(item.versionsEntry) else { return false }
        return try !container.isTaken(item)
    }

    /// Takes a plain file out of its place, and keeps it. Nil where that is not to be or cannot be: nothing was done then.
    func takeAway(plain stored: Name, from address: Address) throws(Errno) -> Outcome {
        guard let item = try records.note(stored, nil, from: address), let folder = records.folder else { return Outcome(stored: stored) }
        do throws(Errno) {
            guard try versions.hasVersions(address.path + [stored]) else {
                try address.folder.descriptor.rename(stored, to: folder.descriptor, as: item.entry)
                takeBesideFiles(of: item, from: address.folder)
                return Outcome(deleted: item)
            }
            try carryAway(item, from: address, to: folder)
            return Outcome(deleted: item)
        } catch {
            records.forget(item, after: error)
            // Otherwise it stays: what cannot be kept now is not to be gone.
            guard error.isFull || error == .crossDevice else { throw error }
            return Outcome(stored: stored)
        }
    }

    /// Takes an item of any kind out of its place, and keeps it: another computer deleted it. Nil where nothing is to
    /// be kept: nothing was done then. Where there is no room for it, it stays: what the other computer did is not to
    /// be final because this store is full.
    func takeAway(_ stored: Name, _ kind: KindID?, from address: Address) throws(Errno) -> DeletedItem? {
        guard let item = try records.noteForSure(stored, kind, from: address), let folder = records.folder else {
            return nil
        }
        do throws(Errno) { try carryAway(item, from: address, to: folder) } catch {
            records.forget(item)
            throw error
        }
        return item
    }

    private func carryAway(_ item: DeletedItem, from address: Address, to folder: OpenFile) throws(Errno) {
        var plan = Plan()
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(folder, at: [], of: .deleted)
        plan.steps = [.add(item.former, item.place)]
        if try versions.hasVersions(item.path + [item.stored]) {
            plan.steps.append(.add(item.former.ofVersions, item.versionsPlace))
        }
        if item.kind != nil { try names.forgetName(at: item.former, &plan) }
        try plans.carryOut(plan)
        takeBesideFiles(of: item, from: address.folder)
    }

    /// A document is gone for good: so are its versions and the name that was kept for it.
    func forgetKept(of stored: Name, in path: [Name]) {
        names.forgetNames(of: stored, in: path)
        versions.forgetVersions(of: stored, in: path)
    }

    /// What lies among the deleted, as it is now.
    func state(of item: DeletedItem) throws(Errno) -> ItemState? {
        try records.folder.flatMap { (folder) throws(Errno) in
            try ItemState(of: item.entry, in: folder, isPackage: true)
        }
    }

    /// Gives a plain file that is about to go one more name, by which it is kept. Nil where that is not to be or cannot
    /// be. `mustKeep`: where there is no room, it is not to go.
    func hold(plain stored: Name, in address: Address, mustKeep: Bool = false) throws(Errno) -> Outcome {
        let unheld = Outcome(stored: stored)
        let noted =
            mustKeep
            ? try records.noteForSure(stored, nil, from: address) : try records.note(stored, nil, from: address)
        guard let item = noted, let folder = records.folder else { return unheld }
        do throws(Errno) {
            if try store.secondName(of: stored, in: address.folder.descriptor, to: folder.descriptor, as: item.entry) { return Outcome(stored: stored, deleted: item) }
            records.forget(item)
        } catch {
            records.forget(item, after: error)
            if !error.isFull || mustKeep { throw error }
        }
        return unheld
    }

    /// What a Mac keeps beside a file is kept for it, and comes back with it. What has its name by now has that, too.
    private func takeBesideFiles(of item: DeletedItem, from home: OpenFile) {
        guard let folder = records.folder, (try? home.descriptor.exists(item.stored)) == false, (try? home.descriptor.exists(item.shown)) == false else { return }
        for name in BesideName.all(shown: item.shown, stored: item.stored) {
            guard (try? home.descriptor.status(of: name).type) == .regular,
                let part = try? records.notePart(name, from: Address(folder: home, path: item.path, shown: name))
            else { continue }
            do throws(Errno) { try home.descriptor.rename(name, to: folder.descriptor, as: part.entry) } catch { records.forget(part) }
        }
    }

    /// The same where the file is held, and its name is gone.
    func letGo(of item: DeletedItem) throws(Errno) -> Outcome {
        if item.kind == nil, let home = try? container.documents.folder(at: item.path) { takeBesideFiles(of: item, from: home) }
        return try takeVersionsAlong(item)
    }

    /// What was held is gone, and its versions go where it is, unless another one has its place by now.
    func takeVersionsAlong(_ item: DeletedItem) throws(Errno) -> Outcome {
        guard let folder = records.folder, try versions.hasVersions(item.path + [item.stored]), try !folder.descriptor.exists(item.versionsEntry),
            try !container.isTaken(item)
        else { return Outcome(isUnchanged: true) }
        try versions.makeVersionFolder(item.path).descriptor.rename(item.stored, to: folder.descriptor, as: item.versionsEntry)
        return Outcome(deleted: item)
    }

    // MARK: It comes back

    /// Gives a deleted item a name again, with its versions. The name must be free. Where another one has the place of the versions
    /// meanwhile, it is that one's that stay.
    func bringBack(_ item: DeletedItem, to folder: OpenFile, at path: [Name], as stored: Name, shown: Name) throws(Errno) -> Outcome {
        guard let deleted = records.folder else { throw .noSuchEntry }
        let target = Place.item(stored, in: path)
        var plan = Plan()
        plan.know(folder, at: path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(deleted, at: [], of: .deleted)
        plan.steps = [.add(item.away == 0 ? item.place : .staged(Name.away(item.away)), target)]
        if try deleted.descriptor.exists(item.versionsEntry) {
            try versions.clearWay(to: target, &plan)
            _ = try versions.makeVersionFolder(path)
            plan.steps.append(.add(item.versionsPlace, target.ofVersions))
        }
        if let kind = item.namingKind { try names.keepName(shown, kind, at: target, &plan) }
        try plans.carryOut(plan)
        records.forget(item)
        return Outcome(stored: stored)
    }

    /// Its item was made anew, as it was. That one stays, with the permissions and times that its program gave it; what it does not have comes to it.
    func rejoin(_ item: DeletedItem, in folder: OpenFile, showing shown: Name?) throws(Errno) -> Outcome {
        let unchanged = Outcome(isUnchanged: true), target = item.former
        guard let deleted = records.folder, let kind = item.kind, item.away == 0 else { return unchanged }
        let hasVersions = try deleted.descriptor.exists(item.versionsEntry)
        // Two histories are not one: then this one stays deleted, with its own.
        let isInTheWay = hasVersions ? try versions.hasVersions(item.path + [item.stored]) : false
        guard !isInTheWay, try kind.isPackage ? isSamePackage(item, in: folder, deleted) : takeAttributes(of: item, in: folder, deleted) else { return unchanged }
        // The deleted one was on the disk already, and goes: so the new one has to be there first.
        try ItemTree.synchronize(item.stored, in: folder)
        try folder.descriptor.reopened([.read, .folder]).synchronize()
        let gone = Name.staged(staging.nextNumber(), Name.thinnedSuffix)
        var plan = Plan()
        plan.know(folder, at: item.path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(deleted, at: [], of: .deleted)
        if hasVersions {
            _ = try versions.makeVersionFolder(item.path)
            plan.steps.append(.add(item.versionsPlace, target.ofVersions))
        }
        plan.steps.append(.move(item.place, .staged(gone)))
        plan.discarded.append(gone)
        if let shown { try names.keepName(shown, kind, at: target, &plan) }
        try plans.carryOut(plan)
        records.forget(item)
        return Outcome(stored: item.stored)
    }

    private func isSamePackage(_ item: DeletedItem, in folder: OpenFile, _ deleted: OpenFile) throws(Errno) -> Bool {
        let there = try folder.descriptor.status(of: item.stored), old = try deleted.descriptor.status(of: item.entry)
        guard there.type == .folder, old.type == .folder, there.owner == old.owner else { return false }
        return try ItemTree.isSame(item.stored, in: folder.descriptor, as: item.entry, in: deleted.descriptor)
    }

    /// A file that is the same takes over what attributes the deleted one has besides. False where it is another one.
    private func takeAttributes(of item: DeletedItem, in folder: OpenFile, _ deleted: OpenFile) throws(Errno) -> Bool {
        let there = try folder.descriptor.openUntraced(item.stored, [.read, .nonBlocking]), old = try deleted.descriptor.openUntraced(item.entry, [.read, .nonBlocking])
        guard try Self.isSame(there, old) else { return false }
        let own = try FileAttributes.userAttributes(of: there)
        // What it cannot have, the deleted one keeps.
        for (name, value) in try FileAttributes.userAttributes(of: old) where own[name] == nil { try there.setExtendedAttribute(name, to: value) }
        return true
    }

    /// Whether two files have the same content and owner.
    private static func isSame(_ one: borrowing Descriptor, _ other: borrowing Descriptor) throws(Errno) -> Bool {
        let first = try one.status(), second = try other.status()
        guard first.type == .regular, second.type == .regular, first.size == second.size, first.owner == second.owner else { return false }
        return try one.hasSameBytes(at: 0, as: other, at: 0, count: first.size)
    }

    /// Brings back all of these, each to where it was, where nothing of the container is shown.
    func undelete(_ numbers: [UInt64]) throws(SaveFault) -> Outcome {
        try DeletionFaults.collect(of: numbers, from: records.item(_:)) { items, faults in
            faults.attempt(items) { (item) throws(Errno) in
                _ = try bringBack(item, to: madeFolder(at: item.path), at: item.path, as: item.stored, shown: item.shown)
            }
            for part in parts(of: items) {
                _ = try? bringBack(part, to: madeFolder(at: part.path), at: part.path, as: part.stored, shown: part.shown)
            }
        }
        return Outcome()
    }

    /// What comes back with these: what lay beside them, and out of folders that are one item links, folders and what else is no item by itself. Those
    /// above come first.
    func parts(of items: [DeletedItem]) -> [DeletedItem] {
        let folders = Set(items.compactMap { container.kinds.ownPackage(at: $0.path + [$0.stored]) })
        let beside = items.flatMap { item in
            BesideName.all(shown: item.shown, stored: item.stored).compactMap { records.part($0, in: item.path, since: item) }
        }
        return (beside + folders.flatMap(records.parts)).sorted { ($0.path.count, $1.number) < ($1.path.count, $0.number) }
    }

    /// Removes these deleted items for good.
    func purge(_ numbers: [UInt64]) throws(SaveFault) -> Outcome {
        try DeletionFaults.collect(of: numbers, from: records.item(_:)) { items, faults in
            faults.attempt(items) { (item) throws(Errno) in try purge(item) }
        }
        return Outcome()
    }

    /// The name that it had in the container, or the next one that is free in a folder.
    func freeStoredName(of item: DeletedItem, shown: Name, in folder: OpenFile) throws(Errno) -> Name {
        try NewItemName.trying(item.namingKind, for: shown, first: item.namingKind == nil ? nil : item.stored) { (name) throws(Errno) in
            if try folder.descriptor.exists(name) { throw .exists }
            return name
        }
    }

    /// A document whose name came back took its versions along, unless they had gone before it.
    func cameBack(_ item: AwayItem, at path: [Name], as stored: Name) {
        guard let deleted = records.item(away: item.number) else { return records.forget(away: item.number) }
        defer { records.forget(deleted) }
        do throws(Errno) { try returnVersions(of: deleted, to: path, as: stored) } catch { _ = try? purge(deleted) }
    }

    /// The versions of a deleted item are those of what has its place.
    func returnVersions(of item: DeletedItem) throws(Errno) { try returnVersions(of: item, to: item.path, as: item.stored) }

    private func returnVersions(of item: DeletedItem, to path: [Name], as stored: Name) throws(Errno) {
        guard let folder = records.folder, (try? folder.descriptor.exists(item.versionsEntry)) == true else { return }
        // What was replaced when it came back is among its versions already.
        if try versions.hasVersions(path + [stored]) { return try comeTogether(item, with: versions.makeVersionFolder(path + [stored])) }
        try folder.descriptor.rename(item.versionsEntry, to: versions.makeVersionFolder(path).descriptor, as: stored)
    }

    private func comeTogether(_ deleted: DeletedItem, with home: OpenFile) throws(Errno) {
        guard let folder = records.folder else { return }
        let went = OpenFile(try folder.descriptor.open(deleted.versionsEntry, [.path, .folder]))
        for entry in try Container.names(in: went.descriptor) where try !home.descriptor.exists(entry) {
            try went.descriptor.rename(entry, to: home.descriptor, as: entry)
        }
        try folder.descriptor.removeTree(deleted.versionsEntry)
    }

    /// What has its name by now has it among its versions.
    func becomeVersion(_ item: DeletedItem, _ provenance: Provenance) throws(Errno) -> Outcome {
        guard let folder = records.folder else { throw .noSuchEntry }
        let shelf = try versions.makeVersionFolder(item.path + [item.stored])
        let version = DocumentVersion(provenance, isConflict: false, location: .current)
        var taken = try versions.takenIDs(in: shelf, of: version.modified)
        guard let entry = versions.freeEntry(for: version, among: &taken) else { throw .nameTooLong }
        var plan = Plan()
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(folder, at: [], of: .deleted)
        plan.steps = [.add(item.place, Place(top: .versions, path: item.path + [item.stored], name: entry))]
        try plans.carryOut(plan)
        records.forget(item)
        return Outcome(stored: item.stored, kept: DocumentVersion(entry: entry)?.id)
    }

    func makeFolder(at path: [Name]) throws(Errno) -> Outcome {
        _ = try madeFolder(at: path)
        return Outcome(stored: path.last)
    }

    /// The folder with this path, made where it is missing, as those were in which something was deleted.
    private func madeFolder(at path: [Name]) throws(Errno) -> OpenFile {
        var folder = container.documents
        for count in path.indices {
            let name = path[count]
            do throws(Errno) { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
                guard error == .noSuchEntry else { throw error }
                let then = records.folder(at: Array(path[...count]))
                try folder.descriptor.makeFolder(name, mode: 0o700)
                let made = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
                let file = try made.descriptor.reopened([.read, .folder])
                if let then {
                    let status = try file.status()
                    if status.owner != then.owner || status.group != then.group { try? store.setOwner(then.owner, group: then.group, of: file) }
                    try store.setPermissions(then.mode, of: file)
                } else {
                    try store.setPermissions(0o755, of: file)
                }
                folder = made
            }
        }
        return folder
    }

    // MARK: It goes for good

    @discardableResult
    func purge(_ item: DeletedItem) throws(Errno) -> Outcome {
        guard let folder = records.folder else { throw .noSuchEntry }
        var plan = Plan()
        plan.know(staging.folder, at: [], of: .staging)
        plan.know(folder, at: [], of: .deleted)
        // In staging at once: what is gone by half is not shown.
        for place in [item.place, item.versionsPlace] where try folder.descriptor.exists(place.name) {
            let gone = Name.staged(staging.nextNumber(), Name.thinnedSuffix)
            plan.steps.append(.move(place, .staged(gone)))
            plan.discarded.append(gone)
        }
        try plans.carryOut(plan)
        records.forget(item)
        return Outcome()
    }

    /// Whose it was, and is. One that is not there any more is nobody's.
    func owner(of item: DeletedItem) -> UInt32 { (try? records.folder?.descriptor.status(of: item.entry).owner) ?? .max }

    /// How much room each takes that is kept, with its versions.
    func sizes() -> [UInt64: Int64] {
        guard let folder = records.folder, var entries = try? FolderReader(folder.descriptor) else { return [:] }
        var sizes: [UInt64: Int64] = [:]
        while let entry = try? entries.next() {
            guard let number = entry.name.stagedNumber else { continue }
            sizes[number] = (sizes[number] ?? 0).saturatingAdd(Self.size(of: entry.name, in: folder.descriptor))
        }
        return sizes
    }

    private static func size(of name: Name, in folder: borrowing Descriptor) -> Int64 {
        guard let status = try? folder.status(of: name) else { return 0 }
        guard status.type == .folder else { return status.size }
        guard let inner = try? folder.open(name, [.path, .folder]), var entries = try? FolderReader(inner) else { return 0 }
        var sum: Int64 = 0
        while let entry = try? entries.next() { sum = sum.saturatingAdd(size(of: entry.name, in: inner)) }
        return sum
    }
}

/// Whether what is deleted on a drive is kept, and for how long. It shares the room that versions have.
public enum DeletedPolicy: Hashable, Sendable {
    /// Nothing is kept from now on. What was kept before stays.
    case off
    case days(Int)

    public static let standard = DeletedPolicy.days(30)

    var keeps: Bool { self != .off }
}
