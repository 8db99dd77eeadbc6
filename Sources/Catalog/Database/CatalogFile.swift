import Containers
import Databases
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
    var path: String? { if case .file(let folder, let name) = self { DatabaseFile.path(in: folder, name) } else { nil } }

    public var isFile: Bool { if case .file = self { true } else { false } }

    /// Whether there is a file that may be one.
    public var isThere: Bool { has("") }

    /// Whether whoever had it last left it in order.
    public var isSealed: Bool { has(DatabaseFile.seal) }

    private func has(_ end: String) -> Bool {
        guard case .file(let folder, let name) = self, let name = Name(name + end) else { return false }
        return (try? Descriptor.atPath(folder, [.path, .folder]).status(of: name)) != nil
    }

    /// In the user's cache; in memory where there is none. `variable` answers the variables of the environment.
    public static func cached(of container: Container, _ variable: (String) -> String?) -> CatalogPlace {
        guard let folder = folder(variable) else { return .memory }
        // Of the path and of how bookmarks and packages are shown: two drives of one container may differ in that.
        let path = String(LastingHash.of(container.path.utf8), radix: 16)
        return .file(folder: folder, name: "\(path).\(container.reader.options.word)")
    }

    private static func folder(_ variable: (String) -> String?) -> String? {
        if let cache = variable("XDG_CACHE_HOME"), cache.hasPrefix("/") { return cache + "/valise" }
        // What root does for a user leaves nothing of root's in their home.
        guard let home = variable("HOME"), home.hasPrefix("/"), (try? Descriptor.atPath(home, .path).status().owner) == geteuid() else { return nil }
        return home + "/.cache/valise"
    }
}

/// The database of a catalog, in a file or in memory.
final class CatalogFile {
    let database: Database
    private let file: DatabaseFile?

    /// Opens what is there, or makes it anew; and where neither can be, one in memory.
    static func open(_ place: CatalogPlace, about: [UInt8], _ kinds: KindRegistry) throws(DatabaseFault) -> CatalogFile {
        guard let path = place.path else { return try CatalogFile(about: about, kinds) }
        for _ in 0..<2 {
            do throws(DatabaseFault) { return try CatalogFile(path, about: about, kinds) } catch {
                guard error.kind == .damaged, DatabaseFile.discard(path) else { break }
            }
        }
        return try CatalogFile(about: about, kinds)
    }

    private init(about: [UInt8], _ kinds: KindRegistry) throws(DatabaseFault) {
        file = nil
        database = try Database(path: nil)
        // It is in memory because nothing was to be left on the disk, or found no room there.
        try database.execute("PRAGMA temp_store=MEMORY")
        try CatalogSchema.prepare(database, about: about, kinds)
    }

    private init(_ path: String, about: [UInt8], _ kinds: KindRegistry) throws(DatabaseFault) {
        let file = try DatabaseFile(
            path, prepare: { (database) throws(DatabaseFault) in try CatalogSchema.prepare(database, about: about, kinds) },
            lookThrough: { (database) throws(DatabaseFault) in try database.execute("INSERT INTO words(words) VALUES('integrity-check')") })
        (self.file, database) = (file, file.database)
    }

    var isInMemory: Bool { file == nil }

    /// Whether the file has not the name any more that it was opened by.
    var isReplaced: Bool { file?.isReplaced ?? false }

    /// Seals it, and lets the next one have it.
    func close() { file?.close() }

    /// Throws it away, and lets a new one be made.
    func discard() { file?.discard() }
}
