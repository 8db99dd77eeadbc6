import Foundation
import MountTesting
import Testing

/// A save that fails because of the store is told whoever closes the file, whether the document is new, and whether what is
/// new is a document at all; and what was written is saved when the store works again.
@Suite(.mounting) struct FailedSaveTests {
    private static let names = ["New.txt": "new\n", "New.url": "[InternetShortcut]\nURL=https://example.org/\n", "Old.txt": "new\n", "None.url": "no link\n"]

    @Test(arguments: [EINVAL, ENOSPC, EREMOTEIO]) func whoClosesItIsTold(_ error: Int32) throws {
        let container = try TemporaryContainer("text Old old")
        let failing = container.beside("failing")
        let environment = [
            "LD_PRELOAD": try preloaded("failing_renames.c", beside: container), "FAILING": failing, "FAILING_NUMBER": "\(error)",
        ]
        try withDrive(container, options: "rw,create=bookmark,text", environment: environment) { drive in
            #expect(FileManager.default.createFile(atPath: failing, contents: nil))
            for (name, content) in Self.names {
                let file = try OpenedFile(drive.path(name), O_WRONLY | O_CREAT | O_TRUNC)
                try file.write(content)
                #expect(throws: Refused(call: "close", number: error), "\(name)") { try file.close() }
                #expect(try drive.text(name) == content)
                #expect(try drive.status().reason(of: name)?.contains("could not be saved") == true)
            }
            #expect(try container.bytes("Old.stedoc") == Data("old".utf8))
            unlink(failing)
            #expect(try eventually { try drive.status().drafts.isEmpty && drive.status().errors.isEmpty })
            for (name, content) in Self.names { #expect(try drive.text(name) == content) }
            #expect(try container.bytes("Old.stedoc") == Data("new\n".utf8))
            #expect(try container.bytes("New.stedoc") == Data("new\n".utf8))
            #expect(try container.bytes("None.url") == Data("no link\n".utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
    }
}
