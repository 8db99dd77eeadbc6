import PropertyLists

/// A keyed archive that is being made, or changed: some fields are set, and everything else stays,
/// understood or not. What it holds is the flat table of its objects; the graph is never walked by recursion.
public struct ArchiveDraft: Sendable {
    private var table: ObjectTable
    /// The number of the `$objects` array in the table.
    private let array: Int
    /// What `$objects` holds: numbers in the table. A UID is a position here.
    private var slots: [Int]
    private let topKeys: [Int]
    private let topValues: [Int]

    /// What a field can be set to.
    public enum Value: Hashable, Sendable {
        /// An object by reference, in the form that the field has: mutable strings and data stay mutable.
        case text(String)
        case data([UInt8])
        /// The caller's content, of any length: data that `written(around:)` leaves out.
        case placedData
        /// Inline, as numbers are.
        case integer(Int)
        /// Nothing, by reference: the key stays.
        case none
    }

    /// A new archive of one object without fields, under a key.
    public init(key: String, className: String) {
        table = ObjectTable()
        let null = table.add("$null")
        let classKeys = [table.add("$classname"), table.add("$classes")]
        let names = [table.add(className), table.add("NSObject")]
        let classes = table.add(.array(names))
        let description = table.add(.dictionary(keys: classKeys, values: [names[0], classes]))
        let object = table.add(.dictionary(keys: [table.add("$class")], values: [table.add(.uid(2))]))
        slots = [null, object, description]
        array = table.add(.array(slots))
        topKeys = [table.add(KeyedArchive.escaped(key))]
        topValues = [table.add(.uid(1))]
        let top = table.add(.dictionary(keys: topKeys, values: topValues))
        let keys = [table.add("$version"), table.add("$archiver"), table.add("$top"), table.add("$objects")]
        table.top = table.add(.dictionary(keys: keys, values: [table.add(.integer(100_000)), table.add("NSKeyedArchiver"), top, array]))
    }

    public init(changing archive: KeyedArchive) throws(PropertyListFault) {
        table = try ObjectTable(copying: archive.list)
        guard case .dictionary(let keys, let values) = table[table.top],
              let array = Self.member("$objects", keys, values, in: table), case .array(let slots) = table[array],
              let top = Self.member("$top", keys, values, in: table),
              case .dictionary(let topKeys, let topValues) = table[top] else { throw .damaged("The archive has no objects.") }
        self.array = array
        self.slots = slots
        self.topKeys = topKeys
        self.topValues = topValues
    }

    /// The number of the object under a key.
    public func root(_ key: String) -> Int? {
        guard let value = Self.member(KeyedArchive.escaped(key), topKeys, topValues, in: table),
              case .uid(let uid) = table[value], uid != 0, let number = Int(exactly: uid), number < slots.count else { return nil }
        return number
    }

    // MARK: Fields

    /// Sets a field of an object, or removes it.
    public mutating func set(_ key: String, of uid: Int, to value: Value?) {
        guard slots.indices.contains(uid), case .dictionary(var keys, var values) = table[slots[uid]] else { return }
        let escaped = KeyedArchive.escaped(key), position = keys.firstIndex { table.isText($0, escaped) }
        if position == nil, value == nil { return }
        // From here on the object is this place's own: two places may lead to one dictionary, and to what is in it.
        slots[uid] = table.add(.dictionary(keys: keys, values: values))
        let current = position.map { values[$0] }
        let former = current.flatMap(referred)
        let replacement: Int?
        switch value {
        case nil: replacement = nil
        case .none?: replacement = table.add(.uid(0))
        case .integer(let number): replacement = table.add(.integer(Int128(number)))
        case .text(let text): replacement = place(table.add(text), "NS.string", over: current)
        case .data(let bytes): replacement = place(table.add(.data(.bytes(bytes))), "NS.data", over: current)
        case .placedData: replacement = place(table.add(.data(.placed)), "NS.data", over: current)
        }
        switch (position, replacement) {
        case (let position?, let replacement?):
            values[position] = replacement
        case (let position?, nil):
            keys.remove(at: position)
            values.remove(at: position)
        case (nil, let replacement?):
            keys.append(table.add(escaped))
            values.append(replacement)
        case (nil, nil):
            return
        }
        slots[uid] = table.add(.dictionary(keys: keys, values: values))
        if let former { release(former) }
    }

    /// Puts an object where a field has its old one. In the same place when nothing else refers there:
    /// two equal strings are often one object, and only one of them is meant.
    /// Answers the number of the field's value.
    private mutating func place(_ leaf: Int, _ wrapping: String, over current: Int?) -> Int {
        guard let current else { return refer(to: leaf) }
        guard case .uid(let uid) = table[current] else {
            // Nothing refers to what is inline; what is there instead of an object has no form to keep.
            if case .dictionary = table[current] { return refer(to: leaf) }
            return leaf
        }
        guard uid != 0, let number = Int(exactly: uid), slots.indices.contains(number) else { return refer(to: leaf) }
        var object = leaf
        if case .dictionary(let keys, var values) = table[slots[number]],
           let position = keys.firstIndex(where: { table.isText($0, wrapping) }) {
            values[position] = leaf
            object = table.add(.dictionary(keys: keys, values: values))
        }
        guard referenceCounts()[number] == 1 else { return refer(to: object) }
        slots[number] = object
        return current
    }

    /// A reference to an object in a place of its own: one that is free, or a new one.
    private mutating func refer(to object: Int) -> Int {
        let empty = slots.indices.dropFirst().filter { isNull(slots[$0]) }
        // To count takes a walk through all that the archive holds.
        if !empty.isEmpty {
            let counts = referenceCounts()
            if let position = empty.first(where: { counts[$0] == 0 }) {
                slots[position] = object
                return table.add(.uid(UInt64(position)))
            }
        }
        slots.append(object)
        return table.add(.uid(UInt64(slots.count - 1)))
    }

    /// Empties the place of an object that this draft let go, so that a removed image is not carried on for ever.
    private mutating func release(_ number: Int) {
        guard number != 0, referenceCounts()[number] == 0 else { return }
        slots[number] = slots[0]
    }

    private func referred(_ value: Int) -> Int? {
        guard case .uid(let uid) = table[value], let number = Int(exactly: uid), slots.indices.contains(number) else { return nil }
        return number
    }

    private func isNull(_ number: Int) -> Bool {
        number == slots[0] || table.isText(number, "$null")
    }

    /// How often each place is referred to, by what the archive now holds.
    private func referenceCounts() -> [Int] {
        var counts = [Int](repeating: 0, count: slots.count)
        func count(_ row: [Int]) {
            for value in row { if let number = referred(value) { counts[number] += 1 } }
        }
        for number in current().reachable() {
            switch table[number] {
            case .array(let row), .set(let row): count(row)
            case .dictionary(_, let values): count(values)
            default: break
            }
        }
        return counts
    }

    /// Leaves out what nothing refers to, and numbers the rest in the order in which it is reached. Two drafts that hold the same are
    /// written as the same bytes then, whatever was added and removed before.
    public mutating func compact() {
        var order: [Int] = [], numbers: [Int: Int] = [0: 0], references: [(value: Int, uid: Int)] = [], seen: Set<Int> = []
        var waiting = topValues, next = 0
        while next < waiting.count {
            let value = waiting[next]
            next += 1
            guard seen.insert(value).inserted else { continue }
            switch table[value] {
            case .array(let row), .set(let row): waiting += row
            case .dictionary(let keys, let values): waiting += keys + values
            case .uid:
                guard let uid = referred(value) else { continue }
                references.append((value, uid))
                guard numbers[uid] == nil else { continue }
                order.append(slots[uid])
                numbers[uid] = order.count
                waiting.append(slots[uid])
            default: break
            }
        }
        for (value, uid) in references { if let number = numbers[uid] { table.replace(value, with: .uid(UInt64(number))) } }
        slots = Array(slots.prefix(1)) + order
    }

    // MARK: Bytes

    public func written() throws(PropertyListFault) -> [UInt8] {
        try current().written()
    }

    /// What stands before and after `length` bytes of the placed data.
    public func written(around length: Int64) throws(PropertyListFault) -> (head: [UInt8], tail: [UInt8]) {
        try current().written(around: length)
    }

    private func current() -> ObjectTable {
        var table = table
        table.replace(array, with: .array(slots))
        return table
    }

    private static func member(_ key: String, _ keys: [Int], _ values: [Int], in table: ObjectTable) -> Int? {
        zip(keys, values).first { table.isText($0.0, key) }?.1
    }
}
