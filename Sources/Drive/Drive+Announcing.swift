import Glibc
import LinuxFiles

// What the herald says, and how.
extension Drive {
    func startAnnouncing() {
        herald?.start { [self] announcements in
            let begin = Monotonic.milliseconds
            let heard = heard(announcements)
            let looked = Monotonic.milliseconds - begin
            if !heard.isEmpty { say(heard) }
            usleep(max(Herald.pause, UInt32(clamping: looked * Herald.share * 1000)))
        }
    }

    /// Before the drive is unmounted, for the herald keeps it in use while it speaks.
    public func endAnnouncing() { herald?.stop() }

    /// Those that somebody hears; all of them where that cannot be known.
    private func heard(_ announcements: [Announcement]) -> [Announcement] {
        guard !options.isShared || geteuid() == 0 else { return announcements }
        guard let device = device() else { return [] }
        guard let watched = options.watched(device) else { return announcements }
        return watched.isEmpty ? [] : announcements.filter { $0.isHeard(by: watched) }
    }

    /// The drive's own. Its top is open no longer than that takes, for it keeps the drive in use.
    private func device() -> DeviceNumber? {
        guard let top = try? Descriptor.atPath(mountedAt, [.path, .folder]) else { return nil }
        return try? top.device()
    }

    /// One at a time, and not while the kernel is told anything: it may wait for the folder that the herald has it hold, and a
    /// process that is killed then could not end, for it waits with the drive's device open.
    private func say(_ announcements: [Announcement]) {
        guard let herald, let notices, let top = try? Descriptor.atPath(mountedAt, [.path, .folder]) else { return }
        var isKnown = false
        notices.whileSilent { isKnown = herald.isKnown(in: top) }
        guard isKnown else { return }
        for announcement in announcements where herald.goesOn {
            var isTaken = false
            notices.whileSilent { isTaken = say(announcement, of: top) == .exists }
            guard isTaken else { continue }
            // Somebody found it already: the kernel is to look again.
            notices.forgetEntry(announcement.name, in: NodeID(rawValue: UInt64(announcement.folder)))
            notices.whileSilent { _ = say(announcement, of: top) }
        }
    }

    /// What cannot be said, for lack of permission or because it is no longer so, is left out. Answers why.
    private func say(_ announcement: Announcement, of top: borrowing Descriptor) -> Errno? {
        do throws(Errno) { try say(announcement, in: shownPlace(of: announcement.folder, in: top).descriptor, of: top) } catch { return error }
        return nil
    }

    /// A folder on the drive, and nothing that is mounted there.
    private func shownPlace(of folder: UInt32, in top: borrowing Descriptor) throws(Errno) -> OpenFile {
        guard let names = tree.withLock({ $0.shownNames(of: folder) }) else { throw .noSuchEntry }
        var place = OpenFile(try top.duplicate())
        for name in names { place = OpenFile(try place.descriptor.openWithinMount(name, [.path, .folder])) }
        return place
    }

    private func say(_ announcement: Announcement, in folder: borrowing Descriptor, of top: borrowing Descriptor) throws(Errno) {
        let name = announcement.name
        switch announcement.what {
        case .came(let type):
            try whileDoing(announcement) { () throws(Errno) in try make(name, type, in: folder) }
            // Some wait until a new file is closed.
            if type == .regular { _ = try folder.openWithinMount(name, [.write, .nonBlocking]) }
        case .went(let isFolder):
            try whileDoing(announcement) { () throws(Errno) in try isFolder ? folder.removeFolder(name) : folder.unlink(name) }
        case .moved(let old, let oldFolder, let isFolder):
            let from = try shownPlace(of: oldFolder, in: top)
            do throws(Errno) {
                try whileDoing(announcement) { () throws(Errno) in try from.descriptor.rename(old, to: folder, as: name, .exclusive) }
            } catch {
                if error == .exists { throw error }
                let went = Announcement(folder: oldFolder, name: old, number: announcement.number, what: .went(isFolder: isFolder))
                try? say(went, in: from.descriptor, of: top)
                try say(Announcement(folder: announcement.folder, name: name, number: announcement.number, what: .came(isFolder ? .folder : .regular)), in: folder, of: top)
            }
        case .content:
            guard let file = try? folder.openWithinMount(name, [.write, .nonBlocking]) else { return try touch(name, in: folder) }
            try file.allocate(mode: Herald.changingNothing, at: 0, count: 1)
        case .attributes: try touch(name, in: folder)
        }
    }

    private func whileDoing(_ announcement: Announcement, _ body: () throws(Errno) -> Void) throws(Errno) {
        herald?.setCurrent(announcement)
        defer { herald?.setCurrent(nil) }
        try body()
    }

    private func make(_ name: Name, _ type: FileType, in folder: borrowing Descriptor) throws(Errno) {
        switch type {
        case .folder: try folder.makeFolder(name)
        case .symbolicLink: try folder.makeSymbolicLink(name, to: [UInt8(ascii: ".")])
        default: try folder.makeNode(name, mode: type.mode | 0o600, device: 0)
        }
    }

    private func touch(_ name: Name, in folder: borrowing Descriptor) throws(Errno) {
        let file = try folder.openWithinMount(name, .path)
        try file.setPlacePermissions(try file.status().permissions)
    }
}

// What the herald's own requests are answered: what makes the kernel do as it is to, and nothing is done.
extension Drive {
    public func isHerald(_ caller: Caller) -> Bool { herald?.isThread(caller.process) ?? false }

    public func lookUp(_ name: Name, inForHerald folder: NodeID) throws(Errno) -> Entry {
        if folder == .root, herald?.isGreeting(name) == true { return phantom(isFolder: false) }
        guard let now = herald?.current else { return try lookUp(name, in: folder, caller: .own) }
        if case .moved(let old, let oldFolder, _) = now.what, name == old, folder.rawValue == UInt64(oldFolder) {
            // The kernel takes the file to its new name.
            return try lookUp(now.name, in: NodeID(rawValue: UInt64(now.folder)), caller: .own)
        }
        guard name == now.name, folder.rawValue == UInt64(now.folder) else { return try lookUp(name, in: folder, caller: .own) }
        switch now.what {
        case .came, .moved: throw .noSuchEntry
        case .went(let isFolder): return phantom(isFolder: isFolder)
        case .content, .attributes: return try lookUp(name, in: folder, caller: .own)
        }
    }

    public func made(_ name: Name, in folder: NodeID) throws(Errno) -> Entry {
        guard let now = herald?.current, case .came = now.what else { throw .notPermitted }
        return try lookUp(name, in: folder, caller: .own)
    }

    public func removed(_ name: Name, in folder: NodeID) throws(Errno) {
        // There may be a new one by now, of which the kernel is not to think that it is gone.
        guard let now = herald?.current, case .went = now.what, let parent = tree.withLock({ $0.node(folder) }),
            tree.withLock({ $0.child(shown: name, of: parent) }) == nil
        else { throw .notPermitted }
    }

    public func moved() throws(Errno) {
        guard let now = herald?.current, case .moved = now.what else { throw .notPermitted }
    }

    public func openedForHerald() -> Opened {
        var opened = Opened(handle: Herald.handle)
        opened.closesSilently = true
        return opened
    }

    private func phantom(isFolder: Bool) -> Entry {
        var attributes = fixedAttributes(of: Tree.status)
        attributes.node = herald?.phantom() ?? attributes.node
        attributes.mode = isFolder ? 0o040700 : 0o100600
        (attributes.owner, attributes.group) = (geteuid(), getegid())
        attributes.keeps = .briefly
        return Entry(node: attributes.node, generation: 1, attributes: attributes)
    }
}
