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
        guard user != 0 else { return try ThreadRights.owning(as: user, group: group, body) }
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

// MARK: Making files as somebody else: with their owner and group, and the rules of the folder for both

extension ThreadRights {
    /// Runs `body` with the file-system identity of another user on this thread, where this process may (root).
    ///
    /// With `keepsRights` only the identity is the other one's, and the rights are the process's own: for where others decide what they may.
    /// Without, root has no more rights to files than that user: for what it does in a place that the other one can change. With
    /// `clearsSetIDs`, what they write to loses its set-id bits, as it does when they write themselves.
    public static func owning<Value, Problem: Error>(
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
