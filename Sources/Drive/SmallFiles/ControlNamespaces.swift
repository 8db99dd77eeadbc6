import LinuxFiles

/// A part of the control folder that has nodes of its own, asked as the drive is. What it does not have is refused.
protocol ControlNamespace: Sendable {
    func lookUp(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry
    /// A node of its own once more, as `lookUp` told it.
    func entry(of node: ControlNode) throws(Errno) -> Entry
    func forget(_ node: ControlNode, count: UInt64)
    func has(_ name: Name, in folder: ControlNode) -> Bool
    func attributes(of node: ControlNode, _ handle: HandleID?, _ caller: Caller) throws(Errno) -> Attributes
    func openFolder(_ node: ControlNode, _ caller: Caller) throws(Errno) -> OpenedFolder
    func open(_ node: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> Opened
    func readLink(_ node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8]
    /// The names that lead to a folder of its own from that in the control folder on.
    func names(to node: ControlNode) throws(Errno) -> [Name]
    func extendedAttribute(_ label: String, of node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8]

    func create(_ name: Name, in folder: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> (Entry, Opened)
    func makeFile(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry
    func unlink(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno)
    func removeFolder(_ name: Name, in folder: ControlNode) throws(Errno)
    func rename(_ name: Name, in folder: ControlNode, to new: Name, in newFolder: ControlNode, flags: UInt32, _ caller: Caller) throws(Errno)
    func setAttributes(of node: ControlNode, _ change: AttributeChange, _ handle: HandleID?, _ caller: Caller) throws(Errno)
    func setExtendedAttribute(_ label: String, of node: ControlNode, to value: [UInt8], _ caller: Caller) throws(Errno)

    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content
    func write(_ handle: HandleID, at offset: Int64, count: Int, _ transfer: (Int32, Int64) throws(Errno) -> Int) throws(Errno) -> Int
    func flush(_ handle: HandleID) throws(Errno)
    func release(_ handle: HandleID)
}

extension ControlNamespace {
    func readLink(_ node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8] { throw .invalid }
    func names(to node: ControlNode) throws(Errno) -> [Name] { [] }
    func extendedAttribute(_ label: String, of node: ControlNode, _ caller: Caller) throws(Errno) -> [UInt8] { throw .noData }

    func create(_ name: Name, in folder: ControlNode, flags: Int32, _ caller: Caller) throws(Errno) -> (Entry, Opened) { throw .readOnly }
    func makeFile(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) -> Entry { throw .readOnly }
    func unlink(_ name: Name, in folder: ControlNode, _ caller: Caller) throws(Errno) { throw .readOnly }
    func removeFolder(_ name: Name, in folder: ControlNode) throws(Errno) { throw has(name, in: folder) ? .notDirectory : .noSuchEntry }
    func rename(_ name: Name, in folder: ControlNode, to new: Name, in newFolder: ControlNode, flags: UInt32, _ caller: Caller) throws(Errno) { throw .readOnly }
    func setAttributes(of node: ControlNode, _ change: AttributeChange, _ handle: HandleID?, _ caller: Caller) throws(Errno) { throw .readOnly }
    func setExtendedAttribute(_ label: String, of node: ControlNode, to value: [UInt8], _ caller: Caller) throws(Errno) { throw .readOnly }

    func read(_ handle: HandleID, at offset: Int64, count: Int) throws(Errno) -> Content { throw .badDescriptor }
    func write(_ handle: HandleID, at offset: Int64, count: Int, _ transfer: (Int32, Int64) throws(Errno) -> Int) throws(Errno) -> Int { throw .badDescriptor }
    func flush(_ handle: HandleID) throws(Errno) {}
    func release(_ handle: HandleID) {}
}

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
