import DocumentKit
import Foundation
import MountTesting
import Testing

/// An app saves a package that the drive shows as one flat file: for programs on the drive that is one step.
@Suite(.mounting, .timeLimit(.minutes(40))) struct SavedFlatPackageTests {
    private final class Letter: UIDocument {
        var text = "one"
        private var package = FileWrapper(directoryWithFileWrappers: [:])

        override func contents(forType typeName: String) throws -> Any {
            if let old = package.fileWrappers?["TXT.rtf"] { package.removeFileWrapper(old) }
            package.addRegularFile(withContents: Data(text.utf8), preferredFilename: "TXT.rtf")
            return package
        }

        override func load(fromContents contents: Any, ofType typeName: String?) throws {
            guard let wrapper = contents as? FileWrapper else { return }
            package = wrapper
            text = String(decoding: wrapper.fileWrappers?["TXT.rtf"]?.regularFileContents ?? Data(), as: UTF8.self)
        }
    }

    private let container: TemporaryContainer
    private var package: String { container.stored("Note.rtfd") }

    init() throws {
        container = try TemporaryContainer()
        try shell("""
            mkdir -m 700 .valise; mkdir -p Note.rtfd/more; echo one >Note.rtfd/TXT.rtf; chmod 640 Note.rtfd/TXT.rtf
            head -c 400000 /dev/urandom >Note.rtfd/more/map.png; chmod 750 Note.rtfd; setfattr -n user.mine -v me Note.rtfd
            """, in: container.path).good()
    }

    @MainActor private func opened() async throws -> Letter {
        let letter = Letter(fileURL: URL(fileURLWithPath: package))
        #expect(await letter.open())
        return letter
    }

    @MainActor private func save(_ text: String, _ letter: Letter) async {
        letter.text = text
        letter.updateChangeCount(.done)
        #expect(await letter.save(to: letter.fileURL, for: .forOverwriting))
    }

    private func parts(_ drive: MountedDrive) throws -> String {
        try shell("unzip -p Note.rtfd TXT.rtf", in: drive.mountpoint).good().output
    }

    /// Who has the old file open gets no byte of the new one.
    @MainActor @Test func whoReadsTheOldOneGetsNothingOfTheNew() async throws {
        try await withAwaitedDrive(container) { drive in
            let letter = try await opened(), file = try #require(FileHandle(forReadingAtPath: drive.path("Note.rtfd")))
            let before = try Data(contentsOf: URL(fileURLWithPath: drive.path("Note.rtfd")))
            let other = try #require(FileHandle(forReadingAtPath: drive.path("Note.rtfd")))
            await save("two, and longer", letter)
            #expect(try parts(drive) == "two, and longer")
            for handle in [file, other] {
                // What the kernel has of the old one, or nothing.
                guard let all = try? handle.readToEnd() else { continue }
                #expect(before.starts(with: all))
            }
            #expect(await letter.close())
        }
    }

    /// Nor what the kernel keeps of the new one for those who read that.
    @MainActor @Test func whatOthersReadOfTheNewOneIsNotTheOldOnes() async throws {
        try await withAwaitedDrive(container) { drive in
            let letter = try await opened(), url = URL(fileURLWithPath: drive.path("Note.rtfd"))
            for round in 0..<8 {
                let before = try Data(contentsOf: url), old = try #require(FileHandle(forReadingAtPath: url.path))
                let start = try #require(try old.read(upToCount: 100))
                await save(String(repeating: "round \(round) ", count: 500 + 100 * round), letter)
                for _ in 0..<3 { #expect(try Data(contentsOf: url) != before) }
                if let rest = try? old.readToEnd() { #expect(before.starts(with: start + rest)) }
                try old.close()
            }
            #expect(await letter.close())
        }
    }

    /// The package is another folder, with the permissions and attributes of the old one. What was not changed is the same file.
    @MainActor @Test func whatTheAppHasNotTouchedStays() async throws {
        try await withAwaitedDrive(container) { drive in
            let letter = try await opened(), facts = "stat -c '%a %i' Note.rtfd/more/map.png; stat -c %a Note.rtfd Note.rtfd/TXT.rtf"
            let look = facts + "; getfattr --only-values -n user.mine Note.rtfd"
            let before = try shell(look, in: container.path).good().lines
            await save("two", letter)
            #expect(try shell(look, in: container.path).good().lines == before)
            #expect(try shell("unzip -p .valise/versions/Note.rtfd/* TXT.rtf", in: drive.mountpoint).good().output == "one\n")
            #expect(await letter.close())
        }
    }

    /// Another program has changed any part, and not only the first one that each such package has.
    @MainActor @Test func aChangeOfAnyPartIsAConflict() async throws {
        try await withAwaitedDrive(container) { drive in
            let letter = try await opened()
            NSFileCoordinator.removeFilePresenter(letter)
            try shell("echo theirs >Note.rtfd/more/theirs.txt", in: container.path).good()
            await save("mine", letter)
            NSFileCoordinator.addFilePresenter(letter)
            #expect(try parts(drive) == "mine" && valise("conflicts", drive.mountpoint).good().output.contains("Note.rtfd"))
            let conflict = "unzip -p .valise/versions/Note.rtfd/*conflict* more/theirs.txt"
            #expect(try shell(conflict, in: drive.mountpoint).good().output == "theirs\n")
            #expect(await letter.close())
        }
    }
}
