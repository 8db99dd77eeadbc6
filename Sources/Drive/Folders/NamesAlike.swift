import LinuxFiles

/// Names that lead to what is called otherwise. A document that is one file is found under its item's name as well, though no folder lists that:
/// who copies a folder of an app's onto a drive twice, or has rsync do it, comes to the same documents.
///
/// And stores that do not tell capital letters from small ones: exFAT, FAT, NTFS as Windows sees it, folders of ext4 that were
/// told so. There a name leads to what is called alike, as it does without a drive. Which folders are so is found out where
/// a name is missing, and costs one question for each folder.
final class NamesAlike: Sendable {
    private let tree: TreeTable
    private let kernel: KernelMemory
    private let places: Places

    init(tree: TreeTable, kernel: KernelMemory, places: Places) {
        (self.tree, self.kernel, self.places) = (tree, kernel, places)
    }

    /// What a folder has a name under that somebody asks for: the name itself, if there is such an entry or none is called
    /// alike. The folder's names have been read.
    func spelling(of name: Name, in folder: NodeNumber) -> Name {
        let known = tree.spelling(name, in: folder)
        if let shown = known.shown { return shown }
        if known.isThere || known.isCaseless == false { return name }
        guard let place = try? places.place(of: folder), known.isCaseless ?? isCaseless(folder, place) else { return name }
        return tree.shownName(alike: name, in: folder) ?? name
    }

    /// What is removed, or gets another name, under the name of something alike: the kernel takes that name away and remembers
    /// its own.
    func leavesName(_ name: Name, in folder: NodeNumber, askedAs asked: Name) { if asked != name { kernel.tell([.entry(name, in: folder)]) } }

    /// Asked of the store: an entry under its name with the other letters.
    private func isCaseless(_ folder: NodeNumber, _ place: OpenFile) -> Bool {
        let swapped = tree.nameWithOtherLetters(in: folder)
        // An empty folder, or one whose names have no letters: the next time.
        guard let swapped else { return false }
        let isCaseless = (try? place.descriptor.exists(swapped)) == true && (try? Self.lists(swapped, in: place)) == false
        tree.setCaseless(isCaseless, folder)
        return isCaseless
    }

    /// Somebody may have made it since the names were read.
    private static func lists(_ name: Name, in place: OpenFile) throws(Errno) -> Bool {
        var entries = try FolderReader(untraced: place.descriptor)
        while let entry = try entries.next() { if entry.name == name { return true } }
        return false
    }
}
