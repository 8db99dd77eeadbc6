/// Keys that are kept encrypted by another key (RFC 3394).
enum KeyWrapping {
    /// A key of 32 bytes and the eight that show whether it was the right one.
    static let wrappedSize = 40

    private static let check: UInt64 = 0xA6A6_A6A6_A6A6_A6A6

    /// nil where it was another key, or something else than a wrapped key.
    static func unwrap(_ wrapped: some Collection<UInt8>, with key: SecretBytes, _ crypto: Crypto) -> SecretBytes? {
        guard wrapped.count == wrappedSize else { return nil }
        let bytes = Array(wrapped)
        func word(_ index: Int) -> UInt64 { bytes[(index * 8)..<(index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        var first = word(0), words = (1...4).map(word)
        var block = [UInt8](repeating: 0, count: Crypto.blockSize)
        defer {
            for index in words.indices { words[index] = 0 }
            SecretBytes.wipe(&block)
        }
        for round in (0..<6).reversed() {
            for index in (0..<4).reversed() {
                let mixed = first ^ UInt64(4 * round + index + 1)
                for byte in 0..<8 {
                    block[byte] = UInt8(truncatingIfNeeded: mixed >> UInt64(56 - 8 * byte))
                    block[8 + byte] = UInt8(truncatingIfNeeded: words[index] >> UInt64(56 - 8 * byte))
                }
                // SAFETY: the buffer is the array's, of one block.
                guard unsafe block.withUnsafeMutableBytes({ unsafe crypto.decryptBlock($0, key: key) }) else {
                    return nil
                }
                first = block[..<8].reduce(0) { $0 << 8 | UInt64($1) }
                words[index] = block[8...].reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        guard first == check else { return nil }
        return unsafe SecretBytes(count: Crypto.keySize) { (memory) in
            for (index, word) in words.enumerated() {
                unsafe memory.storeBytes(of: word.bigEndian, toByteOffset: index * 8, as: UInt64.self)
            }
            return true
        }
    }
}
