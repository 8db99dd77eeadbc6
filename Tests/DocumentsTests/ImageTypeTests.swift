import Testing

@testable import Documents

@Suite struct ImageTypeTests {
    static func box(_ major: String, _ compatible: String = "", size: UInt8? = nil) -> [UInt8] {
        let body = Array("ftyp\(major)\0\0\0\0\(compatible)".utf8)
        return [0, 0, 0, size ?? UInt8(body.count + 4)] + body + Array("\0\0\0\u{20}metaxxxxxxxxxxxxxxxx".utf8)
    }

    static let known: [([UInt8], ImageType)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ([0xFF, 0xD8, 0xFF, 0xDB], .jpeg),
        (Array("GIF87a".utf8), .gif),
        (Array("GIF89a...".utf8), .gif),
        (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
        ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], .tiff),
        ([0x4D, 0x4D, 0, 0x2A], .tiff),
        ([0x49, 0x49, 0x2B, 0, 8, 0, 0, 0], .tiff),
        (Array("BM".utf8) + [UInt8](repeating: 7, count: 12) + [40, 0, 0, 0], .bmp),
        (box("heic", "mif1heic"), .heic),
        (box("mif1", "mif1heic"), .heic),
        (box("mif1"), .heic),
        (box("mif1", "mif1avif"), .avif),
        (box("avif", "avifmif1"), .avif),
        (box("avis"), .avif),
    ]

    static let unknown: [[UInt8]] = [
        [], [0x89], Array("BMW is no bitmap, whatever it says".utf8), Array("GIF88a".utf8), Array("RIFF1234WAVE".utf8),
        Array("%PDF-1.7".utf8), box("isom", "avc1heic"), box("mp42"), [0, 0, 0, 8] + Array("ftyp".utf8),
        box("heic", size: 8), [0xFF, 0xD8], Array("II*".utf8),
    ]

    @Test(arguments: known) func tells(_ head: [UInt8], _ type: ImageType) { #expect(ImageType.of(head) == type) }

    @Test(arguments: unknown) func doesNotGuess(_ head: [UInt8]) { #expect(ImageType.of(head) == nil) }

    @Test func brandsBehindTheBoxAreNotRead() {
        #expect(ImageType.of(Self.box("mif1", "mif1") + Array("avif".utf8)) == .heic)
        #expect(ImageType.of(Self.box("mif1", "avif", size: 16)) == .heic)
    }

    @Test func everyPreferredExtensionIsKnown() {
        #expect(ImageType.allCases.allSatisfy { ImageType.extensions.contains($0.preferredExtension) })
        #expect(ImageType.allCases.map(\.preferredExtension) == ["png", "jpg", "gif", "webp", "heic", "avif", "tif", "bmp"])
    }

    @Test func anyBeginningOfAnythingIsAnswered() {
        for (head, _) in Self.known { for count in 0...head.count { _ = ImageType.of(Array(head.prefix(count))) } }
        _ = ImageType.of([0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypmif1".utf8))
    }
}
