extension Sequence<UInt8> {
    /// A hash (FNV-1a) that is the same in each process: it stands in files and in their names.
    var lastingHash: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
