import CloudyModel
import DocumentKit
import Foundation

// What a port adds: from here on, the apps' own words mean the library's archivers.
typealias NSKeyedArchiver = KeyedArchiver
typealias NSKeyedUnarchiver = KeyedUnarchiver

// MARK: Cloudy's model is that of Examples/Cloudy

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

// MARK: PhotoKeeper's model, as the app has it

extension String {
    static let versionKey = "Version"
    static let photoKey = "Photo"
    static let thumbnailKey = "Thumbnail"
    static let dataKey = "Data"
}

/// Stands for the image class of the system, which Linux does not have: its data is PNG.
final class Picture {
    let png: Data
    init?(data: Data) { png = data }
    func pngData() -> Data? { png }
}

class PhotoData: NSObject, NSCoding {
    var image: Picture?

    init(image: Picture? = nil) { self.image = image }

    func encode(with aCoder: NSCoder) {
        aCoder.encode(1, forKey: .versionKey)
        guard let photoData = image?.pngData() else { return }
        aCoder.encode(photoData, forKey: .photoKey)
    }

    required init?(coder aDecoder: NSCoder) {
        _ = aDecoder.decodeInteger(forKey: .versionKey)
        guard let photoData = aDecoder.decodeObject(forKey: .photoKey) as? Data else { return nil }
        self.image = Picture(data: photoData)
    }
}

class PhotoMetadata: NSObject, NSCoding {
    var image: Picture?

    init(image: Picture? = nil) { self.image = image }

    func encode(with aCoder: NSCoder) {
        aCoder.encode(1, forKey: .versionKey)
        guard let photoData = image?.pngData() else { return }
        aCoder.encode(photoData, forKey: .thumbnailKey)
    }

    required init?(coder aDecoder: NSCoder) {
        _ = aDecoder.decodeInteger(forKey: .versionKey)
        guard let photoData = aDecoder.decodeObject(forKey: .thumbnailKey) as? Data else { return nil }
        image = Picture(data: photoData)
    }
}

/// What the app's document does with each of its two files.
enum PhotoDocument {
    static func wrapper(_ object: NSObject & NSCoding) -> FileWrapper {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(object, forKey: .dataKey)
        archiver.finishEncoding()
        return FileWrapper(regularFileWithContents: archiver.encodedData)
    }

    static func decode<T>(from data: Data) throws -> T? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        return unarchiver.decodeObject(forKey: .dataKey) as? T
    }
}
