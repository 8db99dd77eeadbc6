import CLinux
import Glibc

/// Rights that this process gives up for good. What it has open stays open, and is all it has.
public struct Sandbox: Sendable {
    /// New files, folders and connections are out of reach (Landlock).
    public let sealsFiles: Bool
    /// System calls but a few are refused (seccomp).
    public let sealsCalls: Bool

    /// Seals this process. A kernel that lacks one of the two means leaves the other.
    /// To be called while it has one thread; later ones inherit it.
    public static func enter(memory: UInt64) -> Sandbox {
        _ = CLinux_limit(CLinux_RLIMIT_AS, memory)
        // Images that kill leave no cores, and nothing grows.
        _ = CLinux_limit(CLinux_RLIMIT_CORE, 0)
        _ = CLinux_limit(CLinux_RLIMIT_FSIZE, 0)
        guard CLinux_renounce_privileges() == 0 else { return Sandbox(sealsFiles: false, sealsCalls: false) }
        let files = CLinux_seal_files() == 0
        return Sandbox(sealsFiles: files, sealsCalls: CLinux_seal_calls() == 0)
    }

    /// Lets others go first: this process works behind their backs.
    public static func stepBack() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
}
