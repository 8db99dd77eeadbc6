import PropertyLists

// The bytes of a key-value store (FORMATS 8).
extension KeyValueContents {
    private static let mark = "ValiseKeyValueStore"
    static let longestFile = 1 << 24

    /// Reads a store; or a property list of keys and values as apps keep one, whose times are unknown.
    public init(_ bytes: [UInt8]) throws(PropertyListFault) {
        var limits = PropertyListLimits.standard
        limits.objectCount = 1 << 20
        let list = try PropertyList(reading: Bytes(bytes), limits: limits)
        guard case .dictionary(let members) = list else { throw .foreign("It is no dictionary.") }
        guard list[Self.mark] != nil else {
            for member in members { put(Entry(value: member.value, time: 0, id: 0), under: member.key) }
            return
        }
        guard list[Self.mark] == .integer(1) else { throw .foreign("It is of a later version of Valise.") }
        guard case .dictionary(let values)? = list["values"], case .dictionary(let times)? = list["times"], case .dictionary(let ids)? = list["ids"] else {
            throw .damaged("A part of it is missing.")
        }
        var remaining = InOrder(values), numbers = InOrder(ids)
        reserve(times.count)
        for member in times {
            guard case .integer(let number) = member.value, let time = Int64(exactly: number) else { throw .damaged("A time is no number.") }
            let id = try numbers.take(member.key).map(Self.id) ?? 0
            put(Entry(value: remaining.take(member.key), time: time, id: id), under: member.key)
        }
        for id in numbers.rest.values { _ = try Self.id(id) }
        // Set by something that knows nothing of times.
        for (key, value) in remaining.rest { put(Entry(value: value, time: 0, id: 0), under: key) }
    }

    private static func id(_ value: PropertyList) throws(PropertyListFault) -> UInt128 {
        guard case .data(let bytes) = value, bytes.count == 16 else { throw .damaged("An id is none.") }
        return bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Members that are asked for in the order of their keys, as they are written: then none is looked up. Of two with one key the last is it.
    private struct InOrder {
        private var members: ArraySlice<PropertyList.Member>
        private var others: [String: PropertyList]?

        init(_ members: [PropertyList.Member]) {
            self.members = members[...]
            if !zip(members, members.dropFirst()).allSatisfy({ $0.key < $1.key }) { others = rest }
        }

        mutating func take(_ key: String) -> PropertyList? {
            if others == nil, let next = members.first, next.key == key { return members.removeFirst().value }
            if others == nil { others = rest }
            return others?.removeValue(forKey: key)
        }

        /// What nobody took.
        var rest: [String: PropertyList] { others ?? Dictionary(members.map { ($0.key, $0.value) }) { _, last in last } }
    }

    /// The store as one binary property list.
    public func bytes() throws(PropertyListFault) -> [UInt8] {
        var values: [PropertyList.Member] = [], times: [PropertyList.Member] = [], ids: [PropertyList.Member] = []
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            if let value = entry.value { values.append(.init(key, value)) }
            times.append(.init(key, .integer(Int128(entry.time))))
            let id = (0..<16).map { UInt8(truncatingIfNeeded: entry.id >> UInt128(8 * (15 - $0))) }
            ids.append(.init(key, .data(id)))
        }
        return try PropertyList.dictionary([
            .init(Self.mark, .integer(1)), .init("values", .dictionary(values)), .init("times", .dictionary(times)), .init("ids", .dictionary(ids)),
        ]).binary()
    }
}
