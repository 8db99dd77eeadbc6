import PropertyLists

/// What a key-value store holds, in memory. Each key has a time of its own, so that two that were apart can be joined: of two
/// values the later one is right, and a key that was removed has a time as well.
public struct KeyValueContents: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// nil where the key was removed.
        public let value: PropertyList?
        /// Microseconds since 1970. Never earlier than what the key had before, whatever the clock says.
        public let time: Int64
        /// Decides between two of one time; made up when it was set.
        public let id: UInt128

        public init(value: PropertyList?, time: Int64, id: UInt128) {
            self.value = value
            self.time = time
            self.id = id
        }

        func isLater(than other: Entry) -> Bool { (time, id) > (other.time, other.id) }
    }

    public private(set) var entries: [String: Entry] = [:]
    /// How many keys have a value, and what all of them count for: counted along, for each that is set is judged by it.
    private var count = 0
    public private(set) var size = 0

    public init() {}

    public subscript(key: String) -> PropertyList? { entries[key]?.value }

    public var keys: [String] { entries.filter { $0.value.value != nil }.keys.sorted() }
    public var latest: Int64? { entries.values.map(\.time).max() }

    // MARK: Limits

    public static let mostKeys = 1_024
    public static let mostBytes = 1 << 20
    public static let longestKey = 64
    /// Arrays and dictionaries in each other, those of the file not counted.
    public static let deepest = 12
    /// Removed keys are remembered up to this number: the latest.
    static let mostRemoved = 4_096

    /// What a value counts for: text and data their bytes, all else eight, collections what is in them, with their keys.
    public static func size(_ value: PropertyList) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array(let values), .set(let values): values.reduce(8) { $0 + size($1) }
        case .dictionary(let members): members.reduce(8) { $0 + $1.key.utf8.count + size($1.value) }
        default: 8
        }
    }

    var isWithinLimits: Bool { count <= Self.mostKeys && size <= Self.mostBytes }

    private static func isStorable(_ value: PropertyList, depth: Int = 1) -> Bool {
        guard depth <= deepest else { return false }
        switch value {
        case .null, .uid, .set: return false
        case .array(let values): return values.allSatisfy { isStorable($0, depth: depth + 1) }
        case .dictionary(let members): return members.allSatisfy { isStorable($0.value, depth: depth + 1) }
        default: return true
        }
    }

    // MARK: Changing

    /// Sets a key. What does not fit changes nothing.
    public mutating func set(_ key: String, to value: PropertyList, at now: Int64, id: UInt128 = .random(in: .min ... .max)) throws(KeyValueFault) {
        guard (1...Self.longestKey).contains(key.utf8.count) else { throw .key(key) }
        guard Self.isStorable(value) else { throw .value(key) }
        let old = entries[key]?.value
        if old == nil, count >= Self.mostKeys { throw .keys }
        let size = size - (old.map(Self.size) ?? 0) + Self.size(value)
        guard size <= Self.mostBytes else { throw .bytes(size) }
        put(Entry(value: value, time: time(of: key, now), id: id), under: key)
    }

    /// Removes a key. False where it is not there.
    @discardableResult
    public mutating func remove(_ key: String, at now: Int64, id: UInt128 = .random(in: .min ... .max)) -> Bool {
        guard entries[key]?.value != nil else { return false }
        put(Entry(value: nil, time: time(of: key, now), id: id), under: key)
        return true
    }

    private func time(of key: String, _ now: Int64) -> Int64 {
        guard let last = entries[key]?.time else { return now }
        return max(now, last == .max ? last : last + 1)
    }

    /// Takes over what is later there. Answers the keys that changed.
    @discardableResult
    public mutating func join(_ other: KeyValueContents) -> [String] {
        var changed: [String] = []
        for (key, entry) in other.entries {
            if let own = entries[key], !entry.isLater(than: own) { continue }
            if entries[key]?.value != entry.value { changed.append(key) }
            put(entry, under: key)
        }
        return changed.sorted()
    }

    /// The keys whose values differ.
    public func keysThatDiffer(from other: KeyValueContents) -> [String] {
        Set(entries.keys).union(other.entries.keys).filter { self[$0] != other[$0] }.sorted()
    }

    /// All that changes goes through here. nil forgets the key.
    mutating func put(_ entry: Entry?, under key: String) {
        let old = entries.removeValue(forKey: key)
        entries[key] = entry
        for (value, sign) in [(old?.value, -1), (entry?.value, 1)] {
            guard let value else { continue }
            count += sign
            size &+= sign &* Self.size(value)
        }
    }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(min(count, Self.mostKeys)) }

    mutating func forgetOldRemovals() {
        let removed = entries.filter { $0.value.value == nil }
        guard removed.count > Self.mostRemoved else { return }
        for (key, _) in removed.sorted(by: { $1.value.isLater(than: $0.value) }).prefix(removed.count - Self.mostRemoved) { put(nil, under: key) }
    }
}

/// Why something cannot be set.
public enum KeyValueFault: Error, Hashable, Sendable {
    case key(String)
    case value(String)
    case keys
    case bytes(Int)

    public var sentence: String {
        switch self {
        case .key(let key): "a key has 1 to \(KeyValueContents.longestKey) bytes of UTF-8, and “\(key)” has \(key.utf8.count)"
        case .value(let key): "“\(key)” can be a text, a number, a date, data, or arrays and dictionaries of these, at most \(KeyValueContents.deepest) in each other"
        case .keys: "there are \(KeyValueContents.mostKeys) keys already: delete one first"
        case .bytes(let size): "all values together would have \(size) bytes, more than \(KeyValueContents.mostBytes)"
        }
    }
}
