import Containers
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import Testing

@testable import Catalog

/// Folders that lie in each other, very many of them.
@Suite(.long) struct DeepFolderTests {
    /// Each with a text in it.
    private func container(_ depth: Int) throws -> SearchedContainer {
        let searched = try SearchedContainer("text Notes one"), name = Name(constant: "d")
        var place = searched.container.documents
        for _ in 0..<depth {
            try place.descriptor.makeFolder(name, mode: 0o755)
            place = OpenFile(try place.descriptor.open(name, [.path, .folder]))
            try place.descriptor.open(Name(constant: "Deep.stedoc"), [.readWrite, .create], mode: 0o644).write(Array("deep".utf8), at: 0)
        }
        return searched
    }

    private func texts(_ catalog: Catalog) throws -> Int { try SearchedContainer.found("kind == 'text'", in: catalog).count }

    /// Each folder is opened once, from the one that it lies in.
    @Test(arguments: [50, 200]) func aDeepFolderCostsNoMoreThanAnother(_ depth: Int) throws {
        let searched = try container(depth), catalog = try searched.catalog()
        #expect(try texts(catalog) == depth + 1)
        #expect(catalog.opens == depth && !catalog.isCut)
        #expect(try texts(catalog) == depth + 1)
        #expect(catalog.opens == 2 * depth)
    }

    /// What lies deeper is left out, and that is said: also by a catalog that is opened again, and no longer than it is so.
    @Test func whatLiesTooDeepIsLeftOut() throws {
        let searched = try container(Catalog.deepest + 3), place = CatalogPlace.file(folder: searched.made.beside("cache"), name: "catalog")
        for _ in 0..<2 {
            let catalog = try searched.catalog(place)
            #expect(try texts(catalog) == Catalog.deepest + 1)
            #expect(catalog.isCut && catalog.opens == Catalog.deepest)
            catalog.close()
        }
        let catalog = try searched.catalog(place)
        #expect(try texts(catalog) == Catalog.deepest + 1)
        try FileManager.default.removeItem(atPath: searched.made.stored(Array(repeating: "d", count: Catalog.deepest + 1).joined(separator: "/")))
        #expect(try texts(catalog) == Catalog.deepest + 1)
        #expect(!catalog.isCut)
    }

    /// What is moved while somebody follows the container is found where it is.
    @Test func whatIsMovedIsOpenedAnew() throws {
        let searched = try container(3), live = try LiveQuery(CatalogQuery(try Predicate("kind == 'text'", now: Moment(seconds: 1_772_712_000))), in: searched.catalog())
        try live.gather { _ in }
        func paths() -> [String] { live.results.map { String(decoding: $0.storedPath, as: UTF8.self) }.sorted() }
        try FileManager.default.moveItem(atPath: searched.made.stored("d/d"), toPath: searched.made.stored("e"))
        try FileManager.default.createDirectory(atPath: searched.made.stored("d/d"), withIntermediateDirectories: false)
        try Data("new".utf8).write(to: URL(fileURLWithPath: searched.made.stored("d/d/New.stedoc")))
        #expect(try eventually {
            _ = try live.next(milliseconds: 100)
            return paths() == ["Notes.stedoc", "d/Deep.stedoc", "d/d/New.stedoc", "e/Deep.stedoc", "e/d/Deep.stedoc"]
        }, "\(paths())")
        live.stop()
    }
}
