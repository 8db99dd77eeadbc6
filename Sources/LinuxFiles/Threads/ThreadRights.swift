import CLinux
import Glibc

/// Does on this thread what somebody else asks for, with their rights and no others.
public struct ThreadRights: Sendable {
    /// This process's own, which the thread has again afterwards.
    private let ownUser = geteuid(), ownGroup = getegid(), ownGroups: [gid_t]

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

    /// Gives up this process's further groups, which root does not need. Before there are other threads that count on them.
    public static func leaveGroups() {
        if geteuid() == 0 { setgroups(0, nil) }
    }

    /// Runs `body` as a user with a group and further groups: owner of what it makes, and let in nowhere where they are not. The
    /// store decides, with its access lists. Whoever is root here stays so.
    public func acting<Value>(
        as user: UInt32, group: UInt32, groups: [UInt32], _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        guard user != 0 else { return try ThreadOwner.acting(as: user, group: group, body) }
        // Two calls fewer where they have no further groups, as this process has none.
        let others = groups.filter { $0 != group }, areChanged = others != ownGroups
        defer { resume(areChanged) }
        _ = try retrying {
            unsafe areChanged ? CLinux_assume_identity(user, group, others, others.count) : CLinux_assume_identity(user, group, nil, 0)
        }
        return try body()
    }

    private func resume(_ areChanged: Bool) {
        // A thread that stays somebody else would do the next request with that one's rights, or without its own.
        let result = unsafe areChanged
            ? CLinux_resume_identity(ownUser, ownGroup, ownGroups, ownGroups.count) : CLinux_resume_identity(ownUser, ownGroup, nil, 0)
        guard result == 0 else {
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

    /// Whether there may be an access control list beside the permissions that `stat` tells. Cheaper of what was not opened as a place.
    public borrowing func mayHaveAccessList() -> Bool { CLinux_has_access_list(rawValue) != 0 }
}
