import Documents
import LinuxFiles

/// A container on disk: a folder of documents as an app keeps them.
public final class Container: Sendable {
    /// The absolute path that was given when it was opened, for sentences.
    public let path: String

    init(path: String) { self.path = path }

    public enum Access: Sendable { case read, readWrite }

    /// Opens a folder as a container. `creating`: the kinds of documents that new files become
    /// ("bookmark", "photo", "text"), or nil to decide as `valise init` or the documents found say.
    public static func open(_ path: String, access: Access, options: ShowingOptions = ShowingOptions(), creating: [String]? = nil) throws(Failure) -> Container {
        Container(path: path)
    }
}

/// A new container.
public enum NewContainer {
    /// Makes the folder (which may exist and be empty) a container; `kinds` nil means all.
    /// With `samples`, a few documents are put into it.
    public static func make(at path: String, kinds: [String]?, samples: Bool) throws(Failure) {}
}
