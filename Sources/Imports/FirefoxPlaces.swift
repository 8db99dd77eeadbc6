import BookmarkFiles
import Databases
import Glibc
import LinuxFiles

/// Firefox's `places.sqlite`. While Firefox runs it has the file for itself, with the last changes in a file beside it: so both are copied, and the
/// copy is read. Nothing of Firefox's is opened for writing.
public struct FirefoxPlaces {
    /// `path` is the file. What is copied is gone when `body` ends.
    public static func read(_ path: String, _ take: ListedItemTaker) throws(Failure) {
        // SAFETY: the environment is not changed by anybody here, and the array is a C string that the call fills in.
        let parent = unsafe "\(getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/valise-places-XXXXXX"
        var template = Array(parent.utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(.current, "nothing can be written in “\(parent)”: \(Errno.current)") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            // SAFETY: C strings through the calls.
            for name in ["places.sqlite", "places.sqlite-wal", "places.sqlite-shm", "places.sqlite-journal"] { _ = unsafe unlink("\(folder)/\(name)") }
            _ = unsafe rmdir(folder)
        }
        do throws(Errno) { try copyTogether(path, to: folder) } catch { throw Failure(error, "cannot copy “\(path)”: \(error)", cause: error) }
        do throws(DatabaseFault) { try readCopy("\(folder)/places.sqlite", take) } catch {
            throw Failure(.inputOutput, "“\(path)” cannot be read as Firefox's bookmarks: \(error.sentence)")
        }
    }

    /// Again, where Firefox has carried something over from one file to the other meanwhile.
    private static func copyTogether(_ path: String, to folder: String) throws(Errno) {
        let target = try Descriptor.atPath(folder, [.path, .folder])
        for attempt in 0..<20 {
            let before = try [path, path + "-wal"].map { (file) throws(Errno) in try copy(file, as: file.hasSuffix("-wal") ? "places.sqlite-wal" : "places.sqlite", target) }
            let after = [path, path + "-wal"].map { try? Descriptor.status(atPath: Array($0.utf8)) }
            if zip(before, after).allSatisfy({ $0?.modified == $1?.modified && $0?.size == $1?.size }) || attempt == 19 { return }
            usleep(50_000)
        }
    }

    private static func copy(_ file: String, as name: String, _ folder: borrowing Descriptor) throws(Errno) -> FileStatus? {
        guard let name = Name(name) else { throw .invalid }
        let source: Descriptor
        do throws(Errno) { source = try Descriptor.atPath(file, [.read, .nonBlocking]) } catch {
            guard error == .noSuchEntry, file.hasSuffix("-wal") else { throw error }
            try? folder.unlink(name)
            return nil
        }
        let status = try source.status()
        guard status.type == .regular else { throw .invalid }
        let copy = try folder.open(name, [.readWrite, .create, .truncate], mode: 0o600)
        var offset: Int64 = 0
        while true {
            let bytes = try source.read(at: offset, count: 1 << 18)
            if bytes.isEmpty { return status }
            try copy.write(bytes, at: offset)
            offset += Int64(bytes.count)
        }
    }

    private static func readCopy(_ path: String, _ take: ListedItemTaker) throws(DatabaseFault) {
        let database = try Database(path: path)
        // What is in each folder with a tag's name, under the folder of tags, has the tag.
        var tags: [Int64: [String]] = [:]
        let tagged = try database.newStatement("SELECT b.fk, f.title FROM moz_bookmarks b JOIN moz_bookmarks f ON b.parent = f.id JOIN moz_bookmarks t ON f.parent = t.id WHERE t.guid = 'tags________' AND b.fk IS NOT NULL ORDER BY f.title")
        while try tagged.step() { tags[tagged.integer(0), default: []].append(text(tagged.text(1))) }
        var folders: [Int64: (parent: Int64, name: String?)] = [:], tagFolders: Set<Int64> = []
        let named = try database.newStatement("SELECT id, parent, title, guid FROM moz_bookmarks WHERE type = 2")
        while try named.step() {
            let name: String?
            switch text(named.text(3)) {
            case "root________", "menu________": name = nil
            case "toolbar_____": name = BrowserFolder.toolbar
            case "unfiled_____": name = BrowserFolder.unfiled
            case "mobile______": name = BrowserFolder.mobile
            case "tags________":
                tagFolders.insert(named.integer(0))
                name = nil
            default: name = text(named.text(2))
            }
            folders[named.integer(0)] = (named.integer(1), name)
        }
        for (id, folder) in folders where tagFolders.contains(folder.parent) { tagFolders.insert(id) }
        let links = try database.newStatement("SELECT b.id, b.parent, b.title, b.dateAdded, b.lastModified, b.fk, p.url FROM moz_bookmarks b LEFT JOIN moz_places p ON b.fk = p.id WHERE b.type = 1 ORDER BY b.parent, b.position")
        while try links.step() {
            if tagFolders.contains(links.integer(1)) { continue }
            var path: [String] = [], parent = links.integer(1), steps = 0
            while let folder = folders[parent], steps < 1000 {
                if let name = folder.name, !name.isEmpty { path.append(name) }
                (parent, steps) = (folder.parent, steps + 1)
            }
            let link = ListedLink(
                folders: path.reversed(), name: text(links.text(2)), url: text(links.text(6)), added: links.integer(3) / 1_000_000, changed: links.integer(4) / 1_000_000,
                tags: tags[links.integer(5)] ?? [])
            if !take(link.checked(at: "bookmark \(links.integer(0))")) { return }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
