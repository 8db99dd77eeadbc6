import Containers
import Coordination
import Foundation
import LinuxFiles
import Synchronization

/// What a document was at a time, or is on another computer: as Foundation's class of this name, which Linux does not have.
///
/// What lies in a container has versions, documents as well as plain files and packages of an app's own: what each save
/// replaced, and the other side of each conflict. A file that is in no container has its current version only. What changes
/// versions is coordinated by itself, unless that is done already.
///
/// ```swift
/// for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] { version.isResolved = true }
/// try NSFileVersion.removeOtherVersionsOfItem(at: url)
/// ```
open class NSFileVersion: NSObject, @unchecked Sendable {
    // Sendable, because what changes is behind the lock.

    /// How a version replaces an item.
    ///
    /// ```swift
    /// try version.replaceItem(at: url, options: [])
    /// ```
    public struct ReplacingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The version may be used up. It is kept here.
        public static let byMoving = ReplacingOptions(rawValue: 1 << 0)
    }

    private let item: URL
    /// nil for a file without versions.
    private let facts: DocumentVersion?
    private let resolved: Atomic<Bool>

    private init(_ item: URL, _ facts: DocumentVersion?, at place: URL, _ date: Date?) {
        (self.item, self.facts, url, modificationDate) = (item, facts, place, date)
        resolved = Atomic(facts?.isResolved ?? true)
        super.init()
    }

    // MARK: The versions of an item

    /// What it is now; nil where there is nothing.
    ///
    /// ```swift
    /// let date = NSFileVersion.currentVersionOfItem(at: url)?.modificationDate
    /// ```
    open class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
        if let document = try? VersionedDocument(url), let version = try? document.container.currentVersion(of: document.place) {
            return NSFileVersion(url, version, at: url, Date(version.modified))
        }
        guard let date = DocumentFile.modificationDate(of: url) else { return nil }
        return NSFileVersion(url, nil, at: url, date)
    }

    /// What it was, and what it is on other computers, the newest first; nil where that cannot be known.
    ///
    /// ```swift
    /// let yesterday = NSFileVersion.otherVersionsOfItem(at: url)?.first { $0.modificationDate ?? .now < midnight }
    /// ```
    open class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        guard let document = try? VersionedDocument(url) else { return DocumentFile.modificationDate(of: url) == nil ? nil : [] }
        // Who may not look at them has none.
        return ((try? document.container.versions(of: document.place)) ?? []).map { version in
            let place = document.container.place(of: version, of: document.place).map { URL(fileURLWithPath: $0) }
            return NSFileVersion(url, version, at: place ?? url, Date(version.modified))
        }
    }

    /// Those that somebody has to decide about.
    ///
    /// ```swift
    /// let isInConflict = NSFileVersion.unresolvedConflictVersionsOfItem(at: url)?.isEmpty == false
    /// ```
    open class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        otherVersionsOfItem(at: url)?.filter { $0.isConflict && !$0.isResolved }
    }

    /// The one that ``persistentIdentifier`` is of; nil where it is gone.
    ///
    /// ```swift
    /// let version = NSFileVersion.version(itemAt: url, forPersistentIdentifier: identifier)
    /// ```
    open class func version(itemAt url: URL, forPersistentIdentifier persistentIdentifier: Any) -> NSFileVersion? {
        guard let identifier = persistentIdentifier as? NSString else { return nil }
        let all = [currentVersionOfItem(at: url)].compactMap(\.self) + (otherVersionsOfItem(at: url) ?? [])
        return all.first { $0.facts?.id.text == identifier as String }
    }

    /// Removes all but the current one, and conflicts that nobody has decided about, for good.
    ///
    /// ```swift
    /// try NSFileVersion.removeOtherVersionsOfItem(at: url)
    /// ```
    open class func removeOtherVersionsOfItem(at url: URL) throws {
        // What is no document that Valise knows has none.
        guard otherVersionsOfItem(at: url)?.isEmpty != true else { return }
        try VersionedDocument.changing(url) { try $0.removeOtherVersions() }
    }

    // MARK: One of them

    /// Where its contents are to be read. They are as the app stores them, also where the item's URL is on a drive.
    ///
    /// ```swift
    /// let data = try Data(contentsOf: version.url)
    /// ```
    public let url: URL

    /// The item's name, without its extension.
    ///
    /// ```swift
    /// label.text = version.localizedName
    /// ```
    open var localizedName: String? { item.deletingPathExtension().lastPathComponent }

    /// The computer that it was saved on.
    ///
    /// ```swift
    /// label.text = version.localizedNameOfSavingComputer
    /// ```
    open var localizedNameOfSavingComputer: String? { facts?.computer }

    /// Who saved it: nobody is asked here, so nobody is named.
    ///
    /// ```swift
    /// if let name = version.originatorNameComponents { label.text = name.formatted() }
    /// ```
    open var originatorNameComponents: PersonNameComponents? { nil }

    /// When it was written.
    ///
    /// ```swift
    /// entries.sort { $0.version.modificationDate ?? .distantPast > $1.version.modificationDate ?? .distantPast }
    /// ```
    public let modificationDate: Date?

    /// By which ``version(itemAt:forPersistentIdentifier:)`` finds it again, also in another process.
    ///
    /// ```swift
    /// let identifier = version.persistentIdentifier
    /// ```
    open var persistentIdentifier: any NSCoding { NSString(string: facts?.id.text ?? "current") }

    /// Whether it is one side of a conflict.
    ///
    /// ```swift
    /// if version.isConflict { … }
    /// ```
    open var isConflict: Bool { facts?.isConflict ?? false }

    /// Whether somebody has decided about the conflict. Setting it to true says so; it never becomes false again.
    ///
    /// ```swift
    /// version.isResolved = true
    /// ```
    open var isResolved: Bool {
        get { resolved.load(ordering: .sequentiallyConsistent) || !isConflict }
        set {
            guard newValue, !isResolved, let facts else { return }
            do {
                try VersionedDocument.changing(item) { try $0.markResolved(facts) }
                resolved.store(true, ordering: .sequentiallyConsistent)
            } catch {
                // There is nobody to tell: it stays what it is.
            }
        }
    }

    /// Whether it goes when room is needed. Here all but conflicts that nobody has decided about.
    ///
    /// ```swift
    /// if version.isDiscardable { … }
    /// ```
    open var isDiscardable: Bool { facts.map { !$0.isCurrent && isResolved } ?? false }

    /// Its contents are on this computer: they always are here.
    ///
    /// ```swift
    /// if version.hasLocalContents { open(version.url) }
    /// ```
    open var hasLocalContents: Bool { true }

    /// There are no thumbnails of versions.
    ///
    /// ```swift
    /// if version.hasThumbnail { … }
    /// ```
    open var hasThumbnail: Bool { false }

    /// Gives an item this version's contents. What the item was until then becomes a version, where it is the version's own document.
    ///
    /// ```swift
    /// try version.replaceItem(at: url, options: [])
    /// ```
    /// - Returns: where the item is.
    @discardableResult
    open func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
        let target = try ItemPlace(url), own = try ItemPlace(item)
        guard target.isBeside(own), target.path == own.path else {
            let wrapper = try FileWrapper(url: self.url, options: .immediate)
            var failure: (any Error)?
            try NSFileCoordinator(filePresenter: nil).access([WantedItem(writing: url, .forReplacing)]) { urls in
                do { try DocumentFile.put(at: urls[0], over: nil) { try wrapper.write(to: $0, originalContentsURL: nil) } } catch { failure = error }
            }
            if let failure { throw failure }
            return url
        }
        guard let facts, !facts.isCurrent else { return url }
        try VersionedDocument.changing(url) { try $0.replaceCurrent(with: facts) }
        return url
    }

    /// Removes it for good. What the item is now cannot be removed so, nor a conflict that nobody has decided about.
    ///
    /// ```swift
    /// try version.remove()
    /// ```
    open func remove() throws {
        guard let facts else { throw FileFault.error(.fileWriteUnknown, item.path, .invalid) }
        try VersionedDocument.changing(item) { try $0.remove(facts) }
    }
}

/// What has versions in a container: a document, a plain file, or a package of an app's own.
struct VersionedDocument {
    let container: Container
    let place: DocumentPlace

    init(_ url: URL) throws {
        let item = try ItemPlace(url)
        guard item.isNamedAsStored, case .container(let coordinator) = item.home else { throw Errno.notSupported }
        container = coordinator.reading
        place = try container.versioned(at: item.path.names).place
    }

    /// Does something about the versions of a document in an access for writing: in the one that this process has, or in a new one.
    static func changing(_ url: URL, _ body: (CoordinatedItem) throws -> Void) throws {
        let place = try ItemPlace(url)
        if let access = HeldAccesses.writing(place.path, in: place.order.0), access.item.path == place.path, let item = access.coordinated { return try calling { try body(item) } }
        var outcome: Result<Void, any Error> = .failure(FileFault.error(.fileWriteUnknown, url.path, .notSupported))
        // A presenter that does it on its own queue could not answer there.
        let coordinator = NSFileCoordinator(filePresenter: FilePresenters.calling(of: place))
        // Whoever has it open lets go of it, and saves nothing for that.
        try calling {
            try coordinator.access([WantedItem(writing: url, .forReplacing)]) { _ in
                guard let item = HeldAccesses.writing(place.path, in: place.order.0, for: coordinator.purposeIdentifier)?.coordinated else { return }
                outcome = Result { try body(item) }
            }
            try outcome.get()
        }
    }

    private static func calling(_ body: () throws -> Void) throws {
        do { try body() } catch let failure as Failure { throw FileFault.coordination(failure) }
    }
}

extension Date {
    init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9) }
}
