/// Why the bytes of a property list, or of an archive in one, could not be used.
public enum PropertyListFault: Error, Hashable, Sendable {
    /// It is something else. A sentence that says what was missed.
    case foreign(String)
    /// It begins like one, and is broken. A sentence that says how.
    case damaged(String)
    /// It may be whole, but using it would take more than a named limit allows.
    case excessive(String)
    /// The bytes could not be read.
    case unreadable(SourceFailure)
}
