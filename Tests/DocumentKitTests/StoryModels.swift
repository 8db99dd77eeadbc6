import DocumentKit
import Foundation

// The documents of PhotoKeeper, with its class, key and method names. Those of the other apps are in Examples.

extension String {
    static let appExtension = "ptk"
    fileprivate static let dataFilename = "photo.data", metadataFilename = "photo.metadata"
}

struct PhotoEntry {
    let mainImage: Picture, thumbnailImage: Picture
}

final class PhotoKeeperDocument: UIDocument {
    override var description: String { fileURL.deletingPathExtension().lastPathComponent }

    var fileWrapper: FileWrapper?

    lazy var photoData: PhotoData = {
        guard fileWrapper != nil, let data = decodeFromWrapper(for: .dataFilename) as? PhotoData else { return PhotoData() }
        return data
    }()

    lazy var metadata: PhotoMetadata = {
        guard fileWrapper != nil, let data = decodeFromWrapper(for: .metadataFilename) as? PhotoMetadata else { return PhotoMetadata() }
        return data
    }()

    var photo: PhotoEntry? {
        get { photoData.image.flatMap { image in metadata.image.map { PhotoEntry(mainImage: image, thumbnailImage: $0) } } }
        set {
            photoData.image = newValue?.mainImage
            metadata.image = newValue?.thumbnailImage
        }
    }

    private func encodeToWrapper(object: NSObject & NSCoding) -> FileWrapper { PhotoDocument.wrapper(object) }

    override func contents(forType typeName: String) throws -> Any {
        let wrappers = [String.metadataFilename: encodeToWrapper(object: metadata), .dataFilename: encodeToWrapper(object: photoData)]
        return FileWrapper(directoryWithFileWrappers: wrappers)
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let contents = contents as? FileWrapper else { throw CocoaError(.fileReadCorruptFile) }
        fileWrapper = contents
    }

    private func decodeFromWrapper(for name: String) -> Any? {
        guard let wrapper = fileWrapper?.fileWrappers?[name], let data = wrapper.regularFileContents else { return nil }
        return try? (PhotoDocument.decode(from: data) as Any?)
    }
}

/// A row of the list.
struct Entry: Comparable {
    let fileURL: URL
    let metadata: PhotoMetadata?
    let version: NSFileVersion

    private var editDate: Date { version.modificationDate ?? .distantPast }
    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.editDate == rhs.editDate }
    static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.editDate < rhs.editDate }
}
