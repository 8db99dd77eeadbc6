import CFuse3
import Drive
import Glibc
import LinuxFiles

// One type for each kind of answer. SAFETY, for all of them: `take` gives out a request that libfuse
// still waits to have answered, once; the structs that are pointed to live through the call.

/// Nothing but that it was done.
struct DoneReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_: Void) { _ = unsafe CFuse3_reply_error(reply.take(), 0) }
}

/// A name's node. If the kernel does not take the answer, it has not learned of the node either.
struct EntryReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let drive: Drive

    init(_ request: OpaquePointer, _ drive: Drive) {
        reply = unsafe Reply(request)
        self.drive = drive
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ entry: Entry) {
        let drive = drive
        var answer = CFuse3_Entry(entry)
        if unsafe CFuse3_reply_entry(reply.take(), &answer) != 0 { drive.forget(entry.node, count: 1) }
    }
}

struct AttributesReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ attributes: Attributes) {
        var facts = stat(attributes)
        _ = unsafe CFuse3_reply_attributes(reply.take(), &facts, lasting(attributes.keeps))
    }
}

struct LinkReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ target: [UInt8]) {
        let text = target.map { CChar(bitPattern: $0) } + [0]
        _ = unsafe CFuse3_reply_link(reply.take(), text)
    }
}

/// How many bytes were written or copied.
struct CountReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_ count: Int) { _ = unsafe CFuse3_reply_count(reply.take(), count) }
}

/// How many bytes were written, told when nobody can read any more what was there before.
struct WriteReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let node: UInt64
    private let offset: Int64
    private let directWrites: DirectWrites?

    /// `directWrites`, for a write that goes past the kernel's pages.
    init(_ request: OpaquePointer, _ node: UInt64, _ offset: Int, _ directWrites: DirectWrites?) {
        reply = unsafe Reply(request)
        self.node = node
        self.offset = Int64(offset)
        self.directWrites = directWrites
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ count: Int) {
        let (directWrites, node, offset) = (directWrites, node, offset)
        // SAFETY: it is answered once, on whichever thread.
        nonisolated(unsafe) let request = unsafe reply.take()
        guard let directWrites, count > 0 else { return _ = unsafe CFuse3_reply_count(request, count) }
        directWrites.forget(node, from: offset, count: count) { _ = unsafe CFuse3_reply_count(request, count) }
    }
}

struct OffsetReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }
    consuming func send(_ offset: Int64) { _ = unsafe CFuse3_reply_offset(reply.take(), offset) }
}

/// What was read: a range of a file goes from page cache to page cache.
struct ContentReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ content: Content) {
        let request = unsafe reply.take()
        switch content {
        case .file(let file, let offset, let count):
            _ = unsafe CFuse3_reply_file(request, file.descriptor.rawValue, offset, count)
        case .bytes(let bytes):
            _ = unsafe bytes.withUnsafeBytes { unsafe CFuse3_reply_bytes(request, $0.baseAddress, $0.count) }
        }
    }
}

struct FileSystemReply: ValueReply, ~Copyable {
    private let reply: Reply
    init(_ request: OpaquePointer) { reply = unsafe Reply(request) }
    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ status: FileSystemStatus) {
        var facts = statvfs(status)
        _ = unsafe CFuse3_reply_file_system(reply.take(), &facts)
    }
}

/// An extended attribute's value or the list of their names: its size, where room for 0 bytes was offered.
struct AttributeValueReply: ValueReply, ~Copyable {
    private let reply: Reply
    private let room: Int

    init(_ request: OpaquePointer, room: Int) {
        reply = unsafe Reply(request)
        self.room = room
    }

    consuming func fail(_ error: Errno) { reply.fail(error) }

    consuming func send(_ value: [UInt8]) {
        if room == 0 {
            _ = unsafe CFuse3_reply_value_size(reply.take(), value.count)
        } else if value.count > room {
            reply.fail(.range)
        } else {
            let request = unsafe reply.take()
            _ = unsafe value.withUnsafeBytes { unsafe CFuse3_reply_bytes(request, $0.baseAddress, $0.count) }
        }
    }
}
