import Catalog
import LinuxFiles

/// What the catalog knows of folders that nobody has read: which items names lead to, as long as the folders have the times that it saw; and what
/// documents are.
final class KnownNames: Sendable {
    private let tree: Tree
    private let catalog: DriveCatalog

    private static let deepest = 64

    /// The catalog leaves out copies of sync tools, which are versions. Where a drive keeps none, they have names.
    private let namesAreTheSame: Bool

    init(tree: Tree, options: DriveOptions, catalog: DriveCatalog) {
        (self.tree, self.catalog, namesAreTheSame) = (tree, catalog, options.keepsVersions)
    }

    /// What the catalog knows of the documents in a folder.
    func documents(in folder: NodeNumber) -> KnownDocuments? { reading(folder) { reader, path in reader.documents(in: path) } }

    /// The stored name of what is shown so in a folder with this status; nil where the catalog cannot tell.
    func storedName(of shown: Name, in folder: NodeNumber, _ status: FileStatus) -> Name? {
        guard namesAreTheSame else { return nil }
        return reading(folder) { reader, path in reader.storedName(of: shown, in: path, status) }
    }

    private func reading<Found: Sendable>(_ folder: NodeNumber, _ body: @Sendable (CatalogReader, [Name]) -> Found?) -> Found? {
        // Each name on the way is a question to the catalog. A folder that lies deeper is read.
        guard let path = tree.cataloguedPath(of: folder), path.count <= Self.deepest else { return nil }
        catalog.waitUntilOpened()
        return catalog.reader.withLock { reader in reader.flatMap { body($0, path) } }
    }
}
