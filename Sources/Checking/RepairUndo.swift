import Containers
import LinuxFiles
import Transactions

/// Takes the last repair back that was not taken back yet.
///
/// Each step is looked at before it is taken back: what changed since stays as it is now, and what was kept of it
/// stays in the undo folder.
public enum RepairUndo {
    public struct Outcome: Sendable {
        /// The undo folder's name.
        public let name: Name
        public var done = 0
        /// What stays as it is, and why.
        public var left: [(place: [Name], reason: String)] = []
    }

    /// nil where there is no repair to take back. Throws where somebody else writes in the container.
    public static func takeBackLast(in container: Container) throws(Failure) -> Outcome? {
        let lock = try ContainerLock.take(in: container, purpose: "being repaired")
        defer { withExtendedLifetime(lock) {} }
        do throws(Errno) {
            guard let (name, folder, lines) = try last(in: container) else { return nil }
            var outcome = Outcome(name: name)
            for line in lines.reversed() {
                do throws(Errno) {
                    if let reason = try takeBack(line, in: container, folder) { outcome.left.append((line.place, reason)) } else { outcome.done += 1 }
                } catch { outcome.left.append((line.place, "\(error)")) }
            }
            try finish(name, folder, in: container)
            return outcome
        } catch {
            throw Failure(error, "the last repair of “\(container.path)” cannot be taken back: \(error)", cause: error)
        }
    }

    private static func last(in container: Container) throws(Errno) -> (Name, OpenFile, [UndoFolder.Line])? {
        var names: [Name] = []
        do throws(Errno) {
            var entries = try FolderReader(try container.ownPlace([container.state.name, UndoFolder.undoName]).descriptor)
            while let entry = try entries.next() { names.append(entry.name) }
        } catch { if error == .noSuchEntry { return nil } else { throw error } }
        for name in names.sorted().reversed() {
            let folder = try container.ownPlace([container.state.name, UndoFolder.undoName, name])
            guard let manifest = try? container.state.file(UndoFolder.manifestName, .read, in: folder),
                let lines = UndoFolder.lines(of: try manifest.descriptor.readAll(limit: UndoFolder.limit))
            else { continue }
            return (name, folder, lines)
        }
        return nil
    }

    /// Why it stays as it is; nil where it was taken back, or was never done.
    private static func takeBack(_ line: UndoFolder.Line, in container: Container, _ undo: OpenFile) throws(Errno) -> String? {
        guard let name = line.place.last else { throw .invalid }
        switch line {
        case .aside(let number, let place):
            let kept = UndoFolder.numbered(number)
            guard try undo.descriptor.exists(kept) else { return nil }
            do throws(Errno) {
                let home = try container.ownPlace(place.dropLast())
                let store = container.triedStore() ?? Store()
                try store.add(kept, of: undo.descriptor, to: home.descriptor, as: name)
                return nil
            } catch {
                guard error == .exists else { throw error }
                return "there is something else in its place now"
            }
        case .replaced(let number, let place, let inode):
            let kept = UndoFolder.numbered(number), folder = try container.ownPlace(place.dropLast())
            guard let old = try status(of: kept, in: undo) else { return nil }
            guard let now = try status(of: name, in: folder) else { return "it is gone" }
            if now.identity == old.identity {
                try undo.descriptor.unlink(kept)
                return nil
            }
            guard now.identity.number == inode else { return "it has been changed since" }
            try undo.descriptor.rename(kept, to: folder.descriptor, as: name)
            return nil
        case .added(let place, let inode):
            let folder = try container.ownPlace(place.dropLast())
            guard let now = try status(of: name, in: folder) else { return nil }
            guard now.identity.number == inode else { return "it has been changed since" }
            try folder.descriptor.unlink(name)
            return nil
        }
    }

    private static func status(of name: Name, in folder: OpenFile) throws(Errno) -> FileStatus? {
        do throws(Errno) { return try folder.descriptor.status(of: name) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }

    /// The next undoing takes back the repair before this one. The folder goes when nothing is kept in it.
    private static func finish(_ name: Name, _ folder: OpenFile, in container: Container) throws(Errno) {
        try folder.descriptor.rename(UndoFolder.manifestName, to: folder.descriptor, as: UndoFolder.doneName)
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { if entry.name != UndoFolder.doneName { return } }
        try folder.descriptor.unlink(UndoFolder.doneName)
        try container.ownPlace([container.state.name, UndoFolder.undoName]).descriptor.removeFolder(name)
    }
}

extension UndoFolder.Line {
    var place: [Name] {
        switch self {
        case .aside(_, let place), .replaced(_, let place, _), .added(let place, _): place
        }
    }
}
