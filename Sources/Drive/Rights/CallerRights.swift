import Glibc
import LinuxFiles

/// With whose rights the drive does what a program asks for.
///
/// The kernel has compared the caller with what it was told of a node, and that may be long ago. Where several people use a drive,
/// the drive asks once more, of the file that it has open by then: it is not to do for one of them what they may not do themselves.
/// Files' facts are given as the container has them.
struct CallerRights: Sendable {
    private static let typesThatGoByPermissions: Set<FileSystemType> = [.ext, .xfs, .btrfs, .f2fs, .tmpfs]

    private enum Judge {
        /// Nobody uses the drive but those whose rights it has.
        case nobody
        /// The store, which is asked with the caller's identity.
        case store(ThreadRights)
        /// What the drive shows: where it cannot be anybody else, or shows other owners and permissions than the store has.
        case shown
    }

    private let judge: Judge
    /// The store lets in whom a file's permissions let in, if it has no access list, and has no further rules of its own.
    private let goesByPermissions: Bool
    private let groups: CallerGroups
    /// The user who mounted the drive, and may do all that this process may.
    private let mounter: UInt32
    private let owner: UInt32?, group: UInt32?, umask: UInt32?

    /// `store`: a folder of it.
    init(_ options: DriveOptions, as user: UInt32, store: borrowing Descriptor) {
        mounter = user
        groups = CallerGroups(options.threadPage)
        goesByPermissions = (try? store.fileSystemType()).map(Self.typesThatGoByPermissions.contains) ?? false
        (owner, group, umask) = (options.owner, options.group, options.umask)
        let isShownAsIs = owner == nil && group == nil && umask == nil
        judge = !options.isShared ? .nobody : isShownAsIs ? ThreadRights().map(Judge.store) ?? .shown : .shown
    }

    /// Whether there is anybody who has fewer rights than the drive.
    var areChecked: Bool { if case .nobody = judge { false } else { true } }

    /// Facts as the drive shows them: whose a file is, and what it permits.
    func shown(_ status: FileStatus) -> FileStatus {
        var status = status
        if let umask { status.mode &= ~(umask & 0o777) }
        status.owner = owner ?? status.owner
        status.group = group ?? status.group
        return status
    }

    /// Runs `body` as the caller where the store is the judge. Otherwise for one who may do what is `needed` with the `target`,
    /// and as its owner where this process may be that. The target's facts are asked for only where something depends on them.
    /// `opens`: the target is opened and not changed by that.
    func acting<Value>(
        for caller: Caller, on target: @autoclosure () throws(Errno) -> FileStatus? = nil, needing needed: FileRights = [], clearsSetIDs: Bool = false,
        opens: Bool = false,
        _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        guard case .store(let rights) = judge else {
            if areChecked, !isTrusted(caller), let target = try target() { try requireShown(needed, of: caller, target) }
            return try ThreadRights.owning(as: caller.user, group: caller.group, clearsSetIDs: clearsSetIDs, body)
        }
        if opens, let target = try target() { return try using(target, with: rights, as: caller, body) }
        return try acting(with: rights, for: caller, on: target(), body)
    }

    /// For a file that is there and is not changed. What its owner may have of it, depends on no group.
    private func using<Value>(
        _ target: FileStatus, with rights: ThreadRights, as caller: Caller, _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        guard target.owner == caller.user else { return try acting(with: rights, for: caller, on: target, body) }
        return try rights.acting(as: caller.user, group: caller.group, groups: [], body)
    }

    /// The same for a name that is taken out of a folder that the caller may change.
    func removing<Value>(for caller: Caller, _ folder: OpenFile, _ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        guard case .store(let rights) = judge else { return try body() }
        return try acting(with: rights, for: caller, on: folder.descriptor.status(), body)
    }

    /// Whoever cannot be asked for their groups was let in by the kernel, perhaps as one of the target's group.
    private func acting<Value>(
        with rights: ThreadRights, for caller: Caller, on target: @autoclosure () throws(Errno) -> FileStatus?, _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        var others: [UInt32] = []
        if caller.user != 0 {
            if let known = groups.of(caller) { others = known } else if let target = try target() { others = [target.group] }
        }
        return try rights.acting(as: caller.user, group: caller.group, groups: others, body)
    }

    /// Throws `.accessDenied` unless the caller may use an open file so.
    func require(_ wanted: FileRights, of caller: Caller, on file: OpenFile, _ status: FileStatus) throws(Errno) {
        guard case .store(let rights) = judge else { return try requireShown(wanted, of: caller, status) }
        if caller.user == 0 || isPermitted(wanted, to: caller, file, status) { return }
        try using(status, with: rights, as: caller) { () throws(Errno) in try file.descriptor.check(wanted) }
    }

    /// Whether the store would say so too, for whoever only reads: it takes one call to know that, and six to be the caller.
    private func isPermitted(_ wanted: FileRights, to caller: Caller, _ file: OpenFile, _ status: FileStatus) -> Bool {
        goesByPermissions && !wanted.contains(.write) && permits(wanted, caller, status)
            && !file.descriptor.mayHaveAccessList()
    }

    /// The same by what is shown alone: of what is no file any more, and where nobody else can be asked.
    func requireShown(_ wanted: FileRights, of caller: Caller, _ status: FileStatus) throws(Errno) {
        guard areChecked, !isTrusted(caller), !permits(wanted, caller, shown(status)) else { return }
        throw .accessDenied
    }

    /// Whether somebody may read what exists on the drive alone.
    func mayRead(_ attributes: Attributes, _ caller: Caller) -> Bool {
        isTrusted(caller) || permits(.read, caller, attributes.mode, attributes.owner, attributes.group)
    }

    /// Root, and who mounted the drive.
    func mayDoAll(_ caller: Caller) -> Bool { isTrusted(caller) }

    /// Whether somebody is told what files are called wherever they lie: also whom all of it belongs to by `uid=`.
    func mayKnowNames(_ caller: Caller) -> Bool { isTrusted(caller) || caller.user == owner }

    /// Throws `.notPermitted` unless the caller is a file's owner. The store knows that itself.
    func requireOwnership(of caller: Caller, _ status: FileStatus) throws(Errno) {
        guard case .shown = judge, !isTrusted(caller), shown(status).owner != caller.user else { return }
        throw .notPermitted
    }

    /// Throws `.notPermitted` where a folder lets only owners take names away, and the caller is none.
    func requireRemoval(of caller: Caller, _ item: FileStatus, in folder: FileStatus) throws(Errno) {
        guard areChecked, folder.permissions & 0o1000 != 0, !isTrusted(caller),
            ![shown(item).owner, shown(folder).owner].contains(caller.user)
        else { return }
        throw .notPermitted
    }

    /// Throws `.notPermitted` for a file of somebody else's that the caller may not read and write, for which the kernel makes no
    /// second name (`fs.protected_hardlinks`). The store knows that itself.
    func requireLinking(of caller: Caller, _ status: FileStatus) throws(Errno) {
        guard case .shown = judge, !isOwner(caller, of: status), !permits([.read, .write], caller, shown(status)) else { return }
        throw .notPermitted
    }

    func isOwner(_ caller: Caller, of status: FileStatus) -> Bool { isTrusted(caller) || shown(status).owner == caller.user }

    /// Whether the caller is in the group; false where the caller's groups are not known.
    func isMember(_ caller: Caller, of group: UInt32) -> Bool { caller.group == group || groups.of(caller)?.contains(group) == true }

    private func isTrusted(_ caller: Caller) -> Bool { caller.user == 0 || caller.user == mounter }

    private func permits(_ wanted: FileRights, _ caller: Caller, _ shown: FileStatus) -> Bool {
        permits(wanted, caller, shown.mode, shown.owner, shown.group)
    }

    private func permits(_ wanted: FileRights, _ caller: Caller, _ mode: UInt32, _ owner: UInt32, _ ofGroup: UInt32) -> Bool {
        if caller.user == 0 { return true }
        func has(_ bits: UInt32) -> Bool { wanted.rawValue & ~bits == 0 }
        if caller.user == owner { return has(mode >> 6 & 7) }
        let group = has(mode >> 3 & 7), other = has(mode & 7)
        if caller.group == ofGroup { return group }
        // Their other groups are asked for only where that makes a difference.
        guard group != other else { return group }
        // Whoever cannot be asked was let in by the kernel, by the one or the other.
        guard let others = groups.of(caller) else { return true }
        return others.contains(ofGroup) ? group : other
    }
}

/// The further groups of those who ask, which a request does not say. The kernel tells them of the thread that asked; they are
/// remembered for a moment, because a program that walks a tree asks thousands of times.
final class CallerGroups: Sendable {
    private struct Known {
        let facts: ThreadFacts?
        let until: Int64
    }

    private let page: @Sendable (UInt32) -> [UInt8]?
    private let known = RecentTable<UInt32, Known>(most: 256)
    private static let milliseconds: Int64 = 500

    /// `page`: what everybody is told of a thread.
    init(_ page: @escaping @Sendable (UInt32) -> [UInt8]?) { self.page = page }

    /// nil where nobody can tell: the caller is of another world of processes, or a thread of the kernel's that acts for somebody.
    func of(_ caller: Caller) -> [UInt32]? {
        guard caller.thread != 0 else { return nil }
        let now = Monotonic.milliseconds
        let kept = known[caller.thread]
        if let kept, now < kept.until, kept.facts?.user == caller.user { return kept.facts?.groups }
        let facts = page(caller.thread).flatMap { ThreadFacts(page: $0) }
        known[caller.thread] = Known(facts: facts, until: now + Self.milliseconds)
        // One that has ended has no more groups than the one that it came with; nobody waits for its answer.
        guard let facts else { return [] }
        return facts.user == caller.user ? facts.groups : nil
    }
}

extension FileRights {
    /// Those that a file is opened with these flags for.
    init(opening flags: Int32) {
        let cutting: FileRights = flags & O_TRUNC != 0 ? .write : []
        self = switch flags & O_ACCMODE {
        case O_WRONLY: .write
        case O_RDWR, O_ACCMODE: [.read, .write]
        // To run a file is no right to read it.
        default: cutting.union(flags & Self.executes != 0 ? .enter : .read)
        }
    }

    /// The kernel's flag for a file that is opened to be run.
    private static var executes: Int32 { 0x20 }
}
