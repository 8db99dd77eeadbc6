import Containers
import LinuxFiles
import Synchronization

/// What a program has seen of a document through one open file, by which it reads and writes: its writes are meant for that, also where an app has
/// rewritten the item in place since. Each open file has its own, because another one may have been opened before or after the app wrote.
struct SeenContent: Sendable {
    /// Nil while it has seen a draft only, which no app changes, or content that an app cannot change where it is.
    var stamp: BaseStamp?
    /// Nil of what is large, and where many have such documents open: then a program goes on from what is there.
    var bytes: [UInt8]? { kept?.bytes }
    private var kept: SeenBytes?
    private var isWhole = false
    private let room: SeenRoom

    /// Reads a file.
    init(_ content: OpenContent?, _ stamp: BaseStamp?, _ room: SeenRoom) {
        if let stamp, case .snapshot(let file, let offset, let length, _) = content {
            self.init(stamp, file, offset, length, room)
        } else {
            self.init(room)
        }
    }

    private init(_ room: SeenRoom) { self.room = room }

    private init(_ stamp: BaseStamp, _ file: OpenFile, _ offset: Int64, _ length: Int64, _ room: SeenRoom) {
        (self.stamp, self.room) = (stamp, room)
        // An app may be writing: what was read belongs to this state only if it still is the file's.
        let read = SeenBytes(of: file, offset, length, room), now = try? file.descriptor.status()
        kept = now.map(BaseStamp.init) == stamp ? read : nil
        isWhole = offset == 0 && now?.size == length
    }

    /// What the drive itself has made of the document, which a program that has it open knows.
    func renewed(_ content: OpenContent, _ stamp: BaseStamp) -> SeenContent { SeenContent(content, stamp, room) }

    /// The program reads the file itself, and so sees what an app has written there; nil where that is what it has seen.
    func renewed(reading file: OpenFile, _ offset: Int64, _ length: Int64) -> SeenContent? {
        guard let stamp, let now = try? file.descriptor.status(), BaseStamp(now) != stamp else { return nil }
        return SeenContent(BaseStamp(now), file, offset, isWhole ? now.size : length, room)
    }

    /// Whether what is there now is something else.
    func isRewritten(_ opened: ItemReader.Opened) -> Bool {
        guard let stamp, BaseStamp(opened.content) != stamp else { return false }
        guard let bytes, case .snapshot(let file, let offset, let length, _)? = try? OpenContent(opened), length == bytes.count else { return true }
        return (try? file.descriptor.read(at: offset, count: bytes.count)) != bytes
    }
}

/// Which open file has seen it.
struct SeenKey: Hashable, Sendable { fileprivate let number: UInt64 }

/// Bytes of a document, and the room that they take.
private final class SeenBytes: Sendable {
    let bytes: [UInt8]
    private let room: SeenRoom

    init?(of file: OpenFile, _ offset: Int64, _ length: Int64, _ room: SeenRoom) {
        guard length <= SeenRoom.mostEach, room.take(Int(length)) else { return nil }
        guard let bytes = try? file.descriptor.read(at: offset, count: Int(length)) else {
            room.giveBack(Int(length))
            return nil
        }
        (self.bytes, self.room) = (bytes, room)
        room.giveBack(Int(length) - bytes.count)
    }

    deinit { room.giveBack(bytes.count) }
}

/// How much memory what programs have seen may take.
final class SeenRoom: Sendable {
    private let used = Atomic(0)
    private let lastKey = Atomic(UInt64(0))
    private static let most = 1 << 24
    static let mostEach: Int64 = 1 << 20

    func nextKey() -> SeenKey { SeenKey(number: lastKey.wrappingAdd(1, ordering: .relaxed).newValue) }

    func take(_ count: Int) -> Bool {
        if used.wrappingAdd(count, ordering: .relaxed).newValue <= Self.most { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
