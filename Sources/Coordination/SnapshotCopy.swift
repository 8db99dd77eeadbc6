import Containers
import Glibc
import LinuxFiles

/// A copy of an item in a temporary folder, which goes with it. Where the file system can, it shares the store's blocks.
final class SnapshotCopy {
    /// The copy's absolute path. Its name is the item's.
    let path: String
    private let folder: OpenFile
    private let name: Name

    private static let deepest = 256

    init(of item: ItemPath, in container: Container) throws(Failure) {
        do throws(Errno) {
            guard let last = item.names.last else { throw Errno.invalid }
            let place = try container.documents.folder(at: item.names.dropLast())
            // SAFETY: the text is copied at once.
            let home = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
            folder = OpenFile(try Descriptor.atPath(home, [.path, .folder]))
            name = try Self.makeFolder(in: folder.descriptor)
            path = try AbsolutePath.of(folder.descriptor) + "/\(name)/" + String(decoding: last.bytes, as: UTF8.self)
            try Self.copy(last, in: place.descriptor, to: try folder.descriptor.open(name, [.path, .folder]), depth: 0)
        } catch { throw Failure(error, "“\(item)” cannot be copied for uploading: \(error)", cause: error) }
    }

    deinit { try? Self.remove(name, in: folder.descriptor) }

    private static func makeFolder(in home: borrowing Descriptor) throws(Errno) -> Name {
        for _ in 0..<100 {
            guard let name = Name("valise-\(UInt64.random(in: 0...UInt64.max))") else { break }
            do throws(Errno) {
                try home.makeFolder(name, mode: 0o700)
                return name
            } catch { if error != .exists { throw error } }
        }
        throw .exists
    }

    private static func copy(_ name: Name, in from: borrowing Descriptor, to target: borrowing Descriptor, depth: Int) throws(Errno) {
        let status = try from.status(of: name)
        switch status.type {
        case .regular:
            let source = try from.open(name, [.read, .nonBlocking])
            let copy = try target.open(name, [.readWrite, .create, .exclusive], mode: status.permissions & 0o777)
            do throws(Errno) { try copy.shareContent(of: source) } catch { try source.copyAll(from: 0, count: status.size, to: copy, at: 0) }
            try copy.setTimes(accessed: .at(status.accessed), modified: .at(status.modified))
        case .folder:
            guard depth < deepest else { throw .nameTooLong }
            try target.makeFolder(name, mode: 0o700 | status.permissions & 0o777)
            let inner = try from.open(name, [.path, .folder]), copy = try target.open(name, [.path, .folder])
            var entries = try FolderReader(inner)
            while let entry = try entries.next() { try Self.copy(entry.name, in: inner, to: copy, depth: depth + 1) }
        case .symbolicLink: try target.makeSymbolicLink(name, to: try from.readSymbolicLink(name))
        // Sockets, pipes and devices are left out: they cannot be sent.
        default: break
        }
    }

    private static func remove(_ name: Name, in folder: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { return try folder.unlink(name) } catch { guard error == .isDirectory || error == .notPermitted else { throw error } }
        let inner = try folder.open(name, [.path, .folder])
        var entries = try FolderReader(inner)
        while let entry = try entries.next() { try remove(entry.name, in: inner) }
        try folder.removeFolder(name)
    }
}
