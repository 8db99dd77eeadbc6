import Hashes

/// What a device is to do next. Each is true only as long as what it was planned for is: who carries it out compares that in the same moment, under the
/// container's claim, and where it is otherwise does nothing and looks again. What was planned before somebody else planned, and said something, is not carried
/// out any more: it would be said twice.
public enum Step: Hashable, Sendable {
    // What is here becomes facts.

    /// A kind that a person or container added: before what is new of it.
    case sayKind(AddedKind)
    /// The content is to be read while the stamp stays this one: nobody knows what it is.
    case read(LocalID, LocalStamp)
    /// A new item: it gets an id, and a version and a place are said of it.
    case sayNew(LocalEntry, folder: ItemID?)
    /// The item has another content here than what was brought together last. Where it was and was going stays written down.
    case sayContent(ItemID, Digest, replacing: Set<FactID>, LocalEntry)
    /// A save found this content in its place and put it beside: it is a conflict, whether or not somebody has said it already.
    case sayBeside(ItemID, Digest, replacing: Set<FactID>, LocalEntry)
    /// Somebody decided here about conflicts of what is in its place, which is that: a version with this content replaces both.
    case sayDecided(ItemID, Digest, replacing: Set<FactID>, LocalEntry)
    /// It was among the deleted, and is there again: a version and, where it is elsewhere, a place are said of it.
    case sayBack(ItemID, Digest, replacing: Set<FactID>, LocalEntry, folder: ItemID?, named: [UInt8]? = nil)
    /// It was moved or renamed here. It is called by all what it is called here, unless another name is given.
    case sayPlace(ItemID, folder: ItemID?, named: [UInt8]? = nil, LocalEntry)
    /// It has other permissions here than were brought together last.
    case sayPermissions(ItemID, UInt16, LocalEntry)
    /// It is not found, and that is written down with the time.
    case noteMissing(ItemID)
    /// It did not come back.
    case sayDeleted(ItemID, replacing: Set<FactID>)
    /// What is here and what the facts say is the same.
    case note(ItemID, Synced)
    /// Two items are one: what is written down of the one is that of the other.
    case join(ItemID, into: ItemID)
    /// Nothing is to be written down of it any more.
    case forget(ItemID)
    /// What it is called here, for its store cannot have its name: to be durable before it is called so. Empty: what all see.
    case nameHere(ItemID, Set<LocalName>)
    /// What follows from the facts, so that everybody says it.
    case repair(Set<Fact>)

    // What the facts say becomes what is here.

    /// A new item is put where nothing is. A folder is made, of whatever version.
    case put(ItemID, version: FactID?, folder: LocalID?, name: [UInt8], Location.Kind)
    /// Another content takes the place of this entry's, unless somebody has decided for that meanwhile.
    case replace(ItemID, version: FactID, LocalEntry)
    case move(ItemID, LocalEntry, folder: LocalID?, name: [UInt8])
    case setPermissions(ItemID, UInt16, LocalEntry)
    /// Two entries take each other's places.
    case exchange(LocalEntry, LocalEntry)
    /// Somebody else deleted it: it goes among the deleted. A folder is empty by then.
    case putAway(ItemID, LocalEntry)
    /// A conflict's content is copied to where no program writes: it is to be an item of its own, and is in a document only that somebody may write over.
    case keepAside(ItemID, version: FactID)
    /// A conflict's content is put beside the document.
    case keepConflict(ItemID, version: FactID)
    /// Somebody decided about it: it goes when it is durable that they did.
    case settle(ItemID, version: FactID)
}
