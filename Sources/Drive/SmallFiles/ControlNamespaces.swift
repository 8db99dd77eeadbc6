/// The parts of the control folder that have nodes of their own, by their nodes.
final class ControlNamespaces: Sendable {
    private let keyValues: any ControlNamespace, search: any ControlNamespace, searches: any ControlNamespace

    init(keyValues: SmallFileFolder, search: SearchFolders, searches: SmallFileFolder) {
        (self.keyValues, self.search, self.searches) = (keyValues, search, searches)
    }

    subscript(node: ControlNode) -> any ControlNamespace { self[node.area] }

    /// The part that has a file open; nil for all others.
    subscript(handle: HandleID) -> (any ControlNamespace)? { (handle.ofControl?.area).map { self[$0] } }

    private subscript(area: ControlNode.Area) -> any ControlNamespace {
        switch area {
        case .keyValues: keyValues
        case .search: search
        case .searches: searches
        }
    }
}
