import DocumentKit
import Foundation
import MountTesting
import Testing

/// Packages in the results of queries: each is one item, found by its name, its extension and its text.
@Suite struct MetadataPackageTests: QueriedContainer {
    let container: TemporaryContainer

    init() throws { container = try Self.containerForQueries() }

    /// A type that an app has declared as a package: a folder of it is one item, whatever is in it, and changes with what is in it. Where nobody has
    /// declared it, its files are items.
    @Test func anAppsOwnPackageIsOneItem() async throws {
        let files = FileManager.default, trip = container.stored("Album/Trip.valisealbum")
        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: trip + "/" + name)) }
        try files.createDirectory(atPath: trip + "/pictures/small", withIntermediateDirectories: true)
        try write("index", "index.plist")
        try write("picture", "pictures/a.picture")
        let before = query("kMDItemFSName LIKE '*.plist' OR kMDItemFSName LIKE '*.picture'")
        try await gathered(before)
        #expect(names(before).sorted() == ["a.picture", "index.plist"])
        before.stop()

        ContentTypes.add("com.example.valise.base", forExtensions: [], conformingTo: ["com.apple.package"])
        ContentTypes.add("com.example.valise.album", forExtensions: ["valisealbum"], conformingTo: ["com.example.valise.base"])
        let query = query("kMDItemFSName LIKE '*'")
        try await gathered(query)
        #expect(names(query).filter { !$0.hasPrefix("Bookmark_") }.sorted() == ["Cat.ptk", "Notes.stedoc", "Trip.valisealbum"] && names(query).count == 4)
        let item = try #require(query.results.compactMap { $0 as? NSMetadataItem }.first { $0.value(forAttribute: NSMetadataItemFSNameKey) as? String == "Trip.valisealbum" })
        func size() -> Int? { item.value(forAttribute: NSMetadataItemFSSizeKey) as? Int }
        #expect(size() == 12)
        // Its kind is called as its extension, and found so.
        #expect(item.value(forAttribute: NSMetadataItemKindKey) as? String == "valisealbum")
        let ofKind = self.query("kMDItemKind == 'valisealbum'")
        try await gathered(ofKind)
        #expect(names(ofKind) == ["Trip.valisealbum"])
        ofKind.stop()
        #expect(item.value(forAttribute: NSMetadataItemContentTypeKey) as? String == "com.example.valise.album")
        #expect((item.value(forAttribute: NSMetadataItemURLKey) as? URL)?.lastPathComponent == "Trip.valisealbum")
        let url = URL(fileURLWithPath: trip, isDirectory: true)
        #expect(try url.ubiquitousResourceValues().isPackage == true)
        #expect(NSMetadataItem(url: url)?.value(forAttribute: NSMetadataItemFSSizeKey) as? Int == 12)

        // In place, under another name first, in a folder of it that is there, and in one that comes.
        try write("longer picture", "pictures/a.picture")
        try await until { size() == 19 }
        try write("x", "pictures/small/b.picture")
        try await until { size() == 20 }
        try files.createDirectory(atPath: trip + "/other/deep", withIntermediateDirectories: true)
        try await Task.sleep(for: .milliseconds(100))
        try write("yy", "other/deep/c.picture")
        try await until { size() == 22 }
        try files.removeItem(atPath: trip + "/other")
        try await until { size() == 20 }
        #expect(names(query).count == 4)

        // One that is made, moved and removed.
        try files.createDirectory(atPath: container.stored("New.ValiseAlbum/inner"), withIntermediateDirectories: true)
        try await until { names(query).contains("New.ValiseAlbum") }
        try Data("one".utf8).write(to: URL(fileURLWithPath: container.stored("New.ValiseAlbum/inner/part")))
        try await until { names(query).count == 5 && query.results.compactMap { $0 as? NSMetadataItem }.contains { $0.value(forAttribute: NSMetadataItemFSSizeKey) as? Int == 3 } }
        try files.moveItem(atPath: trip, toPath: container.stored("Trip.valisealbum"))
        try await until { item.value(forAttribute: NSMetadataItemPathKey) as? String == container.stored("Trip.valisealbum") }
        try files.removeItem(atPath: container.stored("Trip.valisealbum"))
        try await until { !names(query).contains("Trip.valisealbum") }
        query.stop()
    }

    /// One that nobody has declared is one item where a query asks for its extension, if that is none of files that are known.
    @Test(arguments: ["kMDItemFSName LIKE '*.valisebook'", "kMDItemFSName ENDSWITH[c] '.ValiseBook'", "kMDItemFSName == 'Trip.valisebook'", "kMDItemFSName IN {'a', 'Trip.valisebook'}"])
    func anUndeclaredPackageIsFoundByItsExtension(format: String) async throws {
        let trip = container.stored("Album/Trip.valisebook"), plain = container.stored("Old.txt")
        for folder in [trip + "/pages", plain] { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
        try Data("one".utf8).write(to: URL(fileURLWithPath: trip + "/pages/a.valisebook"))
        let asked = query(format)
        try await gathered(asked)
        #expect(names(asked) == ["Trip.valisebook"])
        let item = try #require(asked.results.first as? NSMetadataItem)
        func size() -> Int? { item.value(forAttribute: NSMetadataItemFSSizeKey) as? Int }
        #expect(size() == 3)
        try Data("longer".utf8).write(to: URL(fileURLWithPath: trip + "/pages/b"))
        try await until { size() == 9 }
        asked.stop()
        // A folder that is called as files are is a folder, and so is one that is not asked for.
        try Data("x".utf8).write(to: URL(fileURLWithPath: plain + "/in.txt"))
        let texts = query("kMDItemFSName LIKE '*.txt'"), others = query("NOT kMDItemFSName LIKE '*.valisebook' AND kMDItemFSName LIKE 'b'")
        for query in [texts, others] {
            try await gathered(query)
            query.stop()
        }
        #expect(names(texts) == ["in.txt"] && names(others) == ["b"])
    }

    /// Texts, and what begins as one; and no pictures.
    @Test func declaredPackagesAreFoundByTheirText() async throws {
        ContentTypes.add("com.example.valise.leaflet", forExtensions: ["valiseleaflet"], conformingTo: ["com.apple.package"])
        let place = container.stored("Trip.valiseleaflet")
        try FileManager.default.createDirectory(atPath: place + "/inner", withIntermediateDirectories: true)
        func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: place + "/" + name)) }
        try write(Array("# Lisbon\n".utf8), "inner/page.md")
        try write(Array("Schöne Reise".utf8), "words")
        try write(Array("hidden".utf8), "picture.png")
        try write([0] + Array("binary".utf8), "state")
        try write(Array(String(repeating: "ö", count: 400).utf8) + [0xFF] + Array("broken".utf8), "long")
        func found(_ word: String) async throws -> [String] {
            let query = query("kMDItemTextContent CONTAINS[cd] '\(word)'")
            try await gathered(query)
            query.stop()
            return names(query)
        }
        #expect(try await found("lisbon") == ["Trip.valiseleaflet"])
        #expect(try await found("schone reise") == ["Trip.valiseleaflet"])
        for word in ["hidden", "binary"] { #expect(try await found(word).isEmpty, "\(word)") }
        // What comes later is news.
        let followed = query("kMDItemTextContent CONTAINS 'Porto'")
        try await gathered(followed)
        #expect(names(followed).isEmpty)
        try write(Array("Porto".utf8), "inner/page.md")
        try await until { names(followed) == ["Trip.valiseleaflet"] }
        followed.stop()
    }
}
