import Containers
import Documents
import LinuxFiles
import Predicates

/// What a catalog knows of an item.
public struct CatalogItem: Sendable {
    public var id: Int64
    public var folder: Int64
    public var stored: Name
    /// As a listing of its folder would show it.
    public var shown: Name
    public var kind: ItemKind
    public var isHidden: Bool
    public var size: Int64
    public var changed: Moment
    public var created: Moment?
    public var url: [UInt8]?
    public var title: [UInt8]?
    /// Why something that looks like a document is none.
    public var fault: String?
    /// What it was when it was read: see `ItemStamp`.
    var stamp: Int64
    /// Others have the name that it would have alone.
    var isNumbered: Bool
}

/// A document of a kind, a folder that is one item, or a plain file.
public struct ItemKind: Hashable, Sendable {
    public let document: KindID?
    let package: FolderPackage?

    init(_ document: KindID?, package: FolderPackage? = nil) { (self.document, self.package) = (document, package) }

    /// As a catalog has it that was made with these kinds, whose names stand in it: see `CatalogSchema`.
    init?(code: Int64, _ kinds: KindRegistry) {
        if code < 0 {
            guard let package = kinds.folderPackages.first(where: { $0.place == -code - 1 }) else { return nil }
            self.init(nil, package: package)
            return
        }
        guard (0...Int64(kinds.all.count)).contains(code), let code = UInt8(exactly: code) else { return nil }
        self.init(code > 0 ? kinds[code - 1] : nil)
    }

    /// 0, or one more than the kind's place in the registry; of a folder, less than 0.
    var code: Int64 { document.map { Int64($0.place) + 1 } ?? package.map { -$0.place - 1 } ?? 0 }

    static let plain = ItemKind(nil)
    static func all(_ kinds: KindRegistry) -> [ItemKind] {
        [plain] + kinds.all.map { ItemKind($0) } + kinds.folderPackages.map { ItemKind(nil, package: $0) }
    }

    public var name: String { document?.name ?? package?.name ?? "plain" }
    /// What somebody has said that Apple's programs call it; nil where it follows from the item's name.
    var contentType: String? { document.map(ContentTypeTable.identifier) ?? package?.typeIdentifier }
}

/// What is asked of an item beside what stands in its row.
struct ItemSurroundings {
    /// Where it is on the drive, from the top on.
    let path: () -> [UInt8]
    /// Where it is in the container, as an absolute path.
    let place: () -> [UInt8]
    let text: () -> [UInt8]?
    let isConflicted: () -> Bool
    let isDraft: () -> Bool
}

extension CatalogItem {
    func value(_ attribute: Attribute, _ around: ItemSurroundings) -> Value {
        switch attribute {
        case .name: .text(shown.bytes)
        case .stored: .text(stored.bytes)
        case .title: title.map { .text($0) } ?? .missing
        case .size: .number(Double(size))
        case .changed: .date(changed)
        case .created: created.map { .date($0) } ?? .missing
        case .url: url.map { .text($0) } ?? .missing
        case .hidden: .flag(isHidden)
        case .text: around.text().map { .text($0) } ?? .missing
        case .path: .text(around.path())
        case .item: .text(Self.fileURL(around.place()))
        case .conflict: .flag(around.isConflicted())
        case .draft: .flag(around.isDraft())
        case .type: .text(Array(contentType.utf8))
        case .kind, .ubiquitous, .downloaded, .downloading, .uploaded, .uploading, .status: Self.value(attribute, of: kind)
        }
    }

    /// As Apple's programs call what it holds.
    var contentType: String { kind.contentType ?? ContentTypeTable.identifier(ofItem: stored.bytes) }

    /// What follows from the kind alone. Everything here is on this computer, and nowhere else.
    static func value(_ attribute: Attribute, of kind: ItemKind) -> Value {
        switch attribute {
        case .kind: .text(kind.name)
        case .ubiquitous, .downloaded, .uploaded: .flag(true)
        case .downloading, .uploading: .flag(false)
        case .status: .text("NSMetadataUbiquitousItemDownloadingStatusCurrent")
        default: .missing
        }
    }

    private static func fileURL(_ path: [UInt8]) -> [UInt8] {
        var url = Array("file://".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): url.append(byte)
            default: url += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return url
    }
}

extension Moment {
    public init(_ time: Timestamp) { self.init(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds)) }
}
