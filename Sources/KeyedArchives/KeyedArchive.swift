import PropertyLists

/// A keyed archive, looked into where it lies (FORMATS 2).
///
/// One in the XML form is taken into memory in the binary form: then ranges are ranges of that, and not of the file.
///
/// Nothing is decoded as a graph: an object is found by its number in `$objects`, a field by its key.
/// Each question follows a fixed number of references, so that an archive whose references run
/// in circles, which is valid, costs no more than any other.
public struct KeyedArchive {
    public let list: BinaryPropertyList
    /// It was XML.
    public let isConverted: Bool
    let topKeys: References
    let topValues: References
    let objects: References

    private static let longestClassName: Int64 = 1024

    /// An object of the archive that has fields.
    public struct Object {
        /// Its number in `$objects`.
        public let uid: Int
        let keys: References
        let values: References
    }

    public init(_ source: any ByteSource, limits: PropertyListLimits = .standard) throws(PropertyListFault) {
        var list: BinaryPropertyList
        do throws(PropertyListFault) {
            list = try BinaryPropertyList(source, limits: limits.lookingUp)
            isConverted = false
        } catch {
            guard case .foreign = error, let bytes = try PropertyList.binary(ofXML: source, limits: limits) else { throw error }
            list = try BinaryPropertyList(Bytes(bytes), limits: limits.lookingUp)
            isConverted = true
        }
        guard case .dictionary(let keys, let values) = try list.object(at: list.top) else {
            throw .foreign("It is a property list and no archive.")
        }
        guard let archiver = try list.member("$archiver", keys: keys, values: values),
              case .string = try list.object(at: archiver),
              let top = try list.member("$top", keys: keys, values: values),
              let objects = try list.member("$objects", keys: keys, values: values) else {
            throw .foreign("It is a property list and no archive.")
        }
        guard case .dictionary(let topKeys, let topValues) = try list.object(at: top) else {
            throw .damaged("The archive's $top is no dictionary.")
        }
        guard case .array(let row) = try list.object(at: objects), row.count >= 1 else {
            throw .damaged("The archive has no objects.")
        }
        self.list = list
        self.topKeys = topKeys
        self.topValues = topValues
        self.objects = row
    }

    /// The object that was archived under a key; nil when there is none, or nothing was archived under it.
    public func root(_ key: String) throws(PropertyListFault) -> Object? {
        guard let value = try list.member(Self.escaped(key), keys: topKeys, values: topValues),
              case .uid(let uid) = try list.object(at: value) else { return nil }
        return try object(uid)
    }

    /// The object with this number; nil for number 0, which is nil, and for one without fields.
    public func object(_ uid: UInt64) throws(PropertyListFault) -> Object? {
        guard uid != 0 else { return nil }
        guard case .dictionary(let keys, let values) = try list.object(at: try slot(uid)) else { return nil }
        return Object(uid: Int(uid), keys: keys, values: values)
    }

    /// The name of an object's class; nil when the archive does not tell.
    public func className(of object: Object) throws(PropertyListFault) -> String? {
        guard let value = try list.member("$class", keys: object.keys, values: object.values),
              case .uid(let uid) = try list.object(at: value), let description = try self.object(uid),
              let name = try list.member("$classname", keys: description.keys, values: description.values) else { return nil }
        guard case .string(let text) = try list.object(at: name), text.range.length <= Self.longestClassName else { return nil }
        return try list.text(text)
    }

    /// What a field holds, the reference followed.
    public enum Field: Hashable, Sendable {
        case absent
        case none
        /// An object that was encoded inline, or the one that the field refers to.
        case value(BinaryObject)
    }

    public func field(_ key: String, of object: Object) throws(PropertyListFault) -> Field {
        guard let index = try list.member(Self.escaped(key), keys: object.keys, values: object.values) else { return .absent }
        return try followed(index)
    }

    private func followed(_ index: Int) throws(PropertyListFault) -> Field {
        let value = try list.object(at: index)
        guard case .uid(let uid) = value else { return .value(value) }
        return uid == 0 ? .none : .value(try list.object(at: try slot(uid)))
    }

    /// Several fields in one pass over the object's keys: for many small archives, of which most fields are wanted. Keys are none of the archiver's own.
    public func fields(_ keys: [String], of object: Object) throws(PropertyListFault) -> [Field] {
        guard object.keys.count <= list.limits.memberCount else {
            throw .excessive("An object has \(object.keys.count) fields, more than \(list.limits.memberCount).")
        }
        var fields = [Field](repeating: .absent, count: keys.count)
        for position in 0..<object.keys.count {
            let key = try list.reference(position, of: object.keys)
            guard let index = try list.firstMatch(key, among: keys), case .absent = fields[index] else { continue }
            fields[index] = try followed(try list.reference(position, of: object.values))
        }
        return fields
    }

    /// The string of a field, in either form; nil when it holds none. One of more than `longest` bytes is not read.
    public func text(_ key: String, of object: Object, longest: Int64 = .max) throws(PropertyListFault) -> String? {
        try text(in: try field(key, of: object), key, longest: longest)
    }

    public func text(in field: Field, _ key: String, longest: Int64 = .max) throws(PropertyListFault) -> String? {
        switch try payload(field, "NS.string") {
        case nil: return nil
        case .string(let text) where text.range.length > longest: throw .excessive("\(key) is longer than \(longest) bytes.")
        case .string(let text): return try list.text(text)
        default: throw .damaged("\(key) is no text.")
        }
    }

    /// Where the data of a field lies, in either form; nil when it holds none.
    public func data(_ key: String, of object: Object) throws(PropertyListFault) -> ByteRange? { try data(in: try field(key, of: object), key) }

    public func data(in field: Field, _ key: String) throws(PropertyListFault) -> ByteRange? {
        switch try payload(field, "NS.data") {
        case nil: return nil
        case .data(let range): return range
        default: throw .damaged("\(key) is no data.")
        }
    }

    /// The bytes of a small range of data.
    public func bytes(_ range: ByteRange) throws(PropertyListFault) -> [UInt8] {
        guard range.length <= Int64(list.limits.memory) else { throw .excessive("Data is too long to be read at once.") }
        do throws(SourceFailure) {
            return try list.source.bytes(at: range.offset, count: Int(range.length))
        } catch { throw .unreadable(error) }
    }

    /// What an object of Foundation wraps: the mutable forms hold theirs under a key, and may do so by reference.
    private func payload(_ field: Field, _ wrapping: String) throws(PropertyListFault) -> BinaryObject? {
        guard case .value(let value) = field else { return nil }
        guard case .dictionary(let keys, let values) = value else { return value }
        guard let inner = try list.member(wrapping, keys: keys, values: values) else { return value }
        let wrapped = try list.object(at: inner)
        guard case .uid(let uid) = wrapped else { return wrapped }
        return uid == 0 ? nil : try list.object(at: try slot(uid))
    }

    private func slot(_ uid: UInt64) throws(PropertyListFault) -> Int {
        guard uid < UInt64(objects.count) else { throw .damaged("The archive refers to an object that it does not have.") }
        return try list.reference(Int(uid), of: objects)
    }

    /// How the archiver spells a key of a user: those that begin with "$" are its own.
    static func escaped(_ key: String) -> String {
        key.utf8.first == UInt8(ascii: "$") ? "$" + key : key
    }
}

/// The name of a class without the module it is in.
public func lastComponent(ofClass name: String) -> Substring {
    let bytes = name.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return name[...] }
    return name[bytes.index(after: dot)...]
}
