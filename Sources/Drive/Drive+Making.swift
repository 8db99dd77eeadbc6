import Containers
import Glibc
import LinuxFiles

// New entries, and entries that go.
extension Drive {
    func createNew(
        _ name: Name, in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller
    ) throws(Errno) -> (Entry, Opened) {
        let parent = try known(folder)
        let workshop = try writer()
        return try changing(parent, for: caller) { (place) throws(Errno) in
            try checkFree(name, in: parent)
            if let kind = claim(name) { return try createDocument(name, kind, in: parent, place, workshop, mode, caller) }
            forgetAway(name, in: parent)
            let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
            let mode = try masked(mode, caller, in: place)
            let file = try makingRoom { () throws(Errno) in
                try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in
                    OpenFile(try place.descriptor.open(name, [kept.readable, .create, .exclusive, .nonBlocking], mode: mode & 0o7777))
                }
            }
            let entry = try entryOfNew(name, in: parent, place)
            let id = UInt32(entry.node.rawValue)
            let opened = try register(id, try file.descriptor.status(), .content(.plain(file)), writes: flags & O_ACCMODE != O_RDONLY)
            return (entry, opened)
        }
    }

    /// A file without a name, as `O_TMPFILE` makes it. A link to what is open may give it one.
    public func createNameless(in folder: NodeID, mode: UInt32, flags: Int32, caller: Caller) throws(Errno) -> (Entry, Opened) {
        let parent = try known(folder)
        try checkChangeable(parent)
        let place = try place(of: parent)
        try checkChangeable(parent, place, by: caller)
        let kept = OpenFlags(rawValue: flags & (O_ACCMODE | O_SYNC | O_DSYNC))
        let mode = try masked(mode, caller, in: place)
        let file = try makingRoom { () throws(Errno) in
            try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in
                OpenFile(try place.descriptor.reopened([kept.readable, .nameless], mode: mode & 0o7777))
            }
        }
        let status = try file.descriptor.status()
        let id = tree.withLock { tree in
            tree.noteNew(status, .plain)
            let id = tree.addNameless(
                Node(
                    parent: parent, generation: 0, stored: Tree.nameless, shown: Tree.nameless, number: status.identity.number,
                    stamp: .unknown, role: .plain))
            tree.remember(id)
            return id
        }
        return (entry(id, status), try register(id, status, .content(.plain(file)), writes: true))
    }

    /// The permissions of what is made in a folder. The kernel takes the caller's mask from them itself, but where it serves
    /// access control lists: there a folder's default list is in the mask's place, and the store follows it.
    private func masked(_ mode: UInt32, _ caller: Caller, in place: OpenFile) throws(Errno) -> UInt32 {
        guard options.accessLists else { return mode }
        let hasList = (try? place.descriptor.extendedAttribute(Array("system.posix_acl_default".utf8))) != nil
        return hasList ? mode : mode & ~(caller.umask & 0o777)
    }

    /// A new document begins as a draft: what it is, is known when it is closed.
    private func createDocument(
        _ name: Name, _ kind: KindID, in parent: UInt32, _ place: OpenFile, _ workshop: Workshop, _ mode: UInt32, _ caller: Caller
    ) throws(Errno) -> (Entry, Opened) {
        let away = takeAway(name, kind, in: parent)
        let stamp = away.flatMap { reading(of: $0.stored, in: parent, by: caller) }
        let draft: Draft
        do throws(Errno) {
            draft = try makingRoom { () throws(Errno) in
                try workshop.newDraft(
                    kind, at: address(name, in: parent, place), mode: mode & ~(caller.umask & 0o777), base: away.map(Base.away), from: stamp,
                    owner: try Self.owner(of: caller, in: place))
            }
        } catch {
            if let away { remember(away, as: name, in: parent) }
            throw error
        }
        let status = try draft.status()
        let document = OpenDocument(content: .draft(draft), draft: draft, base: away.map(Base.away), stamp: stamp)
        document.state.withLock { $0.writer = caller.process }
        let id = tree.withLock { tree in
            let id = tree.add(Node(unborn: name, in: parent, number: status.identity.number, kind))
            tree.remember(id)
            tree.documents[id] = document
            return id
        }
        return (entry(id, status), try register(id, nil, .document(document), writes: true))
    }

    /// Whose a new file is: the caller's, with the folder's group where the folder says so.
    private static func owner(of caller: Caller, in place: OpenFile) throws(Errno) -> (user: UInt32, group: UInt32) {
        let folder = try place.descriptor.status()
        let inherits = folder.permissions & 0o2000 != 0
        return (caller.user, inherits ? folder.group : caller.group)
    }

    public func makeNode(_ name: Name, in folder: NodeID, mode: UInt32, device: UInt64, caller: Caller) throws(Errno) -> Entry {
        try make(name, in: folder, caller) { (place) throws(Errno) in
            try place.descriptor.makeNode(name, mode: masked(mode, caller, in: place), device: device)
        }
    }

    public func makeFolder(_ name: Name, in folder: NodeID, mode: UInt32, caller: Caller) throws(Errno) -> Entry {
        try make(name, in: folder, caller) { (place) throws(Errno) in
            try place.descriptor.makeFolder(name, mode: masked(mode, caller, in: place))
        }
    }

    public func makeSymbolicLink(_ name: Name, in folder: NodeID, to target: [UInt8], caller: Caller) throws(Errno) -> Entry {
        try make(name, in: folder, caller) { (place) throws(Errno) in try place.descriptor.makeSymbolicLink(name, to: target) }
    }

    private func make(_ name: Name, in folder: NodeID, _ caller: Caller, _ body: (OpenFile) throws(Errno) -> Void) throws(Errno) -> Entry {
        let parent = try known(folder)
        return try changing(parent, for: caller) { (place) throws(Errno) in
            try checkFree(name, in: parent)
            forgetAway(name, in: parent)
            try makingRoom { () throws(Errno) in
                try rights.acting(for: caller, on: place.descriptor.status()) { () throws(Errno) in try body(place) }
            }
            return try entryOfNew(name, in: parent, place)
        }
    }

    public func link(_ node: NodeID, as name: Name, in folder: NodeID, caller: Caller) throws(Errno) -> Entry {
        let id = try known(node), parent = try known(folder)
        let (source, orphan) = tree.withLock { ($0[id], $0[id].flags.contains(.orphan)) }
        guard source.role == .plain else { throw .notPermitted }
        return try changing(parent, for: caller) { (place) throws(Errno) in
            try checkFree(name, in: parent)
            forgetAway(name, in: parent)
            if orphan || rights.areChecked {
                // Unless it was made without a name, or has others that nobody asked for yet, the store refuses it.
                let (file, status) = try checkedBacking(of: id)
                if let status { try rights.requireLinking(of: caller, status) }
                try rights.acting(for: caller, on: status) { () throws(Errno) in try place.descriptor.linkOpenFile(file.descriptor, as: name) }
            } else {
                try self.place(of: source.parent).descriptor.link(source.stored, to: place.descriptor, as: name)
            }
            return try entryOfNew(name, in: parent, place, linkTo: id)
        }
    }

    public func unlink(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) {
        let parent = try known(folder)
        try changing(parent, for: caller) { (place) throws(Errno) in
            let asked = name, name = spelling(of: asked, in: parent)
            defer { leavesName(name, in: parent, askedAs: asked) }
            guard let id = tree.withLock({ $0.child(shown: name, of: parent) }) else { throw .noSuchEntry }
            let node = tree.withLock { $0.node(id, called: name, in: parent) }
            var remains: OpenFile?
            switch node.role {
            case .folder: throw .isDirectory
            case .plain:
                remains = self.remains(of: node.stored, in: place)
                try checkRemoval(of: id, remains, place, by: caller)
                try rights.removing(for: caller, place) { () throws(Errno) in try place.descriptor.unlink(node.stored) }
            case .document:
                try checkRemoval(of: id, self.remains(of: node.stored, in: place), place, by: caller)
                try coordinator.write(lane(id)) { () throws(Errno) in try removeDocument(id, node, name, parent, place) }
            default: throw .readOnly
            }
            tree.withLock { $0.remove(name, of: parent, keeping: remains) }
        }
        tryWaitingAgain()
    }

    /// Holds what is about to lose its name.
    func remains(of stored: Name, in place: OpenFile) -> OpenFile? {
        try? OpenFile(place.descriptor.open(stored, .path))
    }

    /// A document's name goes: the document is remembered for a while, its draft is not saved any more.
    func removeDocument(_ id: UInt32, _ node: Node, _ name: Name, _ parent: UInt32, _ place: OpenFile) throws(Errno) {
        let workshop = try writer()
        let document = tree.withLock { $0.documents[id] }
        if !node.flags.contains(.unborn) {
            let address = address(name, in: parent, place)
            do throws(Errno) {
                let away = try makingRoom { () throws(Errno) in try workshop.putAway(node.stored, node.kindID, from: address, ending: document?.draft) }
                remember(away, as: name, in: parent)
            } catch {
                // A full store may have no room to remember anything, and still lets things go.
                guard error == .noSpace || error == .quota else { throw error }
                try workshop.remove(node.stored, from: address)
            }
        } else if case .away(let item) = document?.base {
            remember(item, as: name, in: parent)
        }
        abandon(document)
    }

    /// Nothing of it is saved any more. Its handles read and write what they have until they are closed.
    func abandon(_ document: OpenDocument?) {
        guard let document else { return }
        let draft = document.state.withLock { state in
            state.isOrphan = true
            return state.draft
        }
        if let draft { workshop?.discard(draft) }
    }

    public func removeFolder(_ name: Name, in folder: NodeID, caller: Caller) throws(Errno) {
        let parent = try known(folder)
        try changing(parent, for: caller) { (place) throws(Errno) in
            let asked = name, name = spelling(of: asked, in: parent)
            defer { leavesName(name, in: parent, askedAs: asked) }
            guard let id = tree.withLock({ $0.child(shown: name, of: parent) }) else { throw absence(of: name) }
            let (role, stored) = tree.withLock { ($0[id].role, $0[id].stored) }
            guard role.isFolder else { throw .notDirectory }
            guard !tree.withLock({ $0.hasUnborn(in: id) }) else { throw .notEmpty }
            let remains = remains(of: stored, in: place)
            try checkRemoval(of: id, remains, place, by: caller)
            try rights.removing(for: caller, place) { () throws(Errno) in
                do throws(Errno) { try place.descriptor.removeFolder(stored) } catch {
                    guard error == .notEmpty, try removeLitter(in: stored, place) else { throw error }
                    try place.descriptor.removeFolder(stored)
                }
            }
            forgetAway(of: id)
            if let path = tree.withLock({ $0.storedPath(of: parent)?.names }) { workshop?.forgetName(of: stored, in: path) }
            tree.withLock { $0.remove(name, of: parent, keeping: remains) }
        }
    }

    /// A folder in which only hidden files are left looks empty, and is removed with them, as a Mac does.
    /// False, and nothing is removed, where there is anything else in it.
    private func removeLitter(in stored: Name, _ place: OpenFile) throws(Errno) -> Bool {
        let inner = try place.descriptor.open(stored, [.path, .folder])
        var litter: [Name] = []
        var entries = try FolderReader(inner)
        while let entry = try entries.next() {
            guard Hidden.hides(entry.name), entry.type == .regular else { return false }
            litter.append(entry.name)
        }
        for name in litter { try inner.unlink(name) }
        return true
    }
}
