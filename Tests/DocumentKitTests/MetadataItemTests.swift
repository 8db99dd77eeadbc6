import DocumentKit
import Foundation
import MountTesting
import Testing

/// What items say of themselves, to a query and without one.
@Suite struct MetadataItemTests: QueriedContainer {
    let container: TemporaryContainer

    init() throws { container = try Self.containerForQueries() }

    /// What a service would say of an item, where there is none.
    @Test func whatAServiceWouldSay() throws {
        let item = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored("Notes.stedoc"))))
        for key in [NSMetadataUbiquitousItemDownloadRequestedKey, NSMetadataUbiquitousItemIsExternalDocumentKey, NSMetadataUbiquitousItemIsSharedKey] {
            #expect(item.value(forAttribute: key) as? Bool == false && item.attributes.contains(key))
        }
        for key in [NSMetadataUbiquitousItemDownloadingErrorKey, NSMetadataUbiquitousItemUploadingErrorKey] { #expect(item.value(forAttribute: key) == nil) }
        #expect(item.value(forAttribute: NSMetadataUbiquitousItemContainerDisplayNameKey) as? String == (container.path as NSString).lastPathComponent)
        #expect((item.value(forAttribute: NSMetadataUbiquitousItemURLInLocalContainerKey) as? URL)?.path == container.stored("Notes.stedoc"))
        let tree = try #require(item.value(forAttribute: NSMetadataItemContentTypeTreeKey) as? [String])
        #expect(tree.first == item.value(forAttribute: NSMetadataItemContentTypeKey) as? String && tree.last == "public.item" && tree.contains("public.data"))
    }

    /// One table for documents and queries, which an app adds its own to.
    @Test @MainActor func typesAreTheSameEverywhere() async throws {
        ContentTypes.add("com.example.plan", forExtensions: ["plan", "plans"], conformingTo: ["public.plain-text"])
        let types = [
            "a.pdf": "com.adobe.pdf", "b.png": "public.png", "c.txt": "public.plain-text", "d.stedoc": "public.plain-text", "Bookmark_x-1795644993.114922": "public.url",
            "e.PLAN": "com.example.plan", "f.unheard": "dyn.unheard", "nothing": "public.data", "Cat.jpeg": "public.jpeg",
        ]
        for (name, type) in types {
            let url = documents.appendingPathComponent(name)
            try Data("x".utf8).write(to: url)
            #expect(UIDocument(fileURL: url).fileType == type && NSMetadataItem(url: url)?.value(forAttribute: NSMetadataItemContentTypeKey) as? String == type, "\(name)")
        }
        let plans = query("kMDItemContentType == 'com.example.plan'"), texts = query("kMDItemContentType == 'public.plain-text'")
        for query in [plans, texts] {
            try await gathered(query)
            query.stop()
        }
        #expect(names(plans) == ["e.PLAN"] && names(texts).sorted() == ["Notes.stedoc", "c.txt", "d.stedoc"])
        #expect(ContentTypes.tree(of: "com.example.plan") == ["com.example.plan", "public.plain-text", "public.text", "public.data", "public.content", "public.item"])
        #expect(UIDocument(fileURL: documents).fileNameExtension(forType: "com.example.plan", saveOperation: .forCreating) == "plan")
        // Of Valise's photos, too.
        #expect(NSMetadataItem(url: documents.appendingPathComponent("Album/Cat.ptk"))?.value(forAttribute: NSMetadataItemContentTypeKey) as? String == "public.image")
    }

    /// A folder is not read again for each document in it.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"))
    func askingAllForConflictsReadsAFolderOnce() throws {
        try container.add((0..<60).map { "text Note\($0) a" }.joined(separator: "\n"))
        try "theirs".write(toFile: container.stored("Note7 (conflicted copy 2026-11-21 232733).stedoc"), atomically: false, encoding: .utf8)
        let log = container.beside("calls"), environment = ["XDG_CACHE_HOME": container.beside("cache")]
        let words = ["/usr/bin/strace", "-f", "-y", "-o", log, "-e", "trace=getdents64", Places.built + "/DocumentTrial", "conflicts", container.path]
        let ended = try Program(words, environment: environment).wait().good()
        #expect(ended.output == "63 1\n")
        let readings = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.contains("<\(container.path)>") }
        #expect(readings.count < 12)
    }

    @Test func itemsTellWhatIsKnown() async throws {
        let query = query("kMDItemKind == 'photo'")
        try await gathered(query)
        query.stop()
        let item = try #require(query.results.first as? NSMetadataItem)
        func value(_ name: String) -> Any? { item.value(forAttribute: name) }
        #expect(value(NSMetadataItemFSNameKey) as? String == "Cat.ptk" && value(NSMetadataItemDisplayNameKey) as? String == "Cat.png")
        #expect((value(NSMetadataItemURLKey) as? URL)?.path == container.stored("Album/Cat.ptk") && value(NSMetadataItemPathKey) as? String == container.stored("Album/Cat.ptk"))
        #expect(value(NSMetadataItemContentTypeKey) as? String == "public.image" && (value(NSMetadataItemFSSizeKey) as? NSNumber)?.intValue ?? 0 >= 5000)
        #expect(value(NSMetadataItemFSContentChangeDateKey) is Date && value(NSMetadataItemIsUbiquitousKey) as? Bool == true)
        #expect(value(NSMetadataUbiquitousItemDownloadingStatusKey) as? String == NSMetadataUbiquitousItemDownloadingStatusCurrent)
        #expect(value(NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool == false && value("kMDItemNothing") == nil)
        #expect(value(NSMetadataUbiquitousItemPercentDownloadedKey) as? Double == 100)
        #expect(item.attributes.contains(NSMetadataItemURLKey) && item.values(forAttributes: [NSMetadataItemFSNameKey, "x"])?.count == 1)
        let same = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored("Album/Cat.ptk"))))
        for name in item.attributes where name != NSMetadataItemURLKey { #expect("\(same.value(forAttribute: name) ?? "")" == "\(value(name) ?? "")", "\(name)") }
        #expect(NSMetadataItem(url: URL(fileURLWithPath: container.stored("None.ptk"))) == nil && NSMetadataItem(url: URL(fileURLWithPath: "/etc/passwd")) == nil)
    }
}
