/// A moment between two steps of a drive, at which somebody else may come in.
enum TestPoint {
    /// A folder's entries were read, and not compared with what is open.
    case entriesRead
    /// A draft is in staging and in the journal, and its document does not have it yet.
    case draftBegun
    /// Two items have changed places, and the tree does not know it.
    case exchanged
}
