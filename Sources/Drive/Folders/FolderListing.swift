import LinuxFiles

/// An open folder: what was read of it when its listing began.
final class FolderListing: Sendable {
    let folder: NodeNumber
    /// What is in it, where that is in no table: the kernel is told the names alone.
    let own: (@Sendable () throws(Errno) -> [(name: Name, type: FileType)])?
    let entries = Latest<[ListedEntry]?>(nil)
    let ownEntries = Latest<[(name: Name, type: FileType)]?>(nil)

    init(folder: NodeNumber, own: (@Sendable () throws(Errno) -> [(name: Name, type: FileType)])? = nil) {
        self.folder = folder
        self.own = own
    }
}
