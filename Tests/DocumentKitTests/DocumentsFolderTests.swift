import DocumentKit
import Foundation
import MountTesting
import Testing

/// The folder that documents have of their own comes later than the container, or is another one by now, while an app uses it.
@MainActor
@Suite(.mounting, .timeLimit(.minutes(40))) struct DocumentsFolderTests {
    private final class Note: UIDocument {
        var text = ""
        override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
        override func load(fromContents contents: Any, ofType typeName: String?) throws { text = String(decoding: contents as? Data ?? Data(), as: UTF8.self) }
        var sentences: [String] = []
        override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
            sentences.append((error as NSError).localizedDescription)
            super.handleError(error, userInteractionPermitted: userInteractionPermitted)
        }
    }

    private func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// As in the first run of an app: it has asked for something before it makes the folder.
    @Test func itIsMadeLater() async throws {
        let container = try TemporaryContainer(), top = URL(fileURLWithPath: container.path), documents = top.appendingPathComponent("Documents")
        mkdir(container.path + "/.valise", 0o700)
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: top.appendingPathComponent("First.stedoc"), options: [], error: nil) { try? Data("first".utf8).write(to: $0) }
        let early = Note(fileURL: top.appendingPathComponent("New.stedoc"))
        #expect(await early.open() == false)
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: false)
        let note = Note(fileURL: documents.appendingPathComponent("New.stedoc"))
        note.text = "one"
        #expect(await note.save(to: note.fileURL, for: .forCreating))
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "one" && !FileManager.default.fileExists(atPath: container.path + "/New.stedoc"))
        note.text = "two"
        note.updateChangeCount(.done)
        #expect(await note.close())
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "two" && FileManager.default.contentsOfDirectory(atPath: documents.path).sorted() == ["New.stedoc"])
        // Another process has it there.
        try valise("versions", note.fileURL.path).good()
    }

    /// A copy takes its place, while a document in it is open.
    @Test func itIsReplaced() async throws {
        let container = try TemporaryContainer("folder Documents\ntext Documents/Notes one"), documents = container.path + "/Documents"
        mkdir(container.path + "/.valise", 0o700)
        let note = Note(fileURL: URL(fileURLWithPath: documents + "/Notes.stedoc"))
        #expect(await note.open())
        try shell("cp -a Documents ../copy && rm -rf Documents && sleep 0.2 && mv ../copy Documents", in: container.path).good()
        note.text = "two"
        note.updateChangeCount(.done)
        try await awaited("it is saved") { (try? String(contentsOfFile: documents + "/Notes.stedoc", encoding: .utf8)) == "two" }
        let new = Note(fileURL: URL(fileURLWithPath: documents + "/New.stedoc"))
        #expect(await new.save(to: new.fileURL, for: .forCreating))
        #expect(await new.close())
        #expect(await note.close())
        #expect(try FileManager.default.contentsOfDirectory(atPath: documents).sorted() == ["New.stedoc", "Notes.stedoc"])
        try Program(["sh", "-c", "\"$1\" coordinate --write \"$2\" -- true", "sh", Places.valise, documents + "/New.stedoc"]).wait().good()
    }

    /// It is renamed while an app uses it: what lies beside it since then is none of its documents.
    @Test(arguments: [false, true]) func itIsRenamed(byADrive isMounted: Bool) async throws {
        let container = try TemporaryContainer("folder Documents\ntext Documents/Notes one"), path = container.path
        mkdir(path + "/.valise", 0o700)
        func check() async throws {
            let note = Note(fileURL: URL(fileURLWithPath: path + "/Documents/Notes.stedoc"))
            #expect(await note.open() && note.text == "one")
            try shell("mv Documents Old", in: path).good()
            let beside = Note(fileURL: URL(fileURLWithPath: path + "/New.stedoc"))
            beside.text = "beside"
            _ = await beside.save(to: beside.fileURL, for: .forCreating)
            _ = await beside.close()
            // Another process finds no folder for documents.
            let other = try valise("coordinate", "--write", path + "/Second.stedoc", "--", "sh", "-c", "printf second >\"$VALISE_ITEM\"")
            #expect(isMounted == (other.code == 125) && isMounted == other.errors.contains("put it back"), "\(other.errors)")
            let app = try Program([Places.built + "/DocumentTrial", path + "/Third.stedoc", "edit:third", "create", "close"]).wait().good()
            #expect(app.output.contains("create \(!isMounted)"), "\(app.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/Old") == ["Notes.stedoc"])
            #expect(contents(path + "/Second.stedoc") == (isMounted ? nil : "second") && contents(path + "/Third.stedoc") == (isMounted ? nil : "third"))
            try shell("mv Old Documents", in: path).good()
            note.text = "two"
            note.updateChangeCount(.done)
            try await awaited("it is saved") { contents(path + "/Documents/Notes.stedoc") == "two" }
            #expect(await note.close())
        }
        if isMounted { try await withAwaitedDrive(container) { _ in try await check() } } else { try await check() }
    }

    /// A drive goes on with what it shows. Who coordinates would have other names for that, and is told what to do.
    @Test func itIsMadeBesideADrive() async throws {
        let container = try TemporaryContainer("text First one"), path = container.path, new = path + "/Documents/New.stedoc"
        try await withAwaitedDrive(container) { drive in
            let early = Note(fileURL: URL(fileURLWithPath: drive.path("First.txt")))
            #expect(await early.open() && early.text == "one")
            // One of the same name, which is another one.
            try shell("mkdir Documents && printf theirs >Documents/First.stedoc", in: path).good()
            let note = Note(fileURL: URL(fileURLWithPath: new)), sentence = "“Documents” was made after the drive on “\(drive.mountpoint)” was mounted"
            note.text = "mine"
            #expect(await note.save(to: note.fileURL, for: .forCreating) == false)
            #expect(note.sentences.count == 1 && note.sentences[0].contains(sentence), "\(note.sentences)")
            #expect(note.documentState.contains(.savingError))
            let theirs = Note(fileURL: URL(fileURLWithPath: path + "/Documents/First.stedoc"))
            #expect(await theirs.open() == false && theirs.sentences.first?.contains(sentence) == true)
            for words in [["coordinate", new, "--", "true"], ["coordinate", "--write", new, "--", "true"], ["restore", "1", path + "/Documents/First.stedoc"]] {
                let refused = try Program([Places.valise] + words).wait()
                #expect(refused.code != 0 && (refused.errors.contains(sentence) || words[0] == "restore"), "\(words): \(refused.errors)")
            }
            #expect(try valise("status", drive.mountpoint).good().output.contains(sentence))
            let found = try valise("doctor", path)
            #expect(found.output.contains("problem  \(sentence)") && found.output.contains("valise unmount \(drive.mountpoint) && valise mount \(path) \(drive.mountpoint)"), "\(found.output)")
            let versions = try valise("versions", drive.path("First.txt"))
            #expect(versions.code == 1 && versions.errors.contains(sentence), "\(versions.errors)")
            // Whoever uses the drive itself has the names that it gives.
            early.text = "two"
            early.updateChangeCount(.done)
            #expect(await early.close())
            let again = Note(fileURL: early.fileURL)
            #expect(await again.open() && again.text == "two")
            #expect(await again.close())
            let shown = try valise("coordinate", "--write", drive.path("First.txt"), "--", "true").good()
            #expect(shown.errors.contains(sentence) && !shown.errors.contains("name it in the container"), "\(shown.errors)")
            #expect(contents(path + "/First.stedoc") == "two" && contents(path + "/Documents/First.stedoc") == "theirs")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { !$0.hasPrefix(".") } == ["Documents", "First.stedoc"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/Documents") == ["First.stedoc"])
        }
        // Mounted again, the drive shows it.
        try await withAwaitedDrive(container) { drive in
            let note = Note(fileURL: URL(fileURLWithPath: new))
            note.text = "mine"
            #expect(await note.save(to: note.fileURL, for: .forCreating))
            #expect(await note.close())
            #expect(contents(new) == "mine" && contents(drive.path("New.txt")) == "mine")
        }
    }

    /// Settings stay where they were made, and everybody has the same.
    @Test func settingsAreKeptWhenItIsMade() async throws {
        let container = try TemporaryContainer("text First one"), folder = URL(fileURLWithPath: container.path)
        func keys() -> [String] { NSUbiquitousKeyValueStore(container: folder).dictionaryRepresentation.keys.sorted() }
        try await withAwaitedDrive(container) { drive in
            func set(_ key: String) {
                let store = NSUbiquitousKeyValueStore(container: folder)
                store.set("value", forKey: key)
                #expect(store.synchronize())
            }
            set("before")
            mkdir(container.path + "/Documents", 0o755)
            #expect(keys() == ["before"])
            set("after")
            try shell("printf value >\"$1\"", drive.path(".valise/kvs/drive")).good()
            #expect(keys() == ["after", "before", "drive"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: drive.path(".valise/kvs")).sorted() == keys())
        }
        #expect(keys() == ["after", "before", "drive"])
    }
}
