import Glibc
import LinuxFiles

/// What those hear who watch the drive, and how.
final class WatcherEcho: Sendable {
    private let tree: Tree
    private let options: DriveOptions
    private let thread: EchoThread?
    private let mount: MountFacts
    private let noticed: NoticedChanges
    private let kernel: KernelMemory
    private let shown: ShownAttributes
    private let names: NameLookup
    private let own: ControlNamespaces
    private let control: ControlFolder

    init(
        tree: Tree, options: DriveOptions, thread: EchoThread?, mount: MountFacts, noticed: NoticedChanges, kernel: KernelMemory,
        shown: ShownAttributes, names: NameLookup, own: ControlNamespaces, control: ControlFolder
    ) {
        (self.tree, self.options, self.thread, self.mount, self.noticed, self.kernel) = (tree, options, thread, mount, noticed, kernel)
        (self.shown, self.names, self.own, self.control) = (shown, names, own, control)
    }

    func start() {
        thread?.start(isBehind: { [noticed] in noticed.isBehind }) { [self] echoes in
            let begin = Monotonic.milliseconds
            let heard = heard(echoes)
            let looked = Monotonic.milliseconds - begin
            if !heard.isEmpty { say(heard) }
            usleep(max(EchoThread.pause, UInt32(clamping: looked * EchoThread.share * 1000)))
        }
    }

    /// Before the drive is unmounted, for it keeps that in use while it speaks.
    func end() { thread?.stop() }

    /// Those that somebody hears; all of them where that cannot be known.
    private func heard(_ echoes: [Echo]) -> [Echo] {
        guard !options.isShared || geteuid() == 0 else { return echoes }
        guard let device = mount.device else { return [] }
        guard let watched = options.watched(device) else { return echoes }
        return watched.isEmpty ? [] : echoes.filter { $0.isHeard(by: watched) }
    }

    /// One at a time, and not while the kernel is told anything: it may wait for the folder that this thread has it hold, and a
    /// process that is killed then could not end, for it waits with the drive's device open.
    private func say(_ echoes: [Echo]) {
        guard let thread, let listener = kernel.listening, let top = try? Descriptor.atPath(mount.path, [.path, .folder]) else { return }
        var isKnown = false
        listener.whileSilent { isKnown = thread.isKnown(in: top) }
        guard isKnown else { return }
        for echo in echoes where thread.goesOn {
            var isTaken = false
            listener.whileSilent { isTaken = say(echo, of: top) == .exists }
            guard isTaken else { continue }
            // Somebody found it already: the kernel is to look again.
            listener.forgetEntry(echo.name, in: echo.folder)
            listener.whileSilent { _ = say(echo, of: top) }
        }
    }

    /// What cannot be said, for lack of permission or because it is no longer so, is left out. Answers why.
    private func say(_ echo: Echo, of top: borrowing Descriptor) -> Errno? {
        do throws(Errno) { try say(echo, in: shownPlace(of: echo.folder, in: top).descriptor, of: top) } catch { return error }
        return nil
    }

    /// A folder on the drive, and nothing that is mounted there.
    private func shownPlace(of folder: NodeID, in top: borrowing Descriptor) throws(Errno) -> OpenFile {
        let inner = own.owner(of: folder)
        let id = if let inner { inner.node.area.folder } else { try tree.known(folder) }
        guard var names = tree.shownNames(of: id) else { throw .noSuchEntry }
        if let inner, inner.node.number != 0 { names += try inner.part.names(to: inner.node) }
        var place = OpenFile(try top.duplicate())
        for name in names { place = OpenFile(try place.descriptor.openWithinMount(name, [.path, .folder])) }
        return place
    }

    private func say(_ echo: Echo, in folder: borrowing Descriptor, of top: borrowing Descriptor) throws(Errno) {
        let name = echo.name
        switch echo.what {
        case .came(let type):
            try whileDoing(echo) { () throws(Errno) in try make(name, type, in: folder) }
            // Some wait until a new file is closed.
            if type == .regular { _ = try folder.openWithinMount(name, [.write, .nonBlocking]) }
        case .went(let isFolder):
            try whileDoing(echo) { () throws(Errno) in try isFolder ? folder.removeFolder(name) : folder.unlink(name) }
        case .moved(let old, let oldFolder, let isFolder):
            let from = try shownPlace(of: oldFolder, in: top)
            do throws(Errno) {
                try whileDoing(echo) { () throws(Errno) in try from.descriptor.rename(old, to: folder, as: name, .exclusive) }
            } catch {
                if error == .exists { throw error }
                let went = Echo(folder: oldFolder, name: old, number: echo.number, what: .went(isFolder: isFolder))
                try? say(went, in: from.descriptor, of: top)
                try say(Echo(folder: echo.folder, name: name, number: echo.number, what: .came(isFolder ? .folder : .regular)), in: folder, of: top)
            }
        case .content:
            guard let file = try? folder.openWithinMount(name, [.write, .nonBlocking]) else { return try touch(name, in: folder) }
            try file.allocate(mode: EchoThread.changingNothing, at: 0, count: 1)
        case .attributes: try touch(name, in: folder)
        }
    }

    private func whileDoing(_ echo: Echo, _ body: () throws(Errno) -> Void) throws(Errno) {
        thread?.setCurrent(echo)
        defer { thread?.setCurrent(nil) }
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

    func lookUp(_ name: Name, in folder: NodeID) throws(Errno) -> Entry {
        if folder == .root, thread?.isGreeting(name) == true { return phantom(isFolder: false) }
        guard let now = thread?.current else { return try find(name, in: folder) }
        if case .moved(let old, let oldFolder, _) = now.what, name == old, folder == oldFolder {
            // The kernel takes the file to its new name.
            return try find(now.name, in: now.folder)
        }
        guard name == now.name, folder == now.folder else { return try find(name, in: folder) }
        switch now.what {
        case .came, .moved: throw .noSuchEntry
        case .went(let isFolder): return phantom(isFolder: isFolder)
        case .content, .attributes: return try find(name, in: folder)
        }
    }

    func made(_ name: Name, in folder: NodeID) throws(Errno) -> Entry {
        guard let now = thread?.current, case .came = now.what else { throw .notPermitted }
        return try find(name, in: folder)
    }

    func removed(_ name: Name, in folder: NodeID) throws(Errno) {
        // There may be a new one by now, of which the kernel is not to think that it is gone.
        guard let now = thread?.current, case .went = now.what, !isThere(name, in: folder) else { throw .notPermitted }
    }

    func moved() throws(Errno) {
        guard let now = thread?.current, case .moved = now.what else { throw .notPermitted }
    }

    func opened() -> Opened {
        var opened = Opened(handle: EchoThread.handle)
        opened.closesSilently = true
        return opened
    }

    /// The entry of this name, in the tree or in a namespace of its own.
    private func find(_ name: Name, in folder: NodeID) throws(Errno) -> Entry {
        if let own = own.owner(of: folder) { return try own.part.lookUp(name, in: own.node, .own) }
        let id = try tree.known(folder)
        if let found = control.child(name, of: id) { return found }
        return try names.lookUp(name, in: id, caller: .own)
    }

    private func isThere(_ name: Name, in folder: NodeID) -> Bool {
        if let own = own.owner(of: folder) { return own.part.has(name, in: own.node) }
        return tree.withLock { tree in tree.node(folder).map { tree.child(shown: name, of: $0) != nil } } ?? true
    }

    private func phantom(isFolder: Bool) -> Entry {
        var attributes = shown.fixedAttributes(of: NodeNumber.status)
        attributes.node = thread?.phantom() ?? attributes.node
        attributes.mode = isFolder ? 0o040700 : 0o100600
        (attributes.owner, attributes.group) = (geteuid(), getegid())
        attributes.keeps = .briefly
        return Entry(node: attributes.node, generation: 1, attributes: attributes)
    }
}
