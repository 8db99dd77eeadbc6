/// The parts of the control folder that have nodes of their own, by their nodes.
final class ControlNamespaces: Sendable {
    private let keyValues: any ControlNamespace

    init(keyValues: SmallFileFolder) { self.keyValues = keyValues }

    subscript(node: ControlNode) -> any ControlNamespace { self[node.area] }

    /// The part that has a file open; nil for all others.
    subscript(handle: HandleID) -> (any ControlNamespace)? { (handle.ofControl?.area).map { self[$0] } }

    private subscript(area: ControlNode.Area) -> any ControlNamespace {
        switch area {
        case .keyValues: keyValues
        }
    }
}
