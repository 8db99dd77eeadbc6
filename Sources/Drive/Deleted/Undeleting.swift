import Containers
import LinuxFiles

/// What was deleted comes back, or goes for good, because somebody says so.
final class Undeleting: Sendable {
    private let tree: Tree
    private let workshop: Workshop?
    private let kernel: KernelMemory
    private let removed: AwayDocuments
    private let folders: FolderContents
    private let changes: FolderChanges
    private let thinning: VersionThinning
    private let deleted: DeletedFolders
    private let counts: RequestCounts

    init(
        tree: Tree, workshop: Workshop?, kernel: KernelMemory, removed: AwayDocuments, folders: FolderContents, changes: FolderChanges,
        thinning: VersionThinning, deleted: DeletedFolders, counts: RequestCounts
    ) {
        (self.tree, self.workshop, self.kernel, self.removed, self.folders) = (tree, workshop, kernel, removed, folders)
        (self.changes, self.thinning, self.deleted, self.counts) = (changes, thinning, deleted, counts)
    }

    /// Brings back all of these, each to where it was. What cannot come back stays where it is, and why is said at the end.
    func undelete(_ numbers: [UInt64]) throws(SaveFault) {
        let workshop = try workshop.required(orFault: ())
        try DeletionFaults.collect(of: numbers, from: workshop.deletedItem) { items, faults in
            for (path, items) in Dictionary(grouping: items, by: \.path).sorted(by: { $0.key.count < $1.key.count }) {
                undelete(items, to: path, workshop, &faults)
            }
            for part in workshop.deletedParts(of: items) { try? bringBack(part, workshop) }
        }
    }

    /// All of these were in one folder.
    private func undelete(_ items: [DeletedItem], to path: [Name], _ workshop: Workshop, _ faults: inout DeletionFaults) {
        do throws(Errno) {
            try changing(madeFolder(at: path, workshop)) { (folder, place) throws(Errno) in
                faults.attempt(items) { (item) throws(Errno) in try bringBack(item, to: folder, place, path, workshop) }
            }
        } catch { faults.attempt(items) { (_) throws(Errno) in throw error } }
    }

    private func bringBack(_ part: DeletedItem, _ workshop: Workshop) throws(Errno) {
        try changing(madeFolder(at: part.path, workshop)) { (folder, place) throws(Errno) in
            try bringBack(part, to: folder, place, part.path, workshop)
        }
    }

    private func bringBack(_ item: DeletedItem, to folder: NodeNumber, _ place: OpenFile, _ path: [Name], _ workshop: Workshop) throws(Errno) {
        guard let item = settled(item, in: folder, workshop) else { throw .busy }
        try changes.checkFree(item.shown, in: folder)
        // Another document may have its item's name, and be shown under another one.
        let stored = item.namingKind == nil ? item.stored : try workshop.freeStoredName(of: item, shown: item.shown, in: place)
        _ = try removed.makingRoom { () throws(Errno) in
            try workshop.commit(.bringBack(item, to: place, at: path, as: stored, shown: item.shown), unfit: .invalid)
        }
        changes.cameBack(stored, in: folder, place)
    }

    /// Its name does not come back by itself any more. Nil of what somebody writes anew just now.
    private func settled(_ item: DeletedItem, in folder: NodeNumber?, _ workshop: Workshop) -> DeletedItem? {
        guard item.isAwayStill else { return item }
        removed.giveUp(item, in: folder)
        return workshop.deletedItem(item.number).flatMap { $0.isAwayStill ? nil : $0 }
    }

    /// Runs `body` alone in a folder. There is more in it then.
    private func changing(_ folder: NodeNumber, _ body: (NodeNumber, OpenFile) throws(Errno) -> Void) throws(Errno) {
        defer { lookAgain(in: folder) }
        try changes.changing(folder) { (place) throws(Errno) in try body(folder, place) }
    }

    private func lookAgain(in folder: NodeNumber) {
        tree.forgetReading(of: folder)
        try? folders.readNames(of: folder)
        kernel.tell([.content(folder)])
    }

    private func madeFolder(at path: [Name], _ workshop: Workshop) throws(Errno) -> NodeNumber {
        do throws(Errno) { return try folders.folderNode(at: path) } catch { guard error == .noSuchEntry, !path.isEmpty else { throw error } }
        try changing(madeFolder(at: path.dropLast(), workshop)) { (_, _) throws(Errno) in try workshop.commit(.makeFolder(at: path), unfit: .invalid) }
        return try folders.folderNode(at: path)
    }

    /// Brings one back to any folder, and answers what it is called there. A name is free that the kernel has not found.
    func moveOut(_ name: Name, in deletedFolder: NodeNumber, to folder: NodeNumber, as newName: Name, caller: Caller) throws(Errno) -> Name {
        let workshop = try workshop.required()
        let item = try deleted.item(name, in: deletedFolder, for: caller)
        defer { deleted.tookOut(item) }
        var shown = item.shown
        do {
            defer { lookAgain(in: folder) }
            try changes.changing(folder, for: caller) { (place) throws(Errno) in
                guard let path = tree.withLock({ $0.storedPath(of: folder) })?.names, let item = settled(item, in: nil, workshop) else { throw .busy }
                try changes.checkFree(newName, in: folder)
                // Where something else has its name there, it gets the next one for as long as it takes to rename it.
                shown = ShownName.unused(item.shown) { name in tree.withLock { $0.child(shown: name, of: folder) } != nil }
                let stored = try workshop.freeStoredName(of: item, shown: shown, in: place)
                _ = try removed.makingRoom { () throws(Errno) in
                    try workshop.commit(.bringBack(item, to: place, at: path, as: stored, shown: shown), unfit: .invalid)
                }
                changes.cameBack(stored, in: folder, place)
            }
        }
        return shown
    }

    // MARK: For good

    /// Removes these deleted items for good.
    func purge(_ numbers: [UInt64]) throws(SaveFault) {
        let workshop = try workshop.required(orFault: ())
        try DeletionFaults.collect(of: numbers, from: workshop.deletedItem) { items, faults in
            faults.attempt(items) { (item) throws(Errno) in try purge(item, workshop, by: "“valise deleted --purge”") }
        }
    }

    func purge(_ name: Name, in deletedFolder: NodeNumber, caller: Caller) throws(Errno) {
        let item = try deleted.item(name, in: deletedFolder, for: caller)
        defer { deleted.tookOut(item) }
        try purge(item, workshop.required(), by: "process \(caller.thread) of user \(caller.user), in “.valise/deleted”")
    }

    /// Somebody may look for it, and does not know that a program removed it: “rm -r DRIVE/.valise” does.
    private func purge(_ item: DeletedItem, _ workshop: Workshop, by program: String) throws(Errno) {
        guard let item = settled(item, in: try? folders.folderNode(at: item.path), workshop) else { throw .busy }
        try workshop.commit(.purge(item), unfit: .invalid)
        counts.purged.add(1, ordering: .relaxed)
        let file = (item.path + [item.shown]).map(\.description).joined(separator: "/")
        SystemLog.write(
            "“\(file)”, which was deleted before, is gone for good with its versions; it was removed by \(program)", .notice,
            [SystemLog.Field("VALISE_DOCUMENT", file)])
    }
}
