import Documents
import LinuxFiles
import Transactions

/// A photo's metadata with a new thumbnail, ready to take its place.
public struct StagedThumbnail: Sendable {
    package let name: Name
    /// The part that it is.
    let part: Name
}

extension KindID {
    /// The part of a document of this kind that has its thumbnail; nil where none has.
    public var thumbnailPart: Name? {
        guard let index = kind.thumbnails?.part, let form, form.draftNames.indices.contains(index) else { return nil }
        return form.draftNames[index]
    }
}

/// Thumbnails come into photos whose image stays.
final class PhotoThumbnails: Sendable {
    private let container: Container
    private let staging: Staging
    private let attributes: FileAttributes

    init(container: Container, staging: Staging, attributes: FileAttributes) {
        (self.container, self.staging, self.attributes) = (container, staging, attributes)
    }

    /// Writes a photo's metadata anew, with this thumbnail and all else as it was, its times too: what a drive
    /// shows of a photo is not younger for it. Nil where its metadata is there and not understood.
    func stageThumbnail(_ png: [UInt8], for photo: ItemReader.Opened) throws(Errno) -> StagedThumbnail? {
        guard let kind = photo.item.document?.kind, let thumbnails = kind.kind.thumbnails, let part = kind.thumbnailPart,
            photo.parts.indices.contains(thumbnails.part), let image = photo.parts[0]
        else { return nil }
        let old = photo.parts[thumbnails.part]
        let spelling = photo.reading.spelling ?? container.spelling(of: kind)
        guard let bytes = try? thumbnails.setting(png, in: photo.sources[thumbnails.part], spelling: spelling) else { return nil }
        let staged = StagedThumbnail(name: Name.staged(staging.nextNumber(), ".thumbnail"), part: part)
        do throws(Errno) {
            let file = try staging.folder.descriptor.open(staged.name, [.readWrite, .create, .exclusive], mode: 0o600)
            try file.write(bytes, at: 0)
            // Not older than the image either, or it would look as if it were of another one.
            var status = try (old ?? image).descriptor.status()
            status.modified = max(status.modified, try image.descriptor.status().modified)
            try attributes.dress(file, like: status, [old])
            // It takes the place of metadata that may be on the store already.
            try file.synchronize()
        } catch {
            discard(staged)
            throw error
        }
        return staged
    }

    /// Whether a package is a photo that was saved and got no thumbnail.
    func lacksThumbnail(_ stored: Name, in folder: borrowing Descriptor) -> Bool {
        guard let kind = container.reader.candidate(for: stored, isFolder: true), let thumbnails = kind.kind.thumbnails, let name = kind.thumbnailPart,
            let package = try? folder.open(stored, [.path, .folder]), let part = try? ItemReader.openPart(name, in: package)
        else { return false }
        return thumbnails.isAwaited(FileSource(part.file, byteCount: part.facts.size))
    }

    /// Puts it in its place, by one rename. In the document's lane.
    func put(_ staged: StagedThumbnail, into stored: Name, in folder: borrowing Descriptor) throws(Errno) -> Outcome {
        let package = try folder.open(stored, [.path, .folder])
        try staging.folder.descriptor.rename(staged.name, to: package, as: staged.part)
        return Outcome(stored: stored)
    }

    func discard(_ staged: StagedThumbnail) { try? staging.folder.descriptor.unlink(staged.name) }
}
