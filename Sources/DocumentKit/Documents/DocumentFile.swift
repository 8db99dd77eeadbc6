import Containers
import Coordination
import Dispatch
import Foundation
import LinuxFiles

/// A document's file: where it is, what it was when the document had it last, and the queue on which it is read and written.
final class DocumentFile: Sendable {
    /// One access after another.
    let queue = DispatchQueue(label: "valise.document")

    /// A state of a file, to be known again.
    struct Mark: Equatable {
        let content: BaseStamp?
        let date: Date?
    }

    private struct State {
        var url: URL
        var mark: Mark?
        var outcome = StagedOutcome.saved
        /// How often the document took what was in its file.
        var loads: UInt64 = 0
        /// While an access is waited for.
        var waiting: NSFileCoordinator?
    }

    private let state: Locked<State>

    init(_ url: URL) { state = Locked(State(url: url)) }

    var url: URL {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// What the document's content is the content of.
    var mark: Mark? {
        get { state.withLock { $0.mark } }
        set { state.withLock { $0.mark = newValue } }
    }

    var loads: UInt64 { state.withLock { $0.loads } }

    func noteLoad() { state.withLock { $0.loads += 1 } }

    /// Whether it is something else now than what the document has.
    var isChanged: Bool { mark != Self.mark(of: url) }

    // MARK: Accesses

    /// Runs `body` in an access of its presenter's. Waits; never on the caller's thread.
    func access(_ item: WantedItem, by presenter: any NSFilePresenter, _ body: (URL) throws -> Void) throws {
        let coordinator = NSFileCoordinator(filePresenter: presenter)
        state.withLock { $0.waiting = coordinator }
        defer { state.withLock { $0.waiting = nil } }
        var failure: (any Error)?
        do {
            try coordinator.access([item]) { urls in
                do { try body(urls[0]) } catch { failure = error }
            }
        } catch { throw FileFault.coordination(error) }
        if let failure { throw failure }
    }

    /// Somebody waits for the document to be saved: a save that waits itself gets ahead of that.
    func comeFirst() { state.withLock { $0.waiting }?.askAgain() }

    /// What the last save came to.
    func takeOutcome() -> StagedOutcome {
        state.withLock { state in
            defer { state.outcome = .saved }
            return state.outcome
        }
    }

    /// In an access for writing: puts what `write` writes in the place of the document, wholly or not at all.
    func put(at url: URL, _ write: (URL) throws -> Void) throws {
        let (own, mark) = state.withLock { ($0.url, $0.mark) }
        let outcome = try Self.put(at: url, over: own == url ? mark?.content : nil, write)
        state.withLock { $0.outcome = outcome }
    }

    /// In a container by whoever writes there, with a version of what was there; on a drive and elsewhere by a rename.
    @discardableResult
    static func put(at url: URL, over base: BaseStamp?, _ write: (URL) throws -> Void) throws -> StagedOutcome {
        let place = try ItemPlace(url)
        if !place.isOnDrive, let access = HeldAccesses.writing(place.path, in: place.order.0), access.item.path == place.path, let item = access.coordinated {
            let staged: StagedPlace
            do { staged = try item.staged() } catch { throw FileFault.coordination(error) }
            try write(URL(fileURLWithPath: staged.path))
            do throws(Failure) { return try item.save(staged, over: base) } catch {
                // Root's own folder is not that of the owner's drive, which does not look there: it is the owner's file all the same.
                let isThere = (try? FilePlace(URL(fileURLWithPath: staged.path)).status()) != nil
                guard error.errno == .notSupported || (error.errno == .noSuchEntry && isThere) else { throw error }
                hand(URL(fileURLWithPath: staged.path), toOwnerOf: url)
                try replace(url, with: URL(fileURLWithPath: staged.path))
                return .saved
            }
        }
        let beside = url.deletingLastPathComponent().appendingPathComponent(WrapperWriting.temporaryName().text)
        do {
            try write(beside)
            try replace(url, with: beside)
        } catch {
            try? FileManager.default.removeItem(at: beside)
            throw error
        }
        return .saved
    }

    /// Whoever had the document, or has the folder, has it afterwards.
    private static func hand(_ new: URL, toOwnerOf url: URL) {
        let files = FileManager.default, old = try? files.attributesOfItem(atPath: url.path)
        guard geteuid() == 0, let facts = old ?? (try? files.attributesOfItem(atPath: url.deletingLastPathComponent().path)) else { return }
        let owner = facts.filter { [.ownerAccountID, .groupOwnerAccountID].contains($0.key) }
        for place in [""] + ((try? files.subpathsOfDirectory(atPath: new.path)) ?? []) { try? files.setAttributes(owner, ofItemAtPath: new.path + (place.isEmpty ? "" : "/" + place)) }
        if let mode = old?[.posixPermissions], old?[.type] as? FileAttributeType == .typeRegular { try? files.setAttributes([.posixPermissions: mode], ofItemAtPath: new.path) }
    }

    private static func replace(_ url: URL, with new: URL) throws {
        let place = try FilePlace(url), beside = try FilePlace(new)
        do throws(Errno) { try WrapperWriting(isNoting: false).exchange(beside, place) } catch { throw FileFault.error(error, url.path, isWriting: true) }
    }

    // MARK: Reading and writing

    /// A file's bytes, or a folder's wrapper.
    static func contents(of url: URL) throws -> Any {
        let place = try FilePlace(url)
        do {
            guard try place.status().type != .folder else { return try FileWrapper(url: url, options: []) }
            let file = try place.folder.descriptor.open(place.name, [.read, .nonBlocking])
            guard try file.status().type == .regular else { throw Errno.invalid }
            return Data(try file.readAll(limit: Int(clamping: max(0, file.status().size))))
        } catch let error as Errno { throw FileFault.error(error, url.path, isWriting: false) }
    }

    /// Bytes or a wrapper, whole, and on the store.
    static func write(_ contents: Any, to url: URL, original: URL?) throws {
        if let wrapper = contents as? FileWrapper { return try wrapper.write(to: url, options: .withNameUpdating, originalContentsURL: original) }
        guard let data = Data(value: contents) else {
            throw FileFault.error(.fileWriteUnknown, url.path, .invalid)
        }
        let place = try FilePlace(url)
        do throws(Errno) {
            let file = try place.folder.descriptor.open(place.name, [.write, .create, .truncate], mode: 0o666)
            try file.write([UInt8](data), at: 0)
            try file.synchronize(dataOnly: true)
        } catch { throw FileFault.error(error, url.path, isWriting: true) }
    }

    // MARK: What it is now

    /// `place`: where the URL leads, where that is known.
    static func mark(of url: URL, at place: ItemPlace? = nil) -> Mark {
        if let place = place ?? (try? ItemPlace(url)), case .container(let coordinator) = place.home, !place.isOnDrive {
            let names = place.path.names, folder = try? coordinator.reading.documents.folder(at: names.dropLast())
            let date = folder.flatMap { folder in names.last.flatMap { modificationDate(of: FilePlace(folder: folder, name: $0)) } }
            return Mark(content: (try? coordinator.reading.contentStamp(at: names)) ?? nil, date: date)
        }
        guard let place = try? FilePlace(url) else { return Mark(content: nil, date: nil) }
        let status = try? place.status()
        return Mark(content: status?.type == .regular ? status.map(BaseStamp.init) : nil, date: modificationDate(of: place))
    }

    static func modificationDate(of url: URL) -> Date? { (try? FilePlace(url)).flatMap(modificationDate) }

    /// Of a package, when its newest part was written; nil where there is nothing.
    private static func modificationDate(of place: FilePlace) -> Date? {
        guard let status = try? place.status() else { return nil }
        guard status.type == .folder else { return Date(status.modified) }
        let parts = ((try? place.inside()) ?? []).compactMap { try? $0.status() }.filter { $0.type == .regular }
        return Date(parts.map(\.modified).max() ?? status.modified)
    }
}
