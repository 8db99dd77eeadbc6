/// Finds a name in a folder while a tree is made: a table of node numbers, by a hash of both. It knows no names, so
/// whoever asks compares.
struct NameTable {
    private var slots = ContiguousArray<UInt32>(repeating: Self.free, count: 1 << 10)
    private var hashes = ContiguousArray<UInt32>(repeating: 0, count: 1 << 10)
    private var count = 0
    /// Another one each time: whoever made the manifest cannot know which names come together.
    private let seed = UInt64.random(in: .min ... .max)

    private static let free = UInt32.max

    private func hash(_ folder: Int, _ name: ArraySlice<UInt8>) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(folder)
        // SAFETY: the buffer is the name's, through the call.
        unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    func find(_ folder: Int, _ name: ArraySlice<UInt8>, where isIt: (Int) -> Bool) -> Int? {
        let wanted = hash(folder, name)
        var slot = Int(wanted) & (slots.count - 1)
        while slots[slot] != Self.free {
            if hashes[slot] == wanted, isIt(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    mutating func add(_ node: Int, _ folder: Int, _ name: ArraySlice<UInt8>) {
        if (count + 1) * 2 > slots.count { grow() }
        put(UInt32(truncatingIfNeeded: node), hash(folder, name))
        count += 1
    }

    private mutating func put(_ node: UInt32, _ hash: UInt32) {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
        (slots[slot], hashes[slot]) = (node, hash)
    }

    private mutating func grow() {
        let (oldSlots, oldHashes) = (slots, hashes)
        slots = ContiguousArray(repeating: Self.free, count: 2 * oldSlots.count)
        hashes = ContiguousArray(repeating: 0, count: 2 * oldSlots.count)
        for (slot, node) in oldSlots.enumerated() where node != Self.free { put(node, oldHashes[slot]) }
    }
}
