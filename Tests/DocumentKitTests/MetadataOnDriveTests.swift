import DocumentKit
import Foundation
import MountTesting
import Testing

/// The same items by a URL on a drive.
@Suite(.mounting) struct MetadataOnDriveTests {
    /// A name is what it is, with a line end in it, too.
    @Test func theURLLeadsToTheItemWhateverItIsCalled() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("text Album/Notes hello"), name = "Album/two\nlines\t"
        rename(container.stored("Album/Notes.stedoc"), container.stored(name + ".stedoc"))
        try withDrive(container) { drive in
            for (top, path) in [(container.path, container.stored(name + ".stedoc")), (drive.mountpoint, drive.path(name + ".txt"))] {
                let query = NSMetadataQuery()
                query.predicate = NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey)
                query.searchScopes = [URL(fileURLWithPath: top)]
                #expect(query.start() && eventually { !query.isGathering })
                query.stop()
                let urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
                #expect(urls.map(\.path) == [path])
                let values = try urls.first?.ubiquitousResourceValues()
                #expect(values?.isHidden == false && values?.localizedName == "two\nlines\t.txt")
            }
        }
    }

    /// As the query tells it: on a drive, what the drive calls it.
    @Test func pathsAreComparedAsTheyAreTold() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("photo Album/Cat png\nbookmark Swift https://a.org stored=Bookmark_Swift-1\nbookmark Swift https://b.org stored=Bookmark_Swift-2")
        try withDrive(container) { drive in
            for (format, path) in [("%K == %@", "Swift 1.url"), ("%K BEGINSWITH %@", "Album"), ("%K.stringByDeletingPathExtension == %@", "Album/Cat")] {
                let query = NSMetadataQuery()
                query.predicate = NSPredicate(format: format, NSMetadataItemPathKey, drive.path(path))
                query.searchScopes = [URL(fileURLWithPath: drive.mountpoint)]
                #expect(query.start() && eventually { !query.isGathering })
                query.stop()
                let paths = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemPathKey) as? String }
                #expect(paths == [drive.path(path == "Swift 1.url" ? path : "Album/Cat.png")], "\(format)")
            }
        }
    }

    @Test func aDriveAndItsContainerSayTheSameItem() throws {
        _ = OwnContainer.container
        let container = try TemporaryContainer("photo Album/Cat png\nbookmark Swift https://a.org stored=Bookmark_Swift-1\nbookmark Swift https://b.org stored=Bookmark_Swift-2")
        try withDrive(container) { drive in
            let query = NSMetadataQuery()
            query.predicate = NSPredicate(format: "kMDItemFSName LIKE '*'")
            query.searchScopes = [URL(fileURLWithPath: drive.mountpoint)]
            #expect(query.start() && eventually { !query.isGathering })
            query.stop()
            let urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
            #expect(urls.map(\.path) == [drive.path("Album/Cat.png"), drive.path("Swift 1.url"), drive.path("Swift.url")])
            for (result, url) in zip(query.results, urls) {
                let item = try #require(result as? NSMetadataItem), stored = try #require(item.value(forAttribute: NSMetadataItemFSNameKey) as? String)
                let onDrive = try #require(NSMetadataItem(url: url))
                let inContainer = try #require(NSMetadataItem(url: URL(fileURLWithPath: container.stored((stored.hasSuffix("ptk") ? "Album/" : "") + stored))))
                for name in [NSMetadataItemFSNameKey, NSMetadataItemFSSizeKey, NSMetadataItemFSContentChangeDateKey, NSMetadataItemKindKey] {
                    let values = [item, onDrive, inContainer].map { "\($0.value(forAttribute: name) ?? "")" }
                    #expect(Set(values).count == 1, "\(name): \(values)")
                }
                // A predicate with either URL means the item.
                for meant in [url, URL(fileURLWithPath: container.stored((stored.hasSuffix("ptk") ? "Album/" : "") + stored))] {
                    #expect(NSPredicate(format: "%K == %@", NSMetadataItemURLKey, meant).evaluate(with: item), "\(meant)")
                }
            }
        }
    }
}
