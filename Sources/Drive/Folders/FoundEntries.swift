import Containers
import LinuxFiles

/// An entry of a folder as it was found on the disk.
struct FoundEntry: Sendable {
    let name: Name
    let number: UInt64
    /// nil where the entry was known and did not have to be read again.
    let facts: EntryFacts?
    /// Its own, where it is a folder and watched.
    var watch: WatchID?
}

/// What the tree and a listing need of an item: of ten thousand at once, so no more than that.
struct EntryFacts: Sendable {
    let status: FileStatus
    let document: (kind: KindID, naturalName: Name)?
    let fault: String?
    var isDenied = false

    init(status: FileStatus, document: (kind: KindID, naturalName: Name)?, fault: String?) {
        self.status = status
        self.document = document
        self.fault = fault
    }

    /// A copy that a sync tool left is not listed.
    var isCopy = false

    /// `kept` is the name that the document was given, where its item does not tell it.
    init(_ item: Item, called kept: Name? = nil, isCopy: Bool = false) {
        self.init(status: item.status, document: item.document.map { ($0.kind, $0.name(kept: kept)) }, fault: item.fault)
        (self.isCopy, isDenied) = (isCopy, item.isDenied)
    }
}

/// A listed entry: a name, by its place in the table, and what the listing read of its node.
struct ListedEntry {
    let entry: EntryNumber
    let name: Name
    let generation: UInt32
    let attributes: Attributes
    /// The state that the attributes belong to; nil for one that nobody is to remember.
    let stamp: ContentStamp?
}
