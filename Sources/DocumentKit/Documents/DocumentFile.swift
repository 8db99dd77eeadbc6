import Containers
import Coordination
import Dispatch
import Foundation
import LinuxFiles
import Synchronization

/// A document's file: where it is, what it was when the document had it last, and the queue on which it is read and written.
final class DocumentFile: Sendable {
    private let queue = DispatchQueue(label: "valise.document")
    private let underWay = Atomic(0)

    /// One access after another.
    func run(_ body: @escaping @Sendable () -> Void) {
        underWay.wrappingAdd(1, ordering: .relaxed)
        queue.async { [self] in
            body()
            underWay.wrappingSubtract(1, ordering: .releasing)
        }
    }

    /// Nothing runs there, or waits for that.
    var isIdle: Bool { underWay.load(ordering: .acquiring) == 0 }

    /// A state of a file, to be known again.
    struct Mark {
        let content: BaseStamp?
        let date: Date?
        /// Which file or folder it was: by that it is found where somebody has moved it without a word.
        let item: FileIdentity?
        /// Of a package: which parts it had.
        let parts: Int?

        /// The look at a place where nothing is.
        init(content: BaseStamp? = nil, date: Date? = nil, item: FileIdentity? = nil, parts: Int? = nil) {
            (self.content, self.date, self.item, self.parts) = (content, date, item, parts)
        }

        /// `item`: what it is in a container, or is to be.
        init(_ found: LookedAt, as item: (coordinator: FileCoordinator, path: ItemPath)?) {
            var content = found.status.type == .regular ? BaseStamp(found.status) : nil
            if let parts = found.parts, let item, let name = item.path.names.last {
                let place = found.place, parts = parts.map { ($0.place.name, $0.status) }
                content = item.coordinator.reading.contentStamp(ofPackage: name, at: place.name, in: place.folder, with: parts)
            }
            self.init(content: content, date: Date(found.modified), item: found.status.identity, parts: found.partsNumber)
        }

        func isSame(as other: Mark) -> Bool { hasContent(of: other) && parts == other.parts }

        /// Whether it is what was handed over, of which whoever saves it may leave parts as they were.
        func hasContent(of other: Mark) -> Bool { content == other.content && date == other.date }
    }

    private struct State {
        var url: URL
        /// Where it was before it was moved: who has asked for its place a moment ago means the document, and it may have been moved several times since.
        var formerURLs: [URL] = []
        /// Where the document is in the access that is under way.
        var granted: URL?
        var mark: Mark?
        /// What was handed over and is perhaps there by now: whoever was to save it ended before it said so.
        var handed: Mark?
        /// What the save that is under way has put there.
        var written: Mark?
        var outcome = StagedOutcome.saved
        /// How often the document took what was in its file.
        var loads: UInt64 = 0
        /// While an access is waited for, or under way.
        var waiting: NSFileCoordinator?
        /// The document is being opened: it has nothing yet that others might wait for.
        var isFirstRead = false
        /// Made when something is asked or told.
        var presenterQueue: OperationQueue?
        var deletion = Deletion.none
        /// Nothing can be put in its place.
        var isReadOnly = false
        /// What was seen of the file by the access that is under way, so that reading it does not look again.
        var looked: (url: URL, at: LookedAt)?
    }

    private let state: Locked<State>

    init(_ url: URL) { state = Locked(State(url: url)) }

    var url: URL {
        get { state.withLock { $0.url } }
        set {
            state.withLock { state in
                guard state.url != newValue else { return }
                state.formerURLs = Array((state.formerURLs + [state.url]).suffix(Self.mostFormer))
                state.url = newValue
            }
        }
    }

    /// Its file is there now. On another file system it is a copy of what it was, with a time of its own.
    func follow(to new: URL) {
        let now = Look(new).mark
        if let old = mark?.item, let item = now.item, old.device != item.device { mark = now }
        url = new
    }

    private static let mostFormer = 4

    /// Whether a URL is the document's, or was before that was moved.
    func isOwn(_ url: URL) -> Bool { state.withLock { $0.url == url || $0.formerURLs.contains(url) } }

    var presenterQueue: OperationQueue {
        state.withLock { state in
            if let queue = state.presenterQueue { return queue }
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            state.presenterQueue = queue
            return queue
        }
    }

    /// What the document's content is the content of.
    var mark: Mark? {
        get { state.withLock { $0.mark } }
        set { state.withLock { $0.mark = newValue } }
    }

    /// Whether nothing can be put in its place, as far as was seen when it was read last.
    var isReadOnly: Bool {
        get { state.withLock { $0.isReadOnly } }
        set { state.withLock { $0.isReadOnly = newValue } }
    }

    /// Whether somebody deletes the file, in an access.
    enum Deletion { case none, asked, done }

    var deletion: Deletion {
        get { state.withLock { $0.deletion } }
        set { state.withLock { $0.deletion = newValue } }
    }

    /// A document whose file was deleted has it no more: only who saves it for creating makes one again.
    var isDeleted: Bool { deletion == .done }

    /// Somebody is about to delete the file, and may do so before the document can answer.
    func noteDeletionAsked() { state.withLock { if $0.deletion == .none { $0.deletion = .asked } } }

    /// Nothing is written to a file that was deleted.
    struct Deleted: Error {}

    var loads: UInt64 { state.withLock { $0.loads } }

    func noteLoad() { state.withLock { $0.loads += 1 } }

    /// Whether it is something else now than what the document has.
    var isChanged: Bool {
        let now = Look(url).mark
        knowAgain(now)
        return mark.map { !$0.isSame(as: now) } ?? true
    }

    /// What was handed over is the document's own, also where nobody has said that it was saved.
    private func knowAgain(_ now: Mark) {
        state.withLock { state in
            guard let handed = state.handed, now.hasContent(of: handed) else { return }
            (state.mark, state.handed) = (now, nil)
        }
    }

    /// What lies there now has been seen, whoever wrote it.
    func noteSeen(_ date: Date?) {
        let now = Look(url).mark
        let isNow = now.date.flatMap { now in date.map { abs(now.timeIntervalSince($0)) < 1e-5 } } ?? false
        mark = isNow ? now : Mark(content: mark?.content, date: date, item: mark?.item, parts: mark?.parts)
    }

    /// Where its file is, if somebody has moved that without a word. On the document's own queue.
    func movedPlace() -> URL? {
        let (url, mark) = state.withLock { ($0.url, $0.mark) }
        return mark.flatMap { MovedFile($0, from: url) }?.place()
    }

    /// Whether the document was moved away from a place, with or without a word. `sought`: where it was when an access to it was asked for.
    func hasLeft(_ place: URL, sought: URL) -> Bool {
        guard !Self.isThere(place) else { return false }
        // Where it is looked for while the word comes, it is where it should be.
        return url != sought || movedPlace() != nil || url != sought
    }

    /// What lies there leads to another place.
    struct SymbolicLink: Error {}

    /// Somebody has moved it while it was written.
    struct MovedAway: Error {}

    /// Whether there is anything at a URL.
    static func isThere(_ url: URL) -> Bool {
        do {
            _ = try FilePlace(url).status()
            // A drive shows for a moment still what others have moved in its container.
            guard let place = try? ItemPlace(url), place.isOnDrive, place.isNamedAsStored, case .container(let coordinator) = place.home, let name = place.path.names.last else { return true }
            _ = try coordinator.reading.documents.folder(at: place.path.names.dropLast()).descriptor.status(of: name)
        } catch let error as Errno { return error != .noSuchEntry } catch { return false }
        return true
    }

    // MARK: Accesses

    /// Runs `body` in an access of its presenter's. Waits; never on the caller's thread. `isOwn`: it is the document's file, wherever that is by then.
    func access(_ item: WantedItem, by presenter: any NSFilePresenter, isOwn: Bool = false, _ body: (URL) throws -> Void) throws {
        let coordinator = NSFileCoordinator(filePresenter: presenter)
        state.withLock { $0.waiting = coordinator }
        defer { state.withLock { $0.waiting = nil } }
        var failure: (any Error)?
        do {
            try coordinator.access([item]) { urls in
                if isOwn { state.withLock { $0.granted = urls[0] } }
                defer { state.withLock { $0.granted = nil } }
                do { try body(urls[0]) } catch { failure = error }
            }
        } catch { throw FileFault.coordination(error, isWriting: item.purpose.isWriting) }
        if let failure { throw failure }
    }

    /// Somebody waits for the document to be saved: a save that waits itself gets ahead of that.
    func comeFirst() { state.withLock { $0.waiting }?.askAgain() }

    /// Runs `body`, which reads the file for the first time.
    func readingFirst<Value>(_ body: () -> Value) -> Value {
        state.withLock { $0.isFirstRead = true }
        defer { state.withLock { $0.isFirstRead = false } }
        return body()
    }

    /// How the access that is under way is given up, so that nobody waits for it. nil where somebody might wait for what comes after it.
    var lettingGo: (@Sendable () -> Void)? {
        guard let coordinator = state.withLock({ $0.isFirstRead ? $0.waiting : nil }) else { return nil }
        return { coordinator.letGo() }
    }

    /// What the last save came to.
    func takeOutcome() -> StagedOutcome {
        state.withLock { state in
            defer { (state.outcome, state.written) = (.saved, nil) }
            return state.outcome
        }
    }

    /// In an access for writing: puts what `write` writes in the place of the document, wholly or not at all. What somebody else has written there and
    /// the document has not seen becomes a version; where none can be kept, nothing is written.
    func put(at url: URL, _ write: (URL) throws -> Void) throws {
        let (isOwn, sought) = state.withLock { ($0.url == url || $0.granted == url, $0.url) }
        if isOwn, state.withLock({ $0.handed != nil }) { knowAgain(Look(url).mark) }
        let mark = isOwn ? self.mark : nil
        let outcome = try Self.put(at: url, over: mark, handing: { handed in if isOwn { self.state.withLock { $0.handed = handed } } }) { place in
            try write(place)
            guard isOwn, hasLeft(url, sought: sought) else { return }
            try? FileManager.default.removeItem(at: place)
            throw MovedAway()
        }
        state.withLock { state in
            state.outcome = outcome
            guard isOwn else { return }
            // Beside a conflict something else may lie there.
            (state.written, state.handed) = (outcome == .saved ? state.handed : nil, nil)
        }
    }

    /// At the end of a save: what the document has is what it wrote, also where somebody who knows of no access has written there since. Answers whether
    /// that has happened.
    func noteWritten(_ now: Mark) -> Bool {
        state.withLock { state in
            let written = state.written ?? now, isOwn = now.hasContent(of: written)
            (state.mark, state.written) = (isOwn ? now : Mark(content: written.content, date: written.date, item: now.item, parts: written.parts), nil)
            return !isOwn
        }
    }

    /// In a container by whoever writes there, with a version of what was there; elsewhere, and where a drive shows something else than what is stored,
    /// by a rename. `handing`: hears what is handed over to whoever writes.
    @discardableResult
    static func put(at url: URL, over base: Mark?, handing: (Mark) -> Void = { _ in }, _ write: (URL) throws -> Void) throws -> StagedOutcome {
        let place = try ItemPlace(url), unseen = OverwriteCheck(at: place, since: base)
        // Said of the document, and not of a name that nobody knows. Of a drive that is read-only the container could be written all the same.
        if let error = refusal(in: try FilePlace(url).folder) { throw FileFault.error(error, url.path, isWriting: true) }
        if place.isAsStored, let access = HeldAccesses.writing(place.path, in: place.order.0), access.item.path == place.path, let item = access.coordinated, case .container(let coordinator) = place.home {
            let staged: StagedPlace
            do { staged = try item.staged() } catch { throw FileFault.coordination(error, isWriting: true) }
            do { try write(URL(fileURLWithPath: staged.path)) } catch { throw FileFault.error(error, naming: url.path, not: staged.path) }
            do { try unseen?.check(against: URL(fileURLWithPath: staged.path)) } catch {
                try? FileManager.default.removeItem(atPath: staged.path)
                throw error
            }
            if let handed = try? LookedAt(whole: FilePlace(URL(fileURLWithPath: staged.path))) { handing(Mark(handed, as: (coordinator, place.path))) }
            do throws(Failure) { return try item.save(staged, over: base?.content) } catch {
                if error.errno == .stale { throw OverwriteCheck.error(url) }
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
            do { try write(beside) } catch { throw FileFault.error(error, naming: url.path, not: beside.path) }
            try unseen?.check(against: beside)
            try replace(url, with: beside)
        } catch {
            try? FileManager.default.removeItem(at: beside)
            throw error
        }
        return .saved
    }

    /// Why nothing can be put into a folder by this user; nil where it can, as far as can be seen.
    private static func refusal(in folder: OpenFile) -> Errno? {
        do throws(Errno) { try folder.descriptor.check(.write) } catch { return [.readOnly, .accessDenied, .notPermitted].contains(error) ? error : nil }
        return nil
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

    /// A file's bytes, or a folder's wrapper. In an access that has looked at it, it is not looked at again.
    func contents(of url: URL) throws -> Any {
        let looked = state.withLock { state in state.looked.flatMap { $0.url == url ? $0.at : nil } }
        do {
            let found = try looked ?? LookedAt(FilePlace(url)), place = found.place
            guard found.status.type != .folder else { return FileWrapper(try FoundFile(found)) }
            let file = try place.folder.descriptor.open(place.name, [.read, .nonBlocking]), status = try file.status()
            guard status.type == .regular else { throw Errno.invalid }
            return Data(try file.readAll(limit: Int(clamping: max(0, status.size)), status))
        } catch let error as Errno { throw FileFault.error(error, url.path, isWriting: false) }
    }

    /// Bytes or a wrapper, whole, and on the store.
    static func write(_ contents: Any, to url: URL, original: URL?) throws {
        if let wrapper = contents as? FileWrapper {
            return try wrapper.write(to: url, options: [.withNameUpdating, .withoutTakenAway], originalContentsURL: original)
        }
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

    /// What lies at a URL, with what is in it, in an access.
    struct Look {
        fileprivate let at: LookedAt?
        private let place: ItemPlace?
        /// Where the URL leads, in a container.
        fileprivate let item: (coordinator: FileCoordinator, path: ItemPath)?
        /// What it was then, and not when somebody asks: what is read after the look may be newer, and never older.
        let mark: Mark

        /// `place`: where the URL leads, where that is known.
        init(_ url: URL, at place: ItemPlace? = nil) {
            let place = place ?? (try? ItemPlace(url))
            self.place = place
            guard let place, case .container(let coordinator) = place.home, place.isAsStored else {
                (item, at) = (nil, (try? FilePlace(url)).flatMap { try? LookedAt(whole: $0, isFresh: true) })
                mark = at.map { Mark($0, as: nil) } ?? Mark()
                return
            }
            item = (coordinator, place.path)
            let folder = try? coordinator.reading.documents.folder(at: place.path.names.dropLast())
            at = folder.flatMap { folder in place.path.names.last.flatMap { name in try? LookedAt(whole: FilePlace(folder: folder, name: name)) } }
            mark = at.map { Mark($0, as: (coordinator, place.path)) } ?? Mark()
        }

        var isSymbolicLink: Bool { at?.status.type == .symbolicLink }

        /// Whether nothing can be put in its place.
        var isReadOnly: Bool {
            if place?.isReadOnly == true { return true }
            return at.map { DocumentFile.refusal(in: $0.place.folder) != nil } ?? false
        }

        /// Whether somebody may have to decide about versions of it; false in no container.
        var mayBeInConflict: Bool {
            guard let at, let item else { return false }
            return (try? item.coordinator.reading.mayBeInConflict(at: item.path.names, in: at.place.folder, parts: at.parts?.map(\.place.name))) == true
        }
    }

    /// Runs `body` while what was found is what is read.
    func looking(at url: URL, _ look: Look, _ body: () throws -> Void) rethrows {
        state.withLock { state in state.looked = look.at.map { (url, $0) } }
        defer { state.withLock { $0.looked = nil } }
        try body()
    }

    static func modificationDate(of url: URL) -> Date? { (try? FilePlace(url)).flatMap { try? LookedAt(whole: $0) }.map { Date($0.modified) } }
}
