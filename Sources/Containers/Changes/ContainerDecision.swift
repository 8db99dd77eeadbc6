import LinuxFiles

/// What somebody decides about many items of a container at once. What is decided about one document is a `VersionDecision`.
public enum ContainerDecision: Hashable, Sendable {
    /// All versions of a document, or of all in a folder, that were written before a moment (in seconds since 1970) go for good.
    case purgeVersions(before: Int64?)
    // What was deleted, by number.
    /// These deleted items come back, each to where it was.
    case undelete([UInt64])
    /// These deleted items are removed for good.
    case purge([UInt64])
    // What was handed over, by its name in `.valise/handed`.
    /// Many new items, in a folder, come to their places, each wholly or not at all. What has no free place stays in the folder.
    case place(Name)
    /// The items of a list go among the deleted, as far as they are what they were.
    case takeBack(Name)
}
