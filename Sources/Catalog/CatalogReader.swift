import Containers
import Databases
import LinuxFiles

/// Reads a catalog that another thread of the process keeps, beside that one. Whoever has it is alone with it.
public final class CatalogReader {
    private let database: Database
    private let kinds: KindRegistry

    /// nil where the file cannot be read. `kinds`: those that it was made with.
    public init?(_ place: CatalogPlace, _ kinds: KindRegistry) {
        guard let path = place.path, let database = try? Database(path: path),
            (try? database.execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA cache_size=-1000")) != nil
        else { return nil }
        (self.database, self.kinds) = (database, kinds)
        // What everybody needs is read now, and not while somebody waits.
        _ = looking { () throws(DatabaseFault) in try found(Name(constant: "-"), [], nil) }
    }

    /// What has a shown name in a folder of the documents: its stored name, if the folder has the times with which it was read. Names that
    /// follow from those of others are not answered: of those, nobody has looked whether they are as they were.
    public func storedName(of shown: Name, in path: [Name], _ status: FileStatus) -> Name? { looking { () throws(DatabaseFault) in try found(shown, path, status) } }

    /// What is known of a folder's documents; nil where the catalog does not know the folder.
    public func documents(in path: [Name]) -> KnownDocuments? { looking { () throws(DatabaseFault) in try known(path) } }

    /// The file is locked once for all of a look.
    private func looking<Found>(_ body: () throws(DatabaseFault) -> Found?) -> Found? {
        do throws(DatabaseFault) {
            try database.run("BEGIN")
            let found = try body()
            try database.run("COMMIT")
            return found
        } catch {
            try? database.run("ROLLBACK")
            return nil
        }
    }

    private func known(_ path: [Name]) throws(DatabaseFault) -> KnownDocuments? {
        guard let folder = try folder(at: path) else { return nil }
        return try KnownDocuments(database, folder: folder.id, kinds)
    }

    private func folder(at path: [Name]) throws(DatabaseFault) -> (id: Int64, stamp: Int64)? {
        guard var folder = try folder([], in: 0) else { return nil }
        for name in path {
            guard let inner = try self.folder(name.bytes, in: folder.id) else { return nil }
            folder = inner
        }
        return folder
    }

    private func found(_ shown: Name, _ path: [Name], _ status: FileStatus?) throws(DatabaseFault) -> Name? {
        guard let folder = try folder(at: path) else { return nil }
        if let status { guard folder.stamp != 0, folder.stamp == ItemStamp.of(folder: status).compared else { return nil } }
        if try self.folder(shown.bytes, in: folder.id) != nil { return shown }
        let rows = try database.statement("SELECT stored, natural IS NULL AND copied IS NULL FROM items WHERE shown=? AND folder=?")
        defer { rows.reset() }
        try rows.bind([.text(shown.bytes), .integer(folder.id)])
        guard try rows.step(), rows.integer(1) != 0, let stored = Name(rows.text(0)) else { return nil }
        return try rows.step() ? nil : stored
    }

    /// Hands on what is found, in the order that is asked for; `found` answers whether to go on. The catalog has to be up to date: nothing is looked at.
    public func search(_ query: CatalogQuery, of container: Container, found: (FoundItem) -> Bool) throws(Failure) {
        var left = query.limit ?? Int.max
        guard left > 0 else { return }
        do throws(DatabaseFault) {
            let folders = try FolderTable(reading: database, hasData: container.hasDocumentsFolder)
            let run = SearchRun(query, ItemTable(database: database, kinds: container.kinds), container, folders)
            _ = try run.run(.everything, folders, isConfirmed: true) { item in
                left -= 1
                return found(item) && left > 0
            }
        } catch { throw Failure(.inputOutput, "the catalog cannot be read: \(error.sentence)") }
    }

    private func folder(_ name: [UInt8], in parent: Int64) throws(DatabaseFault) -> (id: Int64, stamp: Int64)? {
        let rows = try database.statement("SELECT id, stamp FROM folders WHERE parent=? AND stored=?")
        defer { rows.reset() }
        try rows.bind([.integer(parent), .text(name)])
        return try rows.step() ? (rows.integer(0), rows.integer(1)) : nil
    }
}
