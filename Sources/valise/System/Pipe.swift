import Glibc
import LinuxFiles

/// A pipe between two processes. Programs that either starts do not inherit it.
struct Pipe {
    let reader: Int32
    let writer: Int32

    init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        // SAFETY: pipe writes two descriptors.
        guard unsafe pipe(&ends) == 0 else { throw .current }
        let first = Descriptor(adopting: ends[0]), second = Descriptor(adopting: ends[1])
        // Copies, because those are closed on exec.
        let kept = try first.duplicate()
        writer = try second.duplicate().release()
        reader = kept.release()
    }

    func closeReader() { close(reader) }
    func closeWriter() { close(writer) }

    static let largest = 16 << 20

    /// All that comes until the other end is closed; nil after 16 MiB.
    func readToEnd() -> [UInt8]? {
        var received: [UInt8] = []
        while received.count < Self.largest {
            guard read(to: &received) else { return received }
        }
        return nil
    }

    /// What comes next; false at the end.
    func read(to received: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // SAFETY: read writes at most as many bytes as it is told there are.
        let count = unsafe Glibc.read(reader, &buffer, buffer.count)
        if count > 0 { received += buffer.prefix(count) }
        return count > 0 || count < 0 && Errno.current == .interrupted
    }

    /// Whether a read would return at once, with bytes or because there will be none.
    var hasBytes: Bool { Self.wait(for: [self], until: 0) }

    /// Whether one of them has something before the deadline.
    @discardableResult
    static func wait(for pipes: [Pipe], until deadline: Int64) -> Bool {
        var waited = pipes.map { pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0) }
        while true {
            // SAFETY: as many entries as told.
            let ready = unsafe poll(&waited, nfds_t(waited.count), Int32(clamping: max(0, deadline - Clock.now)))
            if ready >= 0 { return ready > 0 }
            if Errno.current != .interrupted { return true }
        }
    }
}

/// Writes all bytes; says whether that worked.
@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        // SAFETY: the buffer is the slice itself, alive through the call.
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if Errno.current == .interrupted { continue }
            return false
        }
        rest = rest.dropFirst(count)
    }
    return true
}
