import Foundation
import LinuxFiles
import MountTesting

/// What lies in a folder, read once and made again for each trial: with permissions, times and one extended attribute, and what is one file under
/// two names as one. A copy made by an app would be another document's state.
struct FolderImage: Sendable {
    private enum Entry: Sendable {
        case folder(facts: stat)
        case file(bytes: [UInt8], facts: stat, tag: [UInt8]?)
        case link(to: String)
        case symbolicLink(to: String)
    }

    /// The attribute that is copied.
    static let tag = Array("user.tag".utf8)
    /// In memory where files there can have attributes: thousands of containers are synchronized to their store here.
    static let home: URL = {
        let memory = "/dev/shm/valise-crash-\(UUID().uuidString)"
        defer { unlink(memory) }
        guard FileManager.default.createFile(atPath: memory, contents: nil), (try? Descriptor.atPath(memory, .read).setExtendedAttribute(tag, to: [])) != nil
        else { return FileManager.default.temporaryDirectory }
        return URL(fileURLWithPath: "/dev/shm")
    }()

    /// By their paths; a folder comes before what is in it.
    private var entries: [(path: String, entry: Entry)] = []

    init(of folder: URL) throws {
        var names: [ino_t: String] = [:]
        try read(folder.path, "", &names)
    }

    private mutating func read(_ root: String, _ path: String, _ names: inout [ino_t: String]) throws {
        let place = root + path
        var facts = stat()
        _ = try checked("lstat", lstat(place, &facts))
        switch facts.st_mode & S_IFMT {
        case S_IFDIR:
            entries.append((path, .folder(facts: facts)))
            for name in try FileManager.default.contentsOfDirectory(atPath: place).sorted() { try read(root, path + "/" + name, &names) }
        case S_IFLNK:
            entries.append((path, .symbolicLink(to: try FileManager.default.destinationOfSymbolicLink(atPath: place))))
        case S_IFREG:
            if facts.st_nlink > 1, let other = names.updateValue(path, forKey: facts.st_ino) { return entries.append((path, .link(to: other))) }
            let file = try Descriptor.atPath(place, .read)
            entries.append((path, .file(bytes: try file.readAll(limit: 1 << 24), facts: facts, tag: try? file.extendedAttribute(Self.tag))))
        default: throw Failed("\(place) is no file, folder or link")
        }
    }

    /// Gives files the attribute, by their paths in the folder.
    mutating func tag(_ paths: Set<String>, _ value: String) {
        for index in entries.indices {
            guard paths.contains(entries[index].path), case .file(let bytes, let facts, _) = entries[index].entry else { continue }
            entries[index].entry = .file(bytes: bytes, facts: facts, tag: Array(value.utf8))
        }
    }

    func make(at folder: URL) throws {
        let root = folder.path
        for (path, entry) in entries {
            let place = root + path
            switch entry {
            case .folder(let facts): _ = try checked("mkdir", mkdir(place, facts.st_mode & 0o7777))
            case .link(let other): _ = try checked("link", link(root + other, place))
            case .symbolicLink(let target): _ = try checked("symlink", symlink(target, place))
            case .file(let bytes, let facts, let tag):
                let file = Descriptor(adopting: try checked("open", open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)))
                try file.write(bytes, at: 0)
                try file.setPermissions(facts.st_mode & 0o7777)
                if let tag { try file.setExtendedAttribute(Self.tag, to: tag) }
                _ = try checked("futimens", futimens(file.rawValue, [facts.st_atim, facts.st_mtim]))
            }
        }
        // What came into a folder has changed its time.
        for case (let path, .folder(let facts)) in entries.reversed() {
            _ = try checked("utimensat", utimensat(AT_FDCWD, root + path, [facts.st_atim, facts.st_mtim], 0))
        }
    }
}
