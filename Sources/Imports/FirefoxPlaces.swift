import BookmarkFiles
import Databases
import Glibc
import LinuxFiles

/// Firefox's `places.sqlite`. While Firefox runs it has the file for itself, with the last changes in a file beside it: so both are copied, and the
/// copy is read. Otherwise it is read where it lies. Nothing of Firefox's is opened for writing.
///
/// Anybody may have written it: what is read of it is bounded by its size, the work by a number of steps, and whoever waits may end it.
public struct FirefoxPlaces {
    /// More is not copied: Firefox keeps its file far smaller.
    private static let longestCopy: Int64 = 1 << 30
    /// No title and no address is longer.
    private static let longestText: Int32 = 1 << 20
    /// The wish to stop is looked for after so many steps of the database's, and there are no more than so many of these looks.
    private static let steps: Int32 = 10_000, mostLooks = 50_000
    /// No more is taken of any file.
    private static let mostBytes: Int64 = 256 << 20
    /// So many tags a link has at most.
    private static let mostTags = 100

    /// `path` is the file. What is copied is gone when it ends. `goesOn` is asked now and then; after a false answer it returns with what it had.
    public static func read(_ path: String, goesOn: @escaping () -> Bool = { true }, _ take: ListedItemTaker) throws(Failure) {
        let isAlone = ["-wal", "-journal"].allSatisfy { (try? Descriptor.status(atPath: Array((path + $0).utf8), following: false)) == nil }
        do throws(DatabaseFault) {
            guard isAlone else { return try readCopy(path, goesOn, take) }
            let size: Int64
            do throws(Errno) {
                let status = try Descriptor.atPath(path, [.read, .nonBlocking]).status()
                guard status.type == .regular else { throw .invalid }
                size = stored(status)
            } catch { throw DatabaseFault(.unavailable, "it cannot be opened: \(error)") }
            try read(try Database(unchanging: Array(path.utf8)), size: size, goesOn, take)
        } catch {
            // That it was ended is nobody's fault: whoever takes what is listed hears of nothing more.
            guard goesOn() else {
                _ = take(.other)
                return
            }
            throw Failure(.inputOutput, "“\(path)” cannot be read as Firefox's bookmarks: \(error.sentence)")
        }
    }

    // MARK: The copy

    private static func readCopy(_ path: String, _ goesOn: @escaping () -> Bool, _ take: ListedItemTaker) throws(DatabaseFault) {
        // SAFETY: the environment is not changed by anybody here, and the array is a C string that the call fills in.
        let parent = unsafe "\(getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/valise-places-XXXXXX"
        var template = Array(parent.utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw DatabaseFault(.unavailable, "nothing can be written in “\(parent)”: \(Errno.current)") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            // SAFETY: C strings through the calls.
            for name in ["places.sqlite", "places.sqlite-wal", "places.sqlite-shm", "places.sqlite-journal"] { _ = unsafe unlink("\(folder)/\(name)") }
            _ = unsafe rmdir(folder)
        }
        let size: Int64
        do throws(Errno) { size = try copyTogether(path, to: folder, goesOn) } catch {
            guard error == .fileTooLarge else { throw DatabaseFault(.unavailable, "it cannot be copied: \(error)") }
            throw DatabaseFault(.unavailable, "it is more than a gigabyte long, which is not copied. When Firefox is closed it is read where it lies")
        }
        try read(try Database(path: "\(folder)/places.sqlite"), size: size, goesOn, take)
    }

    /// Again, where Firefox has carried something over from one file to the other meanwhile. How many bytes there are.
    private static func copyTogether(_ path: String, to folder: String, _ goesOn: () -> Bool) throws(Errno) -> Int64 {
        let target = try Descriptor.atPath(folder, [.path, .folder])
        var attempt = 0, copied: Int64 = 0
        while true {
            attempt += 1
            let before = try [path, path + "-wal"].map { (file) throws(Errno) in
                try copy(file, as: file.hasSuffix("-wal") ? "places.sqlite-wal" : "places.sqlite", target, goesOn)
            }
            let after = [path, path + "-wal"].map { try? Descriptor.status(atPath: Array($0.utf8)) }
            copied += before.reduce(0) { $0 + ($1?.size ?? 0) }
            let isStill = zip(before, after).allSatisfy { $0?.modified == $1?.modified && $0?.size == $1?.size }
            if isStill || attempt == 20 || copied > longestCopy { return before.reduce(0) { $0 + ($1.map(stored) ?? 0) } }
            usleep(50_000)
        }
    }

    private static func copy(_ file: String, as name: String, _ folder: borrowing Descriptor, _ goesOn: () -> Bool) throws(Errno) -> FileStatus? {
        guard let name = Name(name) else { throw .invalid }
        let source: Descriptor
        do throws(Errno) { source = try Descriptor.atPath(file, [.read, .nonBlocking]) } catch {
            guard error == .noSuchEntry, file.hasSuffix("-wal") else { throw error }
            try? folder.unlink(name)
            return nil
        }
        let status = try source.status()
        guard status.type == .regular else { throw .invalid }
        guard status.size <= longestCopy else { throw .fileTooLarge }
        let copy = try folder.open(name, [.readWrite, .create, .truncate], mode: 0o600)
        var offset: Int64 = 0
        while goesOn(), offset <= longestCopy {
            let bytes = try source.read(at: offset, count: 1 << 18)
            if bytes.isEmpty { break }
            // A hole stays one.
            if bytes.contains(where: { $0 != 0 }) { try copy.write(bytes, at: offset) }
            offset += Int64(bytes.count)
        }
        guard goesOn() else { throw .interrupted }
        try copy.truncate(to: offset)
        return status
    }

    // MARK: What is in it

    /// How many bytes a file has, without its holes: nothing is in these.
    private static func stored(_ status: FileStatus) -> Int64 { min(status.size, status.blocks.multipliedReportingOverflow(by: 512).partialValue) }

    /// What is read of each table. A column's formula is one step, however long it takes, and says more than is in the file; so does a table that is made up.
    /// Firefox has neither.
    private static let columns = ["moz_bookmarks": ["rowid", "type", "fk", "parent", "position", "title", "dateadded", "lastmodified", "guid"], "moz_places": ["rowid", "url"]]

    private static func checkIsPlain(_ database: Database) throws(DatabaseFault) {
        for (table, columns) in columns {
            let isOther = "SELECT count(*) FROM sqlite_master WHERE lower(name) = '\(table)' AND (type = 'table' AND rootpage > 0 AND upper(substr(sql, 1, 12)) = 'CREATE TABLE') IS NOT 1"
            guard try database.integer(isOther) == 0 else { throw DatabaseFault(.damaged, "“\(table)” in it is no plain table: Firefox's is") }
            let rows = try database.newStatement("PRAGMA table_xinfo(\(table))")
            while try rows.step() {
                let name = String(decoding: rows.text(1), as: UTF8.self).lowercased()
                if rows.integer(6) != 0, columns.contains(name) { throw DatabaseFault(.damaged, "“\(name)” of “\(table)” in it is made by a formula: Firefox's is not") }
            }
        }
    }

    private static func read(_ database: Database, size: Int64, _ goesOn: @escaping () -> Bool, _ take: ListedItemTaker) throws(DatabaseFault) {
        var looks = 0
        database.limit(length: longestText, steps: steps) {
            looks += 1
            return looks <= mostLooks && goesOn()
        }
        do throws(DatabaseFault) {
            try checkIsPlain(database)
            var reading = Reading(database, size: size)
            try reading.links(take)
        } catch {
            if looks > mostLooks { throw DatabaseFault(.damaged, "it takes too long: Firefox writes none that does") }
            throw error
        }
    }

    /// Each table is gone through by itself: no row is looked for but by its number.
    private struct Reading {
        let database: Database
        /// So many bytes may still be taken. A file can have the same ones in many places.
        private var left: Int64
        private var folders: [Int64: (parent: Int64, name: String?)] = [:]
        private var tagFolders: Set<Int64> = []
        private var tags: [Int64: [String]] = [:]

        init(_ database: Database, size: Int64) {
            self.database = database
            // Some file systems say only later how much of a new file they have stored.
            left = min(max(size, 1 << 22), mostBytes / 4) * 4
        }

        private mutating func spend(_ count: Int) throws(DatabaseFault) {
            left -= Int64(count)
            guard left >= 0 else { throw DatabaseFault(.damaged, "it says the same again and again") }
        }

        /// A row counts like what the shortest takes in the file.
        private mutating func next(_ rows: Statement) throws(DatabaseFault) -> Bool {
            guard try rows.step() else { return false }
            try spend(8)
            return true
        }

        private mutating func text(_ row: Statement, _ column: Int32) throws(DatabaseFault) -> String {
            let bytes = row.text(column)
            try spend(bytes.count)
            return String(decoding: bytes, as: UTF8.self)
        }

        /// A text of the row with a number.
        private mutating func text(_ row: Statement, of number: Int64) throws(DatabaseFault) -> String {
            row.reset()
            try row.bind([.integer(number)])
            return try row.step() ? try text(row, 0) : ""
        }

        private mutating func readFolders() throws(DatabaseFault) {
            let named = try database.newStatement("SELECT rowid, CAST(parent AS INTEGER), title, guid FROM moz_bookmarks WHERE type = 2")
            while try next(named) {
                let name: String?
                switch try text(named, 3) {
                case "root________", "menu________": name = nil
                case "toolbar_____": name = BrowserFolder.toolbar
                case "unfiled_____": name = BrowserFolder.unfiled
                case "mobile______": name = BrowserFolder.mobile
                case "tags________":
                    tagFolders.insert(named.integer(0))
                    name = nil
                default: name = try text(named, 2)
                }
                folders[named.integer(0)] = (named.integer(1), name)
            }
        }

        /// What is in a folder with a tag's name, under the folder of tags, has the tag.
        private mutating func readTags() throws(DatabaseFault) {
            let inTags = folders.filter { [tagFolders] in tagFolders.contains($0.value.parent) }
            tagFolders.formUnion(inTags.keys)
            let tagged = try database.newStatement("SELECT CAST(parent AS INTEGER), CAST(fk AS INTEGER) FROM moz_bookmarks WHERE type = 1 AND fk IS NOT NULL")
            while try next(tagged) {
                guard let name = inTags[tagged.integer(0)]?.name, tags[tagged.integer(1)]?.count ?? 0 < mostTags else { continue }
                tags[tagged.integer(1), default: []].append(name)
            }
        }

        mutating func links(_ take: ListedItemTaker) throws(DatabaseFault) {
            try readFolders()
            try readTags()
            // Only numbers are sorted: a long sort goes into a file.
            let links = try database.newStatement("""
                SELECT rowid, CAST(parent AS INTEGER), CAST(dateAdded AS INTEGER), CAST(lastModified AS INTEGER), CAST(fk AS INTEGER) FROM moz_bookmarks \
                WHERE type = 1 ORDER BY CAST(parent AS INTEGER), CAST(position AS INTEGER)
                """)
            let title = try database.newStatement("SELECT title FROM moz_bookmarks WHERE rowid = ?"), url = try database.newStatement("SELECT url FROM moz_places WHERE rowid = ?")
            while try next(links) {
                if tagFolders.contains(links.integer(1)) { continue }
                var path: [String] = [], parent = links.integer(1), steps = 0
                while let folder = folders[parent], steps < 1000 {
                    if let name = folder.name, !name.isEmpty { path.append(name) }
                    (parent, steps) = (folder.parent, steps + 1)
                }
                let tags = (tags[links.integer(4)] ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                let link = ListedLink(
                    folders: path.reversed(), name: try text(title, of: links.integer(0)), url: try text(url, of: links.integer(4)), added: links.integer(2) / 1_000_000,
                    changed: links.integer(3) / 1_000_000, tags: tags)
                if !take(link.checked(at: "bookmark \(links.integer(0))")) { return }
            }
        }
    }
}
