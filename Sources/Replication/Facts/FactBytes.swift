import Hashes

// A fact as it lies in a file of a share, in a database and on a server (docs/FORMATS.md). One fact has one form, so bytes are equal where facts are.
// Numbers are little-endian; marks are in the order in which they are compared.

/// What a fact may have at most: more than a container holds. What is beyond is said by nobody, and read as no fact.
public enum FactLimits {
    public static let key = 80, brief = Int(UInt16.max), body = 4 << 20, parents = 4000, contents = Int(UInt16.max), parts = Int(UInt16.max), name = 4096
}

private enum Letter {
    static let version = UInt8(ascii: "v"), place = UInt8(ascii: "p"), same = UInt8(ascii: "s"), key = UInt8(ascii: "k"), name = UInt8(ascii: "d")
    static let kind = UInt8(ascii: "t")
}

extension Fact {
    /// Nil where something of it is more than `FactLimits` lets.
    public var bytes: [UInt8]? {
        var key = FactWriter(), brief = FactWriter(), body = FactWriter(), contents: [Digest] = []
        let letter: UInt8
        switch statement {
        case .version(let version):
            letter = Letter.version
            key.add(version.item.mark)
            brief.add(UInt8(version.digest == nil ? 1 : 0))
            if let digest = version.digest { brief.add(digest.bytes) }
            guard version.parents.count <= FactLimits.parents else { return nil }
            for parent in version.parents { brief.add(parent.mark) }
            if let said = version.body {
                guard body.add(said) else { return nil }
                contents = version.contents
            }
        case .place(let place):
            letter = Letter.place
            key.add(place.item.mark)
            guard Self.isName(place.name.wished) else { return nil }
            brief.add((place.folder == nil ? 0 : 1) | (place.former == nil ? 0 : 2))
            brief.add(place.kind.rawValue)
            brief.add(place.mode)
            brief.add(place.name.number)
            if let folder = place.folder { brief.add(folder.mark) }
            if let former = place.former { brief.add(former.mark) }
            brief.add(place.name.wished)
        case .same(let one, let other):
            letter = Letter.same
            key.add(one.mark)
            brief.add(other.mark)
        case .key(let said):
            letter = Letter.key
            key.add(said.key)
            brief.add(UInt8(said.value == nil ? 1 : 0))
            if let value = said.value { body.add(value) }
        case .kind(let kind):
            letter = Letter.kind
            guard !kind.ending.isEmpty, kind.words.count <= AddedKind.longestWords else { return nil }
            key.add(kind.ending)
            body.add(kind.words)
        case .name(let name):
            letter = Letter.name
            guard name.count <= FactLimits.name else { return nil }
            key.add(device.mark)
            brief.add(name)
        }
        guard key.bytes.count <= FactLimits.key, brief.bytes.count <= FactLimits.brief, body.bytes.count <= FactLimits.body, contents.count <= FactLimits.contents
        else { return nil }
        var whole = FactWriter()
        whole.add(letter)
        whole.add(id.mark)
        whole.add(UInt8(key.bytes.count))
        whole.add(key.bytes)
        whole.add(UInt64(bitPattern: rank))
        whole.add(device.mark)
        whole.add(UInt16(brief.bytes.count))
        whole.add(brief.bytes)
        whole.add(UInt32(body.bytes.count))
        whole.add(body.bytes)
        whole.add(UInt16(contents.count))
        for content in contents { whole.add(content.bytes) }
        return whole.bytes
    }

    /// The next fact of a reader's; nil where there is none, and then nothing after it can be understood.
    public init?(from reader: inout FactReader) {
        guard let letter = reader.byte(), let id = reader.mark(), let keyCount = reader.byte(), Int(keyCount) <= FactLimits.key, var key = reader.part(Int(keyCount)),
            let rank = reader.number(UInt64.self), let device = reader.mark(),
            let briefCount = reader.number(UInt16.self), Int(briefCount) <= FactLimits.brief, var brief = reader.part(Int(briefCount)),
            let bodyCount = reader.number(UInt32.self), bodyCount <= FactLimits.body, var body = reader.part(Int(bodyCount)),
            let count = reader.number(UInt16.self), let contentBytes = reader.part(Int(count) * Digest.count)
        else { return nil }
        var contents = FactContents(contentBytes)
        let statement: Statement?
        switch letter {
        case Letter.version: statement = Version(key: &key, brief: &brief, body: &body, contents: &contents).map(Statement.version)
        case Letter.place: statement = Location(key: &key, brief: &brief).map(Statement.place)
        case Letter.same:
            guard let one = key.mark(), let other = brief.mark(), one < other else { return nil }
            statement = .same(ItemID(one), ItemID(other))
        case Letter.key:
            guard let gone = brief.byte(), gone <= 1 else { return nil }
            statement = .key(Key(key.rest(), value: gone == 1 ? nil : body.rest()))
        case Letter.kind:
            let ending = key.rest(), words = body.rest()
            guard !ending.isEmpty, words.count <= AddedKind.longestWords else { return nil }
            statement = .kind(AddedKind(ending: ending, words: words))
        case Letter.name:
            let name = brief.rest()
            guard key.mark() == device, name.count <= FactLimits.name else { return nil }
            statement = .name(name)
        default: statement = nil
        }
        guard let statement, key.isAtEnd, brief.isAtEnd, body.isAtEnd, contents.isAtEnd else { return nil }
        self.init(id: FactID(id), rank: Int64(bitPattern: rank), device: DeviceID(device), statement)
    }

    public init?(_ bytes: [UInt8]) {
        var reader = FactReader(bytes)
        self.init(from: &reader)
        guard reader.isAtEnd else { return nil }
    }

    /// What a file can be called: anything else leads out of its folder, or nowhere.
    static func isName(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= ItemName.longest && !name.contains(0) && !name.contains(UInt8(ascii: "/")) && name != Array(".".utf8) && name != Array("..".utf8)
    }
}

extension Version {
    fileprivate init?(key: inout FactReader, brief: inout FactReader, body: inout FactReader, contents: inout FactContents) {
        guard let item = key.mark(), let gone = brief.byte(), gone <= 1 else { return nil }
        var digest: Digest?
        if gone == 0 {
            guard let said = brief.digest() else { return nil }
            digest = said
        }
        var parents: [FactID] = []
        while !brief.isAtEnd {
            guard parents.count < FactLimits.parents, let mark = brief.mark() else { return nil }
            let parent = FactID(mark)
            if let last = parents.last, !(last < parent) { return nil }
            parents.append(parent)
        }
        var said: Body?
        if !body.isAtEnd {
            guard let read = Body(from: &body, contents: &contents) else { return nil }
            said = read
        }
        self.init(of: ItemID(item), digest: digest, parents: parents, body: said)
    }
}

extension Version.Body {
    fileprivate init?(from reader: inout FactReader, contents: inout FactContents) {
        guard let size = reader.number(UInt64.self), let time = reader.number(UInt64.self), let computerCount = reader.byte(), let computer = reader.bytes(Int(computerCount)),
            let count = reader.number(UInt16.self), Int(count) <= FactLimits.parts
        else { return nil }
        var parts: [Version.Part] = []
        for _ in 0..<count {
            guard let pathCount = reader.number(UInt16.self), let path = reader.bytes(Int(pathCount)), let letter = reader.byte(), let content = Self.content(letter, &reader, &contents)
            else { return nil }
            parts.append(Version.Part(path: path, content))
        }
        guard Self.isPackage(parts) else { return nil }
        self.init(size: size, time: Int64(bitPattern: time), computer: computer, parts: parts)
    }
}

extension Version.Body {
    private static func content(_ letter: UInt8, _ reader: inout FactReader, _ contents: inout FactContents) -> Version.Part.Content? {
        switch letter {
        case 0: reader.number(UInt32.self).flatMap { reader.bytes(Int($0)) }.map { .here($0) }
        case 1: reader.number(UInt16.self).flatMap { contents.next(Int($0)) }.map { .elsewhere($0) }
        case 2: .folder
        case 3: reader.number(UInt16.self).flatMap { reader.bytes(Int($0)) }.map { .link($0) }
        default: nil
        }
    }

    private static let mostFolders = 64, longestTarget = 4095

    /// Whether they can be laid out as a folder: each path is there once and leads nowhere else, and what something lies in is a folder. A folder with
    /// something in it need not be said. A single file has no path.
    fileprivate static func isPackage(_ parts: [Version.Part]) -> Bool {
        if parts.count == 1, let only = parts.first, only.path.isEmpty { return only.content != .folder }
        let slash = UInt8(ascii: "/")
        var others: Set<ArraySlice<UInt8>> = []
        for (index, part) in parts.enumerated() {
            if index > 0, !parts[index - 1].path.lexicographicallyPrecedes(part.path) { return false }
            let names = part.path.split(separator: slash, omittingEmptySubsequences: false)
            guard names.count <= mostFolders, names.allSatisfy({ Fact.isName(Array($0)) }) else { return false }
            for (place, byte) in part.path.enumerated() where byte == slash { if others.contains(part.path[..<place]) { return false } }
            if case .link(let target) = part.content, target.isEmpty || target.count > longestTarget || target.contains(0) { return false }
            if part.content != .folder { others.insert(part.path[...]) }
        }
        return true
    }
}

extension Location {
    fileprivate init?(key: inout FactReader, brief: inout FactReader) {
        guard let item = key.mark(), let flags = brief.byte(), flags <= 3, let kindByte = brief.byte(), let kind = Kind(rawValue: kindByte),
            let mode = brief.number(UInt16.self), let number = brief.number(UInt32.self)
        else { return nil }
        var folder: ItemID?, former: ItemID?
        if flags & 1 != 0 {
            guard let mark = brief.mark() else { return nil }
            folder = ItemID(mark)
        }
        if flags & 2 != 0 {
            guard let mark = brief.mark() else { return nil }
            former = ItemID(mark)
        }
        let name = brief.rest()
        guard Fact.isName(name) else { return nil }
        self.init(of: ItemID(item), folder: folder, name: ItemName(name, number: number), kind: kind, mode: mode, former: former)
    }
}

/// The digests behind a fact, which its parts take in their order.
private struct FactContents {
    private var reader: FactReader
    init(_ reader: FactReader) { self.reader = reader }
    var isAtEnd: Bool { reader.isAtEnd }

    mutating func next(_ count: Int) -> [Digest]? {
        var digests: [Digest] = []
        for _ in 0..<count {
            guard let digest = reader.digest() else { return nil }
            digests.append(digest)
        }
        return digests
    }
}

package struct FactWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ byte: UInt8) { bytes.append(byte) }
    package mutating func add(_ more: [UInt8]) { bytes += more }
    package mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    package mutating func add(_ mark: Mark) {
        add(mark.high.byteSwapped)
        add(mark.low.byteSwapped)
    }

    /// False where there are more parts, or longer names, than a fact can have.
    mutating func add(_ body: Version.Body) -> Bool {
        guard body.computer.count <= 255, body.parts.count <= FactLimits.parts, Version.Body.isPackage(body.parts) else { return false }
        add(body.size)
        add(UInt64(bitPattern: body.time))
        add(UInt8(body.computer.count))
        add(body.computer)
        add(UInt16(body.parts.count))
        for part in body.parts {
            guard part.path.count <= UInt16.max else { return false }
            add(UInt16(part.path.count))
            add(part.path)
            switch part.content {
            case .here(let content):
                guard content.count <= FactLimits.body else { return false }
                add(UInt8(0))
                add(UInt32(content.count))
                add(content)
            case .elsewhere(let digests):
                guard digests.count <= FactLimits.contents else { return false }
                add(UInt8(1))
                add(UInt16(digests.count))
            case .folder: add(UInt8(2))
            case .link(let target):
                add(UInt8(3))
                add(UInt16(target.count))
                add(target)
            }
        }
        return true
    }
}

/// Bytes that somebody else wrote, taken from the front. What is asked for and is not there is nil.
public struct FactReader {
    private let all: [UInt8]
    private var next: Int
    private let end: Int

    public init(_ bytes: [UInt8]) { (all, next, end) = (bytes, 0, bytes.count) }
    private init(_ bytes: [UInt8], _ range: Range<Int>) { (all, next, end) = (bytes, range.lowerBound, range.upperBound) }

    public var isAtEnd: Bool { next == end }

    public mutating func byte() -> UInt8? {
        guard next < end else { return nil }
        next += 1
        return all[next - 1]
    }

    public mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        let count = Number.bitWidth / 8
        guard end - next >= count else { return nil }
        var number: Number = 0
        for index in 0..<count { number |= Number(all[next + index]) << Number(index * 8) }
        next += count
        return number
    }

    public mutating func mark() -> Mark? {
        guard end - next >= Mark.count, let high = number(UInt64.self), let low = number(UInt64.self) else { return nil }
        return Mark(high: high.byteSwapped, low: low.byteSwapped)
    }

    public mutating func digest() -> Digest? {
        guard end - next >= Digest.count else { return nil }
        next += Digest.count
        return Digest(all[(next - Digest.count)..<next])
    }

    public mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, end - next >= count else { return nil }
        next += count
        return Array(all[(next - count)..<next])
    }

    /// The same of fewer bytes.
    mutating func part(_ count: Int) -> FactReader? {
        guard count >= 0, end - next >= count else { return nil }
        next += count
        return FactReader(all, (next - count)..<next)
    }

    mutating func rest() -> [UInt8] {
        defer { next = end }
        return Array(all[next..<end])
    }
}
