import LinuxFiles
import Transactions

/// Where an item is stored: its folder, open and by its names from the documents on, and its name in there.
struct ItemPlace {
    let folder: OpenFile
    let path: [Name]
    let stored: Name
    var place: Place { .item(stored, in: path) }
}
