import PropertyLists

/// A keyed archive, read: its top entries, and of an object the fields that somebody asks for.
///
/// Only what is asked for is decoded, and one step at a time, so that cycles and depth cost nothing.
public struct KeyedArchive {
    public let list: BinaryPropertyList
    let source: any ByteSource
    /// The plist objects of `$objects`, by UID.
    let objects: [Int]
    /// Where `$objects` itself is.
    let objectsIndex: Int
    public let top: [Entry]

    public struct Entry: Hashable, Sendable {
        public let key: String
        /// A plist object.
        public let value: Int
    }

    /// An archived object: its class and its fields.
    public struct Object {
        /// The whole name: "PhotoKeeper.PhotoData".
        public let className: String?
        public let uid: UInt64
        public let fields: [Entry]

        /// The part after the module: "PhotoData".
        public var shortClassName: String? { className.map { String($0.split(separator: ".").last ?? "") } }

        public func field(_ key: String) -> Int? { fields.first { $0.key == key }?.value }
    }

    /// What an object field holds.
    public enum Value: Hashable, Sendable {
        case none
        case string(String)
        case data(offset: Int64, count: Int64)
        case integer(Int64)
        case boolean(Bool)
        case real(Double)
        case other
    }

    private static let mostFields = 1024

    public init(_ source: any ByteSource) throws(PropertyListFault) {
        let list = try BinaryPropertyList(source)
        guard case .dictionary(let keys, let values) = try list.object(list.top), keys.count <= Self.mostFields else {
            throw .foreign("it is a property list and no keyed archive")
        }
        var objects: (index: Int, items: [Int])?
        var top: [Entry] = []
        var isArchive = false
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = try list.object(key) else { continue }
            switch name {
            case "$archiver": if case .string("NSKeyedArchiver") = try list.object(value) { isArchive = true }
            case "$objects": if case .array(let items) = try list.object(value) { objects = (value, items) }
            case "$top": top = try Self.entries(of: value, list)
            default: break
            }
        }
        guard isArchive, let objects else { throw .foreign("it is a property list and no keyed archive") }
        self.list = list
        self.source = source
        self.objects = objects.items
        objectsIndex = objects.index
        self.top = top
    }

    public func object(_ uid: UInt64) throws(PropertyListFault) -> Object? {
        guard let index = index(of: uid), case .dictionary = try list.object(index) else { return nil }
        let fields = try Self.entries(of: index, list)
        var className: String?
        if let entry = fields.first(where: { $0.key == "$class" }), case .uid(let uid) = try list.object(entry.value), let index = self.index(of: uid),
            case .dictionary = try list.object(index),
            let name = try Self.entries(of: index, list).first(where: { $0.key == "$classname" }), case .string(let text) = try list.object(name.value)
        {
            className = text
        }
        return Object(className: className, uid: uid, fields: fields)
    }

    /// The archived object under a top key.
    public func root(_ key: String) throws(PropertyListFault) -> Object? {
        guard let entry = top.first(where: { $0.key == key }), case .uid(let uid) = try list.object(entry.value) else { return nil }
        return try object(uid)
    }

    /// What a field holds: an inline value, or what its UID leads to, in the immutable or the mutable form.
    public func value(_ field: Int?) throws(PropertyListFault) -> Value {
        guard let field else { return .none }
        let element = try list.object(field)
        guard case .uid(let uid) = element else { return Self.simple(element) }
        guard uid != 0 else { return .none }
        guard let index = index(of: uid) else { throw .damaged("a UID leads nowhere") }
        let target = try list.object(index)
        guard case .dictionary = target else {
            if case .string("$null") = target { return .none }
            return Self.simple(target)
        }
        // The mutable forms: {NS.string} and {NS.data}.
        for entry in try Self.entries(of: index, list) where entry.key == "NS.string" || entry.key == "NS.data" {
            return Self.simple(try list.object(entry.value))
        }
        return .other
    }

    func index(of uid: UInt64) -> Int? {
        guard let place = Int(exactly: uid), objects.indices.contains(place) else { return nil }
        return objects[place]
    }

    private static func simple(_ element: Element) -> Value {
        switch element {
        case .string(let text): .string(text)
        case .data(let offset, let count): .data(offset: offset, count: count)
        case .integer(let number): .integer(number)
        case .boolean(let value): .boolean(value)
        case .real(let value): .real(value)
        default: .other
        }
    }

    static func entries(of index: Int, _ list: BinaryPropertyList) throws(PropertyListFault) -> [Entry] {
        guard case .dictionary(let keys, let values) = try list.object(index) else { return [] }
        guard keys.count <= mostFields else { throw .tooLarge("an object in it has \(keys.count) fields") }
        var entries: [Entry] = []
        for (key, value) in zip(keys, values) {
            if case .string(let name) = try list.object(key) { entries.append(Entry(key: name, value: value)) }
        }
        return entries
    }
}
