/// What an item is claimed for. The numbers are those of the protocol.
public enum ClaimPurpose: UInt8, CaseIterable, Sendable {
    /// To read it as its owner would have it: what is open is saved before.
    case reading = 0
    /// To read it as it lies there: nobody is asked to save.
    case readingUnsaved = 1
    /// To read it with all that is in it, a folder of documents too: nobody writes anywhere below.
    case readingAll = 2
    case writing = 3
    /// To put something together with what is there, which is saved before.
    case merging = 4
    /// These three concern all that is in a folder, too: whoever works in it is waited for.
    case deleting = 5
    case moving = 6
    case replacing = 7

    public var isWriting: Bool { rawValue >= Self.writing.rawValue }

    /// Whether it is about everything below the item as well.
    public var isDeep: Bool { [.readingAll, .deleting, .moving, .replacing].contains(self) }

    /// Whether whoever has the item open is asked to save it before.
    public var wantsSaving: Bool { ![.readingUnsaved, .deleting, .replacing].contains(self) }

    var mode: ClaimModes { isWriting ? (isDeep ? .deepWrite : .write) : isDeep ? .deepRead : .read }
}

/// How a place in the tree of claims is held: itself, with all below it, or for something below it.
struct ClaimModes: OptionSet, Sendable {
    let rawValue: UInt8

    static let passRead = ClaimModes(rawValue: 1), passWrite = ClaimModes(rawValue: 2)
    static let read = ClaimModes(rawValue: 4), write = ClaimModes(rawValue: 8)
    static let deepRead = ClaimModes(rawValue: 16), deepWrite = ClaimModes(rawValue: 32)
    static let each: [ClaimModes] = [.passRead, .passWrite, .read, .write, .deepRead, .deepWrite]

    /// How the folders on the way to an item are held.
    var passing: ClaimModes { isDisjoint(with: [.write, .deepWrite]) ? .passRead : .passWrite }

    /// What nobody else may have at the same time. Something in a folder and the folder's own item do not exclude each other.
    var excluded: ClaimModes {
        var excluded: ClaimModes = []
        if contains(.passRead) { excluded.formUnion(.deepWrite) }
        if contains(.passWrite) { excluded.formUnion([.deepRead, .deepWrite]) }
        if contains(.read) { excluded.formUnion([.write, .deepWrite]) }
        if contains(.write) { excluded.formUnion([.read, .write, .deepRead, .deepWrite]) }
        if contains(.deepRead) { excluded.formUnion([.passWrite, .write, .deepWrite]) }
        if contains(.deepWrite) { excluded.formUnion([.passRead, .passWrite, .read, .write, .deepRead, .deepWrite]) }
        return excluded
    }
}
