@testable import Documents
import PropertyLists
import Testing

/// Whether an image lacks its end: asked of what nobody has said is whole.
@Suite struct ImageEndTests {
    private let ending: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    private func isMissing(_ bytes: [UInt8]) throws -> Bool { try PhotoKind().missingEnd(of: Bytes(bytes)) != nil }

    @Test func aPNGEndsWithItsLastChunk() throws {
        let whole = Array(png.prefix(8)) + [UInt8](repeating: 7, count: 200_000) + ending
        #expect(try !isMissing(whole))
        #expect(try !isMissing(whole + [UInt8](repeating: 0, count: 300_000)))
        for count in [8, 9, 15, 100, whole.count - 20, whole.count - 1] { #expect(try isMissing(Array(whole.prefix(count))), "\(count)") }
        // What was made as long as it is to be, and not written yet.
        #expect(try isMissing(Array(whole.dropLast(12)) + [UInt8](repeating: 0, count: 12)))
    }

    /// Wherever it lies among the pieces that are looked at.
    @Test func theEndIsFoundEverywhere() throws {
        for count in (65_536 - 24)...65_536 { #expect(try !isMissing(Array(png.prefix(8)) + [UInt8](repeating: 7, count: count) + ending + [1]), "\(count)") }
    }

    @Test func aJPEGEndsWithItsMark() throws {
        // The first segment holds a preview, which has an end.
        let preview: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 1, 2, 0xFF, 0xD9], start: [UInt8] = [0xFF, 0xDA, 0, 4, 1, 2]
        let whole = [0xFF, 0xD8] + preview + start + [UInt8](repeating: 0x55, count: 70_000) + [0xFF, 0, 0x11, 0xFF, 0xD3, 0x22, 0xFF, 0xD9]
        #expect(try !isMissing(whole))
        // A film behind it, as telephones put there.
        #expect(try !isMissing(whole + [UInt8](repeating: 0x20, count: 100_000)))
        for count in [4, 12, 14, 20, 30_000, whole.count - 1] { #expect(try isMissing(Array(whole.prefix(count))), "\(count)") }
        // Cut off inside of a segment.
        #expect(try isMissing(jpeg))
    }

    @Test func ofOthersNothingIsTold() throws {
        for bytes in [bytes("GIF89a"), bytes("BM"), bytes("words"), []] { #expect(try !isMissing(bytes)) }
        #expect(try TextKind().missingEnd(of: Bytes([])) == nil && BookmarkKind().missingEnd(of: Bytes([])) == nil)
    }
}
