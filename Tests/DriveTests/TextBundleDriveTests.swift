import Foundation
import MountTesting
import TextBundles
import Testing

/// A kind that is made of data alone, on a drive: a package is one file, and what else is in it goes where the file goes.
@Suite struct TextBundleDriveTests {
    private func drive() throws -> UnmountedDrive {
        try UnmountedDrive(kinds: TextBundles.kinds) { documents in
            for (file, text) in ["text.md": "one", "info.json": "{}", "assets/deep/sea.png": "sea"] {
                let place = URL(fileURLWithPath: "\(documents)/Trip.textbundle/\(file)")
                try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: place)
            }
        }
    }

    private func write(_ text: String, to name: String, of drive: UnmountedDrive) throws {
        let handle = try drive.open(drive.lookUp(name), O_RDWR | O_TRUNC)
        try drive.write(Array(text.utf8), to: handle)
        try drive.flush(handle)
        drive.release(handle)
    }

    @Test func itIsAFile() throws {
        let drive = try drive()
        #expect(try drive.list().names == ["Trip.md"])
        let trip = try drive.lookUp("Trip.md")
        #expect(try drive.attributes(trip).size == 3)
        #expect(try drive.attribute("user.valise.kind", of: trip) == "textbundle")
        try write("two and a half", to: "Trip.md", of: drive)
        #expect(drive.storedBytes("Trip.textbundle/text.md") == Array("two and a half".utf8))
        #expect(try drive.set(trip) { $0.permissions = 0o600 }.mode == 0o100600)
        // A name with another extension of its kind's.
        try drive.rename("Trip.md", to: "Tour.markdown")
        #expect(try drive.storedNames("Tour.textbundle") == ["assets", "info.json", "text.markdown"] && drive.list().names == ["Tour.markdown"])
        try write("three", to: "Tour.markdown", of: drive)
        #expect(drive.storedBytes("Tour.textbundle/text.markdown") == Array("three".utf8) && drive.storedBytes("Tour.textbundle/assets/deep/sea.png") == Array("sea".utf8))
        let handle = try drive.open(drive.lookUp("Tour.markdown"))
        #expect(try drive.read(handle) == Array("three".utf8))
        drive.release(handle)
        // A name of another kind's takes the content along.
        try drive.rename("Tour.markdown", to: "Tour.txt")
        #expect(drive.storedBytes("Tour.stedoc") == Array("three".utf8))
    }

    /// Programs ask for a gigabyte at once (`cp`). Of a flat file a piece is taken into memory, and they ask again.
    @Test func aFlatFileIsCopiedInPieces() throws {
        let part = [UInt8](repeating: 7, count: 5 << 19)
        let drive = try UnmountedDrive(kinds: TextBundles.kinds) { documents in
            try FileManager.default.createDirectory(atPath: documents + "/Big.scrap", withIntermediateDirectories: true)
            try Data(part).write(to: URL(fileURLWithPath: documents + "/Big.scrap/text.md"))
        }
        let big = try drive.lookUp("Big.scrap"), size = try Int(drive.attributes(big).size)
        let from = try drive.open(big), to = try drive.open(drive.make("copy.dat", ""), O_RDWR)
        var counts: [Int] = []
        while counts.last != 0 {
            let done = counts.reduce(0, +)
            counts.append(try drive.copy(from: from, at: Int64(done), to: to, at: Int64(done), 1 << 30))
        }
        #expect(counts == [1 << 20, 1 << 20, size - (2 << 20), 0])
        #expect(try drive.storedBytes("copy.dat") == drive.read(from, size))
        for handle in [from, to] { drive.release(handle) }
    }

    @Test func oneIsMadeAndGoes() throws {
        let drive = try drive()
        _ = try drive.make("New.md", "new")
        #expect(try drive.storedNames("New.textbundle") == ["info.json", "text.md"])
        // The way of programs that write beside it and rename that over it.
        _ = try drive.make("Trip.md~", "saved")
        try drive.rename("Trip.md~", to: "Trip.md")
        #expect(try drive.storedNames("Trip.textbundle") == ["assets", "info.json", "text.md"])
        #expect(drive.storedBytes("Trip.textbundle/text.md") == Array("saved".utf8))
        try drive.rename("New.md", to: "Trip.md", flags: 2)
        #expect(drive.storedBytes("Trip.textbundle/text.md") == Array("new".utf8) && drive.storedBytes("New.textbundle/assets/deep/sea.png") == Array("sea".utf8))
        try drive.unlink("New.md")
        #expect(try drive.list().names == ["Trip.md"])
    }
}
