import Coordination
import LinuxFiles
import Thumbnails

/// A node's number in the tree: its place in the table, which is another one's when the node is gone and nobody knows it any more.
struct NodeNumber: RawRepresentable, Hashable, Comparable, Sendable {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The entry of a name that its node carries itself.
    init(carrying entry: EntryNumber) { rawValue = entry.rawValue }

    var index: Int { Int(rawValue) }

    /// No node at all.
    static let none = NodeNumber(0)
    // Those that never change.
    static let root = NodeNumber(1), control = NodeNumber(2), originals = NodeNumber(3), status = NodeNumber(4), versions = NodeNumber(5)
    static let keyValues = NodeNumber(6), deletedItems = NodeNumber(7), search = NodeNumber(8), searches = NodeNumber(9)

    static func < (left: NodeNumber, right: NodeNumber) -> Bool { left.rawValue < right.rawValue }
}

/// A name in a folder, by its place in the same table. It is the name that its node carries itself, or an alias: see `LinkedFiles`.
/// It comes and goes with the name, so nobody keeps one when the tree's lock is let go of: folder and name say which it is.
struct EntryNumber: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The name that a node carries itself.
    init(of node: NodeNumber) { rawValue = node.rawValue }

    var index: Int { Int(rawValue) }
}

extension NodeID {
    init(_ node: NodeNumber) { self.init(rawValue: UInt64(node.rawValue)) }
}

extension LaneID {
    /// The lane of a node.
    init(_ node: NodeNumber) { self.init(rawValue: UInt64(node.rawValue)) }
}

// MARK: Numbers above those of the tree

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

/// A node of a part of the control folder that has nodes of its own: they are in no table of the drive's, and their numbers say
/// whose they are.
struct ControlNode: Hashable, Sendable {
    enum Area: UInt32, CaseIterable, Sendable {
        case keyValues = 1, search, searches

        /// Its folder, which is in the tree, too.
        var folder: NodeNumber {
            switch self {
            case .keyValues: NodeNumber.keyValues
            case .search: NodeNumber.search
            case .searches: NodeNumber.searches
            }
        }

        /// Above those of thumbnails.
        private static let firstMark: UInt32 = 0x100

        fileprivate init?(mark number: UInt64) { self.init(rawValue: UInt32(truncatingIfNeeded: number >> 32) &- Self.firstMark) }

        fileprivate func numbered(_ number: UInt32) -> UInt64 { UInt64(Self.firstMark + rawValue) << 32 | UInt64(number) }
    }

    let area: Area
    /// The node's number in its area; 0 is the area's folder.
    let number: UInt32

    init(_ area: Area, _ number: UInt32 = 0) { (self.area, self.number) = (area, number) }

    init?(_ id: NodeID) {
        if id.rawValue >> 32 == 0 {
            guard let area = Area.allCases.first(where: { NodeID($0.folder) == id }) else { return nil }
            self.init(area)
        } else {
            guard let area = Area(mark: id.rawValue) else { return nil }
            self.init(area, UInt32(truncatingIfNeeded: id.rawValue))
        }
    }

    var id: NodeID { number == 0 ? NodeID(area.folder) : NodeID(rawValue: area.numbered(number)) }
}

extension HandleID {
    /// A file that one of these parts has open has a number of that part's.
    init(_ area: ControlNode.Area, _ number: UInt32) { self.init(rawValue: area.numbered(number)) }

    var ofControl: (area: ControlNode.Area, number: UInt32)? {
        ControlNode.Area(mark: rawValue).map { ($0, UInt32(truncatingIfNeeded: rawValue)) }
    }
}
