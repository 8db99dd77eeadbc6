import Containers
import LinuxFiles
import Synchronization

/// What a document was when a program opened it to read it and to write into it: that is what its writes are meant for, also where an app has
/// rewritten the item in place since.
struct SeenContent: Sendable {
    var stamp: BaseStamp
    /// Nil of what is large, and where many have such documents open: then what is there is written into.
    var bytes: [UInt8]? { kept?.bytes }
    private let kept: SeenBytes?
    private let room: SeenRoom

    /// Reads a file. Nil of content that an app cannot change where it is.
    init?(_ content: OpenContent, _ stamp: BaseStamp?, _ room: SeenRoom) {
        guard let stamp, case .snapshot(let file, let offset, let length, _) = content else { return nil }
        (self.stamp, self.room) = (stamp, room)
        kept = SeenBytes(of: file, offset, length, room)
    }

    /// What the drive itself has made of the document, which a program that has it open knows.
    func renewed(_ content: OpenContent, _ opened: ItemReader.Opened) -> SeenContent? { SeenContent(content, BaseStamp(opened.content), room) }

    /// Whether what is there now is something else.
    func isRewritten(_ opened: ItemReader.Opened) -> Bool {
        guard BaseStamp(opened.content) != stamp else { return false }
        guard let bytes, case .snapshot(let file, let offset, let length, _)? = try? OpenContent(opened), length == bytes.count else { return true }
        return (try? file.descriptor.read(at: offset, count: bytes.count)) != bytes
    }
}

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
    private static let most = 1 << 24
    static let mostEach: Int64 = 1 << 20

    func take(_ count: Int) -> Bool {
        if used.wrappingAdd(count, ordering: .relaxed).newValue <= Self.most { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
