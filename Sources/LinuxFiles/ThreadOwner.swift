import CLinux
import Glibc

/// Makes files as somebody else: with their owner and group, and the rules of the folder for both.
public enum ThreadOwner {
    /// Runs `body` with the file-system identity of another user on this thread, where this process may (root).
    public static func acting<Value, Problem: Error>(
        as user: UInt32, group: UInt32, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard geteuid() == 0, user != 0 || group != getegid() else { return try body() }
        // The group first: without root's user the group could not be changed.
        let oldGroup = setfsgid(group)
        let oldUser = setfsuid(user)
        defer {
            _ = setfsuid(uid_t(bitPattern: oldUser))
            _ = setfsgid(gid_t(bitPattern: oldGroup))
        }
        return try body()
    }
}
