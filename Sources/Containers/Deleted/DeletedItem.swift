import Documents
import LinuxFiles
import Transactions

/// Something that was deleted and is kept: what it was, where it was, and when it was deleted.
public struct DeletedItem: Hashable, Sendable {
    /// By which it is called as long as it is kept.
    public let number: UInt64
    public let when: Timestamp
    /// When the first of those was deleted that were deleted with it, one after another.
    public let removal: Timestamp
    /// The kind of the document; nil for a plain file. A folder that is one item has the kind `folder`.
    public let kind: KindID?
    /// The folder's stored names, from the documents on, and its own.
    public let path: [Name]
    public let stored: Name
    public let shown: Name
    /// The number under which it waits in staging, in case its name comes back; 0 of what is among the deleted.
    package internal(set) var away: UInt64

    /// Whether it is a folder that is one item, with all that was in it.
    public var isFolder: Bool { kind == .folder }
    /// The kind that says how its item is called; nil for what is called as it is shown.
    public var namingKind: KindID? { isFolder ? nil : kind }
    /// Whether it waits in case its name comes back.
    public var isAwayStill: Bool { away != 0 }
    /// Whether the item that waits is this one.
    public func isSame(as item: AwayItem) -> Bool { away == item.number }

    /// Its content, and the versions that went with it, in the folder of deleted items.
    var entry: Name { Self.entry(number) }
    var versionsEntry: Name { Self.entry(number, ".versions") }
    var place: Place { Place(top: .deleted, path: [], name: entry) }
    var versionsPlace: Place { Place(top: .deleted, path: [], name: versionsEntry) }
    var former: Place { .item(stored, in: path) }

    private static func entry(_ number: UInt64, _ what: StaticString = "") -> Name { Name("\(number)\(what)") ?? Container.deletedName }
}

/// A folder in which something was deleted: so is it made again where it went, too.
public struct DeletedFolder: Hashable, Sendable {
    public let mode: UInt32
    public let owner: UInt32
    public let group: UInt32

    init(mode: UInt32, owner: UInt32, group: UInt32) { (self.mode, self.owner, self.group) = (mode & 0o7777, owner, group) }
    init(_ status: FileStatus) { self.init(mode: status.permissions, owner: status.owner, group: status.group) }
}

/// A deleted document whose kind this program does not know, because it is older, or was not told of that kind. Nobody sees it here and it
/// cannot come back; its record and its file stay for a program that knows it, as long as any other item is kept.
///
/// So it is, too, with what goes out of a folder that is one item and would be gone for good in any other: links, further names of files, folders. It is
/// there for the deleted item that the folder becomes when all of it goes (`FolderItemKeeping.swift`).
struct UnknownDeletion: Hashable, Sendable {
    /// What is known of it. Its kind is not.
    var item: DeletedItem
    /// Its record, word for word.
    let line: [UInt8]

    init(item: DeletedItem, line: [UInt8]) { (self.item, self.line) = (item, line) }

    /// Something that goes out of a folder that is one item.
    init(part item: DeletedItem) { self.init(item: item, line: Array(DeletedItem.Record.line(of: item, as: Self.part).utf8)) }

    private static let part = "part"
    /// Whether it is that.
    var isPart: Bool {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
        return words.count > 5 && words[4].elementsEqual(Self.part.utf8)
    }
}

// As they are written down, a line each:
//   kept 12 1732490000.123456789 1732489990.5 text 34 d/Holiday/Notes.stedoc Notes.txt
//   folder 755 1000 1000 d/Holiday
//   kept 13 1732490000.123456789 1732489990.5 part 0 d/Novel.scriv/link link
//   gone 12
//   next 13
extension DeletedItem {
    enum Record: Hashable {
        case kept(DeletedItem)
        /// A document of a kind that this program does not know.
        case unknown(UnknownDeletion)
        case folder([Name], DeletedFolder)
        case gone(UInt64)
        /// The number that the next one gets, at least.
        case next(UInt64)
    }
}

extension DeletedItem.Record {
    private static let plain = "plain"

    var line: String {
        switch self {
        case .unknown(let unknown): return String(decoding: unknown.line, as: UTF8.self)
        case .kept(let item): return Self.line(of: item, as: item.kind?.name ?? Self.plain)
        case .folder(let path, let folder):
            guard let name = path.last else { return "" }
            let place = Place.item(name, in: path.dropLast()).text
            return "folder \(String(folder.mode, radix: 8)) \(folder.owner) \(folder.group) \(place)"
        case .gone(let number): return "gone \(number)"
        case .next(let number): return "next \(number)"
        }
    }

    fileprivate static func line(of item: DeletedItem, as kind: String) -> String {
        let words = [
            "kept", "\(item.number)", item.when.recorded, item.removal.recorded, kind, "\(item.away)", item.former.text, Place.escaped(item.shown),
        ]
        return words.joined(separator: " ")
    }

    /// nil of what a newer Valise may understand.
    init?(line: ArraySlice<UInt8>, _ kinds: KindRegistry) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        func text(_ index: Int) -> String { String(decoding: words[index], as: UTF8.self) }
        switch (words.count, words.first.map { String(decoding: $0, as: UTF8.self) }) {
        case (8..., "kept"):
            guard let number = Self.number(words[1]), let when = Timestamp(recorded: text(2)), let removal = Timestamp(recorded: text(3)),
                let away = Self.number(words[5]), let place = Place(text: words[6]), place.top == .documents, let shown = Place.unescaped(words[7])
            else { return nil }
            let kind = kinds.recorded(text(4))
            let item = DeletedItem(
                number: number, when: when, removal: removal, kind: kind, path: place.path, stored: place.name, shown: shown, away: away)
            let isKnown = words.count == 8 && (kind != nil || text(4) == Self.plain)
            self = isKnown ? .kept(item) : .unknown(UnknownDeletion(item: item, line: Array(line)))
        case (5, "folder"):
            guard let mode = UInt32(text(1), radix: 8), let owner = UInt32(text(2)), let group = UInt32(text(3)), let place = Place(text: words[4]),
                place.top == .documents
            else { return nil }
            self = .folder(place.path + [place.name], DeletedFolder(mode: mode, owner: owner, group: group))
        case (2, "gone"):
            guard let number = Self.number(words[1]) else { return nil }
            self = .gone(number)
        case (2, "next"):
            guard let number = Self.number(words[1]) else { return nil }
            self = .next(number)
        default: return nil
        }
    }

    /// The number of a deleted item in a record that is not understood, which no other one may get.
    static func number(of line: ArraySlice<UInt8>) -> UInt64? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        return words.count > 1 && words[0].elementsEqual("kept".utf8) ? number(words[1]) : nil
    }

    private static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
        guard let number = UInt64(String(decoding: word, as: UTF8.self)), number <= Journal.highestNumber else { return nil }
        return number
    }
}

extension Timestamp {
    fileprivate var recorded: String { "\(seconds).\(nanoseconds)" }

    fileprivate init?(recorded text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let moment = Timestamp(seconds: parts[0], nanoseconds: parts[1]),
            moment.seconds.magnitude < 1 << 48
        else { return nil }
        self = moment
    }
}
