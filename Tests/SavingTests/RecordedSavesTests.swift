import Foundation
import MountTesting
import Testing

/// How programs save that are too big for a test: their calls, as they were recorded.
@Suite(.mounting) struct RecordedSavesTests {
    /// What a save is to leave: the document with its new URL, all else as it was, and nothing beside it.
    private func saving(leaves: [String] = [], as content: String = ProgramsSavingTests.newLink, _ calls: (MountedDrive) throws -> Void) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try calls(drive)
            #expect(try drive.text("Page.url") == content)
            let archive = try container.archive("Bookmark_Page-1700000000.123456")
            #expect(archive["Bookmark URL"] == "https://new.example/page")
            #expect(archive["$class"] == "Reader.Bookmark" && archive["Rating"] == "5")
            #expect(try drive.files() == (["Page.url", "cat.jpg"] + leaves).sorted())
            #expect(try container.staged() == [])
        }
    }

    private let new = ProgramsSavingTests.newLink

    @Test func visualStudioCode() throws {
        try saving { drive in
            let file = try OpenedFile(drive.path("Page.url"), O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(new, at: 0)
            try file.synchronize()
            try file.close()
        }
    }

    @Test func libreOffice() throws {
        try saving { drive in
            try drive.put(".~lock.Page.url#", ",ann,host,;")
            try drive.put("lu1234abc.tmp", new)
            try drive.rename("lu1234abc.tmp", "Page.url")
            try drive.remove(".~lock.Page.url#")
        }
    }

    @Test func emacs() throws {
        try saving(leaves: ["Page.url~"]) { drive in
            _ = try checked("symlink", symlink("ann@host.4711:1700000000", drive.path(".#Page.url")))
            try drive.rename("Page.url", "Page.url~")
            try drive.put("Page.url", new)
            try drive.remove(".#Page.url")
        }
    }

    @Test func qtSavesThroughATemporaryFile() throws {
        try saving { drive in
            let file = try OpenedFile(drive.path("Page.url.AbCdEf"), O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(new)
            try file.setMode(0o644)
            try file.synchronize()
            try drive.rename("Page.url.AbCdEf", "Page.url")
            try file.close()
        }
    }

    /// The rename comes while the file is open; what is written after it is the document's all the same.
    @Test func gioGoesOnWritingAfterTheRename() throws {
        try saving(as: new + "; late\n") { drive in
            let file = try OpenedFile(drive.path(".goutputstream-ABCDEF"), O_RDWR | O_CREAT | O_EXCL)
            try file.write(new)
            #expect(throws: Refused(call: "link", number: EPERM)) {
                try checked("link", link(drive.path("Page.url"), drive.path("Page.url~")))
            }
            try drive.rename(".goutputstream-ABCDEF", "Page.url")
            try file.write("; late\n")
            try file.close()
        }
    }

    /// A file manager's: the information file through a temporary one, then the document itself; and back again.
    @Test func trashAndBack() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            for folder in [".Trash-0", ".Trash-0/info", ".Trash-0/files"] { try drive.makeFolder(folder) }
            try OpenedFile(drive.path(".Trash-0/info/Page.url.trashinfo"), O_WRONLY | O_CREAT | O_EXCL, mode: 0o600).close()
            let information = try OpenedFile(drive.path(".Trash-0/info/.goutputstream-X"), O_WRONLY | O_CREAT | O_EXCL)
            try information.allocate(60)
            try information.truncate(to: 0)
            try information.write("[Trash Info]\nPath=Page.url\n")
            try drive.rename(".Trash-0/info/.goutputstream-X", ".Trash-0/info/Page.url.trashinfo")
            try information.close()
            let content = try drive.text("Page.url")
            try drive.rename("Page.url", ".Trash-0/files/Page.url")
            #expect(try drive.text(".Trash-0/files/Page.url") == content)
            try drive.rename(".Trash-0/files/Page.url", "Page.url")
            #expect(try drive.text("Page.url") == content)
            #expect(try container.archive("Bookmark_Page-1700000000.123456")["Rating"] == "5")
        }
    }
}
