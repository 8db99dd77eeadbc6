import CLinux
import Glibc

/// One end of a connection between two processes: whole messages, each of which may hand over one open file.
public struct Channel: Sendable {
    private let socket: OpenFile

    public init(adopting descriptor: consuming Descriptor) { socket = OpenFile(descriptor) }

    /// One end that came with a message.
    public init(_ file: OpenFile) { socket = file }

    /// The two ends of a new connection.
    public static func pair() throws(Errno) -> (Channel, Channel) {
        var both: [Int32] = [-1, -1]
        // SAFETY: socketpair fills the two places it is given.
        _ = try retrying { unsafe CLinux_socket_pair(&both) }
        return (Channel(adopting: Descriptor(adopting: both[0])), Channel(adopting: Descriptor(adopting: both[1])))
    }

    /// A way to a service's socket of datagrams, whose path begins with "@" where it is no file. Sending never waits.
    public static func toService(_ path: String) throws(Errno) -> Channel {
        let bytes = Array(path.utf8)
        // SAFETY: the pointer and the count are the array's.
        let socket = try retrying { unsafe bytes.withUnsafeBytes { unsafe CLinux_connect_to_service($0.baseAddress, $0.count) } }
        return Channel(adopting: Descriptor(adopting: socket))
    }

    public func send(_ message: [UInt8], passing file: OpenFile? = nil) throws(Errno) {
        let raw = socket.descriptor.rawValue, passed = file?.descriptor.rawValue ?? -1
        // SAFETY: the pointer and the count are the array's.
        _ = try retrying { unsafe message.withUnsafeBytes { unsafe CLinux_send(raw, $0.baseAddress, $0.count, passed) } }
        withExtendedLifetime(file) {}
    }

    /// A process that a message is from, and who it is.
    public struct Speaker: Sendable {
        let process: Int32
        let user: UInt32
        let group: UInt32

        public init(process: Int32, user: UInt32, group: UInt32) { (self.process, self.user, self.group) = (process, user, group) }
    }

    /// For somebody else, where this process may say so: root, of one that is there. Otherwise for itself.
    public func send(_ message: [UInt8], from speaker: Speaker?) throws(Errno) {
        let raw = socket.descriptor.rawValue
        guard let speaker, geteuid() == 0 else { return try send(message) }
        // SAFETY: the pointer and the count are the array's.
        let count = unsafe message.withUnsafeBytes { unsafe CLinux_send_from(raw, $0.baseAddress, $0.count, speaker.process, speaker.user, speaker.group) }
        if count < 0 { try send(message) }
    }

    /// Without waiting for who is to receive it: throws `.tryAgain` where much waits for them already.
    public func sendWithoutWaiting(_ message: [UInt8]) throws(Errno) {
        let raw = socket.descriptor.rawValue
        // SAFETY: the pointer and the count are the array's.
        _ = try retrying { unsafe message.withUnsafeBytes { unsafe CLinux_send_some(raw, $0.baseAddress, $0.count) } }
    }

    /// The next message, whole, or nil when the other end is gone. Throws `.messageTooLong` over `limit`. A process that serves a drive takes no file
    /// from another one.
    public func receive(limit: Int, takingFile: Bool = true) throws(Errno) -> Message? {
        let raw = socket.descriptor.rawValue
        var bytes = [UInt8](repeating: 0, count: limit)
        var passed: Int32 = -1
        // SAFETY: recvmsg writes at most the buffer's count.
        let count = try retrying {
            unsafe bytes.withUnsafeMutableBytes { unsafe takingFile ? CLinux_receive(raw, $0.baseAddress, $0.count, &passed) : CLinux_receive(raw, $0.baseAddress, $0.count, nil) }
        }
        let file = passed >= 0 ? OpenFile(Descriptor(adopting: passed)) : nil
        guard count > 0 else { return nil }
        bytes.removeLast(limit - count)
        return Message(bytes: bytes, file: file)
    }

    public struct Message: Sendable {
        public let bytes: [UInt8]
        public let file: OpenFile?
    }

    /// Waits until there is something to receive, or the other end is gone: false when the time is over.
    public func waits(milliseconds: Int) throws(Errno) -> Bool {
        let end = Monotonic.milliseconds + Int64(milliseconds)
        while true {
            var asked = pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            // SAFETY: poll reads and writes the one struct it is given.
            let count = unsafe poll(&asked, 1, Int32(clamping: max(0, end - Monotonic.milliseconds)))
            if count >= 0 { return count > 0 }
            if Errno.current != .interrupted { throw .current }
        }
    }

    /// Ends the connection for both ends, also under somebody who waits here.
    public func shutDown() { _ = shutdown(socket.descriptor.rawValue, Int32(SHUT_RDWR)) }

    /// To be passed on over another one.
    public var file: OpenFile { socket }

    /// For a process that is started with it.
    var rawValue: Int32 { socket.descriptor.rawValue }
}

/// A clock that only goes forward.
public enum Monotonic {
    public static var milliseconds: Int64 {
        var time = timespec()
        // SAFETY: clock_gettime fills the struct it is given.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Since the computer was started, with the time in which it slept.
    public static var secondsSinceStart: Int64 {
        var time = timespec()
        // SAFETY: clock_gettime fills the struct it is given.
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}
