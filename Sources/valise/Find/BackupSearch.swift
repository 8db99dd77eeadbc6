import Catalog
import Containers
import LinuxFiles
import Predicates
import Shell

/// `valise find` on the drive of a backup: a backup has no catalog, so its folders are gone through. Names, kinds, sizes and times are compared; contents are
/// not looked into, because that would decrypt all of them.
struct BackupSearch {
    private let mount: MountTable.Mount
    /// From the drive's top on.
    private let folder: [Name]
    private let kinds = PersonsKinds.own.registry

    private static let deepest = 256

    init(_ mount: MountTable.Mount, _ folder: [Name]) { (self.mount, self.folder) = (mount, folder) }

    /// Where the paths of what is found begin.
    var top: String { mount.mountpoint == "/" ? "" : mount.mountpoint }

    /// Attributes that only contents have.
    static let unknown: Set<Attribute> = [.text, .url, .title]

    func run(_ query: CatalogQuery, _ answer: FoundLines) throws(Stop) {
        let asked = query.predicate.attributes.intersection(Self.unknown).map(\.rawValue).sorted()
        guard asked.isEmpty else {
            throw Stop(
                1, "\(quoted(mount.mountpoint)) is a backup, in which contents are not searched (\(asked.joined(separator: ", "))); names, kinds, sizes and times are; "
                    + "for words in files: grep -r WORD \(shellWord(mount.mountpoint))")
        }
        let progress = Progress("items looked at"), isSorted = !query.sort.isEmpty
        var found: [FoundItem] = [], looked = 0, left = query.limit ?? .max
        /// Whether more is wanted.
        func take(_ item: FoundItem) -> Bool {
            looked += 1
            if looked % 256 == 0 {
                answer.flush()
                progress.show(looked)
            }
            guard left > 0, item.fits(query, below: top) else { return left > 0 }
            if isSorted { found.append(item) } else {
                left -= 1
                return answer.add(item) && left > 0
            }
            return true
        }
        do throws(Errno) {
            var place = OpenFile(try Descriptor.atPath(mount.mountpoint, [.path, .folder]))
            for name in folder { place = OpenFile(try place.descriptor.open(name, [.path, .folder])) }
            _ = try walk(place, folder, take)
        } catch { throw Stop(1, "\(quoted(mount.mountpoint)) cannot be gone through: \(error)") }
        progress.end()
        for item in FoundItem.sorted(found, by: query) { if !answer.add(item) { break } }
        answer.flush()
    }

    /// False where no more is wanted.
    private func walk(_ place: OpenFile, _ path: [Name], _ take: (FoundItem) -> Bool) throws(Errno) -> Bool {
        var entries = try FolderReader(untraced: place.descriptor), folders: [Name] = []
        var names: [(name: Name, status: FileStatus, born: Timestamp?)] = []
        while let entry = try entries.next() {
            guard let (status, born) = try? place.descriptor.statusAndBirth(of: entry.name) else { continue }
            if status.type == .folder, !isItem(entry.name) { folders.append(entry.name) } else { names.append((entry.name, status, born)) }
        }
        for (name, status, born) in names.sorted(by: { $0.name < $1.name }) {
            let size = status.type == .folder ? try size(below: name, in: place) : status.size
            guard take(FoundItem(named: name, in: path, status, born: born, size: size, kinds)) else { return false }
        }
        guard path.count < Self.deepest else { return true }
        for name in folders.sorted() {
            guard let inner = try? OpenFile(place.descriptor.open(name, [.path, .folder])) else { continue }
            guard try walk(inner, path + [name], take) else { return false }
        }
        return true
    }

    /// A package is one item.
    private func isItem(_ name: Name) -> Bool { kinds.candidate(for: name, isFolder: true) != nil || kinds.isOwnPackage(name) }

    private func size(below name: Name, in place: OpenFile, depth: Int = 0) throws(Errno) -> Int64 {
        let folder = OpenFile(try place.descriptor.open(name, [.path, .folder]))
        var entries = try FolderReader(untraced: folder.descriptor), sum: Int64 = 0
        while let entry = try entries.next() {
            let status = try folder.descriptor.status(of: entry.name)
            if status.type != .folder { sum += status.size } else if depth < Self.deepest { sum += try size(below: entry.name, in: folder, depth: depth + 1) }
        }
        return sum
    }
}
