import Documents
import LinuxFiles

/// One document's versions, as they lie.
struct VersionShelf {
    let folder: OpenFile
    /// The document's, from the documents on.
    let path: [Name]
    var versions: [(version: DocumentVersion, owner: UInt32, size: Int64)]
    var newest: DocumentVersion? { versions.map(\.version).max { $0.id < $1.id } }

    /// Those in a folder of versions, and in all folders below it.
    static func all(in folder: OpenFile, at path: [Name]) throws(Errno) -> [VersionShelf] {
        var shelves: [VersionShelf] = []
        try collect(folder, path, into: &shelves)
        return shelves
    }

    /// What somebody may have removed of what was written before a moment: all but conflicts that nobody has decided about.
    func purgeable(before moment: Int64?) -> [DocumentVersion] {
        versions.map(\.version).filter { version in version.isDiscardable && (moment.map { version.modified.seconds < $0 } ?? true) }
    }

    private static func collect(_ folder: OpenFile, _ path: [Name], into shelves: inout [VersionShelf]) throws(Errno) {
        var shelf = VersionShelf(folder: folder, path: path, versions: [])
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            if let version = DocumentVersion(entry: entry.name) {
                // A version may have been thinned since it was listed.
                guard let (owner, size) = try size(of: entry.name, in: folder) else { continue }
                shelf.versions.append((version, owner, size))
            } else if let inner = try innerFolder(entry.name, in: folder) {
                try collect(inner, path + [entry.name], into: &shelves)
            }
        }
        if !shelf.versions.isEmpty { shelves.append(shelf) }
    }

    private static func innerFolder(_ name: Name, in folder: OpenFile) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
            guard [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error) else { throw error }
            return nil
        }
    }

    private static func size(of name: Name, in folder: OpenFile) throws(Errno) -> (owner: UInt32, size: Int64)? {
        do throws(Errno) {
            let status = try folder.descriptor.status(of: name)
            guard status.type == .folder else { return (status.owner, status.size) }
            let package = try folder.descriptor.open(name, [.path, .folder])
            var size: Int64 = 0
            var entries = try FolderReader(package)
            while let entry = try entries.next() { size = try size.saturatingAdd(package.status(of: entry.name).size) }
            return (status.owner, size)
        } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }
}
