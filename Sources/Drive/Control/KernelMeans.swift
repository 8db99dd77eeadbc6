/// By which means the kernel and the drive spare each other work: what of it is at work, and why the rest is not.
public struct KernelMeans: Sendable {
    /// A means that there may be, by the name that pages have for it.
    public enum Means: String, Sendable, CaseIterable {
        /// A listing brings what `stat` would ask of each entry.
        case readdirplus
        /// Names of one folder are looked up by several programs at a time.
        case parallelLookups
        /// Content goes to the kernel, and requests come from it, without being copied.
        case spliceOut, spliceIn
        /// A file that was only read is closed without a request.
        case silentClose
        /// The drive takes set-id bits away itself, and is not asked for a file's capabilities before each write.
        case setIDs
        /// What is written stays with the kernel for a while.
        case writeBack
        /// The kernel reads and writes files of the container itself.
        case passthrough
        /// Requests come through io_uring.
        case ioUring
    }

    /// Of the protocol, and of libfuse.
    public let version: String
    public let library: String
    /// How many bytes one request reads, and writes.
    public let mostRead: Int
    public let mostWrite: Int
    public let used: [Means]
    public let unused: [(means: Means, reason: String)]

    public init(version: String, library: String, mostRead: Int, mostWrite: Int, used: [Means], unused: [(means: Means, reason: String)]) {
        (self.version, self.library, self.mostRead, self.mostWrite) = (version, library, mostRead, mostWrite)
        (self.used, self.unused) = (used, unused)
    }
}
