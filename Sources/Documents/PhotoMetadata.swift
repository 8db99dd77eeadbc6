import KeyedArchives
import PropertyLists

/// `photo.metadata`: the thumbnail, and what we add to it: under which title and extension the photo was made.
///
/// A photo without it is complete, so a broken one is no fault; but it is never written over.
public enum PhotoMetadata {
    private static let titleKey = "Valise Title", extensionKey = "Valise Extension"

    static func facts(of source: (any ByteSource)?) -> (title: String?, fileExtension: String?) {
        guard let source, let (archive, object) = try? PhotoKind.archive(source) else { return (nil, nil) }
        func string(_ key: String) -> String? {
            guard case .string(let text)? = try? archive.value(object.field(key)), !text.isEmpty, text.utf8.count <= 255 else { return nil }
            return text
        }
        let fileExtension = string(extensionKey).flatMap { ImageType.extensions.contains($0.lowercased()) ? $0 : nil }
        return (string(titleKey), fileExtension)
    }

    /// The thumbnail's bytes, if there is one.
    public static func thumbnail(in source: any ByteSource, limit: Int = 4 << 20) -> [UInt8]? {
        guard let (archive, object) = try? PhotoKind.archive(source),
            case .data(let offset, let count)? = try? archive.value(object.field(PhotoArchive.thumbnailKey)), count <= Int64(limit)
        else { return nil }
        return try? source.bytes(at: offset, count: Int(count))
    }

    /// Metadata with this thumbnail, all else as it was; nil for metadata that is there and not understood.
    public static func setting(thumbnail png: [UInt8], in source: (any ByteSource)?, spelling: Spelling?) -> [UInt8]? {
        guard let source else { return PhotoArchive.newMetadata(spelling ?? PhotoArchive.defaultSpelling, thumbnail: png).bytes() }
        guard let (archive, object) = try? PhotoKind.archive(source), var editor = try? ArchiveEditor(archive) else { return nil }
        editor.set(PhotoArchive.thumbnailKey, of: object, to: .data(png))
        return editor.bytes()
    }

    /// The old image's thumbnail is no longer the photo's.
    static func afterNewImage(_ source: (any ByteSource)?, shownName: [UInt8], spelling: Spelling) -> PartWriting {
        guard let source else { return .bytes(made(shownName, spelling)) }
        guard let (archive, object) = try? PhotoKind.archive(source) else { return .keep }
        let fileExtension = FileName.split(shownName).fileExtension
        let hasThumbnail = object.field(PhotoArchive.thumbnailKey) != nil
        let isRecorded = facts(of: source).fileExtension == fileExtension
        guard hasThumbnail || !isRecorded, var editor = try? ArchiveEditor(archive) else { return .keep }
        if hasThumbnail {
            if PhotoArchive.isObjectiveC(spelling) { editor.set(PhotoArchive.thumbnailKey, of: object, to: .none) }
            else { editor.remove(PhotoArchive.thumbnailKey, of: object) }
        }
        editor.set(extensionKey, of: object, to: .string(fileExtension))
        return .bytes(editor.bytes())
    }

    static func renamed(_ source: (any ByteSource)?, shownName: [UInt8], spelling: Spelling) -> PartWriting {
        guard let source else { return .bytes(made(shownName, spelling)) }
        guard let (archive, object) = try? PhotoKind.archive(source), var editor = try? ArchiveEditor(archive) else { return .keep }
        let (stem, fileExtension) = FileName.split(shownName)
        editor.set(titleKey, of: object, to: .string(String(decoding: stem, as: UTF8.self)))
        editor.set(extensionKey, of: object, to: .string(fileExtension))
        return .bytes(editor.bytes())
    }

    private static func made(_ shownName: [UInt8], _ spelling: Spelling) -> [UInt8] {
        let (stem, fileExtension) = FileName.split(shownName)
        var archive = PhotoArchive.newMetadata(spelling)
        archive.set(titleKey, to: .string(String(decoding: stem, as: UTF8.self)))
        archive.set(extensionKey, to: .string(fileExtension))
        return archive.bytes()
    }
}
