import Foundation
import MountTesting
import Testing

/// An image whose end is missing, saved because somebody else asks for it or the drive was killed, and not because whoever writes it
/// was done: it stays a draft. What is closed is saved as it is.
@Suite(.mounting) struct HalfImageTests {
    private static let ending = Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
    private static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7) }) + ending
    /// A preview in the head has an end of its own.
    private static let photograph = Data([0xFF, 0xD8, 0xFF, 0xE1, 0, 10, 0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xD9, 0, 0, 0xFF, 0xDA, 0, 2])
        + Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F }) + Data([0xFF, 0xD9])
    static let whole = [("Cat.png", "png", picture), ("Cat.jpg", "jpeg", photograph)]

    /// Written and not closed.
    private func begin(_ name: String, _ bytes: Data, on drive: MountedDrive) throws -> OpenedFile {
        let file = try OpenedFile(drive.path(name), O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(bytes)
        return file
    }

    /// Kills the drive in between.
    private func beginAndKill(_ name: String, _ bytes: Data, on drive: MountedDrive) throws {
        try Program.whileNoneStarts {
            let file = try begin(name, bytes, on: drive)
            try drive.kill()
            try? file.close()
        }
        umount2(drive.mountpoint, Int32(MNT_DETACH))
    }

    @Test(arguments: whole) func aKilledDriveLeavesADraft(name: String, kind: String, image: Data) throws {
        let container = try TemporaryContainer("photo Cat \(kind)"), half = image.prefix(5000), before = try container.bytes("Cat.ptk/photo.data")
        let drive = try MountedDrive(container)
        try beginAndKill(name, half, on: drive)
        try withDrive(container) { drive in
            #expect(try container.bytes("Cat.ptk/photo.data") == before)
            #expect(try drive.get(name) == half && drive.fact("state", of: name) == "draft")
            #expect(try valise("status", drive.mountpoint).good().output.contains("“\(name)”: the image has no end"))
            #expect(drive.log.contains("“\(name)” was written before the last drive ended, and is not saved: the image has no end"), "\(drive.log)")
            #expect(drive.log.contains(". The drive shows what was written") && !drive.log.contains(".."), "\(drive.log)")
            // It goes along as the draft that it is.
            let other = "Other" + name.suffix(4)
            try shell("mv \(name) \(other)", in: drive.mountpoint).good()
            #expect(try drive.get(other) == half && drive.fact("state", of: other) == "draft")
            try shell("mv \(other) \(name)", in: drive.mountpoint).good()
            // Who closes it says that it is all there is.
            try shell(": >>\(name)", in: drive.mountpoint).good()
            #expect(try drive.get(name) == half && drive.fact("state", of: name) == "saved")
        }
        #expect(try container.bytes("Cat.ptk/photo.data") != before)
    }

    /// A new one is a plain file then, which says why, and what to do.
    @Test func aNewOneSaysWhatItIs() throws {
        let (name, kind, image) = Self.whole[0], container = try TemporaryContainer("photo Cat \(kind)"), new = "New" + name.suffix(4)
        let drive = try MountedDrive(container)
        try beginAndKill(new, image.prefix(5000), on: drive)
        try withDrive(container) { drive in
            #expect(drive.fact("kind", of: new) != "photo")
            let info = try valise("info", drive.path(new)).good().output
            #expect(info.contains("the image has no end, and nobody has closed it") && info.contains("open it for writing and close it"), "\(info)")
            try run("touch", drive.path(new)).good()
            #expect(drive.fact("kind", of: new) == "photo")
        }
    }

    @Test func itCanBeGivenUp() throws {
        let (name, kind, image) = Self.whole[0], container = try TemporaryContainer("photo Cat \(kind)"), before = try container.bytes("Cat.ptk/photo.data")
        let drive = try MountedDrive(container)
        try beginAndKill(name, image.prefix(5000), on: drive)
        try withDrive(container) { drive in
            try valise("restore", drive.path(name), "--saved").good()
            #expect(try drive.fact("state", of: name) == "saved" && container.bytes("Cat.ptk/photo.data") == before)
        }
    }

    /// What programs put behind the end does not matter.
    @Test(arguments: whole) func whatHasItsEndIsSaved(name: String, kind: String, image: Data) throws {
        let container = try TemporaryContainer("photo Cat \(kind)"), image = image + Data(repeating: 0, count: 200_000) + Data("more".utf8)
        let drive = try MountedDrive(container)
        try beginAndKill(name, image, on: drive)
        try withDrive(container) { drive in
            let shown = try drive.get(name)
            #expect(shown == image && drive.fact("state", of: name) == "saved")
        }
    }

    @Test(arguments: whole) func aClaimLeavesADraft(name: String, kind: String, image: Data) throws {
        let container = try TemporaryContainer("photo Cat \(kind)"), before = try container.bytes("Cat.ptk/photo.data")
        try withDrive(container) { drive in
            // Another process has it open: who starts one closes a copy of what it has open itself.
            let half = container.beside("half"), rest = container.beside("rest"), go = container.beside("go")
            try image.prefix(5000).write(to: URL(fileURLWithPath: half))
            try image.dropFirst(5000).write(to: URL(fileURLWithPath: rest))
            let writer = try Program(["python3", "-c", """
                import os, sys, time
                name, half, rest, go = sys.argv[1:]
                file = os.open(name, os.O_WRONLY | os.O_TRUNC)
                os.write(file, open(half, "rb").read())
                for step, more in ("1", open(rest, "rb").read()), ("2", b""):
                    open(go + step + "begun", "w").close()
                    while not os.path.exists(go + step): time.sleep(0.01)
                    os.write(file, more)
                os.close(file)
                """, drive.path(name), half, rest, go])
            func wait(for word: String) { #expect(eventually { access(go + word, F_OK) == 0 }) }
            func goOn(_ word: String) throws { try Data().write(to: URL(fileURLWithPath: go + word)) }
            wait(for: "1begun")
            try valise("coordinate", drive.path(name), "--", "true").good()
            #expect(try container.bytes("Cat.ptk/photo.data") == before)
            try goOn("1")
            wait(for: "2begun")
            try valise("coordinate", drive.path(name), "--", "true").good()
            #expect(try container.bytes("Cat.ptk/photo.data") != before)
            try goOn("2")
            #expect(try writer.wait().code == 0)
            #expect(try drive.get(name) == image && drive.fact("state", of: name) == "saved")
        }
    }
}
