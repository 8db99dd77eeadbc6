import LinuxFiles

/// Names that lead to what is called otherwise. A document that is one file is found under its item's name as well, though no folder lists that:
/// who copies a folder of an app's onto a drive twice, or has rsync do it, comes to the same documents.
///
/// A name is found in either form of Unicode: see `NodeTable+Forms.swift`.
///
/// And stores that do not tell capital letters from small ones: exFAT, FAT, NTFS as Windows sees it, folders of ext4 that were
/// told so. There a name leads to what is called alike, as it does without a drive. Which folders are so is found out where
/// a name is missing, and costs one question for each folder.
final class EquivalentNames: Sendable {
    private let tree: Tree
    private let kernel: KernelMemory
    private let places: Places

    init(tree: Tree, kernel: KernelMemory, places: Places) {
        (self.tree, self.kernel, self.places) = (tree, kernel, places)
    }

    /// What a folder has a name under that somebody asks for: the name itself, if there is such an entry or none is called
    /// alike. The folder's names have been read.
    func spelling(of name: Name, in folder: NodeNumber) -> Name {
        let (isThere, oneFile, isKnownCaseless) = tree.withLock { tree in
            let isThere = tree.child(shown: name, of: folder) != nil
            let item = isThere ? nil : tree.entry(stored: name, of: folder).map { tree[$0] }
            // The document of one file whose item has the name.
            let isOneFile = item.map { $0.role == .document && !$0.isUnborn && !tree.kinds[$0.kind].isPackage } ?? false
            return (isThere, isOneFile ? item?.shown : nil, tree.folders[folder]?.isCaseless)
        }
        if let oneFile { return oneFile }
        if !isThere, !name.isPlain, let other = inOtherForm(name, in: folder) { return other }
        if isThere || isKnownCaseless == false { return name }
        guard let place = try? places.place(of: folder), isKnownCaseless ?? isCaseless(folder, place) else { return name }
        // A name that differs in the case of its letters only.
        return tree.withLock { tree in
            guard let index = tree.folders[folder]?.byFolded else { return nil }
            let folded = name.folded
            return index.find(nameHash(folded)) { tree[$0].shown.folded == folded }.map { tree[$0].shown }
        } ?? name
    }

    /// A name of an entry that is there in another form.
    private func inOtherForm(_ name: Name, in folder: NodeNumber) -> Name? {
        tree.withLock { tree in
            guard let entry = tree.entry(inOtherForm: name, of: folder) else { return nil }
            let node = tree[entry]
            // The stored name of a package is no name of its document's: see `NodeTable+Growing.swift`.
            let isPackage = node.role == .document && tree.kinds[node.kind].isPackage && node.shown != name.composed
            return isPackage ? nil : node.shown
        }
    }

    /// The node that a name leads to, however it is spelled.
    func node(_ name: Name, in folder: NodeNumber) -> NodeNumber? {
        let spelling = spelling(of: name, in: folder)
        return tree.withLock { $0.child(shown: spelling, of: folder) }
    }

    /// What is removed, or gets another name, under the name of something alike: the kernel takes that name away and remembers
    /// its own. It may remember the other form of either, too, and would keep what had it for as long as that.
    func leavesName(_ name: Name, in folder: NodeNumber, askedAs asked: Name) {
        var names = asked == name ? [] : [name]
        if !name.isPlain { for other in [name.composed, name.decomposed] where other != name && other != asked { names.append(other) } }
        if !names.isEmpty { kernel.tell(names.map { .entry($0, in: folder) }) }
    }

    /// Asked of the store: an entry under its name with the other letters.
    private func isCaseless(_ folder: NodeNumber, _ place: OpenFile) -> Bool {
        let swapped = tree.withLock { tree in
            let some = tree.folders[folder]?.byStored.some(32).map { tree[$0].stored } ?? []
            return some.lazy.compactMap(\.withOtherLetters).first { tree.entry(stored: $0, of: folder) == nil }
        }
        // An empty folder, or one whose names have no letters: the next time.
        guard let swapped else { return false }
        let isCaseless = (try? place.descriptor.exists(swapped)) == true && (try? Self.lists(swapped, in: place)) == false
        tree.withLock { tree in
            tree.folders[folder]?.isCaseless = isCaseless
            guard isCaseless else { return }
            var folded = NameIndex<EntryNumber>()
            tree.folders[folder]?.byShown.forEach { child in folded.insert(child, nameHash(tree[child].shown.folded)) { nameHash(tree[$0].shown.folded) } }
            tree.folders[folder]?.byFolded = folded
        }
        return isCaseless
    }

    /// Somebody may have made it since the names were read.
    private static func lists(_ name: Name, in place: OpenFile) throws(Errno) -> Bool {
        var entries = try FolderReader(untraced: place.descriptor)
        while let entry = try entries.next() { if entry.name == name { return true } }
        return false
    }
}

extension Name {
    /// What names have in common that differ in the case of their letters only.
    var folded: [UInt8] {
        guard let text = String(validating: composed.bytes, as: UTF8.self) else { return bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
        return Array(text.lowercased().utf8)
    }

    /// The name with its plain letters in the other case; nil where it has none.
    var withOtherLetters: Name? {
        let other = bytes.map { (0x41...0x5A).contains($0 & 0xDF) ? $0 ^ 0x20 : $0 }
        return other == bytes ? nil : Name(other)
    }
}
