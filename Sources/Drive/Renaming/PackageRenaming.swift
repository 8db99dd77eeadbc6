import Containers
import Coordination
import Documents
import LinuxFiles

/// Packages that get the extension of another kind of packages: each has the same parts under its new name, and is what these fit. Where they fit none, it is
/// a folder.
final class PackageRenaming: Sendable {
    private let tree: Tree
    private let coordinator: DocumentCoordinator
    private let workshop: Workshop?
    private let container: Container
    private let moves: MovesUnderWay
    private let folders: FolderContents
    private let kernel: KernelMemory

    init(
        tree: Tree, coordinator: DocumentCoordinator, workshop: Workshop?, container: Container, moves: MovesUnderWay,
        folders: FolderContents, kernel: KernelMemory
    ) {
        self.kernel = kernel
        (self.tree, self.coordinator, self.workshop) = (tree, coordinator, workshop)
        (self.container, self.moves, self.folders) = (container, moves, folders)
    }

    /// False for what is no package, is being written or gets any other name: nothing was done. In the lanes of the folders and of the document.
    func move(_ move: RenameRequest, _ node: Node) throws(Errno) -> Bool {
        coordinator.checkWriting(LaneID(move.id))
        guard node.role == .document, !node.isUnborn, tree.kind(of: node).isPackage, tree.document(move.id)?.draft == nil,
            move.replaced == nil, !move.isPlainName, container.reader.mayBePackage(move.name), !tree.isPackage(move.to.folder)
        else { return false }
        let stored = try move.storedName(), workshop = try workshop.required()
        try moves.during { () throws(Errno) in
            try workshop.commit(.move(node.stored, from: move.oldAddress, to: move.newAddress, as: stored), unfit: .invalid)
            // What it was shown as is no name of this kind.
            _ = try? workshop.commit(.forgetNames(of: stored, in: move.newAddress.path))
        }
        try lookAgain(in: [move.from, move.to], at: move.name)
        return true
    }

    /// A folder has its new name, under which it may be a document. In the lanes of both folders.
    func moved(_ move: RenameRequest, as stored: Name) throws(Errno) {
        guard container.reader.candidate(for: stored, isFolder: true) != nil, !tree.isPackage(move.to.folder),
            (try? container.reader.read(stored, in: move.to.place.descriptor))?.document != nil
        else { return }
        try lookAgain(in: [move.to], at: move.name)
    }

    /// As after another program has renamed it: what has the name is something else, and the kernel is told so.
    private func lookAgain(in homes: [(folder: NodeNumber, place: OpenFile)], at name: Name) throws(Errno) {
        for home in homes { tree.forgetReading(of: home.folder) }
        // The kernel gives the new name to what it knows by the old one, when this is answered.
        defer { if let last = homes.last { kernel.tell([.entry(name, in: last.folder), .content(last.folder)]) } }
        for home in homes { try folders.readNamesInLane(of: home.folder, home.place) }
    }
}
