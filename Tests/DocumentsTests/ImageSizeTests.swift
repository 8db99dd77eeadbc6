import Testing
@testable import Documents

/// How large an image is, from its first bytes.
@Suite struct ImageSizeTests {
    private static func bytes(_ text: String, _ rest: [UInt8]) -> [UInt8] { Array(text.utf8) + rest }

    private static let png: [UInt8] = [0x89] + bytes("PNG\r\n\u{1A}\n\0\0\0\rIHDR", [0, 0, 1, 0, 0, 0, 0, 9])
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xC4, 0, 2, 0xFF, 0xC2, 0, 11, 8, 0, 48, 0, 64, 3]
    private static let gif = bytes("GIF89a", [3, 1, 2, 0])
    private static let webp = bytes("RIFF0000WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0])
    private static let small = bytes("ispe", [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 4])
    private static let large = bytes("ispe", [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    private static let heic = bytes("\0\0\0\u{18}ftypheic0000mif1heic", small) + large

    /// Its codec has made both sides even, and one of them shows a piece of it only, which is another image's.
    private static let odd = bytes("\0\0\0\u{18}ftypheic0000mif1heic", bytes("ispe", [0, 0, 0, 0, 0, 0, 1, 46, 0, 0, 0, 204]))
        + bytes("clap", [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16))
        + bytes("clap", [0, 0, 1, 45, 0, 0, 0, 1, 0, 0, 0, 203, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16))

    private static let images: [(bytes: [UInt8], width: Int, height: Int)] = [(png, 256, 9), (jpeg, 64, 48), (gif, 259, 2), (webp, 100, 50), (heic, 512, 256), (odd, 301, 203)]

    @Test(arguments: images) func sizes(bytes: [UInt8], width: Int, height: Int) {
        let size = ImageSize(prefix: bytes)
        #expect(size?.width == width && size?.height == height)
        // Wherever it ends, nothing is read behind it.
        for count in 0..<bytes.count { _ = ImageSize(prefix: Array(bytes.prefix(count))) }
    }

    @Test func whatSaysNothingHasNone() {
        #expect(ImageSize(prefix: []) == nil)
        #expect(ImageSize(prefix: Array("a text".utf8)) == nil)
        #expect(ImageSize(prefix: Array(Self.png.dropLast(8)) + [0, 0, 0, 0, 0, 0, 0, 9] as [UInt8]) == nil)
    }
}
