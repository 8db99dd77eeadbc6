import CalendarDays
import Containers
import Glibc
import LinuxFiles
import PropertyLists

/// The key-value store of a container, on disk.
///
/// It is replaced as a whole: the new one is written beside it, and the two change places. So what was there before is kept
/// under the other name, and is what counts when the file is damaged. Who changes it has the folder's lock meanwhile (`flock`),
/// and reads it anew: of two that write at once, neither loses what the other set.
public final class KeyValueFile: Sendable {
    private enum Home {
        case container(Container)
        case folder(OpenFile, Name)
    }

    private let home: Home
    /// The folder was named, and not a file in it.
    private let isNamedByFolder: Bool
    /// For sentences.
    public let path: String

    /// That of a container.
    public init(of container: Container) { (home, path, isNamedByFolder) = (.container(container), container.path, false) }

    /// A folder of documents, opened as a container.
    public convenience init(container path: String) throws(Failure) {
        self.init(of: try Container.open(path, access: .readWrite, creating: [], kinds: .shipped))
    }

    /// One that lies somewhere else: a file, or a folder with one. The file need not be there.
    public init(at path: String) throws(Failure) {
        let parts = path.split(separator: "/")
        do throws(Errno) {
            if let folder = try? OpenFile(Descriptor.atPath(path, [.path, .folder])) {
                let above = (path.hasPrefix("/") ? "/" : "") + parts.map { $0 + "/" }.joined()
                (home, self.path, isNamedByFolder) = (.folder(folder, Self.name), above + "\(Self.name)", true)
                return
            }
            guard let name = parts.last.flatMap({ Name(String($0)) }) else { throw .invalid }
            let folder = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
            (home, self.path, isNamedByFolder) = (.folder(OpenFile(try Descriptor.atPath(folder.isEmpty ? "." : folder, [.path, .folder])), name), path, false)
        } catch { throw Failure(error, "cannot open the folder of the key-value store “\(path)”: \(error)", cause: error) }
    }

    /// Before somebody else's file is taken for one: throws where something is there that never was a store, and for a folder that is used for
    /// something else.
    public func checkIsStore() throws(Failure) {
        guard let place = try place(making: false) else { return }
        let store = try find(place.name, in: place)
        if case .absent = store, isNamedByFolder, case .absent = (try? find(place.other, in: place)) ?? .absent, hasFiles(place.folder) {
            let folder = path.dropLast("/\(Self.name)".count)
            throw Failure(.invalid, "“\(folder)” has other files in it, and no key-value store: to have one there, name it: kvs=\(path)")
        }
        guard case .damaged(let fault) = store else { return }
        if case .whole = (try? find(place.other, in: place)) ?? .absent { return }
        throw Failure(.invalid, "“\(path)” is no key-value store (\(Self.words(fault))): name another file, or move it away")
    }

    private func hasFiles(_ folder: OpenFile) -> Bool {
        guard var reader = try? FolderReader(untraced: folder.descriptor) else { return false }
        while let entry = (try? reader.next()) ?? nil { if entry.name.bytes.first != UInt8(ascii: ".") { return true } }
        return false
    }

    private static let name = Name(constant: "KeyValueStore.plist")

    /// The folder that a store lies in which is in no container.
    public var folder: OpenFile? { if case .folder(let folder, _) = home { folder } else { nil } }

    private func place(making: Bool) throws(Failure) -> Place? {
        switch home {
        case .container(let container): return try container.keyValuePlace(making: making).map { Place($0) }
        case .folder(let folder, let name):
            do throws(Errno) { return Place((OpenFile(try folder.descriptor.reopened([.read, .folder])), name)) } catch {
                throw Failure(error, "cannot open the folder of the key-value store “\(path)”: \(error)", cause: error)
            }
        }
    }

    /// Where it lay before the container's documents had a folder of their own: what was set till then is there, until something is set.
    private func formerPlace() throws(Failure) -> Place? {
        guard case .container(let container) = home else { return nil }
        return try container.formerKeyValuePlace().map { Place($0) }
    }

    private func requiredPlace() throws(Failure) -> Place {
        guard let place = try place(making: true) else { throw Failure(.noSuchEntry, "“\(path)” has no place for a key-value store") }
        return place
    }

    // MARK: Whose it is

    /// The store's file, and the folder that it lies in, as they are now.
    public struct Whereabouts: Sendable {
        public let folder: OpenFile
        public let folderStatus: FileStatus
        /// As a place; nil where nothing was set yet.
        public let file: OpenFile?
        public let status: FileStatus?
    }

    /// nil where there is no folder for it yet.
    public func whereabouts() throws(Errno) -> Whereabouts? {
        let place: Place?
        do throws(Failure) { place = try self.place(making: false) } catch { throw error.errno }
        guard let place else { return nil }
        var file: OpenFile?
        do throws(Errno) { file = OpenFile(try place.folder.descriptor.open(place.name, .path)) } catch { if error != .noSuchEntry { throw error } }
        return Whereabouts(
            folder: place.folder, folderStatus: try place.folder.descriptor.status(), file: file,
            status: try file.map { (file) throws(Errno) in try file.descriptor.status() })
    }

    /// What was read, and what is to be told of it.
    public struct Reading: Sendable {
        public var contents: KeyValueContents
        /// What was lost, where the store was damaged.
        public var loss: String?

        /// Of each key what is later.
        fileprivate func joined(with other: Reading) -> Reading {
            var joined = self
            joined.contents.join(other.contents)
            joined.loss = loss ?? other.loss
            return joined
        }
    }

    private struct Place {
        let folder: OpenFile
        let name: Name
        /// What is about to be the store, or was it before.
        let other: Name
        let damaged: Name

        init(_ place: (folder: OpenFile, name: Name)) {
            (folder, name) = place
            other = Name(constant: ".KeyValueStore.other")
            damaged = Name(constant: ".KeyValueStore.damaged")
        }
    }

    // MARK: Reading

    public func read() throws(Failure) -> Reading {
        for _ in 0..<Self.mostReadings {
            // In this order: what is found at neither place has been moved to the other one meanwhile.
            let former = try formerPlace(), earlier = try former.map { (former) throws(Failure) in try read(former) }
            let reading = try place(making: false).map { (place) throws(Failure) in try read(place) } ?? Reading(contents: KeyValueContents())
            if let earlier { return reading.joined(with: earlier) }
            // The documents may just have got their folder.
            if try formerPlace() == nil { return reading }
        }
        throw Failure(.tryAgain, "the key-value store of “\(path)” is moved again and again")
    }

    private static let mostReadings = 5

    private enum Found {
        case absent
        case whole(KeyValueContents)
        case damaged(PropertyListFault)
    }

    /// What is wrong with it, in words; nil where nothing is. Changes nothing, not even when it was last read.
    public func damage() throws(Failure) -> String? {
        guard let place = try place(making: false) else { return nil }
        return try read(place, untraced: true).damage.map { "it \($0)" }
    }

    private func read(_ place: Place) throws(Failure) -> Reading {
        let (contents, damage) = try read(place, untraced: false)
        return Reading(contents: contents, loss: damage.map { "the key-value store of “\(path)” \($0)" })
    }

    private func read(_ place: Place, untraced: Bool) throws(Failure) -> (contents: KeyValueContents, damage: String?) {
        let store = try find(place.name, in: place, untraced: untraced)
        if case .whole(let contents) = store { return (contents, nil) }
        let other = (try? find(place.other, in: place, untraced: untraced)) ?? .absent
        switch (store, other) {
        case (.damaged, .whole(let contents)):
            return (contents, "was damaged: its values of \(Self.words(contents.latest)) are used, and what was set after that is lost; the damaged file is “\(place.damaged)” once something is set")
        case (.damaged(let fault), _):
            return (KeyValueContents(), "was damaged (\(Self.words(fault))), and there is no earlier one: all its values are lost, unless a backup has that file, which can be put in its place; the damaged file is “\(place.damaged)” once something is set")
        // A process ended before the very first one was in its place.
        case (_, .whole(let contents)): return (contents, nil)
        default: return (KeyValueContents(), nil)
        }
    }

    private func find(_ name: Name, in place: Place, untraced: Bool = false) throws(Failure) -> Found {
        let bytes: [UInt8]
        do throws(Errno) {
            let file = try opened(name, in: place, untraced)
            let status = try file.status()
            guard status.type == .regular else { throw .invalid }
            // A name that somebody gave to a file of another's, in a folder of their own: what root writes there would be theirs.
            let folder = try place.folder.descriptor.status()
            if geteuid() == 0, status.links > 1, status.owner != folder.owner { throw .notPermitted }
            // What anybody may have put into a folder that is open to all.
            if folder.permissions & 0o002 != 0, ![folder.owner, geteuid(), 0].contains(status.owner) { throw .notPermitted }
            bytes = try file.readAll(limit: KeyValueContents.longestFile, status)
        } catch {
            if error == .noSuchEntry { return .absent }
            if error == .fileTooLarge { return .damaged(.excessive("it is too long")) }
            throw Failure(error, "cannot read “\(name)” of “\(path)”: \(error)", cause: error)
        }
        do throws(PropertyListFault) { return .whole(try KeyValueContents(bytes)) } catch { return .damaged(error) }
    }

    private func opened(_ name: Name, in place: Place, _ untraced: Bool) throws(Errno) -> Descriptor {
        do throws(Errno) { return try place.folder.descriptor.open(name, untraced ? [.read, .nonBlocking, .untraced] : [.read, .nonBlocking]) } catch {
            // Only who owns a file reads it without a trace.
            guard untraced, error == .notPermitted else { throw error }
        }
        return try place.folder.descriptor.open(name, [.read, .nonBlocking])
    }

    private static func words(_ fault: PropertyListFault) -> String {
        switch fault {
        case .foreign(let words), .damaged(let words), .excessive(let words): words.hasSuffix(".") ? String(words.dropLast()) : words
        case .unreadable: "it ends early"
        }
    }

    private static func words(_ time: Int64?) -> String {
        guard let time, time > 0 else { return "an unknown time" }
        let seconds = time / 1_000_000
        return "\(CalendarDay(daysSince1970: seconds / 86_400).text) \(CalendarDay.clock(seconds % 86_400)) UTC"
    }

    // MARK: Changing

    /// The time that something is set at now.
    public static var now: Int64 {
        let now = Timestamp.now
        return now.seconds.multipliedReportingOverflow(by: 1_000_000).partialValue &+ Int64(now.nanoseconds / 1000)
    }

    /// Changes the store, or leaves it where `body` changes nothing. What it answers is durable.
    @discardableResult
    public func change(_ body: (inout KeyValueContents) -> Void) throws(Failure) -> Reading {
        var former = try formerPlace()
        let place = try requiredPlace()
        // Whose folder of documents has just gone.
        if let folder = former?.folder, (try? folder.descriptor.status().identity) == (try? place.folder.descriptor.status().identity) { former = nil }
        // In this order, everywhere.
        if let former { try lock(former) }
        try lock(place)
        // The locks go with the descriptors.
        defer { withExtendedLifetime((place.folder, former?.folder)) {} }
        let own = try read(place), earlier = try former.map { (former) throws(Failure) in try read(former) }
        var reading = earlier.map { own.joined(with: $0) } ?? own
        body(&reading.contents)
        reading.contents.forgetOldRemovals()
        if reading.contents != own.contents || own.loss != nil {
            do throws(Errno) { try write(reading.contents, isDamaged: own.loss != nil, place) } catch {
                throw Failure(error, "cannot write the key-value store of “\(path)”: \(error)", cause: error)
            }
        }
        // All of it is on disk at its new place. Whoever ends in between does it once more, which changes nothing.
        if let former, let earlier { leave(former, isDamaged: earlier.loss != nil) }
        return reading
    }

    /// Nothing is found there any more; a damaged one is kept beside it.
    private func leave(_ former: Place, isDamaged: Bool) {
        let folder = former.folder
        if isDamaged { try? folder.descriptor.rename(former.name, to: folder.descriptor, as: former.damaged) }
        for name in [former.other, former.name] { try? folder.descriptor.unlink(name) }
    }

    private static let patience = 10_000

    private func lock(_ place: Place) throws(Failure) {
        for _ in 0..<Self.patience / 2 {
            do throws(Errno) { return try place.folder.descriptor.lockExclusively() } catch {
                guard error == .tryAgain else { throw Failure(error, "cannot lock the key-value store of “\(path)”: \(error)", cause: error) }
                usleep(2_000)
            }
        }
        throw Failure(.busy, "another program has been writing the key-value store of “\(path)” for \(Self.patience / 1000) seconds: see who has a lock on the folder (lslocks)")
    }

    private func write(_ contents: KeyValueContents, isDamaged: Bool, _ place: Place) throws(Errno) {
        let bytes: [UInt8]
        do throws(PropertyListFault) { bytes = try contents.bytes() } catch { throw .fileTooLarge }
        let folder = place.folder, old = try? folder.descriptor.status(of: place.name)
        // The names are on disk, too, before anybody hears that it is set.
        defer { try? folder.descriptor.synchronize() }
        if isDamaged, old != nil {
            // Its only whole copy is under the other name: it stays until the new one is there.
            try folder.descriptor.rename(place.name, to: folder.descriptor, as: place.damaged)
            return try put(Name(constant: ".KeyValueStore.new"), bytes, place, like: old) { (new) throws(Errno) in
                try folder.descriptor.rename(new, to: folder.descriptor, as: place.name)
            }
        }
        try put(place.other, bytes, place, like: old) { (other) throws(Errno) in
            guard old != nil else { return try folder.descriptor.rename(other, to: folder.descriptor, as: place.name) }
            do throws(Errno) { try folder.descriptor.rename(other, to: folder.descriptor, as: place.name, .exchange) } catch {
                guard [.invalid, .notSupported, .notImplemented].contains(error) else { throw error }
                // A store that lets nothing change places keeps no earlier one.
                try folder.descriptor.rename(other, to: folder.descriptor, as: place.name)
            }
        }
    }

    /// Writes the new store under a name of its own, and puts it in its place. Where it cannot come there it goes: whoever set
    /// something is told that it is not set, and nobody is to find it later.
    private func put(_ name: Name, _ bytes: [UInt8], _ place: Place, like old: FileStatus?, _ move: (Name) throws(Errno) -> Void) throws(Errno) {
        try make(name, bytes, place.folder, like: old)
        do throws(Errno) { try move(name) } catch {
            try? place.folder.descriptor.unlink(name)
            throw error
        }
    }

    private func make(_ name: Name, _ bytes: [UInt8], _ folder: OpenFile, like old: FileStatus?) throws(Errno) {
        do throws(Errno) { try folder.descriptor.unlink(name) } catch { if error != .noSuchEntry { throw error } }
        let file = try folder.descriptor.open(name, [.write, .create, .exclusive], mode: 0o600)
        do throws(Errno) {
            try file.write(bytes, at: 0)
            if let old, old.permissions != 0o600 { try? file.setPermissions(old.permissions & 0o777) }
            // What root writes in somebody's container is theirs.
            let owner = try folder.descriptor.status()
            if geteuid() == 0, owner.owner != 0 { try? file.setOwner(owner.owner, group: owner.group) }
            try file.synchronize()
        } catch {
            try? folder.descriptor.unlink(name)
            throw error
        }
    }

    // MARK: Changes by others

    /// Is told by the kernel when somebody replaces the store.
    public func watch() throws(Failure) -> KeyValueWatch {
        let place = try requiredPlace()
        do throws(Errno) {
            guard case .container(let container) = home else { return try KeyValueWatch(place.folder, place.name) }
            return try KeyValueWatch(place.folder, place.name, in: container)
        } catch {
            throw Failure(error, "cannot watch the key-value store of “\(path)”: \(error)", cause: error)
        }
    }
}

/// Waits for changes of a key-value store.
public final class KeyValueWatch: Sendable {
    private let notices: ChangeNotices
    private let folder: Latest<OpenFile>
    private let name: Name
    /// The store may come to another place there.
    private let container: Container?
    /// Whether the kernel tells; where it has no notices or watches left for this user, the file is looked at.
    private let isTold: Bool
    /// What the file was when it was looked at last.
    private let last: Latest<FileStatus?>

    /// How often it is looked at then, in milliseconds.
    private static let looking: Int64 = 1000

    init(_ folder: OpenFile, _ name: Name, in container: Container? = nil) throws(Errno) {
        self.folder = Latest(folder)
        (self.name, self.container) = (name, container)
        notices = try ChangeNotices.orNone()
        isTold = (try? notices.watch(folder.descriptor)) != nil
        // Its documents may get a folder of their own.
        if let container { _ = try? notices.watch(container.base.descriptor) }
        last = Latest(isTold ? nil : try? folder.descriptor.freshStatus(of: name))
    }

    /// Until the store was replaced, somebody called `wake`, or the time is over. Answers whether it was replaced, perhaps.
    public func wait(milliseconds: Int64?) -> Bool {
        notices.wait(milliseconds: isTold ? milliseconds : min(milliseconds ?? Self.looking, Self.looking))
        if isTold {
            let news = notices.take()
            if news.contains(where: { $0.name == Container.documentsName }), follow() { return true }
            return news.contains { $0.news.contains(.lost) || $0.name == name && !$0.news.isDisjoint(with: [.arrived, .gone, .closed, .created]) }
        }
        if follow() { return true }
        let now = try? folder.value.descriptor.freshStatus(of: name)
        let before = last.value
        last.set(now)
        guard let now, let before else { return (now == nil) != (before == nil) }
        return !before.isAsIt(was: now) || now.isUnsettled
    }

    /// Whether the store has another place by now: that is watched from here on.
    private func follow() -> Bool {
        guard let container, let now = (try? container.keyValuePlace(making: false))?.folder, let identity = try? now.descriptor.status().identity,
            identity != (try? folder.value.descriptor.status().identity) else { return false }
        folder.set(now)
        if isTold { _ = try? notices.watch(now.descriptor) }
        return true
    }

    /// Ends a wait, also the next one.
    public func wake() { notices.wake() }
}
