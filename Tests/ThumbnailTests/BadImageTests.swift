import MountTesting
import SeededNumbers
import Testing
import Thumbnails

/// What becomes of images that are not well: a reason, and a worker that goes on.
@Suite(.long, .waiting) struct BadImageTests {
    @Test func aBombIsTooLarge() throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let process = worker.process
        let reason = try worker.refusal(of: MadePNG.beginning(width: 50_000, height: 50_000))
        #expect(reason?.contains("50000 × 50000") == true)
        #expect(worker.process == process)
    }

    @Test(arguments: ["", "rubbish, and no image at all", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"])
    func whatIsNoPhotoIsRefused(_ text: String) throws {
        #expect(try ThumbnailWorker.built().refusal(of: Array(text.utf8)) != nil)
    }

    @Test(arguments: QuarteredImage.all.map(\.name)) func aSignatureAloneIsNoImage(_ name: String) throws {
        let bytes = try #require(QuarteredImage.all.first { $0.name == name }?.bytes)
        let worker = try ThumbnailWorker.built()
        #expect(try worker.refusal(of: Array(bytes.prefix(24)) + [UInt8](repeating: 0x5A, count: 4000)) != nil)
        #expect(try worker.thumbnail(of: bytes).quarters == "red green blue white")
    }

    /// A part of it, or a reason; what is missing is not made of other images.
    @Test(arguments: QuarteredImage.all.map(\.name)) func halfAnImageHarmsNobody(_ name: String) throws {
        let bytes = try #require(QuarteredImage.all.first { $0.name == name }?.bytes)
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let process = worker.process
        for count in [bytes.count / 2, bytes.count - 1] {
            let image = try TestImage(Array(bytes.prefix(count)))
            do {
                let seen = try SeenPNG(try worker.thumbnail(of: image.file, offset: 0, length: image.length))
                #expect(seen.width == 150 && seen.height == 150)
            } catch ThumbnailFault.refused(let reason) {
                #expect(!reason.isEmpty)
            }
        }
        #expect(worker.process == process)
        #expect(try worker.thumbnail(of: bytes).quarters == "red green blue white")
    }

    /// Each format with bytes that are changed here and there, always the same ones.
    @Test(arguments: QuarteredImage.all.map(\.name)) func damageIsSurvived(_ name: String) throws {
        let bytes = try #require(QuarteredImage.all.first { $0.name == name }?.bytes)
        let worker = try ThumbnailWorker.built()
        var random = SeededNumbers(seed: 7)
        for _ in 0..<40 {
            var damaged = bytes
            for _ in 0..<4 { damaged[Int.random(in: 12..<damaged.count, using: &random)] = .random(in: 0...255, using: &random) }
            let image = try TestImage(damaged)
            // An image or a reason, or its worker's end: all but that the test waits for ever.
            _ = try? worker.thumbnail(of: image.file, offset: 0, length: image.length)
        }
        #expect(try worker.thumbnail(of: bytes).quarters == "red green blue white")
    }

    @Test func aRangeBehindTheEndIsRefused() throws {
        let image = try TestImage(Array(QuarteredImage.png))
        let worker = try ThumbnailWorker.built()
        #expect(throws: ThumbnailFault.self) { try worker.thumbnail(of: image.file, offset: 1 << 40, length: 1000) }
        #expect(throws: ThumbnailFault.self) { try worker.thumbnail(of: image.file, offset: 0, length: 1 << 40) }
    }
}
