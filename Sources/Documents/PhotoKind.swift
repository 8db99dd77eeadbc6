import KeyedArchives
import PropertyLists

/// A photo of the photo keeper: a package `<title>.ptk` with the image in `photo.data` and what is known of it in
/// `photo.metadata`, shown as the image itself.
public struct PhotoKind: DocumentKind {
    public let name = "photo"
    public let partNames: [String]? = ["photo.data", "photo.metadata"]
    /// `bplist00`, and a data object's marker with its length in eight bytes: see docs/FORMATS.md.
    public let room: Int64? = 18
    public let storedNameFollowsShown = true

    static let storedExtension = "ptk"

    public init() {}

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool {
        isFolder && FileName.hasExtension(storedName, Self.storedExtension)
    }

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let source = parts.first ?? nil else { throw .damaged("its photo.data is missing") }
        let (archive, object) = try Self.archive(source)
        let content: DocumentReading.Content
        switch try readingArchive({ () throws(PropertyListFault) in try archive.value(object.field(PhotoArchive.imageKey)) }) {
        case .data(let offset, let count): content = .range(part: 0, offset: offset, length: count)
        case .none: content = .range(part: 0, offset: 0, length: 0)
        default: throw .damaged("its photo.data holds something that is no image data")
        }
        let facts = PhotoMetadata.facts(of: parts.count > 1 ? parts[1] : nil)
        let stem = FileName.split(storedName).stem
        let fileExtension: String
        if let recorded = facts.fileExtension { fileExtension = recorded } else { fileExtension = try Self.sniffed(archive, content) }
        var reading = DocumentReading(name: Self.title(facts.title, stem), fileExtension: fileExtension, content: content)
        reading.spelling = PhotoArchive.spelling(of: object)
        return reading
    }

    /// A recorded title holds as long as the package is called so, or so with the number that told it from another.
    private static func title(_ recorded: String?, _ stem: [UInt8]) -> [UInt8] {
        guard let recorded, FileName.isNumbered(stem, of: Array(recorded.utf8)) else { return stem }
        return Array(recorded.utf8)
    }

    private static func sniffed(_ archive: KeyedArchive, _ content: DocumentReading.Content) throws(DocumentFault) -> String {
        guard case .range(_, let offset, let length) = content, length > 0 else { return ImageType.unknownExtension }
        return try readingArchive { () throws(PropertyListFault) in
            let head = try archive.list.bytes(at: offset, count: Int(min(length, Int64(ImageType.bytesNeeded))))
            return ImageType.of(head)?.preferredExtension ?? ImageType.unknownExtension
        }
    }

    static func archive(_ source: any ByteSource) throws(DocumentFault) -> (KeyedArchive, KeyedArchive.Object) {
        try readingArchive { () throws(PropertyListFault) in
            let archive = try KeyedArchive(source)
            guard let object = try PhotoArchive.object(in: archive) else { throw .foreign("it is an archive of something that is no photo") }
            return (archive, object)
        }
    }

    public func claims(shownName: [UInt8]) -> Bool {
        let (stem, fileExtension) = FileName.split(shownName)
        return !stem.isEmpty && ImageType.extensions.contains(fileExtension.lowercased())
    }

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        let head: [UInt8]
        do throws(SourceFailure) { head = try content.bytes(at: 0, count: Int(min(content.byteCount, Int64(ImageType.bytesNeeded)))) } catch { throw DocumentFault(error) }
        guard ImageType.of(head) != nil else {
            throw .unfit(content.byteCount == 0 ? "it is empty, and no image" : "its bytes are no image that is known")
        }
        let image = ArchiveEditor.NewValue.placed(count: content.byteCount)
        var spelling = spelling ?? PhotoArchive.defaultSpelling
        let around: (head: [UInt8], tail: [UInt8])
        if let old = existing?.first ?? nil {
            let (archive, object) = try Self.archive(old)
            spelling = PhotoArchive.spelling(of: object) ?? spelling
            around = try readingArchive { () throws(PropertyListFault) in
                var editor = try ArchiveEditor(archive, leavingOut: object.field(PhotoArchive.imageKey))
                editor.set(PhotoArchive.imageKey, of: object, to: image)
                return editor.written()
            }
        } else {
            around = PhotoArchive.newData(spelling, image).written()
        }
        guard let room, around.head.count == Int(room) else { throw .damaged("its image has no place in its archive") }
        let metadata = existing.flatMap { $0.count > 1 ? $0[1] : nil }
        return [.around(head: around.head, tail: around.tail), PhotoMetadata.afterNewImage(metadata, shownName: shownName, spelling: spelling)]
    }

    public func rename(
        _ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions
    ) throws(DocumentFault) -> [PartWriting] {
        guard let source = parts.first ?? nil else { throw .damaged("its photo.data is missing") }
        let (_, object) = try Self.archive(source)
        let metadata = parts.count > 1 ? parts[1] : nil
        return [.keep, PhotoMetadata.renamed(metadata, shownName: shownName, spelling: PhotoArchive.spelling(of: object) ?? PhotoArchive.defaultSpelling)]
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        FileName.stored(FileName.split(shownName).stem, number: attempt, suffix: "." + Self.storedExtension)
    }
}
