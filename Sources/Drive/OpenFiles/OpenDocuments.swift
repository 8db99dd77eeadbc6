import Containers
import Coordination
import Documents
import LinuxFiles

/// What the handles of a document share, and the registering of what was opened.
final class OpenDocuments: Sendable {
    private let tree: TreeTable
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
        tree: TreeTable, handles: OpenHandles, container: Container, kernel: KernelMemory, places: Places,
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
        tree.setDocument(document, of: id)
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
    func register(_ id: NodeNumber, _ status: FileStatus?, _ target: OpenHandle.Target, writes: Bool, seen: (SeenKey, SeenContent)? = nil) throws(Errno) -> Opened {
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
        var opened = Opened(handle: handles.add(OpenHandle(node: id, target: target, writes: writes, seen: seen?.0)))
        opened.keepsCache = stamp == nil || before == stamp || before == .unknown
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
