import Catalog
import Containers
import Foundation
import LinuxFiles

/// What an app asks about a file: all that Foundation's `URLResourceValues` has, and what that says nothing or something else of on Linux.
///
/// ```swift
/// let values = try url.resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey, .ubiquitousItemDownloadingStatusKey])
/// if values.isDirectory == true || values.ubiquitousItemDownloadingStatus != .current { continue }
/// ```
///
/// Foundation's has no `ubiquitousItem…` at all, and calls every file visible. So `url.resourceValues(forKeys:)` is this one where the keys are written
/// as a list, or where one of these values is asked of it at once. Where the keys are in a variable, its type is written:
///
/// ```swift
/// let values: UbiquitousResourceValues = try url.resourceValues(forKeys: keys)
/// ```
///
/// As on Apple's systems, what no key asks for is nil.
@dynamicMemberLookup
public struct UbiquitousResourceValues: @unchecked Sendable {
    // Sendable, because Foundation's values are not changed any more.
    private let foundation: URLResourceValues

    /// What only Foundation says: `isDirectory`, `fileSize`, `contentModificationDate`, `name` and the like.
    ///
    /// ```swift
    /// let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize
    /// ```
    public subscript<Value>(dynamicMember path: KeyPath<URLResourceValues, Value>) -> Value { foundation[keyPath: path] }

    /// Whether file managers leave it out: what begins with a dot.
    ///
    /// ```swift
    /// let shown = try urls.filter { try $0.ubiquitousResourceValues().isHidden == false }
    /// ```
    public let isHidden: Bool?
    /// Whether it is in a container that is named.
    ///
    /// ```swift
    /// let isCloudy = try url.ubiquitousResourceValues().isUbiquitousItem
    /// ```
    public let isUbiquitousItem: Bool?
    /// Whether it is a folder that is one document.
    ///
    /// ```swift
    /// let isOneDocument = try url.ubiquitousResourceValues().isPackage
    /// ```
    public let isPackage: Bool?
    /// What a drive calls it, for people.
    ///
    /// ```swift
    /// let title = try url.ubiquitousResourceValues().localizedName
    /// ```
    public let localizedName: String?
    /// The type of its content, from its name: see ``ContentTypes``.
    ///
    /// ```swift
    /// if try url.resourceValues(forKeys: [.typeIdentifierKey]).typeIdentifier == "public.plain-text" { … }
    /// ```
    public let typeIdentifier: String?
    /// When it was made, as far as its file system keeps that. Foundation's says when it was changed.
    ///
    /// ```swift
    /// let made = try url.resourceValues(forKeys: [.creationDateKey]).creationDate
    /// ```
    public let creationDate: Date?
    /// Of an item of a container: whether two sides changed it at once, and nobody has decided yet.
    ///
    /// ```swift
    /// let asks = try url.ubiquitousResourceValues().ubiquitousItemHasUnresolvedConflicts == true
    /// ```
    public let ubiquitousItemHasUnresolvedConflicts: Bool?
    /// Of an item of a container: it is here, and the newest there is.
    ///
    /// ```swift
    /// let isHere = try url.ubiquitousResourceValues().ubiquitousItemDownloadingStatus == .current
    /// ```
    public let ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus?
    /// ```swift
    /// let isComing = try url.ubiquitousResourceValues().ubiquitousItemIsDownloading
    /// ```
    public let ubiquitousItemIsDownloading: Bool?
    /// ```swift
    /// let isThere = try url.ubiquitousResourceValues().ubiquitousItemIsUploaded
    /// ```
    public let ubiquitousItemIsUploaded: Bool?
    /// ```swift
    /// let isGoing = try url.ubiquitousResourceValues().ubiquitousItemIsUploading
    /// ```
    public let ubiquitousItemIsUploading: Bool?
    /// ```swift
    /// let isAsked = try url.ubiquitousResourceValues().ubiquitousItemDownloadRequested
    /// ```
    public let ubiquitousItemDownloadRequested: Bool?
    /// Of an item of a container: what that is called, for people: the name of its folder.
    ///
    /// ```swift
    /// label.text = try url.ubiquitousResourceValues().ubiquitousItemContainerDisplayName
    /// ```
    public let ubiquitousItemContainerDisplayName: String?
    /// Of an item of a container: whether it is shared with other people. Nothing is.
    ///
    /// ```swift
    /// let isShared = try url.ubiquitousResourceValues().ubiquitousItemIsShared
    /// ```
    public let ubiquitousItemIsShared: Bool?
    /// Why its content could not be got: nothing has to be.
    ///
    /// ```swift
    /// if let error = try url.ubiquitousResourceValues().ubiquitousItemDownloadingError { show(error) }
    /// ```
    public var ubiquitousItemDownloadingError: NSError? { nil }
    /// Why its content did not reach others: it goes nowhere.
    ///
    /// ```swift
    /// if let error = try url.ubiquitousResourceValues().ubiquitousItemUploadingError { show(error) }
    /// ```
    public var ubiquitousItemUploadingError: NSError? { nil }

    /// What documents are asked for where nobody says what.
    private static let ofDocuments: Set<URLResourceKey> = [
        .nameKey, .pathKey, .isDirectoryKey, .isRegularFileKey, .isSymbolicLinkKey, .fileSizeKey, .totalFileSizeKey, .contentModificationDateKey, .contentAccessDateKey,
        .isReadableKey, .isWritableKey, .isExecutableKey, .parentDirectoryURLKey, .fileResourceTypeKey, .fileResourceIdentifierKey, .linkCountKey,
    ]
    /// For these the container is looked into.
    private static let ofItems: Set<URLResourceKey> = [
        .isUbiquitousItemKey, .isPackageKey, .localizedNameKey, .ubiquitousItemHasUnresolvedConflictsKey, .ubiquitousItemDownloadingStatusKey,
        .ubiquitousItemIsDownloadingKey, .ubiquitousItemIsUploadedKey, .ubiquitousItemIsUploadingKey, .ubiquitousItemDownloadRequestedKey,
        .ubiquitousItemContainerDisplayNameKey, .ubiquitousItemIsSharedKey, .ubiquitousItemDownloadingErrorKey, .ubiquitousItemUploadingErrorKey,
    ]

    /// Without keys, all that documents have.
    init(_ url: URL, _ keys: Set<URLResourceKey>? = nil) throws {
        let name = url.lastPathComponent, path = url.standardizedFileURL.path
        // A link that leads nowhere is there, too.
        guard url.isFileURL, let file = (try? Descriptor.atPath(path, .path)) ?? (try? FilePlace(url)).flatMap({ try? $0.folder.descriptor.open($0.name, .path) }),
            let (status, made) = try? file.statusAndBirth() else {
            throw UbiquityError.error(.fileReadNoSuchFile, url, "It is not there.")
        }
        foundation = try url.resourceValues(forKeys: keys ?? Self.ofDocuments) as URLResourceValues
        isHidden = name.hasPrefix(".") || Name(name).map(Hidden.hides) ?? false
        typeIdentifier = status.type == .folder && !ContentTypes.isPackage(url) ? "public.folder" : ContentTypes.identifier(of: url)
        creationDate = made.map { Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9) }
        let isAsked = keys.map { !$0.isDisjoint(with: Self.ofItems) } ?? true
        let isUbiquitous = isAsked && FileManager.default.isUbiquitousItem(at: url), item = isAsked ? NSMetadataItem(url: url) : nil
        isUbiquitousItem = isAsked ? isUbiquitous : nil
        isPackage = isAsked ? status.type == .folder && (item != nil || ContentTypes.isPackage(url)) : nil
        localizedName = isAsked ? item?.known.found.item.shown.text ?? name : nil
        let isItem = isUbiquitous || item != nil
        ubiquitousItemHasUnresolvedConflicts = isItem ? item?.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool ?? false : nil
        ubiquitousItemDownloadingStatus = isItem ? .current : nil
        ubiquitousItemContainerDisplayName = item?.value(forAttribute: NSMetadataUbiquitousItemContainerDisplayNameKey) as? String
        ubiquitousItemIsUploaded = isItem ? true : nil
        (ubiquitousItemIsDownloading, ubiquitousItemIsUploading) = isItem ? (false, false) : (nil, nil)
        (ubiquitousItemDownloadRequested, ubiquitousItemIsShared) = isItem ? (false, false) : (nil, nil)
    }
}

extension URL {
    /// All that there is to say of a document's file, as it is now.
    ///
    /// ```swift
    /// let values = try url.ubiquitousResourceValues()
    /// ```
    public func ubiquitousResourceValues() throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self) }

    /// What the keys ask for. Swift takes this one for Foundation's wherever the keys are a list (`[.isHiddenKey]`), because a list is an array first.
    ///
    /// ```swift
    /// let values = try url.resourceValues(forKeys: [.fileSizeKey, .ubiquitousItemDownloadingStatusKey])
    /// ```
    public func resourceValues(forKeys keys: [URLResourceKey]) throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self, Set(keys)) }

    /// The same with keys of a variable. It is chosen where a value is asked of it at once that Foundation's has not, or where its type is written.
    ///
    /// ```swift
    /// let values: UbiquitousResourceValues = try url.resourceValues(forKeys: keys)
    /// ```
    @_disfavoredOverload
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self, keys) }

    /// The same of an item whose content may be elsewhere. It is here.
    ///
    /// ```swift
    /// let size = try url.promisedItemResourceValues(forKeys: [.fileSizeKey]).fileSize
    /// ```
    public func promisedItemResourceValues(forKeys keys: Set<URLResourceKey>) throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self, keys) }

    /// Before a file is used that a person has chosen. No app is kept from files here, so it is always true.
    ///
    /// ```swift
    /// guard url.startAccessingSecurityScopedResource() else { return }
    /// defer { url.stopAccessingSecurityScopedResource() }
    /// ```
    public func startAccessingSecurityScopedResource() -> Bool { true }

    /// Afterwards.
    ///
    /// ```swift
    /// url.stopAccessingSecurityScopedResource()
    /// ```
    public func stopAccessingSecurityScopedResource() {}
}

extension URLResourceKey {
    /// Whether an item is shared with other people.
    ///
    /// ```swift
    /// let isShared = try url.resourceValues(forKeys: [.ubiquitousItemIsSharedKey]).ubiquitousItemIsShared
    /// ```
    public static let ubiquitousItemIsSharedKey = URLResourceKey(rawValue: "NSURLUbiquitousItemIsSharedKey")
}

/// Where the content of an item is. Here it always is ``current``.
///
/// ```swift
/// if status != .current { try FileManager.default.startDownloadingUbiquitousItem(at: url) }
/// ```
public struct URLUbiquitousItemDownloadingStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is here, and the newest there is.
    public static let current = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusCurrent")
    /// It is here, and there is a newer one elsewhere.
    public static let downloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusDownloaded")
    /// It is elsewhere.
    public static let notDownloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusNotDownloaded")
}
