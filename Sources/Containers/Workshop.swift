import LinuxFiles
import Synchronization

/// Where a container's changes are made: the one writer of a container, with what it has under way.
///
/// Everything is prepared in `.valise/staging`, on the same file system, and put in place by renames. What takes more
/// than one rename is written into the journal first, and finished at the next opening if it was interrupted.
/// Saving is in `Workshop+Saving`, what becomes of items in `Workshop+Moving`, the return after a crash in `Workshop+Recovery`.
public final class Workshop: Sendable {
    public let container: Container
    /// Valise's own folder in the container, in which all the others are.
    let state: OpenFile
    let staging: OpenFile
    /// What documents were, each under its path; nil where none was ever kept and none is to be.
    let versions: OpenFile?
    let policy: VersionPolicy
    /// What can be done where the container lies.
    public let store: Store
    let journal: Journal
    /// Which folder staging is, where nodes are known again at another time.
    let anchor: NodeBirth?
    /// Held as long as this process lives: nobody else writes.
    private let lock: ContainerLock
    private let numbers: Atomic<UInt64>
    /// Whether a name was ever kept here: almost nowhere.
    private let names: Atomic<Bool>
    let notices = Locked<[String]>([])
    /// After each step of a change.
    let interludes = Interludes<Interlude>()
    enum Interlude { case stepDone }

    static let stagingName = Name(constant: "staging")
    static let journalName = Name(constant: "journal")

    private init(
        container: Container, state: OpenFile, staging: OpenFile, versions: OpenFile?, policy: VersionPolicy, store: Store, journal: Journal,
        lock: ContainerLock, keepsNames: Bool
    ) {
        self.container = container
        self.state = state
        self.staging = staging
        self.versions = versions
        self.policy = policy
        self.store = store
        self.journal = journal
        anchor = store.anchor(staging.descriptor)
        self.lock = lock
        numbers = Atomic(journal.found.highestNumber)
        names = Atomic(keepsNames)
    }

    /// Becomes the container's one writer. `purpose` is what another one is told that comes
    /// while this one is here: "mounted on /home/ann/Valise".
    public static func open(in container: Container, purpose: String, versions policy: VersionPolicy = .off) throws(Failure) -> Workshop {
        try open(in: container, holding: ContainerLock.take(in: container, purpose: purpose), versions: policy)
    }

    /// The same for who is the one writer already.
    public static func open(in container: Container, holding lock: ContainerLock, versions policy: VersionPolicy) throws(Failure) -> Workshop {
        do throws(StateFault) {
            let own = container.state, state = try own.made()
            let staging = try own.madeFolder(stagingName, in: state)
            let versions = policy.keeps ? try own.madeFolder(Container.versionsName, in: state) : try own.folder(Container.versionsName, in: state)
            let names = try own.folder(Container.namesName, in: state)
            let records = try own.madeFolder(journalName, in: state)
            let journal: Journal
            let file = try own.file(Journal.fileName, [.readWrite, .create], in: records, at: [journalName])
            do throws(Errno) { journal = try Journal(file, in: records) } catch { throw .failed(error) }
            let workshop = Workshop(
                container: container, state: state, staging: staging, versions: versions, policy: policy,
                store: Store.tried(in: staging.descriptor), journal: journal, lock: lock, keepsNames: names != nil)
            if let sentence = OwnersState(of: container)?.sentence(for: container) { workshop.notices.withLock { $0.append(sentence) } }
            return workshop
        } catch {
            throw ContainerLock.failure(error, container)
        }
    }

    static func folder(_ name: Name, in parent: borrowing Descriptor, mode: UInt32 = 0o700) throws(Errno) -> Descriptor {
        do throws(Errno) { try parent.makeFolder(name, mode: mode) } catch { if error != .exists { throw error } }
        return try parent.open(name, [.path, .folder])
    }

    /// What whoever mounts is to be told, in sentences: each once.
    public func takeNotices() -> [String] {
        notices.withLock { notices in
            defer { notices = [] }
            return notices
        }
    }

    /// A number that nothing in staging and in the journal has.
    func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    var keepsNames: Bool { names.load(ordering: .relaxed) }
    func noteNames() { names.store(true, ordering: .relaxed) }

    func note(highest number: UInt64) {
        if number > numbers.load(ordering: .relaxed) { numbers.store(number, ordering: .relaxed) }
    }

    static func stagedName(_ number: UInt64, _ what: StaticString = "") -> Name {
        Name("\(number)\(what)") ?? stagingName
    }

    /// The number that a name in staging begins with.
    static func number(ofStaged name: Name) -> UInt64? {
        Journal.number(name.bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    }

    /// A new file in staging. What an interrupted try left under the name goes: nobody else has that number.
    func stageFile(_ name: Name) throws(Errno) -> Descriptor {
        do throws(Errno) { return try staging.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600) } catch {
            guard error == .exists else { throw error }
        }
        try removeTree(name, in: staging.descriptor)
        return try staging.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600)
    }

    /// Waits until all that was put in place is on the store.
    public func synchronize() throws(Errno) { try staging.descriptor.reopened([.read, .folder]).synchronizeFileSystem() }
}
