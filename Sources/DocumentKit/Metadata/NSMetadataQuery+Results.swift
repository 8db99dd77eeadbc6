import Foundation

// What a query is told, and what it has found.
extension NSMetadataQuery {
    // MARK: What it is told. It counts from the next start on, but for the order and the queue.

    /// What is looked for.
    ///
    /// ```swift
    /// query.predicate = NSPredicate(format: "%K LIKE '*'", NSMetadataItemFSNameKey)
    /// ```
    public var predicate: NSPredicate? {
        get { state.withLock { $0.settings.predicate } }
        set { state.withLock { $0.settings.predicate = newValue } }
    }

    /// Where: ``NSMetadataQueryUbiquitousDocumentsScope``, ``NSMetadataQueryUbiquitousDataScope``, and URLs or paths of folders in a container
    /// or on a drive. A URL on a drive has results with URLs on the drive.
    ///
    /// ```swift
    /// query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
    /// ```
    public var searchScopes: [Any] {
        get { state.withLock { $0.settings.scopes } }
        set { state.withLock { $0.settings.scopes = newValue } }
    }

    /// Which items are looked at, by their URLs, their paths or as results of another query; nil: all that lie where ``searchScopes`` says.
    ///
    /// ```swift
    /// query.searchItems = chosen.map(\.fileURL)
    /// ```
    public var searchItems: [Any]? {
        get { state.withLock { $0.settings.searchItems } }
        set { state.withLock { $0.settings.searchItems = newValue } }
    }

    /// In which order the results are. Without any, by their paths.
    ///
    /// ```swift
    /// query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSNameKey, ascending: true)]
    /// ```
    public var sortDescriptors: [NSSortDescriptor] {
        get { state.withLock { $0.settings.sortDescriptors } }
        set {
            state.withLock { $0.settings.sortDescriptors = newValue }
            arrange(delegate)
        }
    }

    /// The attributes by which ``groupedResults`` are grouped.
    ///
    /// ```swift
    /// query.groupingAttributes = [NSMetadataItemKindKey]
    /// ```
    public var groupingAttributes: [String]? {
        get { state.withLock { $0.settings.groupingAttributes } }
        set { state.withLock { $0.settings.groupingAttributes = newValue } }
    }

    /// The attributes whose values ``valueLists`` counts.
    ///
    /// ```swift
    /// query.valueListAttributes = [NSMetadataItemKindKey]
    /// ```
    public var valueListAttributes: [String] {
        get { state.withLock { $0.settings.valueListAttributes } }
        set { state.withLock { $0.settings.valueListAttributes = newValue } }
    }

    /// Between two notifications there are at least so many seconds. The first change is told at once.
    ///
    /// ```swift
    /// query.notificationBatchingInterval = 0.2
    /// ```
    public var notificationBatchingInterval: TimeInterval {
        get { state.withLock { $0.settings.interval } }
        set { state.withLock { $0.settings.interval = max(0, newValue.isFinite ? newValue : 0) } }
    }

    /// Where notifications are posted and results change; nil is the main queue.
    ///
    /// ```swift
    /// query.operationQueue = OperationQueue()
    /// ```
    public var operationQueue: OperationQueue? {
        get { state.withLock { $0.settings.operationQueue } }
        set { state.withLock { $0.settings.operationQueue = newValue } }
    }

    /// Who may put other objects into the place of results.
    ///
    /// ```swift
    /// query.delegate = self
    /// ```
    public var delegate: (any NSMetadataQueryDelegate)? {
        get { state.withLock { $0.settings.delegate } }
        set { state.withLock { $0.settings.delegate = newValue } }
    }

    // MARK: What it has found

    private var shown: [MetadataResult] { arranged }

    /// The results: each an ``NSMetadataItem``, or what the delegate has put into its place.
    ///
    /// ```swift
    /// let urls = query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemURLKey) as? URL }
    /// ```
    public var results: [Any] { shown.map(\.shown) }

    /// How many there are.
    ///
    /// ```swift
    /// for index in 0..<query.resultCount { add(query.result(at: index)) }
    /// ```
    public var resultCount: Int { shown.count }

    /// One of them.
    ///
    /// ```swift
    /// let item = query.result(at: 0) as? NSMetadataItem
    /// ```
    public func result(at idx: Int) -> Any { shown[idx].shown }

    /// The place of a result; NSNotFound for what is none.
    ///
    /// ```swift
    /// let row = query.index(ofResult: item)
    /// ```
    public func index(ofResult result: Any) -> Int {
        let wanted = result as AnyObject
        return shown.firstIndex { $0.shown as AnyObject === wanted || $0.item === wanted } ?? NSNotFound
    }

    /// Hands on one after another, with its place, until told to stop.
    ///
    /// ```swift
    /// query.enumerateResults { result, index, stop in if index == 10 { stop.pointee = true } }
    /// ```
    public func enumerateResults(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        var stop = ObjCBool(false)
        for (index, result) in shown.enumerated() where !stop.boolValue { unsafe block(result.shown, index, &stop) }
    }

    /// The value that a result has of an attribute, as the delegate replaces it.
    ///
    /// ```swift
    /// let name = query.value(ofAttribute: NSMetadataItemFSNameKey, forResultAt: 0) as? String
    /// ```
    public func value(ofAttribute attrName: String, forResultAt idx: Int) -> Any? {
        let results = shown
        guard results.indices.contains(idx), let value = results[idx].item.value(forAttribute: attrName) else { return nil }
        return delegate?.metadataQuery(self, replacementValueForAttribute: attrName, value: value) ?? value
    }

    /// The results by the values of ``groupingAttributes``.
    ///
    /// ```swift
    /// for group in query.groupedResults { print(group.value, group.resultCount) }
    /// ```
    public var groupedResults: [NSMetadataQueryResultGroup] { NSMetadataQueryResultGroup.groups(of: shown, by: (groupingAttributes ?? [])[...]) }

    /// How many results have each value of ``valueListAttributes``, the most frequent first.
    ///
    /// ```swift
    /// for tuple in query.valueLists[NSMetadataItemKindKey] ?? [] { print(tuple.value ?? "", tuple.count) }
    /// ```
    public var valueLists: [String: [NSMetadataQueryAttributeValueTuple]] {
        let results = shown
        var lists: [String: [NSMetadataQueryAttributeValueTuple]] = [:]
        for attribute in valueListAttributes {
            let groups = MetadataResult.byValue(of: attribute, results)
            lists[attribute] = groups.map { NSMetadataQueryAttributeValueTuple(attribute, $0.value is NSNull ? nil : $0.value, $0.results.count) }
                .sorted { $0.count > $1.count }
        }
        return lists
    }

    /// What the query has to tell, one update after another: first what there was, then what changes. It starts the query where that
    /// was not done, and ends when the query is stopped.
    ///
    /// ```swift
    /// for await update in query.updates { show(query.results) }
    /// ```
    public var updates: AsyncStream<NSMetadataQueryUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: NSMetadataQueryUpdate.self)
        let number = state.withLock { state in
            state.lastStream &+= 1
            state.streams[state.lastStream] = continuation
            return state.lastStream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
        if !isStarted || isStopped, !start() { continuation.finish() }
        return stream
    }
}

/// Puts other objects into the place of a query's results, and other values into that of theirs. Both may be left out.
///
/// ```swift
/// extension NoteList: NSMetadataQueryDelegate {
///     func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any { Note(result) }
/// }
/// ```
public protocol NSMetadataQueryDelegate: AnyObject {
    /// What stands for a result.
    ///
    /// ```swift
    /// func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any { Note(result) }
    /// ```
    func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any
    /// What stands for a value.
    ///
    /// ```swift
    /// func metadataQuery(_ query: NSMetadataQuery, replacementValueForAttribute attrName: String, value attrValue: Any) -> Any { "\(attrValue)" }
    /// ```
    func metadataQuery(_ query: NSMetadataQuery, replacementValueForAttribute attrName: String, value attrValue: Any) -> Any
}

extension NSMetadataQueryDelegate {
    /// The result itself.
    ///
    /// ```swift
    /// let shown = delegate.metadataQuery(query, replacementObjectForResultObject: item)
    /// ```
    public func metadataQuery(_ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem) -> Any { result }
    /// The value itself.
    ///
    /// ```swift
    /// let shown = delegate.metadataQuery(query, replacementValueForAttribute: name, value: value)
    /// ```
    public func metadataQuery(_ query: NSMetadataQuery, replacementValueForAttribute attrName: String, value attrValue: Any) -> Any { attrValue }
}
