import AppSupport
import DocumentKit
import Foundation

/// A bookmark in a file of its own: an archive with the object under `Bookmark`.
public final class BookmarkDocument: UIDocument, AppDocument {
    public var bookmark: Bookmark?
    public var failure: (any Error)?

    public override func load(fromContents contents: Any, ofType typeName: String?) throws {
        let data = (contents as? FileWrapper)?.regularFileContents ?? contents as? Data ?? Data()
        // As a new one begins.
        guard !data.isEmpty else { return bookmark = Bookmark(name: "Bookmark Name", url: "www.example.com") }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        defer { unarchiver.finishDecoding() }
        guard let found = unarchiver.decodeObject(forKey: "Bookmark") as? Bookmark else { throw AppFault("It is no bookmark.") }
        bookmark = found
    }

    public override func contents(forType typeName: String) throws -> Any {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(bookmark ?? Bookmark(name: "Bookmark Name", url: "www.example.com"), forKey: "Bookmark")
        archiver.finishEncoding()
        return archiver.encodedData
    }

    public override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        failure = error
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    /// `Bookmark_NAME-SECONDS`. A name with “/” would be a path that does not exist, and a long one no name of a file.
    public static func fileName(_ name: String, seconds: Double) -> String {
        let ending = String(format: "-%f", seconds)
        var stem = name.replacingOccurrences(of: "/", with: "\u{2215}").replacingOccurrences(of: "\0", with: "\u{2400}")
        while stem.utf8.count > 255 - 9 - ending.utf8.count { stem.removeLast() }
        return "Bookmark_" + stem + ending
    }
}
