import Dispatch
import Foundation
import LinuxFiles

/// Looks for files and documents, and follows what changes: as Foundation's class of this name, which Linux does not have.
///
/// First it gathers, then each change comes as an update, until it is stopped. Results change only when a notification is about to
/// tell of it, on the queue that notifications come on; between ``disableUpdates()`` and ``enableUpdates()`` they do not change at
/// all. After ``stop()`` they can still be read. No file is read on the thread that calls it.
///
/// ```swift
/// let query = NSMetadataQuery()
/// query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
/// query.predicate = NSPredicate(format: "%K LIKE '*.stedoc'", NSMetadataItemFSNameKey)
/// NotificationCenter.default.addObserver(forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil) { _ in show(query.results) }
/// query.start()
/// ```
open class NSMetadataQuery: NSObject, @unchecked Sendable {
    // Sendable, because all that changes is behind the lock.

    struct State {
        var settings = MetadataQuerySettings()
        var results = MetadataResults()
        var searches: [MetadataSearch] = []
        /// Places that have not told all that they have.
        var unfinished = 0
        var isStarted = false, isGathering = false, isStopped = false
        var hasToldStart = false
        var isDeliveryDue = false
        var lastDelivery = DispatchTime(uptimeNanoseconds: 0)
        var failure: String?
        /// Searches of an earlier start say nothing any more.
        var run = 0
        var streams: [Int: AsyncStream<NSMetadataQueryUpdate>.Continuation] = [:]
        var lastStream = 0
    }

    let state = Locked(State())
    private static let queue = DispatchQueue(label: "valise.metadata")

    /// ```swift
    /// let query = NSMetadataQuery()
    /// ```
    public override init() { super.init() }

    deinit {
        let (searches, streams) = state.withLock { ($0.searches, $0.streams) }
        for search in searches { search.stop() }
        for stream in streams.values { stream.finish() }
    }

    // MARK: Life

    /// Begins to look, in the background.
    ///
    /// ```swift
    /// guard query.start() else { return warn(query.failureDescription) }
    /// ```
    /// - Returns: false where it runs already, or has no predicate that can be understood.
    @discardableResult
    open func start() -> Bool {
        let wanted: MetadataSearch.Wanted
        let settings = state.withLock { $0.settings }
        do throws(Failure) { wanted = try settings.wanted() } catch {
            state.withLock { $0.failure = error.sentence }
            return false
        }
        let run: Int? = state.withLock { state in
            guard !state.isStarted || state.isStopped else { return nil }
            let kept = (state.settings, state.run, state.streams, state.lastStream)
            state = State()
            (state.settings, state.run, state.streams, state.lastStream) = (kept.0, kept.1 &+ 1, kept.2, kept.3)
            (state.isStarted, state.isGathering) = (true, true)
            // Until the places are known.
            state.unfinished = 1
            return state.run
        }
        guard let run else { return false }
        deliverSoon()
        Self.queue.async { [weak self] in self?.search(settings, wanted, run) }
        return true
    }

    /// Follows no more changes. The results stay as they are.
    ///
    /// ```swift
    /// query.stop()
    /// ```
    open func stop() {
        let (searches, streams) = state.withLock { state in
            (state.isStopped, state.isGathering) = (state.isStarted, false)
            defer { (state.searches, state.streams) = ([], [:]) }
            return (state.searches, state.streams)
        }
        for search in searches { search.stop() }
        for stream in streams.values { stream.finish() }
    }

    /// Whether it was started.
    ///
    /// ```swift
    /// if !query.isStarted { query.start() }
    /// ```
    open var isStarted: Bool { state.withLock { $0.isStarted } }
    /// Whether it has not told all yet that there was when it was started.
    ///
    /// ```swift
    /// spinner.isHidden = !query.isGathering
    /// ```
    open var isGathering: Bool { state.withLock { $0.isGathering } }
    /// Whether it was stopped.
    ///
    /// ```swift
    /// if query.isStopped { query.start() }
    /// ```
    open var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Why nothing or not all was looked through; nil where nothing went wrong.
    ///
    /// ```swift
    /// if let failure = query.failureDescription { warn(failure) }
    /// ```
    open var failureDescription: String? { state.withLock { $0.failure } }

    /// From now on the results stay as they are. It may be called several times, and counts.
    ///
    /// ```swift
    /// query.disableUpdates()
    /// defer { query.enableUpdates() }
    /// ```
    open func disableUpdates() { state.withLock { $0.results.holds += 1 } }

    /// Ends the last ``disableUpdates()``; when it was the first one too, what happened meanwhile is told at once.
    ///
    /// ```swift
    /// query.enableUpdates()
    /// ```
    open func enableUpdates() {
        let isOpen = state.withLock { state in
            guard state.results.holds > 0 else { return false }
            state.results.holds -= 1
            return state.results.holds == 0
        }
        if isOpen { deliverSoon() }
    }

    // MARK: Searching. On a queue of its own, and on the threads of the searches.

    private func search(_ settings: MetadataQuerySettings, _ wanted: MetadataSearch.Wanted, _ run: Int) {
        let searches = settings.searches(wanted)
        let goesOn = state.withLock { state in
            guard state.run == run, !state.isStopped else { return false }
            state.searches = searches
            state.unfinished += searches.count
            return true
        }
        guard goesOn else { return }
        for search in searches { search.start { [weak self] news in self?.take(news, run) } }
        take([.gathered], run)
    }

    private func take(_ news: [MetadataSearch.News], _ run: Int) {
        let isNews = state.withLock { state in
            guard state.run == run, !state.isStopped else { return false }
            for news in news {
                switch news {
                case .there(let key, let facts): state.results.note(key, facts)
                case .gone(let key): state.results.note(key, nil)
                case .gathered: state.unfinished -= 1
                case .failed(let sentence): state.failure = sentence
                }
            }
            return !news.isEmpty
        }
        if isNews { deliverSoon() }
    }

    // MARK: Telling

    /// At once, but not more often than the interval says. The end of gathering waits for nothing.
    private func deliverSoon() {
        let when: DispatchTime? = state.withLock { state in
            let isEnd = state.isGathering && state.unfinished == 0
            guard !state.isDeliveryDue || isEnd, state.results.holds == 0 else { return nil }
            state.isDeliveryDue = true
            return isEnd || !state.hasToldStart ? .now() : max(.now(), state.lastDelivery + state.settings.interval)
        }
        guard let when else { return }
        Self.queue.asyncAfter(deadline: when) { [weak self] in
            guard let self else { return }
            (operationQueue ?? .main).addOperation { self.deliver() }
        }
    }

    /// What is told at once, and to whom beside the notifications.
    private struct Delivery {
        var words: [NSNotification.Name] = []
        var update = NSMetadataQueryUpdate()
        var facts: [NSMetadataItem.Facts] = []
        var streams: [AsyncStream<NSMetadataQueryUpdate>.Continuation] = []
        var isEnd = false
    }

    private func deliver() {
        let delivery = state.withLock { Self.delivery(&$0) }
        guard !delivery.words.isEmpty else { return }
        for (item, facts) in zip(delivery.update.changed, delivery.facts) { item.become(facts) }
        state.withLock { state in
            state.results.version += 1
            state.results.changed += delivery.update.changed
        }
        // Who makes something of the results does it where notifications come; else they are put in order when somebody asks for them.
        if let delegate { arrange(delegate) }
        if delivery.isEnd { state.withLock { $0.isGathering = false } }
        for word in delivery.words {
            NotificationCenter.default.post(name: word, object: self, userInfo: word == .NSMetadataQueryDidStartGathering ? nil : delivery.update.userInfo)
        }
        for stream in delivery.streams { stream.yield(delivery.update) }
    }

    private static func delivery(_ state: inout State) -> Delivery {
        var delivery = Delivery()
        state.isDeliveryDue = false
        guard state.isStarted, !state.isStopped, state.results.holds == 0 else { return delivery }
        if !state.hasToldStart { delivery.words.append(.NSMetadataQueryDidStartGathering) }
        state.hasToldStart = true
        (delivery.update, delivery.facts) = state.results.takeOver()
        // The first results wait for nothing: that it has begun is no update.
        if !delivery.update.isEmpty { state.lastDelivery = .now() }
        delivery.update.isGathering = state.isGathering
        delivery.isEnd = state.isGathering && state.unfinished == 0
        if delivery.isEnd { delivery.words.append(.NSMetadataQueryDidFinishGathering) } else if !delivery.update.isEmpty {
            delivery.words.append(state.isGathering ? .NSMetadataQueryGatheringProgress : .NSMetadataQueryDidUpdate)
        }
        if delivery.isEnd || !delivery.update.isEmpty { delivery.streams = Array(state.streams.values) }
        return delivery
    }

    /// The results in their order.
    var arranged: [MetadataResult] {
        if state.withLock({ $0.results.arranged != $0.results.version }) { arrange(delegate) }
        return state.withLock { $0.results.shown }
    }

    /// Puts the results in order and lets the delegate replace them. With nothing held: both are somebody else's code.
    /// What was made of a result stays, unless the result changed.
    func arrange(_ delegate: (any NSMetadataQueryDelegate)?) {
        let (items, changed, settings, before, version) = state.withLock { state in
            defer { state.results.changed = [] }
            return (state.results.items, state.results.changed, state.settings, state.results.shown, state.results.version)
        }
        var made: [ObjectIdentifier: MetadataResult] = [:]
        for result in before { made[ObjectIdentifier(result.item)] = result }
        for item in changed { made[ObjectIdentifier(item)] = nil }
        let shown = settings.sorted(items).map { item in
            made[ObjectIdentifier(item)] ?? MetadataResult(item: item, shown: delegate?.metadataQuery(self, replacementObjectForResultObject: item) ?? item)
        }
        state.withLock { ($0.results.shown, $0.results.arranged) = (shown, version) }
    }
}
