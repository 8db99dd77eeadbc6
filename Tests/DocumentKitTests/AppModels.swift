import CloudyModel
import DocumentKit
import Foundation

// What a port adds: from here on, the apps' own words mean the library's archivers.
typealias NSKeyedArchiver = KeyedArchiver
typealias NSKeyedUnarchiver = KeyedUnarchiver

// The models of the apps are those of Examples.

/// What `BookmarkDocument` does in `contents(forType:)` and `load(fromContents:ofType:)`.
enum BookmarkArchive {
    static func contents(of bookmark: Bookmark) -> Data {
        let data = NSMutableData()
        let archiver = NSKeyedArchiver(forWritingWith: data)
        archiver.encode(bookmark, forKey: "Bookmark")
        archiver.finishEncoding()
        return data as Data
    }

    static func bookmark(in contents: Data) -> Bookmark? {
        guard contents.count > 0 else { return Bookmark(name: "Bookmark Name", url: "www.example.com") }
        let unarchiver = NSKeyedUnarchiver(forReadingWith: contents)
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: "Bookmark") as? Bookmark
    }
}
