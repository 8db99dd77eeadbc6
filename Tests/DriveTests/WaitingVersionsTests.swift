import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Drive

/// A deleted document waits in case its name comes back, and its versions lie under its item's name. What gets that item's name meanwhile, and is shown
/// under another one, has versions of its own.
@Suite struct WaitingVersionsTests {
    private let drive = try! UnmountedDrive(keeps: true)

    private var deleted: [DeletedItem] { drive.drive.parts.workshop?.deletedItems ?? [] }

    /// Writes each content in its turn: each one but the last is a version then.
    private func make(_ name: String, _ contents: [Data], in folder: NodeID = UnmountedDrive.root) throws {
        for (index, content) in contents.enumerated() {
            let handle = try index == 0 ? drive.create(name, in: folder).handle : drive.open(drive.lookUp(name, in: folder), O_RDWR | O_TRUNC)
            try drive.write(Array(content), to: handle)
            try drive.set(drive.lookUp(name, in: folder), handle: handle) { $0.size = Int64(content.count) }
            try drive.flush(handle)
            drive.release(handle)
        }
    }

    private func makePhotos(in folder: NodeID = UnmountedDrive.root) throws {
        try make("cat.jpg", [image(10), image(20)], in: folder)
        try make("dog.png", [png("one"), png("three")], in: folder)
    }

    /// What begins as such an image does.
    private func png(_ text: String) -> Data { Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(text.utf8) }

    /// The sizes of all that a photo was. Each begins with as many bytes of its app.
    private func versions(_ path: String) throws -> [Int] {
        let files = try shell("cd .valise/versions && find \"$1\" -type f -name photo.data -printf '%s\\n' | sort -n", path, in: drive.path).output
        return files.split(separator: "\n").compactMap { Int($0) }.map { $0 - headLength }
    }

    private let headLength: Int = {
        let other = try! UnmountedDrive(), made = try! other.create("one.jpg")
        _ = try! other.write(Array(image(10)), to: made.handle)
        try! other.flush(made.handle)
        other.release(made.handle)
        return other.storedBytes("one.ptk/photo.data")!.count - image(10).count
    }()

    private var cat: Int { image(10).count }
    private var dog: Int { png("one").count }

    /// What waits does so no longer, comes back, and has what it was.
    private func expectCat(with count: Int = 1) throws {
        drive.drive.parts.removed.forgetAll()
        let item = try #require(deleted.first { $0.shown.description == "cat.jpg" })
        #expect(try drive.drive.parts.container.versionCount(of: item) == count)
    }

    @Test func whatIsRenamedToItHasItsOwn() throws {
        try makePhotos()
        try drive.unlink("cat.jpg")
        try drive.rename("dog.png", to: "cat.png")
        #expect(try versions("cat.ptk") == [dog])
        try expectCat()
        #expect(try versions("cat.ptk") == [dog])
    }

    @Test func whatIsNewHasNone() throws {
        try makePhotos()
        try drive.unlink("cat.jpg")
        try make("cat.png", [png("new")])
        #expect(try versions("cat.ptk") == [])
        try expectCat()
    }

    @Test func whatWasMadeUnderAnotherNameHasNone() throws {
        try makePhotos()
        _ = try drive.make("fresh", "x")
        try drive.unlink("cat.jpg")
        let handle = try drive.open(drive.lookUp("fresh"), O_RDWR)
        try drive.write(Array(png("x")), to: handle)
        drive.release(handle)
        try drive.rename("fresh", to: "cat.png")
        #expect(try versions("cat.ptk") == [])
        try expectCat()
    }

    /// Of one item's name, one after another waits.
    @Test func eachHasItsOwn() throws {
        try makePhotos()
        try drive.unlink("cat.jpg")
        try drive.rename("dog.png", to: "cat.png")
        try drive.unlink("cat.png")
        try make("cat.png", [png("other")])
        drive.drive.parts.removed.forgetAll()
        #expect(try deleted.map { try drive.drive.parts.container.versionCount(of: $0) } == [1])
        #expect(try versions("cat.ptk") == [dog, png("other").count])
    }

    /// Its name comes back: it has what it was, and what was replaced just now.
    @Test func itComesBackWithThem() throws {
        try makePhotos()
        try drive.unlink("cat.jpg")
        try drive.rename("dog.png", to: "cat.png")
        try make("cat.jpg", [image(30)])
        #expect(deleted.isEmpty)
        let stored = try drive.attribute("user.valise.stored-name", of: drive.lookUp("cat.jpg"))
        #expect(stored != "cat.ptk")
        #expect(try versions(stored) == [cat, cat + 10])
        #expect(try versions("cat.ptk") == [dog])
    }

    /// The first of two that had one item's name comes back, with a version of what it was: the other one's are not its own.
    @Test func theFirstOfTwoComesBack() throws {
        try makePhotos()
        try drive.unlink("cat.jpg")
        try drive.rename("dog.png", to: "cat.png")
        try drive.unlink("cat.png")
        try make("cat.jpg", [image(30)])
        #expect(try versions("cat.ptk") == [cat, cat + 10])
        drive.drive.parts.removed.forgetAll()
        #expect(try deleted.map { try drive.drive.parts.container.versionCount(of: $0) } == [1])
    }

    @Test func whatChangesPlacesHasItsOwn() throws {
        let album = try drive.makeFolder("Album")
        try makePhotos()
        try make("cat.png", [png("other"), png("others")])
        try make("cow.png", [png("1"), png("22")], in: album)
        try drive.unlink("cat.jpg")
        try drive.rename("cow.png", in: album, to: "cat.png", into: UnmountedDrive.root, flags: 2)
        #expect(try versions("Album") == [png("other").count])
        try expectCat()
    }

    /// What waits in a folder goes among the deleted before the folder is another one.
    @Test(arguments: [false, true]) func aFolderIsMoved(exchanged: Bool) throws {
        let album = try drive.makeFolder("Album"), deep = try drive.makeFolder("Deep", in: album)
        _ = try drive.makeFolder("Other")
        try makePhotos(in: deep)
        try make("cat.jpg", [image(10), image(20)], in: album)
        for folder in [album, deep] { try drive.unlink("cat.jpg", in: folder) }
        if exchanged { try drive.rename("Other", to: "Album", flags: 2) } else { try drive.rename("Album", to: "Moved") }
        #expect(deleted.count == 2)
        for item in deleted {
            #expect(item.path.first?.description == "Album")
            #expect(try drive.drive.parts.container.versionCount(of: item) == 1)
        }
        #expect(try versions(exchanged ? "Other/Deep" : "Moved/Deep") == [dog])
    }

    /// Anything may have the name of an item.
    @Test func aFolderIsCalledAsTheItem() throws {
        try make("Notes.txt", [Data("one".utf8), Data("two".utf8)])
        try drive.unlink("Notes.txt")
        _ = try drive.makeFolder("Notes.stedoc")
        drive.drive.parts.removed.forgetAll()
        #expect(try deleted.map { try drive.drive.parts.container.versionCount(of: $0) } == [1])
    }
}
