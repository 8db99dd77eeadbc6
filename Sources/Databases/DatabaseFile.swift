import Glibc
import LinuxFiles

/// A database's file: it is opened, judged and thrown away.
///
/// Who has it open holds a lock on a file beside it, and has it alone: what several processes share of it can be taken from under them.
/// Who closes it seals it: writes down what the file is like. One that is sealed and is something else was changed by somebody else,
/// and is not believed; one without a seal was left by a process that was killed, which SQLite mends, and it is looked through.
package final class DatabaseFile {
    package let database: Database
    private let path: String
    private let lock: OpenFile
    private let identity: FileIdentity?

    /// Opens what is there, or makes it anew. `prepare` makes its tables, or sees that they are its own; `lookThrough` looks at what SQLite does not
    /// know to look at, where nobody sealed it.
    package init(_ path: String, prepare: (Database) throws(DatabaseFault) -> Void, lookThrough: (Database) throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        guard let lock = Self.lockFile(path) else { throw DatabaseFault(.unavailable, "it cannot be locked") }
        try Self.wait(for: lock)
        if Self.isChanged(path) { throw DatabaseFault(.damaged, "somebody else changed it") }
        let wasSealed = Self.isRemoved(path + Self.seal)
        database = try Database(path: path)
        try prepare(database)
        if !wasSealed {
            try Self.lookThrough(database)
            try lookThrough(database)
        }
        (self.path, self.lock, identity) = (path, lock, Self.identity(path))
    }

    /// Whether the file has not the name any more that it was opened by.
    package var isReplaced: Bool { Self.identity(path) != identity }

    private static func identity(_ path: String) -> FileIdentity? { try? Descriptor.atPath(path, .path).status().identity }

    /// Seals it, and lets the next one have it.
    package func close() {
        defer { _ = flock(lock.descriptor.rawValue, LOCK_UN) }
        guard (try? database.integer("PRAGMA wal_checkpoint(TRUNCATE)")) == 0, let words = Self.words(of: path),
            let seal = try? Descriptor.atPath(Self.folder(of: path), [.path, .folder]), let name = Name(Self.name(of: path) + Self.seal)
        else { return }
        if let file = try? seal.open(name, [.write, .create, .truncate], mode: 0o600) { try? file.write(words, at: 0) }
    }

    /// Another process that has it is done in a moment, or takes so long that this one goes on without the file.
    private static func wait(for lock: OpenFile) throws(DatabaseFault) {
        let deadline = Monotonic.milliseconds + Int64(Database.patience)
        while flock(lock.descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
            guard Monotonic.milliseconds < deadline else { throw DatabaseFault(.busy, "another process has it") }
            usleep(5000)
        }
    }

    /// Throws it away, with all that belongs to it, and lets a new one be made. Where a folder is in its place, nothing is thrown away.
    package func discard() {
        _ = Self.discard(path)
        _ = flock(lock.descriptor.rawValue, LOCK_UN)
    }

    /// What the name of the file ends with that says what it was like when it was closed.
    package static let seal = ".seal"

    /// SQLite knows files by paths only, so it is one by which nobody else can lead it anywhere; nil where somebody could.
    package static func path(in folder: String, _ name: String) -> String? {
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
    }

    /// Throws away a file that nobody has open, with all that belongs to it. False where something else is in its place.
    package static func discard(_ path: String) -> Bool {
        // SAFETY: C strings through the calls.
        for suffix in ["-wal", "-shm", "-journal", seal] { _ = isRemoved(path + suffix) }
        if isRemoved(path) || Errno.current == .noSuchEntry { return true }
        return unsafe rmdir(path) == 0
    }

    // SAFETY: a C string through the call.
    private static func isRemoved(_ path: String) -> Bool { unsafe unlink(path) == 0 }
}
