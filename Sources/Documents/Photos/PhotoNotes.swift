import KeyedArchives
import PropertyLists

/// What `photo.metadata` tells. It may be missing or broken, and the photo is a photo all the same.
struct PhotoNotes {
    /// Bytes of a text that is a part of a file's name, as UTF-16 has them.
    private static let longest: Int64 = 1024

    var title: String?
    var fileExtension: String?

    init(_ metadata: (any ByteSource)?) {
        guard let metadata, let archive = try? PhotoArchive(metadata, .metadata) else { return }
        title = (try? archive.archive.text(PhotoKind.titleKey, of: archive.object, longest: Self.longest)) ?? nil
        fileExtension = (try? archive.archive.text(PhotoKind.extensionKey, of: archive.object, longest: Self.longest)) ?? nil
        // It becomes a part of a file's name.
        if fileExtension?.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) ?? false { fileExtension = nil }
    }

    /// `photo.metadata` after a change, made new when there is none. Nil when it is there and not
    /// understood: then it is not ours to rewrite.
    static func changed(
        _ metadata: (any ByteSource)?, _ naming: PhotoNaming, _ change: (inout ArchiveDraft, Int) -> Void
    ) throws(DocumentFault) -> [UInt8]? {
        var draft: ArchiveDraft
        let uid: Int
        if let metadata, metadata.byteCount > 0 {
            do throws(DocumentFault) {
                let archive = try PhotoArchive(metadata, .metadata)
                draft = try archive.draft()
                uid = archive.object.uid
            } catch .unreadable(let errno?) {
                throw .unreadable(errno)
            } catch {
                return nil
            }
        } else {
            (draft, uid) = try naming.draft(.metadata)
        }
        change(&draft, uid)
        return try reading { () throws(PropertyListFault) in try draft.written() }
    }
}

/// The thumbnail of a photo, in its `photo.metadata`.
public struct PhotoThumbnail: ThumbnailKeeping {
    public let part = 1

    public init() {}

    /// nil also where it is XML, in which no bytes lie.
    public func range(in metadata: any ByteSource) throws(DocumentFault) -> ByteRange? {
        let archive = try PhotoArchive(metadata, .metadata)
        guard !archive.archive.isConverted else { return nil }
        return try reading { () throws(PropertyListFault) in try archive.archive.data("Thumbnail", of: archive.object) }
    }

    /// Whether a photo that Valise saved has no thumbnail. What an app left without one is the app's, and metadata that
    /// is not understood is nobody's here.
    public func isAwaited(_ metadata: any ByteSource) -> Bool {
        guard PhotoNotes(metadata).fileExtension != nil, let archive = try? PhotoArchive(metadata, .metadata) else { return false }
        do throws(PropertyListFault) { return try archive.archive.data("Thumbnail", of: archive.object) == nil } catch { return false }
    }

    /// `photo.metadata` with a thumbnail: the one that there is, or a new one in this spelling.
    public func setting(_ png: [UInt8], in metadata: (any ByteSource)?, spelling: Spelling?) throws(DocumentFault) -> [UInt8] {
        let naming = spelling.map(PhotoNaming.init(spelling:)) ?? .standard
        guard let bytes = try PhotoNotes.changed(metadata, naming, { $0.set("Thumbnail", of: $1, to: .data(png)) }) else {
            throw .damaged("Its photo.metadata is not understood.")
        }
        return bytes
    }
}
