import LinuxFiles
import Thumbnails

/// A folder's photos by the names of their thumbnails, in one edition of the folder.
struct ThumbnailNames: Sendable {
    let edition: UInt64
    let photos: [MD5: NodeNumber]
    private let names: [NodeNumber: (shown: Name, digests: [MD5])]

    /// Of each edition only what is new in it is digested: a folder that is copied into has thousands.
    init(of photos: [(id: NodeNumber, shown: Name)], edition: UInt64, before: ThumbnailNames?) {
        var names: [NodeNumber: (shown: Name, digests: [MD5])] = [:]
        var found: [MD5: NodeNumber] = [:]
        for (id, shown) in photos {
            let known = before?.names[id]
            let digests = known?.shown == shown ? known?.digests : nil
            let name = (shown: shown, digests: digests ?? SharedThumbnail.digests(of: shown))
            names[id] = name
            for digest in name.digests { found[digest] = id }
        }
        self.edition = edition
        self.photos = found
        self.names = names
    }
}

/// Where in a photo's metadata its thumbnail lies, in one state of the metadata.
struct ThumbnailPlace: Sendable {
    let stamp: ContentStamp
    let offset: Int64
    let length: Int64
}

extension Name {
    /// Why a name that the kernel found, and that is in no folder of the container, cannot be taken away.
    var absence: Errno { self == SharedThumbnail.folder ? .readOnly : .noSuchEntry }
}
