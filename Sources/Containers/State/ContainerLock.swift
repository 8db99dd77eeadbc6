import Glibc
import LinuxFiles

/// The right to write in a container, which one process has at a time: the lock on `.valise/lock`.
/// It lasts as long as the object, and no longer than the process, however that ends.
public final class ContainerLock: Sendable {
    private let file: OpenFile
    /// The owner's own lock, where root writes in their container: one of the two writes at a time.
    private let owners: OpenFile?
    package static let fileName = Name(constant: "lock")
    /// Where whoever has the lock can be asked.
    public static let socketName = Name(constant: "coordination")

    private static let longestWords = 8192

    private init(_ file: OpenFile, _ owners: OpenFile?) { (self.file, self.owners) = (file, owners) }

    /// `purpose` is what another one is told that comes while this one is here: "mounted on /home/ann/Valise".
    public static func take(in container: Container, purpose: String) throws(Failure) -> ContainerLock {
        do throws(StateFault) {
            let state = try container.state.made()
            let file = try container.state.file(fileName, [.readWrite, .create], in: state)
            // One that the owner cannot have either keeps nobody apart.
            let owners = try? OwnersState(of: container.state)?.lockFile()
            do throws(Errno) {
                try file.descriptor.lockExclusively()
                try owners?.descriptor.lockExclusively()
            } catch { throw .failed(error) }
            introduce(purpose, in: file)
            if let owners { introduce(purpose, of: " of root", in: owners) }
            return ContainerLock(file, owners)
        } catch { throw failure(error, container) }
    }

    /// What whoever writes in the container now says of itself, or nil where nobody does. Changes nothing.
    public static func holder(of container: Container) -> String? {
        locks(of: container).first { (try? $0.descriptor.isLocked()) == true }.map(words(of:))
    }

    /// The process of a drive that is in another mount namespace: nobody sees it here, and no path here leads to it.
    public static func processElsewhere(in container: Container) -> Int32? { driveProcess(in: container) { $0 != $1 } }

    /// The process of a drive of this mount namespace. Where the drive is mounted no more, it is about to end.
    public static func processHere(in container: Container) -> Int32? { driveProcess(in: container) { $0 == $1 } }

    /// The process of whoever writes in the container now, as it says.
    public static func process(in container: Container) -> Int32? { holder(of: container).flatMap(process(in:)) }

    /// Where the drive is mounted that writes in the container now, as it says; nil where whoever writes there is none.
    public static func drive(in container: Container) -> String? {
        guard let words = holder(of: container), let mark = words.ranges(of: mounted).first else { return nil }
        return String(words[mark.upperBound...])
    }

    private static let mounted = ", mounted on "

    private static func process(in words: String) -> Int32? { words.hasPrefix("process ") ? Int32(words.dropFirst(8).prefix { $0.isNumber }) : nil }

    /// `isMeant`: by its namespace and the one here.
    private static func driveProcess(in container: Container, _ isMeant: ([UInt8], [UInt8]) -> Bool) -> Int32? {
        guard let words = holder(of: container), words.contains(mounted), let process = process(in: words), let there = namespace(of: "\(process)"), let here = namespace(of: "self"), isMeant(there, here),
            // A number of another system's, of a virtual machine or of other processes, may be anybody's here.
            (try? Descriptor.atPath("/proc/\(process)/comm", .read).readAll(limit: 64))?.starts(with: "valise".utf8) == true
        else { return nil }
        return process
    }

    private static func namespace(of process: String) -> [UInt8]? {
        try? Descriptor.atPath("/proc/\(process)/ns", [.path, .folder]).readSymbolicLink(Name(constant: "mnt"))
    }

    private static func advice(for container: Container) -> String {
        guard let process = processElsewhere(in: container) else { return "use that drive, or mount this one with -o ro" }
        return "that is in another mount namespace; to end it, saving all: kill \(process); or mount this one with -o ro"
    }

    private static func locks(of container: Container) -> [OpenFile] {
        let own = (try? container.state.opened()).flatMap { state -> OpenFile? in
            guard (try? state.descriptor.status(of: fileName).type) == .regular, let file = try? state.descriptor.openUntraced(fileName, [.read, .nonBlocking])
            else { return nil }
            return OpenFile(file)
        }
        return [own, OwnersState(of: container.state)?.foundLockFile()].compactMap(\.self)
    }

    /// Who holds the lock is for people to read; a full disk is no reason not to be it.
    private static func introduce(_ purpose: String, of whom: String = "", in lock: OpenFile) {
        let text = Array("process \(getpid())\(whom), \(purpose)\n".utf8)
        try? lock.descriptor.truncate(to: 0)
        try? lock.descriptor.write(text, at: 0)
    }

    /// Of a file that may be somebody else's: no more than a line that can be printed.
    private static func words(of file: OpenFile) -> String {
        guard let text = try? file.descriptor.read(at: 0, count: longestWords), !text.isEmpty else { return "by another process" }
        return Name.printable(text.prefix { $0 != UInt8(ascii: "\n") })
    }

    static func failure(_ fault: StateFault, _ container: Container) -> Failure {
        switch fault {
        case .odd(let sentence): Failure(.notPermitted, sentence)
        case .failed(let error): failure(error, container)
        }
    }

    static func failure(_ error: Errno, _ container: Container) -> Failure {
        let sentence =
            switch error {
            case .tryAgain:
                "“\(container.path)” is being written already (\(holder(of: container) ?? "by another process")): \(advice(for: container))"
            case .readOnly: "“\(container.path)” lies on a read-only file system; to look at it only: mount it with -o ro"
            case .accessDenied, .notPermitted: "you may not write in “\(container.path)”: mount it with -o ro, or as its owner"
            case .noSpace, .quota: "there is no space left for “\(container.state.fullPath)”: \(error); make room there, or mount it read-only (-o ro)"
            default: "cannot write in “\(container.state.fullPath)”: \(error)"
            }
        return Failure(error, sentence, cause: error)
    }
}

/// Held by whoever waits for a container's lock to write in it, a drive that is being mounted: programs that would take the lock only to
/// coordinate leave it to that one. It is itself a lock, on `.valise/next`, and ends with the process that has it.
public final class AwaitedLock: Sendable {
    private static let fileName = Name(constant: "next")
    private let state: OpenFile
    private let file: OpenFile

    /// Nil where somebody else waits already, or where that cannot be said.
    public init?(of container: Container) {
        guard let state = try? container.state.made(), let file = try? container.state.file(Self.fileName, [.readWrite, .create], in: state),
            (try? file.descriptor.lockExclusively()) != nil
        else { return nil }
        (self.state, self.file) = (state, file)
    }

    deinit { try? state.descriptor.unlink(Self.fileName) }

    /// Whether somebody waits.
    public static func isHeld(of container: Container) -> Bool {
        guard let state = try? container.state.opened(), let file = try? container.state.file(fileName, .read, in: state) else { return false }
        return (try? file.descriptor.isLocked()) == true
    }
}
