import Glibc

// Whether a side is as the model says. What differs is told in a line.
struct Comparison {
    let model: Model
    let side: Side
    var wrong: [String] = []

    init(_ model: Model, _ side: Side) {
        self.model = model
        self.side = side
    }

    private mutating func tell(_ path: String, _ what: String) { wrong.append("\(side.name): “\(path)”: \(what)") }

    /// Everything under the folder.
    mutating func compareAll() { compare(model.root, at: "", deeply: true) }

    /// All names of the nodes that a step touched, and the files that are open on them.
    mutating func compareTouched() {
        let names = Comparison.names(in: model.root)
        for node in model.touched {
            if node === model.root { compare(node, at: "", deeply: false) }
            for path in names[ObjectIdentifier(node)] ?? [] { compare(node, at: path, deeply: false) }
            for (slot, file) in model.files where file.node === node { compare(node, in: slot) }
        }
    }

    static func names(in root: Node) -> [ObjectIdentifier: [String]] {
        var names: [ObjectIdentifier: [String]] = [:]
        func visit(_ folder: Node, _ path: String) {
            for (name, node) in folder.entries {
                let inner = path.isEmpty ? name : path + "/" + name
                names[ObjectIdentifier(node), default: []].append(inner)
                if node.kind == .folder { visit(node, inner) }
            }
        }
        visit(root, "")
        return names
    }

    private mutating func compare(_ node: Node, at path: String, deeply: Bool) {
        guard let facts = side.status(path) else { return tell(path, "is not there: \(String(cString: strerror(errno)))") }
        compare(node, facts, path)
        switch node.kind {
        case .file:
            if side.content(path) != node.content { tell(path, "content of \(side.content(path)?.count ?? -1) bytes differs") }
        case .link:
            if side.target(path) != node.content { tell(path, "leads elsewhere") }
        case .folder:
            let names = Array(node.entries.keys.sorted().joined(separator: "/").utf8)
            if side.list(path).bytes != names { tell(path, "has other entries: \(String(decoding: side.list(path).bytes ?? [], as: UTF8.self))") }
        case .special: break
        }
        if node.kind == .file || node.kind == .folder, let found = side.attributes(path), found != node.attributes {
            tell(path, "has other extended attributes: \(found.keys.sorted())")
        }
        if deeply { for (name, inner) in node.entries { compare(inner, at: path.isEmpty ? name : path + "/" + name, deeply: true) } }
    }

    private mutating func compare(_ node: Node, in slot: Int) {
        guard let facts = side.status(slot) else { return tell("open file \(slot)", "cannot be asked") }
        compare(node, facts, "open file \(slot)")
        guard node.kind == .file, model.files[slot]?.reads == true else { return }
        if side.content(slot) != node.content { tell("open file \(slot)", "content differs") }
    }

    private mutating func compare(_ node: Node, _ facts: stat, _ path: String) {
        if facts.st_mode != node.mode { tell(path, "mode \(String(facts.st_mode, radix: 8)), not \(String(node.mode, radix: 8))") }
        if Int(facts.st_nlink) != node.linkCount { tell(path, "\(facts.st_nlink) links, not \(node.linkCount)") }
        if facts.st_uid != node.owner || facts.st_gid != node.group { tell(path, "owner \(facts.st_uid):\(facts.st_gid), not \(node.owner):\(node.group)") }
        if node.kind == .file || node.kind == .link, Int(facts.st_size) != node.content.count { tell(path, "size \(facts.st_size), not \(node.content.count)") }
        // What goes through a pipe never reaches a file system.
        guard node.kind != .special else { return }
        compare(facts.st_mtim, node.modified, "modified", path)
        compare(facts.st_ctim, node.changed, "changed", path)
    }

    /// The clock of file systems ticks coarsely.
    private static let tick = 20_000_000

    private mutating func compare(_ time: timespec, _ moment: Moment, _ what: String, _ path: String) {
        func nanoseconds(_ time: timespec) -> Int { time.tv_sec * 1_000_000_000 + time.tv_nsec }
        switch moment {
        case .any: break
        case .at(let exact): if nanoseconds(time) != nanoseconds(exact) { tell(path, "\(what) at \(nanoseconds(time)), not \(nanoseconds(exact))") }
        case .since(let earliest):
            let late = nanoseconds(time) - nanoseconds(earliest)
            if late < -Self.tick { tell(path, "\(what) \(-late / 1_000_000) ms too early") }
            if nanoseconds(time) > nanoseconds(Clock.now) + Self.tick { tell(path, "\(what) in the future") }
        }
    }
}

enum Clock {
    static var now: timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}
