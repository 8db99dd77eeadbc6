import LinuxFiles
import Testing

/// What stands in files has to be the same in each version: the values are those that the hash's authors publish.
@Suite struct LastingHashTests {
    @Test(arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)] as [(String, UInt64)])
    func itIsFNV1a(_ text: String, _ value: UInt64) {
        #expect(LastingHash.of(text.utf8) == value)
        var hash = LastingHash()
        for byte in text.utf8 { hash.add([byte]) }
        #expect(hash.value == value)
    }

    /// As Valise 1.0 took numbers for the stamps of packages.
    @Test func aNumberIsItsBytesTheLowestFirst() {
        var hash = LastingHash()
        hash.add(0x0102_0304_0506_0708)
        #expect(hash.value == LastingHash.of([8, 7, 6, 5, 4, 3, 2, 1]))
        hash.add(-1)
        #expect(hash.value == LastingHash.of([8, 7, 6, 5, 4, 3, 2, 1] + [UInt8](repeating: 0xFF, count: 8)))
    }
}
