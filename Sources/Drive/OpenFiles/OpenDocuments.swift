import Containers
import Coordination
import Documents
import LinuxFiles

/// A document that is open, or whose draft waits: what all of its handles read and write.
///
/// Its content is a snapshot that no save changes, or the draft that somebody writes. Which of the two changes under
/// the document's lane only; who writes into the draft is in the lane as a reader, so that no save runs meanwhile.
final class OpenDocument: Sendable {
    struct State {
        var content: OpenContent
        var draft: Draft?
        /// The draft that was saved last, of which a document was made, while somebody may write. It has no name any more, and to let go of its file
        /// takes as long as to make one: that is done when nobody waits.
        var former: Draft?
        /// What the draft will replace when it is saved; nil for a new document.
        var base: Base?
        /// What the document was when it was opened.
        var stamp: BaseStamp?
        /// What each of its handles has seen that reads and writes.
        var seen: [SeenKey: SeenContent] = [:]
        /// The item's file while somebody may write, where the content was read out of it: it says where the item is.
        var item: OpenFile?
        /// The thread that opened it for writing, the last one.
        var writer: UInt32?
        /// Its name is gone: nothing of it is saved any more (`NamelessFiles`).
        var isNameless = false
        /// The number of its handles that may write.
        var writers = 0
        /// Why it cannot be saved while it is empty, if that is not in the log: whoever emptied it may be about to write.
        var unreported: String?
    }

    let state: Locked<State>

    init(content: OpenContent, draft: Draft? = nil, base: Base?, stamp: BaseStamp? = nil) {
        state = Locked(State(content: content, draft: draft, base: base, stamp: stamp), .openDocument)
    }

    var content: OpenContent { state.withLock { $0.draft.map(OpenContent.draft) ?? $0.content } }
    var draft: Draft? { state.withLock { $0.draft } }
    var base: Base? { state.withLock { $0.base } }

    /// A file that is the item, or a part of it, and says where that is by now.
    var file: OpenFile? { state.withLock { $0.content.file ?? $0.item } }

    /// Whether an item that was found somewhere is the one that was opened.
    func isMoved(to status: FileStatus) -> Bool {
        state.withLock { state in
            guard let opened = state.content.status, opened.identity == status.identity else { return false }
            // What holds the file open keeps its number from being another's.
            if status.type == .regular, state.item != nil || state.content.isSnapshot { return true }
            return opened.size == status.size && opened.modified == status.modified
        }
    }

    /// A program has opened it to read it.
    func noteAccess(_ accessed: Timestamp) { state.withLock { $0.content.noteAccess(accessed) } }

    /// Its item is gone, and what was not saved is a new document. False if there is nothing of that sort.
    func loseItem() -> Bool {
        state.withLock { state in
            guard let draft = state.draft, !state.isNameless, draft.isChanged || draft.fault != nil else { return false }
            state.base = nil
            return true
        }
    }

    /// There is an item again. Whether that is the one from which the draft began is seen when it is saved. Answers the document
    /// that was put away and was to come back with the draft, and has given way to that.
    func regainItem(_ stored: Name) -> AwayItem? {
        state.withLock { state in
            defer { state.base = .stored(stored) }
            if case .away(let item) = state.base { return item }
            return nil
        }
    }

    /// Whether both are what one and the same state of the item is, with nothing written.
    func isSame(as other: OpenDocument) -> Bool {
        guard let one = asItWasRead, let two = other.asItWasRead else { return false }
        return one == two
    }

    /// Nil where something else than what was read is its content.
    private var asItWasRead: (BaseStamp?, ContentStamp)? {
        state.withLock { state in
            guard state.draft == nil, !state.isNameless, let status = state.content.status else { return nil }
            return (state.stamp, ContentStamp(status))
        }
    }

    /// Whether an item of this name is the document that was to come back with the draft. Only where it can be told that
    /// somebody else has made it anew.
    func wouldComeBack(as stored: Name) -> Bool {
        state.withLock { state in
            if case .away(let item) = state.base { return item.stored == stored && state.draft?.base != nil }
            return false
        }
    }

    /// A program reads the file through one of its handles.
    func noteReading(_ key: SeenKey, _ file: OpenFile, _ offset: Int64, _ length: Int64) {
        guard let before = state.withLock({ $0.seen[key] }), let now = before.renewed(reading: file, offset, length) else { return }
        // Unless the drive has saved it meanwhile.
        state.withLock { if $0.seen[key]?.stamp == before.stamp { $0.seen[key] = now } }
    }

    /// There is no item that its draft replaces.
    var isNew: Bool { if case .stored? = base { false } else { true } }

    /// Somebody may write to it, and has not yet.
    var awaitsWriting: Bool { state.withLock { $0.draft == nil && !$0.isNameless && $0.writers > 0 } }

    /// What was written of it is not saved, and is its item's: not that of one that was put away.
    var followsItem: Bool {
        state.withLock { state in
            if case .away = state.base { return false }
            return state.draft != nil && !state.isNameless
        }
    }

    var isWritten: Bool { state.withLock { $0.draft != nil || $0.writers > 0 } }

    /// Why what is being written is seen not to be all of it.
    var missingEnd: String? {
        let (draft, writers) = state.withLock { ($0.draft, $0.writers) }
        guard let draft, draft.isChanged, writers > 0 || draft.isUnclosed else { return nil }
        return draft.missingEnd()
    }

    /// There was no room for anything that was to be written over it.
    func isUnwritten(_ draft: Draft, _ node: Node) -> Bool {
        guard draft.isIncomplete, (try? draft.length()) == 0, case .stored? = base else { return false }
        return node.hasItem
    }

    func takeUnreported() -> String? {
        state.withLock { state in
            defer { state.unreported = nil }
            return state.unreported
        }
    }
}

extension OpenDocument.State {
    /// What was read of the container is the content from now on.
    mutating func show(_ opened: ItemReader.Opened, _ content: OpenContent, forWriting isWritten: Bool = false) {
        self.content = content
        stamp = BaseStamp(opened.content)
        item = content.file == nil && (isWritten || writers > 0) ? opened.flat?.folder ?? opened.parts.first ?? nil : nil
    }
}

/// What an open file of the drive reads from.
enum OpenContent: Sendable {
    /// A document as it was when it was opened: a range of a part that a save replaces and never changes.
    case snapshot(OpenFile, offset: Int64, length: Int64, FileStatus)
    /// A document's or the status page's bytes, made when it was opened.
    case bytes([UInt8], FileStatus?)
    /// All of a package as one file, as it was when it was opened.
    case flat(FlatPackage)
    /// A few bytes, and a range of a file behind them: a thumbnail. Nobody writes to it.
    case headed([UInt8], OpenFile, offset: Int64, length: Int64, FileStatus)
    case plain(OpenFile)
    case draft(Draft)

    /// A document as it was read of the container.
    init(_ opened: ItemReader.Opened) throws(Errno) {
        switch opened.reading.content {
        case .bytes(let bytes): self = .bytes(bytes, opened.item.status)
        case .range(let part, let offset, let length):
            guard opened.parts.indices.contains(part), let file = opened.parts[part] else { throw .inputOutput }
            self = .snapshot(file, offset: offset, length: length, opened.item.status)
        case .flat:
            guard let flat = opened.flat else { throw .inputOutput }
            self = .flat(flat)
        case .elsewhere: throw .unreachable
        }
    }

    /// The file itself, where there is one.
    var file: OpenFile? {
        switch self {
        case .snapshot(let file, _, _, _), .headed(_, let file, _, _, _), .plain(let file): file
        case .draft(let draft): draft.file
        case .bytes, .flat: nil
        }
    }

    /// What a document's item was like when it was opened.
    var status: FileStatus? {
        switch self {
        case .snapshot(_, _, _, let status), .bytes(_, let status?): status
        case .flat(let flat): flat.status
        case .bytes(_, nil), .headed, .plain, .draft: nil
        }
    }

    /// Whether a document is another one by now than the one that was opened.
    func isReplaced(by status: FileStatus) -> Bool {
        switch self {
        case .snapshot(_, _, _, let opened), .bytes(_, .some(let opened)):
            opened.identity != status.identity || opened.size != status.size
        // Any part may be another one in the same folder.
        case .flat(let flat): !flat.status.isAsIt(was: status)
        case .bytes(_, nil), .headed, .plain, .draft: false
        }
    }

    /// The others have a file open that says it.
    mutating func noteAccess(_ accessed: Timestamp) {
        guard case .bytes(let bytes, var status?) = self, status.accessed < accessed else { return }
        status.accessed = accessed
        self = .bytes(bytes, status)
    }

    var isSnapshot: Bool { if case .snapshot = self { true } else { false } }

    func isReplaced(by content: OpenContent) -> Bool {
        switch (self, content) {
        case (.bytes(let opened, _), .bytes(let bytes, let status?)): opened != bytes || isReplaced(by: status)
        case (_, .snapshot(_, _, _, let status)), (_, .bytes(_, .some(let status))): isReplaced(by: status)
        case (_, .flat(let flat)): isReplaced(by: flat.status)
        case (_, .bytes(_, nil)), (_, .headed), (_, .plain), (_, .draft): false
        }
    }

    /// Whether something else was put in the place of what was opened, which is still there.
    func isAnother(than content: OpenContent) -> Bool {
        switch (self, content) {
        case (.snapshot(_, _, _, let opened), .snapshot(_, _, _, let status)): opened.identity != status.identity
        default: isReplaced(by: content)
        }
    }

    /// Makes a draft say the same.
    func copy(to draft: Draft) throws(Errno) {
        switch self {
        case .snapshot(let file, let offset, let length, _):
            try file.descriptor.copyAll(from: offset, count: length, to: draft.file.descriptor, at: draft.contentStart)
        case .bytes(let bytes, _): try draft.file.descriptor.write(bytes, at: draft.contentStart)
        case .flat(let flat): try flat.copyAll(to: draft.file.descriptor, at: draft.contentStart)
        case .headed, .plain, .draft: throw .stale
        }
    }

    /// What is open now, whatever became of its name. Nil where the node's own answer is as good.
    func currentStatus() throws(Errno) -> FileStatus? {
        switch self {
        case .snapshot(let file, _, _, var status):
            // Its store notes when it is read.
            status.accessed = (try? file.descriptor.status())?.accessed ?? status.accessed
            return status
        case .headed(_, _, _, _, let status): return status
        case .bytes(_, let status): return status
        case .flat(let flat): return flat.status
        case .plain(let file): return try file.descriptor.status()
        case .draft(let draft): return try draft.status()
        }
    }
}

/// What the handles of a document share, and the registering of what was opened.
final class OpenDocuments: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let container: Container
    private let kernel: KernelMemory
    private let places: Places
    private let replaced: ReplacedFiles
    private let access: AccessChecks
    private let coordinator: DocumentCoordinator
    private let claims: ExternalClaims
    private let accesses: AccessNotes

    init(
        tree: Tree, handles: OpenHandles, container: Container, kernel: KernelMemory, places: Places,
        replaced: ReplacedFiles, access: AccessChecks, coordinator: DocumentCoordinator, claims: ExternalClaims, accesses: AccessNotes
    ) {
        (self.claims, self.accesses) = (claims, accesses)
        (self.tree, self.handles, self.container, self.kernel, self.places) = (tree, handles, container, kernel, places)
        (self.replaced, self.access, self.coordinator) = (replaced, access, coordinator)
    }

    /// What the handles of a document share: that of the others, or else its item as it is now, if the caller may have it. In its lane.
    func attach(_ id: NodeNumber, by caller: Caller, _ wanted: FileRights, isAccess: Bool) throws(Errno) -> (OpenDocument, FileStatus?) {
        coordinator.checkWriting(LaneID(id))
        let (node, existing) = tree.nodeAndDocument(id)
        if let existing, existing.draft != nil || node.isNameless {
            try access.checkUse(of: existing, id, wanted, by: caller)
            if isAccess, let draft = existing.draft { accesses.note(id, draft) }
            return (existing, nil)
        }
        guard !node.isNameless else { throw .stale }
        let opened = try openItem(of: node, id, wanted, by: caller, isAccess)
        if wanted.contains(.write) { try refuseImmutable(opened) }
        let content = try OpenContent(opened)
        if let existing {
            if node.handles > 0, existing.content.isReplaced(by: content) {
                // Who writes to it holds on to it, as to a draft.
                if existing.isWritten { return (existing, nil) }
                replaced.separate(id)
                throw .stale
            }
            existing.state.withLock { $0.show(opened, content, forWriting: wanted.contains(.write)) }
            return (existing, opened.item.status)
        }
        let document = OpenDocument(content: content, base: .stored(node.stored), stamp: BaseStamp(opened.content))
        if wanted.contains(.write) { document.state.withLock { $0.show(opened, content, forWriting: true) } }
        tree.withLock { $0.documents[id] = document }
        return (document, opened.item.status)
    }

    /// The same for one who only reads, beside others who do: nothing is to change but that there is one handle more. Nil where that is not
    /// so: something else is open than is there now, or the kernel has something else cached. Then it is attached by one who is alone in the lane.
    func join(_ id: NodeNumber, by caller: Caller, _ wanted: FileRights, isAccess: Bool) throws(Errno) -> (OpenDocument, Opened)? {
        coordinator.checkReading(LaneID(id))
        let (node, existing) = tree.nodeAndDocument(id)
        let joined: OpenDocument?
        if let existing, existing.draft != nil || node.isNameless {
            try access.checkUse(of: existing, id, wanted, by: caller)
            if isAccess, let draft = existing.draft { accesses.note(id, draft) }
            joined = tree.join(id, existing)
        } else {
            guard !node.isNameless else { throw .stale }
            let opened = try openItem(of: node, id, wanted, by: caller, isAccess)
            let document = OpenDocument(content: try OpenContent(opened), base: .stored(node.stored), stamp: BaseStamp(opened.content))
            joined = tree.join(id, document, seen: ContentStamp(opened.item.status))
            joined?.noteAccess(opened.item.status.accessed)
        }
        guard let joined else { return nil }
        var opened = Opened(handle: handles.add(OpenHandle(node: id, target: .document(joined), writes: false)))
        opened.keepsCache = true
        opened.closesSilently = true
        return (joined, opened)
    }

    /// A document's item as it is now, for one who may have it.
    private func openItem(of node: Node, _ id: NodeNumber, _ wanted: FileRights, by caller: Caller, _ isAccess: Bool) throws(Errno) -> ItemReader.Opened {
        let folder = try places.place(of: node.parent)
        var opened: ItemReader.Opened
        do throws(DocumentFault) {
            opened = try container.reader.openContent(
                node.stored, as: tree.kind(of: node), in: folder.descriptor, withLists: access.asksForLists, untraced: !isAccess)
        } catch {
            throw tree.refuse(error, node.parent)
        }
        try access.checkUse(of: opened, id, wanted, by: caller)
        if isAccess { accesses.note(id, &opened) }
        return opened
    }

    /// No save could replace it: whoever wants to write is told before they have written anything, as by the store.
    private func refuseImmutable(_ opened: ItemReader.Opened) throws(Errno) {
        for file in opened.parts + [opened.package] {
            if let file, file.descriptor.isImmutable() { throw .notPermitted }
        }
    }

    /// Registers an open file, and sees whether what the kernel cached of it is still right. Without a status
    /// it is: a draft changes through the kernel only. What others have open must be the same file.
    func register(_ id: NodeNumber, _ status: FileStatus?, _ target: OpenHandle.Target, writes: Bool, isUnkept: Bool = false, seen: (SeenKey, SeenContent)? = nil) throws(Errno) -> Opened {
        let stamp = status.map(ContentStamp.init)
        let before = tree.addHandle(id, to: target, status, writes: writes)
        guard let before else {
            replaced.separate(id)
            throw .stale
        }
        if writes, case .document(let document) = target {
            document.state.withLock { state in
                state.writers += 1
                if let (key, content) = seen { state.seen[key] = content }
            }
        }
        var opened = Opened(handle: handles.add(OpenHandle(node: id, target: target, writes: writes, isUnkept: isUnkept, seen: seen?.0)))
        opened.keepsCache = stamp == nil || before == .unknown || before == stamp && !before.mayHaveOldPages
        opened.closesSilently = !writes
        // The size that the kernel knows is that of before.
        if !opened.keepsCache {
            kernel.tell([.attributes(id)])
            // Whoever looks at it later finds nothing new.
            if let stamp, !stamp.hasContent(of: before) { claims.tellPresenters(.changed, of: id) }
        }
        return opened
    }
}
