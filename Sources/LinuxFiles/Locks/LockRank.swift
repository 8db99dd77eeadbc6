/// The order of the locks: while one is held, only those behind it may be taken. docs/ARCHITECTURE.md says what each guards.
public enum LockRank: UInt8, CaseIterable, Sendable {
    // Turns: whoever has one reads and writes files meanwhile, and nobody else does the same.
    case openingApp
    case coordinatorDesk
    case takingNotices
    case smallFiles
    case keyValues
    case thumbnailQuestion
    case helperQuestion
    case coordinationTalk
    case presenterWords
    case claimDesk
    case openingWorkshop
    case runningWorker
    case journalRecords
    case deletedRecords
    case storeOwnership
    case catalogPages
    case mountTable
    case systemLog

    // Tables: whoever has one neither reads nor writes files, asks nobody and waits for nobody.
    case openHandles
    case tree
    case openDocument
    case serverDesk
    case draftFacts
    case heldClaim
    /// Those in which nothing else is taken.
    case leaf

    /// Whether files may be read and written while it is held.
    public var isTurn: Bool { rawValue <= Self.systemLog.rawValue }
}
