import Glibc

/// A moment that the model knows exactly, because a call set it, or within bounds, because it was now.
enum Moment {
    case at(timespec)
    /// Not before this, and not in the future.
    case since(timespec)
    /// The file system decides.
    case any
}

/// The types in `st_mode`, whose macros come from two modules.
enum FileType {
    static let mask: UInt32 = 0o170000, regular: UInt32 = 0o100000, folder: UInt32 = 0o040000, link: UInt32 = 0o120000
    static let pipe: UInt32 = 0o010000, socket: UInt32 = 0o140000
}

/// A file or folder as it should be.
final class Node {
    enum Kind { case file, folder, link, special }

    let kind: Kind
    /// Type and permissions, as `st_mode`.
    var mode: UInt32
    var owner: UInt32 = 0
    var group: UInt32 = 0
    var links = 0
    var content: [UInt8] = []
    var entries: [String: Node] = [:]
    var attributes: [String: [UInt8]] = [:]
    var modified = Moment.any
    var changed = Moment.any
    /// Where its holes are, the store decides.
    var holesAreUnknown = false
    /// Made without a name, and may get one.
    var isLinkable = false
    weak var parent: Node?

    init(_ kind: Kind, mode: UInt32) {
        self.kind = kind
        self.mode = mode
    }

    var permissions: UInt32 { mode & 0o7777 }
    var linkCount: Int { kind == .folder && links > 0 ? 2 + entries.values.reduce(0) { $0 + ($1.kind == .folder ? 1 : 0) } : links }

    func isBelow(_ other: Node) -> Bool {
        var node: Node? = self
        while let current = node {
            if current === other { return true }
            node = current.parent
        }
        return false
    }
}

/// An errno, thrown by the model where the call should answer it.
struct Refused: Error {
    let errno: Int32
    init(_ errno: Int32) { self.errno = errno }
}

/// The folder as it should be after every step.
final class Model {
    let root = {
        let root = Node(.folder, mode: FileType.folder | 0o755)
        root.links = 1
        return root
    }()
    var files: [Int: OpenFile] = [:]
    /// When the step began that is being taken.
    var now = timespec()
    /// What the step may have touched, to be compared. A node is found by all its names.
    var touched: [Node] = []

    struct OpenFile {
        let node: Node
        let flags: Int32
        var reads: Bool { flags & O_ACCMODE != O_WRONLY }
        var writes: Bool { flags & O_ACCMODE != O_RDONLY }
        var appends: Bool { flags & O_APPEND != 0 }
    }

    struct Place {
        let folder: Node
        let name: String
        let node: Node?
    }

    /// Walks a path as the kernel does.
    func find(_ path: String, following: Bool) throws(Refused) -> Place {
        var parts = path.split(separator: "/").map(String.init)
        var folder = root
        var followed = 0
        guard !parts.isEmpty else { return Place(folder: root, name: "", node: root) }
        while true {
            let name = parts.removeFirst()
            let node = folder.entries[name]
            if let node, node.kind == .link, !parts.isEmpty || following {
                followed += 1
                guard followed <= 40 else { throw Refused(ELOOP) }
                parts = String(decoding: node.content, as: UTF8.self).split(separator: "/").map(String.init) + parts
                continue
            }
            if parts.isEmpty { return Place(folder: folder, name: name, node: node) }
            guard let node else { throw Refused(ENOENT) }
            guard node.kind == .folder else { throw Refused(ENOTDIR) }
            folder = node
        }
    }

    func existing(_ path: String, following: Bool) throws(Refused) -> Node {
        guard let node = try find(path, following: following).node else { throw Refused(ENOENT) }
        return node
    }

    /// A place that is still free.
    func free(_ path: String) throws(Refused) -> Place {
        let place = try find(path, following: false)
        guard place.node == nil else { throw Refused(EEXIST) }
        return place
    }

    func open(_ slot: Int) throws(Refused) -> OpenFile {
        guard let file = files[slot] else { throw Refused(EBADF) }
        touch(file.node)
        return file
    }

    // MARK: Changes

    func touch(_ node: Node) {
        if !touched.contains(where: { $0 === node }) { touched.append(node) }
    }

    /// Its content, or the names in it.
    func modify(_ node: Node) {
        touch(node)
        node.modified = .since(now)
        node.changed = .since(now)
    }

    func change(_ node: Node) {
        touch(node)
        node.changed = .since(now)
    }

    func add(_ node: Node, at place: Place) {
        place.folder.entries[place.name] = node
        node.parent = place.folder
        node.links += 1
        modify(place.folder)
        change(node)
    }

    func remove(_ name: String, from folder: Node) {
        guard let node = folder.entries.removeValue(forKey: name) else { return }
        node.links -= 1
        modify(folder)
        change(node)
    }

    /// What root makes there, with the group that the folder gives.
    func make(_ kind: Node.Kind, mode: UInt32, in folder: Node) -> Node {
        let node = Node(kind, mode: mode)
        node.modified = .since(now)
        if folder.mode & 0o2000 != 0 {
            node.group = folder.group
            if kind == .folder { node.mode |= 0o2000 }
        }
        return node
    }
}

/// What a call answered: a value, or the errno below zero; and what it read.
struct Outcome: Equatable {
    var value = 0
    var bytes: [UInt8]?

    init(_ value: Int = 0, _ bytes: [UInt8]? = nil) {
        self.value = value
        self.bytes = bytes
    }

    static func of(_ body: () throws(Refused) -> Outcome) -> Outcome {
        do throws(Refused) { return try body() } catch { return Outcome(-Int(error.errno)) }
    }
}

extension Outcome: CustomStringConvertible {
    var description: String {
        if value < 0 { return String(cString: strerror(Int32(-value))) }
        return bytes.map { "\(value), \($0.count) bytes \($0.prefix(12))" } ?? "\(value)"
    }
}
