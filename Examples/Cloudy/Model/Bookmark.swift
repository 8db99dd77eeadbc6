import DocumentKit
import Foundation

// What a port adds: from here on, the app's own words mean the library's archivers.
typealias NSKeyedArchiver = KeyedArchiver
typealias NSKeyedUnarchiver = KeyedUnarchiver

/// A name and a URL. Archived as `Bookmark`, as the app on a phone calls it.
public final class Bookmark: NSObject, NSCoding {
    public let name: String
    public let url: String
    /// As which kind of link a drive shows it. It belongs to others, and goes along when the bookmark is changed.
    private let linkForm: String?

    public init(name: String, url: String, of old: Bookmark? = nil) {
        self.name = name
        self.url = url
        linkForm = old?.linkForm
    }

    public required init?(coder aDecoder: NSCoder) {
        name = aDecoder.decodeObject(forKey: "Bookmark Name") as? String ?? ""
        url = aDecoder.decodeObject(forKey: "Bookmark URL") as? String ?? ""
        linkForm = aDecoder.decodeObject(forKey: "Valise Link Form") as? String
    }

    public func encode(with aCoder: NSCoder) {
        aCoder.encode(name, forKey: "Bookmark Name")
        aCoder.encode(url, forKey: "Bookmark URL")
        if let linkForm { aCoder.encode(linkForm, forKey: "Valise Link Form") }
    }

    /// Once, at the start of the app.
    public static func prepare() {
        NSKeyedArchiver.setClassName("Bookmark", for: Bookmark.self)
        NSKeyedUnarchiver.setClass(Bookmark.self, forClassName: "Bookmark")
    }
}
