import Foundation
import MountTesting
import Testing

/// A document that is given a foreign name is a plain file; with a name of its kind it is the same document again, with its versions: whenever that
/// is, and wherever it has been meanwhile.
@Suite(.mounting) struct FormerDocumentTests {
    private func documents() throws -> TemporaryContainer {
        let container = try appDocuments()
        try Data("one\n".utf8).write(to: URL(fileURLWithPath: container.stored("Notes.stedoc")))
        return container
    }

    private static let changes = ["Notes.txt": "echo two >Notes.txt", "Page.url": "sed -i s/old/new/ Page.url", "cat.jpg": "printf x >>cat.jpg"]

    /// What was put away is among the deleted when the drive is gone, and after a moment anyway.
    private func withDrives(
        _ container: TemporaryContainer, isLater: Bool, _ first: (MountedDrive) throws -> Void, _ second: (MountedDrive) throws -> Void
    ) throws {
        try withDrive(container, options: "rw") { drive in
            try first(drive)
            if !isLater { try second(drive) }
        }
        if isLater { try withDrive(container, options: "rw") { drive in try second(drive) } }
    }

    @Test(arguments: ["Notes.txt", "Page.url", "cat.jpg"], [false, true]) func itIsTheSameDocument(file: String, isLater: Bool) throws {
        let container = try documents(), items = try container.storedFiles()
        var shown = Data(), versions = ""
        try withDrives(container, isLater: isLater) { drive in
            try shell(Self.changes[file]!, file, in: drive.mountpoint).good()
            versions = try self.versions(of: file, drive)
            #expect(versions != "")
            try shell("mv \"$1\" \"$1.bak\"", file, in: drive.mountpoint).good()
            shown = try drive.get(file + ".bak")
        } _: { drive in
            try shell("mv \"$1.bak\" \"$1\"", file, in: drive.mountpoint).good()
            #expect(try drive.get(file) == shown)
            // A thumbnail may have come.
            #expect(try Set(items).isSubset(of: container.storedFiles()))
            #expect(try container.storedFiles().filter { !$0.contains("/") } == items.filter { !$0.contains("/") })
            // None more: it came back as it went.
            #expect(try self.versions(of: file, drive) == versions)
            if file == "Page.url" { #expect(try container.archive("Bookmark_Page-1700000000.123456")["Rating"] == "5") }
            #expect(try container.deleted() == [])
        }
    }

    @Test(arguments: [false, true]) func withAnotherNameInAnotherFolder(isLater: Bool) throws {
        let container = try documents()
        try withDrives(container, isLater: isLater) { drive in
            try shell("echo two >Notes.txt; mkdir Trip; mv Notes.txt Trip/old; mv Trip/old Trip/older; mv Page.url Trip/link", in: drive.mountpoint).good()
        } _: { drive in
            try shell("echo three >>Trip/older; mv Trip/older Trip/Plan.txt; mv Trip/link Trip/Site.url", in: drive.mountpoint).good()
            #expect(try shell("cat Trip/Plan.txt", in: drive.mountpoint).good().output == "two\nthree\n")
            let versions = try shell("cat .valise/versions/Trip/Plan.txt/*", in: drive.mountpoint).good().output
            #expect(versions.hasPrefix("one\n"), "\(versions)")
            #expect(try container.storedFiles().filter { $0.hasPrefix("Trip/") } == ["Trip/Bookmark_Page-1700000000.123456", "Trip/Plan.stedoc"])
            let archive = try container.archive("Trip/Bookmark_Page-1700000000.123456")
            #expect(archive["Bookmark Name"] == "Site" && archive["Rating"] == "5")
            #expect(try container.deleted() == [])
        }
    }

    /// Where another one has the name by now, that one gets the content, as of any file; and what does not fit is a plain file.
    @Test func whatIsNotItStaysWhatItIs() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell("echo two >Notes.txt; mv Notes.txt a.bak; cp -a a.bak copy.bak; printf 'caf\\351' >a.bak", in: drive.mountpoint).good()
        }
        try withDrive(container, options: "rw") { drive in
            // A copy is another file.
            try shell("mv copy.bak Copy.txt; mv a.bak Other.txt", in: drive.mountpoint).good()
            #expect(drive.fact("kind", of: "Other.txt") == "plain")
            #expect(try container.deleted() == ["Notes.txt"])
            #expect(try shell("test -e .valise/versions/Copy.txt", in: drive.mountpoint).code != 0)
            try shell("mv Other.txt a.bak; echo three >a.bak; mv a.bak Notes.txt", in: drive.mountpoint).good()
            // With what it was as a plain file.
            #expect(try shell("cat .valise/versions/Notes.txt/*", in: drive.mountpoint).good().output == "one\ntwo\ncaf\u{FFFD}")
            #expect(try container.deleted() == [])
            // Nobody says by himself which one a file was.
            #expect(try shell("setfattr -n user.valise.former -v 1.0.0 Copy.txt", in: drive.mountpoint).code != 0)
        }
    }

    /// What had the name a moment ago is another document, and stays that.
    @Test(arguments: [false, true]) func underTheNameThatAnotherOneHad(isLater: Bool) throws {
        let container = try documents()
        try withDrives(container, isLater: isLater) { drive in
            try shell("echo two >Notes.txt; mv Notes.txt a.bak; echo 1 >Other.txt; echo 2 >Other.txt", in: drive.mountpoint).good()
        } _: { drive in
            try shell("mv Other.txt b.bak; mv a.bak Other.txt; mv b.bak Back.txt", in: drive.mountpoint).good()
            #expect(try shell("cat .valise/versions/Other.txt/* .valise/versions/Back.txt/*", in: drive.mountpoint).good().output == "one\n1\n")
            #expect(try shell("cat Other.txt Back.txt", in: drive.mountpoint).good().output == "two\n2\n")
            #expect(try container.deleted() == [])
        }
    }

    /// The drive that brings it back keeps no versions and nothing that is deleted; its folder is gone; it was changed after that.
    @Test(arguments: ["rw", "versions=off", "deleted=off", "versions=off,deleted=off"]) func whateverTheDriveKeeps(options: String) throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell("mkdir Trip; echo two >Notes.txt; mv Notes.txt Trip", in: drive.mountpoint).good()
            try shell("mv Trip/Notes.txt a.bak; mv a.bak b.bak; rmdir Trip; echo three >>b.bak", in: drive.mountpoint).good()
        }
        try withDrive(container, options: options) { drive in
            try shell("mv b.bak Notes.txt", in: drive.mountpoint).good()
            #expect(try drive.get("Notes.txt") == Data("two\nthree\n".utf8))
            let versions = try shell("cat .valise/versions/Notes.stedoc/*", in: container.path).good().output
            #expect(versions == (options.hasPrefix("versions=off") ? "one\n" : "one\ntwo\n"))
            #expect(try container.deleted() == [])
        }
    }

    /// It was removed for good, by the drive or in the container, or the file is somebody else's: then it is a new document.
    @Test(arguments: ["rm .valise/deleted/*/Notes.txt", "rm -r \"$CONTAINER\"/.valise/deleted/1*"] + (geteuid() == 0 ? ["chown 1000 a.bak"] : []))
    func whatIsGoneIsGone(command: String) throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in
            try shell("echo two >Notes.txt; mv Notes.txt a.bak; echo >Other.txt", in: drive.mountpoint).good()
        }
        try withDrive(container, options: "rw") { drive in
            try shell("CONTAINER=$1; \(command) && mv a.bak Notes.txt", container.path, in: drive.mountpoint).good()
            #expect(try drive.get("Notes.txt") == Data("two\n".utf8))
            #expect(drive.fact("kind", of: "Notes.txt") == "text")
            #expect(try versions(of: "Notes.txt", drive) == "")
        }
    }

    private func versions(of file: String, _ drive: MountedDrive) throws -> String {
        try shell("ls .valise/versions/\"$1\" 2>/dev/null; true", file, in: drive.mountpoint).good().output
    }

    /// A number alone says nothing: another container has given it, too.
    @Test func anotherContainersFileIsNone() throws {
        let container = try documents()
        try withDrive(container, options: "rw") { drive in try shell("echo two >Notes.txt; rm Notes.txt", in: drive.mountpoint).good() }
        try shell("echo far >far.bak; setfattr -n user.valise.former -v 1.1700000000.5 far.bak", in: container.path).good()
        try withDrive(container, options: "rw") { drive in
            try shell("mv far.bak Far.txt", in: drive.mountpoint).good()
            #expect(try container.deleted() == ["Notes.txt"])
        }
    }
}
