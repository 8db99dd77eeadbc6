import LinuxFiles

/// Where a document belongs: its folder, open and by its names, and the name it is shown under there.
public struct Address: Sendable {
    public let folder: OpenFile
    /// The folder's names, from the documents on: for the journal.
    public let path: [Name]
    public let shown: Name

    public init(folder: OpenFile, path: [Name], shown: Name) {
        self.folder = folder
        self.path = path
        self.shown = shown
    }
}
