import Containers
import LinuxFiles

// Stores that do not tell capital letters from small ones: exFAT, FAT, NTFS as Windows sees it, folders of ext4 that were
// told so. There a name leads to what is called alike, as it does without a drive. Which folders are so is found out where
// a name is missing, and costs one question for each folder.
extension Drive {
    /// What a folder has a name under that somebody asks for: the name itself, if there is such an entry or none is called
    /// alike. The folder's names have been read.
    func spelling(of name: Name, in folder: UInt32) -> Name {
        let known = tree.withLock { tree -> (isThere: Bool, isCaseless: Bool?) in
            (tree.child(shown: name, of: folder) != nil, tree.folders[folder]?.isCaseless)
        }
        if known.isThere || known.isCaseless == false { return name }
        guard let place = try? place(of: folder), known.isCaseless ?? isCaseless(folder, place) else { return name }
        return tree.withLock { tree in tree.entry(alike: name, in: folder).map { tree[$0].shown } } ?? name
    }

    /// What is removed, or gets another name, under the name of something alike: the kernel takes that name away and remembers
    /// its own.
    func leavesName(_ name: Name, in folder: UInt32, askedAs asked: Name) { if asked != name { tell([.entry(name, in: folder)]) } }

    /// Asked of the store: an entry under its name with the other letters.
    private func isCaseless(_ folder: UInt32, _ place: OpenFile) -> Bool {
        let swapped = tree.withLock { tree in
            tree.someStoredNames(in: folder).lazy.compactMap(\.withOtherLetters).first { tree.entry(stored: $0, of: folder) == nil }
        }
        // An empty folder, or one whose names have no letters: the next time.
        guard let swapped else { return false }
        let isCaseless = (try? place.descriptor.exists(swapped)) == true && (try? Self.lists(swapped, in: place)) == false
        tree.withLock { $0.setCaseless(isCaseless, folder) }
        return isCaseless
    }

    /// Somebody may have made it since the names were read.
    private static func lists(_ name: Name, in place: OpenFile) throws(Errno) -> Bool {
        var entries = try FolderReader(place.descriptor)
        while let entry = try entries.next() { if entry.name == name { return true } }
        return false
    }
}

extension Tree {
    /// The entry whose name differs in the case of its letters only, in a folder where that is no difference.
    func entry(alike name: Name, in folder: UInt32) -> UInt32? {
        guard let index = folders[folder]?.byFolded else { return nil }
        let folded = name.folded
        return index.find(nameHash(folded)) { nodes[Int($0)].shown.folded == folded }
    }

    /// A few of the names that a folder has.
    func someStoredNames(in folder: UInt32) -> [Name] { folders[folder]?.byStored.some(32).map { nodes[Int($0)].stored } ?? [] }

    mutating func setCaseless(_ isCaseless: Bool, _ id: UInt32) {
        guard var folder = folders.removeValue(forKey: id) else { return }
        folder.isCaseless = isCaseless
        if isCaseless {
            var folded = NameIndex()
            folder.byShown.forEach { child in folded.insert(child, nameHash(nodes[Int(child)].shown.folded)) { nameHash(nodes[Int($0)].shown.folded) } }
            folder.byFolded = folded
        }
        folders[id] = folder
    }
}

extension Name {
    /// What names have in common that differ in the case of their letters only.
    var folded: [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { return bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
        return Array(text.lowercased().utf8)
    }

    /// The name with its plain letters in the other case; nil where it has none.
    fileprivate var withOtherLetters: Name? {
        let other = bytes.map { (0x41...0x5A).contains($0 & 0xDF) ? $0 ^ 0x20 : $0 }
        return other == bytes ? nil : Name(other)
    }
}
