import Foundation
import MountTesting
import Testing

/// Thumbnails of photos that come through a drive.
@Suite(.serialized, .mounting) struct PhotoDriveTests {
    private let jpeg = Array(QuarteredImage.jpeg)
    private func plain(_ colour: [UInt8]) -> [UInt8] { MadePNG.of(width: 8, height: 8) { _, _ in colour } }

    @Test func aSavedPhotoGetsAThumbnail() async throws {
        let drive = try PhotoDrive()
        try drive.write(jpeg, to: "cat.jpg")
        let before = try modified("cat.jpg", drive)
        try await drive.awaitThumbnail(of: "cat.ptk")
        #expect(try modified("cat.jpg", drive) == before)
        #expect(try drive.bytes(of: "cat.jpg") == jpeg)
        try drive.unmount()
        try drive.mount()
        #expect(try FileManager.default.contentsOfDirectory(atPath: drive.mountpoint) == ["cat.jpg"])
        #expect(try modified("cat.jpg", drive) == before)
        #expect(try drive.bytes(of: "cat.jpg") == jpeg)
        try drive.unmount()
    }

    @Test func aPhotoThatIsSavedAgainGetsAnother() async throws {
        let drive = try PhotoDrive()
        try drive.write(plain([255, 0, 0, 255]), to: "a.png")
        try await drive.awaitThumbnail(of: "a.ptk", "red red red red")
        try drive.write(plain([0, 0, 255, 255]), to: "a.png")
        try await drive.awaitThumbnail(of: "a.ptk", "blue blue blue blue")
        // Where saves follow one another, the last one counts.
        for _ in 0..<5 { for colour: [UInt8] in [[255, 0, 0, 255], [0, 255, 0, 255]] { try drive.write(plain(colour), to: "a.png") } }
        try await drive.awaitThumbnail(of: "a.ptk", "green green green green")
        try drive.unmount()
    }

    @Test func fiftyPhotosAtOnceAllGetTheirs() async throws {
        let drive = try PhotoDrive()
        let mountpoint = URL(fileURLWithPath: drive.mountpoint), jpeg = Data(jpeg)
        DispatchQueue.concurrentPerform(iterations: 50) { try? jpeg.write(to: mountpoint.appendingPathComponent("p\($0).jpg")) }
        var count: Int?
        for _ in 0..<600 where count != 50 {
            count = try drive.thumbnailCount()
            if count != 50 { try await Task.sleep(for: .milliseconds(200)) }
        }
        #expect(count == 50)
        #expect(try FileManager.default.contentsOfDirectory(atPath: drive.mountpoint).count == 50)
        try drive.unmount()
        #expect(try FileManager.default.contentsOfDirectory(atPath: drive.container + "/.valise/staging") == [])
    }

    @Test func photosThatMoveOrGoMeanwhileAreNoTrouble() async throws {
        let drive = try PhotoDrive()
        let files = FileManager.default
        try files.createDirectory(atPath: drive.path("folder"), withIntermediateDirectories: false)
        for number in 0..<12 {
            let name = "p\(number).jpg"
            try drive.write(jpeg, to: name)
            switch number % 3 {
            case 0: try files.moveItem(atPath: drive.path(name), toPath: drive.path("folder/q\(number).jpg"))
            case 1: try files.removeItem(atPath: drive.path(name))
            default: try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: drive.path(name))
            }
        }
        for number in stride(from: 0, to: 12, by: 3) { try await drive.awaitThumbnail(of: "folder/q\(number).ptk") }
        for number in stride(from: 2, to: 12, by: 3) {
            try await drive.awaitThumbnail(of: "p\(number).ptk")
            #expect(try modified("p\(number).jpg", drive) == Date(timeIntervalSince1970: 1_000_000))
        }
        #expect(try files.contentsOfDirectory(atPath: drive.mountpoint).count == 5)
        try drive.unmount()
    }

    @Test func aKilledWorkerIsStartedAgain() async throws {
        let drive = try PhotoDrive()
        try drive.write(jpeg, to: "a.jpg")
        try await drive.awaitThumbnail(of: "a.ptk")
        if let process = try drive.workerProcess() { kill(process, SIGKILL) }
        try drive.write(jpeg, to: "b.jpg")
        try await drive.awaitThumbnail(of: "b.ptk")
        try drive.unmount()
    }

    @Test func aDriveThatIsTakenAwayLeavesNoWorker() async throws {
        let drive = try PhotoDrive()
        for number in 0..<20 { try drive.write(jpeg, to: "p\(number).jpg") }
        try await drive.awaitThumbnail(of: "p0.ptk")
        let process = try drive.workerProcess()
        try drive.unmount()
        if let process { #expect(kill(process, 0) != 0) }
        try drive.mount()
        for number in 0..<20 { #expect(try drive.bytes(of: "p\(number).jpg") == jpeg) }
        try drive.unmount()
    }

    @Test(arguments: ["/nonexistent/valise-thumbnailer", "/bin/true"]) func photosWorkWithoutAWorker(_ program: String) throws {
        let drive = try PhotoDrive(thumbnailer: program)
        try drive.write(jpeg, to: "cat.jpg")
        #expect(try drive.bytes(of: "cat.jpg") == jpeg)
        try drive.unmount()
        #expect(try drive.thumbnail(of: "cat.ptk") == nil)
        #expect(try PhotoDrive.valise(["doctor"], thumbnailer: program).output.contains("photos are kept without thumbnails"))
    }

    @Test func photosThatWereLeftWithoutGetTheirsLater() async throws {
        let drive = try PhotoDrive(thumbnailer: "/nonexistent/valise-thumbnailer")
        try FileManager.default.createDirectory(atPath: drive.path("folder"), withIntermediateDirectories: false)
        for name in ["a.jpg", "b.jpg", "folder/c.jpg", "strange.jpg"] { try drive.write(jpeg, to: name) }
        try drive.unmount()
        // One that an app left so, and one whose metadata is another's.
        let documents = drive.container + "/Documents"
        try run("python3", Places.support("make_container.py"), documents, input: "photo App png metadata=no").good()
        try Data("something else".utf8).write(to: URL(fileURLWithPath: documents + "/strange.ptk/photo.metadata"))
        try drive.mount()
        for package in ["a.ptk", "b.ptk", "folder/c.ptk"] { try await drive.awaitThumbnail(of: package) }
        // It came after all of these.
        try drive.write(jpeg, to: "z.jpg")
        try await drive.awaitThumbnail(of: "z.ptk")
        try drive.unmount()
        #expect(try String(contentsOfFile: documents + "/strange.ptk/photo.metadata", encoding: .utf8) == "something else")
        #expect(!FileManager.default.fileExists(atPath: documents + "/App.ptk/photo.metadata"))
    }

    @Test func theDoctorNamesTheFormats() throws {
        let answer = try PhotoDrive.valise(["doctor"]).output
        #expect(answer.contains("makes thumbnails of png, jpeg, gif, webp, heif/avif, tiff, bmp"))
    }

    private func modified(_ name: String, _ drive: PhotoDrive) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: drive.path(name))[.modificationDate] as? Date
    }
}
