import CLinux
import Glibc

/// Does on this thread what somebody else asks for, with their rights and no others.
public struct ThreadRights: Sendable {
    /// This process's own groups, which the thread has again afterwards.
    private let ownGroups: [gid_t]

    /// nil where this process may not be anybody else.
    public init?() {
        guard geteuid() == 0 else { return nil }
        let count = getgroups(0, nil)
        guard count >= 0 else { return nil }
        var groups = [gid_t](repeating: 0, count: Int(count))
        // SAFETY: getgroups writes at most as many as there is room for.
        guard unsafe getgroups(count, &groups) == count else { return nil }
        ownGroups = groups
    }

    /// Runs `body` as a user with a group and further groups: owner of what it makes, and let in nowhere where they are not. The
    /// store decides, with its access lists. Whoever is root here stays so.
    public func acting<Value>(
        as user: UInt32, group: UInt32, groups: [UInt32], _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        guard user != 0 else { return try ThreadOwner.acting(as: user, group: group, body) }
        _ = try retrying { unsafe CLinux_assume_identity(user, group, groups, groups.count) }
        defer { resume() }
        return try body()
    }

    private func resume() {
        // A thread that stays somebody else would do the next request with that one's rights, or without its own.
        guard unsafe CLinux_resume_identity(ownGroups, ownGroups.count) == 0 else {
            SystemLog.write("a thread could not take its own rights back: \(Errno.current)", .error)
            abort()
        }
    }
}

/// What one may do with a file.
public struct FileRights: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// To execute a file, or to go through a folder.
    public static let enter = FileRights(rawValue: 1)
    public static let write = FileRights(rawValue: 2)
    public static let read = FileRights(rawValue: 4)
}

extension Descriptor {
    /// Whether this thread, as who it is now, may use an open file or a place in that way.
    public borrowing func check(_ wanted: FileRights) throws(Errno) {
        let raw = rawValue
        _ = try retrying { CLinux_may_access(raw, Int32(truncatingIfNeeded: wanted.rawValue)) }
    }
}
