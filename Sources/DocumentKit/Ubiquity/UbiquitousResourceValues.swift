import Catalog
import Containers
import Foundation
import LinuxFiles

/// What an app asks about a file of its container, where Foundation's resource values on Linux say nothing or something else.
///
/// ```swift
/// if try url.ubiquitousResourceValues().isHidden == true { continue }
/// ```
///
/// Foundation's `URLResourceValues` on Linux has no `ubiquitousItem…` at all, and another package can add none that know their file. So
/// `url.resourceValues(forKeys:)` is this one where one of these is asked of it at once, and Foundation's where it is kept without a type:
///
/// ```swift
/// if try url.resourceValues(forKeys: [.ubiquitousItemDownloadingStatusKey]).ubiquitousItemDownloadingStatus == .current { open(url) }
/// let values: UbiquitousResourceValues = try url.resourceValues(forKeys: [.ubiquitousItemDownloadingStatusKey])
/// ```
public struct UbiquitousResourceValues: Sendable {
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

    init(_ url: URL) throws {
        let name = url.lastPathComponent
        guard url.isFileURL, let file = try? Descriptor.atPath(url.standardizedFileURL.path, .path), let status = try? file.status() else {
            throw UbiquityError.error(.fileReadNoSuchFile, url, "It is not there.")
        }
        isHidden = name.hasPrefix(".") || Name(name).map(Hidden.hides) ?? false
        let isUbiquitous = FileManager.default.isUbiquitousItem(at: url), item = NSMetadataItem(url: url)
        isUbiquitousItem = isUbiquitous
        isPackage = status.type == .folder && (item != nil || Name(name).map { ContentTypeTable.kinds.isOwnPackage($0) } == true)
        localizedName = item?.known.found.item.shown.text ?? name
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
    /// What there is to say of a file, as it is now. Foundation's own `resourceValues(forKeys:)` says of every file that it is not hidden,
    /// and of none that it is in a container.
    ///
    /// ```swift
    /// let values = try url.ubiquitousResourceValues()
    /// ```
    public func ubiquitousResourceValues() throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self) }

    /// The same under the name of Foundation's, which is chosen where one of these values is asked of it at once, or their type is written. All
    /// values are there, whatever the keys are.
    ///
    /// ```swift
    /// let status = try url.resourceValues(forKeys: [.ubiquitousItemDownloadingStatusKey]).ubiquitousItemDownloadingStatus
    /// ```
    @_disfavoredOverload
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> UbiquitousResourceValues { try UbiquitousResourceValues(self) }
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
