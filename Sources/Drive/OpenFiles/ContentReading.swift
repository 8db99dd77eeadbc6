import Documents
import LinuxFiles

/// Reads what is open: of a document a snapshot or its draft, of a plain file the file.
final class ContentReading: Sendable {
    private let handles: OpenHandles

    init(handles: OpenHandles) {
        self.handles = handles
    }

    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        guard let open = handles[handle] else { throw .badDescriptor }
        guard offset >= 0, count >= 0 else { throw .invalid }
        switch open.content {
        case .snapshot(let file, let start, let length, _):
            let available = max(0, min(Int64(count), length - min(offset, length)))
            if let seen = open.seen { open.document?.noteReading(seen, file, start, length) }
            return .file(file, offset: start + offset, count: Int(available))
        case .plain(let file):
            return .file(file, offset: offset, count: count)
        case .draft(let draft):
            return .file(draft.file, offset: draft.contentStart + offset, count: try draft.available(count, at: offset))
        case .bytes(let bytes, _):
            let first = Int(min(offset, Int64(bytes.count)))
            return .bytes(bytes[first..<min(bytes.count, first + count)])
        case .headed(let head, let file, let start, let length, _):
            let behind = max(0, offset - Int64(head.count))
            let taken = head.dropFirst(Int(min(offset, Int64(head.count)))).prefix(count)
            let available = Int(max(0, min(Int64(count - taken.count), length - behind)))
            if taken.isEmpty { return .file(file, offset: start + behind, count: available) }
            return .bytes(taken + (try file.descriptor.read(at: start + behind, count: available)))
        }
    }

    func seek(_ handle: HandleID, to offset: Int64, whence: Int32) throws(Errno) -> Int64 {
        guard let open = handles[handle] else { throw .badDescriptor }
        if case .plain(let file) = open.content { return try file.descriptor.seek(to: offset, whence: whence) }
        // Documents have no holes: data to the end, and one hole behind it.
        guard let length = try open.content.currentStatus()?.size, offset >= 0, offset < length else { throw .noSuchDevice }
        return whence == Self.seekHole ? length : offset
    }

    private static let seekHole: Int32 = 4
}
