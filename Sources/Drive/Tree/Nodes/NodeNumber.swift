import Coordination

/// A node's number in the tree: its place in the table, which is another one's when the node is gone and nobody knows it any more.
struct NodeNumber: RawRepresentable, Hashable, Comparable, Sendable {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The entry of a name that its node carries itself.
    init(carrying entry: EntryNumber) { rawValue = entry.rawValue }

    var index: Int { Int(rawValue) }

    /// No node at all.
    static let none = NodeNumber(0)
    static func < (left: NodeNumber, right: NodeNumber) -> Bool { left.rawValue < right.rawValue }
}

/// A name in a folder, by its place in the same table. It is the name that its node carries itself, or an alias: see `LinkedFiles`.
/// It comes and goes with the name, so nobody keeps one when the tree's lock is let go of: folder and name say which it is.
struct EntryNumber: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The name that a node carries itself.
    init(of node: NodeNumber) { rawValue = node.rawValue }

    var index: Int { Int(rawValue) }
}

extension NodeID {
    init(_ node: NodeNumber) { self.init(rawValue: UInt64(node.rawValue)) }
}

extension LaneID {
    /// The lane of a node.
    init(_ node: NodeNumber) { self.init(rawValue: UInt64(node.rawValue)) }
}
