import PropertyLists

/// A keyed archive of which some fields get other values; all else is written as it was read, understood or not.
public struct ArchiveEditor {
    private var table: ObjectTable
    /// Plist objects by UID, as in `$objects`.
    private var objects: [Int]
    private let objectsIndex: Int

    /// What a field is given.
    public enum NewValue: Sendable {
        case string(String)
        case data([UInt8])
        /// Inline, as `encodeInt` does it.
        case integer(Int64)
        /// Data of this length that the caller has: see `ObjectTable.written`.
        case placed(count: Int64)
        /// nil: UID 0.
        case none
    }

    /// `leavingOut` is a field whose data is going to be replaced, and need not be read therefore.
    public init(_ archive: KeyedArchive, leavingOut field: Int? = nil) throws(PropertyListFault) {
        table = try ObjectTable(archive.list, archive.source, leavingOut: try Self.dataIndex(field, archive))
        objects = archive.objects
        objectsIndex = archive.objectsIndex
    }

    /// The plist object with a field's bytes, unless they are inline.
    private static func dataIndex(_ field: Int?, _ archive: KeyedArchive) throws(PropertyListFault) -> Int? {
        guard let field, case .uid(let uid) = try archive.list.object(field), let index = archive.index(of: uid) else { return nil }
        switch try archive.list.object(index) {
        case .data: return index
        case .dictionary: return try KeyedArchive.entries(of: index, archive.list).first { $0.key == "NS.data" }?.value
        default: return nil
        }
    }

    /// Gives an object's field another value. A value in the mutable form stays in it; one that others share is left to them.
    public mutating func set(_ key: String, of object: KeyedArchive.Object, to value: NewValue) {
        guard let place = Int(exactly: object.uid), objects.indices.contains(place),
            case .dictionary(var keys, var values) = table.objects[objects[place]]
        else { return }
        let dictionary = objects[place]
        let position = keys.firstIndex { string(at: $0) == key }
        let current = position.map { values[$0] }
        let new: Int
        switch value {
        case .integer(let number): new = table.add(integer: number)
        case .none: new = table.add(uid: 0)
        case .string, .data, .placed: new = reference(to: value, replacing: current)
        }
        if let position { values[position] = new } else {
            keys.append(table.add(string: key))
            values.append(new)
        }
        table.replace(dictionary, by: .dictionary(keys: keys, values: values))
    }

    /// Takes a field away.
    public mutating func remove(_ key: String, of object: KeyedArchive.Object) {
        guard let place = Int(exactly: object.uid), objects.indices.contains(place),
            case .dictionary(var keys, var values) = table.objects[objects[place]],
            let position = keys.firstIndex(where: { string(at: $0) == key })
        else { return }
        keys.remove(at: position)
        values.remove(at: position)
        table.replace(objects[place], by: .dictionary(keys: keys, values: values))
    }

    public func bytes() -> [UInt8] { table.bytes() }
    public func written() -> (head: [UInt8], tail: [UInt8]) { table.written() }

    // MARK: Objects

    /// A UID object for a new value: the old one's, if nobody else uses it.
    private mutating func reference(to value: NewValue, replacing current: Int?) -> Int {
        guard let current, let uid = uid(at: current), uid != 0, objects.indices.contains(uid), users(of: uid) <= 1 else {
            return appended(raw(value))
        }
        let old = objects[uid]
        if case .dictionary(let keys, var values) = table.objects[old],
            let position = keys.firstIndex(where: { ["NS.string", "NS.data"].contains(string(at: $0)) })
        {
            // The mutable form: its inner object is replaced, by a new one, because it may be shared too.
            values[position] = raw(value)
            table.replace(old, by: .dictionary(keys: keys, values: values))
            return current
        }
        // The plist object may serve as a key elsewhere, so it is not changed: the place in `$objects` leads to another.
        objects[uid] = raw(value)
        writeObjects()
        return current
    }

    private mutating func appended(_ index: Int) -> Int {
        objects.append(index)
        writeObjects()
        return table.add(uid: UInt64(objects.count - 1))
    }

    private mutating func writeObjects() { table.replace(objectsIndex, by: .array(objects)) }

    private mutating func raw(_ value: NewValue) -> Int {
        switch value {
        case .string(let text): table.add(string: text)
        case .data(let bytes): table.add(data: bytes)
        case .placed(let count): table.add(.placed(count: count))
        case .integer(let number): table.add(integer: number)
        case .none: table.add(uid: 0)
        }
    }

    /// How many places hold this UID.
    private func users(of uid: Int) -> Int {
        var users = 0
        for object in table.objects {
            switch object {
            case .array(let items), .set(let items): users += items.reduce(0) { $0 + (self.uid(at: $1) == uid ? 1 : 0) }
            case .dictionary(_, let values): users += values.reduce(0) { $0 + (self.uid(at: $1) == uid ? 1 : 0) }
            default: break
            }
        }
        return users
    }

    private func uid(at index: Int) -> Int? {
        guard case .bytes(let bytes) = table.objects[index], let marker = bytes.first, marker >> 4 == 8, bytes.count <= 9 else { return nil }
        return Int(exactly: bytes.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// An ASCII string: keys are.
    private func string(at index: Int) -> String? {
        guard case .bytes(let bytes) = table.objects[index], let marker = bytes.first, marker >> 4 == 5 else { return nil }
        var start = 1
        if marker & 0x0F == 0x0F {
            guard bytes.count > 2, bytes[1] >> 4 == 1 else { return nil }
            start = 2 + (1 << Int(bytes[1] & 0x0F & 7))
        }
        return start <= bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : nil
    }
}
