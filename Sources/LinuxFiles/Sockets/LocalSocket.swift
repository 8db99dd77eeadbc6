import CLinux
import Glibc

/// A connection between two processes of one machine, or the place in a folder where such connections begin.
/// No call waits, except those that say so.
public struct LocalSocket: Sendable {
    private let file: OpenFile

    private init(adopting raw: Int32) { file = OpenFile(Descriptor(adopting: raw)) }

    /// A socket under this name, which must be free, for its owner alone.
    public static func listening(in folder: borrowing Descriptor, as name: Name) throws(Errno) -> LocalSocket {
        let raw = folder.rawValue
        return LocalSocket(adopting: try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe CLinux_listen(raw, text, 0o600) } })
    }

    /// Throws `.connectionRefused` where nobody listens any more, and `.tryAgain` where too many wait.
    public static func connected(in folder: borrowing Descriptor, to name: Name) throws(Errno) -> LocalSocket {
        let raw = folder.rawValue
        return LocalSocket(adopting: try unsafe name.withCString { (text) throws(Errno) in try retrying { unsafe CLinux_connect(raw, text) } })
    }

    /// The two ends of a new connection, both as if they had been made here.
    public static func pair() throws(Errno) -> (LocalSocket, LocalSocket) {
        var both: [Int32] = [-1, -1]
        // SAFETY: socketpair fills the two places it is given.
        _ = try retrying { unsafe CLinux_stream_pair(&both) }
        return (LocalSocket(adopting: both[0]), LocalSocket(adopting: both[1]))
    }

    /// The next connection, or nil when nobody waits for one.
    public func accept() throws(Errno) -> LocalSocket? {
        let raw = rawValue
        return try Self.unlessItWouldWait { () throws(Errno) in LocalSocket(adopting: try retrying { CLinux_accept(raw) }) }
    }

    /// Who connected: the kernel's word, not the other's.
    public func peer() throws(Errno) -> (process: Int32, user: UInt32) {
        var process: pid_t = 0, user: uid_t = 0
        // SAFETY: the two places are filled.
        _ = try retrying { unsafe CLinux_peer(rawValue, &process, &user) }
        return (process, user)
    }

    /// From now on `receiveWaiting` throws `.tryAgain` where nothing has come for so long.
    public func setPatience(milliseconds: Int) {
        var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        // SAFETY: the pointer and the size are the struct's.
        _ = unsafe setsockopt(rawValue, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Fills the buffer from its beginning. 0 at the end of the connection, nil when there is nothing now.
    public func receive(into buffer: inout [UInt8]) throws(Errno) -> Int? {
        let raw = rawValue
        return try Self.unlessItWouldWait { () throws(Errno) in
            // SAFETY: recv writes at most the buffer's count.
            try retrying { unsafe buffer.withUnsafeMutableBytes { unsafe CLinux_receive_some(raw, $0.baseAddress, $0.count) } }
        }
    }

    /// Waits until there is something, of a connection that was made here. 0 at its end, or when it is shut down.
    public func receiveWaiting(into buffer: inout [UInt8]) throws(Errno) -> Int {
        let raw = rawValue
        // SAFETY: recv writes at most the buffer's count.
        return try retrying { unsafe buffer.withUnsafeMutableBytes { unsafe CLinux_receive_waiting(raw, $0.baseAddress, $0.count) } }
    }

    /// Sends as much as there is room for, and says how much that was.
    public func send(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
        let raw = rawValue
        // SAFETY: the pointer and the count are the slice's.
        return try Self.unlessItWouldWait { () throws(Errno) in
            try retrying { unsafe bytes.withUnsafeBytes { unsafe CLinux_send_some(raw, $0.baseAddress, $0.count) } }
        } ?? 0
    }

    /// Ends the connection for both ends, also under somebody who waits for it.
    public func shutDown() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }

    private static func unlessItWouldWait<Value>(_ call: () throws(Errno) -> Value) throws(Errno) -> Value? {
        do throws(Errno) { return try call() } catch {
            guard error == .tryAgain else { throw error }
            return nil
        }
    }

    /// For a signal's handler, which may call nothing that is made in Swift.
    public var number: Int32 { rawValue }

    var rawValue: Int32 { file.descriptor.rawValue }
}

extension LocalSocket {
    /// A socket that is waited for.
    public struct Watch: Sendable {
        public let socket: LocalSocket
        /// Whether room to send is waited for, too.
        public let wantsToSend: Bool
        public fileprivate(set) var canReceive = false
        public fileprivate(set) var canSend = false

        public init(_ socket: LocalSocket, wantsToSend: Bool = false) {
            self.socket = socket
            self.wantsToSend = wantsToSend
        }
    }

    /// Waits until something can be done with one of them; nil waits for ever. False when the time is over.
    public static func wait(_ watches: inout [Watch], milliseconds: Int64?) throws(Errno) -> Bool {
        let end = milliseconds.map { Monotonic.milliseconds + $0 }
        var asked = watches.map { pollfd(fd: $0.socket.rawValue, events: Int16(POLLIN) | ($0.wantsToSend ? Int16(POLLOUT) : 0), revents: 0) }
        while true {
            let left = end.map { Int32(clamping: max(0, $0 - Monotonic.milliseconds)) } ?? -1
            // SAFETY: poll reads and writes as many structs as there are.
            let count = unsafe poll(&asked, nfds_t(asked.count), left)
            if count < 0 {
                guard Errno.current == .interrupted else { throw .current }
                continue
            }
            for index in watches.indices {
                let events = asked[index].revents
                watches[index].canReceive = events & Int16(POLLIN | POLLHUP | POLLERR) != 0
                watches[index].canSend = events & Int16(POLLOUT) != 0
            }
            return count > 0
        }
    }
}
