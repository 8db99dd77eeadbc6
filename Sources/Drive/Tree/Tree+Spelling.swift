import LinuxFiles

// Names in folders where capital letters make no difference.
extension Tree {
    /// The entry whose name differs in the case of its letters only, in a folder where that is no difference.
    func entry(alike name: Name, in folder: NodeNumber) -> EntryNumber? {
        guard let index = folders[folder]?.byFolded else { return nil }
        let folded = name.folded
        return index.find(nameHash(folded)) { nodes[$0.index].shown.folded == folded }
    }

    /// A few of the names that a folder has.
    func someStoredNames(in folder: NodeNumber) -> [Name] { folders[folder]?.byStored.some(32).map { nodes[$0.index].stored } ?? [] }

    mutating func setCaseless(_ isCaseless: Bool, _ id: NodeNumber) {
        guard var folder = folders.removeValue(forKey: id) else { return }
        folder.isCaseless = isCaseless
        if isCaseless {
            var folded = NameIndex<EntryNumber>()
            folder.byShown.forEach { child in folded.insert(child, nameHash(nodes[child.index].shown.folded)) { nameHash(nodes[$0.index].shown.folded) } }
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
    var withOtherLetters: Name? {
        let other = bytes.map { (0x41...0x5A).contains($0 & 0xDF) ? $0 ^ 0x20 : $0 }
        return other == bytes ? nil : Name(other)
    }
}
