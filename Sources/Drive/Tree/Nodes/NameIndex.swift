/// A hash table from names to nodes that holds the nodes' numbers only: the names are in the node table.
///
/// Four bytes a slot, so that a folder of ten thousand documents costs little.
struct NameIndex<Number: RawRepresentable<UInt32>> {
    private var slots: [UInt32] = []
    private var used = 0
    private(set) var count = 0

    private static var free: UInt32 { 0 }
    private static var deleted: UInt32 { .max }

    /// The node whose name hashes to `hash` and for which `matches` says yes.
    @inline(__always)
    func find(_ hash: Int, where matches: (Number) -> Bool) -> Number? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count - 1
        var place = hash & mask
        while true {
            let slot = slots[place]
            if slot == Self.free { return nil }
            if slot != Self.deleted, let number = Number(rawValue: slot), matches(number) { return number }
            place = (place + 1) & mask
        }
    }

    /// `hashOf` gives the hash of a node that is in the table, for when it grows.
    mutating func insert(_ number: Number, _ hash: Int, hashOf: (Number) -> Int) {
        if (used + 1) * 4 > slots.count * 3 { grow(hashOf) }
        place(number.rawValue, hash)
        count += 1
    }

    mutating func remove(_ number: Number, _ hash: Int) {
        guard !slots.isEmpty else { return }
        let mask = slots.count - 1
        var place = hash & mask
        while slots[place] != Self.free {
            if slots[place] == number.rawValue {
                slots[place] = Self.deleted
                count -= 1
                return
            }
            place = (place + 1) & mask
        }
    }

    func forEach(_ body: (Number) -> Void) {
        for slot in slots where slot != Self.free && slot != Self.deleted { if let number = Number(rawValue: slot) { body(number) } }
    }

    /// So many of them at most.
    func some(_ most: Int) -> [Number] { slots.lazy.filter { $0 != Self.free && $0 != Self.deleted }.prefix(most).compactMap { Number(rawValue: $0) } }

    private mutating func place(_ node: UInt32, _ hash: Int) {
        let mask = slots.count - 1
        var place = hash & mask
        while slots[place] != Self.free { place = (place + 1) & mask }
        slots[place] = node
        used += 1
    }

    private mutating func grow(_ hashOf: (Number) -> Int) {
        let old = slots
        var capacity = 8
        while capacity * 3 < (count + 1) * 5 { capacity *= 2 }
        slots = [UInt32](repeating: Self.free, count: capacity)
        used = 0
        for slot in old where slot != Self.free && slot != Self.deleted { if let number = Number(rawValue: slot) { place(slot, hashOf(number)) } }
    }
}

/// The hash of a name, the same for the whole life of the process and for no other.
@inline(__always)
func nameHash(_ bytes: [UInt8]) -> Int {
    // SAFETY: the bytes live through the call.
    unsafe bytes.withUnsafeBytes { unsafe nameHash($0) }
}

@inline(__always)
func nameHash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    // SAFETY: the hasher only reads the bytes.
    unsafe hasher.combine(bytes: bytes)
    return hasher.finalize()
}
