import Catalog

/// Searches in what the drive shows, each until its end.
final class Searches: Sendable {
    private let catalog: DriveCatalog

    init(catalog: DriveCatalog) { self.catalog = catalog }

    /// Some folders lie too deep to be looked into.
    var areCut: Bool { catalog.state.withLock { $0.isCut } }

    /// Begins a search, and returns at once. `changed` is called by the catalog's thread, in order and with no lock held, when the tree
    /// and the kernel know of the change already. It must not wait.
    func begin(_ query: CatalogQuery, _ changed: @escaping @Sendable (SearchChange) -> Void = { _ in }) -> Search {
        let search = Search(query, changed) { [catalog] search in catalog.end(search) }
        catalog.begin(search)
        return search
    }
}
