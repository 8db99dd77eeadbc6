/// An attribute of an item, by which predicates choose and results are sorted.
public enum Attribute: String, CaseIterable, Sendable {
    /// As the drive shows it.
    case name
    /// As the container has it, and as the apps know it.
    case stored
    case title, size, changed, created, kind, type, url, text, path
    /// Where the item itself lies, as a file URL.
    case item
    case conflict, draft, hidden
    /// Those of items that a service keeps on several devices.
    case ubiquitous, downloaded, downloading, uploaded, uploading, status

    /// What its values are.
    public enum Sort: Sendable { case text, number, date, flag }

    public var sort: Sort {
        switch self {
        case .name, .stored, .title, .kind, .type, .url, .text, .path, .item, .status: .text
        case .size: .number
        case .changed, .created: .date
        case .conflict, .draft, .hidden, .ubiquitous, .downloaded, .downloading, .uploaded, .uploading: .flag
        }
    }

    /// The name that Apple's programs use: the value of the constant, and what the constant is called where that is different.
    public var appleNames: [String] {
        switch self {
        case .name: ["kMDItemDisplayName", "NSMetadataItemDisplayNameKey"]
        case .stored: ["kMDItemFSName", "NSMetadataItemFSNameKey"]
        case .title: ["kMDItemTitle", "NSMetadataItemTitleKey"]
        case .size: ["kMDItemFSSize", "NSMetadataItemFSSizeKey"]
        case .changed: ["kMDItemFSContentChangeDate", "NSMetadataItemFSContentChangeDateKey", "kMDItemContentModificationDate"]
        case .created: ["kMDItemFSCreationDate", "NSMetadataItemFSCreationDateKey", "kMDItemContentCreationDate"]
        case .kind: ["kMDItemKind", "NSMetadataItemKindKey"]
        case .type: ["kMDItemContentType", "NSMetadataItemContentTypeKey"]
        case .url: ["kMDItemURL"]
        case .text: ["kMDItemTextContent", "NSMetadataItemTextContentKey"]
        case .path: ["kMDItemPath", "NSMetadataItemPathKey"]
        case .item: ["NSMetadataItemURLKey"]
        case .conflict: ["NSMetadataUbiquitousItemHasUnresolvedConflictsKey"]
        case .draft, .hidden: []
        case .ubiquitous: ["NSMetadataItemIsUbiquitousKey"]
        case .downloaded: ["NSMetadataUbiquitousItemIsDownloadedKey"]
        case .downloading: ["NSMetadataUbiquitousItemIsDownloadingKey"]
        case .uploaded: ["NSMetadataUbiquitousItemIsUploadedKey"]
        case .uploading: ["NSMetadataUbiquitousItemIsUploadingKey"]
        case .status: ["NSMetadataUbiquitousItemDownloadingStatusKey"]
        }
    }

    private static let byName: [String: Attribute] = {
        var names: [String: Attribute] = [:]
        for attribute in allCases {
            for name in [attribute.rawValue] + attribute.appleNames { names[name.lowercased()] = attribute }
        }
        return names
    }()

    /// All names that predicates may use.
    public static var allNames: [String] { allCases.flatMap { [$0.rawValue] + $0.appleNames } }

    /// By any of its names, in any case.
    public init?(named name: String) {
        guard name.utf8.count <= 64, let found = Self.byName[name.lowercased()] else { return nil }
        self = found
    }
}
