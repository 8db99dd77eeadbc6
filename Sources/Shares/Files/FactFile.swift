import Hashes
import LinuxFiles
import Replication

/// What a file of facts is called: a number that rises with each that its writer makes, for people to see which came later, and what it says.
public struct FactFileName: Hashable, Comparable, Sendable {
    public let number: UInt32
    /// The first half of its sum.
    public let sum: Mark

    public init(number: UInt32, sum: Mark) { (self.number, self.sum) = (number, sum) }

    private static let ending = Array(".facts".utf8)

    /// Nil where a file of this name is none.
    init?(_ name: Name) {
        guard name.bytes.count <= 64, name.bytes.suffix(Self.ending.count) == Self.ending[...] else { return nil }
        let parts = name.bytes.dropLast(Self.ending.count).split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 32, let number = UInt32(String(decoding: parts[0], as: UTF8.self)), let high = Hexadecimal.number(parts[1].prefix(16)),
            let low = Hexadecimal.number(parts[1].dropFirst(16))
        else { return nil }
        self.init(number: number, sum: Mark(high: high, low: low))
        // One file has one name.
        guard self.name == name else { return nil }
    }

    var name: Name? {
        let digits = String(number)
        return Name(Array((String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + "-").utf8) + Array(sum.description.utf8) + Self.ending)
    }

    public static func < (left: FactFileName, right: FactFileName) -> Bool { (left.number, left.sum) < (right.number, right.sum) }
}

/// Facts as they lie in a share (docs/FORMATS.md 9): never changed once it is there, and called after what it says.
enum FactFile {
    static let most = 5000, largest = 8 << 20
    private static let letters = Array("VLSF".utf8), version: UInt8 = 1
    private static let frame = letters.count + 1 + 4 + Digest.count

    struct Written {
        let name: FactFileName
        let bytes: [UInt8]
        let facts: [FactID]
    }

    /// In as many files as are needed, each with the places of what it speaks of, because another one may come later or never. What is more than a fact may
    /// be is in none, and is not said: no database has it either.
    static func files(of facts: [Fact], among known: Facts, after number: UInt32) -> [Written] {
        var files: [Written] = [], body = FactWriter(), count: UInt32 = 0, ids: [FactID] = [], inFile: Set<FactID> = [], places: Set<FactID> = []
        func close() {
            guard !ids.isEmpty else { return }
            var whole = FactWriter()
            whole.add(letters)
            whole.add(version)
            whole.add(count)
            whole.add(body.bytes)
            let sum = SHA256.digest(of: whole.bytes)
            whole.add(sum.bytes)
            files.append(Written(name: FactFileName(number: number &+ UInt32(truncatingIfNeeded: files.count) &+ 1, sum: half(sum)), bytes: whole.bytes, facts: ids))
            (body, count, ids, inFile) = (FactWriter(), 0, [], [])
        }
        func add(_ fact: FactID, _ bytes: [UInt8]) {
            if Int(count) == most || body.bytes.count + bytes.count + frame > largest { close() }
            count += 1
            body.add(bytes)
            ids.append(fact)
            inFile.insert(fact)
        }
        for fact in facts where !places.contains(fact.id) {
            guard let own = fact.bytes else { continue }
            let together = [(id: fact.id, bytes: own)] + known.withPlaces(fact).dropFirst().compactMap { place in place.bytes.map { (id: place.id, bytes: $0) } }
            if Int(count) + together.count > most || together.reduce(body.bytes.count + frame, { $0 + $1.bytes.count }) > largest { close() }
            add(fact.id, together[0].bytes)
            for place in together.dropFirst() where !inFile.contains(place.id) {
                add(place.id, place.bytes)
                places.insert(place.id)
            }
        }
        close()
        return files
    }

    /// Nil where it is not what its name says: another part of it is still to come, or it is nobody's.
    static func facts(in bytes: [UInt8], named name: FactFileName) -> [Fact]? {
        guard bytes.count >= frame, bytes.count <= largest, bytes.starts(with: letters), bytes[letters.count] == version else { return nil }
        let content = Array(bytes.dropLast(Digest.count)), sum = SHA256.digest(of: content)
        guard sum.bytes == Array(bytes.suffix(Digest.count)), half(sum) == name.sum else { return nil }
        var reader = FactReader(content)
        guard reader.bytes(letters.count + 1) != nil, let count = reader.number(UInt32.self), count <= most else { return nil }
        var facts: [Fact] = []
        for _ in 0..<count {
            guard let fact = Fact(from: &reader) else { return nil }
            facts.append(fact)
        }
        return reader.isAtEnd ? facts : nil
    }

    private static func half(_ sum: Digest) -> Mark {
        var reader = FactReader(sum.bytes)
        return reader.mark() ?? Mark(high: 0, low: 0)
    }
}
