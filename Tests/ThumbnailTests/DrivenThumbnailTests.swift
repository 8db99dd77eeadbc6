import Foundation
import MountTesting
import Testing

/// Thumbnails of photos that come through a drive.
@Suite(.serialized, .mounting) struct DrivenThumbnailTests {
    private let jpeg = Data(QuarteredImage.jpeg)
    private func plain(_ colour: [UInt8]) -> Data { Data(MadePNG.of(width: 8, height: 8) { _, _ in colour }) }

    @Test func aSavedPhotoGetsAThumbnail() throws {
        let container = try TemporaryContainer()
        let before = try withDrive(container) { drive throws in
            try drive.put("cat.jpg", jpeg)
            let before = try modified("cat.jpg", drive)
            try drive.awaitThumbnail(of: "cat.ptk")
            #expect(try modified("cat.jpg", drive) == before)
            #expect(try drive.get("cat.jpg") == jpeg)
            return before
        }
        try withDrive(container) { drive throws in
            #expect(try drive.files() == ["cat.jpg"])
            #expect(try modified("cat.jpg", drive) == before)
            #expect(try drive.get("cat.jpg") == jpeg)
        }
    }

    @Test func aPhotoThatIsSavedAgainGetsAnother() throws {
        try withDrive(TemporaryContainer()) { drive throws in
            try drive.put("a.png", plain([255, 0, 0, 255]))
            try drive.awaitThumbnail(of: "a.ptk", "red red red red")
            try drive.put("a.png", plain([0, 0, 255, 255]))
            try drive.awaitThumbnail(of: "a.ptk", "blue blue blue blue")
            // Where saves follow one another, the last one counts.
            for _ in 0..<5 { for colour: [UInt8] in [[255, 0, 0, 255], [0, 255, 0, 255]] { try drive.put("a.png", plain(colour)) } }
            try drive.awaitThumbnail(of: "a.ptk", "green green green green")
        }
    }

    @Test func fiftyPhotosAtOnceAllGetTheirs() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive throws in
            let mountpoint = URL(fileURLWithPath: drive.mountpoint), jpeg = jpeg
            DispatchQueue.concurrentPerform(iterations: 50) { try? jpeg.write(to: mountpoint.appendingPathComponent("p\($0).jpg")) }
            let allAreThere = try eventually(within: 120) { try container.thumbnailCount() == 50 }
            #expect(allAreThere)
            #expect(try drive.files().count == 50)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
    }

    @Test func photosThatMoveOrGoMeanwhileAreNoTrouble() throws {
        try withDrive(TemporaryContainer()) { drive throws in
            let long = Date(timeIntervalSince1970: 1_000_000)
            try drive.makeFolder("folder")
            for number in 0..<12 {
                let name = "p\(number).jpg"
                try drive.put(name, jpeg)
                switch number % 3 {
                case 0: try drive.rename(name, "folder/q\(number).jpg")
                case 1: try drive.remove(name)
                default: try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: drive.path(name))
                }
            }
            for number in stride(from: 0, to: 12, by: 3) { try drive.awaitThumbnail(of: "folder/q\(number).ptk") }
            for number in stride(from: 2, to: 12, by: 3) {
                try drive.awaitThumbnail(of: "p\(number).ptk")
                #expect(try modified("p\(number).jpg", drive) == long)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: drive.mountpoint).count == 5)
        }
    }

    @Test func aKilledWorkerIsStartedAgain() throws {
        try withDrive(TemporaryContainer()) { drive throws in
            try drive.put("a.jpg", jpeg)
            try drive.awaitThumbnail(of: "a.ptk")
            if let process = drive.workerProcess() { kill(process, SIGKILL) }
            try drive.put("b.jpg", jpeg)
            try drive.awaitThumbnail(of: "b.ptk")
        }
    }

    @Test func aDriveThatIsTakenAwayLeavesNoWorker() throws {
        let container = try TemporaryContainer()
        let process = try withDrive(container) { drive throws in
            for number in 0..<20 { try drive.put("p\(number).jpg", jpeg) }
            try drive.awaitThumbnail(of: "p0.ptk")
            return drive.workerProcess()
        }
        if let process { #expect(kill(process, 0) != 0) }
        try withDrive(container) { drive throws in
            for number in 0..<20 { #expect(try drive.get("p\(number).jpg") == jpeg) }
        }
    }

    @Test(arguments: ["/nonexistent/valise-thumbnailer", "/bin/true"]) func photosWorkWithoutAWorker(_ program: String) throws {
        let container = try TemporaryContainer(), environment = ["VALISE_THUMBNAILER": program]
        try withDrive(container, environment: environment) { drive throws in
            try drive.put("cat.jpg", jpeg)
            #expect(try drive.get("cat.jpg") == jpeg)
        }
        #expect(try container.thumbnail(of: "cat.ptk") == nil)
        #expect(try valise("doctor", environment: environment).output.contains("photos are kept without thumbnails"))
    }

    @Test func photosThatWereLeftWithoutGetTheirsLater() throws {
        let container = try TemporaryContainer(), strange = container.stored("strange.ptk/photo.metadata")
        try withDrive(container, environment: ["VALISE_THUMBNAILER": "/nonexistent/valise-thumbnailer"]) { drive throws in
            try drive.makeFolder("folder")
            for name in ["a.jpg", "b.jpg", "folder/c.jpg", "strange.jpg"] { try drive.put(name, jpeg) }
        }
        // One that an app left so, and one whose metadata is another's.
        try container.add("photo App png metadata=no")
        try Data("something else".utf8).write(to: URL(fileURLWithPath: strange))
        try withDrive(container) { drive throws in
            for package in ["a.ptk", "b.ptk", "folder/c.ptk"] { try drive.awaitThumbnail(of: package) }
            // It came after all of these.
            try drive.put("z.jpg", jpeg)
            try drive.awaitThumbnail(of: "z.ptk")
        }
        #expect(try String(contentsOfFile: strange, encoding: .utf8) == "something else")
        #expect(!FileManager.default.fileExists(atPath: container.stored("App.ptk/photo.metadata")))
    }

    @Test func theDoctorNamesTheFormats() throws {
        #expect(try valise("doctor").output.contains("makes thumbnails of png, jpeg, gif, webp, heif/avif, tiff, bmp"))
    }

    private func modified(_ name: String, _ drive: MountedDrive) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: drive.path(name))[.modificationDate] as? Date
    }
}
