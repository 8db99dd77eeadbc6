/// What somebody decides about a document's conflicts.
public enum ConflictDecision: Sendable, Hashable {
    /// This one is what the document is to be.
    case version(VersionID)
    /// The document stays as it is, and the conflict ends.
    case current
    /// The others become documents of their own.
    case both
}

/// What somebody decides about what a document is and was.
public enum VersionDecision: Hashable, Sendable {
    /// The document gets this version's content.
    case restore(VersionID)
    /// The document's conflicts end in this way.
    case resolve(ConflictDecision)
    /// This one is no conflict any more, and the document stays what it is.
    case settle(VersionID)
    /// This version is removed for good.
    case remove(VersionID)
    /// All versions of the document that may be removed are removed.
    case removeOthers
}
