/// The rules by which devices agree, so that a test can leave out one and see what is missed. Everybody else has all of them.
package struct Rules: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Equal contents that were replaced are behind a leaf below them.
    package static let spent = Rules(rawValue: 1 << 0)
    /// A version counts as one above its known parents, whatever was said.
    package static let risingRanks = Rules(rawValue: 1 << 1)
    /// A folder is there if something in it is.
    package static let fullFoldersStay = Rules(rawValue: 1 << 2)
    /// What is seen and no place says is said, so that it stays.
    package static let repairs = Rules(rawValue: 1 << 3)
    /// What is not found is deleted only after a while.
    package static let patience = Rules(rawValue: 1 << 4)
    /// A version replaces only leaves whose contents were on its device.
    package static let unseenStays = Rules(rawValue: 1 << 5)
    /// Two of one name are told apart by a number.
    package static let numbers = Rules(rawValue: 1 << 6)
    /// What was replaced by what is not understood yet is not gone.
    package static let onlyDeletedGoes = Rules(rawValue: 1 << 7)
    /// Who puts what is current in the place of something else has replaced that.
    package static let replacedByCurrent = Rules(rawValue: 1 << 8)
    /// What a device moves is no move that somebody made, and no edit of what was there, whatever is forgotten after that.
    package static let moveIsNoted = Rules(rawValue: 1 << 9)
    /// Of several items that turn out to be one only one is that at a time.
    package static let joinedOneByOne = Rules(rawValue: 1 << 10)
    /// A conflict that is current now is kept until it is in its place.
    package static let currentIsKept = Rules(rawValue: 1 << 11)
    /// A folder is what its inode is, also under the name of one that is gone.
    package static let foldersByEntry = Rules(rawValue: 1 << 12)
    /// What a device puts in the place of something else is written down before, so that an edit of it is one of that.
    package static let contentIsNoted = Rules(rawValue: 1 << 13)

    /// What is missing, is one with another item, and had a content that is nowhere any more, is not forgotten before somebody has replaced that.
    package static let leftIsReplaced = Rules(rawValue: 1 << 14)

    /// Where something is missing nothing is put before that is given up.
    package static let missingKeepsPlace = Rules(rawValue: 1 << 15)

    /// What somebody decided of a conflict is said, and not put back.
    package static let decisionsAreSaid = Rules(rawValue: 1 << 16)

    /// What comes back from among the deleted is the item that it was.
    package static let undeletedIsSame = Rules(rawValue: 1 << 17)

    /// Where a plan goes on from the last one, what waits for a content is looked at again when that comes.
    package static let contentsAreNoticed = Rules(rawValue: 1 << 18)

    /// What was in a folder that could not be listed is not missing.
    package static let unlistedIsThere = Rules(rawValue: 1 << 19)

    /// Where very much is gone at once somebody is asked before anything is said of it.
    package static let manyAreAskedFor = Rules(rawValue: 1 << 20)

    /// What the store cannot call so is called otherwise here.
    package static let namesAreLocal = Rules(rawValue: 1 << 21)

    /// And that is not said.
    package static let localNamesStay = Rules(rawValue: 1 << 22)

    /// What a store answers for a name is that name.
    package static let answersAreNames = Rules(rawValue: 1 << 23)

    /// A conflict that cannot be kept beside its item is an item of its own.
    package static let unkeptIsApart = Rules(rawValue: 1 << 24)

    /// What would run a file as another user is not said.
    package static let onlyPermissionsAreSaid = Rules(rawValue: 1 << 25)

    /// What a store makes of permissions is no change of them.
    package static let answeredModesStay = Rules(rawValue: 1 << 26)

    /// A time that is still to come is now: the clock was another one when it was written down.
    package static let futureIsNow = Rules(rawValue: 1 << 27)

    /// Where numbers of files come back, what has the number of something and another content is another file.
    package static let reusedIsAnother = Rules(rawValue: 1 << 28)

    /// Where very many documents are older than what was written down, somebody is asked before they are said to be edits.
    package static let olderIsAskedFor = Rules(rawValue: 1 << 29)

    /// What changed a moment ago, or is being written, is neither read nor replaced yet.
    package static let freshWaits = Rules(rawValue: 1 << 30)

    /// That a key was removed is said.
    package static let removedKeysAreSaid = Rules(rawValue: 1 << 31)
    /// A removal that a store has forgotten does not come there again.
    package static let forgottenRemovalsStay = Rules(rawValue: 1 << 32)

    /// Kinds that a person or container added here are said.
    package static let kindsAreSaid = Rules(rawValue: 1 << 33)

    package static let all = Rules(rawValue: (1 << 34) - 1)
}
