import Catalog
import Containers
import Foundation
import LinuxFiles
import Predicates

/// What is known of a file or package in a container: a result of an ``NSMetadataQuery``, or asked of a URL.
///
/// A result stays the same object as long as it is one. Its values are those that the query last told of.
///
/// ```swift
/// let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL
/// ```
open class NSMetadataItem: NSObject, @unchecked Sendable {
    // Sendable, because what changes is behind the lock.

    /// What was found, and where it is.
    struct Facts: Sendable {
        let found: FoundItem
        let container: Container
        /// On the drive, say; nil where it is named as it lies in the container.
        private let named: String?

        init(_ found: FoundItem, _ container: Container, named: String?) { (self.found, self.container, self.named) = (found, container, named) }

        /// On the drive, or in the container.
        var path: String { named ?? storedPath }

        var storedPath: String {
            let top = found.scope == .documents && container.hasDocumentsFolder ? "/Documents/" : "/"
            return container.path + top + String(decoding: found.storedPath, as: UTF8.self)
        }
    }

    private let facts: Latest<Facts>

    init(_ facts: Facts) {
        self.facts = Latest(facts)
        super.init()
    }

    /// What is known of one file or package, on a drive or in a container; nil for what is neither or not there.
    ///
    /// ```swift
    /// let size = NSMetadataItem(url: url)?.value(forAttribute: NSMetadataItemFSSizeKey)
    /// ```
    public convenience init?(url: URL) {
        guard let place = SearchedPlace(url), let name = place.names.last,
            let container = try? Container.open(place.container, access: .read, creating: [], kinds: ContentTypeTable.kinds),
            let found = FoundItem.reading(name, in: Array(place.names.dropLast()), place.scope, of: container)
        else { return nil }
        self.init(Facts(found, container, named: url.standardizedFileURL.path))
    }

    var known: Facts { facts.value }

    func become(_ new: Facts) { facts.set(new) }

    /// The value of an attribute, by Apple's name for it; nil where the item has none.
    ///
    /// ```swift
    /// let date = item.value(forAttribute: NSMetadataItemFSContentChangeDateKey) as? Date
    /// ```
    open func value(forAttribute key: String) -> Any? {
        switch key {
        case NSMetadataItemURLKey: URL(fileURLWithPath: known.path)
        case NSMetadataUbiquitousItemPercentDownloadedKey, NSMetadataUbiquitousItemPercentUploadedKey: 100.0
        case NSMetadataItemContentTypeTreeKey: (value(forAttribute: NSMetadataItemContentTypeKey) as? String).map(ContentTypes.tree)
        case NSMetadataUbiquitousItemURLInLocalContainerKey: URL(fileURLWithPath: storedPath)
        case NSMetadataUbiquitousItemContainerDisplayNameKey: (known.container.path as NSString).lastPathComponent
        case NSMetadataUbiquitousItemDownloadRequestedKey, NSMetadataUbiquitousItemIsExternalDocumentKey, NSMetadataUbiquitousItemIsSharedKey: NSNumber(value: false)
        default: Attribute(named: key).flatMap { Self.foundation(value(of: $0)) }
        }
    }

    /// The values of several attributes, without those that it does not have.
    ///
    /// ```swift
    /// let values = item.values(forAttributes: [NSMetadataItemFSNameKey, NSMetadataItemFSSizeKey])
    /// ```
    open func values(forAttributes keys: [String]) -> [String: Any]? {
        var values: [String: Any] = [:]
        for key in keys { values[key] = value(forAttribute: key) }
        return values
    }

    /// The attributes that it has values of.
    ///
    /// ```swift
    /// for name in item.attributes { print(name, item.value(forAttribute: name) ?? "") }
    /// ```
    open var attributes: [String] { Self.names.filter { value(forAttribute: $0) != nil } }

    private static let names = [
        NSMetadataItemFSNameKey, NSMetadataItemDisplayNameKey, NSMetadataItemURLKey, NSMetadataItemPathKey, NSMetadataItemFSSizeKey,
        NSMetadataItemFSCreationDateKey, NSMetadataItemFSContentChangeDateKey, NSMetadataItemContentTypeKey, NSMetadataItemKindKey,
        NSMetadataItemTitleKey, NSMetadataItemIsUbiquitousKey, NSMetadataUbiquitousItemHasUnresolvedConflictsKey,
        NSMetadataUbiquitousItemDownloadingStatusKey, NSMetadataUbiquitousItemIsDownloadedKey, NSMetadataUbiquitousItemIsDownloadingKey,
        NSMetadataUbiquitousItemPercentDownloadedKey, NSMetadataUbiquitousItemIsUploadedKey, NSMetadataUbiquitousItemIsUploadingKey,
        NSMetadataUbiquitousItemPercentUploadedKey, NSMetadataItemContentTypeTreeKey, NSMetadataUbiquitousItemURLInLocalContainerKey,
        NSMetadataUbiquitousItemContainerDisplayNameKey, NSMetadataUbiquitousItemDownloadRequestedKey,
        NSMetadataUbiquitousItemIsExternalDocumentKey, NSMetadataUbiquitousItemIsSharedKey,
    ]

    private static func foundation(_ value: Value) -> Any? {
        switch value {
        case .missing: nil
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): Int64(exactly: number).map { NSNumber(value: $0) } ?? NSNumber(value: number)
        case .date(let moment): PredicateValues.date(moment)
        case .flag(let flag): NSNumber(value: flag)
        }
    }

    // MARK: For predicates

    func value(of attribute: Attribute) -> Value {
        let known = known, item = known.found.item
        switch attribute {
        case .name: return .text(item.shown.bytes)
        case .stored: return .text(item.stored.bytes)
        case .title: return item.title.map { .text($0) } ?? .missing
        case .size: return .number(Double(item.size))
        case .changed: return .date(item.changed)
        case .created: return item.created.map { .date($0) } ?? .missing
        case .url: return item.url.map { .text($0) } ?? .missing
        case .kind: return .text(item.kind.name)
        case .type: return .text(known.found.contentType)
        case .path: return .text(known.path)
        case .item: return .text(MetadataURL.text(ofPath: storedPath))
        case .hidden: return .flag(item.isHidden)
        case .conflict: return .flag(hasConflict)
        case .ubiquitous, .downloaded, .uploaded: return .flag(true)
        case .draft, .downloading, .uploading: return .flag(false)
        case .status: return .text(NSMetadataUbiquitousItemDownloadingStatusCurrent)
        case .text: return .missing
        }
    }

    private var storedPath: String { known.storedPath }

    private var hasConflict: Bool {
        let known = known
        guard known.found.scope == .documents, let kind = known.found.item.kind.document,
            let folder = try? known.container.documents.folder(at: known.found.folder)
        else { return false }
        // Who asks for all of a large folder does not have it read for each.
        let stored = known.found.item.stored, path = known.found.folder + [stored]
        let parts = kind.isPackage ? (try? FilePlace(folder: folder, name: stored).inside().map(\.name)) ?? [] : nil
        guard (try? known.container.mayBeInConflict(at: path, in: folder, parts: parts)) == true else { return false }
        let place = DocumentPlace(folder: folder, path: known.found.folder, stored: stored, kind: kind)
        return (try? known.container.unresolvedConflicts(of: place))?.isEmpty == false
    }
}
