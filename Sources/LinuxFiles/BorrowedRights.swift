import CLinux
import Glibc

/// Does something with no more rights to files than another user has: for what root does in a place that the other one can change.
public enum BorrowedRights {
    /// Runs `body` with the file-system identity of that user on this thread, and without root's rights to files: the kernel takes
    /// those away with root's identity, and gives them back with it. Where this process is not root, the rights stay as they are.
    public static func acting<Value, Problem: Error>(
        as user: UInt32, group: UInt32, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        guard geteuid() == 0, user != 0 else { return try body() }
        let oldGroup = setfsgid(group), oldUser = setfsuid(user)
        defer {
            _ = setfsuid(uid_t(bitPattern: oldUser))
            _ = setfsgid(gid_t(bitPattern: oldGroup))
        }
        return try body()
    }
}
