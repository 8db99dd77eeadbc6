import SeededNumbers
import Testing

@testable import Hashes

/// FIPS 180-4's own examples, and pieces of any size.
@Suite(.serialized) struct SHA256Tests {
    private static let vectors: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    /// With the processor's instructions and without.
    @Test(arguments: [true, false])
    func knownDigests(byInstructions: Bool) {
        SHA256.useInstructions(byInstructions)
        defer { SHA256.useInstructions(true) }
        for (text, digest) in Self.vectors { #expect(SHA256.digest(of: Array(text.utf8)).text == digest) }
    }

    @Test func piecesOfAnySizeMakeTheSame() {
        var numbers = SeededNumbers(seed: 1)
        for count in Array(0...200) + [1000, 4096, 10_001] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            SHA256.useInstructions(false)
            let whole = SHA256.digest(of: bytes)
            SHA256.useInstructions(true)
            var hash = SHA256(), rest = bytes[...]
            while !rest.isEmpty {
                let some = Int.random(in: 1...max(1, min(rest.count, 130)), using: &numbers)
                hash.add(Array(rest.prefix(some)))
                rest = rest.dropFirst(some)
            }
            #expect(hash.finish() == whole)
        }
    }

    @Test func aDigestIsItsBytes() throws {
        let digest = SHA256.digest(of: [1])
        #expect(Digest(digest.bytes) == digest && Digest(digest.bytes.dropLast()) == nil)
        let other = SHA256.digest(of: [2])
        #expect((digest < other) == digest.bytes.lexicographicallyPrecedes(other.bytes))
    }
}
