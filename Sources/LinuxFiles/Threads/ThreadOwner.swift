import CLinux
import Glibc

/// Makes files as somebody else: with their owner and group, and the rules of the folder for both.
public enum ThreadOwner {
    /// Runs `body` with the file-system identity of another user on this thread, where this process may (root).
    ///
    /// With `keepsRights` only the identity is the other one's, and the rights are the process's own: for where others decide what they may.
    /// Without, root has no more rights to files than that user: for what it does in a place that the other one can change. With
    /// `clearsSetIDs`, what they write to loses its set-id bits, as it does when they write themselves.
    public static func acting<Value, Problem: Error>(
        as user: UInt32, group: UInt32, keepsRights: Bool = true, clearsSetIDs: Bool = false, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard geteuid() == 0, user != 0 || (keepsRights && group != getegid()) else { return try body() }
        // The group first: without root's user the group could not be changed.
        let oldGroup = setfsgid(group)
        let oldUser = setfsuid(user)
        // Another identity than root's took the rights away; root's brings them back.
        if user != 0, keepsRights { _ = CLinux_raise_capabilities(!clearsSetIDs) }
        defer {
            _ = setfsuid(uid_t(bitPattern: oldUser))
            _ = setfsgid(gid_t(bitPattern: oldGroup))
        }
        return try body()
    }
}
