import Containers
import Glibc
import LinuxFiles

/// Opens plain files.
final class PlainFileOpening: Sendable {
    private let tree: Tree
    private let nameless: NamelessFiles
    private let options: DriveOptions
    private let rights: CallerRights
    private let moves: MovesUnderWay
    private let kernel: KernelMemory
    private let places: Places
    private let access: AccessChecks
    private let documents: OpenDocuments
    private let accesses: AccessNotes
    private let versions: PlainFileVersions

    init(
        tree: Tree, nameless: NamelessFiles, options: DriveOptions, rights: CallerRights, moves: MovesUnderWay,
        kernel: KernelMemory, places: Places, access: AccessChecks, documents: OpenDocuments, accesses: AccessNotes,
        versions: PlainFileVersions
    ) {
        (self.tree, self.nameless, self.options, self.rights) = (tree, nameless, options, rights)
        (self.moves, self.kernel, self.places, self.access) = (moves, kernel, places, access)
        (self.documents, self.accesses, self.versions) = (documents, accesses, versions)
    }

    /// What is about to be cut when it is opened is kept, for one who may do that. In no lane.
    func keepBeforeCutting(_ id: NodeNumber, _ caller: Caller) throws(Errno) {
        guard versions.isOn else { return }
        if rights.areChecked {
            let (item, status) = try access.checkedBacking(of: id)
            if let status { try rights.require(.write, of: caller, on: item, status) }
        }
        versions.keepBeforeChange(of: id, through: nil)
    }

    func open(_ id: NodeNumber, flags: Int32, _ caller: Caller, writes: Bool) throws(Errno) -> Opened {
        let file: OpenFile
        do throws(Errno) {
            file = try moves.following { () throws(Errno) in try openFile(of: id, flags: flags, caller) }
        } catch { throw error == .noSuchEntry ? .stale : error }
        let truncates = flags & O_TRUNC != 0, status = try file.descriptor.status()
        if accesses.areMade(by: flags) { accesses.note(id, file.descriptor, status) }
        let opened = try documents.register(
            id, status, .content(.plain(file)), writes: writes || truncates,
            isUnkept: writes && !truncates && versions.isOn && status.size > 0)
        if truncates { tree.wrote(id) }
        return opened
    }

    private func openFile(of id: NodeNumber, flags: Int32, _ caller: Caller) throws(Errno) -> OpenFile {
        let (node, remains) = try nameless.nodeAndRemains(id)
        // The kernel turned appending into offsets, and O_DIRECT's rules are between it and the program.
        var kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_TRUNC | O_SYNC | O_DSYNC)).union(.nonBlocking).readable
        // Where the drive may: a program may ask for it of what it owns, and the kernel has seen to that.
        if options.keepsAccessTimes || OpenFlags(rawValue: flags).contains(.untraced) { kept.insert(.untraced) }
        if let remains {
            // By way of /proc, from a descriptor that somebody still has.
            return try truncating(flags, caller) { () throws(Errno) in try reopened(remains, kept) }
        }
        if rights.areChecked { return try openChecked(id, flags: flags, kept, caller) }
        let place = try places.place(of: node.parent)
        return try truncating(flags, caller) { () throws(Errno) in
            OpenFile(
                kept.contains(.untraced)
                    ? try place.descriptor.openUntraced(node.stored, kept)
                    : try place.descriptor.open(node.stored, kept))
        }
    }

    private func reopened(_ file: OpenFile, _ flags: OpenFlags) throws(Errno) -> OpenFile {
        OpenFile(
            flags.contains(.untraced)
                ? try file.descriptor.reopenedUntraced(flags) : try file.descriptor.reopened(flags))
    }

    /// To write anew what another program took away. Nil where something is left of that.
    func openNothing(_ node: NodeID, _ flags: Int32) throws(Errno) -> Opened? {
        guard let (id, file) = try nameless.emptyFile(insteadOf: node, flags) else { return nil }
        let writes = flags & O_ACCMODE != O_RDONLY
        return try documents.register(id, try file.descriptor.status(), .content(.plain(file)), writes: writes)
    }

    /// What is cut when it is opened loses its set-id bits, unless it is root that cuts it. Of all other ways to write
    /// the kernel sees to that itself. `group`: the file's, which may be a further one of theirs.
    private func truncating<Value>(
        _ flags: Int32, _ caller: Caller, group: UInt32? = nil, _ body: () throws(Errno) -> Value
    ) throws(Errno) -> Value {
        guard flags & O_TRUNC != 0 else { return try body() }
        let own = group.flatMap { rights.isMember(caller, of: $0) ? $0 : nil } ?? caller.group
        return try ThreadRights.owning(as: caller.user, group: own, clearsSetIDs: true, body)
    }

    /// Opens a plain file that the kernel was told of, for one who may have it so.
    private func openChecked(
        _ id: NodeNumber, flags: Int32, _ kept: OpenFlags, _ caller: Caller
    ) throws(Errno) -> OpenFile {
        let (item, status) = try access.checkedBacking(of: id)
        guard let status, status.type == .regular else { throw .stale }
        let wanted = FileRights(opening: flags)
        defer { if flags & O_TRUNC != 0 { noteLostSetIDs(of: id, item, status) } }
        if wanted.contains(.read) {
            let opens = flags & O_TRUNC == 0
            return try rights.acting(for: caller, on: status, needing: wanted, clearsSetIDs: true, opens: opens) {
                () throws(Errno) in try reopened(item, kept)
            }
        }
        // The drive reads it too, to run it or to change a part of a page, and the kernel keeps that to itself.
        try rights.require(wanted, of: caller, on: item, status)
        return try truncating(flags, caller, group: status.group) { () throws(Errno) in try reopened(item, kept) }
    }

    /// Being cut took its set-id bits away: that is the drive's own doing.
    private func noteLostSetIDs(of id: NodeNumber, _ item: OpenFile, _ before: FileStatus) {
        guard let now = try? item.descriptor.status(), now.mode != before.mode else { return }
        tree.setCachedAccess(CachedAccess(now), of: id)
        kernel.tell([.attributes(id)])
    }
}

extension OpenFlags {
    /// Who may write may read here: the kernel reads a page before it changes a part of it, and copying needs both. Nor
    /// may this process cut what it opens for reading, or open a file for neither reading nor writing: who asks for
    /// that may do both.
    var readable: OpenFlags {
        rawValue & O_ACCMODE != O_RDONLY || rawValue & O_TRUNC != 0
            ? OpenFlags(rawValue: rawValue & ~O_ACCMODE | O_RDWR) : self
    }
}
