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

    private static let largest = 16 << 20

    /// All that comes until the other end is closed; nil at the deadline, or after 16 MiB.
    func readToEnd(until deadline: Int64? = nil) -> [UInt8]? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < Self.largest {
            guard waitForBytes(until: deadline) else { return nil }
            // SAFETY: read writes at most as many bytes as it is told there are.
            let count = unsafe read(reader, &buffer, buffer.count)
            if count > 0 { received += buffer.prefix(count) }
            if count == 0 { return received }
            if count < 0, Errno.current != .interrupted { return received }
        }
        return nil
    }

    private func waitForBytes(until deadline: Int64?) -> Bool {
        guard let deadline else { return true }
        while true {
            var waited = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
            let left = deadline - Clock.now
            guard left > 0 else { return false }
            // SAFETY: one entry, as told.
            let ready = unsafe poll(&waited, 1, Int32(clamping: left))
            if ready > 0 { return true }
            if ready == 0 { return false }
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
