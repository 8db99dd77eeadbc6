import DocumentKit
import Foundation

// What a port adds: from here on, the app's own words mean the library's archivers.
typealias NSKeyedArchiver = KeyedArchiver
typealias NSKeyedUnarchiver = KeyedUnarchiver

/// Stands for the image class of a phone, which Linux does not have: the bytes of an image as they are, so that nothing of it is lost.
public final class Picture: Sendable {
    public let data: Data

    /// Nil where the bytes do not begin as an image does.
    public init?(data: Data) {
        guard Self.isImage(data) else { return nil }
        self.data = data
    }

    private static func isImage(_ data: Data) -> Bool {
        let begin = Array(data.prefix(12))
        let beginnings: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("II*\0".utf8), Array("MM\0*".utf8), Array("BM".utf8)]
        if beginnings.contains(where: begin.starts) { return true }
        guard begin.count == 12 else { return false }
        return (begin.starts(with: Array("RIFF".utf8)) && begin[8...].elementsEqual(Array("WEBP".utf8))) || begin[4...7].elementsEqual(Array("ftyp".utf8))
    }
}

extension String {
    fileprivate static let versionKey = "Version", photoKey = "Photo", thumbnailKey = "Thumbnail"
    fileprivate static let titleKey = "Valise Title", extensionKey = "Valise Extension"
}

/// The photo itself, in a file of its own: whoever shows a list does not read it.
public final class PhotoData: NSObject, NSCoding {
    public let image: Picture?

    public init(image: Picture? = nil) { self.image = image }

    public func encode(with aCoder: NSCoder) {
        aCoder.encode(1, forKey: .versionKey)
        if let image { aCoder.encode(image.data, forKey: .photoKey) }
    }

    public required init?(coder aDecoder: NSCoder) {
        _ = aDecoder.decodeInteger(forKey: .versionKey)
        guard let photoData = aDecoder.decodeObject(forKey: .photoKey) as? Data else { return nil }
        image = Picture(data: photoData)
    }

    /// Once, at the start of the app: as the one on a phone calls them.
    public static func prepare() {
        NSKeyedArchiver.setClassName("PhotoKeeper.PhotoData", for: PhotoData.self)
        NSKeyedArchiver.setClassName("PhotoKeeper.PhotoMetadata", for: PhotoMetadata.self)
        NSKeyedUnarchiver.setClass(PhotoData.self, forClassName: "PhotoKeeper.PhotoData")
        NSKeyedUnarchiver.setClass(PhotoMetadata.self, forClassName: "PhotoKeeper.PhotoMetadata")
    }
}

/// What a list shows of a photo.
public final class PhotoMetadata: NSObject, NSCoding {
    public let image: Picture?
    /// As which name a drive shows it. They belong to others, and go along when something is changed.
    private let shownTitle: String?, shownExtension: String?

    /// `old`: of the same photo, with another picture, which may be of another kind.
    public init(image: Picture? = nil, of old: PhotoMetadata? = nil) {
        self.image = image
        (shownTitle, shownExtension) = (old?.shownTitle, nil)
    }

    public func encode(with aCoder: NSCoder) {
        aCoder.encode(1, forKey: .versionKey)
        if let image { aCoder.encode(image.data, forKey: .thumbnailKey) }
        if let shownTitle { aCoder.encode(shownTitle, forKey: .titleKey) }
        if let shownExtension { aCoder.encode(shownExtension, forKey: .extensionKey) }
    }

    /// One without a thumbnail is a photo all the same.
    public required init?(coder aDecoder: NSCoder) {
        _ = aDecoder.decodeInteger(forKey: .versionKey)
        image = (aDecoder.decodeObject(forKey: .thumbnailKey) as? Data).flatMap(Picture.init)
        shownTitle = aDecoder.decodeObject(forKey: .titleKey) as? String
        shownExtension = aDecoder.decodeObject(forKey: .extensionKey) as? String
    }
}
