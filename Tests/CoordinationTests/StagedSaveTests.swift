import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Coordination

/// What apps have written whole, put in its place by whoever writes in the container.
@Suite(.waiting, .timeLimit(.minutes(40))) struct StagedSaveTests {
    private func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @discardableResult
    private func save(_ text: String, _ item: String, _ coordinator: FileCoordinator, over base: BaseStamp? = nil) throws -> StagedOutcome {
        try coordinator.coordinate(writing: item, timeout: .seconds(60)) { item in
            let staged = try item.staged()
            try Data(text.utf8).write(to: URL(fileURLWithPath: staged.path))
            return try item.save(staged, over: base)
        }
    }

    private func stamp(_ item: String, _ coordinator: FileCoordinator) throws -> BaseStamp? { try coordinator.coordinate(reading: item) { try $0.contentStamp() } }
    private func versions(_ item: String, _ coordinator: FileCoordinator) throws -> [DocumentVersion] { try coordinator.coordinate(reading: item) { try $0.otherVersions() } }

    @Test func whatIsReplacedIsAVersion() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        #expect(try save("one", "Note.stedoc", coordinator) == .saved)
        #expect(contents(container.path + "/Note.stedoc") == "one")
        #expect(try versions("Note.stedoc", coordinator).isEmpty)
        chmod(container.path + "/Note.stedoc", 0o640)
        #expect(try save("two", "Note.stedoc", coordinator, over: try stamp("Note.stedoc", coordinator)) == .saved)
        #expect(contents(container.path + "/Note.stedoc") == "two")
        #expect(try versions("Note.stedoc", coordinator).map(\.isConflict) == [false])
        var status = stat()
        #expect(stat(container.path + "/Note.stedoc", &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/handed") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/staging") == [])
    }

    @Test func whatSomebodyElseWroteIsAConflict() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        try save("one", "Note.stedoc", coordinator)
        let base = try stamp("Note.stedoc", coordinator)
        let app = try App(other, "Note.stedoc")
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: container.path + "/Note.stedoc"))
        #expect(try save("mine", "Note.stedoc", coordinator, over: base) == .conflict)
        #expect(contents(container.path + "/Note.stedoc") == "mine")
        #expect(try versions("Note.stedoc", coordinator).map(\.isUnresolved) == [true])
        #expect(eventually { (try? app.told.contains(.gainedConflict(path("Note.stedoc")))) == true })
        // What is the same is none.
        try Data("same".utf8).write(to: URL(fileURLWithPath: container.path + "/Note.stedoc"))
        #expect(try save("same", "Note.stedoc", coordinator, over: base) == .saved)
    }

    /// What did not change keeps its place on disk, what the app does not have any more is gone, and is in the version.
    @Test func aPackageIsSavedPartByPart() throws {
        let container = try TemporaryContainer("photo Cat png"), coordinator = try FileCoordinator(container.path)
        let name = try #require(container.items.first?.stored), package = container.path + "/" + name
        try Data("old".utf8).write(to: URL(fileURLWithPath: package + "/notes"))
        try FileManager.default.createDirectory(atPath: package + "/assets/inner", withIntermediateDirectories: true)
        for name in ["assets/one", "assets/inner/two", "extra"] { try Data("old \(name)".utf8).write(to: URL(fileURLWithPath: package + "/" + name)) }
        try Data("copy".utf8).write(to: URL(fileURLWithPath: package + "/photo.sync-conflict-20220101-000000-ABCDEFG.data"))
        let data = try Data(contentsOf: URL(fileURLWithPath: package + "/photo.data"))
        func number(_ path: String) -> UInt64 {
            var status = stat()
            return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
        }
        let (folder, metadata) = (number(package), number(package + "/photo.metadata"))
        try coordinator.coordinate(writing: name) { item in
            let staged = try item.staged()
            try FileManager.default.createDirectory(atPath: staged.path + "/more/inner", withIntermediateDirectories: true)
            try Data("deep".utf8).write(to: URL(fileURLWithPath: staged.path + "/more/inner/file"))
            try FileManager.default.createDirectory(atPath: staged.path + "/assets", withIntermediateDirectories: true)
            for name in ["assets/three", "extra"] { try Data("new \(name)".utf8).write(to: URL(fileURLWithPath: staged.path + "/" + name)) }
            link(package + "/photo.metadata", staged.path + "/photo.metadata")
            try data.write(to: URL(fileURLWithPath: staged.path + "/photo.data"))
            try item.save(staged)
        }
        #expect(number(package) == folder && number(package + "/photo.metadata") == metadata && metadata != 0)
        #expect(contents(package + "/more/inner/file") == "deep" && contents(package + "/notes") == nil)
        #expect(contents(package + "/photo.sync-conflict-20220101-000000-ABCDEFG.data") == "copy")
        let kept = try FileManager.default.subpathsOfDirectory(atPath: container.path + "/.valise/versions")
        #expect(kept.contains { $0.hasSuffix("/photo.data") } && kept.contains { $0.hasSuffix("/notes") })
        // Of what no kind speaks of, the version has what was there: files and folders, replaced and removed.
        for old in ["assets/one", "assets/inner/two", "extra"] {
            let version = try #require(kept.first { $0.hasSuffix("/" + old) }, "\(old)")
            #expect(contents(container.path + "/.valise/versions/" + version) == "old \(old)")
        }
        #expect(contents(package + "/assets/one") == nil && contents(package + "/assets/three") == "new assets/three" && contents(package + "/extra") == "new extra")
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/staging") == [])
    }

    /// What an app replaces is a version, whether it has read it or not. Of what has no versions, a database here, it is among the deleted where the app has
    /// never read it.
    @Test func whatReplacesAPlainFileKeepsIt() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path), file = container.path + "/list.csv"
        func deleted() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/deleted").filter { $0 != "records" }.compactMap { contents(container.path + "/.valise/deleted/" + $0) }
        }
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try save("mine", "list.csv", coordinator) == .saved)
        func versions() throws -> [String?] {
            let folder = container.path + "/.valise/versions/list.csv"
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { contents(folder + "/" + $0) }
        }
        #expect(try contents(file) == "mine" && deleted() == [] && versions() == ["theirs"])
        let seen = try stamp("list.csv", coordinator)
        #expect(try save("mine again", "list.csv", coordinator, over: seen) == .saved)
        #expect(try contents(file) == "mine again" && deleted() == [] && versions() == ["theirs", "mine"])
        #expect(try save("unaware", "list.csv", coordinator, over: seen) == .conflict)
        #expect(try contents(file) == "unaware" && versions() == ["theirs", "mine", "mine again"])
        let base = "SQLite format 3\0"
        try Data(base.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try save("mine", "list.csv", coordinator) == .saved)
        #expect(try deleted() == [base] && versions().count == 3)
    }

    @Test func whatCannotBeSavedIsRefused() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try FileManager.default.createDirectory(atPath: container.path + "/folder", withIntermediateDirectories: false)
        #expect(throws: Failure.self) { try save("text", "folder", coordinator) }
        #expect(throws: Failure.self) { try coordinator.coordinate(reading: "counters") { try $0.save($0.staged()) } }
        // Nothing was written.
        #expect(throws: Failure.self) { try coordinator.coordinate(writing: "counters") { try $0.save($0.staged()) } }
        #expect(contents(container.path + "/counters")?.utf8.count == 8 * 24)
        #expect(throws: Failure.self) { try save("text", "missing/Note.stedoc", coordinator) }
        #expect(throws: Failure.self) { try save("text", ".valise", coordinator) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/handed") == [])
    }

    /// What somebody left who was killed.
    @Test func whatNobodyHasHandedOverIsGone() throws {
        let container = try ClaimContainer()
        do {
            let coordinator = try FileCoordinator(container.path)
            try save("one", "Note.stedoc", coordinator)
        }
        try Data("left".utf8).write(to: URL(fileURLWithPath: container.path + "/.valise/handed/left"))
        try save("two", "Note.stedoc", try FileCoordinator(container.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise/handed") == [])
    }

    @Test(.mounting) func aDriveShowsIt() throws {
        let container = try TemporaryContainer("text Notes one")
        let name = try #require(container.items.first?.stored)
        try withDrive(container) { drive in
            let coordinator = try FileCoordinator(container.path), base = try stamp(name, coordinator)
            let open = try OpenedFile(drive.path("Notes.txt"))
            #expect(try save("by an app\n", name, coordinator, over: base) == .saved)
            #expect(eventually { contents(drive.path("Notes.txt")) == "by an app\n" })
            #expect(try run("bash", "-c", "ls \(drive.path(".valise/versions/Notes.txt")) | wc -l").good().output == "1\n")
            // Somebody writes on the drive, and the app does not know that.
            try shell("echo theirs >\"$1\"", drive.path("Notes.txt")).good()
            #expect(try save("mine\n", name, coordinator, over: base) == .conflict)
            #expect(try run(Places.valise, "conflicts", drive.mountpoint).output.contains("Notes"))
            #expect(try save("new\n", "New.stedoc", coordinator) == .saved)
            #expect(eventually { contents(drive.path("New.txt")) == "new\n" })
            _ = open
        }
    }
}
