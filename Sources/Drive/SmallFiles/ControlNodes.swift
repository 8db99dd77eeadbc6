import LinuxFiles

/// The nodes of one part, by what they stand for. A node is kept for as long as the kernel knows it or somebody has it open.
struct ControlNodes<Item: Hashable & Sendable> {
    private struct Slot {
        /// What the node stands for; nil where it has no name any more.
        var item: Item?
        var generation: UInt64
        var lookups: UInt64 = 0
        var handles = 0
    }

    private var slots: [Slot] = []
    private var vacant: [UInt32] = []
    private var numbers: [Item: UInt32] = [:]
    private var generation = UInt64(UInt32.random(in: 1...UInt32.max))

    /// The node of an item, of which the kernel is told once more.
    mutating func remember(_ item: Item) -> (number: UInt32, generation: UInt64) {
        let number = numbers[item] ?? add(item)
        slots[index(number)].lookups += 1
        return (number, slots[index(number)].generation)
    }

    private mutating func add(_ item: Item) -> UInt32 {
        generation += 1
        let slot = Slot(item: item, generation: generation)
        let number: UInt32
        if let free = vacant.popLast() {
            number = free
            slots[index(free)] = slot
        } else {
            slots.append(slot)
            number = UInt32(truncatingIfNeeded: slots.count)
        }
        numbers[item] = number
        return number
    }

    private func index(_ number: UInt32) -> Int { Int(number) - 1 }
    private func isKnown(_ number: UInt32) -> Bool { slots.indices.contains(index(number)) && slots[index(number)].generation != 0 }

    func number(of item: Item) -> UInt32? { numbers[item] }

    /// nil for one that has no name any more. Throws for a number that was forgotten.
    func item(_ number: UInt32) throws(Errno) -> Item? {
        guard isKnown(number) else { throw .stale }
        return slots[index(number)].item
    }

    mutating func hold(_ number: UInt32) { if isKnown(number) { slots[index(number)].handles += 1 } }

    mutating func letGo(_ number: UInt32) {
        guard isKnown(number), slots[index(number)].handles > 0 else { return }
        slots[index(number)].handles -= 1
        dropIfUnused(number)
    }

    mutating func forget(_ number: UInt32, count: UInt64) {
        guard isKnown(number) else { return }
        slots[index(number)].lookups -= min(count, slots[index(number)].lookups)
        dropIfUnused(number)
    }

    private mutating func dropIfUnused(_ number: UInt32) {
        let slot = slots[index(number)]
        guard slot.lookups == 0, slot.handles == 0 else { return }
        if let item = slot.item { numbers[item] = nil }
        slots[index(number)].item = nil
        slots[index(number)].generation = 0
        vacant.append(number)
    }

    /// The node loses its name: whoever has it open goes on with it.
    mutating func detach(_ item: Item) {
        guard let number = numbers.removeValue(forKey: item) else { return }
        slots[index(number)].item = nil
    }

    /// A node has another name, and what had that has none.
    mutating func move(_ old: Item, to new: Item) {
        detach(new)
        guard let number = numbers.removeValue(forKey: old) else { return }
        numbers[new] = number
        slots[index(number)].item = new
    }

    /// How many nodes the area has.
    var count: Int { slots.count - vacant.count }
}
