import Glibc
import LinuxFiles

/// All files of a backup as plain files in a folder. What is there already from an export that was stopped is not
/// written again.
///
/// A file gets its name when it is whole. Nothing that has another content is replaced.
package final class BackupExport {
    private let backup: Backup
    private let keys: BackupKeys?
    private let tree: BackupTree
    private let top: OpenFile
    /// How many files were written, how many were there already, and how many were neither.
    package private(set) var written = 0, present = 0, failed = 0

    /// What says in the folder that an export is under way there, and of which backup; and what is being written.
    private static let marker = Name(constant: ".valise-export"), part = Name(constant: ".valise-part")
    private static let step = 1 << 20

    /// The folder is new or empty, or one in which an export of this backup was stopped.
    package init(_ backup: Backup, _ tree: BackupTree, _ keys: BackupKeys?, to top: OpenFile, called path: String)
        throws(Failure)
    {
        (self.backup, self.tree, self.keys, self.top) = (backup, tree, keys, top)
        do throws(Errno) { try begin(Array("\(backup.info.identifier ?? "") \(backup.info.date ?? 0)\n".utf8)) } catch {
            switch error {
            case .exists:
                throw Failure(
                    error, "in “\(path)” the export of another backup was stopped; name a new or an empty folder")
            case .notEmpty: throw Failure(error, "“\(path)” has files in it; name a new or an empty folder")
            default: throw Failure(error, "nothing can be written in “\(path)”: \(error)", cause: error)
            }
        }
    }

    private func begin(_ own: [UInt8]) throws(Errno) {
        if try top.descriptor.exists(Self.marker) {
            guard try top.descriptor.open(Self.marker, [.read, .nonBlocking]).readAll(limit: 4096) == own else {
                throw .exists
            }
            return
        }
        var entries = try FolderReader(top.descriptor)
        guard try entries.next() == nil else { throw .notEmpty }
        try top.descriptor.open(Self.marker, [.write, .create, .exclusive], mode: 0o600).write(own, at: 0)
    }

    /// `fault` is told of what cannot be read, and of names that something else has. Throws where nothing more can be
    /// written, and answers false where it was stopped.
    package func run(progress: (Int) -> Void, isStopped: () -> Bool, fault: (String, String) -> Void) throws(Failure)
        -> Bool
    {
        guard try write(.top, in: top, progress, isStopped, fault) else { return false }
        do throws(Errno) {
            try? top.descriptor.unlink(Self.part)
            if failed == 0 { try top.descriptor.unlink(Self.marker) }
            try top.descriptor.reopened([.read, .folder]).synchronizeFileSystem()
        } catch { throw Failure(error, "the export cannot be finished: \(error)", cause: error) }
        return true
    }

    private func write(
        _ folder: BackupTree.NodeNumber, in place: OpenFile, _ progress: (Int) -> Void, _ isStopped: () -> Bool,
        _ fault: (String, String) -> Void
    ) throws(Failure) -> Bool {
        for child in tree.children(of: folder) {
            guard !isStopped() else { return false }
            guard let name = Name(tree.name(of: child)) else { continue }
            do throws(Errno) {
                switch tree.kind(of: child) {
                case .folder:
                    do throws(Errno) { try place.descriptor.makeFolder(name, mode: 0o700) } catch {
                        if error != .exists { throw error }
                    }
                    let inner = OpenFile(try place.descriptor.open(name, [.path, .folder]))
                    guard try self.inner(child, inner, progress, isStopped, fault) else { return false }
                    try inner.descriptor.setTimes(
                        accessed: nil, modified: .at(Timestamp(seconds: tree.modified(child))))
                case .link:
                    let target = tree.target(of: child).map(Array.init) ?? []
                    do throws(Errno) { try place.descriptor.makeSymbolicLink(name, to: target) } catch {
                        guard error == .exists, (try? place.descriptor.readSymbolicLink(name)) == target else {
                            throw error
                        }
                    }
                case .file: guard try write(child, name, in: place, isStopped) else { return false }
                }
                if (written + present) % 64 == 0 { progress(written + present) }
            } catch {
                if error.isFull || error == .readOnly {
                    throw Failure(error, "“\(tree.path(of: child))” cannot be written: \(error)", cause: error)
                }
                failed += 1
                fault(tree.path(of: child), sentence(error, child))
            }
        }
        return true
    }

    /// A failure of one that is deeper ends the whole, and is carried past what this one's own calls throw.
    private func inner(
        _ folder: BackupTree.NodeNumber, _ place: OpenFile, _ progress: (Int) -> Void, _ isStopped: () -> Bool,
        _ fault: (String, String) -> Void
    ) throws(Errno) -> Bool {
        do throws(Failure) { return try write(folder, in: place, progress, isStopped, fault) } catch {
            throw error.errno
        }
    }

    private func sentence(_ error: Errno, _ node: BackupTree.NodeNumber) -> String {
        if error == .exists { return "something else has its name there; put that elsewhere, and export again" }
        if tree.kind(of: node) == .file, let fault = backup.fault(of: tree.file(node), keys) { return fault.sentence }
        return "\(error)"
    }

    /// False where it was stopped.
    private func write(_ node: BackupTree.NodeNumber, _ name: Name, in place: OpenFile, _ isStopped: () -> Bool)
        throws(Errno) -> Bool
    {
        let content = try backup.open(tree.file(node), keys), modified = Timestamp(seconds: tree.modified(node))
        if try place.descriptor.exists(name) {
            let status = try place.descriptor.status(of: name)
            guard status.type == .regular, status.size == content.length, status.modified == modified else {
                throw .exists
            }
            present += 1
            return true
        }
        let file = OpenFile(try top.descriptor.open(Self.part, [.write, .create, .truncate], mode: 0o600))
        var done: Int64 = 0
        while done < content.length {
            guard !isStopped() else { return false }
            switch try content.piece(at: done, count: Self.step) {
            case .file(let source, let offset, let count):
                try source.descriptor.copyAll(from: offset, count: Int64(count), to: file.descriptor, at: done)
                done += Int64(count)
            case .bytes(let bytes):
                guard !bytes.isEmpty else { throw .inputOutput }
                try file.descriptor.write(Array(bytes), at: done)
                done += Int64(bytes.count)
            }
        }
        try file.descriptor.setTimes(accessed: nil, modified: .at(modified))
        try top.descriptor.rename(Self.part, to: place.descriptor, as: name, .exclusive)
        written += 1
        return true
    }
}
