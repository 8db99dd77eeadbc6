import MountTesting
import Testing
import Thumbnails

/// What becomes of images that are well.
@Suite(.long) struct FormatTests {
    @Test(arguments: QuarteredImage.all.map(\.name)) func everyFormatIsDecoded(_ name: String) throws {
        let bytes = try #require(QuarteredImage.all.first { $0.name == name }?.bytes)
        let worker = try ThumbnailWorker.built()
        #expect(try worker.thumbnail(of: bytes).quarters == "red green blue white")
    }

    /// What a camera that was held so wrote, and what is seen: the format's eight ways.
    @Test(arguments: [
        (1, "red green blue white"), (2, "green red white blue"), (3, "white blue green red"), (4, "blue white red green"),
        (5, "red blue green white"), (6, "blue red white green"), (7, "white green blue red"), (8, "green white red blue"),
    ])
    func aPhotoIsTurnedAsItsCameraWas(_ orientation: Int, _ seen: String) throws {
        let jpeg = Array(QuarteredImage.jpeg)
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        let worker = try ThumbnailWorker.built()
        #expect(try worker.thumbnail(of: Array(jpeg.prefix(2)) + exif + jpeg.dropFirst(2)).quarters == seen)
    }

    @Test func whatIsWiderThanHighLosesItsSides() throws {
        // A square of green between red and blue.
        let png = MadePNG.of(width: 300, height: 100) { x, _ in x < 100 ? [255, 0, 0, 255] : x < 200 ? [0, 255, 0, 255] : [0, 0, 255, 255] }
        let seen = try ThumbnailWorker.built().thumbnail(of: png)
        for x in [0, 75, 149] { #expect(SeenPNG.word(for: seen[x, 75]) == "green") }
    }

    @Test func whatIsHigherThanWideLosesItsEnds() throws {
        let png = MadePNG.of(width: 10, height: 30) { _, y in y < 10 ? [255, 0, 0, 255] : y < 20 ? [0, 255, 0, 255] : [0, 0, 255, 255] }
        let seen = try ThumbnailWorker.built().thumbnail(of: png)
        for y in [0, 75, 149] { #expect(SeenPNG.word(for: seen[75, y]) == "green") }
    }

    @Test func whatIsTransparentStaysSo() throws {
        let png = MadePNG.of(width: 40, height: 40) { x, y in x < 20 ? [255, 0, 0, y < 20 ? 255 : 0] : [0, 0, 255, 255] }
        #expect(try ThumbnailWorker.built().thumbnail(of: png).quarters == "red blue nothing blue")
    }

    @Test(arguments: [(1, 1), (20_000, 1), (1, 20_000), (2, 3)]) func oddSizesAreFilled(_ width: Int, _ height: Int) throws {
        let seen = try ThumbnailWorker.built().thumbnail(of: MadePNG.of(width: width, height: height) { _, _ in [0, 0, 255, 255] })
        #expect(seen.quarters == "blue blue blue blue")
    }

    @Test func anImageIsARangeOfItsFile() throws {
        let png = Array(QuarteredImage.png)
        let image = try TestImage([UInt8](repeating: 7, count: 5000) + png + [UInt8](repeating: 9, count: 70_000))
        let bytes = try ThumbnailWorker.built().thumbnail(of: image.file, offset: 5000, length: Int64(png.count))
        #expect(try SeenPNG(bytes).quarters == "red green blue white")
    }
}
