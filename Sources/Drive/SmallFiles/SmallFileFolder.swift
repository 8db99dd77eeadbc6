import Containers
import Glibc
import LinuxFiles

/// A folder of small files that lie somewhere else, together or in a form of their own. Each is written in memory and saved as a
/// whole when it is closed, or refused then.
///
/// Files that a program makes beside the one that it saves (`EncodedName.isPassing`) stay in memory, and are saved where one is given
/// the name of a file. The kernel keeps nothing of any of this: it asks again each time.
final class SmallFileFolder: ControlNamespace {
    let store: any SmallFileStore
    private let handles: OpenHandles
    private let rights: CallerRights
    private let shown: ShownAttributes
    private let tree: Tree
    let table = Locked(SmallFileTable())
    /// Held by whoever changes names or saves.
    let turn = Locked((), .smallFiles)

    init(_ store: any SmallFileStore, tree: Tree, handles: OpenHandles, rights: CallerRights, shown: ShownAttributes) {
        (self.store, self.tree, self.handles, self.rights, self.shown) = (store, tree, handles, rights, shown)
    }

    // MARK: Names

    func lookUp(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry {
        guard folder.number == 0 else { throw .notDirectory }
        return try entry(of: name)
    }

    func entry(of name: Name) throws(Errno) -> Entry {
        guard let status = try status(of: name) else { throw .noSuchEntry }
        let known = table.withLock { $0.nodes.remember(name) }
        return Entry(node: node(known.number).id, generation: known.generation, attributes: attributes(status, as: node(known.number)))
    }

    func entry(of node: ControlNode) throws(Errno) -> Entry {
        guard let name = try name(of: node) else { throw .stale }
        return try entry(of: name)
    }

    func has(_ name: Name, in folder: ControlNode) -> Bool { (try? status(of: name)) != nil }

    func forget(_ node: ControlNode, count: UInt64) { table.withLock { $0.nodes.forget(node.number, count: count) } }

    private func node(_ number: UInt32) -> ControlNode { ControlNode(store.area, number) }

    /// nil for a file whose name is gone.
    private func name(of node: ControlNode) throws(Errno) -> Name? {
        try table.withLock { (table) throws(Errno) in try table.nodes.item(node.number) }
    }

    /// The kernel's number for a file that it knows.
    func node(called name: Name) -> NodeID? { table.withLock { $0.nodes.number(of: name) }.map { node($0).id } }

    func openFolder(_ node: ControlNode, _ caller: Caller) throws(Errno) -> OpenedFolder {
        guard node.number == 0 else { throw .notDirectory }
        try store.check(.read, caller)
        tree.withLock { $0.addHandle(store.area.folder) }
        let listing = FolderListing(folder: store.area.folder) { [self] () throws(Errno) in try names().map { ($0, .regular) } }
        return OpenedFolder(handle: handles.add(listing), caches: false, keepsCache: false)
    }

    private func names() throws(Errno) -> [Name] {
        let kept = try store.names()
        return table.withLock { table in Set(kept).subtracting(table.away).union(table.draftNames).sorted() }
    }

    // MARK: Attributes

    func attributes(of node: ControlNode, _ handle: HandleID?, _ caller: Caller = .own) throws(Errno) -> Attributes {
        guard node.number != 0 else { return attributes(try store.folderStatus(), as: node) }
        if let name = try name(of: node) {
            guard let status = try status(of: name) else { throw .stale }
            return attributes(status, as: node)
        }
        guard let open = handle.flatMap(openFile), var status = try contentStatus(open.content) else { throw .stale }
        status.links = 0
        return attributes(status, as: node)
    }

    private func attributes(_ status: FileStatus, as node: ControlNode) -> Attributes {
        let status = rights.shown(status)
        var attributes = shown.fixedAttributes(of: store.area.folder)
        (attributes.node, attributes.mode, attributes.links) = (node.id, status.mode, status.links)
        (attributes.owner, attributes.group) = (status.owner, status.group)
        (attributes.size, attributes.blocks) = (status.size, FileStatus.blocks(of: status.size))
        (attributes.accessed, attributes.modified, attributes.changed) = (status.accessed, status.modified, status.changed)
        attributes.keeps = .not
        return attributes
    }

    /// nil where there is no such file.
    func status(of name: Name) throws(Errno) -> FileStatus? {
        let draft: OpenFile?? = table.withLock { table in
            switch table.place(of: name) {
            case .draft(let id): .some(table[id]?.file)
            case .away: .some(nil)
            case .store: .none
            }
        }
        guard let draft else { return EncodedName.isPassing(name) ? nil : try store.status(of: name) }
        guard let draft else { return nil }
        return try status(of: draft)
    }

    private func status(of draft: OpenFile) throws(Errno) -> FileStatus {
        var status = try store.newStatus()
        let own = try draft.descriptor.status()
        (status.size, status.accessed, status.modified, status.changed) = (own.size, own.accessed, own.modified, own.changed)
        return status
    }

    private func contentStatus(_ content: SmallFileTable.Content) throws(Errno) -> FileStatus? {
        switch content {
        case .bytes(let bytes):
            var status = try store.newStatus()
            status.size = Int64(bytes.count)
            return status
        case .file(let file): return try status(of: file)
        case .draft(let id): return try draft(id).map { (draft) throws(Errno) in try status(of: draft.file) }
        }
    }

    func setAttributes(of node: ControlNode, _ change: AttributeChange, _ handle: HandleID?, _ caller: Caller) throws(Errno) {
        try store.check(.write, caller)
        guard node.number != 0 else { throw .notPermitted }
        let now = try attributes(of: node, handle)
        // They are the store's, and who gives a file those that it has already changes nothing. Its times are those of its content.
        guard change.permissions.map({ $0 & 0o777 == now.mode & 0o777 }) ?? true, change.owner ?? now.owner == now.owner, change.group ?? now.group == now.group
        else { throw .notPermitted }
        guard let size = change.size else { return }
        guard size <= store.mostBytes else { throw .fileTooLarge }
        if let handle, case .draft(let id)? = openFile(handle)?.content { return try cut(id, to: size) }
        guard let name = try name(of: node) else { throw .stale }
        try turn.withLock { (_) throws(Errno) in
            let id = try draftToWrite(name, isCut: size == 0)
            try cut(id, to: size)
            // Nobody has it open to write, so nobody will close it: it is saved now.
            guard draft(id)?.writers == 0 else { return }
            defer { dropIfDone(id) }
            try save(id)
        }
    }

    func cut(_ id: SmallFileTable.DraftID, to size: Int64) throws(Errno) {
        guard let draft = draft(id) else { throw .stale }
        try draft.file.descriptor.truncate(to: size)
        table.withLock { table in
            table[id]?.isWritten = true
            if size == 0 { table[id]?.isCutShort = false }
        }
    }

    // MARK: Extended attributes

    func extendedAttribute(_ label: String, of node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8] {
        try store.check(.read, caller)
        guard let value = try fact(label, of: node) else { throw .noData }
        return Array(value.utf8)
    }

    private func fact(_ label: String, of node: ControlNode) throws(Errno) -> String? {
        guard node.number != 0 else { return label == "error" ? try store.fault() : nil }
        guard let name = try name(of: node) else { throw .stale }
        switch label {
        case "type":
            if let id = table.withLock({ $0.draft(called: name) }), let type = draft(id)?.type { return type }
            return EncodedName.isPassing(name) ? nil : try store.type(of: name)
        case "error": return table.withLock { $0.fault(of: name) }
        default: return nil
        }
    }

    func setExtendedAttribute(_ label: String, of node: ControlNode, to value: [UInt8], _ caller: Caller) throws(Errno) {
        try store.check(.write, caller)
        guard label == "type", let name = try name(of: node) else { throw .notPermitted }
        let type = String(decoding: value, as: UTF8.self)
        try store.checkType(type)
        try turn.withLock { (_) throws(Errno) in
            let isDraft = table.withLock { table in
                guard let id = table.draft(called: name) else { return false }
                table[id]?.type = type
                return true
            }
            guard !EncodedName.isPassing(name), try store.status(of: name) != nil else { if isDraft { return } else { throw .stale } }
            try refusing(name) { () throws(Failure) in try store.setType(type, of: name) }
        }
    }

    // MARK: Opening

    func open(_ node: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY || flags & O_TRUNC != 0
        guard node.number != 0 else { throw .isDirectory }
        if writes { try store.check(.write, caller) }
        if flags & O_ACCMODE != O_WRONLY { try store.check(.read, caller) }
        guard let name = try name(of: node) else { throw .stale }
        guard writes else { return opened(node.number, try content(of: name), writes: false) }
        return try turn.withLock { (_) throws(Errno) in try openToWrite(name, node.number, isCut: flags & O_TRUNC != 0) }
    }

    private func content(of name: Name) throws(Errno) -> SmallFileTable.Content {
        if let file = table.withLock({ table in table.draft(called: name).flatMap { table[$0]?.file } }) { return .file(file) }
        guard !EncodedName.isPassing(name), let bytes = try store.bytes(of: name) else { throw .stale }
        return .bytes(bytes)
    }

    func openToWrite(_ name: Name, _ number: UInt32, isCut: Bool) throws(Errno) -> Opened {
        let id = try draftToWrite(name, isCut: isCut)
        if isCut { table.withLock { $0[id]?.isOwed = true } }
        return opened(number, .draft(id), writes: true)
    }

    private func opened(_ number: UInt32, _ content: SmallFileTable.Content, writes: Bool) -> Opened {
        let handle = table.withLock { $0.add(SmallFileTable.Handle(node: number, content: content)) }
        var opened = Opened(handle: HandleID(store.area, handle))
        opened.keepsCache = false
        opened.bypassesCache = true
        opened.closesSilently = !writes
        return opened
    }

    /// The draft of a file that there is: the one that others write to, or a new one. In the turn.
    private func draftToWrite(_ name: Name, isCut: Bool) throws(Errno) -> SmallFileTable.DraftID {
        if let id = table.withLock({ $0.draft(called: name) }), let draft = draft(id) {
            if isCut {
                try draft.file.descriptor.truncate(to: 0)
                table.withLock { $0[id]?.isCutShort = false }
            }
            return id
        }
        guard !EncodedName.isPassing(name), let bytes = try store.bytes(of: name) else { throw .stale }
        return try newDraft(name, isCut ? [] : bytes)
    }

    func newDraft(_ name: Name, _ bytes: [UInt8], type: String? = nil, isOwed: Bool = false) throws(Errno) -> SmallFileTable.DraftID {
        let file = OpenFile(try Descriptor.inMemory())
        try file.descriptor.write(bytes, at: 0)
        return try table.withLock { (table) throws(Errno) in
            try table.add(SmallFileTable.Draft(name: name, file: file, type: type, isOwed: isOwed))
        }
    }

    func draft(_ id: SmallFileTable.DraftID) -> SmallFileTable.Draft? { table.withLock { $0[id] } }

    private func openFile(_ handle: HandleID) -> SmallFileTable.Handle? {
        guard let number = handle.ofControl?.number else { return nil }
        return table.withLock { $0.handle(number) }
    }

    // MARK: Reading and writing

    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content {
        guard let open = openFile(handle) else { throw .badDescriptor }
        guard offset >= 0, count >= 0 else { throw .invalid }
        switch open.content {
        case .bytes(let bytes):
            let first = Int(min(offset, Int64(bytes.count)))
            return .bytes(bytes[first..<min(bytes.count, first + count)])
        case .file(let file): return .file(file, offset: offset, count: count)
        case .draft(let id):
            guard let draft = draft(id) else { throw .badDescriptor }
            return .file(draft.file, offset: offset, count: count)
        }
    }

    func write(_ handle: HandleID, at offset: Int64, count: Int, _ transfer: (Int32, Int64) throws(Errno) -> Int) throws(Errno) -> Int {
        guard case .draft(let id)? = openFile(handle)?.content, let draft = draft(id) else { throw .badDescriptor }
        guard offset >= 0, count >= 0, offset <= store.mostBytes - Int64(count) else { throw .fileTooLarge }
        let size = try draft.file.descriptor.status().size, done = try transfer(draft.file.descriptor.rawValue, offset)
        try checkWritten(draft, id, at: offset, count: done, before: size)
        table.withLock { table in
            table[id]?.isWritten = true
            table[id]?.fault = nil
        }
        return done
    }

    /// Shells do not hear what closing says. So what can be told already is told now: that it is too long, and, where nothing was there
    /// before, that it begins as nothing of its type does.
    private func checkWritten(_ draft: SmallFileTable.Draft, _ id: SmallFileTable.DraftID, at offset: Int64, count: Int, before size: Int64) throws(Errno) {
        guard count > 0, let name = draft.name, !EncodedName.isPassing(name) else { return }
        let beginning = offset == 0 && size == 0 ? try draft.file.descriptor.read(at: 0, count: min(count, Self.beginning)) : []
        do throws(Failure) { try store.checkWriting(beginning, max(size, offset + Int64(count)), as: name, type: draft.type) } catch {
            try? draft.file.descriptor.truncate(to: size)
            table.withLock { $0[id]?.isCutShort = true }
            throw refused(name, error)
        }
        if offset == 0, size == 0 { table.withLock { $0[id]?.isCutShort = false } }
    }

    private static let beginning = 4096

    /// Whoever closes it is told whether it is saved.
    func flush(_ handle: HandleID) throws(Errno) {
        guard case .draft(let id)? = openFile(handle)?.content, let draft = draft(id) else { return }
        if draft.isWritten { return try turn.withLock { (_) throws(Errno) in try save(id) } }
        if let fault = draft.fault { throw fault.errno }
    }

    func release(_ handle: HandleID) {
        guard let number = handle.ofControl?.number, case .draft(let id)? = table.withLock({ $0.removeHandle(number) })?.content else { return }
        let isLast = table.withLock { table in
            table[id]?.writers -= 1
            return table[id]?.writers == 0
        }
        guard isLast else { return }
        turn.withLock { _ in
            guard let draft = draft(id), draft.writers == 0 else { return }
            if draft.isWritten || draft.isOwed { try? save(id) }
            dropIfDone(id)
        }
    }

    // MARK: Saving, in the turn

    /// What is not to be kept by this name stays as it is.
    func save(_ id: SmallFileTable.DraftID) throws(Errno) {
        guard let draft = draft(id), let name = draft.name, !EncodedName.isPassing(name) else { return }
        table.withLock { table in
            table[id]?.isWritten = false
            table[id]?.isOwed = false
        }
        // Whoever wrote it was told then.
        guard !draft.isCutShort else { return }
        let bytes = try draft.file.descriptor.readAll(limit: Int(store.mostBytes))
        do throws(Failure) { try store.save(bytes, as: name, type: draft.type) } catch {
            table.withLock { $0[id]?.fault = error }
            throw refused(name, error)
        }
        table.withLock { table in
            _ = table.takeBack(name)
            table.setFault(nil, of: name)
        }
    }

    private func refused(_ name: Name, _ fault: Failure) -> Errno {
        let path = "\(Hidden.state)/\(tree[store.area.folder].shown)/\(name)"
        SystemLog.write("“\(path)” is not saved: \(fault.sentence)", .warning, [SystemLog.Field("VALISE_DOCUMENT", path)])
        let isThere = (try? store.status(of: name)) != nil
        if isThere { table.withLock { $0.setFault(fault.sentence, of: name) } }
        return fault.errno
    }

    func refusing(_ name: Name, _ body: () throws(Failure) -> Void) throws(Errno) {
        do throws(Failure) { try body() } catch { throw refused(name, error) }
        table.withLock { $0.setFault(nil, of: name) }
    }

    /// Nobody writes to it: it is in the store, or was refused. A file that is none of the store's stays.
    func dropIfDone(_ id: SmallFileTable.DraftID) {
        table.withLock { table in
            guard let draft = table[id], draft.writers == 0, !(draft.name.map(EncodedName.isPassing) ?? false) else { return }
            table.drop(id)
        }
    }
}
