import MountTesting
import Testing

@testable import Backups

/// The cryptography, by the examples of its standards.
@Suite(.needsCrypto) struct KeyTests {
    private let crypto: Crypto

    init() throws { crypto = try #require(Crypto.system) }

    private func bytes(_ digits: String) -> [UInt8] {
        var bytes: [UInt8] = [], rest = Array(digits.filter { !$0.isWhitespace })[...]
        while let pair = UInt8(String(rest.prefix(2)), radix: 16) {
            bytes.append(pair)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private func copy(_ secret: SecretBytes?) -> [UInt8]? { secret?.withBytes { Array($0) } }

    /// RFC 3394, 4.6.
    @Test func aWrappedKeyIsUnwrapped() throws {
        let key = try #require(SecretBytes(bytes("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F")))
        let wrapped = bytes("28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21")
        #expect(
            copy(KeyWrapping.unwrap(wrapped, with: key, crypto))
                == bytes("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F"))
        for index in wrapped.indices {
            var other = wrapped
            other[index] ^= 1
            #expect(KeyWrapping.unwrap(other, with: key, crypto) == nil)
        }
        #expect(KeyWrapping.unwrap(wrapped.dropLast(8), with: key, crypto) == nil)
    }

    /// RFC 6070 for SHA-1, by its first 20 bytes; and for SHA-256 what its authors and others have published.
    @Test func aKeyIsDerivedFromAPassword() throws {
        let password = try #require(SecretBytes(Array("password".utf8))), salt = Array("salt".utf8)
        #expect(
            copy(crypto.derived(from: password, salt: salt, rounds: 4096, .sha1))?.prefix(20).elementsEqual(
                bytes("4b007901b765489abead49d926f721d065a429c1")) == true)
        #expect(
            copy(crypto.derived(from: password, salt: salt, rounds: 4096, .sha256))
                == bytes("c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"))
    }

    /// NIST SP 800-38A, F.2.6: AES-256-CBC, block by block from each block on.
    @Test func anyBlockIsDecryptedByTheOneBefore() throws {
        let key = try #require(SecretBytes(bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")))
        let encrypted = bytes(
            "000102030405060708090a0b0c0d0e0f f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d 39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"
        )
        let plain = bytes(
            "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
        )
        for first in 0..<4 {
            for end in first + 1...4 {
                var part = Array(encrypted[(16 * (first + 1))..<(16 * (end + 1))])
                let isDone = part.withUnsafeMutableBytes { part in
                    encrypted[(16 * first)..<(16 * (first + 1))].withUnsafeBytes { before in
                        before.baseAddress.map { crypto.decryptCBC(part, key: key, before: $0) } ?? false
                    }
                }
                #expect(isDone && part == Array(plain[(16 * first)..<(16 * end)]))
            }
        }
    }

    @Test func whereThereIsNoLibraryNothingIsUnlocked() { #expect(Crypto(["libof-no-machine.so.9"]) == nil) }
}

/// A keybag says no more than it has, and asks for no more than there is time for.
@Suite struct KeybagTests {
    private func tag(_ name: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + (0..<4).reversed().map { UInt8(truncatingIfNeeded: value.count >> (8 * $0)) } + value
    }

    private func number(_ value: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private func bag(first: UInt32? = 10_000_000, second: UInt32 = 10_000, classes: Int = 11) -> [UInt8] {
        var bytes =
            tag("VERS", number(4)) + tag("TYPE", number(1)) + tag("UUID", [UInt8](repeating: 1, count: 16))
            + tag("WRAP", number(2))
        bytes += tag("SALT", [1, 2, 3]) + tag("ITER", number(second))
        if let first { bytes += tag("DPIC", number(first)) + tag("DPSL", [4, 5, 6]) }
        for number in 0..<classes {
            bytes += tag("UUID", [UInt8](repeating: 2, count: 16)) + tag("CLAS", self.number(UInt32(number + 1)))
            bytes +=
                tag("WRAP", self.number(number == 0 ? 1 : 3))
                + tag("WPKY", [UInt8](repeating: UInt8(number), count: 40))
        }
        return bytes
    }

    @Test func itsClassesAreRead() throws {
        let bag = try Keybag(bag())
        #expect(
            bag.derivation
                == Keybag.Derivation(
                    salt: [1, 2, 3], rounds: 10_000, first: .init(salt: [4, 5, 6], rounds: 10_000_000)))
        #expect(
            bag.classes.map(\.number) == Array(1...11)
                && bag.classes.map(\.isByPassword) == [false] + [Bool](repeating: true, count: 10))
        #expect(try Keybag(self.bag(first: nil)).derivation.first == nil)
    }

    @Test func moreRoundsThanAnyDeviceAsksForAreRefused() throws {
        #expect(throws: Never.self) { try Keybag(bag(first: 20_000_000, second: 1_000_000)) }
        #expect(throws: Keybag.Fault.excessive("it asks for 20000001 rounds (“DPIC”), more than 20000000")) {
            try Keybag(bag(first: 20_000_001))
        }
        #expect(throws: Keybag.Fault.excessive("it asks for 4294967295 rounds (“ITER”), more than 1000000")) {
            try Keybag(bag(second: .max))
        }
        #expect(throws: Keybag.Fault.self) { try Keybag(bag(second: 0)) }
        #expect(throws: Keybag.Fault.self) { try Keybag(bag(classes: 65)) }
    }

    @Test func whereverItIsCutItIsRefusedOrRead() {
        let whole = bag()
        for count in whole.indices { _ = try? Keybag(Array(whole.prefix(count))) }
        #expect(throws: Keybag.Fault.self) { try Keybag([]) }
        #expect(throws: Keybag.Fault.self) {
            try Keybag(tag("SALT", [1]) + Array("ITER".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
        }
    }
}
