import Documents
import LinuxFiles

/// One of two that change places.
public struct ExchangeParty: Sendable {
    public enum Item: Sendable {
        case document(KindID)
        /// A plain file that can become a document.
        case file(OpenFile)
        /// A folder, or whatever else has no content that could be a document's.
        case other
    }

    public let stored: Name
    public let item: Item
    /// Where it is, and as what it is shown.
    public let address: Address
    /// What is shown of it instead of its content, because it could not be saved.
    public let draft: Draft?
    /// The kind that a new file of its name becomes.
    public let newKind: KindID?

    public init(stored: Name, item: Item, address: Address, draft: Draft?, newKind: KindID?) {
        (self.stored, self.item, self.address, self.draft, self.newKind) = (stored, item, address, draft, newKind)
    }

    var place: Place { .item(stored, in: address.path) }
    var kind: KindID? { if case .document(let kind) = item { kind } else { nil } }
}

/// What one of them is under the name of the other: a document of a kind, or none.
public struct ExchangeResult: Sendable {
    public let stored: Name
    public let kind: KindID?
}
