import Coordination
import Foundation
import LinuxFiles

/// Where Foundation on Linux has no such type: a place for an error.
///
/// ```swift
/// var error: NSError?
/// coordinator.coordinate(readingItemAt: url, error: &error) { read($0) }
/// ```
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Reads and writes files and folders while nobody else does who coordinates too: drives, programs and apps, in whatever process, where
/// the file lies in a container; the coordinators and presenters of this process elsewhere. As Foundation's class of this name, which
/// Linux does not have.
///
/// Readers run side by side, a writer runs alone, in the order in which they came. A document and the file that a drive shows of it are one
/// item, and a package is one. Before somebody else's document is read, whoever has it open is asked to save it.
///
/// ```swift
/// let coordinator = NSFileCoordinator(filePresenter: nil)
/// var error: NSError?
/// coordinator.coordinate(readingItemAt: url, options: [], error: &error) { url in data = try? Data(contentsOf: url) }
/// ```
open class NSFileCoordinator: NSObject, @unchecked Sendable {
    // Sendable, because all that changes is behind the lock.

    /// What a reader wants of those who have the file open.
    ///
    /// ```swift
    /// coordinator.coordinate(readingItemAt: url, options: .withoutChanges, error: nil) { read($0) }
    /// ```
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// As it lies there: nobody is asked to save it.
        public static let withoutChanges = ReadingOptions(rawValue: 1 << 0)
        /// Where the URL is of a symbolic link, what it leads to is read.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 1 << 1)
        /// Its attributes alone: nobody is asked to save it, and nothing is downloaded.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 1 << 2)
        /// A copy of it, which others need not wait for. A folder is copied as one, and not packed.
        public static let forUploading = ReadingOptions(rawValue: 1 << 3)
    }

    /// What a writer is about to do.
    ///
    /// ```swift
    /// coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: nil) { try? FileManager.default.removeItem(at: $0) }
    /// ```
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It is to be removed: whoever has it open is told, and nothing is saved before.
        public static let forDeleting = WritingOptions(rawValue: 1 << 0)
        /// It is to get another place, with all that is in it.
        public static let forMoving = WritingOptions(rawValue: 1 << 1)
        /// What others have not saved is saved before, to be put together with what is written.
        public static let forMerging = WritingOptions(rawValue: 1 << 2)
        /// Something else is to take its place: nothing is saved before.
        public static let forReplacing = WritingOptions(rawValue: 1 << 3)
        /// Its attributes alone.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 1 << 4)
    }

    private struct State {
        /// Named when it is asked for first.
        var purpose: String?
        var waits: [ObjectIdentifier: AccessWait] = [:]
        var isCancelled = false
    }

    private let state = Locked(State())
    let presenter: ObjectIdentifier?
    /// The presenter may have been added later than this was made.
    private var link: PresenterLink? { presenter.flatMap { FilePresenters.link(of: $0) } }

    /// Coordinators of one presenter are for one purpose, and do not ask that presenter.
    ///
    /// ```swift
    /// let coordinator = NSFileCoordinator(filePresenter: self)
    /// ```
    public init(filePresenter filePresenterOrNil: (any NSFilePresenter)? = nil) {
        presenter = filePresenterOrNil.map { ObjectIdentifier($0) }
        super.init()
        if let presenter { state.withLock { $0.purpose = "presenter \(UInt(bitPattern: presenter))" } }
    }

    /// What the accesses are for. Those of one purpose, by whatever coordinators of this process, never wait for each other.
    ///
    /// ```swift
    /// coordinator.purposeIdentifier = "com.example.App.export"
    /// ```
    open var purposeIdentifier: String {
        get { state.withLock { Self.purpose(in: &$0) } }
        set { state.withLock { $0.purpose = newValue } }
    }

    private static func purpose(in state: inout State) -> String {
        if let purpose = state.purpose { return purpose }
        let new = UUID().uuidString
        state.purpose = new
        return new
    }

    // MARK: One item

    /// Runs `reader` while nobody writes the item. Waits for that, and for the block; may be called from any thread.
    ///
    /// ```swift
    /// coordinator.coordinate(readingItemAt: url, options: [], error: &error) { url in data = try? Data(contentsOf: url) }
    /// ```
    /// - Parameters:
    ///   - url: the item: a file or folder, in a container, on a drive or elsewhere.
    ///   - options: what is wanted of those who have it open.
    ///   - outError: gets the reason where it could not be granted.
    ///   - reader: gets the item's place now. Not called where there is an error.
    open func coordinate(readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer, byAccessor reader: (URL) -> Void) {
        unsafe access([WantedItem(reading: url, options)], outError) { reader($0[0]) }
    }

    /// Runs `writer` while nobody else reads or writes the item. Waits for that, and for the block.
    ///
    /// ```swift
    /// coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: &error) { try? FileManager.default.removeItem(at: $0) }
    /// ```
    /// - Parameters:
    ///   - url: the item, which need not be there yet.
    ///   - options: what is about to be done.
    ///   - outError: gets the reason where it could not be granted.
    ///   - writer: gets the item's place now. Not called where there is an error.
    open func coordinate(writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer, byAccessor writer: (URL) -> Void) {
        unsafe access([WantedItem(writing: url, options)], outError) { writer($0[0]) }
    }

    // MARK: Several items

    /// Runs `readerWriter` while nobody writes the first item, and nobody else uses the second.
    ///
    /// ```swift
    /// coordinator.coordinate(readingItemAt: from, writingItemAt: to, options: .forReplacing, error: &error) { from, to in copy(from, to) }
    /// ```
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [], writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
        error outError: NSErrorPointer, byAccessor readerWriter: (URL, URL) -> Void
    ) {
        unsafe access([WantedItem(reading: readingURL, readingOptions), WantedItem(writing: writingURL, writingOptions)], outError) { readerWriter($0[0], $0[1]) }
    }

    /// Runs `writer` while nobody else uses either item: to move one to the other's place, say.
    ///
    /// ```swift
    /// coordinator.coordinate(writingItemAt: old, options: .forMoving, writingItemAt: new, options: .forReplacing, error: &error) { old, new in
    ///     try? FileManager.default.moveItem(at: old, to: new)
    ///     coordinator.item(at: old, didMoveTo: new)
    /// }
    /// ```
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL, options options2: WritingOptions = [],
        error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        unsafe access([WantedItem(writing: url1, options1), WantedItem(writing: url2, options2)], outError) { writer($0[0], $0[1]) }
    }

    /// Runs `batchAccessor` once all those who have one of the items open have saved it, so that the accesses in it need not wait
    /// for that. It calls what it is given when it has ended.
    ///
    /// ```swift
    /// coordinator.prepare(forReadingItemsAt: urls, writingItemsAt: [], error: &error) { done in urls.forEach(read); done() }
    /// ```
    open func prepare(
        forReadingItemsAt readingURLs: [URL], options readingOptions: ReadingOptions = [], writingItemsAt writingURLs: [URL],
        options writingOptions: WritingOptions = [], error outError: NSErrorPointer, byAccessor batchAccessor: (@escaping @Sendable () -> Void) -> Void
    ) {
        let items = readingURLs.map { WantedItem(reading: $0, readingOptions) } + writingURLs.map { WantedItem(writing: $0, writingOptions) }
        unsafe access(items, outError) { _ in
            let ended = DispatchSemaphore(value: 0)
            batchAccessor { ended.signal() }
            ended.wait()
        }
    }

    /// Runs `accessor` on a queue while all the intents are granted; returns at once.
    ///
    /// ```swift
    /// let intent = NSFileAccessIntent.readingIntent(with: url)
    /// coordinator.coordinate(with: [intent], queue: queue) { error in if error == nil { read(intent.url) } }
    /// ```
    /// - Parameters:
    ///   - intents: the items, and what for.
    ///   - queue: where `accessor` runs.
    ///   - accessor: gets the reason where they could not be granted.
    open func coordinate(with intents: [NSFileAccessIntent], queue: OperationQueue, byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void) {
        Self.waiting.async { [self] in
            do {
                try access(intents.map(\.wanted)) { urls in
                    for (intent, url) in zip(intents, urls) { intent.move(to: url) }
                    let operation = BlockOperation { accessor(nil) }
                    queue.addOperations([operation], waitUntilFinished: true)
                }
            } catch {
                let error = FileFault.coordination(error)
                queue.addOperation { accessor(error) }
            }
        }
    }

    private static let waiting = DispatchQueue(label: "valise.intents", attributes: .concurrent)

    private func access(_ items: [WantedItem], _ outError: NSErrorPointer, _ body: ([URL]) -> Void) {
        do { try access(items, body) } catch {
            if let place = unsafe outError { unsafe place.pointee = FileFault.coordination(error, isWriting: items.contains(where: \.purpose.isWriting)) }
        }
    }

    /// The same for who throws.
    func access(_ items: [WantedItem], _ body: ([URL]) -> Void) throws {
        let wait = AccessWait()
        let purpose: String? = state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.waits[ObjectIdentifier(wait)] = wait
            return Self.purpose(in: &state)
        }
        guard let purpose else { throw CocoaError(.userCancelled) }
        defer { state.withLock { $0.waits[ObjectIdentifier(wait)] = nil } }
        try CoordinatedAccess(purpose: purpose, link: link, wait: wait).run(items, body)
    }

    // MARK: While it is under way

    /// Ends every call that waits still, and whatever is called later, with `CocoaError.userCancelled`. Blocks that run go on.
    ///
    /// ```swift
    /// coordinator.cancel()
    /// ```
    open func cancel() {
        let waits = state.withLock { state in
            state.isCancelled = true
            return Array(state.waits.values)
        }
        for wait in waits { wait.cancel() }
    }

    /// Those that wait ask once more: a presenter's, which was asked to save meanwhile, come before who waits for that.
    func askAgain() {
        for wait in state.withLock({ Array($0.waits.values) }) { wait.claim.askAgain() }
    }

    /// What was granted is not needed any more by the blocks that run.
    func letGo() {
        for wait in state.withLock({ Array($0.waits.values) }) { wait.letGo() }
    }

    /// A block is about to move an item. Nothing follows from that here.
    ///
    /// ```swift
    /// coordinator.item(at: old, willMoveTo: new)
    /// ```
    open func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// A block for writing has moved an item: those who wait for it get its new place, and those who present it are told.
    ///
    /// ```swift
    /// coordinator.item(at: old, didMoveTo: new)
    /// ```
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        guard let old = try? ItemPlace(oldURL), let new = try? ItemPlace(newURL),
              let access = HeldAccesses.writing(old.path, in: old.order.0, for: purposeIdentifier) else { return }
        guard old.isBeside(new) else {
            for (other, inside) in FilePresenters.presented(in: old) where other !== link { other.leave(to: inside.reduce(newURL) { $0.appendingPathComponent($1.text) }) }
            access.coordinated?.left(from: old.path, to: newURL.standardizedFileURL.path)
            return
        }
        if let coordinated = access.coordinated { coordinated.moved(from: old.path, to: new.path) } else {
            ProcessCoordination.shared.moved(old.path, to: new.path, except: link)
        }
    }

    // MARK: Presenters

    /// From now on this one is asked and told, until it is removed. Its item is the one that it presents now.
    ///
    /// ```swift
    /// NSFileCoordinator.addFilePresenter(self)
    /// ```
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) { FilePresenters.add(filePresenter) }

    /// It is asked and told no more.
    ///
    /// ```swift
    /// deinit { NSFileCoordinator.removeFilePresenter(self) }
    /// ```
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) { FilePresenters.remove(filePresenter) }

    /// Those that were added in this process and not removed.
    ///
    /// ```swift
    /// NSFileCoordinator.filePresenters.forEach(NSFileCoordinator.removeFilePresenter)
    /// ```
    open class var filePresenters: [any NSFilePresenter] { FilePresenters.all }
}

extension FileFault {
    /// Why an access was not granted, as an error of the Cocoa domain.
    static func coordination(_ error: any Error, isWriting: Bool = false) -> NSError {
        guard let failure = error as? Failure else { return error as NSError }
        if failure.errno.rawValue == 125 { return CocoaError(.userCancelled) as NSError }
        let code: CocoaError.Code = switch failure.errno {
        case .readOnly: .fileWriteVolumeReadOnly
        case .accessDenied, .notPermitted: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
        default: .fileReadUnknown
        }
        return CocoaError(code, userInfo: [
            NSLocalizedDescriptionKey: failure.sentence, NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(failure.errno.rawValue)),
        ]) as NSError
    }
}
