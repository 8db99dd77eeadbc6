import DocumentKit
import Foundation
import MountTesting
import Testing

/// What people lost with other programs, told with an app and a drive. Each test names the report that it is taken from.
@Suite(.mounting, .timeLimit(.minutes(40))) struct OtherToolsStories {
    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// rclone/rclone 9873: a file is made through the mount. Another client appends a line to it, and two seconds later a
    /// program on the mount appends another one to what it has. After that the first line was gone, without a word. Here
    /// both sides are there, and a person chooses.
    @MainActor @Test(arguments: ["--current", "1", "--both"]) func twoClientsAppendALine(choice: String) async throws {
        let container = try TemporaryContainer()
        try await withAwaitedDrive(container) { drive in
            try shell("echo first >test.md", in: drive.mountpoint).good()
            let client = PlainNote(fileURL: URL(fileURLWithPath: container.stored("test.md")))
            #expect(await client.open())
            NSFileCoordinator.removeFilePresenter(client)
            try shell("echo 'of the drive' >>test.md", in: drive.mountpoint).good()
            client.text += "of the client\n"
            client.updateChangeCount(.done)
            #expect(await client.close())
            try await until { text(drive.path("test.md")) == "first\nof the client\n" }
            let conflict = try shell("cat .valise/versions/test.md/*conflict.md", in: drive.mountpoint).good().output
            #expect(conflict == "first\nof the drive\n")
            #expect(try valise("conflicts", drive.mountpoint).good().output.contains("test.md"))
            try valise("resolve", drive.path("test.md"), choice).good()
            let isTheirs = choice == "1"
            #expect(text(drive.path("test.md")) == (isTheirs ? "first\nof the drive\n" : "first\nof the client\n"))
            if choice == "--both" { #expect(text(drive.path("test 1.md")) == "first\nof the drive\n") }
            #expect(try valise("conflicts", drive.mountpoint).good().output == "")
            // What was not chosen is a version still.
            let versions = try shell("cat .valise/versions/test.md/*", in: drive.mountpoint).good().output
            #expect(versions.contains(isTheirs ? "of the client" : "of the drive"))
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }

    /// cryptomator/cryptomator 877: a new document of an app is saved on the drive, closed and opened again, and could not be
    /// opened any more. Here it is what was saved, part by part, and so is each version of it.
    @MainActor @Test(arguments: ["Sheet.numbers", "Sheet.myplan"])
    func aNewPackageIsOpenedAgain(name: String) async throws {
        func parts(_ text: String) -> [String: String] {
            ["Index": text, "preview.jpg": "picture of \(text)", "Metadata.plist": "always"]
        }
        let container = try TemporaryContainer()
        try await withAwaitedDrive(container) { drive in
            let url = URL(fileURLWithPath: drive.path(name)), document = PackageNote(fileURL: url)
            for text in ["one", "two", "three"] {
                document.parts = parts(text)
                #expect(await document.save(to: url, for: text == "one" ? .forCreating : .forOverwriting))
            }
            #expect(await document.close())
            for place in [drive.path(name), container.stored(name)] {
                let again = PackageNote(fileURL: URL(fileURLWithPath: place))
                #expect(await again.open() && again.parts == parts("three"))
                #expect(await again.close())
            }
            try valise("restore", drive.path(name), "2").good()
            let restored = PackageNote(fileURL: url)
            #expect(await restored.open() && restored.parts == parts("one"))
            #expect(await restored.close())
        }
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong"))
    }
}
