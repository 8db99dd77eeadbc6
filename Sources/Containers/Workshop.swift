import Glibc
import LinuxFiles
import Synchronization

/// Where a container's changes are made: the one writer of a container, with what it has under way.
///
/// Everything is prepared in `.valise/staging`, on the same file system, and put in place by renames. What takes more
/// than one rename is written into the journal first, and finished at the next opening if it was interrupted.
/// Saving is in `Workshop+Saving`, what becomes of items in `Workshop+Moving`, the return after a crash in `Workshop+Recovery`.
public final class Workshop: Sendable {
    public let container: Container
    let staging: OpenFile
    let journal: Journal
    /// Held as long as this process lives: nobody else writes.
    private let lock: OpenFile
    private let numbers: Atomic<UInt64>

    private static let stagingName = Name(constant: "staging")
    private static let journalName = Name(constant: "journal")
    private static let lockName = Name(constant: "lock")

    private init(container: Container, staging: OpenFile, journal: Journal, lock: OpenFile, after number: UInt64) {
        self.container = container
        self.staging = staging
        self.journal = journal
        self.lock = lock
        numbers = Atomic(number)
    }

    /// Becomes the container's one writer. `purpose` is what another one is told that comes
    /// while this one is here: "mounted on /home/ann/Valise".
    public static func open(in container: Container, purpose: String) throws(Failure) -> Workshop {
        do throws(Errno) {
            let state = try folder(Hidden.state, in: container.base.descriptor)
            let lock = OpenFile(try state.open(lockName, [.readWrite, .create], mode: 0o600))
            guard try take(lock) else { throw Errno.tryAgain }
            introduce(purpose, in: lock)
            let staging = OpenFile(try folder(stagingName, in: state))
            let journal = try Journal(in: OpenFile(try folder(journalName, in: state)))
            return Workshop(container: container, staging: staging, journal: journal, lock: lock, after: journal.highestNumber)
        } catch {
            throw Failure(error, sentence(for: error, container), cause: error)
        }
    }

    private static func take(_ lock: OpenFile) throws(Errno) -> Bool {
        do throws(Errno) {
            try lock.descriptor.lockExclusively()
            return true
        } catch {
            guard error == .tryAgain else { throw error }
            return false
        }
    }

    /// Who holds the lock is for people to read; a full disk is no reason not to be it.
    private static func introduce(_ purpose: String, in lock: OpenFile) {
        let text = Array("process \(getpid()), \(purpose)\n".utf8)
        try? lock.descriptor.truncate(to: 0)
        try? lock.descriptor.write(text, at: 0)
    }

    private static func sentence(for error: Errno, _ container: Container) -> String {
        switch error {
        case .tryAgain:
            "“\(container.path)” is being written already (\(holder(of: container))): use that drive, or mount this one with -o ro"
        case .readOnly: "“\(container.path)” lies on a read-only file system: mount it with -o ro"
        case .accessDenied, .notPermitted: "you may not write in “\(container.path)”: mount it with -o ro, or as its owner"
        case .noSpace, .quota: "there is no space left for “\(container.path)/.valise”: \(error)"
        default: "cannot write in “\(container.path)/.valise”: \(error)"
        }
    }

    /// Who writes the container, as `purpose` said: "process 4711, mounted on /home/ann/Valise".
    public static func holder(of container: Container) -> String {
        guard let state = try? container.base.descriptor.open(Hidden.state, [.path, .folder]),
            let lock = try? state.open(lockName, .read), let text = try? lock.readAll(limit: 8192), !text.isEmpty
        else { return "by another process" }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    static func folder(_ name: Name, in parent: borrowing Descriptor, mode: UInt32 = 0o700) throws(Errno) -> Descriptor {
        do throws(Errno) { try parent.makeFolder(name, mode: mode) } catch { if error != .exists { throw error } }
        return try parent.open(name, [.path, .folder])
    }

    /// A number that nothing in staging and in the journal has.
    func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    func note(highest number: UInt64) {
        if number > numbers.load(ordering: .relaxed) { numbers.store(number, ordering: .relaxed) }
    }

    static func stagedName(_ number: UInt64, _ what: StaticString = "") -> Name {
        Name("\(number)\(what)") ?? stagingName
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
