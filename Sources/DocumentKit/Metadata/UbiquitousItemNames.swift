// The names of what a service that keeps items on several devices knows of them, as Apple has them. No service does that here yet: each
// answers what is so without one.

/// Whether somebody asked for its content: everything is here, so nobody has to.
///
/// ```swift
/// let isAsked = item.value(forAttribute: NSMetadataUbiquitousItemDownloadRequestedKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemDownloadRequestedKey = "NSMetadataUbiquitousItemDownloadRequestedKey"
/// Why its content could not be got: nothing has to be.
///
/// ```swift
/// if let error = item.value(forAttribute: NSMetadataUbiquitousItemDownloadingErrorKey) as? NSError { show(error) }
/// ```
public let NSMetadataUbiquitousItemDownloadingErrorKey = "NSMetadataUbiquitousItemDownloadingErrorKey"
/// Why its content did not reach others: it goes nowhere.
///
/// ```swift
/// if let error = item.value(forAttribute: NSMetadataUbiquitousItemUploadingErrorKey) as? NSError { show(error) }
/// ```
public let NSMetadataUbiquitousItemUploadingErrorKey = "NSMetadataUbiquitousItemUploadingErrorKey"
/// What its container is called, for people: the name of its folder.
///
/// ```swift
/// let name = item.value(forAttribute: NSMetadataUbiquitousItemContainerDisplayNameKey) as? String
/// ```
public let NSMetadataUbiquitousItemContainerDisplayNameKey = "NSMetadataUbiquitousItemContainerDisplayNameKey"
/// Where it lies in its container: a URL, of what is on a drive, too.
///
/// ```swift
/// let stored = item.value(forAttribute: NSMetadataUbiquitousItemURLInLocalContainerKey) as? URL
/// ```
public let NSMetadataUbiquitousItemURLInLocalContainerKey = "NSMetadataUbiquitousItemURLInLocalContainerKey"
/// Whether it belongs to another app's container, and was picked there: none does.
///
/// ```swift
/// let isOfAnother = item.value(forAttribute: NSMetadataUbiquitousItemIsExternalDocumentKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsExternalDocumentKey = "NSMetadataUbiquitousItemIsExternalDocumentKey"
/// Whether it is shared with other people: nothing is.
///
/// ```swift
/// let isShared = item.value(forAttribute: NSMetadataUbiquitousItemIsSharedKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsSharedKey = "NSMetadataUbiquitousItemIsSharedKey"
/// What it holds and all that this is a kind of, the narrowest first: uniform type identifiers.
///
/// ```swift
/// let isText = (item.value(forAttribute: NSMetadataItemContentTypeTreeKey) as? [String])?.contains("public.text") == true
/// ```
public let NSMetadataItemContentTypeTreeKey = "kMDItemContentTypeTree"
