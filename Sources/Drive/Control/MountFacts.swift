import LinuxFiles

/// Where and since when a drive is mounted, and what its process gave up.
final class MountFacts: Sendable {
    let since = Timestamp.now
    private let facts = Locked((path: "", log: String?.none, sandbox: SandboxState.none))

    var path: String { facts.withLock { $0.path } }
    func setPath(_ path: String) { facts.withLock { $0.path = path } }

    /// The file that its messages go to.
    var log: String? { facts.withLock { $0.log } }
    func setLog(_ path: String) { facts.withLock { $0.log = path } }

    var sandbox: SandboxState { facts.withLock { $0.sandbox } }
    func setSandbox(_ state: SandboxState) { facts.withLock { $0.sandbox = state } }
}

/// What keeps the process that serves a drive from doing anything else.
public enum SandboxState: Sendable {
    case none
    /// System calls and capabilities; and files, where the kernel has the means.
    case sealed(files: Bool)
}
