import Glibc

// What each call should answer, and what should be so after it. All of them as root, with no mask.
extension Model {
    func openFile(_ slot: Int, _ path: String, _ flags: Int32, _ mode: UInt32) throws(Refused) -> Outcome {
        let creates = flags & O_CREAT != 0, excludes = creates && flags & O_EXCL != 0
        let place = try find(path, following: !excludes && flags & O_NOFOLLOW == 0)
        let node: Node
        if let found = place.node {
            if excludes { throw Refused(EEXIST) }
            if flags & O_DIRECTORY != 0, found.kind != .folder { throw Refused(ENOTDIR) }
            if found.kind == .link { throw Refused(ELOOP) }
            if found.kind == .folder, creates || flags & (O_ACCMODE | O_TRUNC) != O_RDONLY { throw Refused(EISDIR) }
            if found.kind == .special { throw Refused(ENXIO) }
            node = found
            if flags & O_TRUNC != 0 {
                node.content = []
                modify(node)
            }
        } else {
            guard creates else { throw Refused(ENOENT) }
            node = make(.file, mode: FileType.regular | mode, in: place.folder)
            add(node, at: place)
        }
        touch(node)
        files[slot] = OpenFile(node: node, flags: flags)
        return Outcome()
    }

    func openNameless(_ slot: Int, _ path: String, _ mode: UInt32) throws(Refused) -> Outcome {
        let folder = try existing(path, following: true)
        guard folder.kind == .folder else { throw Refused(ENOTDIR) }
        let node = make(.file, mode: FileType.regular | mode, in: folder)
        node.isLinkable = true
        change(node)
        files[slot] = OpenFile(node: node, flags: O_RDWR)
        return Outcome()
    }

    func close(_ slot: Int) throws(Refused) -> Outcome {
        let file = try open(slot)
        files[slot] = nil
        touch(file.node)
        return Outcome()
    }

    func write(_ slot: Int, _ offset: Int, _ bytes: [UInt8]) throws(Refused) -> Outcome {
        let file = try open(slot)
        guard file.writes else { throw Refused(EBADF) }
        guard !bytes.isEmpty else { return Outcome() }
        put(bytes, at: file.appends ? file.node.content.count : offset, in: file.node)
        return Outcome(bytes.count)
    }

    func append(_ path: String, _ bytes: [UInt8]) throws(Refused) -> Outcome {
        let node = try existing(path, following: true)
        if node.kind == .folder { throw Refused(EISDIR) }
        if node.kind == .special { throw Refused(ENXIO) }
        touch(node)
        if !bytes.isEmpty { put(bytes, at: node.content.count, in: node) }
        return Outcome(bytes.count)
    }

    func put(_ bytes: [UInt8], at offset: Int, in node: Node) {
        resize(node, to: max(node.content.count, offset + bytes.count))
        node.content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        modify(node)
    }

    func resize(_ node: Node, to size: Int) {
        if size < node.content.count { node.content.removeLast(node.content.count - size) }
        if size > node.content.count { node.content += [UInt8](repeating: 0, count: size - node.content.count) }
    }

    func read(_ slot: Int, _ offset: Int, _ count: Int) throws(Refused) -> Outcome {
        let file = try open(slot)
        guard file.reads else { throw Refused(EBADF) }
        guard file.node.kind != .folder else { throw Refused(EISDIR) }
        let bytes = Array(file.node.content.dropFirst(offset).prefix(count))
        return Outcome(bytes.count, bytes)
    }

    func truncate(_ slot: Int, _ size: Int) throws(Refused) -> Outcome {
        let file = try open(slot)
        guard file.writes, file.node.kind == .file else { throw Refused(EINVAL) }
        resize(file.node, to: size)
        modify(file.node)
        return Outcome()
    }

    func truncate(_ path: String, _ size: Int) throws(Refused) -> Outcome {
        let node = try existing(path, following: true)
        if node.kind == .folder { throw Refused(EISDIR) }
        guard node.kind == .file else { throw Refused(EINVAL) }
        touch(node)
        guard size != node.content.count else {
            // What was allocated behind the end goes, and whether that is a change, the store decides.
            (node.modified, node.changed) = (.any, .any)
            return Outcome()
        }
        resize(node, to: size)
        modify(node)
        return Outcome()
    }

    func allocate(_ slot: Int, _ mode: Int32, _ offset: Int, _ count: Int) throws(Refused) -> Outcome {
        let file = try open(slot), node = file.node
        guard file.writes else { throw Refused(EBADF) }
        let size = node.content.count, end = offset + count
        // Times change or not, also where it is refused.
        (node.modified, node.changed) = (.any, .any)
        node.holesAreUnknown = true
        switch mode {
        case 0: resize(node, to: max(size, end))
        case Allocation.keepSize: break
        case Allocation.punch:
            for index in min(offset, size)..<min(end, size) { node.content[index] = 0 }
        default:
            resize(node, to: max(size, end))
            for index in offset..<end { node.content[index] = 0 }
        }
        return Outcome()
    }

    func copyRange(_ slot: Int, _ offset: Int, _ other: Int, _ place: Int, _ count: Int) throws(Refused) -> Outcome {
        let from = try open(slot), to = try open(other)
        if from.node.kind == .folder || to.node.kind == .folder { throw Refused(EISDIR) }
        guard from.reads, to.writes, !to.appends else { throw Refused(EBADF) }
        let count = max(0, min(count, from.node.content.count - offset))
        if from.node === to.node, offset + count > place, place + count > offset { throw Refused(EINVAL) }
        guard count > 0 else { return Outcome() }
        put(Array(from.node.content[offset..<offset + count]), at: place, in: to.node)
        to.node.holesAreUnknown = true
        return Outcome(count)
    }

    // MARK: Names

    func makeFolder(_ path: String, _ mode: UInt32) throws(Refused) -> Outcome {
        let place = try free(path)
        let node = make(.folder, mode: FileType.folder | mode & 0o1777, in: place.folder)
        add(node, at: place)
        return Outcome()
    }

    func removeFolder(_ path: String) throws(Refused) -> Outcome {
        let place = try find(path, following: false)
        guard let node = place.node else { throw Refused(ENOENT) }
        guard node.kind == .folder else { throw Refused(ENOTDIR) }
        guard node.entries.isEmpty else { throw Refused(ENOTEMPTY) }
        remove(place.name, from: place.folder)
        return Outcome()
    }

    func unlink(_ path: String) throws(Refused) -> Outcome {
        let place = try find(path, following: false)
        guard let node = place.node else { throw Refused(ENOENT) }
        guard node.kind != .folder else { throw Refused(EISDIR) }
        remove(place.name, from: place.folder)
        return Outcome()
    }

    func rename(_ old: String, _ new: String, _ flags: UInt32) throws(Refused) -> Outcome {
        let exchanges = flags & Renaming.exchange != 0
        if exchanges, flags & Renaming.noReplace != 0 { throw Refused(EINVAL) }
        let from = try find(old, following: false), to = try find(new, following: false)
        guard let node = from.node else { throw Refused(ENOENT) }
        if flags & Renaming.noReplace != 0, to.node != nil { throw Refused(EEXIST) }
        if exchanges, to.node == nil { throw Refused(ENOENT) }
        if node.kind == .folder, to.folder.isBelow(node) { throw Refused(EINVAL) }
        if let other = to.node, other.kind == .folder, from.folder.isBelow(other) { throw Refused(exchanges ? EINVAL : ENOTEMPTY) }
        if to.node === node { return Outcome() }
        if exchanges, let other = to.node {
            (from.folder.entries[from.name], to.folder.entries[to.name]) = (other, node)
            (node.parent, other.parent) = (to.folder, from.folder)
            for folder in [from.folder, to.folder] { modify(folder) }
            for moved in [node, other] { change(moved) }
            return Outcome()
        }
        if let other = to.node {
            if node.kind == .folder, other.kind != .folder { throw Refused(ENOTDIR) }
            if node.kind != .folder, other.kind == .folder { throw Refused(EISDIR) }
            guard other.entries.isEmpty else { throw Refused(ENOTEMPTY) }
            remove(to.name, from: to.folder)
        }
        remove(from.name, from: from.folder)
        add(node, at: to)
        return Outcome()
    }

    func link(_ old: String, _ new: String) throws(Refused) -> Outcome {
        let node = try existing(old, following: false)
        let place = try free(new)
        guard node.kind != .folder else { throw Refused(EPERM) }
        add(node, at: place)
        return Outcome()
    }

    func link(_ slot: Int, _ new: String) throws(Refused) -> Outcome {
        // By way of /proc, where a file that is not open has no entry.
        guard files[slot] != nil else { throw Refused(ENOENT) }
        let file = try open(slot)
        let place = try free(new)
        guard file.node.kind != .folder else { throw Refused(EPERM) }
        guard file.node.links > 0 || file.node.isLinkable else { throw Refused(ENOENT) }
        file.node.isLinkable = false
        add(file.node, at: place)
        return Outcome()
    }

    func symbolicLink(_ target: String, _ path: String) throws(Refused) -> Outcome {
        let place = try free(path)
        let node = make(.link, mode: FileType.link | 0o777, in: place.folder)
        node.content = Array(target.utf8)
        add(node, at: place)
        return Outcome()
    }

    func makeNode(_ path: String, _ mode: UInt32) throws(Refused) -> Outcome {
        let place = try free(path)
        add(make(mode & FileType.mask == FileType.regular ? .file : .special, mode: mode, in: place.folder), at: place)
        return Outcome()
    }

    // MARK: Attributes

    func setPermissions(_ path: String, _ mode: UInt32) throws(Refused) -> Outcome { setPermissions(try existing(path, following: true), mode) }
    func setPermissions(_ slot: Int, _ mode: UInt32) throws(Refused) -> Outcome { setPermissions(try open(slot).node, mode) }

    private func setPermissions(_ node: Node, _ mode: UInt32) -> Outcome {
        node.mode = node.mode & FileType.mask | mode
        change(node)
        return Outcome()
    }

    func setOwner(_ path: String, _ user: UInt32, _ group: UInt32) throws(Refused) -> Outcome {
        let node = try existing(path, following: false)
        if user != .max { node.owner = user }
        if group != .max { node.group = group }
        if node.kind != .folder {
            node.mode &= ~0o4000
            if node.mode & 0o010 != 0 { node.mode &= ~0o2000 }
        }
        change(node)
        return Outcome()
    }

    func setTimes(_ path: String, _ accessed: timespec, _ modified: timespec) throws(Refused) -> Outcome {
        // Nothing to set is nothing to look for.
        if accessed.tv_nsec == Times.omit, modified.tv_nsec == Times.omit { return Outcome() }
        return setTimes(of: try existing(path, following: false), accessed, modified)
    }

    func setTimes(_ slot: Int, _ accessed: timespec, _ modified: timespec) throws(Refused) -> Outcome {
        let node = try open(slot).node
        if accessed.tv_nsec == Times.omit, modified.tv_nsec == Times.omit { return Outcome() }
        return setTimes(of: node, accessed, modified)
    }

    private func setTimes(of node: Node, _ accessed: timespec, _ modified: timespec) -> Outcome {
        change(node)
        if modified.tv_nsec != Times.omit { node.modified = modified.tv_nsec == Times.now ? .since(now) : .at(modified) }
        return Outcome()
    }

    func setAttribute(_ path: String, _ key: String, _ value: [UInt8], _ flags: Int32) throws(Refused) -> Outcome {
        try setAttribute(of: existing(path, following: false), key, value, flags)
    }

    func setAttribute(_ slot: Int, _ key: String, _ value: [UInt8]) throws(Refused) -> Outcome { try setAttribute(of: open(slot).node, key, value, 0) }

    private func setAttribute(of node: Node, _ key: String, _ value: [UInt8], _ flags: Int32) throws(Refused) -> Outcome {
        touch(node)
        guard node.kind == .file || node.kind == .folder else { throw Refused(EPERM) }
        if flags == Attributes.create, node.attributes[key] != nil { throw Refused(EEXIST) }
        if flags == Attributes.replace, node.attributes[key] == nil { throw Refused(ENODATA) }
        // The same value again is no change to some file systems.
        if node.attributes[key] == value { node.changed = .any } else { change(node) }
        node.attributes[key] = value
        return Outcome()
    }

    func removeAttribute(_ path: String, _ key: String) throws(Refused) -> Outcome {
        let node = try existing(path, following: false)
        guard node.kind == .file || node.kind == .folder else { throw Refused(EPERM) }
        guard node.attributes.removeValue(forKey: key) != nil else { throw Refused(ENODATA) }
        change(node)
        return Outcome()
    }

    func attribute(_ path: String, _ key: String, room: Int) throws(Refused) -> Outcome {
        let node = try existing(path, following: false)
        guard node.kind == .file || node.kind == .folder, let value = node.attributes[key] else { throw Refused(ENODATA) }
        guard room == 0 || value.count <= room else { throw Refused(ERANGE) }
        return room == 0 ? Outcome(value.count) : Outcome(value.count, value)
    }

    func list(_ path: String) throws(Refused) -> Outcome {
        let node = try existing(path, following: true)
        guard node.kind == .folder else { throw Refused(ENOTDIR) }
        return Outcome(0, Array(node.entries.keys.sorted().joined(separator: "/").utf8))
    }
}
