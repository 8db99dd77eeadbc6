import LinuxFiles
import Transactions

/// Folders that are one item go as any folder does: a program removes what is in them, one thing after another, and at last the folder. Then all of that is
/// one deleted item, with what a folder of files would not keep: links, further names of files, folders as they were.
///
/// Each thing is kept by itself until then. So nothing is lost where the program ends in the middle, or this process does.
final class FolderItemKeeping: Sendable {
    private let store: Store
    private let attributes: FileAttributes
    private let records: DeletedRecords
    private let deleted: DeletedKeeping

    init(store: Store, attributes: FileAttributes, records: DeletedRecords, deleted: DeletedKeeping) {
        (self.store, self.attributes, self.records, self.deleted) = (store, attributes, records, deleted)
    }

    /// A part that is about to go. `then`: what a folder was before something in it went.
    func hold(part stored: Name, in address: Address, like then: FileStatus?) throws(Errno) -> Outcome {
        try hold(stored, in: address, like: then, as: records.notePart(stored, from: address))
    }

    /// The folder that is the item, after all that was in it.
    func hold(folder stored: Name, in address: Address, like then: FileStatus?) throws(Errno) -> Outcome {
        try hold(stored, in: address, like: then, as: records.note(stored, .folder, from: address))
    }

    private func hold(_ stored: Name, in address: Address, like then: FileStatus?, as noted: DeletedItem?) throws(Errno) -> Outcome {
        let unheld = Outcome(stored: stored)
        guard let item = noted, let home = records.folder else { return unheld }
        do throws(Errno) {
            let status = try address.folder.descriptor.status(of: stored)
            if status.type == .folder {
                try copyFolder(stored, in: address.folder, like: then ?? status, as: item.entry, in: home)
                return Outcome(stored: stored, deleted: item)
            }
            if try store.secondName(of: stored, in: address.folder.descriptor, to: home.descriptor, as: item.entry) {
                return Outcome(stored: stored, deleted: item)
            }
            // A store that gives a link no second name has room for another one.
            if status.type == .symbolicLink {
                try home.descriptor.makeSymbolicLink(item.entry, to: address.folder.descriptor.readSymbolicLink(stored))
                return Outcome(stored: stored, deleted: item)
            }
            records.forget(item)
        } catch {
            try? home.descriptor.removeTree(item.entry)
            records.forget(item, after: error)
            if !error.isFull { throw error }
        }
        return unheld
    }

    /// Nothing that is in it.
    private func copyFolder(_ stored: Name, in folder: OpenFile, like status: FileStatus, as entry: Name, in home: OpenFile) throws(Errno) {
        try home.descriptor.makeFolder(entry, mode: 0o700)
        let own = OpenFile(try folder.descriptor.open(stored, [.path, .folder]))
        try attributes.dress(home.descriptor.open(entry, [.read, .folder]), like: status, [own])
    }

    // MARK: All of it

    /// Of several things that had one place after each other, the last: the others are deleted items by themselves.
    func gather(_ numbers: [UInt64], into item: DeletedItem) throws(Errno) -> Outcome {
        guard let home = records.folder else { throw .noSuchEntry }
        let top = item.path + [item.stored]
        var places: Set<[Name]> = []
        let parts = numbers.compactMap(records.itemOrPart).filter { $0.path.starts(with: top) && $0.away == 0 }.sorted { $0.number > $1.number }
            .filter { places.insert($0.path + [$0.stored]).inserted }.sorted { ($0.path.count, $0.number) < ($1.path.count, $1.number) }
        var folders = try GatheredFolders(item.entry, in: home, store)
        for part in parts {
            // What cannot be moved there stays a deleted item by itself.
            guard (try? place(part, at: Array(part.path.dropFirst(top.count)), &folders, home)) != nil else { continue }
            records.forget(part)
        }
        folders.dress { path, folder in
            if let status = folder.status {
                try? attributes.dress(folder.file.descriptor, like: status, [])
                return
            }
            let then = records.folder(at: top + path)
            if let then { try? store.setOwner(then.owner, group: then.group, of: folder.file.descriptor) }
            try? store.setPermissions(then?.mode ?? 0o755, of: folder.file.descriptor)
        }
        return try deleted.takeVersionsAlong(item)
    }

    private func place(_ part: DeletedItem, at path: [Name], _ folders: inout GatheredFolders, _ home: OpenFile) throws(Errno) {
        guard try !home.descriptor.exists(part.versionsEntry) else { throw .exists }
        let folder = try folders.folder(at: path)
        if try home.descriptor.status(of: part.entry).type == .folder {
            try folders.add(part.entry, in: home, to: folder, at: path + [part.stored])
        } else {
            try store.add(part.entry, of: home.descriptor, to: folder.descriptor, as: part.stored)
        }
    }
}

/// The folders of an item that becomes whole again, each open and for this process alone until all is in it.
private struct GatheredFolders {
    struct Folder {
        let file: OpenFile
        /// What it is to be like again; nil for one that was made for what is in it.
        let status: FileStatus?
    }

    private var folders: [[Name]: Folder]
    private let store: Store

    init(_ entry: Name, in home: OpenFile, _ store: Store) throws(Errno) {
        self.store = store
        folders = [[]: try Self.opened(entry, in: home, store)]
    }

    private static func opened(_ name: Name, in folder: OpenFile, _ store: Store) throws(Errno) -> Folder {
        let place = try folder.descriptor.open(name, [.path, .folder]), status = try place.status()
        try store.setPlacePermissions(0o700, of: place)
        return Folder(file: OpenFile(try folder.descriptor.open(name, [.read, .folder])), status: status)
    }

    /// Made where it is missing.
    mutating func folder(at path: [Name]) throws(Errno) -> OpenFile {
        if let known = folders[path] { return known.file }
        guard let name = path.last else { throw .noSuchEntry }
        let parent = try folder(at: path.dropLast())
        try parent.descriptor.makeFolder(name, mode: 0o700)
        let made = OpenFile(try parent.descriptor.open(name, [.read, .folder]))
        folders[path] = Folder(file: made, status: nil)
        return made
    }

    /// One that was held by itself.
    mutating func add(_ entry: Name, in home: OpenFile, to parent: OpenFile, at path: [Name]) throws(Errno) {
        guard let name = path.last else { throw .noSuchEntry }
        let folder = try Self.opened(entry, in: home, store)
        try store.add(entry, of: home.descriptor, to: parent.descriptor, as: name)
        folders[path] = folder
    }

    /// Those that are in others come first, because each changes the time of what it is in.
    func dress(_ body: ([Name], Folder) -> Void) {
        for (path, folder) in folders.sorted(by: { $0.key.count > $1.key.count }) { body(path, folder) }
    }
}
