/// Some of the nodes, with one bit for each: there are very many nodes, and `NodeFlags` has no bit left.
struct NodeSet {
    private var words: [UInt64] = []

    func contains(_ id: NodeNumber) -> Bool {
        let (word, bit) = Self.place(of: id)
        return word < words.count && words[word] & bit != 0
    }

    mutating func insert(_ id: NodeNumber) {
        let (word, bit) = Self.place(of: id)
        while words.count <= word { words.append(0) }
        words[word] |= bit
    }

    mutating func remove(_ id: NodeNumber) {
        let (word, bit) = Self.place(of: id)
        if word < words.count { words[word] &= ~bit }
    }

    private static func place(of id: NodeNumber) -> (word: Int, bit: UInt64) { (id.index >> 6, 1 << (id.rawValue & 63)) }
}
