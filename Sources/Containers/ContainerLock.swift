import Glibc
import LinuxFiles

/// The right to write in a container, which one process has at a time: the lock on `.valise/lock`.
/// It lasts as long as the object, and no longer than the process, however that ends.
public final class ContainerLock: Sendable {
    private let file: OpenFile
    static let fileName = Name(constant: "lock")
    /// Where whoever has the lock can be asked.
    public static let socketName = Name(constant: "coordination")

    private init(_ file: OpenFile) { self.file = file }

    /// `purpose` is what another one is told that comes while this one is here: "mounted on /home/ann/Valise".
    public static func take(in container: Container, purpose: String) throws(Failure) -> ContainerLock {
        do throws(Errno) {
            let state = try Workshop.folder(Hidden.state, in: container.base.descriptor)
            let file = OpenFile(try state.open(fileName, [.readWrite, .create, .nonBlocking], mode: 0o600))
            try file.descriptor.lockExclusively()
            introduce(purpose, in: file)
            return ContainerLock(file)
        } catch { throw failure(error, container) }
    }

    /// What whoever writes in the container now says of itself, or nil where nobody does. Changes nothing.
    public static func holder(of container: Container) -> String? {
        guard let file = open(in: container), (try? file.descriptor.isLocked()) == true else { return nil }
        return words(of: file)
    }

    private static func open(in container: Container) -> OpenFile? {
        guard let state = try? container.base.descriptor.open(Hidden.state, [.path, .folder]),
            (try? state.status(of: fileName).type) == .regular, let file = try? state.openUntraced(fileName, [.read, .nonBlocking])
        else { return nil }
        return OpenFile(file)
    }

    /// Who holds the lock is for people to read; a full disk is no reason not to be it.
    private static func introduce(_ purpose: String, in lock: OpenFile) {
        let text = Array("process \(getpid()), \(purpose)\n".utf8)
        try? lock.descriptor.truncate(to: 0)
        try? lock.descriptor.write(text, at: 0)
    }

    private static func words(of file: OpenFile?) -> String {
        guard let text = try? file?.descriptor.readAll(limit: 8192), !text.isEmpty else { return "by another process" }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    static func failure(_ error: Errno, _ container: Container) -> Failure {
        let sentence =
            switch error {
            case .tryAgain:
                "“\(container.path)” is being written already (\(words(of: open(in: container)))): use that drive, or mount this one with -o ro"
            case .readOnly: "“\(container.path)” lies on a read-only file system: mount it with -o ro"
            case .accessDenied, .notPermitted: "you may not write in “\(container.path)”: mount it with -o ro, or as its owner"
            case .noSpace, .quota: "there is no space left for “\(container.path)/.valise”: \(error)"
            default: "cannot write in “\(container.path)/.valise”: \(error)"
            }
        return Failure(error, sentence, cause: error)
    }
}
