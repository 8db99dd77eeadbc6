import Catalog
import LinuxFiles

/// Names in folders that nobody has read: the catalog knows which items they are, as long as the folders have the times that it saw.
final class KnownNames: Sendable {
    private let tree: TreeTable
    private let catalog: DriveCatalog

    private struct Opened {
        let reader: CatalogReader
        /// Which catalog it reads: it may have been made anew since.
        let edition: Int
    }

    private let opened = Locked<Opened?>(nil, .catalogPages)

    /// The catalog leaves out copies of sync tools, which are versions. Where a drive keeps none, they have names.
    private let namesAreTheSame: Bool

    init(tree: TreeTable, options: DriveOptions, catalog: DriveCatalog) {
        (self.tree, self.catalog, namesAreTheSame) = (tree, catalog, options.keepsVersions)
    }

    /// The stored name of what is shown so in a folder with this status; nil where the catalog cannot tell.
    func storedName(of shown: Name, in folder: NodeNumber, _ status: FileStatus) -> Name? {
        guard namesAreTheSame else { return nil }
        let (place, edition) = catalog.state.withLock { ($0.readable, $0.edition) }
        guard let place, let path = tree.storedPath(of: folder), path.top == Tree.root else { return nil }
        return opened.withLock { opened in
            if opened?.edition != edition { opened = CatalogReader(place).map { Opened(reader: $0, edition: edition) } }
            return opened?.reader.storedName(of: shown, in: path.names, status)
        }
    }
}
