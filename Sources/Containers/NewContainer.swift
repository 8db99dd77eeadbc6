import LinuxFiles

/// A new container.
public enum NewContainer {
    /// Makes the folder (which may exist and be empty) a container; `kinds` nil means all.
    /// With `samples`, a few documents are put into it.
    public static func make(at path: String, kinds: [String]?, samples: Bool) throws(Failure) {}
}
