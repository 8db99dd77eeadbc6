import LinuxFiles

/// Where the kernel lets a drive's requests be ended by whoever mounted it.
public enum Switchboard {
    /// Where it is mounted, if somebody did that. Root needs no such place.
    public static let path = "/sys/fs/fuse/connections"

    /// Writing to it ends the requests of the connection with this number.
    public static func abort(of connection: some CustomStringConvertible) throws(Errno) -> Descriptor {
        guard let connection = Name("\(connection)") else { throw .invalid }
        return try top().open(connection, [.path, .folder]).open(Name(constant: "abort"), .write)
    }

    static func abortFile(of connection: UInt32) -> OpenFile? {
        guard let file = try? abort(of: connection) else { return nil }
        return OpenFile(file)
    }

    private static func top() throws(Errno) -> Descriptor {
        do throws(Errno) { return try Descriptor.mountedNowhere("fusectl") } catch { return try Descriptor.atPath(path, [.path, .folder]) }
    }
}
