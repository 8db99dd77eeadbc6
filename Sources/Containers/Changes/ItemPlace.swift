import LinuxFiles

/// Where an item is stored: its folder, open and by its names from the documents on, and its name in there.
struct ItemPlace {
    let folder: OpenFile
    let path: [Name]
    let stored: Name
    var place: Place { .item(stored, in: path) }
}

extension Descriptor {
    /// nil where nothing has the name.
    borrowing func statusIfThere(_ name: Name) throws(Errno) -> FileStatus? {
        do throws(Errno) { return try status(of: name) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }
}
