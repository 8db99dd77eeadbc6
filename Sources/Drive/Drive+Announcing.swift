import Dispatch
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
        guard let top = try? Descriptor.atPath(mountedAt, [.path, .folder]) else { return [] }
        let watched = Watchers.inodes(onMountOf: top)
        return watched.isEmpty ? [] : announcements.filter { $0.isHeard(by: watched) }
    }

    private func say(_ announcements: [Announcement]) {
        guard let herald, let top = try? Descriptor.atPath(mountedAt, [.path, .folder]), herald.isKnown(in: top) else { return }
        var place: (folder: UInt32, file: OpenFile)?
        for announcement in announcements where herald.goesOn {
            if place?.folder != announcement.folder {
                place = (try? shownPlace(of: announcement.folder, in: top)).map { (announcement.folder, $0) }
            }
            guard let file = place?.file else { continue }
            // What cannot be said, for lack of permission or because it is no longer so, is left out.
            do throws(Errno) { try say(announcement, in: file.descriptor, of: top) } catch { continue }
        }
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

    /// Does something that needs a name to be free at the kernel. If somebody found it already, the kernel is to look again.
    private func whileDoing(_ announcement: Announcement, _ body: () throws(Errno) -> Void) throws(Errno) {
        herald?.setCurrent(announcement)
        defer { herald?.setCurrent(nil) }
        do throws(Errno) { try body() } catch {
            guard error == .exists, let notices else { throw error }
            notices.forgetEntry(announcement.name, in: NodeID(rawValue: UInt64(announcement.folder)))
            let told = DispatchSemaphore(value: 0)
            notices.afterwards { told.signal() }
            guard told.wait(timeout: .now() + .seconds(1)) == .success else { throw error }
            try body()
        }
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
        guard let now = herald?.current else { return try lookUp(name, in: folder) }
        if case .moved(let old, let oldFolder, _) = now.what, name == old, folder.rawValue == UInt64(oldFolder) {
            // The kernel takes the file to its new name.
            return try lookUp(now.name, in: NodeID(rawValue: UInt64(now.folder)))
        }
        guard name == now.name, folder.rawValue == UInt64(now.folder) else { return try lookUp(name, in: folder) }
        switch now.what {
        case .came, .moved: throw .noSuchEntry
        case .went(let isFolder): return phantom(isFolder: isFolder)
        case .content, .attributes: return try lookUp(name, in: folder)
        }
    }

    public func made(_ name: Name, in folder: NodeID) throws(Errno) -> Entry {
        guard let now = herald?.current, case .came = now.what else { throw .notPermitted }
        return try lookUp(name, in: folder)
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
