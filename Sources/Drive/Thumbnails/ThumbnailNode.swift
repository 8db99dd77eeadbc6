import LinuxFiles
import Thumbnails

/// `.sh_thumbnails` of a folder and what is in it. They are in no table: each has the number of the folder or photo that
/// it belongs to, with a mark above it, and counts as that for as long as the kernel knows it.
enum ThumbnailNode: Hashable {
    case top(folder: NodeNumber)
    case size(Int, folder: NodeNumber)
    case picture(Int, photo: NodeNumber)

    var id: NodeID {
        let mark: Int
        switch self {
        case .top: mark = 1
        case .size(let size, _): mark = 2 + size
        case .picture(let size, _): mark = 2 + SharedThumbnail.sizes.count + size
        }
        return NodeID(rawValue: UInt64(mark) << 32 | UInt64(base.rawValue))
    }

    init?(_ id: NodeID) {
        let base = NodeNumber(UInt32(truncatingIfNeeded: id.rawValue)), count = SharedThumbnail.sizes.count
        switch Int(id.rawValue >> 32) {
        case 1: self = .top(folder: base)
        case let mark where (2..<2 + count).contains(mark): self = .size(mark - 2, folder: base)
        case let mark where (2 + count..<2 + 2 * count).contains(mark): self = .picture(mark - 2 - count, photo: base)
        default: return nil
        }
    }

    /// The folder or the photo.
    var base: NodeNumber {
        switch self {
        case .top(let folder), .size(_, let folder): folder
        case .picture(_, let photo): photo
        }
    }
}

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
