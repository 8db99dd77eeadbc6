import Hashes
import Replication

@testable import Shares

// What devices say to each other. Sums are put right, or nothing behind them would ever be read.
extension Target {
    static let shares = [facts, factFiles, heads, markers, memories]

    private static let item = ItemID(Mark(high: 1, low: 2)), other = ItemID(Mark(high: 3, low: 4))

    private static let samples: [Fact] = {
        let id = FactID(Mark(high: 5, low: 6)), digest = SHA256.digest(of: [7])
        let body = Version.Body(size: 9, time: -1, computer: [0x61], parts: [.init(path: [0x70], .elsewhere([digest, digest])), .init(path: [0x71], .here([1, 2, 3])), .init(path: [0x72], .folder), .init(path: [0x72, 0x2F, 0x73], .link([0x71]))])
        return [
            .version(Version(of: item, digest: digest, parents: [FactID(item.mark), FactID(other.mark)], body: body)), .version(Version(of: item, digest: nil, parents: [])),
            .place(Location(of: item, folder: other, name: ItemName(Array("a b.txt".utf8), number: 2), kind: .document, mode: 0o644, former: item)), .same(item, other),
            .key(Key([0x6B], value: [1, 2])), .key(Key([0x6B], value: nil)), .name([0x6C]),
        ].map { Fact(id: id, rank: 1 << 50, device: DeviceID(Mark(high: 8, low: 9)), $0) }
    }()

    private static let facts = Target("facts", samples.compactMap(\.bytes)) { bytes in
        guard let fact = Fact(bytes) else { return }
        mustHold(fact.bytes == bytes, "a fact that is written and read")
        var followed = FollowedView(of: samples)
        followed.add([fact])
        mustHold(followed.view == View(of: followed.facts), "a view that is followed")
        mustHold(followed.repairs == Repairs.needed(by: followed.view, followed.facts), "what is to be repaired")
    }

    private static func half(_ sum: Digest) -> Mark {
        var reader = FactReader(sum.bytes)
        return reader.mark() ?? Mark(high: 0, low: 0)
    }

    private static let factFiles = Target("factFiles", FactFile.files(of: samples, among: Facts(), after: 0).map { $0.bytes.dropLast(Digest.count) }) { bytes in
        let sum = SHA256.digest(of: bytes), name = FactFileName(number: 1, sum: half(sum))
        guard let facts = FactFile.facts(in: bytes + sum.bytes, named: name) else { return }
        mustHold(FactFile.files(of: facts, among: Facts(), after: 0).map(\.bytes) == (facts.isEmpty ? [] : [bytes + sum.bytes]), "a file that is written and read")
    }

    private static let heads = Target("heads", [
        Array(ShareHead(
            share: item.mark, keeps: .needed, edition: 3, mark: 4, time: 5, computer: [0x61], files: [FactFileName(number: 1, sum: other.mark)], heard: [ShareDevice(6): 7],
            lacks: [SHA256.digest(of: [1])], lacksMore: true).bytes.dropLast(Digest.count)),
    ]) { bytes in
        guard let head = ShareHead(bytes + SHA256.digest(of: bytes).bytes) else { return }
        mustHold(ShareHead(head.bytes) == head && head.files.count <= ShareHead.mostFiles && head.lacks.count <= ShareHead.mostLacking, "a head that is written and read")
    }

    private static let markers = Target("markers", ["valise share 1 000102030405060708090a0b0c0d0e0f keep=all\n", "valise share 2 x\n"]) { bytes in
        if case .marker(let marker) = ShareMarker.read(bytes) { mustHold(marker.bytes == bytes, "a marker that is written and read") }
    }

    private static let memories = Target("memories", [
        ShareMemoryBytes.bytes(of: {
            var memory = ShareMemory(device: ShareDevice(1), marker: ShareMarker(share: item.mark, keeps: .all))
            (memory.marks, memory.former, memory.heard) = ([1, 2], [ShareDevice(8)], [ShareDevice(2): 3])
            (memory.given, memory.forgotten) = ([SHA256.digest(of: [1]): 4], [ShareDevice(5)])
            memory.lastSeen = [ShareDevice(2): ShareMemory.Seen(mark: 6, since: 7)]
            return memory
        }()),
    ]) { bytes in
        guard let memory = ShareMemoryBytes.memory(of: bytes) else { return }
        mustHold(ShareMemoryBytes.memory(of: ShareMemoryBytes.bytes(of: memory)) == memory, "a memory that is written and read")
    }
}
