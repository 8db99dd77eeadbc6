import Containers
import Coordination
import LinuxFiles

/// Drafts whose folder was deleted in the container. What was written of a document is not gone with its folder: it is
/// a new document at the top. Where a folder has that path again, it waits for the next drive, which looks there first.
final class DraftsInLostFolders: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let saved: SavedDocuments
    private let kernel: KernelMemory

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, saved: SavedDocuments,
        kernel: KernelMemory
    ) {
        (self.tree, self.coordinator, self.workshop) = (tree, coordinator, workshop)
        (self.saved, self.kernel) = (saved, kernel)
    }

    /// Why such a draft is not saved.
    static let reason =
        "its folder was deleted in the container; it comes to the top, or, where a folder has that path again, "
        + "waits for the next drive, which looks there"

    /// Whether it is at the top now. In the lanes of the top folder and its own.
    func takeToTop(_ document: OpenDocument, _ id: NodeNumber, _ top: OpenFile) -> Bool {
        coordinator.checkWriting(LaneID(id))
        guard let path = tree.withLock({ $0.lostFolder(of: id) }), (try? Self.isThere(path, below: top)) == false,
            let draft = document.draft, draft.isChanged || draft.fault != nil, let workshop,
            !document.state.withLock({ $0.isNameless })
        else { return false }
        let before = tree.withLock { $0.shownPath(of: id) }
        guard let entry = tree.leaveLostFolder(id) else { return false }
        _ = saved.keep(nil, of: id)
        kernel.tell([.added(entry), .attributes(id)])
        try? workshop.record(draft, at: tree.address(entry.name, in: NodeNumber.root, top), base: document.base)
        SystemLog.write(
            "the folder of “\(before)” was deleted while that was written; it is “\(entry.name)” at the top", .warning,
            [SystemLog.Field("VALISE_DOCUMENT", before)])
        return true
    }

    private static func isThere(_ path: [Name], below top: OpenFile) throws(Errno) -> Bool {
        var place = top
        for name in path {
            do throws(Errno) { place = OpenFile(try place.descriptor.open(name, [.path, .folder])) } catch {
                guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
                return false
            }
        }
        return true
    }
}
