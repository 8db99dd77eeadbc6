import LinuxFiles

/// Why something was not saved.
public enum SaveFault: Error, Sendable {
    /// The content is not what the name says.
    case unfit(String)
    case failed(Errno)

    /// Whether there was no room.
    public var isFull: Bool { if case .failed(let errno) = self { errno.isFull } else { false } }
}
