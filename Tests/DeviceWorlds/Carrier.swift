import Hashes
import Replication

/// A folder in which devices leave files for each other, as one device has it. Bytes are stood for by what they say.
final class Carrier {
    struct Path: Hashable, Comparable {
        /// The device's name in the share, which another writer must not have.
        let folder: String
        let kind: Kind
        /// Of facts a number and, unless a twin leaves it out, what they are; of a content its digest.
        var name = ""

        enum Kind: Int { case head, facts, content }
        static func < (left: Path, right: Path) -> Bool { (left.folder, left.kind.rawValue, left.name) < (right.folder, right.kind.rawValue, right.name) }
    }

    enum Data: Equatable {
        case head(Head)
        case facts(Set<Fact>)
        case content(Digest)
    }

    struct Head: Equatable {
        let lacks: Set<Digest>
        let has: Set<Digest>
        /// Drawn anew each time, so that two who write one head notice.
        var mark: UInt64
    }

    struct File {
        var change: Int
        /// Nil: it was removed, which is carried as well.
        var data: Data?
        /// Half of it came, and nobody can tell by its name.
        var isWhole: Bool

        var head: Head? {
            if isWhole, case .head(let head) = data { head } else { nil }
        }
        var facts: Set<Fact>? {
            if case .facts(let facts) = data { facts } else { nil }
        }
    }

    private(set) var all: [Path: File] = [:]
    /// Of those the ones that are there.
    private(set) var files: [Path: File] = [:]
    /// How often something was written, to see that nobody does so for ever.
    private(set) var writes = 0
    /// Another one whenever something is another.
    private(set) var revision = 0

    init(_ all: [Path: File] = [:]) { replaceAll(with: all) }

    func file(_ path: Path) -> File? { files[path] }

    /// Those that are there and whole.
    var contents: Set<Digest> {
        Set(files.compactMap { path, file -> Digest? in
            if path.kind == .content, file.isWhole, case .content(let digest) = file.data { digest } else { nil }
        })
    }

    private func set(_ path: Path, _ file: File) {
        revision += 1
        all[path] = file
        files[path] = file.data == nil ? nil : file
    }

    func put(_ path: Path, _ data: Data, isWhole: Bool = true) {
        writes += 1
        set(path, File(change: (all[path]?.change ?? 0) + 1, data: data, isWhole: isWhole))
    }

    func remove(_ path: Path) { set(path, File(change: (all[path]?.change ?? 0) + 1, data: nil, isWhole: true)) }

    /// All that the device wrote.
    func empty(_ device: WorldDevice) { for path in files.keys.sorted() where path.folder == device.now.share.folder { remove(path) } }

    func replaceAll(with other: [Path: File]) {
        revision += 1
        (all, files) = (other, other.filter { $0.value.data != nil })
    }

    /// Brings what another one has newer. Some of it comes later, some torn, where `isBad`.
    func carry(from other: Carrier, _ chance: (Double) -> Bool, isBad: Bool) {
        let newer = other.all.filter { path, file in
            let here = all[path] ?? File(change: 0, data: nil, isWhole: true)
            // Where two wrote one file, what is there goes before what is gone.
            let isNewer = (here.change, here.data == nil ? 0 : 1) < (file.change, file.data == nil ? 0 : 1)
            return isNewer || !here.isWhole && here.change <= file.change
        }
        for (path, file) in newer.sorted(by: { $0.key < $1.key }) {
            if isBad, chance(0.4) { continue }
            let isTorn = isBad && file.data != nil && chance(0.15)
            set(path, isTorn ? File(change: file.change, data: file.data, isWhole: false) : file)
        }
    }
}

/// A server that joins, and may forget its end.
final class Joiner {
    private(set) var facts: [Fact] = []
    private(set) var marks: [Int: UInt64] = [0: 0]
    var contents: Set<Digest> = []

    func push(_ more: [Fact], mark: UInt64) {
        let known = Set(facts), new = more.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        facts += new.sorted { $0.id < $1.id }
        marks[facts.count] = mark
    }

    /// Another one takes its place, or a backup: it is what it was once.
    func forget(after count: Int) {
        facts.removeLast(facts.count - count)
        marks = marks.filter { $0.key <= count }
    }
}
