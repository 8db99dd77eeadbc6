import CLinux

/// Tells of connections that have ended at their other end, without hearing what came over them.
public final class ConnectionEnds: Sendable {
    private let watch: OpenFile
    private let own: LocalSocket, theirs: LocalSocket
    /// That of what `wake` wakes.
    private static let waking = UInt64.max

    public init() throws(Errno) {
        (own, theirs) = try LocalSocket.pair()
        watch = OpenFile(Descriptor(adopting: try retrying { CLinux_watch_ends() }))
        try add(theirs, as: Self.waking)
    }

    /// It is told of under this number, once, and no more when the socket is closed here.
    public func add(_ socket: LocalSocket, as number: UInt64) throws(Errno) {
        let raw = watch.descriptor.rawValue, other = socket.rawValue
        _ = try retrying { CLinux_watch_end(raw, other, number) }
    }

    /// Waits for the next; nil once somebody called `stop`.
    public func next() -> UInt64? {
        let raw = watch.descriptor.rawValue
        var number = Self.waking
        // SAFETY: the one number is filled.
        guard let count = try? retrying({ unsafe CLinux_next_end(raw, &number) }), count > 0, number != Self.waking else { return nil }
        return number
    }

    /// Ends the wait, also the next one.
    public func stop() { own.shutDown() }
}
