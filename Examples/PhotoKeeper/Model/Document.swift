import AppSupport
import DocumentKit
import Foundation

extension String {
    public static let appExtension = "ptk"
    static let dataKey = "Data"
    static let dataFilename = "photo.data", metadataFilename = "photo.metadata"
}

/// A picture and what a list shows of it.
public struct PhotoEntry: Sendable {
    public let mainImage: Picture, thumbnailImage: Picture?
    public init(mainImage: Picture, thumbnailImage: Picture?) { (self.mainImage, self.thumbnailImage) = (mainImage, thumbnailImage) }
}

/// A photo: a package of two archives. Each is decoded when it is asked for, so that a list reads no picture; and what was not changed is saved as it
/// was, with all that others have put beside it.
public final class Document: UIDocument, AppDocument {
    public var failure: (any Error)?
    private var fileWrapper: FileWrapper?
    /// Decoded, or new.
    private var parts: [String: any NSObject & NSCoding] = [:]
    private var changed: Set<String> = []

    public override var description: String { localizedName }

    public func photoData() throws -> PhotoData? { try part(.dataFilename) }
    public func metadata() throws -> PhotoMetadata? { try part(.metadataFilename) }

    public func photo() throws -> PhotoEntry? {
        guard let image = try photoData()?.image else { return nil }
        return PhotoEntry(mainImage: image, thumbnailImage: try metadata()?.image)
    }

    public func setPhoto(_ photo: PhotoEntry) {
        parts = [.dataFilename: PhotoData(image: photo.mainImage), .metadataFilename: PhotoMetadata(image: photo.thumbnailImage, of: try? metadata())]
        changed = Set(parts.keys)
        updateChangeCount(.done)
    }

    // MARK: The package

    public override func contents(forType typeName: String) throws -> Any {
        guard fileWrapper != nil || !parts.isEmpty else { throw AppFault("A photo has a picture.") }
        let whole = FileWrapper(directoryWithFileWrappers: [:])
        for (name, file) in fileWrapper?.fileWrappers ?? [:] where !changed.contains(name) {
            file.preferredFilename = name
            whole.addFileWrapper(file)
        }
        for name in changed.sorted() { if let part = parts[name] { whole.addRegularFile(withContents: Self.archived(part), preferredFilename: name) } }
        return whole
    }

    public override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let contents = contents as? FileWrapper, contents.fileWrappers?[.dataFilename] != nil else { throw AppFault("It is no photo.") }
        (fileWrapper, parts, changed) = (contents, [:], [])
    }

    private func part<Part: NSObject & NSCoding>(_ name: String) throws -> Part? {
        if let part = parts[name] { return part as? Part }
        guard let data = fileWrapper?.fileWrappers?[name]?.regularFileContents else { return nil }
        let part: Part = try Self.unarchived(data)
        parts[name] = part
        return part
    }

    public nonisolated static func archived(_ object: any NSObject & NSCoding) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(object, forKey: .dataKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    public nonisolated static func unarchived<Part>(_ data: Data) throws -> Part {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        defer { unarchiver.finishDecoding() }
        guard let part = unarchiver.decodeObject(forKey: .dataKey) as? Part else { throw AppFault("It is no photo.") }
        return part
    }

    public override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        failure = error
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }
}
