import Foundation
import LinuxFiles
import Testing
import Thumbnails

/// An image in a file without a name, given to a worker.
struct TestImage {
    let file: OpenFile
    let length: Int64

    init(_ bytes: [UInt8]) throws {
        let folder = try Descriptor.atPath(NSTemporaryDirectory(), [.read, .folder])
        let written = try Self.nameless(in: folder)
        try written.write(bytes, at: 0)
        // As the drive hands it over: to be read only.
        file = OpenFile(try written.reopened(.read))
        length = Int64(bytes.count)
    }

    private static func nameless(in folder: borrowing Descriptor) throws -> Descriptor {
        let name = try #require(Name("valise-image.\(UUID().uuidString)"))
        let file = try folder.open(name, [.readWrite, .create, .exclusive], mode: 0o600)
        try folder.unlink(name)
        return file
    }
}

extension ThumbnailWorker {
    /// One of the program that was built with the tests.
    static func built(_ patience: Patience = Patience(answer: 120_000)) throws -> ThumbnailWorker {
        let program: String = try #require(ThumbnailProgram.find(), "valise-thumbnailer lies beside the tests")
        return ThumbnailWorker(program: program, patience: patience)
    }

    func thumbnail(of bytes: [UInt8]) throws -> SeenPNG {
        let image = try TestImage(bytes)
        let seen = try SeenPNG(try thumbnail(of: image.file, offset: 0, length: image.length))
        #expect(seen.width == 150 && seen.height == 150)
        return seen
    }

    /// Why there is no thumbnail of it.
    func refusal(of bytes: [UInt8]) throws -> String? {
        let image = try TestImage(bytes)
        do {
            _ = try thumbnail(of: image.file, offset: 0, length: image.length)
            return nil
        } catch ThumbnailFault.refused(let reason) { return reason }
    }
}
