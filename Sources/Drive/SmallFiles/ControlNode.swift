import LinuxFiles

/// A node of a part of the control folder that has nodes of its own: they are in no table of the drive's, and their numbers say
/// whose they are.
struct ControlNode: Hashable, Sendable {
    enum Area: UInt32, CaseIterable, Sendable {
        case keyValues = 1, search, searches

        /// Its folder, which is in the tree, too.
        var folder: NodeNumber {
            switch self {
            case .keyValues: Tree.keyValues
            case .search: Tree.search
            case .searches: Tree.searches
            }
        }

        /// Above those of thumbnails.
        private static let firstMark: UInt32 = 0x100

        fileprivate init?(mark number: UInt64) { self.init(rawValue: UInt32(truncatingIfNeeded: number >> 32) &- Self.firstMark) }

        fileprivate func numbered(_ number: UInt32) -> UInt64 { UInt64(Self.firstMark + rawValue) << 32 | UInt64(number) }
    }

    let area: Area
    /// The node's number in its area; 0 is the area's folder.
    let number: UInt32

    init(_ area: Area, _ number: UInt32 = 0) { (self.area, self.number) = (area, number) }

    init?(_ id: NodeID) {
        if id.rawValue >> 32 == 0 {
            guard let area = Area.allCases.first(where: { NodeID($0.folder) == id }) else { return nil }
            self.init(area)
        } else {
            guard let area = Area(mark: id.rawValue) else { return nil }
            self.init(area, UInt32(truncatingIfNeeded: id.rawValue))
        }
    }

    var id: NodeID { number == 0 ? NodeID(area.folder) : NodeID(rawValue: area.numbered(number)) }
}

extension HandleID {
    /// A file that one of these parts has open has a number of that part's.
    init(_ area: ControlNode.Area, _ number: UInt32) { self.init(rawValue: area.numbered(number)) }

    var ofControl: (area: ControlNode.Area, number: UInt32)? {
        ControlNode.Area(mark: rawValue).map { ($0, UInt32(truncatingIfNeeded: rawValue)) }
    }
}

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
