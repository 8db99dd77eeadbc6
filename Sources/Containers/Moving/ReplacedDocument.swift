import Documents
import LinuxFiles

/// A document that gives way to another one.
public struct ReplacedDocument: Sendable {
    public let stored: Name
    public let kind: KindID
    /// What was being written to it. It goes in the same step, or a crash between the two would show it again.
    public let draft: Draft?
    public init(stored: Name, kind: KindID, draft: Draft? = nil) {
        self.stored = stored
        self.kind = kind
        self.draft = draft
    }
}

/// What goes when a draft becomes a plain file.
public struct OutdatedDocument: Sendable {
    /// The document that it was a draft of, and where that is.
    public let stored: Name
    public let address: Address
    /// What has the new name: a document, or a plain file whose item is called otherwise.
    public let replacing: ReplacedDocument?
    public let removing: Name?
    public init(stored: Name, at address: Address, replacing: ReplacedDocument?, removing: Name?) {
        (self.stored, self.address, self.replacing, self.removing) = (stored, address, replacing, removing)
    }
}
