import PropertyLists

/// A keyed archive as one flat table, for whoever decodes all of what is in it (FORMATS 2).
///
/// `KeyedArchive` looks a few fields up where they lie; this one has read every object once. Neither walks the graph.
public struct ArchiveTable: Sendable {
    public let objects: ObjectTable
    /// What `$objects` holds: numbers in the table. A UID is a position here.
    public let slots: [Int]
    /// What was archived under the keys of the top.
    public let top: Fields
    /// It was XML: data lies in the binary form that was made of it, and not in the source.
    public let isConverted: Bool
    private let source: any ByteSource

    /// The members of a dictionary, by their numbers.
    public struct Fields: Sendable {
        public let keys: [Int]
        public let values: [Int]

        public init(keys: [Int], values: [Int]) {
            self.keys = keys
            self.values = values
        }
    }

    public init(_ source: any ByteSource, limits: PropertyListLimits = .standard) throws(PropertyListFault) {
        var list: BinaryPropertyList
        do throws(PropertyListFault) {
            list = try BinaryPropertyList(source, limits: limits)
            isConverted = false
        } catch {
            guard case .foreign = error, let bytes = try PropertyList.binary(ofXML: source, limits: limits) else { throw error }
            list = try BinaryPropertyList(Bytes(bytes), limits: limits)
            isConverted = true
        }
        self.source = list.source
        objects = try ObjectTable(copying: list)
        guard case .dictionary(let keys, let values) = objects[objects.top] else { throw .foreign("It is a property list and no archive.") }
        let all = Fields(keys: keys, values: values)
        guard let archiver = Self.value("$archiver", in: all, of: objects), objects.text(archiver) != nil,
              let top = Self.value("$top", in: all, of: objects), let array = Self.value("$objects", in: all, of: objects) else {
            throw .foreign("It is a property list and no archive.")
        }
        guard case .dictionary(let topKeys, let topValues) = objects[top] else { throw .damaged("The archive's $top is no dictionary.") }
        guard case .array(let slots) = objects[array], !slots.isEmpty else { throw .damaged("The archive has no objects.") }
        self.slots = slots
        self.top = Fields(keys: topKeys, values: topValues)
    }

    /// The object under a number of the table.
    public subscript(_ number: Int) -> ObjectTable.Object? { objects[number] }

    /// The number of the object that a UID refers to; nil where there is none.
    public func slot(_ uid: UInt64) -> Int? {
        guard let position = Int(exactly: uid), slots.indices.contains(position) else { return nil }
        return slots[position]
    }

    /// The number of the value under a key as the archiver spells it; the first, should there be two.
    public func value(_ key: String, in fields: Fields) -> Int? { Self.value(key, in: fields, of: objects) }

    /// How the archiver spells a key of a user: those that begin with "$" are its own.
    public static func escaped(_ key: String) -> String { KeyedArchive.escaped(key) }

    /// Where the bytes of a data object lie in the source, where they were not read.
    public func range(of content: ObjectTable.DataContent) -> ByteRange? {
        guard case .kept(let range) = content else { return nil }
        return range
    }

    /// The bytes of a data object.
    public func bytes(of content: ObjectTable.DataContent) throws(PropertyListFault) -> [UInt8] {
        switch content {
        case .bytes(let bytes): return bytes
        case .placed: throw .damaged("The data is not in the archive.")
        case .kept(let range):
            do throws(SourceFailure) { return try source.bytes(at: range.offset, count: Int(range.length)) } catch { throw .unreadable(error) }
        }
    }

    private static func value(_ key: String, in fields: Fields, of objects: ObjectTable) -> Int? {
        for (position, number) in fields.keys.enumerated() where fields.values.indices.contains(position) && objects.isText(number, key) {
            return fields.values[position]
        }
        return nil
    }
}
