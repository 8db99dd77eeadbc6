import Documents
import Testing

@Suite struct ImageTypeTests {
    @Test(arguments: [
        (png, .png), (jpeg, .jpeg), (bytes("GIF87a.."), .gif), (bytes("GIF89a.."), .gif), (bytes("RIFF....WEBPVP8 "), .webp), (bytes("RIFF....WAVEfmt "), nil),
        ([0, 0, 0, 24] + bytes("ftypheic....mif1heic"), .heic), ([0, 0, 0, 24] + bytes("ftypmif1....mif1heic"), .heic), ([0, 0, 0, 24] + bytes("ftypmif1....mif1miaf"), .heif),
        ([0, 0, 0, 24] + bytes("ftypavif....mif1avif"), .avif), ([0, 0, 0, 24] + bytes("ftypisom....isomiso2mp41"), nil),
        (bytes("II*\0...."), .tiff), (bytes("MM\0*...."), .tiff), (bytes("BM......") + [0, 0, 0, 0, 0, 0, 40, 0, 0, 0], .bmp), (bytes("BMW and other cars, in a text"), nil),
        ([], nil), ([0xFF], nil), (bytes("%PDF-1.7"), nil),
    ] as [([UInt8], ImageType?)])
    func isToldByTheFirstBytes(_ prefix: [UInt8], _ type: ImageType?) {
        #expect(ImageType(prefix: prefix) == type)
        for count in 0..<prefix.count { _ = ImageType(prefix: Array(prefix.prefix(count))) }
    }

    @Test func extensions() {
        for name in ["a.png", "a.jpg", "a.jpeg", "a.jpe", "a.gif", "a.webp", "a.heic", "a.heif", "a.avif", "a.tif", "a.tiff", "a.bmp", "a.PNG"] {
            #expect(PhotoKind().takes(shownName: bytes(name)))
        }
    }
}
