import LinuxFiles

/// What a drive of a backup shows: all of its files by their places, in a table that stays as it is.
package final class BackupTree: Sendable {
    /// A file, folder or link: its place in the table.
    package struct NodeNumber: Hashable, Sendable {
        package let index: Int
        package init(_ index: Int) { self.index = index }
        package static let top = NodeNumber(0)
    }

    struct Node {
        var parent: UInt32
        var name: UInt32
        /// Of a folder where its children begin in `order`; of others where the key or the target begins in `extras`,
        /// or nothing.
        var extra: UInt32 = Self.nothing
        /// How many children; how long the target.
        var extraCount: UInt32 = 0
        var size: Int64 = 0
        var modified: Int64
        var born: Int64
        var id: FileID?
        var nameCount: UInt8
        var kind: ManifestEntry.Kind
        /// The manifest has it, and not only something in it.
        var isNamed = false

        static let nothing = UInt32.max
    }

    /// What of the manifest is not shown, and why.
    package struct Refused: Hashable, Sendable {
        /// Rows that say nothing that can be understood.
        package var notUnderstood = 0
        /// Paths that lead nowhere: with “..”, with nothing between two “/”, or in what is no folder.
        package var badPaths = 0
        /// A folder that is in the manifest twice.
        package var repeatedFolders = 0

        package var count: Int { notUnderstood + badPaths + repeatedFolders }
    }

    private let nodes: ContiguousArray<Node>
    private let names: [UInt8]
    private let extras: [UInt8]
    /// The children of each folder, by their names.
    private let order: ContiguousArray<UInt32>
    package let refused: Refused
    /// The folders that apps would have, also those of which the backup has nothing.
    let appFolders: [[UInt8]]

    init(
        _ nodes: ContiguousArray<Node>, names: [UInt8], extras: [UInt8], order: ContiguousArray<UInt32>,
        appFolders: [[UInt8]], _ refused: Refused
    ) {
        (self.nodes, self.names, self.extras, self.order, self.appFolders, self.refused) = (
            nodes, names, extras, order, appFolders, refused
        )
    }

    package var count: Int { nodes.count }
    package var fileCount: Int { nodes.count { $0.kind == .file } }

    /// Whether there is one with this number.
    package func has(_ number: NodeNumber) -> Bool { nodes.indices.contains(number.index) }

    package func kind(of number: NodeNumber) -> ManifestEntry.Kind { nodes[number.index].kind }
    package func parent(of number: NodeNumber) -> NodeNumber { NodeNumber(Int(nodes[number.index].parent)) }

    /// Seconds since 1970.
    package func modified(_ number: NodeNumber) -> Int64 { nodes[number.index].modified }
    package func born(_ number: NodeNumber) -> Int64 { nodes[number.index].born }

    /// Empty for the top.
    package func name(of number: NodeNumber) -> ArraySlice<UInt8> { nameBytes(nodes[number.index]) }

    package func file(_ number: NodeNumber) -> StoredFile {
        let node = nodes[number.index]
        let key =
            node.extra == Node.nothing || node.kind != .file
            ? nil : WrappedKey(extras[Int(node.extra)..<Int(node.extra) + WrappedKey.length])
        return StoredFile(id: node.id, size: node.size, key: key)
    }

    package func target(of number: NodeNumber) -> ArraySlice<UInt8>? {
        let node = nodes[number.index]
        guard node.kind == .link, node.extra != Node.nothing else { return nil }
        return extras[Int(node.extra)..<Int(node.extra) + Int(node.extraCount)]
    }

    /// Those in a folder, by their names.
    package func children(of number: NodeNumber) -> some RandomAccessCollection<NodeNumber> {
        childOrder(nodes[number.index]).lazy.map { NodeNumber(Int($0)) }
    }

    package func folders(in number: NodeNumber) -> Int {
        children(of: number).count { nodes[$0.index].kind == .folder }
    }

    /// In either Unicode form.
    package func child(_ name: some Collection<UInt8>, of number: NodeNumber) -> NodeNumber? {
        let wanted = ComposedName.of(Array(name)[...]), order = childOrder(nodes[number.index])
        var (low, high) = (order.startIndex, order.endIndex)
        while low < high {
            let middle = (low + high) / 2, found = nameBytes(nodes[Int(order[middle])])
            if found.elementsEqual(wanted) { return NodeNumber(Int(order[middle])) }
            if found.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// By names from the top on.
    package func find(_ path: String) -> NodeNumber? {
        path.split(separator: "/").reduce(NodeNumber.top as NodeNumber?) { folder, name in
            folder.flatMap { child(Array(name.utf8), of: $0) }
        }
    }

    /// From the top on, for sentences.
    package func path(of number: NodeNumber) -> String {
        var parts: [String] = [], number = number
        while number != .top {
            parts.append(String(decoding: name(of: number), as: UTF8.self))
            number = parent(of: number)
        }
        return parts.reversed().joined(separator: "/")
    }

    private func childOrder(_ node: Node) -> ContiguousArray<UInt32>.SubSequence {
        guard node.kind == .folder, node.extra != Node.nothing else { return [] }
        return order[Int(node.extra)..<Int(node.extra) + Int(node.extraCount)]
    }

    private func nameBytes(_ node: Node) -> ArraySlice<UInt8> {
        names[Int(node.name)..<Int(node.name) + Int(node.nameCount)]
    }
}
