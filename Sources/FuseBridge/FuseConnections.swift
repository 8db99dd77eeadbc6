import LinuxFiles

/// Where the kernel lets a drive's requests be ended by whoever mounted it.
public enum FuseConnections {
    /// Where it is mounted, if somebody did that. Root needs no such place.
    public static let path = "/sys/fs/fuse/connections"

    /// Writing to it ends the requests of the connection with this number.
    public static func abort(of connection: some CustomStringConvertible) throws(Errno) -> Descriptor {
        guard let connection = Name("\(connection)") else { throw .invalid }
        return try top().open(connection, [.path, .folder]).open(Name(constant: "abort"), .write)
    }

    /// Whether the kernel still has the connection: its drive is mounted somewhere then. nil where it does not tell.
    public static func has(_ connection: some CustomStringConvertible) -> Bool? {
        guard let connection = Name("\(connection)"), let top = try? top() else { return nil }
        do throws(Errno) { _ = try top.open(connection, [.path, .folder]) } catch { return error == .noSuchEntry ? false : nil }
        return true
    }

    static func abortFile(of connection: UInt32) -> OpenFile? {
        guard let file = try? abort(of: connection) else { return nil }
        return OpenFile(file)
    }

    private static func top() throws(Errno) -> Descriptor {
        do throws(Errno) { return try Descriptor.mountedNowhere("fusectl") } catch { return try Descriptor.atPath(path, [.path, .folder]) }
    }
}
