/// Which names a device's store can have, and which of them are one name to it.
public struct StoreNames: Hashable, Sendable {
    public enum Likeness: Hashable, Sendable {
        /// Names are bytes.
        case exact
        /// “é” is one letter or two, and the store answers the other form than it was given, perhaps.
        case composed
        /// And “Notes” is “notes”.
        case folded
    }

    public var likeness: Likeness
    /// Bytes that no name has there.
    public var forbidden: Set<UInt8>
    /// Whether it takes off dots and spaces at the end of a name.
    public var trims: Bool
    /// In bytes.
    public var longest: Int
    /// Names that it refused though nothing else was known against them.
    public var refused: Set<[UInt8]>

    public init(
        _ likeness: Likeness = .exact, forbidden: Set<UInt8> = [], trims: Bool = false, longest: Int = ItemName.longest, refused: Set<[UInt8]> = []
    ) {
        (self.likeness, self.forbidden, self.trims, self.longest, self.refused) = (likeness, forbidden, trims, longest, refused)
    }

    /// What Valise keeps beside the documents is called so.
    static let own = Array(".valise".utf8)

    /// Whether nothing can be called so in a folder, nil for the top.
    public func refuses(_ name: [UInt8], in folder: LocalID?) -> Bool {
        if name.count > longest || name.isEmpty || refused.contains(name) { return true }
        if trims, let last = name.last, Self.trimmed.contains(last) { return true }
        if !forbidden.isEmpty, name.contains(where: forbidden.contains) { return true }
        return folder == nil && key(name) == key(Self.own)
    }

    private static let trimmed: Set<UInt8> = [UInt8(ascii: "."), UInt8(ascii: " ")]

    /// Equal where two names are one.
    func key(_ name: [UInt8]) -> Key {
        if likeness == .exact { return .bytes(name) }
        guard let text = Self.text(name) else { return .bytes(name) }
        return .text(likeness == .folded ? text.lowercased() : text)
    }

    /// Equal where the one may be what the store answers for the other.
    func answered(_ name: [UInt8], _ rules: Rules) -> Key {
        if likeness == .exact || !rules.contains(.answersAreNames) { return .bytes(name) }
        return Self.text(name).map(Key.text) ?? .bytes(name)
    }

    private static func text(_ name: [UInt8]) -> String? {
        let text = String(decoding: name, as: UTF8.self)
        return text.utf8.elementsEqual(name) ? text : nil
    }

    /// Text is equal however its letters are composed.
    enum Key: Hashable, Sendable {
        case bytes([UInt8])
        case text(String)
    }

    /// The name that is nearest to this one and is not refused for what it is: without a number yet.
    func nearest(_ name: [UInt8], in folder: LocalID?) -> [UInt8] {
        var near = name.map { forbidden.contains($0) ? Self.low : $0 }
        if trims { near = Self.untrimmed(near) }
        near = shortened(near)
        // Why it is refused is not known: then with nothing in it that is ever refused.
        if refused.contains(name) || refused.contains(near) { near = Self.untrimmed(near.map { Self.plain.contains($0) ? $0 : Self.low }) }
        return near.isEmpty || refuses(near, in: folder) ? [Self.low] + near : near
    }

    private static let low = UInt8(ascii: "_")
    private static let plain = Set(Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ".utf8))

    private static func untrimmed(_ name: [UInt8]) -> [UInt8] {
        guard let last = name.last, trimmed.contains(last) else { return name }
        return name.dropLast() + [low]
    }

    /// With room for a number, and not in the middle of a letter. The extension stays.
    private func shortened(_ name: [UInt8]) -> [UInt8] {
        let most = longest - 12
        guard name.count > most else { return name }
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && name.count - $0 <= 32 ? $0 : nil } ?? name.count
        var end = most - (name.count - dot)
        while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end]) + name[dot...]
    }
}

/// What an item is called on this device, because its store cannot have the name that all see.
public struct LocalName: Hashable, Sendable {
    /// The folder and the name that all see.
    public let folder: ItemID?
    public let shown: [UInt8]
    /// And what it is called here.
    public let here: [UInt8]

    public init(folder: ItemID?, shown: [UInt8], here: [UInt8]) { (self.folder, self.shown, self.here) = (folder, shown, here) }
}
