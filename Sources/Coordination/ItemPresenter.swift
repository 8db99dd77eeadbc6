import Containers

/// Who has items of the container open in the process that holds it: the drive. It is asked to save before others read
/// or write an item, and told after.
public protocol ItemPresenter: AnyObject, Sendable {
    /// Where it is mounted, for sentences; empty where that is not known.
    var mountpoint: String { get }
    /// Where the documents are now. A store that does not answer is not waited for.
    var documentsNow: Container.DocumentsNow { get }
    /// Whether any of them is open. Answered at once, without input or output.
    func isConcerned(by items: [ClaimedItem]) -> Bool
    /// Saves what is open of them, and waits for what is being saved. May take its time.
    func prepare(for items: [ClaimedItem])
    /// Whether all that others do with an item is noticed. Answered at once, without input or output.
    func isFollowing(_ item: ItemPath) -> Bool
    /// Somebody presents it from now on: what others do with it, and in it, is to be noticed. Answers what is in it. May take its time.
    @discardableResult
    func follow(_ item: ItemPath) -> [ItemPath]
    /// They were claimed for writing, and are not any more.
    func written(_ items: [ClaimedItem])
    /// Does with a document's versions what was decided by somebody who has claimed it for writing. May take its time.
    func carryOut(_ decision: ClaimDecision, on item: ItemPath) throws(SaveFault)
    /// Puts what an app has written whole into the place of an item that it has claimed for writing. May take its time.
    func save(_ staged: StagedItem, at item: ItemPath) throws(SaveFault) -> StagedOutcome
    /// Does what another computer says of an item that somebody has claimed for writing, and of a second one. May take
    /// its time.
    func adopt(_ adoption: Adoption) throws(SaveFault) -> Adopted
    /// Whoever has claimed an item has moved it: its versions go along. May take its time.
    func follow(_ old: ItemPath, to new: ItemPath)
    /// Looks for items, and says which there are; by a thread of its own.
    func answer(_ search: SearchRequest, _ answer: sending SearchAnswer)
}
