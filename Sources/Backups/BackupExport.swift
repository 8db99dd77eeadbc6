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
    private let folder: ExportFolder
    /// How many files were written, how many were there already, and how many were neither.
    package var written: Int { folder.written }
    package var present: Int { folder.present }
    package private(set) var failed = 0

    private static let step = 1 << 20

    /// The folder is new or empty, or one in which an export of this backup was stopped.
    package init(_ backup: Backup, _ tree: BackupTree, _ keys: BackupKeys?, to top: OpenFile, called path: String)
        throws(Failure)
    {
        (self.backup, self.tree, self.keys) = (backup, tree, keys)
        let source = "\(backup.info.identifier ?? "") \(backup.info.date ?? 0)"
        folder = try ExportFolder(top, of: source, called: path, mode: 0o600)
    }

    /// `fault` is told of what cannot be read, and of names that something else has. Throws where nothing more can be
    /// written, and answers false where it was stopped.
    package func run(progress: (Int) -> Void, isStopped: () -> Bool, fault: (String, String) -> Void) throws(Failure)
        -> Bool
    {
        guard try write(.top, in: folder.top, progress, isStopped, fault) else { return false }
        try folder.end(isWhole: failed == 0)
        return true
    }

    private func write(
        _ number: BackupTree.NodeNumber, in place: OpenFile, _ progress: (Int) -> Void, _ isStopped: () -> Bool,
        _ fault: (String, String) -> Void
    ) throws(Failure) -> Bool {
        for child in tree.children(of: number) {
            guard !isStopped() else { return false }
            guard let name = Name(tree.name(of: child)) else { continue }
            do throws(Errno) {
                switch tree.kind(of: child) {
                case .folder:
                    let inner = try folder.folder(name, in: place, mode: 0o700)
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
        if error == .exists { return ExportFolder.taken }
        if tree.kind(of: node) == .file, let fault = backup.fault(of: tree.file(node), keys) { return fault.sentence }
        return "\(error)"
    }

    /// False where it was stopped.
    private func write(_ node: BackupTree.NodeNumber, _ name: Name, in place: OpenFile, _ isStopped: () -> Bool)
        throws(Errno) -> Bool
    {
        let content = try backup.open(tree.file(node), keys), modified = Timestamp(seconds: tree.modified(node))
        return try folder.file(name, in: place, length: content.length, modified: modified) { (file) throws(Errno) in
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
            return true
        }
    }
}
