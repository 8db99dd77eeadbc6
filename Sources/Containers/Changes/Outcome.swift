import LinuxFiles

/// What came of a change. What is refused is thrown, and nothing was changed then.
public struct Outcome: Sendable {
    /// One of the two sides of a conflict.
    public enum Side: Hashable, Sendable { case mine, theirs }

    /// What the item is called in the container; nil where it has no place there any more.
    public internal(set) var stored: Name?
    /// The item as it was, whose name may come back.
    public internal(set) var away: AwayItem?
    /// The replaced document, whose name may come back.
    public internal(set) var replaced: AwayItem?
    /// Where somebody else had changed it meanwhile: what the document is now. The other side is a version that somebody has to decide about.
    public internal(set) var current: Side?
    /// The version that was made.
    public internal(set) var kept: VersionID?
    /// What is among the deleted.
    public internal(set) var deleted: DeletedItem?
    /// What two that changed places are now.
    public internal(set) var exchanged: (ExchangeResult, ExchangeResult)?
    /// How many versions of which documents were removed for good, because somebody said so. The documents by their paths.
    public internal(set) var purged: [(document: [Name], count: Int)] = []
    /// How many versions went for good because there are newer ones, or no room for all.
    public internal(set) var thinned = 0
    /// What the item is now, where another computer said so; of two that changed places, the other one, too.
    public internal(set) var state: ItemState?
    public internal(set) var otherState: ItemState?
    /// What was replaced then, where a program had written to it after it was looked at.
    public internal(set) var replacedState: ItemState?
    /// Nothing was changed, because it was so already, or there was nothing left to change.
    public internal(set) var isUnchanged = false

    public var isConflict: Bool { current != nil }

    /// What it is called, of a change after which it has a name.
    public func storedName() throws(Errno) -> Name {
        guard let stored else { throw .noSuchEntry }
        return stored
    }
}

extension SaveFault {
    /// As a system call says it. `unfit`: where the content is not what the name says.
    public func errno(unfit: Errno) -> Errno { if case .failed(let errno) = self { errno } else { unfit } }
}
