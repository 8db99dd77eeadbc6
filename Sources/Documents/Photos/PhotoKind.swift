import KeyedArchives
import PropertyLists

/// A photo: a folder `<title>.ptk` with the image in `photo.data` and facts about it in `photo.metadata`,
/// shown as the image itself.
///
/// What Valise has to remember lies in `photo.metadata`, under keys of its own:
/// - `Valise Title`, because two photos that are shown as `a.jpg` and `a.png` lie in `a.ptk` and `a 1.ptk`.
///   It counts only as long as the folder's name still follows from it: another app may rename the folder.
/// - `Valise Extension`, the one that the photo was given. Without it the image's first bytes tell;
///   unknown ones are shown as `bin`, and a photo without an image as the empty `jpg` that one can be put into.
public struct PhotoKind: DocumentKind {
    static let titleKey = "Valise Title"
    static let extensionKey = "Valise Extension"
    static let version = 1

    public init() {}

    public let name = "photo"
    public let parts: [DocumentPart]? = [.file("photo.data"), .file("photo.metadata")]
    public let contentStart: Int64? = Int64(ObjectTable.placedOffset)
    public let storedNameFollowsShown = true
    public var contentType: (identifier: String, itemExtension: String) { ("public.image", "ptk") }
    public var thumbnails: (any ThumbnailKeeping)? { PhotoThumbnail() }

    /// What a drive shows everywhere, a telephone may not.
    public func remarks(on parts: [(any ByteSource)?], reading: DocumentReading) -> [DocumentRemark] {
        guard case .range(let part, let offset, let length) = reading.content, parts.indices.contains(part), let source = parts[part],
            let start = try? source.bytes(at: offset, count: Int(min(length, Int64(ImageType.prefixLength))))
        else { return [] }
        switch ImageType(prefix: start) {
        case .webp: return [.newer("its image is a WebP, which iOS shows from version 14 on only")]
        case .avif: return [.newer("its image is an AVIF, which iOS shows from version 16 on only")]
        default: return []
        }
    }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool {
        isFolder && ItemName.stem(storedName, before: "ptk") != nil
    }

    public func takes(shownName: [UInt8]) -> Bool {
        guard ItemName.isPlain(shownName), let parts = ItemName.parts(shownName) else { return false }
        return ImageType.allExtensions.contains(ItemName.lowercased(parts.fileExtension))
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        ItemName.numbered(ItemName.parts(shownName)?.stem ?? shownName, "ptk", attempt: attempt)
    }

    // MARK: Reading

    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let stem = ItemName.stem(storedName, before: "ptk") else { throw .foreign("It is not named as a photo is.") }
        guard let data = parts.first ?? nil else { throw .damaged("Its photo.data is missing.") }
        let archive = try PhotoArchive(data, .data)
        let image = try reading { () throws(PropertyListFault) in try archive.archive.data("Photo", of: archive.object) }
        let notes = PhotoNotes(parts.count > 1 ? parts[1] : nil)

        var title = stem
        if let noted = notes.title, !noted.isEmpty, Self.follows(storedName, from: Array(noted.utf8)) { title = Array(noted.utf8) }
        let fileExtension: String
        if let noted = notes.fileExtension, !noted.isEmpty {
            fileExtension = noted
        } else if let image, image.length > 0 {
            let prefix = try archive.archive.list.few(of: image, atMost: ImageType.prefixLength)
            fileExtension = ImageType(prefix: prefix)?.extensions.first ?? "bin"
        } else {
            fileExtension = "jpg"
        }
        var content = DocumentReading.Content.range(part: 0, offset: image?.offset ?? 0, length: image?.length ?? 0)
        if archive.archive.isConverted, let image {
            // In XML the image is written in letters.
            content = .bytes(try reading { () throws(PropertyListFault) in try archive.archive.bytes(image) })
        }
        return DocumentReading(name: title, fileExtension: fileExtension, content: content, spelling: archive.spelling)
    }

    /// Whether a folder's name is one that a photo of this title was given.
    static func follows(_ storedName: [UInt8], from title: [UInt8]) -> Bool {
        if ItemName.numbered(title, "ptk", attempt: 0) == storedName { return true }
        guard let stem = ItemName.stem(storedName, before: "ptk"), let space = stem.lastIndex(of: UInt8(ascii: " ")),
              let number = Int(String(decoding: stem[(space + 1)...], as: UTF8.self)), number > 0 else { return false }
        return ItemName.numbered(title, "ptk", attempt: number) == storedName
    }

    // MARK: Writing

    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        let prefix = try content.few(at: 0, count: Int(min(content.byteCount, Int64(ImageType.prefixLength))))
        guard ImageType(prefix: prefix) != nil else {
            throw .unfit(content.byteCount == 0 ? "The file is empty and no image." : "The file is no image of a known type.")
        }
        var naming = spelling.map(PhotoNaming.init(spelling:)) ?? .standard
        var draft: ArchiveDraft
        let uid: Int
        if let data = existing?.first ?? nil {
            let archive = try PhotoArchive(data, .data)
            naming = PhotoNaming(spelling: archive.spelling)
            draft = try archive.draft()
            uid = archive.object.uid
        } else {
            (draft, uid) = try naming.draft(.data)
        }
        draft.set("Photo", of: uid, to: .placedData)
        let (head, tail) = try reading { () throws(PropertyListFault) in try draft.written(around: content.byteCount) }

        let parts = ItemName.parts(shownName)
        let metadata = try PhotoNotes.changed(existing.flatMap { $0.count > 1 ? $0[1] : nil }, naming) { draft, uid in
            naming.clear(.metadata, in: &draft, of: uid)
            if existing == nil { draft.set(Self.titleKey, of: uid, to: .text(String(decoding: parts?.stem ?? shownName, as: UTF8.self))) }
            if let parts { draft.set(Self.extensionKey, of: uid, to: .text(parts.fileExtension)) }
        }
        return [.around(head: head, tail: tail), metadata.map(PartWriting.bytes) ?? .keep]
    }

    public func missingEnd(of content: any ByteSource) throws(DocumentFault) -> String? {
        let prefix = try content.few(at: 0, count: Int(min(content.byteCount, Int64(ImageType.prefixLength))))
        guard let type = ImageType(prefix: prefix), try type.lacksEnd(content) else { return nil }
        return "The image has no end, and nobody has closed it: write the rest, or, to save it as it is, open it for writing and close it"
    }

    public func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting] {
        let reading = try read(parts, storedName: storedName, options: options)
        guard let names = ItemName.parts(shownName),
              names.fileExtension == reading.fileExtension || ImageType.allExtensions.contains(ItemName.lowercased(names.fileExtension)) else {
            throw .unfit("That is no name of a photo.")
        }
        let naming = reading.spelling.map(PhotoNaming.init(spelling:)) ?? .standard
        let metadata = try PhotoNotes.changed(parts.count > 1 ? parts[1] : nil, naming) { draft, uid in
            draft.set(Self.titleKey, of: uid, to: .text(String(decoding: names.stem, as: UTF8.self)))
            draft.set(Self.extensionKey, of: uid, to: .text(names.fileExtension))
        }
        return [.keep, metadata.map(PartWriting.bytes) ?? .keep]
    }
}
