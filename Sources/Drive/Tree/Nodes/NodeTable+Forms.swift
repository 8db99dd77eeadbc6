import LinuxFiles

// Letters with marks have two forms in Unicode: one character (NFC), or a letter and its marks (NFD). Names are shown in NFC, kept as they are stored, and found
// in either form. In a package and among the originals they are shown as they are stored.
extension NodeTable {
    /// Whether names in a folder are shown as they are stored.
    func keepsForms(in folder: NodeNumber) -> Bool { nodes[folder.index].role != .folder || isInPackage(folder) }

    /// What a name in a folder is shown as, if nothing else is.
    func composed(_ name: Name, in folder: NodeNumber) -> Name { name.isPlain || keepsForms(in: folder) ? name : name.composed }

    /// Whether an entry is found by the form of its stored name.
    func hasForms(_ id: EntryNumber) -> Bool { hasStoredName(id) && !nodes[id.index].stored.isPlain }

    /// The entry that has a name in another form, stored or shown. A folder's names are sorted by their forms when that is asked first.
    mutating func entry(inOtherForm name: Name, of folder: NodeNumber) -> EntryNumber? {
        guard !name.isPlain, folders[folder] != nil else { return nil }
        let composed = name.composed
        if composed != name, let shown = entry(shown: composed, of: folder) { return shown }
        if folders[folder]?.byForm == nil {
            var forms = NameIndex<EntryNumber>()
            folders[folder]?.byStored.forEach { id in
                guard hasForms(id) else { return }
                forms.insert(id, nameHash(nodes[id.index].stored.composed.bytes)) { nameHash(nodes[$0.index].stored.composed.bytes) }
            }
            folders[folder]?.byForm = forms
        }
        return folders[folder]?.byForm?.find(nameHash(composed.bytes)) { nodes[$0.index].stored.composed == composed }
    }

    /// A plain file or folder that is stored as `name` is to be shown so: one that is stored in another form, and is shown as this one only, is shown as it is stored.
    mutating func giveUp(_ name: Name, in folder: NodeNumber, _ changes: inout [KernelChange]) {
        guard !name.isPlain, let other = entry(shown: name, of: folder), nodes[other.index].role != .document, !nodes[other.index].isUnborn else { return }
        let stored = nodes[other.index].stored
        guard stored != name, stored.composed == name else { return }
        changes.append(.removed(shown(other), was: nil))
        move(other, to: folder, stored: stored, shown: freeName(stored, in: folder))
        changes.append(.added(shown(other)))
    }
}
