/// A link as a browser's file lists it: what it is called, where it leads, and in which folders it is.
public struct ListedLink: Hashable, Sendable {
    /// From the outermost on.
    public var folders: [String]
    public var name: String
    public var url: String
    /// Seconds since 1970.
    public var added: Int64?
    public var changed: Int64?
    public var tags: [String]
    public var note: String?
    /// A small picture as a `data:` address.
    public var icon: String?
    /// Its note was longer than what is kept of one, or its icon.
    public private(set) var isCut = false

    public init(
        folders: [String] = [], name: String, url: String, added: Int64? = nil, changed: Int64? = nil, tags: [String] = [], note: String? = nil, icon: String? = nil
    ) {
        (self.folders, self.name, self.url, self.added, self.changed) = (folders, name, url, added, changed)
        (self.tags, self.note, self.icon) = (tags, note, icon)
    }

    /// Longest address that is kept, in bytes, and the longest of what is said beside it.
    public static let longestAddress = 1 << 18, longestNote = 1 << 14, longestIcon = 1 << 15

    /// As a program makes an address of what is written between quotation marks: without spaces around it, and without ends of lines in it.
    public static func address(_ text: String) -> String {
        var bytes = text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The name without spaces around it, and on one line; the address where there is none.
    public static func name(_ text: String, for url: String) -> String {
        let words = text.unicodeScalars.split { $0.value <= 0x20 || $0.value == 0x7F }
        return words.isEmpty ? String(url.prefix(120)) : words.map { String($0) }.joined(separator: " ")
    }
}

/// What a file lists, one after another.
public enum ListedItem: Hashable, Sendable {
    case link(ListedLink)
    /// Something that is no link, or that cannot be read: where it stands (“line 12”), and why.
    case fault(place: String, reason: String)
    /// A search of a browser's own among the links, which nothing else understands.
    case search
    /// What is no fault and no link either: a line between others.
    case other
}

/// Takes what is listed; false where nobody wants more of it.
public typealias ListedItemTaker = (ListedItem) -> Bool

extension ListedLink {
    /// The link itself, or why it is none that could be kept.
    public func checked(at place: String) -> ListedItem {
        var link = self
        link.url = Self.address(url)
        link.name = Self.name(name, for: link.url)
        guard !link.url.isEmpty else { return .fault(place: place, reason: "“\(link.name.prefix(80))” has no address") }
        guard link.url.utf8.count <= Self.longestAddress else {
            return .fault(place: place, reason: "the address of “\(link.name.prefix(80))” is \(link.url.utf8.count) bytes long, more than \(Self.longestAddress)")
        }
        // Firefox's own searches.
        if link.url.hasPrefix("place:") { return .search }
        if link.name.utf8.count > Self.longestNote { link.name = String(link.name.prefix(Self.longestNote / 4)) }
        if let note = link.note {
            link.isCut = note.utf8.count > Self.longestNote
            link.note = note.isEmpty ? nil : link.isCut ? String(note.prefix(Self.longestNote / 4)) : note
        }
        if let icon = link.icon, icon.utf8.count > Self.longestIcon || !icon.hasPrefix("data:image/") {
            link.isCut = link.isCut || icon.utf8.count > Self.longestIcon
            link.icon = nil
        }
        return .link(link)
    }
}
