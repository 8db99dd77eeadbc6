import KeyedArchives
import PropertyLists

// A photo's thumbnail is made by each device for itself: it counts for nothing, and does not travel. All else that the
// two archives hold does, also what an app has put there that nobody here knows.
extension PhotoKind {
    /// Of `photo.data` the image as it lies there, and the archive without it; of `photo.metadata` what travels.
    public func essence(ofPart path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [PartEssence]? {
        guard path.elementsEqual(PhotoArchive.Part.data.file.utf8) else {
            return try travelling(part: path, source).map { [.bytes($0)] }
        }
        guard let archive = try Self.understood(source, .data),
            let image = try reading({ () throws(PropertyListFault) in
                try archive.archive.data(PhotoArchive.Part.data.field, of: archive.object)
            })
        else { return nil }
        var rest = try archive.draft()
        rest.set(PhotoArchive.Part.data.field, of: archive.object.uid, to: nil)
        rest.compact()
        let bytes = try reading { () throws(PropertyListFault) in try rest.written() }
        // In XML the image is written in letters.
        guard !archive.archive.isConverted else {
            return [.bytes(try reading { () throws(PropertyListFault) in try archive.archive.bytes(image) }), .bytes(bytes)]
        }
        return [.range(image), .bytes(bytes)]
    }

    /// `photo.metadata` without its thumbnail, written in one way: the same bytes whichever thumbnail there was, or
    /// none, so that whoever has the photo can give them again.
    public func travelling(part path: [UInt8], _ source: any ByteSource) throws(DocumentFault) -> [UInt8]? {
        guard path.elementsEqual(PhotoArchive.Part.metadata.file.utf8), let archive = try Self.understood(source, .metadata)
        else { return nil }
        var rest = try archive.draft()
        rest.set(PhotoArchive.Part.metadata.field, of: archive.object.uid, to: nil)
        rest.compact()
        return try reading { () throws(PropertyListFault) in try rest.written() }
    }

    /// Nil for what is another archive, or broken: that is no more than its bytes.
    private static func understood(_ source: any ByteSource, _ part: PhotoArchive.Part) throws(DocumentFault) -> PhotoArchive? {
        do throws(DocumentFault) { return try PhotoArchive(source, part) } catch .unreadable(let errno) {
            throw .unreadable(errno)
        } catch { return nil }
    }
}
