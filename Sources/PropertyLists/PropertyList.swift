/// A property list in memory, whole: for small ones such as preferences and `.webloc` files.
/// Documents are never read this way; their archives are looked into where they lie.
public enum PropertyList: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case string(String)
    case uid(UInt64)
    case array([PropertyList])
    case set([PropertyList])
    /// In the order of the file: what is written back looks as it did.
    case dictionary([Member])

    public struct Member: Hashable, Sendable {
        public var key: String
        public var value: PropertyList

        public init(_ key: String, _ value: PropertyList) {
            self.key = key
            self.value = value
        }
    }

    /// The value under a key of a dictionary. Keys are compared by their bytes: two spellings
    /// of "é" are two keys, as they are for the writers of such lists.
    public subscript(key: String) -> PropertyList? {
        guard case .dictionary(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// Reads either form.
    public init(reading source: any ByteSource, limits: PropertyListLimits = .standard) throws(PropertyListFault) {
        let prefix = try Self.bytes(of: source, count: min(source.byteCount, 7))
        if prefix == Array("bplist0".utf8) {
            self = try BinaryPropertyList(source, limits: limits).tree()
            return
        }
        guard source.byteCount <= limits.markupLength else { throw .excessive("It is too long for a property list.") }
        self = try PropertyList(xml: try Self.bytes(of: source, count: source.byteCount), limits: limits)
    }
}

extension BinaryPropertyList {
    /// The whole list as values, within the limits: of depth, of values (a shared one counts each time), of memory.
    public func tree() throws(PropertyListFault) -> PropertyList {
        var unfolding = Unfolding(list: self, memory: Budget(limits.memory), values: limits.objectCount)
        return try unfolding.value(at: top, depth: 1)
    }

    private struct Unfolding {
        let list: BinaryPropertyList
        var memory: Budget
        var values: Int

        mutating func value(at index: Int, depth: Int) throws(PropertyListFault) -> PropertyList {
            guard depth <= list.limits.depth else { throw .excessive("It is deeper than \(list.limits.depth) levels.") }
            guard values > 0 else { throw .excessive("It unfolds to more than \(list.limits.objectCount) values.") }
            values -= 1
            switch try list.object(at: index) {
            case .null: return .null
            case .boolean(let value): return .boolean(value)
            case .integer(let value): return .integer(value)
            case .float(let value): return .real(Double(value))
            case .real(let value): return .real(value)
            case .date(let value): return .date(value)
            case .uid(let value): return .uid(value)
            case .data(let range):
                try memory.take(range.length, times: 1)
                return .data(try list.windows.bytes(at: range.offset, count: Int(range.length)))
            case .string(let text):
                try memory.take(text.range.length, times: 2)
                return .string(try list.text(text))
            case .array(let row): return .array(try self.row(row, depth))
            case .set(let row): return .set(try self.row(row, depth))
            case .dictionary(let keys, let values):
                var members: [PropertyList.Member] = []
                members.reserveCapacity(min(keys.count, 1 << 10))
                for position in 0..<keys.count {
                    guard case .string(let key) = try value(at: try list.reference(position, of: keys), depth: depth + 1) else {
                        throw .damaged("A key is no string.")
                    }
                    members.append(.init(key, try value(at: try list.reference(position, of: values), depth: depth + 1)))
                }
                return .dictionary(members)
            }
        }

        private mutating func row(_ row: References, _ depth: Int) throws(PropertyListFault) -> [PropertyList] {
            var result: [PropertyList] = []
            for position in 0..<row.count { result.append(try value(at: try list.reference(position, of: row), depth: depth + 1)) }
            return result
        }
    }
}

extension PropertyList {
    /// The binary form.
    public func binary() throws(PropertyListFault) -> [UInt8] {
        var table = ObjectTable()
        table.top = add(to: &table)
        return try table.written()
    }

    private func add(to table: inout ObjectTable) -> Int {
        switch self {
        case .null: return table.add(.null)
        case .boolean(let value): return table.add(.boolean(value))
        case .integer(let value): return table.add(.integer(value))
        case .real(let value): return table.add(.real(value))
        case .date(let value): return table.add(.date(value))
        case .data(let bytes): return table.add(.data(.bytes(bytes)))
        case .string(let text): return table.add(text)
        case .uid(let value): return table.add(.uid(value))
        case .array(let values): return table.add(.array(values.map { $0.add(to: &table) }))
        case .set(let values): return table.add(.set(values.map { $0.add(to: &table) }))
        case .dictionary(let members):
            let keys = members.map { table.add($0.key) }
            return table.add(.dictionary(keys: keys, values: members.map { $0.value.add(to: &table) }))
        }
    }
}
