import LinuxFiles

/// An open folder: what was read of it when its listing began.
final class FolderListing: Sendable {
    let folder: NodeNumber
    /// What is in the folder is found by name only.
    let listsNothing: Bool
    let entries = Locked<[ListedEntry]?>(nil, .listing)

    init(folder: NodeNumber, listsNothing: Bool = false) {
        self.folder = folder
        self.listsNothing = listsNothing
    }
}
