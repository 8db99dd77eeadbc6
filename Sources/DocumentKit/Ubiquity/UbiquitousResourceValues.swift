import Containers
import Foundation
import LinuxFiles

/// What an app asks about a file of its container, where Foundation's resource values on Linux say nothing or something else.
///
/// ```swift
/// if try url.ubiquitousResourceValues().isHidden == true { continue }
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
    /// let isHere = try url.ubiquitousResourceValues().ubiquitousItemDownloadingStatus == NSMetadataUbiquitousItemDownloadingStatusCurrent
    /// ```
    public let ubiquitousItemDownloadingStatus: String?
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

    init(_ url: URL) throws {
        let name = url.lastPathComponent
        guard url.isFileURL, let file = try? Descriptor.atPath(url.standardizedFileURL.path, .path), let status = try? file.status() else {
            throw UbiquityError.error(.fileReadNoSuchFile, url, "It is not there.")
        }
        isHidden = name.hasPrefix(".") || Name(name).map(Hidden.hides) ?? false
        let isUbiquitous = FileManager.default.isUbiquitousItem(at: url), item = NSMetadataItem(url: url)
        isUbiquitousItem = isUbiquitous
        isPackage = status.type == .folder && item?.known.found.item.kind.document != nil
        localizedName = item.map { "\($0.known.found.item.shown)" } ?? name
        let isItem = isUbiquitous || item != nil
        ubiquitousItemHasUnresolvedConflicts = isItem ? item?.value(forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey) as? Bool ?? false : nil
        ubiquitousItemDownloadingStatus = isItem ? NSMetadataUbiquitousItemDownloadingStatusCurrent : nil
        ubiquitousItemIsUploaded = isItem ? true : nil
        (ubiquitousItemIsDownloading, ubiquitousItemIsUploading, ubiquitousItemDownloadRequested) = isItem ? (false, false, false) : (nil, nil, nil)
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
}
