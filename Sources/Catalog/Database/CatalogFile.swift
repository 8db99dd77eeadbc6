import Containers
import Glibc
import LinuxFiles

/// Where a catalog lies.
public enum CatalogPlace: Sendable {
    case memory
    /// A file of this name in a folder, which is made where it is missing; with others beside it whose names begin so. One catalog at a
    /// time has it.
    case file(folder: String, name: String)
}

// Where catalogs lie: among what can be made anew, each user's own.
extension CatalogPlace {
    /// In Valise's own folder of a container, for the one who writes there; otherwise in memory. What root keeps in somebody else's
    /// container lies in a folder of theirs, where SQLite would find it by a path that they can change.
    public static func own(of container: Container, isWriter: Bool) -> CatalogPlace {
        guard isWriter, let state = (try? container.ownState()) ?? nil, let base = try? container.base.descriptor.status(), base.owner == geteuid(),
            // SQLite knows files by paths only. In this one nobody but this user can change anything.
            let path = try? AbsolutePath.of(state.descriptor)
        else { return .memory }
        return .file(folder: path, name: "catalog.sqlite")
    }

    /// For a process that may write nowhere but there: what SQLite has to put aside is put aside beside the catalog. Before it is opened.
    public func keepTemporaryFilesBeside() {
        if case .file(let folder, _) = self { Database.keepTemporaryFiles(in: folder) }
    }

    /// Where its file is, for who opens it once more; nil where somebody else could have put another one there.
    var path: String? { if case .file(let folder, let name) = self { CatalogFile.path(in: folder, name) } else { nil } }

    public var isFile: Bool { if case .file = self { true } else { false } }

    /// Whether there is a file that may be one.
    public var isThere: Bool { has("") }

    /// Whether whoever had it last left it in order.
    public var isSealed: Bool { has(CatalogFile.seal) }

    private func has(_ end: String) -> Bool {
        guard case .file(let folder, let name) = self, let name = Name(name + end) else { return false }
        return (try? Descriptor.atPath(folder, [.path, .folder]).status(of: name)) != nil
    }

    /// In the user's cache; in memory where there is none. `variable` answers the variables of the environment.
    public static func cached(of container: Container, _ variable: (String) -> String?) -> CatalogPlace {
        guard let folder = folder(variable) else { return .memory }
        // Of the path and of how bookmarks are shown: two drives of one container may differ in that.
        return .file(folder: folder, name: "\(String(container.path.utf8.lastingHash, radix: 16)).\(container.reader.options.linkForm.rawValue)")
    }

    private static func folder(_ variable: (String) -> String?) -> String? {
        if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/valise" }
        // What root does for a user leaves nothing of root's in their home.
        guard let home = variable("HOME"), home.hasPrefix("/"), (try? Descriptor.atPath(home, .path).status().owner) == geteuid() else { return nil }
        return home + "/.cache/valise"
    }
}

/// A catalog's file: it is opened, judged and thrown away.
///
/// Who has it open holds a lock on a file beside it, and has it alone: what several processes share of it can be taken from under them.
/// Who closes it seals it: writes down what the file is like. One that is sealed and is something else was changed by somebody else,
/// and is not believed; one without a seal was left by a process that was killed, which SQLite mends, and it is looked through.
final class CatalogFile {
    let database: Database
    private let path: String?
    private let lock: OpenFile?
    private let identity: FileIdentity?

    /// Opens what is there, or makes it anew; and where neither can be, one in memory.
    static func open(_ place: CatalogPlace, about: [UInt8]) throws(DatabaseFault) -> CatalogFile {
        guard case .file(let folder, let name) = place, let path = path(in: folder, name) else { return try CatalogFile(about: about) }
        for _ in 0..<2 {
            do throws(DatabaseFault) { return try CatalogFile(path, about: about) } catch {
                guard error.kind == .damaged, discard(path) else { break }
            }
        }
        return try CatalogFile(about: about)
    }

    private init(about: [UInt8]) throws(DatabaseFault) {
        (path, lock, identity) = (nil, nil, nil)
        database = try Database(path: nil)
        // It is in memory because nothing was to be left on the disk, or found no room there.
        try database.execute("PRAGMA temp_store=MEMORY")
        try CatalogSchema.prepare(database, about: about)
    }

    private init(_ path: String, about: [UInt8]) throws(DatabaseFault) {
        guard let lock = Self.lockFile(path) else { throw DatabaseFault(.unavailable, "it cannot be locked") }
        try Self.wait(for: lock)
        if Self.isChanged(path) { throw DatabaseFault(.damaged, "somebody else changed it") }
        let wasSealed = Self.isRemoved(path + Self.seal)
        database = try Database(path: path)
        try CatalogSchema.prepare(database, about: about)
        if !wasSealed { try Self.lookThrough(database) }
        (self.path, self.lock, identity) = (path, lock, Self.identity(path))
    }

    var isInMemory: Bool { path == nil }

    var isReplaced: Bool { path.map { Self.identity($0) != identity } ?? false }

    private static func identity(_ path: String) -> FileIdentity? { try? Descriptor.atPath(path, .path).status().identity }

    /// Seals it, and lets the next one have it.
    func close() {
        guard let path, let lock else { return }
        defer { _ = flock(lock.descriptor.rawValue, LOCK_UN) }
        guard (try? database.integer("PRAGMA wal_checkpoint(TRUNCATE)")) == 0, let words = Self.words(of: path),
            let seal = try? Descriptor.atPath(Self.folder(of: path), [.path, .folder]), let name = Name(Self.name(of: path) + Self.seal)
        else { return }
        if let file = try? seal.open(name, [.write, .create, .truncate], mode: 0o600) { try? file.write(words, at: 0) }
    }

    /// A search that another process has begun is over in a moment, or takes so long that this one goes on without the file.
    private static func wait(for lock: OpenFile) throws(DatabaseFault) {
        let deadline = Monotonic.milliseconds + Int64(Database.patience)
        while flock(lock.descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
            guard Monotonic.milliseconds < deadline else { throw DatabaseFault(.busy, "another process has it") }
            usleep(5000)
        }
    }

    /// Throws it away, with all that belongs to it, and lets a new one be made. Where a folder is in its place, nothing is thrown away.
    func discard() {
        guard let path, let lock else { return }
        _ = Self.discard(path)
        _ = flock(lock.descriptor.rawValue, LOCK_UN)
    }

    fileprivate static let seal = ".seal"

    /// SQLite knows files by paths only, so it is one by which nobody else can lead it anywhere.
    fileprivate static func path(in folder: String, _ name: String) -> String? {
        guard let folder = OwnFolder.path(of: folder), ["", "-wal", "-shm", "-journal", seal, ".lock"].allSatisfy({ OwnFolder.hasOwn(name + $0, in: folder) }) else { return nil }
        return "\(folder)/\(name)"
    }

    private static func lockFile(_ path: String) -> OpenFile? {
        guard let folder = try? Descriptor.atPath(folder(of: path), [.path, .folder]), let lock = Name(name(of: path) + ".lock"), let file = Name(name(of: path)) else { return nil }
        // SQLite would make it readable for everybody.
        _ = try? folder.open(file, [.write, .create, .nonBlocking], mode: 0o600)
        do throws(Errno) { return OpenFile(try folder.open(lock, [.readWrite, .create, .nonBlocking], mode: 0o600)) } catch { return nil }
    }

    private static func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
    private static func name(of path: String) -> String { String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]) }

    private static func words(of path: String) -> [UInt8]? {
        guard let status = try? Descriptor.atPath(path, .path).status(), status.type == .regular else { return nil }
        return Array("\(status.identity.number) \(status.size) \(status.modified.seconds).\(status.modified.nanoseconds) \(status.changed.seconds).\(status.changed.nanoseconds)\n".utf8)
    }

    /// Whether there is a seal, and it is another one's.
    private static func isChanged(_ path: String) -> Bool {
        guard let seal = try? Descriptor.atPath(path + seal, [.read, .nonBlocking]) else { return false }
        return (try? seal.readAll(limit: 4096)) != words(of: path)
    }

    private static func lookThrough(_ database: Database) throws(DatabaseFault) {
        let statement = try database.newStatement("PRAGMA integrity_check(1)")
        guard try statement.step(), statement.text(0) == Array("ok".utf8) else { throw DatabaseFault(.damaged, "it does not fit together") }
        try database.execute("INSERT INTO words(words) VALUES('integrity-check')")
    }

    private static func discard(_ path: String) -> Bool {
        // SAFETY: C strings through the calls.
        for suffix in ["-wal", "-shm", "-journal", seal] { _ = isRemoved(path + suffix) }
        if isRemoved(path) || Errno.current == .noSuchEntry { return true }
        return unsafe rmdir(path) == 0
    }

    // SAFETY: a C string through the call.
    private static func isRemoved(_ path: String) -> Bool { unsafe unlink(path) == 0 }
}
