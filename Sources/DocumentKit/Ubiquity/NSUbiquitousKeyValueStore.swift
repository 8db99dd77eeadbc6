import Dispatch
import Foundation
import KeyValueStore
import LinuxFiles

/// Why a key-value store has changed, under this key of ``NSUbiquitousKeyValueStore/didChangeExternallyNotification``.
///
/// ```swift
/// let reason = notification.userInfo?[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
/// ```
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// The keys that changed, under this key of the same notification.
///
/// ```swift
/// let keys = notification.userInfo?[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
/// ```
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"
/// Somebody else has changed the store: another process of this computer, or a device.
///
/// ```swift
/// if reason == NSUbiquitousKeyValueStoreServerChange { reload(keys) }
/// ```
public let NSUbiquitousKeyValueStoreServerChange = 0
/// The store was filled for the first time.
///
/// ```swift
/// if reason == NSUbiquitousKeyValueStoreInitialSyncChange { reload(keys) }
/// ```
public let NSUbiquitousKeyValueStoreInitialSyncChange = 1
/// What was set does not fit: nothing was changed.
///
/// ```swift
/// if reason == NSUbiquitousKeyValueStoreQuotaViolationChange { warn(keys) }
/// ```
public let NSUbiquitousKeyValueStoreQuotaViolationChange = 2
/// The store is another account's.
///
/// ```swift
/// if reason == NSUbiquitousKeyValueStoreAccountChange { reload(keys) }
/// ```
public let NSUbiquitousKeyValueStoreAccountChange = 3

/// An app's small settings, in its container: as Foundation's class of this name, which Linux does not have.
///
/// Values are property lists: at most 1,024 keys of 64 bytes each, and 1 MB in all. What goes over changes nothing, and
/// is announced. A change is in memory at once and on disk shortly after, together with what was set in the same turn: when
/// ``synchronize()`` returns, and before the process ends, by itself or by a signal that the app does not catch. What other processes
/// change arrives by itself. Without a container, values are kept as long as the process runs.
///
/// ```swift
/// let store = NSUbiquitousKeyValueStore.default
/// store.set([["name": "Swift", "url": "https://www.swift.org"]], forKey: "bookmarks")
/// store.synchronize()
/// ```
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    // Sendable, because all that changes is behind the lock.

    private struct State {
        /// What was on disk, and what waits.
        var contents = KeyValueContents()
        /// What was on disk when it was read or written last.
        var stored = KeyValueContents()
        /// What was set and is not on disk yet.
        var waiting = WaitingEntries()
        /// Somebody has replaced the file since then.
        var isStale = false
        /// What waits is about to be written, and what is stale to be read.
        var isDue = false
        var loss: String?
        var isStopped = false
    }

    private let state = Locked(State())
    private let file: KeyValueFile?
    private let watch: KeyValueWatch?
    private let queue = DispatchQueue(label: "valise.key-values")

    /// So long what is set waits for what is set with it.
    private static let delay = DispatchTimeInterval.milliseconds(20)

    /// Tells of changes by others, and of values that do not fit, on the main queue.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(
    ///     forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: nil) { reload($0) }
    /// ```
    public static let didChangeExternallyNotification = Notification.Name("NSUbiquitousKeyValueStoreDidChangeExternallyNotification")

    private static let shared = NSUbiquitousKeyValueStore(container: ContainerNames().own)

    /// The store of the app's own container.
    ///
    /// ```swift
    /// let store = NSUbiquitousKeyValueStore.default
    /// ```
    open class var `default`: NSUbiquitousKeyValueStore { shared }

    /// The store of a container, also by the drive that shows it; without one, a store that is kept in memory only.
    ///
    /// ```swift
    /// let store = NSUbiquitousKeyValueStore(container: FileManager.default.url(forUbiquityContainerIdentifier: "TEAM.com.example.App"))
    /// ```
    public init(container: URL?) {
        file = container.flatMap { try? Self.file($0.path) }
        watch = try? file?.watch()
        super.init()
        load()
        listen()
        if file != nil { KeyValueStoresAtEnd.add(self) }
    }

    /// A drive has them in its container, or where it was told (“kvs=”).
    private static func file(_ path: String) throws(Failure) -> KeyValueFile? {
        guard let mount = ContainerNames.drive(at: path) else { return try KeyValueFile(container: path) }
        guard let settings = MountedDrives.settings(of: mount) else { return nil }
        return if let elsewhere = settings.elsewhere { try KeyValueFile(at: elsewhere) } else { try KeyValueFile(container: settings.container) }
    }

    deinit {
        KeyValueStoresAtEnd.remove(self)
        state.withLock { $0.isStopped = true }
        watch?.wake()
    }

    // MARK: Reading

    /// The value of a key.
    ///
    /// ```swift
    /// let bookmarks = store.object(forKey: "bookmarks") as? [[String: String]]
    /// ```
    open func object(forKey aKey: String) -> Any? { state.withLock { $0.contents[aKey] }.flatMap(PropertyListValue.value) }

    /// ```swift
    /// let name = store.string(forKey: "name") ?? ""
    /// ```
    open func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }

    /// ```swift
    /// let bookmarks = store.array(forKey: "bookmarks") ?? []
    /// ```
    open func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }

    /// ```swift
    /// let window = store.dictionary(forKey: "window") ?? [:]
    /// ```
    open func dictionary(forKey aKey: String) -> [String: Any]? { object(forKey: aKey) as? [String: Any] }

    /// ```swift
    /// let token = store.data(forKey: "token")
    /// ```
    open func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }

    /// 0 where the key has no number.
    ///
    /// ```swift
    /// let count = store.longLong(forKey: "count")
    /// ```
    open func longLong(forKey aKey: String) -> Int64 { (object(forKey: aKey) as? NSNumber)?.int64Value ?? 0 }

    /// 0 where the key has no number.
    ///
    /// ```swift
    /// let scale = store.double(forKey: "scale")
    /// ```
    open func double(forKey aKey: String) -> Double { (object(forKey: aKey) as? NSNumber)?.doubleValue ?? 0 }

    /// false where the key has no number.
    ///
    /// ```swift
    /// let isDark = store.bool(forKey: "dark")
    /// ```
    open func bool(forKey aKey: String) -> Bool { (object(forKey: aKey) as? NSNumber)?.boolValue ?? false }

    /// All keys and their values.
    ///
    /// ```swift
    /// for (key, value) in store.dictionaryRepresentation { print(key, value) }
    /// ```
    open var dictionaryRepresentation: [String: Any] {
        let contents = state.withLock { $0.contents }
        return Dictionary(contents.keys.compactMap { key in contents[key].flatMap(PropertyListValue.value).map { (key, $0) } }) { _, last in last }
    }

    /// What was lost, where the store was found damaged; the last whole one is used then.
    ///
    /// ```swift
    /// if let loss = store.lossDescription { warn(loss) }
    /// ```
    open var lossDescription: String? { state.withLock { $0.loss } }

    // MARK: Changing

    /// Sets a key to a property list: text, numbers, dates, data, and arrays and dictionaries of these. nil removes the key.
    ///
    /// ```swift
    /// store.set(["a", "b"], forKey: "list")
    /// ```
    open func set(_ anObject: Any?, forKey aKey: String) {
        guard let anObject else { return removeObject(forKey: aKey) }
        guard let list = PropertyListValue.list(anObject) else { return announce(NSUbiquitousKeyValueStoreQuotaViolationChange, [aKey]) }
        beforeWaiting()
        let fits = state.withLock { state in
            guard (try? state.contents.set(aKey, to: list, at: KeyValueFile.now)) != nil else { return false }
            state.contents.entries[aKey].map { state.waiting.add($0, under: aKey) }
            return true
        }
        if fits { writeSoon() } else { announce(NSUbiquitousKeyValueStoreQuotaViolationChange, [aKey]) }
    }

    /// ```swift
    /// store.set("Swift", forKey: "name")
    /// ```
    open func set(_ aString: String?, forKey aKey: String) { set(aString.map { $0 as Any }, forKey: aKey) }

    /// ```swift
    /// store.set(token, forKey: "token")
    /// ```
    open func set(_ aData: Data?, forKey aKey: String) { set(aData.map { $0 as Any }, forKey: aKey) }

    /// ```swift
    /// store.set(bookmarks, forKey: "bookmarks")
    /// ```
    open func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray.map { $0 as Any }, forKey: aKey) }

    /// ```swift
    /// store.set(["width": 800], forKey: "window")
    /// ```
    open func set(_ aDictionary: [String: Any]?, forKey aKey: String) { set(aDictionary.map { $0 as Any }, forKey: aKey) }

    /// ```swift
    /// store.set(Int64(5), forKey: "count")
    /// ```
    open func set(_ value: Int64, forKey aKey: String) { set(NSNumber(value: value) as Any, forKey: aKey) }

    /// ```swift
    /// store.set(1.5, forKey: "scale")
    /// ```
    open func set(_ value: Double, forKey aKey: String) { set(NSNumber(value: value) as Any, forKey: aKey) }

    /// ```swift
    /// store.set(true, forKey: "dark")
    /// ```
    open func set(_ value: Bool, forKey aKey: String) { set(NSNumber(value: value) as Any, forKey: aKey) }

    /// Removes a key and its value.
    ///
    /// ```swift
    /// store.removeObject(forKey: "name")
    /// ```
    open func removeObject(forKey aKey: String) {
        beforeWaiting()
        let isRemoved = state.withLock { state in
            guard state.contents.remove(aKey, at: KeyValueFile.now) else { return false }
            state.contents.entries[aKey].map { state.waiting.add($0, under: aKey) }
            return true
        }
        if isRemoved { writeSoon() }
    }

    /// Writes what is in memory, and reads what others wrote.
    ///
    /// ```swift
    /// store.synchronize()
    /// ```
    /// - Returns: whether memory and disk are one; false without a container.
    @discardableResult
    open func synchronize() -> Bool { queue.sync { write() } }

    /// What is in memory only is lost when the process ends, unless somebody hears of that.
    private func beforeWaiting() { if file != nil { KeyValueStoresAtEnd.watch() } }

    /// What is set in one turn, and what comes of it, is one reading and one writing.
    private func writeSoon() {
        guard file != nil, state.withLock({ state in
            defer { state.isDue = true }
            return !state.isDue
        }) else { return }
        // It lives until what was set is written.
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
            let isToDo = state.withLock { state in
                state.isDue = false
                return state.isStale || !state.waiting.isEmpty
            }
            if isToDo { _ = write() }
        }
    }

    /// Before the process ends.
    func writeWhatWaits() { queue.sync { if state.withLock({ !$0.waiting.isEmpty }) { _ = write() } } }

    // MARK: On disk. All of it on the queue, but for the first time.

    private func load() {
        guard let file, let reading = try? file.read() else { return }
        note(reading.loss)
        state.withLock { ($0.contents, $0.stored) = (reading.contents, reading.contents) }
    }

    /// What is waiting goes into the store as it is now; what others set meanwhile comes out of it.
    private func write() -> Bool {
        guard let file else { return false }
        let waiting = state.withLock { state in
            state.isStale = false
            return state.waiting
        }
        var refused: [String] = []
        let reading: KeyValueFile.Reading
        do throws(Failure) {
            reading = if waiting.isEmpty { try file.read() } else { try file.change { refused = $0.take(waiting) } }
        } catch {
            // What others wrote is still to be read.
            state.withLock { $0.isStale = true }
            return false
        }
        note(reading.loss)
        take(reading.contents, written: waiting, refused: Set(refused))
        if !refused.isEmpty { announce(NSUbiquitousKeyValueStoreQuotaViolationChange, refused.sorted()) }
        return true
    }

    /// Whether what was set meanwhile fits is found out when it is written.
    private func take(_ stored: KeyValueContents, written: WaitingEntries, refused: Set<String>) {
        let changed = state.withLock { state in
            state.waiting.remove(written)
            var new = stored
            new.show(state.waiting)
            // What was refused is as it was before, and that is told as what it is.
            let changed = new.keysThatDiffer(from: state.contents).filter { !refused.contains($0) || stored[$0] != state.stored[$0] }
            (state.contents, state.stored) = (new, stored)
            return changed
        }
        if !changed.isEmpty { announce(NSUbiquitousKeyValueStoreServerChange, changed) }
    }

    private func note(_ loss: String?) {
        guard let loss, state.withLock({ state in
            defer { state.loss = loss }
            return state.loss != loss
        }) else { return }
        AppMessages.heard?(loss)
    }

    private func announce(_ reason: Int, _ keys: [String]) {
        // As an operation: an observer on the main queue would have to wait for itself otherwise.
        OperationQueue.main.addOperation { [weak self] in
            guard let self else { return }
            NotificationCenter.default.post(name: Self.didChangeExternallyNotification, object: self, userInfo: [
                NSUbiquitousKeyValueStoreChangeReasonKey: reason, NSUbiquitousKeyValueStoreChangedKeysKey: keys,
            ])
        }
    }

    /// A thread waits for the kernel's notices. It keeps the watch, and not the store.
    private func listen() {
        guard let watch else { return }
        BackgroundThread.start { [weak self] in
            while true {
                let isReplaced = watch.wait(milliseconds: nil)
                guard let self, !self.state.withLock({ $0.isStopped }) else { return }
                guard isReplaced else { continue }
                self.state.withLock { $0.isStale = true }
                self.writeSoon()
            }
        }
    }
}
