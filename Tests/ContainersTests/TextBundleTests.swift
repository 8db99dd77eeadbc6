import Catalog
import Checking
import Containers
import Documents
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import TextBundles
import Testing

/// A kind that is made of data alone goes through all of a document's life: no line of the program knows it.
@Suite struct TextBundleTests {
    private let folder = try! TemporaryFolder()
    private let container: Container, workshop: Workshop
    private let kind = TextBundles.kinds.named("textbundle")!
    private let trip = Name("Trip.textbundle")!, handed = Name("handed")!

    init() throws {
        container = try Self.made(at: folder.path + "/c")
        workshop = try Workshop.open(in: container, purpose: "on trial", versions: .standard, deleted: .standard)
        _ = try workshop.recover()
    }

    private static func made(at home: String) throws -> Container {
        try Self.put("Trip", ["text.md": "one", "info.json": "{}", "assets/sea.png": "sea", "assets/deep/rock.png": "rock"], in: home + "/Documents")
        return try Container.open(home, access: .readWrite, kinds: TextBundles.kinds)
    }

    private static func put(_ name: String, _ files: [String: String], in documents: String) throws {
        for (file, text) in files {
            let place = URL(fileURLWithPath: "\(documents)/\(name).textbundle/\(file)")
            try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place)
        }
    }

    private func put(_ name: String, _ files: [String: String]) throws { try Self.put(name, files, in: folder.path + "/c/Documents") }

    /// What is in a package, by its names.
    private func inside(_ package: String, of place: String = "Documents") throws -> [String: String] {
        let path = folder.path + "/c/\(place)/\(package)"
        var found: [String: String] = [:]
        for case let file as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            if let bytes = FileManager.default.contents(atPath: path + "/" + file), (try? Data(contentsOf: URL(fileURLWithPath: path + "/" + file))) != nil { found[file] = String(decoding: bytes, as: UTF8.self) }
        }
        return found
    }

    private func address(_ shown: String) -> Address { Address(folder: container.documents, path: [], shown: Name(shown)!) }
    private func document(_ stored: Name) throws -> DocumentPlace { try container.document(at: [stored]).place }
    private func opened(_ stored: Name) throws -> ItemReader.Opened { try container.reader.open(stored, as: kind, in: container.documents.descriptor) }

    @discardableResult
    private func save(_ text: String, to stored: Name, shown: String) throws -> Outcome {
        let draft = try workshop.draft(of: opened(stored), at: address(shown), stored: stored, keepingContent: false)
        try draft.file.descriptor.write(Array(text.utf8), at: draft.contentStart)
        draft.touch()
        return try workshop.commit(.save(draft, at: address(shown), over: .stored(stored)))
    }

    private func make(_ text: String, shown: String) throws -> Outcome {
        let draft = try workshop.newDraft(kind, at: address(shown), mode: 0o640)
        try draft.file.descriptor.write(Array(text.utf8), at: draft.contentStart)
        draft.touch()
        return try workshop.commit(.save(draft, at: address(shown), over: nil))
    }

    private let first = ["text.md": "one", "info.json": "{}", "assets/sea.png": "sea", "assets/deep/rock.png": "rock"]

    @Test func itIsListedAsItsText() throws {
        #expect(container.creating.map(\.name) == [kind.name, TextBundles.scraps.name])
        let item = try container.reader.read(trip, in: container.documents.descriptor)
        #expect(item.document?.kind.name == "textbundle" && item.document?.naturalName == Name("Trip.md") && item.status.type == .regular && item.status.size == 3)
        try put("Long", ["text.markdown": "another", "text.sync-conflict-20220101-000000-ABCDEFG.markdown": "other"])
        #expect(try container.reader.read(Name("Long.textbundle")!, in: container.documents.descriptor).document?.naturalName == Name("Long.markdown"))
        let copies = try container.versions(of: document(Name("Long.textbundle")!))
        #expect(copies.map(\.isUnresolved) == [true])
        #expect(try container.open(copies[0], of: document(Name("Long.textbundle")!)).shownContent.byteCount == 5)
        // For a program that does not know it, it is a folder.
        #expect(try ItemReader(options: ShowingOptions(), kinds: .basic).read(trip, in: container.documents.descriptor).document == nil)
        #expect(try Container.open(container.path, access: .read, kinds: .basic).creating.isEmpty)
        // What was understood once is seen to be another one, although its file is the same.
        _ = try container.reader.openContent(trip, as: kind, in: container.documents.descriptor)
        try FileManager.default.moveItem(atPath: folder.path + "/c/Documents/Trip.textbundle/text.md", toPath: folder.path + "/c/Documents/Trip.textbundle/text.markdown")
        #expect(try container.reader.read(trip, as: kind, in: container.documents.descriptor).document?.naturalName == Name("Trip.markdown"))
    }

    @Test func savesKeepAllOfIt() throws {
        let outcome = try save("two", to: trip, shown: "Trip.md")
        #expect(outcome.stored == trip && outcome.kept != nil)
        #expect(try inside("Trip.textbundle") == first.merging(["text.md": "two"]) { $1 })
        let version = try #require(try container.versions(of: document(trip)).first)
        let place = try #require(container.place(of: version, of: document(trip)))
        #expect(try inside(String(place.split(separator: "/").last ?? ""), of: ".valise/versions/Trip.textbundle") == first)
        for (shown, part) in [("New.md", "text.md"), ("Newer.markdown", "text.markdown"), ("Newest.MD", "text.md")] {
            let stored = try #require(try make("new", shown: shown).stored)
            #expect(try inside("\(stored)") == [part: "new", "info.json": "{\"version\": 2}\n"])
        }
    }

    /// Folders are replaced, and come back.
    @Test func versionsComeBackWithTheirFolders() throws {
        _ = try container.handedFolder()
        try Self.put("handed", ["text.markdown": "two", "info.json": "{ }", "assets/lake.png": "lake"], in: folder.path + "/c/.valise/handed")
        try FileManager.default.moveItem(atPath: folder.path + "/c/.valise/handed/handed.textbundle", toPath: folder.path + "/c/.valise/handed/handed")
        let there = Provenance(Timestamp(seconds: 1_600_000_000), computer: "far away")
        let state = try #require(try container.state(at: [trip]))
        let outcome = try workshop.commit(
            .adopt(Adoption(.current(handed), of: [trip], expecting: .state(state), from: there)))
        let second = ["text.markdown": "two", "info.json": "{ }", "assets/lake.png": "lake"]
        #expect(try inside("Trip.textbundle") == second)
        #expect(try container.currentVersion(of: document(trip)).computer == "far away")
        try workshop.commit(.decide(.restore(try #require(outcome.kept)), on: document(trip), shown: Name("Trip.markdown")!))
        // The content and its pictures are those of then; what is about it is what it was, as for every kind.
        #expect(try inside("Trip.textbundle") == ["text.markdown": "one", "info.json": "{ }", "assets/sea.png": "sea", "assets/deep/rock.png": "rock"])
        let back = try #require(try container.versions(of: document(trip)).first { $0.computer == "far away" })
        try workshop.commit(.decide(.restore(back.id), on: document(trip), shown: Name("Trip.markdown")!))
        #expect(try inside("Trip.textbundle") == second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/c/.valise/staging").isEmpty)
    }

    @Test func bothSidesOfAConflictHaveTheirFolders() throws {
        try Self.put("theirs", ["text.md": "theirs", "assets/lake.png": "lake"], in: folder.path + "/c/x")
        _ = try container.handedFolder()
        try FileManager.default.moveItem(atPath: folder.path + "/c/x/theirs.textbundle", toPath: folder.path + "/c/.valise/handed/handed")
        let there = Provenance(Timestamp(seconds: 1_600_000_000), computer: "far away")
        try workshop.commit(.adopt(Adoption(.version(handed, isConflict: true), of: [trip], expecting: .anything, from: there)))
        try workshop.commit(.decide(.resolve(.both), on: document(trip), shown: Name("Trip.md")!))
        #expect(try inside("Trip.textbundle") == first)
        #expect(try inside("Trip 1.textbundle") == ["text.md": "theirs", "info.json": "{\"version\": 2}\n", "assets/lake.png": "lake"])
    }

    @Test func anotherNameIsThatOfItsText() throws {
        try save("two", to: trip, shown: "Trip.md")
        let outcome = try workshop.commit(.rename(trip, kind, from: address("Trip.md"), to: address("Tour.markdown")))
        let tour = try #require(outcome.stored)
        #expect(tour == Name("Tour.textbundle"))
        #expect(try inside("Tour.textbundle") == ["text.markdown": "two", "info.json": "{}", "assets/sea.png": "sea", "assets/deep/rock.png": "rock"])
        #expect(try container.versions(of: document(tour)).count == 1)
        #expect(try opened(tour).item.document?.naturalName == Name("Tour.markdown"))
        // Where another one has that name already, nothing is lost.
        try put("Tour", ["text.md": "a second one"])
        try workshop.commit(.rename(tour, kind, from: address("Tour.markdown"), to: address("Tour.md")))
        let both = try inside("Tour.textbundle")
        #expect(both["text.markdown"] == "two" && both["text.md"] == "a second one")
    }

    @Test func itIsDeletedAndComesBack() throws {
        let away = try #require(try workshop.commit(.putAway(trip, kind, from: address("Trip.md"))).away)
        try workshop.commit(.moveToDeleted(away))
        let item = try #require(workshop.deletedItems.first)
        #expect(item.kind?.name == "textbundle")
        #expect(try inside("Trip.textbundle").isEmpty)
        // Who does not know the kind does not know the item, and leaves it there.
        #expect(try Container.open(container.path, access: .read, kinds: .basic).deletedItems().items.isEmpty)
        #expect(try Container.open(container.path, access: .read, kinds: TextBundles.kinds).deletedItems().items.count == 1)
        try workshop.commit(.bringBack(item, to: container.documents, at: item.path, as: item.stored, shown: item.shown))
        #expect(try inside("Trip.textbundle") == first)
    }

    @Test func twoChangePlaces() throws {
        try put("Walk", ["text.markdown": "walk", "assets/wood.png": "wood"])
        let walk = Name("Walk.textbundle")!
        let one = ExchangeParty(stored: trip, item: .document(kind), address: address("Trip.md"), draft: nil, newKind: nil)
        try workshop.commit(.exchange(one, ExchangeParty(stored: walk, item: .document(kind), address: address("Walk.markdown"), draft: nil, newKind: nil)))
        #expect(try inside("Walk.textbundle") == ["text.markdown": "one", "info.json": "{}", "assets/sea.png": "sea", "assets/deep/rock.png": "rock"])
        #expect(try inside("Trip.textbundle") == ["text.md": "walk", "assets/wood.png": "wood"])
    }

    @Test func itIsFound() throws {
        let place = CatalogPlace.file(folder: folder.path, name: "catalog")
        func found(_ predicate: String, in container: Container) throws -> [String] {
            let catalog = try Catalog(of: container, in: place)
            defer { catalog.close() }
            var found: [String] = []
            try catalog.search(CatalogQuery(try Predicate(predicate, now: Moment(nanoseconds: 0)))) { item in
                found.append("\(item.item.kind.name) \(String(decoding: item.shownPath, as: UTF8.self))")
                return true
            }
            return found
        }
        for _ in 0..<2 { #expect(try found("text CONTAINS 'one' AND kind == 'textbundle'", in: container) == ["textbundle Trip.md"]) }
        try save("twofold", to: trip, shown: "Trip.md")
        #expect(try found("text CONTAINS 'twofold'", in: container) == ["textbundle Trip.md"])
        // A catalog of other kinds is another one.
        #expect(try found("kind == 'textbundle'", in: Container.open(container.path, access: .read, kinds: .basic)).isEmpty)
        #expect(try found("kind == 'textbundle'", in: container) == ["textbundle Trip.md"])
    }

    @Test func itIsChecked() throws {
        let whole = ContainerCheck.whole(container)
        #expect(whole.documents == [kind: 1] && whole.files == 0 && whole.findings.isEmpty)
        try FileManager.default.removeItem(atPath: folder.path + "/c/Documents/Trip.textbundle/assets")
        try put("Trip", ["assets": "a file"])
        #expect(ContainerCheck.whole(container).findings.map(\.kind) == [.oddPart])
        try FileManager.default.removeItem(atPath: folder.path + "/c/Documents/Trip.textbundle/text.md")
        #expect(ContainerCheck.whole(container).findings.map(\.kind) == [.missingPart])
    }
}
