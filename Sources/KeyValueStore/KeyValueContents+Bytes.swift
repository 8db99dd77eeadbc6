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
        var known: [String: PropertyList] = [:], numbers: [String: UInt128] = [:]
        for member in values { known[member.key] = member.value }
        for member in ids {
            guard case .data(let bytes) = member.value, bytes.count == 16 else { throw .damaged("An id is none.") }
            numbers[member.key] = bytes.reduce(0) { $0 << 8 | UInt128($1) }
        }
        for member in times {
            guard case .integer(let number) = member.value, let time = Int64(exactly: number) else { throw .damaged("A time is no number.") }
            put(Entry(value: known.removeValue(forKey: member.key), time: time, id: numbers[member.key] ?? 0), under: member.key)
        }
        // Set by something that knows nothing of times.
        for (key, value) in known { put(Entry(value: value, time: 0, id: 0), under: key) }
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
