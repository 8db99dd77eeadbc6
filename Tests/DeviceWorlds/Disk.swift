import Hashes
import Replication

/// The files of a device's container. What is on it stays there, whatever its database forgets.
struct Disk {
    struct File {
        var entry: LocalEntry
        var content: Digest
        /// What a device made of it for itself, and keeps in it, as a photo's thumbnail.
        var derived: Digest?
    }

    private(set) var files: [LocalID: File] = [:]
    /// Conflicts beside their documents.
    var conflicts: [ItemID: [FactID: Digest]] = [:]
    /// Those of which somebody has decided that they are none any more.
    var decided: [ItemID: Set<FactID>] = [:]
    /// What somebody deleted and that is kept: that is decided.
    var deleted: Set<LocalID> = []
    /// What went among the deleted, whoever deleted it. It comes back as long as its content is not let go of.
    private(set) var trash: [LocalID: File] = [:]
    /// What was fetched, and what was deleted or replaced a while ago.
    var other: Set<Digest> = []
    /// The key-value store's file.
    var keys = KeyStore()
    /// What its store can have.
    let names: StoreNames
    /// Which permissions it has: all, those of the owner, or nil.
    let modes: UInt16?
    /// Whether the number of a file that is gone is that of the next one.
    let reuses: Bool
    private var free: [LocalID] = []
    /// Files that have the number of one that is gone.
    var remade: Set<LocalID> = []
    /// In so many seconds all times are one; nil where each change has a time of its own.
    let grain: Int64?
    private let clock: () -> Int64
    private var inodes: UInt64 = 0, changes: Int64 = 0

    init(_ names: StoreNames, modes: UInt16?, reuses: Bool, grain: Int64?, clock: @escaping () -> Int64) {
        (self.names, self.modes, self.reuses, self.grain, self.clock) = (names, modes, reuses, grain, clock)
    }

    static let noBytes = RandomHistory.digest(of: "")

    /// Whatever is whole here.
    var contents: Set<Digest> {
        var contents = other
        for file in files.values where file.entry.kind != .folder { contents.formUnion(file.entry.beside.union([file.content])) }
        for kept in conflicts.values { contents.formUnion(kept.values) }
        return contents
    }

    var documents: [LocalID] { files.filter { $0.value.entry.kind != .folder }.keys.sorted() }
    var folders: [LocalID] { files.filter { $0.value.entry.kind == .folder }.keys.sorted() }
    func inside(_ folder: LocalID?) -> [LocalID] { files.filter { $0.value.entry.folder == folder }.keys.sorted() }
    func file(_ folder: LocalID?, _ name: [UInt8]) -> File? {
        files.values.first { $0.entry.folder == folder && ($0.entry.name == name || WorldNames.areOne($0.entry.name, name, names)) }
    }
    func isThere(_ folder: LocalID?) -> Bool { folder.map { files[$0]?.entry.kind == .folder } ?? true }

    func isInside(_ folder: LocalID?, _ outer: LocalID) -> Bool {
        var next = folder
        while let id = next {
            if id == outer { return true }
            next = files[id]?.entry.folder
        }
        return false
    }

    func path(_ id: LocalID?) -> String {
        guard let id, let entry = files[id]?.entry else { return "" }
        return path(entry.folder) + "/" + String(decoding: entry.name, as: UTF8.self)
    }

    private mutating func stamp() -> LocalStamp {
        changes += 1
        let time = grain.map { clock() / $0 * $0 } ?? changes
        return LocalStamp(size: 0, modified: time, changed: time)
    }

    /// Whether another change would bear the time of the last one.
    func isOfThisMoment(_ stamp: LocalStamp) -> Bool { grain.map { (0..<$0).contains(clock() - stamp.changed) } ?? false }

    private mutating func number(_ kind: Location.Kind) -> LocalID {
        if kind != .folder, let id = free.popLast() {
            remade.insert(id)
            return id
        }
        inodes += 1
        return LocalID(inode: inodes, made: 0)
    }

    /// Nil where its place is not free, or the store refuses the name.
    mutating func make(in folder: LocalID?, _ name: [UInt8], _ kind: Location.Kind, _ content: Digest) -> LocalEntry? {
        guard isThere(folder), file(folder, name) == nil, !names.refuses(name, in: folder) else { return nil }
        let entry = LocalEntry(number(kind), in: folder, WorldNames.answered(name, names), kind, stamp(), digest: nil)
        files[entry.id] = File(entry: entry, content: content)
        return entry
    }

    mutating func write(_ id: LocalID, _ content: Digest, beside: Set<Digest> = []) {
        let now = stamp()
        files[id]?.entry.stamp = now
        files[id]?.entry.beside.formUnion(beside)
        files[id]?.content = content
        files[id]?.derived = nil
    }

    /// As whoever makes thumbnails: the same document in other bytes.
    mutating func derive(_ id: LocalID, _ thumbnail: Digest) {
        let now = stamp()
        files[id]?.entry.stamp = now
        files[id]?.derived = thumbnail
    }

    mutating func allow(_ id: LocalID, _ mode: UInt16) {
        guard let modes, let file = files[id], file.entry.kind != .folder, file.entry.kind != .link else { return }
        let now = stamp()
        files[id]?.entry.stamp = now
        files[id]?.entry.mode = mode & modes
    }

    /// As a backup does that is put back.
    mutating func putBack(_ id: LocalID, _ content: Digest, modified: Int64) {
        write(id, content)
        guard let stamp = files[id]?.entry.stamp else { return }
        files[id]?.entry.stamp = LocalStamp(size: stamp.size, modified: modified, changed: stamp.changed)
    }

    /// What lay beside it is among the conflicts.
    mutating func clearBeside(_ id: LocalID, _ digest: Digest) { files[id]?.entry.beside.remove(digest) }

    /// As an editor saves that writes another file and renames that.
    @discardableResult
    mutating func saveByRename(_ id: LocalID, _ content: Digest) -> LocalID? {
        guard let old = files.removeValue(forKey: id)?.entry, let new = make(in: old.folder, old.name, old.kind, content) else { return nil }
        files[new.id]?.entry.beside = old.beside
        return new.id
    }

    /// False where its place is not free, or in itself.
    mutating func move(_ id: LocalID, to folder: LocalID?, _ name: [UInt8]) -> Bool {
        guard files[id] != nil, isThere(folder), file(folder, name).map({ $0.entry.id == id }) ?? true, !names.refuses(name, in: folder), !isInside(folder, id) else { return false }
        place(id, folder, name)
        return true
    }

    mutating func exchange(_ one: LocalID, _ other: LocalID) {
        guard let first = files[one]?.entry, let second = files[other]?.entry else { return }
        place(one, second.folder, second.name)
        place(other, first.folder, first.name)
    }

    private mutating func place(_ id: LocalID, _ folder: LocalID?, _ name: [UInt8]) {
        files[id]?.entry.folder = folder
        files[id]?.entry.name = WorldNames.answered(name, names)
    }

    mutating func keep(_ item: ItemID, _ version: FactID, _ content: Digest) {
        conflicts[item, default: [:]][version] = content
        decided[item]?.remove(version)
        if decided[item]?.isEmpty == true { decided[item] = nil }
    }

    mutating func decide(_ item: ItemID, _ version: FactID) {
        guard let content = conflicts[item]?.removeValue(forKey: version) else { return }
        if conflicts[item]?.isEmpty == true { conflicts[item] = nil }
        other.insert(content)
        decided[item, default: []].insert(version)
    }

    mutating func settle(_ item: ItemID, _ version: FactID) {
        conflicts[item]?[version] = nil
        if conflicts[item]?.isEmpty == true { conflicts[item] = nil }
        decided[item]?.remove(version)
        if decided[item]?.isEmpty == true { decided[item] = nil }
    }

    mutating func putAway(_ id: LocalID) {
        trash[id] = files[id]
        remove(id)
        free.removeAll { $0 == id }
    }

    /// What can come back: its folder is there, its name is free, and its content is kept still.
    var undeletable: [LocalID] {
        trash.filter { other.contains($0.value.content) && isThere($0.value.entry.folder) && file($0.value.entry.folder, $0.value.entry.name) == nil }.keys.sorted()
    }

    mutating func undelete(_ id: LocalID) {
        guard var file = trash.removeValue(forKey: id) else { return }
        file.entry.stamp = stamp()
        file.entry.beside = []
        files[id] = file
        deleted.remove(id)
    }

    /// With all that is in it.
    mutating func remove(_ id: LocalID) {
        for inner in inside(id) { remove(inner) }
        guard let file = files.removeValue(forKey: id) else { return }
        guard file.entry.kind != .folder else { return }
        if reuses { free.append(id) }
        other.formUnion(file.entry.beside.union([file.content]))
    }
}
