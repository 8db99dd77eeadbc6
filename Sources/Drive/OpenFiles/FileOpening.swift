import Containers
import Coordination
import Glibc
import LinuxFiles

/// Opens what a node is, in the lane that this needs.
final class FileOpening: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let claims: ExternalClaims
    private let documentOpening: DocumentOpening
    private let plainOpening: PlainFileOpening
    private let closing: FileClosing

    init(
        tree: Tree, coordinator: DocumentCoordinator, claims: ExternalClaims, documentOpening: DocumentOpening,
        plainOpening: PlainFileOpening, closing: FileClosing
    ) {
        (self.tree, self.coordinator, self.claims) = (tree, coordinator, claims)
        (self.documentOpening, self.plainOpening, self.closing) = (documentOpening, plainOpening, closing)
    }

    /// `isLast`: the kernel does not look again, so that a name which leads elsewhere by now is as right.
    func open(_ id: NodeNumber, flags: Int32, caller: Caller, isLast: Bool = false) throws(Errno) -> Opened {
        let writes = flags & O_ACCMODE != O_RDONLY
        let truncates = flags & O_TRUNC != 0
        try refuseSeparated(id, isLast)
        // Presenters save before the item is read.
        claims.askPresenters(of: id, for: .reading, by: caller.thread)?.end()
        while true {
            let role = tree[id].role
            if writes || truncates, role.isFixed { throw .readOnly }
            let opened: Opened?
            switch role {
            case .folder, .originalFolder, .packageFolder, .control, .versionFolder, .deletedFolder, .controlNamespace:
                throw .isDirectory
            case .version, .deleted, .status: throw .stale
            case .original, .packagePart: return try plainOpening.open(id, flags: flags, caller, writes: false)
            case .plain where !writes && !truncates:
                let opened = try plainOpening.open(id, flags: flags, caller, writes: false)
                // No lane is held, so the node may have lost its name meanwhile.
                do throws(Errno) { try refuseSeparated(id, isLast) } catch {
                    closing.release(opened.handle)
                    throw error
                }
                return opened
            // In its lane, where a plain file becomes a document and the other way round.
            case .plain:
                if truncates { try plainOpening.keepBeforeCutting(id, caller) }
                opened = try coordinator.read(LaneID(id)) { () throws(Errno) in
                    try refuseSeparated(id, isLast)
                    guard tree.isStill(.plain, id) else { return nil }
                    return try plainOpening.open(id, flags: flags, caller, writes: true)
                }
            case .document where !writes && !truncates:
                // Beside others who read, where nothing has to change for it.
                let joined: Opened? = try coordinator.read(LaneID(id)) { () throws(Errno) in
                    try refuseSeparated(id, isLast)
                    return try tree.isStill(.document, id) ? documentOpening.join(id, flags: flags, caller) : nil
                }
                if let joined { return joined }
                opened = try openAlone(id, flags: flags, caller, isLast)
            case .document: opened = try openAlone(id, flags: flags, caller, isLast)
            }
            if let opened { return opened }
        }
    }

    /// Opens a document with its lane to itself; nil where it is no document any more.
    private func openAlone(_ id: NodeNumber, flags: Int32, _ caller: Caller, _ isLast: Bool) throws(Errno) -> Opened? {
        try coordinator.write(LaneID(id)) { () throws(Errno) in
            try refuseSeparated(id, isLast)
            return try tree.isStill(.document, id) ? documentOpening.open(id, flags: flags, caller) : nil
        }
    }

    /// By a name that leads elsewhere by now: the kernel is to look again.
    private func refuseSeparated(_ id: NodeNumber, _ isLast: Bool) throws(Errno) {
        guard isLast || !tree.isSeparated(id) else { throw .stale }
    }
}
