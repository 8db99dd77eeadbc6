// The names of attributes, scopes and keys, as Apple has them: the constants' values are what predicates and dictionaries are written with.

/// What the item is called in its container.
///
/// ```swift
/// query.predicate = NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey)
/// ```
public let NSMetadataItemFSNameKey = "kMDItemFSName"
/// What a drive calls it.
///
/// ```swift
/// let title = item.value(forAttribute: NSMetadataItemDisplayNameKey) as? String
/// ```
public let NSMetadataItemDisplayNameKey = "kMDItemDisplayName"
/// Where it lies: a URL.
///
/// ```swift
/// let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL
/// ```
public let NSMetadataItemURLKey = "NSMetadataItemURLKey"
/// Its path.
///
/// ```swift
/// let path = item.value(forAttribute: NSMetadataItemPathKey) as? String
/// ```
public let NSMetadataItemPathKey = "kMDItemPath"
/// Its size in bytes: of a photo, that of the image.
///
/// ```swift
/// let size = item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber
/// ```
public let NSMetadataItemFSSizeKey = "kMDItemFSSize"
/// When it was made, where the file system knows.
///
/// ```swift
/// let date = item.value(forAttribute: NSMetadataItemFSCreationDateKey) as? Date
/// ```
public let NSMetadataItemFSCreationDateKey = "kMDItemFSCreationDate"
/// When its content changed.
///
/// ```swift
/// NSSortDescriptor(key: NSMetadataItemFSContentChangeDateKey, ascending: false)
/// ```
public let NSMetadataItemFSContentChangeDateKey = "kMDItemFSContentChangeDate"
/// What it holds, as a uniform type identifier.
///
/// ```swift
/// NSPredicate(format: "%K == 'public.image'", NSMetadataItemContentTypeKey)
/// ```
public let NSMetadataItemContentTypeKey = "kMDItemContentType"
/// bookmark, photo, text or plain.
///
/// ```swift
/// query.groupingAttributes = [NSMetadataItemKindKey]
/// ```
public let NSMetadataItemKindKey = "kMDItemKind"
/// The name inside of a document, where it has one.
///
/// ```swift
/// let title = item.value(forAttribute: NSMetadataItemTitleKey) as? String
/// ```
public let NSMetadataItemTitleKey = "kMDItemTitle"
/// The text in it: for predicates only.
///
/// ```swift
/// NSPredicate(format: "%K CONTAINS[c] 'milk'", NSMetadataItemTextContentKey)
/// ```
public let NSMetadataItemTextContentKey = "kMDItemTextContent"
/// Whether it is in a container.
///
/// ```swift
/// let isUbiquitous = item.value(forAttribute: NSMetadataItemIsUbiquitousKey) as? Bool
/// ```
public let NSMetadataItemIsUbiquitousKey = "NSMetadataItemIsUbiquitousKey"
/// Whether two sides changed it at once, and nobody has decided yet.
///
/// ```swift
/// NSPredicate(format: "%K == TRUE", NSMetadataUbiquitousItemHasUnresolvedConflictsKey)
/// ```
public let NSMetadataUbiquitousItemHasUnresolvedConflictsKey = "NSMetadataUbiquitousItemHasUnresolvedConflictsKey"
/// Whether its content is here: it always is.
///
/// ```swift
/// let status = item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
/// ```
public let NSMetadataUbiquitousItemDownloadingStatusKey = "NSMetadataUbiquitousItemDownloadingStatusKey"
/// Whether its content is here.
///
/// ```swift
/// let isHere = item.value(forAttribute: NSMetadataUbiquitousItemIsDownloadedKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsDownloadedKey = "NSMetadataUbiquitousItemIsDownloadedKey"
/// Whether its content is on the way.
///
/// ```swift
/// let isComing = item.value(forAttribute: NSMetadataUbiquitousItemIsDownloadingKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsDownloadingKey = "NSMetadataUbiquitousItemIsDownloadingKey"
/// How much of it is here: 100.
///
/// ```swift
/// let percent = item.value(forAttribute: NSMetadataUbiquitousItemPercentDownloadedKey) as? Double
/// ```
public let NSMetadataUbiquitousItemPercentDownloadedKey = "NSMetadataUbiquitousItemPercentDownloadedKey"
/// Whether others could have it.
///
/// ```swift
/// let isThere = item.value(forAttribute: NSMetadataUbiquitousItemIsUploadedKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsUploadedKey = "NSMetadataUbiquitousItemIsUploadedKey"
/// Whether it is on its way to others.
///
/// ```swift
/// let isGoing = item.value(forAttribute: NSMetadataUbiquitousItemIsUploadingKey) as? Bool
/// ```
public let NSMetadataUbiquitousItemIsUploadingKey = "NSMetadataUbiquitousItemIsUploadingKey"
/// How much of it others could have: 100.
///
/// ```swift
/// let percent = item.value(forAttribute: NSMetadataUbiquitousItemPercentUploadedKey) as? Double
/// ```
public let NSMetadataUbiquitousItemPercentUploadedKey = "NSMetadataUbiquitousItemPercentUploadedKey"
/// Its content is here, and the newest there is.
///
/// ```swift
/// if status == NSMetadataUbiquitousItemDownloadingStatusCurrent { open(url) }
/// ```
public let NSMetadataUbiquitousItemDownloadingStatusCurrent = "NSMetadataUbiquitousItemDownloadingStatusCurrent"
/// Its content is here, and there is a newer one. Nothing answers so yet.
///
/// ```swift
/// if status == NSMetadataUbiquitousItemDownloadingStatusDownloaded { open(url) }
/// ```
public let NSMetadataUbiquitousItemDownloadingStatusDownloaded = "NSMetadataUbiquitousItemDownloadingStatusDownloaded"
/// Its content is elsewhere. Nothing answers so yet.
///
/// ```swift
/// if status == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded { download(url) }
/// ```
public let NSMetadataUbiquitousItemDownloadingStatusNotDownloaded = "NSMetadataUbiquitousItemDownloadingStatusNotDownloaded"
/// Looks through the documents of the app's container.
///
/// ```swift
/// query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
/// ```
public let NSMetadataQueryUbiquitousDocumentsScope = "NSMetadataQueryUbiquitousDocumentsScope"
/// Looks through what lies beside the documents in the app's container.
///
/// ```swift
/// query.searchScopes = [NSMetadataQueryUbiquitousDataScope]
/// ```
public let NSMetadataQueryUbiquitousDataScope = "NSMetadataQueryUbiquitousDataScope"
/// What is new among the results, in the notification of an update.
///
/// ```swift
/// let added = notification.userInfo?[NSMetadataQueryUpdateAddedItemsKey] as? [NSMetadataItem] ?? []
/// ```
public let NSMetadataQueryUpdateAddedItemsKey = "kMDQueryUpdateAddedItems"
/// Which results changed.
///
/// ```swift
/// let changed = notification.userInfo?[NSMetadataQueryUpdateChangedItemsKey] as? [NSMetadataItem] ?? []
/// ```
public let NSMetadataQueryUpdateChangedItemsKey = "kMDQueryUpdateChangedItems"
/// What is no result any more.
///
/// ```swift
/// let removed = notification.userInfo?[NSMetadataQueryUpdateRemovedItemsKey] as? [NSMetadataItem] ?? []
/// ```
public let NSMetadataQueryUpdateRemovedItemsKey = "kMDQueryUpdateRemovedItems"
/// How well a result fits: nothing is ranked here, so no result has it.
///
/// ```swift
/// let rank = query.value(ofAttribute: NSMetadataQueryResultContentRelevanceAttribute, forResultAt: 0)
/// ```
public let NSMetadataQueryResultContentRelevanceAttribute = "kMDQueryResultContentRelevance"
