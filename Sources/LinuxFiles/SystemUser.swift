import Glibc

/// A user that the system knows, with the groups that a login gives them.
public struct SystemUser: Sendable {
    public let number: UInt32
    public let name: String
    public let group: UInt32
    let groups: [UInt32]
    private let home: String

    /// nil where the system has no such user. To be called while this process has one thread.
    public init?(_ number: UInt32) {
        // SAFETY: nothing else asks for a user before all was copied.
        guard let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name else { return nil }
        self.number = number
        self.name = unsafe String(cString: name)
        group = unsafe entry.pointee.pw_gid
        home = unsafe entry.pointee.pw_dir.map { unsafe String(cString: $0) } ?? "/"
        var count: Int32 = 64
        while true {
            var found = [gid_t](repeating: 0, count: Int(count))
            // SAFETY: as many are written as there is room for; then `count` says how many there are.
            if unsafe getgrouplist(self.name, group, &found, &count) >= 0 {
                groups = Array(found.prefix(Int(count)))
                return
            }
            guard count > found.count, count < 1 << 16 else { return nil }
        }
    }

    /// This process is that user from now on, for good: with their groups, and without a right that root has. To be called while it has
    /// one thread.
    public func become() throws(Sandbox.Fault) {
        try Sandbox.become(self)
        // SAFETY: there is one thread. Whatever looks for the user's own files looks in the right place.
        for (variable, value) in [("HOME", home), ("USER", name), ("LOGNAME", name)] { _ = unsafe setenv(variable, value, 1) }
        // Where it was started is root's affair.
        _ = unsafe chdir("/")
    }
}
