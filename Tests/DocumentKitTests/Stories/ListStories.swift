import AppSupport
import CloudyModel
import DocumentKit
import Foundation
import MountTesting
import PhotoKeeperModel
import Testing

/// The lists of Cloudy and PhotoKeeper are those of Examples.
@MainActor
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct ListStoryTests {
    /// A list is asked for again and again: each answer is what there is then.
    @Test func bookmarksAreGatheredAfresh() async throws {
        let folder = try OwnContainer.folder(), list = try BookmarkList()
        func names() async throws -> [String] { try await list.live.gather().filter { $0.file.path.hasPrefix(folder.path) }.map(\.name) }
        func add(_ name: String) async throws {
            let url = folder.appendingPathComponent(BookmarkDocument.fileName(name, seconds: 1_700_000_000)), document = BookmarkDocument(fileURL: url)
            document.bookmark = Bookmark(name: name, url: "https://example.org")
            try await document.createOrThrow()
            try await document.closeOrThrow()
        }
        #expect(try await names() == [])
        try await add("one")
        #expect(try await names() == ["one"])
        try await add("two")
        #expect(try await names() == ["one", "two"])
        try await list.delete(folder.appendingPathComponent(BookmarkDocument.fileName("one", seconds: 1_700_000_000)))
        #expect(try await names() == ["two"])
    }

    private nonisolated static let image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// What others have put into a photo is there after the app has changed it, and what cannot be is explained and changes nothing.
    @Test func aPhotoKeepsWhatIsNotTheApps() async throws {
        let folder = try OwnContainer.folder(), list = try PhotoList(withFolders: true) { _ in Self.image + Data("small".utf8) }
        func file(_ name: String, _ data: Data) throws -> URL {
            let url = folder.appendingPathComponent(name)
            try data.write(to: url)
            return url
        }
        let first = try file("first.png", Self.image + Data("first".utf8)), second = try file("second.png", Self.image + Data("second".utf8))
        let added = try await list.add(first), url = folder.appendingPathComponent("Mine.ptk")
        try await Coordinated.moving(added, to: url)
        try Data("notes".utf8).write(to: url.appendingPathComponent("notes.txt"))
        try await list.replace(url, with: second)
        #expect(try await list.picture(of: url) == Self.image + Data("second".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() == ["notes.txt", "photo.data", "photo.metadata"])
        await #expect(throws: AppFault.self) { try await list.replace(url, with: try file("none.png", Data("none".utf8))) }
        for title in ["", " ", ".", ".hidden", String(repeating: "x", count: 252)] { await #expect(throws: AppFault.self) { try await list.rename(url, to: title) } }
        try await Coordinated.moving(try await list.add(first), to: folder.appendingPathComponent("Taken.ptk"))
        await #expect(throws: AppFault("Name already taken.")) { try await list.rename(url, to: "Taken") }
        #expect(try await list.picture(of: url) == Self.image + Data("second".utf8))
        let now = try await list.live.gather().filter { $0.fileURL.path.hasPrefix(folder.path) }
        #expect(now.map(\.title) == ["Taken", "Mine"] && now.allSatisfy { $0.thumbnail == Self.image + Data("small".utf8) && $0.fault == nil })
        // What it was is a version, and comes back.
        let versions = try list.versions(of: url)
        #expect(versions.map(\.picture) == [Self.image + Data("second".utf8), Self.image + Data("first".utf8)])
        try await list.restore(url, version: 1)
        #expect(try await list.picture(of: url) == Self.image + Data("first".utf8))
    }

    /// On a slow computer the document has saved the change by itself before the app asks for that: it is saved once, and is one version.
    @Test func whatHasSavedItselfIsNotSavedAgain() async throws {
        let folder = try OwnContainer.folder(), list = try PhotoList(withFolders: true) { _ in nil }, file = folder.appendingPathComponent("first.png")
        try (Self.image + Data("first".utf8)).write(to: file)
        let url = try await list.add(file)
        try await PhotoKeeperModel.Document(fileURL: url).whileOpen { document in
            document.autosaveDelay = 0
            document.setPhoto(PhotoEntry(mainImage: try #require(Picture(data: Self.image + Data("second".utf8))), thumbnailImage: nil))
            for _ in 0..<1000 where document.hasUnsavedChanges { try await Task.sleep(for: .milliseconds(10)) }
            #expect(!document.hasUnsavedChanges)
            try await document.saveOrThrow()
        }
        #expect(try list.versions(of: url).map(\.picture) == [Self.image + Data("second".utf8), Self.image + Data("first".utf8)])
    }

    /// Two who add at once have two photos, each whole.
    @Test func noPhotoTakesAnothersName() async throws {
        let folder = try OwnContainer.folder(), list = try PhotoList { _ in nil }
        var files: [URL] = []
        for number in 0..<8 {
            files.append(folder.appendingPathComponent("\(number).png"))
            try (Self.image + Data("\(number)".utf8)).write(to: files[number])
        }
        let adding = files.map { file in Task { try await list.add(file) } }
        var added: [URL] = []
        for task in adding { added.append(try await task.value) }
        #expect(Set(added).count == 8)
        var found: Set<Data> = []
        for url in added { found.insert(try await list.picture(of: url)) }
        #expect(found == Set((0..<8).map { Self.image + Data("\($0)".utf8) }))
        for url in added { try await list.delete(url) }
    }
}
