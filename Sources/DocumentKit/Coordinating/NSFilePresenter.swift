import Foundation

/// Whoever has a file or folder open, and is asked before others read or write it and told what happens to it: in whatever process
/// those are, where it lies in a container. As Foundation's protocol of this name, which Linux does not have.
///
/// All calls come on ``presentedItemOperationQueue``. Only the first two are to be there; for the others, what is here answers at
/// once and does nothing. Whoever does not answer for five seconds is passed over, and `valise status` says so.
///
/// ```swift
/// final class Editor: NSObject, NSFilePresenter {
///     let presentedItemURL: URL?
///     let presentedItemOperationQueue = OperationQueue()
///     func presentedItemDidChange() { reload() }
/// }
/// NSFileCoordinator.addFilePresenter(editor)
/// ```
public protocol NSFilePresenter: NSObjectProtocol {
    /// What is presented, when it is added; a folder with all that is in it. Nil for nothing.
    ///
    /// ```swift
    /// var presentedItemURL: URL? { url }
    /// ```
    var presentedItemURL: URL? { get }
    /// On which all calls come.
    ///
    /// ```swift
    /// let presentedItemOperationQueue = OperationQueue()
    /// ```
    var presentedItemOperationQueue: OperationQueue { get }

    /// Somebody is about to read it. From the call of `reader` on it is left alone, until what was given to `reader` is called.
    ///
    /// ```swift
    /// func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { reader { self.goOn() } }
    /// ```
    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Somebody is about to write it; the same.
    ///
    /// ```swift
    /// func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { writer { self.reload() } }
    /// ```
    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// What was not saved is to be saved now, with a coordinator of this presenter: whoever waits gets that. Comes after it was relinquished.
    ///
    /// ```swift
    /// func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(save()) }
    /// ```
    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// It is about to be deleted, or was.
    ///
    /// ```swift
    /// func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { close(); completionHandler(nil) }
    /// ```
    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// It has another place now.
    ///
    /// ```swift
    /// func presentedItemDidMove(to newURL: URL) { url = newURL }
    /// ```
    func presentedItemDidMove(to newURL: URL)
    /// Its contents or attributes have changed, or may have.
    ///
    /// ```swift
    /// func presentedItemDidChange() { reload() }
    /// ```
    func presentedItemDidChange()
    /// It has one more version, or one more that somebody has to decide about.
    ///
    /// ```swift
    /// func presentedItemDidGain(_ version: NSFileVersion) { if version.isConflict { showConflict() } }
    /// ```
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version is gone.
    ///
    /// ```swift
    /// func presentedItemDidLose(_ version: NSFileVersion) { reloadVersions() }
    /// ```
    func presentedItemDidLose(_ version: NSFileVersion)
    /// Somebody has decided about a conflict.
    ///
    /// ```swift
    /// func presentedItemDidResolveConflict(_ version: NSFileVersion) { hideConflict() }
    /// ```
    func presentedItemDidResolveConflict(_ version: NSFileVersion)
    /// Something in the presented folder is about to be deleted, or was.
    ///
    /// ```swift
    /// func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
    /// ```
    func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Something is new in the presented folder. Here it is told as a change.
    ///
    /// ```swift
    /// func presentedSubitemDidAppear(at url: URL) { list.append(url) }
    /// ```
    func presentedSubitemDidAppear(at url: URL)
    /// Something in the presented folder has another place now.
    ///
    /// ```swift
    /// func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { list.replace(oldURL, newURL) }
    /// ```
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    /// Something in the presented folder has changed, or is new.
    ///
    /// ```swift
    /// func presentedSubitemDidChange(at url: URL) { reload(url) }
    /// ```
    func presentedSubitemDidChange(at url: URL)
    /// Something in the presented folder has one more version, or one more that somebody has to decide about.
    ///
    /// ```swift
    /// func presentedSubitem(at url: URL, didGain version: NSFileVersion) { if version.isConflict { list.mark(url) } }
    /// ```
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    /// A version of something in the presented folder is gone. Here that is told as a decision.
    ///
    /// ```swift
    /// func presentedSubitem(at url: URL, didLose version: NSFileVersion) { list.reload(url) }
    /// ```
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    /// Somebody has decided about a conflict of something in the presented folder.
    ///
    /// ```swift
    /// func presentedSubitem(at url: URL, didResolve version: NSFileVersion) { list.unmark(url) }
    /// ```
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
    /// Which facts about uploading and downloading it wants to hear of.
    ///
    /// ```swift
    /// let observedPresentedItemUbiquityAttributes: Set<URLResourceKey> = [.ubiquitousItemIsUploadedKey]
    /// ```
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }
    /// One of these facts is another one. They never change here: only ``NSFileCoordinator/item(at:didChangeUbiquityAttributes:)`` tells it.
    ///
    /// ```swift
    /// func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) { updateCloud() }
    /// ```
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)
    /// Its content is about to be taken away from this computer. Nobody does that here.
    ///
    /// ```swift
    /// func accommodatePresentedItemEviction(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
    /// ```
    func accommodatePresentedItemEviction(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
}

extension NSFilePresenter {
    public func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { reader(nil) }
    public func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) { writer(nil) }
    public func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
    public func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
    public func presentedItemDidMove(to newURL: URL) {}
    public func presentedItemDidChange() {}
    public func presentedItemDidGain(_ version: NSFileVersion) {}
    public func presentedItemDidLose(_ version: NSFileVersion) {}
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
    public func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
    public func presentedSubitemDidAppear(at url: URL) {}
    public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {}
    public func presentedSubitemDidChange(at url: URL) {}
    public func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
    public func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
    public func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
    public var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [] }
    public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    public func accommodatePresentedItemEviction(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(nil) }
}
