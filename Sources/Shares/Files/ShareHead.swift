import Hashes
import Replication

/// What a device says of itself in a share: the one file that is written anew (docs/FORMATS.md 9). Each has a mark that is drawn for it, so that two who
/// write one head notice each other.
struct ShareHead: Equatable {
    var share: Mark
    var keeps: ShareKeeping
    /// Rises when its files are others or when it gives another content, and not when it only heard something: or devices would answer each other's
    /// answers for ever.
    var edition: UInt64
    var mark: UInt64
    /// In seconds since 1970, by its own clock.
    var time: Int64
    var computer: [UInt8]
    /// Its files of facts, in order.
    var files: [FactFileName]
    /// The edition of each other device of which it read all files.
    var heard: [ShareDevice: UInt64]
    /// Contents that it needs and does not have, in order; perhaps there are more than it lists.
    var lacks: [Digest] { didSet { lackSet = Set(lacks) } }
    var lacksMore: Bool
    /// The same, for who asks for one content after another.
    private var lackSet: Set<Digest> = []

    static let mostFiles = 4096, mostDevices = 1000, mostLacking = 10_000, largest = 1 << 20
    private static let letters = Array("VLSH".utf8), version: UInt8 = 1

    func lists(_ content: Digest) -> Bool { lackSet.contains(content) }
    func isMissing(_ content: Digest) -> Bool { lacksMore || lackSet.contains(content) }

    /// Whether it says the same, whenever it was said.
    func says(_ other: ShareHead) -> Bool {
        var same = other
        (same.mark, same.time) = (mark, time)
        return same == self
    }

    var bytes: [UInt8] {
        var writer = FactWriter()
        writer.add(Self.letters)
        writer.add(Self.version)
        writer.add(share)
        writer.add(keeps.rawValue)
        writer.add(edition)
        writer.add(mark)
        writer.add(UInt64(bitPattern: time))
        writer.add(UInt8(truncatingIfNeeded: min(computer.count, 255)))
        writer.add(Array(computer.prefix(255)))
        writer.add(UInt16(truncatingIfNeeded: min(files.count, Self.mostFiles)))
        for file in files.prefix(Self.mostFiles) {
            writer.add(file.number)
            writer.add(file.sum)
        }
        writer.add(UInt16(truncatingIfNeeded: min(heard.count, Self.mostDevices)))
        for (device, edition) in heard.sorted(by: { $0.key < $1.key }).prefix(Self.mostDevices) {
            writer.add(device.number)
            writer.add(edition)
        }
        writer.add(UInt8(lacksMore ? 1 : 0))
        writer.add(UInt32(truncatingIfNeeded: min(lacks.count, Self.mostLacking)))
        for content in lacks.prefix(Self.mostLacking) { writer.add(content.bytes) }
        writer.add(SHA256.digest(of: writer.bytes).bytes)
        return writer.bytes
    }

    /// Nil where it is not whole, or nobody's.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Digest.count, bytes.count <= Self.largest, bytes.starts(with: Self.letters) else { return nil }
        let content = Array(bytes.dropLast(Digest.count))
        guard SHA256.digest(of: content).bytes == Array(bytes.suffix(Digest.count)) else { return nil }
        var reader = FactReader(content)
        guard reader.bytes(Self.letters.count) != nil, reader.byte() == Self.version, let share = reader.mark(), let keeps = reader.byte().flatMap(ShareKeeping.init),
            let edition = reader.number(UInt64.self), let mark = reader.number(UInt64.self), let time = reader.number(UInt64.self), let nameCount = reader.byte(),
            let computer = reader.bytes(Int(nameCount)), let fileCount = reader.number(UInt16.self), Int(fileCount) <= Self.mostFiles
        else { return nil }
        (self.share, self.keeps, self.edition, self.mark, self.time, self.computer) = (share, keeps, edition, mark, Int64(bitPattern: time), computer)
        (files, heard, lacks) = ([], [:], [])
        for _ in 0..<fileCount {
            guard let number = reader.number(UInt32.self), let sum = reader.mark() else { return nil }
            files.append(FactFileName(number: number, sum: sum))
        }
        guard let deviceCount = reader.number(UInt16.self), Int(deviceCount) <= Self.mostDevices else { return nil }
        for _ in 0..<deviceCount {
            guard let device = reader.number(UInt64.self), let edition = reader.number(UInt64.self) else { return nil }
            heard[ShareDevice(device)] = edition
        }
        guard let more = reader.byte(), more <= 1, let lackCount = reader.number(UInt32.self), lackCount <= Self.mostLacking else { return nil }
        lacksMore = more == 1
        for _ in 0..<lackCount {
            guard let digest = reader.digest() else { return nil }
            lacks.append(digest)
        }
        guard reader.isAtEnd else { return nil }
        lackSet = Set(lacks)
    }

    init(
        share: Mark, keeps: ShareKeeping, edition: UInt64, mark: UInt64, time: Int64, computer: [UInt8], files: [FactFileName], heard: [ShareDevice: UInt64], lacks: [Digest],
        lacksMore: Bool
    ) {
        (self.share, self.keeps, self.edition, self.mark, self.time, self.computer) = (share, keeps, edition, mark, time, Array(computer.prefix(255)))
        (self.files, self.heard, self.lacks, self.lacksMore) = (files, heard, lacks, lacksMore)
        lackSet = Set(lacks)
    }
}
