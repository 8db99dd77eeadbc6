import Replication

/// A rule that is left out, to see that it is missed.
package enum Twin: String, CaseIterable, Sendable {
    // Of a share.

    /// Files of facts are read up to a number, and not by their names.
    case cursor
    /// What is not whole is read as far as it goes.
    case torn
    /// Files of facts are called by a number alone.
    case numbersOnly
    /// A copy of a computer goes on under its name.
    case sameName
    /// A content is not given once more.
    case givenOnce
    /// What no file says any more is not said again.
    case saidOnce
    /// A head has no mark, so two who write one do not notice.
    case noHeadMark
    /// A content that somebody lacks is given again though it is there.
    case givenForEver

    /// An edit is said without where its document is.
    case unplaced

    // Of a server.

    /// It is not noticed that a server has forgotten.
    case noMark
    /// A push is answered by no mark.
    case noPair
    /// Going back to what a server knows is written down first, and what is to be said again after that.
    case twoSteps

    // Of a device.

    /// A file is replaced whatever it is by now.
    case unstamped
    /// A tombstone is said at once.
    case impatient
    /// A version replaces leaves whose contents were not here.
    case unseenParents
    /// What is seen and no place says is not said.
    case unrepaired
    /// What was replaced by what is not understood yet is taken for gone.
    case notUnderstood
    /// Who puts what is current in the place of something else has replaced nothing.
    case replacedByCurrent
    /// What a device moved is a move that somebody made, when that was forgotten.
    case unnotedMove
    /// What a device put in the place of something else is that still, when that was forgotten.
    case unnotedContent
    /// Something else is put where something is missing that may come back.
    case placeTaken
    /// What is missing, and one with another item, is forgotten though its content is nowhere any more.
    case leftAlone
    /// Of several items that turn out to be one all are that in one step.
    case joinedAtOnce
    /// A conflict is let go of when it is none any more, though it is current now and lies nowhere else.
    case settledEarly
    /// A folder that was moved to where another one was is that one, as a document would be.
    case foldersByPath
    /// What somebody looked at meanwhile is said once more, because it was planned before.
    case saidTwice
    /// A conflict is let go of before it is durable that it is none.
    case letGoEarly
    /// What was decided of a conflict is not said.
    case undecided
    /// What comes back from among the deleted is new.
    case undeletedAnew
    /// A file is replaced before it is durable what was said of it.
    case replacedEarly
    /// What is said is durable here only afterwards.
    case saidEarly
    /// Where a plan goes on from the last one, a content that comes makes nobody look again at what waits for it.
    case contentUnnoticed
    /// Where what can be given goes on from what it was, a content that comes is not one of those.
    case comingUnnoticed
    /// What a device makes of an item for itself counts as its content.
    case thumbnailIsContent
    /// And is given to others.
    case thumbnailTravels
    /// What was in a folder that could not be listed is missing.
    case unlistedIsMissing
    /// Where everything is gone at once, everything is deleted.
    case allIsDeleted
    /// What the store cannot call so is to be called so all the same.
    case unnamedHere
    /// What an item is called here because the store cannot have its name is said.
    case localNameSaid
    /// And what the store answers for a name is another name.
    case answerSaid
    /// What something is to be called here is written down afterwards.
    case localNameForgotten
    /// A conflict that cannot be kept is to be kept all the same.
    case unkeptIsKept
    /// What would run a file as another user travels.
    case setIDSaid
    /// What a store made of permissions is a change of them.
    case answeredModeSaid
    /// A time that is still to come is waited for.
    case futureAwaited
    /// What has the number of a file that is gone is that file, and was moved.
    case reusedIsMoved
    /// Many documents that are older than what was written down are edits.
    case olderSaid
    /// What somebody said of some of them is said of whatever is older.
    case answeredForAll

    /// What changed within the grain of its store's times is what it was.
    case grainUnnoticed
    /// And is replaced while it may change unseen.
    case freshReplaced
    /// What a program is writing is read.
    case halfRead

    /// That a key was removed is not said.
    case removedKeyUnsaid
    /// A removal that a store has forgotten comes there again.
    case forgottenRemovalComes

    /// A kind that somebody added is not said.
    case kindUnsaid

    /// The first world that misses it, as far as `Tests/Worlds/run twins` looked; of those beyond some thousands one that does. Of one that is made by hand any.
    package var seed: UInt64 {
        switch self {
        case .answeredModeSaid, .unnamedHere, .answerSaid, .thumbnailIsContent, .thumbnailTravels, .givenOnce, .unrepaired, .leftAlone, .unnotedContent, .contentUnnoticed, .halfRead, .comingUnnoticed, .removedKeyUnsaid: 0
        case .impatient: 1
        case .saidEarly, .setIDSaid: 2
        case .unkeptIsKept: 3
        case .forgottenRemovalComes: 7
        case .olderSaid: 8
        case .cursor, .torn: 9
        case .sameName, .saidOnce, .unplaced: 11
        case .numbersOnly: 12
        case .noMark: 14
        case .unseenParents: 21
        case .localNameForgotten: 22
        case .futureAwaited: 29
        case .letGoEarly: 35
        case .allIsDeleted: 37
        case .unlistedIsMissing: 62
        case .placeTaken: 67
        case .undecided: 79
        case .unstamped: 86
        case .replacedEarly: 93
        case .noPair: 96
        case .saidTwice: 100
        case .undeletedAnew: 101
        case .notUnderstood: 220
        case .settledEarly: 235
        case .grainUnnoticed: 239
        case .localNameSaid: 297
        case .kindUnsaid: 526
        case .reusedIsMoved: 543
        case .freshReplaced: 1095
        case .unnotedMove: 1158
        case .foldersByPath: 1832
        case .twoSteps: 2465
        case .joinedAtOnce: 5551
        case .noHeadMark: 8618
        case .answeredForAll: 8718
        case .givenForEver: 14_234
        case .replacedByCurrent: 111_896
        }
    }

    /// What is so in that world.
    package var trouble: Trouble {
        switch self {
        case .thumbnailIsContent, .thumbnailTravels: .thumbnails
        case .unlistedIsMissing, .allIsDeleted: .vanishing
        case .unnamedHere, .localNameSaid, .answerSaid, .localNameForgotten: .names
        case .unkeptIsKept: .unkept
        case .setIDSaid, .answeredModeSaid: .modes
        case .futureAwaited, .reusedIsMoved: .restarts
        case .olderSaid: .backups
        case .grainUnnoticed, .freshReplaced: .grains
        case .halfRead: .writers
        case .kindUnsaid: .kinds
        case .removedKeyUnsaid, .forgottenRemovalComes: .keys
        default: []
        }
    }

    /// How rough that world is: what takes a crash at one moment and its user's going on at the next is rare in usual ones.
    package var roughness: Double { [.saidTwice, .placeTaken, .unnotedMove].contains(self) ? World.rough : 1 }

    /// The one that is made by hand, where no world at random is known that misses it.
    package var handMade: HandMadeWorld? {
        switch self {
        case .leftAlone: .writtenOverAndRemoved
        case .unnotedContent: .writtenOverWhatCame
        default: nil
        }
    }

    package var rules: Rules {
        switch self {
        case .impatient: Rules.all.subtracting(.patience)
        case .unseenParents: Rules.all.subtracting(.unseenStays)
        case .unrepaired: Rules.all.subtracting(.repairs)
        case .notUnderstood: Rules.all.subtracting(.onlyDeletedGoes)
        case .replacedByCurrent: Rules.all.subtracting(.replacedByCurrent)
        case .unnotedMove: Rules.all.subtracting(.moveIsNoted)
        case .unnotedContent: Rules.all.subtracting(.contentIsNoted)
        case .placeTaken: Rules.all.subtracting(.missingKeepsPlace)
        case .leftAlone: Rules.all.subtracting(.leftIsReplaced)
        case .joinedAtOnce: Rules.all.subtracting(.joinedOneByOne)
        case .foldersByPath: Rules.all.subtracting(.foldersByEntry)
        case .settledEarly: Rules.all.subtracting(.currentIsKept)
        case .undecided: Rules.all.subtracting(.decisionsAreSaid)
        case .undeletedAnew: Rules.all.subtracting(.undeletedIsSame)
        case .unlistedIsMissing: Rules.all.subtracting(.unlistedIsThere)
        case .allIsDeleted: Rules.all.subtracting(.manyAreAskedFor)
        case .unnamedHere: Rules.all.subtracting(.namesAreLocal)
        case .localNameSaid: Rules.all.subtracting(.localNamesStay)
        case .answerSaid: Rules.all.subtracting(.answersAreNames)
        case .unkeptIsKept: Rules.all.subtracting(.unkeptIsApart)
        case .setIDSaid: Rules.all.subtracting(.onlyPermissionsAreSaid)
        case .answeredModeSaid: Rules.all.subtracting(.answeredModesStay)
        case .futureAwaited: Rules.all.subtracting(.futureIsNow)
        case .reusedIsMoved: Rules.all.subtracting(.reusedIsAnother)
        case .olderSaid: Rules.all.subtracting(.olderIsAskedFor)
        case .kindUnsaid: Rules.all.subtracting(.kindsAreSaid)
        case .removedKeyUnsaid: Rules.all.subtracting(.removedKeysAreSaid)
        case .forgottenRemovalComes: Rules.all.subtracting(.forgottenRemovalsStay)
        case .freshReplaced, .halfRead: Rules.all.subtracting(.freshWaits)
        case .contentUnnoticed: Rules.all.subtracting(.contentsAreNoticed)
        default: .all
        }
    }
}

/// A rule of the view that is left out. Histories at random miss it.
package enum ViewTwin: String, CaseIterable, Sendable {
    /// An equal content was replaced: who did that had this content, too.
    case spent
    /// A version counts as what it says, and not as above its parents.
    case sayingRanks
    /// A folder that was deleted is gone with all that is in it.
    case emptyFolders
    /// Two of one name are called the same.
    case unnumbered

    /// The first history at random that misses it.
    package var seed: UInt64 {
        switch self {
        case .unnumbered: 0
        case .sayingRanks: 1
        case .spent: 5
        case .emptyFolders: 12
        }
    }

    package var rules: Rules {
        let missing: Rules = switch self {
        case .spent: .spent
        case .sayingRanks: .risingRanks
        case .emptyFolders: .fullFoldersStay
        case .unnumbered: .numbers
        }
        return Rules.all.subtracting(missing)
    }

    /// What does not hold in a history without the rule.
    package func faults(seed: UInt64) -> [String] {
        let facts = Facts(RandomHistory(seed: seed).facts)
        return DeviceWorlds.faults(of: View(of: facts, rules), facts)
    }
}

/// The twins with the worlds that miss them, as docs/DEVICES.md lists them.
package enum TwinTable {
    package static let head = ["| twin | seed | what is found | events that it takes |", "| --- | --- | --- | --- |"]

    package static var rows: [String] {
        let ofViews = ViewTwin.allCases.map { "| `ViewTwin.\($0)` | \($0.seed) | \($0.faults(seed: $0.seed).min() ?? "nothing") | |" }
        return ofViews + Twin.allCases.map { twin in
            if let world = twin.handMade { return "| `Twin.\(twin)` | by hand, \(world) | \(world.story(seed: twin.seed, twin: twin)?.fault ?? "nothing") | |" }
            let shrunk = ShrunkWorld(seed: twin.seed, twin: twin, roughness: twin.roughness, twin.trouble)
            return "| `Twin.\(twin)` | \(twin.seed)\(((twin.roughness > 1 ? ["rough"] : []) + twin.trouble.words).map { ", " + $0 }.joined()) | \(shrunk.map { "\($0.fault) | \($0.events.count)" } ?? "nothing |") |"
        }
    }
}

/// An invariant that does not hold.
package struct Fault: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

/// A computer that stops in the middle.
struct Crash: Error {}
