import CLinux
import Glibc
import SeededNumbers

/// One step: what it is, what it does on a side, and what the model expects of it.
struct Step {
    let text: String
    let run: (Side) -> Outcome
    let expect: (Model) throws(Refused) -> Outcome
    /// What the model leaves to the store, and the two sides must still agree on.
    var isUndecided = false
}

/// Random steps, from one seed.
struct Draw {
    private var numbers: SeededNumbers
    private let model: Model
    private static let names = ["a", "b", "c.dat", "d", "e.c", ".f"]

    init(seed: UInt64, model: Model) {
        numbers = SeededNumbers(seed: seed)
        self.model = model
    }

    private mutating func next() -> UInt64 { numbers.next() }

    private mutating func number(_ range: Range<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
    private mutating func one<Value>(of values: [Value]) -> Value { values[number(0..<values.count)] }
    private mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }

    private mutating func folder() -> String {
        var path = ""
        var folder = model.root
        while chance(55), path.split(separator: "/").count < 2 {
            let inner = folder.entries.filter { $0.value.kind == .folder }.keys.sorted()
            guard !inner.isEmpty else { break }
            let name = one(of: inner)
            guard let next = folder.entries[name] else { break }
            (folder, path) = (next, path.isEmpty ? name : path + "/" + name)
        }
        return path
    }

    private mutating func name() -> String {
        let folder = folder(), name = one(of: Draw.names)
        // Now and then through what is no folder.
        let middle = chance(4) ? one(of: Draw.names) + "/" : ""
        return folder.isEmpty ? middle + name : folder + "/" + middle + name
    }

    private mutating func place() -> String { chance(10) ? folder() : name() }
    /// Nothing sticky that others may write to: what may be opened there, a setting of the kernel's says.
    private mutating func mode() -> UInt32 { one(of: [0o644, 0o600, 0o755, 0o777, 0o400, 0o4755, 0o2755, 0o1755, 0, 0o666, 0o6777]) }
    private mutating func bytes() -> [UInt8] {
        let first = next()
        return (0..<one(of: [0, 1, 3, 100, 4096, 5000, 20000])).map { UInt8(truncatingIfNeeded: (first &+ UInt64($0)) &* 0x9E37_79B9 >> 5) }
    }
    private mutating func offset() -> Int { one(of: [0, 0, 1, 10, 4095, 4096, 8192, 9000, 70000]) }
    private mutating func time() -> timespec {
        one(of: [timespec(tv_sec: number(1_000_000..<1_700_000_000), tv_nsec: number(0..<1_000_000_000)), timespec(tv_sec: 0, tv_nsec: Times.now), timespec(tv_sec: 0, tv_nsec: Times.omit)])
    }
    private mutating func key() -> String { one(of: ["user.one", "user.two", "user.long.name"]) }
    private mutating func slot() -> Int {
        let open = model.files.keys.sorted()
        return open.isEmpty || chance(3) ? number(0..<6) : one(of: open)
    }

    mutating func step() -> Step {
        // What opens a pipe is drawn anew: who is at its other end is not about the file system.
        while true {
            if let step = chance(45) ? content() : names() { return step }
        }
    }

    private func isPipe(_ path: String) -> Bool { ((try? model.existing(path, following: true))?.mode ?? 0) & FileType.mask == FileType.pipe }

    // MARK: Names and attributes

    private mutating func names() -> Step? {
        switch number(0..<66) {
        case 0..<7:
            let (path, mode) = (name(), mode())
            return Step(text: "mkdir \(path) \(String(mode, radix: 8))", run: { $0.makeFolder(path, mode) }, expect: { (model) throws(Refused) in try model.makeFolder(path, mode) })
        case 7..<11:
            let path = name()
            return Step(text: "rmdir \(path)", run: { $0.removeFolder(path) }, expect: { (model) throws(Refused) in try model.removeFolder(path) })
        case 11..<17:
            let path = name()
            return Step(text: "unlink \(path)", run: { $0.unlink(path) }, expect: { (model) throws(Refused) in try model.unlink(path) })
        case 17..<29:
            let (old, new, flags) = (name(), name(), one(of: [0, 0, 0, Renaming.noReplace, Renaming.exchange, 3]))
            return Step(text: "rename \(old) \(new) \(flags)", run: { $0.rename(old, new, flags) }, expect: { (model) throws(Refused) in try model.rename(old, new, flags) })
        case 29..<35:
            let (old, new) = (name(), name())
            return Step(text: "link \(old) \(new)", run: { $0.link(old, new) }, expect: { (model) throws(Refused) in try model.link(old, new) })
        case 35..<38:
            let (target, path) = (one(of: ["a", "b", "nowhere", "c.dat", "d/a", "a/b"]), name())
            return Step(text: "symlink \(target) \(path)", run: { $0.symbolicLink(target, path) }, expect: { (model) throws(Refused) in try model.symbolicLink(target, path) })
        case 38..<40:
            let (path, mode) = (name(), one(of: [FileType.pipe, FileType.socket, FileType.regular]) | mode() & 0o777)
            return Step(text: "mknod \(path) \(String(mode, radix: 8))", run: { $0.makeNode(path, mode) }, expect: { (model) throws(Refused) in try model.makeNode(path, mode) })
        case 40..<44:
            let (path, mode) = (place(), mode())
            return Step(text: "chmod \(path) \(String(mode, radix: 8))", run: { $0.setPermissions(path, mode) }, expect: { (model) throws(Refused) in try model.setPermissions(path, mode) })
        case 44..<47:
            let (path, user, group) = (place(), one(of: [UInt32.max, 0, 1000, 33]), one(of: [UInt32.max, 0, 1000, 50]))
            return Step(text: "chown \(path) \(Int32(bitPattern: user)) \(Int32(bitPattern: group))", run: { $0.setOwner(path, user, group) }, expect: { (model) throws(Refused) in try model.setOwner(path, user, group) })
        case 47..<53:
            let (path, accessed, modified) = (place(), time(), time())
            return Step(text: "utimens \(path) \(accessed) \(modified)", run: { $0.setTimes(path, accessed, modified) }, expect: { (model) throws(Refused) in try model.setTimes(path, accessed, modified) })
        case 53..<57:
            let (path, key, value, flags) = (place(), key(), Array(bytes().prefix(one(of: [0, 5, 300]))), one(of: [0, 0, Attributes.create, Attributes.replace]))
            return Step(text: "setxattr \(path) \(key) \(value.count) \(flags)", run: { $0.setAttribute(path, key, value, flags) }, expect: { (model) throws(Refused) in try model.setAttribute(path, key, value, flags) })
        case 57..<59:
            let (path, key) = (place(), key())
            return Step(text: "removexattr \(path) \(key)", run: { $0.removeAttribute(path, key) }, expect: { (model) throws(Refused) in try model.removeAttribute(path, key) })
        case 59..<62:
            let (path, key, room) = (place(), key(), one(of: [0, 1, 4096]))
            return Step(text: "getxattr \(path) \(key) \(room)", run: { $0.attribute(path, key, room: room) }, expect: { (model) throws(Refused) in try model.attribute(path, key, room: room) })
        default:
            let path = place()
            return Step(text: "list \(path)", run: { $0.list(path) }, expect: { (model) throws(Refused) in try model.list(path) })
        }
    }

    // MARK: Open files

    private mutating func content() -> Step? {
        let slot = slot()
        switch number(0..<70) {
        case 0..<12:
            let (number, path, mode) = (number(0..<6), name(), mode())
            var flags = one(of: [O_RDWR, O_RDWR, O_WRONLY, O_RDONLY]) | one(of: [0, O_CREAT, O_CREAT]) | one(of: [0, 0, 0, O_TRUNC, O_EXCL, O_APPEND, CLinux_O_NOFOLLOW, CLinux_O_DIRECTORY])
            // Exclusive without creating is not defined, and neither is creating a folder.
            if flags & O_CREAT == 0 { flags &= ~O_EXCL }
            if flags & CLinux_O_DIRECTORY != 0 { flags &= ~O_CREAT }
            if isPipe(path) { return nil }
            let all = flags
            return Step(text: "open \(number) \(path) \(String(all, radix: 8)) \(String(mode, radix: 8))", run: { $0.openFile(number, path, all, mode) }, expect: { (model) throws(Refused) in try model.openFile(number, path, all, mode) })
        case 12..<14:
            let (number, path, mode) = (number(0..<6), chance(80) ? folder() : name(), mode())
            return Step(text: "tmpfile \(number) \(path) \(String(mode, radix: 8))", run: { $0.openNameless(number, path, mode) }, expect: { (model) throws(Refused) in try model.openNameless(number, path, mode) })
        case 14..<18:
            return Step(text: "close \(slot)", run: { $0.close(slot) }, expect: { (model) throws(Refused) in try model.close(slot) })
        case 18..<30:
            let (offset, bytes) = (offset(), bytes())
            return Step(text: "write \(slot) \(offset) \(bytes.count)", run: { $0.write(slot, offset, bytes) }, expect: { (model) throws(Refused) in try model.write(slot, offset, bytes) })
        case 30..<33:
            let (path, bytes) = (name(), bytes())
            if isPipe(path) { return nil }
            return Step(text: "append \(path) \(bytes.count)", run: { $0.append(path, bytes) }, expect: { (model) throws(Refused) in try model.append(path, bytes) })
        case 33..<40:
            let (offset, count) = (offset(), one(of: [0, 1, 5000, 100_000]))
            return Step(text: "read \(slot) \(offset) \(count)", run: { $0.read(slot, offset, count) }, expect: { (model) throws(Refused) in try model.read(slot, offset, count) })
        case 40..<44:
            let size = offset()
            return Step(text: "ftruncate \(slot) \(size)", run: { $0.truncate(slot, size) }, expect: { (model) throws(Refused) in try model.truncate(slot, size) })
        case 44..<46:
            let (path, size) = (name(), offset())
            return Step(text: "truncate \(path) \(size)", run: { $0.truncate(path, size) }, expect: { (model) throws(Refused) in try model.truncate(path, size) })
        case 46..<50:
            let mode = one(of: [0, Allocation.keepSize, Allocation.punch, Allocation.zero])
            let (offset, count) = (offset(), one(of: [1, 4096, 4096, 10000]))
            return Step(text: "fallocate \(slot) \(mode) \(offset) \(count)", run: { $0.allocate(slot, mode, offset, count) }, expect: { (model) throws(Refused) in try model.allocate(slot, mode, offset, count) })
        case 50..<53:
            guard let file = model.files[slot], file.node.kind == .file, !file.node.holesAreUnknown else { return nil }
            let (offset, whence) = (offset(), one(of: [CLinux_SEEK_DATA, CLinux_SEEK_HOLE]))
            return Step(text: "lseek \(slot) \(offset) \(whence)", run: { $0.seek(slot, offset, whence) }, expect: { (model) throws(Refused) in try model.close(slot) }, isUndecided: true)
        case 53..<57:
            let (other, from, to, count) = (self.slot(), offset(), offset(), one(of: [10, 8192]))
            return Step(text: "copy \(slot) \(from) \(other) \(to) \(count)", run: { $0.copyRange(slot, from, other, to, count) }, expect: { (model) throws(Refused) in try model.copyRange(slot, from, other, to, count) })
        case 57..<59:
            let mode = mode()
            return Step(text: "fchmod \(slot) \(String(mode, radix: 8))", run: { $0.setPermissions(slot, mode) }, expect: { (model) throws(Refused) in try model.setPermissions(slot, mode) })
        case 59..<61:
            let (accessed, modified) = (time(), time())
            return Step(text: "futimens \(slot) \(accessed) \(modified)", run: { $0.setTimes(slot, accessed, modified) }, expect: { (model) throws(Refused) in try model.setTimes(slot, accessed, modified) })
        case 61..<63:
            let (key, value) = (key(), Array(bytes().prefix(20)))
            return Step(text: "fsetxattr \(slot) \(key)", run: { $0.setAttribute(slot, key, value) }, expect: { (model) throws(Refused) in try model.setAttribute(slot, key, value) })
        case 63..<67:
            let path = name()
            return Step(text: "flink \(slot) \(path)", run: { $0.link(slot, path) }, expect: { (model) throws(Refused) in try model.link(slot, path) })
        default:
            return Step(text: "fsync \(slot)", run: { $0.synchronize(slot) }, expect: { (model) throws(Refused) in
                _ = try model.open(slot)
                return Outcome()
            })
        }
    }
}
