/// A hash (FNV-1a) that is the same in each process: it stands in files and in their names. It is no defence against anybody.
package struct LastingHash {
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    // Asked for each name of a catalog, of bytes as they lie there.
    @inlinable package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = LastingHash()
        for byte in bytes { hash.add(byte) }
        return hash.state
    }

    @inlinable package var value: UInt64 { state }

    package mutating func add(_ bytes: [UInt8]) { for byte in bytes { add(byte) } }

    /// Its eight bytes, the lowest first.
    package mutating func add(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    @inlinable mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
