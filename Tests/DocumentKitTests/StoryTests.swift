import CloudyModel
import DocumentKit
import Foundation
import MountTesting
import PhotoKeeperModel
import Testing
import TextEditorModel

/// What a user of each app does, step by step, with the apps' own documents; and on a drive beside it.
@MainActor
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct StoryTests {
    private let container: TemporaryContainer
    private var documents: URL { URL(fileURLWithPath: container.path + "/Documents", isDirectory: true) }

    init() throws {
        container = try TemporaryContainer()
        mkdir(container.path + "/Documents", 0o755)
        mkdir(container.path + "/.valise", 0o700)
        Bookmark.prepare()
        PhotoData.prepare()
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: documents.path).filter { !$0.hasPrefix(".") }.sorted() }

    private func delete(_ url: URL) {
        NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, options: .forDeleting, error: nil) { try? FileManager.default.removeItem(at: $0) }
    }

    @Test func cloudyOnDocuments() async throws {
        let names = ["Swift", "Debian"], urls = ["https://www.swift.org", "https://www.debian.org"]
        for (index, name) in names.enumerated() {
            let url = documents.appendingPathComponent(String(format: "Bookmark_%@-%f", name, 1_700_000_000.0 + Double(index)))
            let document = BookmarkDocument(fileURL: url)
            document.bookmark = Bookmark(name: name, url: urls[index])
            #expect(await document.save(to: url, for: .forCreating))
            #expect(await document.close())
        }
        // The app starts again: each document is opened, and its row added.
        var rows: [String] = []
        for name in try self.names() {
            let document = BookmarkDocument(fileURL: documents.appendingPathComponent(name))
            #expect(await document.open())
            rows.append((document.bookmark?.name ?? "") + " " + (document.bookmark?.url ?? ""))
            #expect(await document.close())
        }
        #expect(rows.sorted() == ["Debian https://www.debian.org", "Swift https://www.swift.org"])
        try Data().write(to: documents.appendingPathComponent("Bookmark_empty-1.000000"))
        let empty = BookmarkDocument(fileURL: documents.appendingPathComponent("Bookmark_empty-1.000000"))
        #expect(await empty.open())
        #expect(empty.bookmark?.name == "Bookmark Name" && empty.bookmark?.url == "www.example.com")
        #expect(await empty.close())
        for name in try self.names() { delete(documents.appendingPathComponent(name)) }
        #expect(try self.names() == [])
    }

    @Test func simpleTextEditor() async throws {
        func newName() throws -> String { NoteList.untitledName(besides: Set(try names())) }
        let url = documents.appendingPathComponent(try newName()), note = STESimpleTextDocument(fileURL: url)
        #expect(url.lastPathComponent == "Note 1.stedoc")
        #expect(await note.save(to: url, for: .forCreating))
        // The editor disappears: the text is set, and the document closed.
        note.setDocumentText("Buy milk")
        #expect(note.hasUnsavedChanges)
        #expect(await note.close())
        #expect(try String(contentsOf: url, encoding: .utf8) == "Buy milk")
        #expect(try newName() == "Note 2.stedoc")
        let again = STESimpleTextDocument(fileURL: url)
        var shown = ""
        again.contentsUpdated = { shown = $0 }
        #expect(await again.open())
        again.setDocumentText("Buy bread")
        again.undoManager.undo()
        #expect(shown == "Buy milk" && again.documentText == "Buy milk" && !again.hasUnsavedChanges)
        #expect(await again.close())
        let deleted = documents.appendingPathComponent("Note 1.stedoc")
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async {
                NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: deleted, options: .forDeleting, error: nil) { try? FileManager.default.removeItem(at: $0) }
                waiting.resume()
            }
        }
        #expect(try newName() == "Note 1.stedoc")
    }

    @Test func photoKeeper() async throws {
        func picture(_ word: String) throws -> Picture { try #require(Picture(data: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(word.utf8))) }
        func url(_ title: String) -> URL { documents.appendingPathComponent(title).appendingPathExtension(.appExtension) }
        for title in ["Photo", "Photo 1"] {
            let document = Document(fileURL: url(title))
            document.setPhoto(PhotoEntry(mainImage: try picture("image of \(title)"), thumbnailImage: try picture("small \(title)")))
            #expect(await document.save(to: url(title), for: .forCreating))
            #expect(await document.close())
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: url("Photo").path).sorted() == ["photo.data", "photo.metadata"])
        // The list: those with the extension, the newest first, and no photo is read for it.
        var entries: [Entry] = []
        for name in try names() where (name as NSString).pathExtension == .appExtension {
            let document = Document(fileURL: documents.appendingPathComponent(name))
            #expect(await document.open())
            entries.append(Entry(fileURL: document.fileURL, metadata: try document.metadata(), version: NSFileVersion.currentVersionOfItem(at: document.fileURL)))
            #expect(await document.close())
        }
        entries.sort(by: >)
        #expect(entries.map(\.fileURL.lastPathComponent) == ["Photo 1.ptk", "Photo.ptk"])
        #expect(entries.map { $0.thumbnail.map { String(decoding: $0.dropFirst(8), as: UTF8.self) } } == ["small Photo 1", "small Photo"])
        // The detail: another picture, and another title.
        let detail = Document(fileURL: url("Photo"))
        #expect(await detail.open() && detail.description == "Photo")
        #expect(try detail.photo()?.mainImage.data.dropFirst(8) == Data("image of Photo".utf8))
        detail.setPhoto(PhotoEntry(mainImage: try picture("another"), thumbnailImage: try picture("small another")))
        #expect(await detail.save(to: url("Photo"), for: .forOverwriting))
        let coordinator = NSFileCoordinator(filePresenter: nil)
        coordinator.coordinate(writingItemAt: url("Photo"), options: .forMoving, writingItemAt: url("Cat"), options: .forReplacing, error: nil) { from, to in
            try? FileManager.default.moveItem(at: from, to: to)
            coordinator.item(at: from, didMoveTo: to)
        }
        for _ in 0..<3000 where detail.description != "Cat" { try await Task.sleep(for: .milliseconds(10)) }
        #expect(detail.fileURL.lastPathComponent == "Cat.ptk" && FileManager.default.fileExists(atPath: url("Cat").path))
        #expect(await detail.close())
        // What the photo was before is one of its versions, and went with it.
        let old = try #require(NSFileVersion.otherVersionsOfItem(at: url("Cat")))
        #expect(old.count <= 1)
        delete(url("Photo 1"))
        #expect(try names() == ["Cat.ptk"])
    }

    /// The same documents on a drive, while the apps have them open.
    @Test(.mounting) func theDriveShowsWhatTheAppsSave() async throws {
        let drive = try MountedDrive(container)
        defer {
            if MountedDrive.isMounted(drive.mountpoint) {
                kill(drive.process, SIGKILL)
                umount2(drive.mountpoint, Int32(MNT_DETACH))
            }
        }
        let url = documents.appendingPathComponent("Bookmark_Swift-1700000000.000000"), bookmark = BookmarkDocument(fileURL: url)
        bookmark.bookmark = Bookmark(name: "Swift", url: "https://www.swift.org")
        #expect(await bookmark.save(to: url, for: .forCreating))
        let photo = Document(fileURL: documents.appendingPathComponent("Cat.ptk"))
        let image = try #require(Picture(data: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])))
        photo.setPhoto(PhotoEntry(mainImage: image, thumbnailImage: image))
        #expect(await photo.save(to: photo.fileURL, for: .forCreating))
        func contents(_ name: String) async -> Data? {
            let path = drive.path(name)
            return await withCheckedContinuation { waiting in DispatchQueue.global().async { waiting.resume(returning: try? Data(contentsOf: URL(fileURLWithPath: path))) } }
        }
        for _ in 0..<3000 { if await contents("Swift.url") != nil, await contents("Cat.png") != nil { break } else { try await Task.sleep(for: .milliseconds(10)) } }
        #expect(await contents("Swift.url").map { String(decoding: $0, as: UTF8.self).contains("https://www.swift.org") } == true)
        #expect(await contents("Cat.png") == image.data)
        // An edit that nobody has saved.
        bookmark.bookmark = Bookmark(name: "Swift", url: "https://github.com/swiftlang")
        bookmark.updateChangeCount(.done)
        #expect(try await program("cat", drive.path("Swift.url")).contains("https://github.com/swiftlang"))
        #expect(!bookmark.hasUnsavedChanges)
        #expect(await bookmark.close())
        #expect(await photo.close())
        #expect(try await program(Places.valise, "unmount", drive.mountpoint) == "")
    }

    private func program(_ words: String...) async throws -> String {
        let ended = await withCheckedContinuation { waiting in DispatchQueue.global().async { waiting.resume(returning: Result { try Program(words).wait().good().output }) } }
        return try ended.get()
    }
}
