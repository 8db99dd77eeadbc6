import Foundation

// What an ``NSMetadataQuery`` says: on its operation queue, or else on the main queue.
extension NSNotification.Name {
    /// The query has begun.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidStartGathering, object: query, queue: nil) { processFiles($0) }
    /// ```
    public static let NSMetadataQueryDidStartGathering = NSNotification.Name("NSMetadataQueryDidStartGatheringNotification")
    /// Some results are there, and more may come.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSMetadataQueryGatheringProgress, object: query, queue: nil) { processFiles($0) }
    /// ```
    public static let NSMetadataQueryGatheringProgress = NSNotification.Name("NSMetadataQueryGatheringProgressNotification")
    /// All results are there; from now on changes are told.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil) { processFiles($0) }
    /// ```
    public static let NSMetadataQueryDidFinishGathering = NSNotification.Name("NSMetadataQueryDidFinishGatheringNotification")
    /// The results changed: the notification has what was added, changed and removed.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidUpdate, object: query, queue: nil) { processFiles($0) }
    /// ```
    public static let NSMetadataQueryDidUpdate = NSNotification.Name("NSMetadataQueryDidUpdateNotification")
}
