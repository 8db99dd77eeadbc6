import Containers
import LinuxFiles

/// Closes files, and lets go of them. Closing a file saves what was written of a document.
final class FileClosing: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let kernel: KernelMemory
    private let claims: ExternalClaims
    private let saving: DraftSaving
    private let waiting: WaitingDrafts
    private let unwritten: UnwrittenDrafts
    private let adoption: PlainFilesAsDocuments
    private let versions: PlainFileVersions

    init(
        tree: Tree, handles: OpenHandles, kernel: KernelMemory, claims: ExternalClaims, saving: DraftSaving,
        waiting: WaitingDrafts, unwritten: UnwrittenDrafts, adoption: PlainFilesAsDocuments,
        versions: PlainFileVersions
    ) {
        (self.tree, self.handles, self.kernel, self.claims) = (tree, handles, kernel, claims)
        (self.saving, self.waiting, self.unwritten, self.adoption) = (saving, waiting, unwritten, adoption)
        self.versions = versions
    }

    /// A program closes one of the descriptors that it has of an open file.
    func flush(_ handle: HandleID) throws(Errno) {
        guard let open = handles[handle], open.writes else { return }
        defer { waiting.tryAgain(by: saving) }
        guard let document = open.document else {
            handles.setFlushed(true, handle)
            return try adopt(open.node)
        }
        guard !awaitsContent(document, open.node) else { return }
        document.draft?.noteClosed()
        try saving.save(document, open.node, durably: false)
        guard let draft = document.draft else {
            // Another close of the file was faster, and has made a plain file of what did not fit yet.
            if handles[handle]?.document == nil { try adopt(open.node) }
            return
        }
        guard draft.fault != nil else { return }
        // The program's next look sees what came of it.
        try waiting.becomePlain(document, open.node, isClosing: true, savedBy: saving)
        // The drive tells each program that closes it that it is not saved, also one that changed nothing since that
        // was said.
        if document.draft != nil, tree[open.node].hasItem { throw .invalid }
    }

    private func adopt(_ id: NodeNumber) throws(Errno) {
        do throws(Errno) { try adoption.adoptIfLastWriter(id, handles: 1) } catch {
            // It is gone, which is nothing to who closes it.
            if ![.noSuchEntry, .stale].contains(error) { throw error }
        }
    }

    /// A shell closes what it opened for “>” once before anything is written, because it has a copy of it. What is
    /// empty then becomes no document yet, and empties none: the program that closes it last decides.
    private func awaitsContent(_ document: OpenDocument, _ id: NodeNumber) -> Bool {
        guard let draft = document.draft, draft.isChanged,
            draft.kind.kind.mayBeEmpty(shownName: tree[id].shown.bytes)
        else { return false }
        return (try? draft.length()) == 0
    }

    /// The last descriptor of an open file is closed.
    func release(_ handle: HandleID) {
        guard let open = handles.remove(handle) else { return }
        if let seen = open.seen { open.document?.state.withLock { $0.seen[seen] = nil } }
        if open.writes { finishWriting(open) }
        // The kernel has what was written, unless somebody else has written too.
        let written = open.writes && open.document == nil ? try? open.content.currentStatus() : nil
        let (isNews, change) = tree.finishWriting(open.node, written)
        if let change { kernel.tell([change]) }
        // What is noticed of it is the drive's own doing, and told by nobody else.
        if isNews { claims.tellPresenters(.changed, of: open.node) }
        tree.close(open.node)
    }

    /// The last writer of something is gone: what did not become a document till now is a plain file,
    /// and a plain file that fits its name becomes a document.
    private func finishWriting(_ open: OpenHandle) {
        guard let document = open.document else {
            try? adoption.adoptIfLastWriter(open.node, handles: 0)
            adoption.rejoinIfLastWriter(open.node)
            versions.closed(open.node)
            return
        }
        let writers = document.state.withLock { state in
            state.writers -= 1
            return state.writers
        }
        guard writers == 0 else { return }
        do throws(Errno) {
            try saving.save(document, open.node, durably: false)
            try waiting.becomePlain(document, open.node, savedBy: saving)
        } catch {
            // It waits for better times. What does not fit its name was refused without an error.
        }
        unwritten.giveUp(document, open.node)
        // What was refused before and has lost its folder since.
        if document.draft != nil, tree.withLock({ $0.lostFolder(of: open.node) }) != nil { waiting.add(open.node, savedBy: saving) }
        saving.tellRefusal(of: document, open.node)
    }
}
