/// A node of a part that has nodes of its own, and that part.
struct OwnNode {
    let part: any ControlNamespace
    let node: ControlNode
}

/// The parts of the control folder that have nodes of their own, by their nodes.
final class ControlNamespaces: Sendable {
    private let keyValues: any ControlNamespace, search: any ControlNamespace, searches: any ControlNamespace

    init(keyValues: SmallFileFolder, search: SearchFolders, searches: SmallFileFolder) {
        (self.keyValues, self.search, self.searches) = (keyValues, search, searches)
    }

    /// Whose a node is; nil for all that is in the tree, or a thumbnail. No table is asked.
    func owner(of node: NodeID) -> OwnNode? { ControlNode(node).map { OwnNode(part: part($0.area), node: $0) } }

    /// The part that has a file open; nil for all others.
    func owner(of handle: HandleID) -> (any ControlNamespace)? { (handle.ofControl?.area).map(part) }

    private func part(_ area: ControlNode.Area) -> any ControlNamespace {
        switch area {
        case .keyValues: keyValues
        case .search: search
        case .searches: searches
        }
    }
}
