import Containers
import LinuxFiles

// Entries that were found on the disk become nodes with shown names.
extension NodeTable {
    /// Brings a folder's nodes in line with what was found in it: the node of each entry, in the same order.
    ///
    /// Names are given as docs/SEMANTICS.md says: plain files and folders first, then documents in the order
    /// of their stored names; who comes later gets a number, and keeps what it got for as long as it lives.
    mutating func merge(_ found: [FoundEntry], into folder: NodeNumber, changes: inout [KernelChange]) -> [EntryNumber?] {
        guard contains(folder), folders[folder] != nil else { return Array(repeating: nil, count: found.count) }
        followMoved(found, in: folder, &changes)
        if folders[folder]?.byShown.count != 0 { removeGone(of: folder, besides: found, &changes) }
        let empty = folders[folder]?.byShown.count == 0, isNews = folders[folder].map { $0.isKnown && !$0.isPartial } ?? false
        let (result, fresh) = empty ? (Array(repeating: nil, count: found.count), Array(found.indices)) : keepKnown(found, in: folder, &changes)
        if !empty { removeOthers(called: fresh, of: found, in: folder, &changes) }
        return addFresh(fresh, of: found, to: folder, result, isNews, &changes)
    }

    /// The same for some of a folder's entries: those that were looked at again, and the names that lead nowhere any more.
    mutating func merge(
        _ found: [FoundEntry], gone: [Name], into folder: NodeNumber, changes: inout [KernelChange]
    ) -> [EntryNumber?] {
        guard contains(folder), folders[folder] != nil else { return Array(repeating: nil, count: found.count) }
        followMoved(found, in: folder, &changes)
        // What is gone first: its name may be another's now.
        for name in gone { remove(stored: name, of: folder, &changes) }
        let (result, fresh) = keepKnown(found, in: folder, &changes)
        removeOthers(called: fresh, of: found, in: folder, &changes)
        return addFresh(fresh, of: found, to: folder, result, true, &changes)
    }

    /// What of a folder's entries has another name now: the same file by its number, with the content that it was seen with last. Before they are merged.
    func renames(of gone: [Name], to found: [FoundEntry], in folder: NodeNumber) -> [(old: Name, new: Name)] {
        guard !gone.isEmpty else { return [] }
        var come: [UInt64: FoundEntry] = [:]
        for entry in found where entry.facts != nil && node(stored: entry.name, of: folder) == nil { come[entry.number] = entry }
        return gone.compactMap { name in
            guard let id = node(stored: name, of: folder), let new = come[self[id].inode], let status = new.facts?.status else { return nil }
            if self[id].role == .folder { return status.type == .folder && isHeld(id, as: new) ? (name, new.name) : nil }
            // What was written of it says nothing of its item.
            if documents[id]?.draft != nil { return documents[id]?.isMoved(to: status) == true && status.links < 2 ? (name, new.name) : nil }
            guard self[id].stamp != .unknown, !self[id].isUnborn, self[id].flags.isDisjoint(with: [.alias, .linked]), ContentStamp(status).hasContent(of: self[id].stamp)
            else { return nil }
            return (name, new.name)
        }
    }

    /// The nodes of those entries that have one already, and the places of the others.
    private mutating func keepKnown(
        _ found: [FoundEntry], in folder: NodeNumber, _ changes: inout [KernelChange]
    ) -> (nodes: [EntryNumber?], fresh: [Int]) {
        var result = [EntryNumber?](repeating: nil, count: found.count)
        var fresh: [Int] = []
        // Looked for once: there may be very many new entries.
        let unborn = unborn(in: folder)
        for index in found.indices {
            let known = entry(stored: found[index].name, of: folder) ?? regain(found[index], among: unborn)
            if let known, keep(known, found[index], in: folder, &changes) {
                result[index] = known
            } else {
                fresh.append(index)
            }
        }
        return (result, fresh)
    }

    /// Whoever has never seen the folder's names gets no news of each.
    private mutating func addFresh(
        _ fresh: [Int], of found: [FoundEntry], to folder: NodeNumber, _ known: [EntryNumber?], _ isNews: Bool, _ changes: inout [KernelChange]
    ) -> [EntryNumber?] {
        makeRoom(for: fresh.count)
        var result = known
        var respelled: [Int] = []
        for index in fresh {
            guard let item = found[index].facts, item.document == nil else { continue }
            // What is stored in NFC comes first: it has its name.
            if composed(found[index].name, in: folder) != found[index].name { respelled.append(index) } else {
                result[index] = addPlain(found[index], item, to: folder, &changes)
            }
        }
        for index in respelled { if let item = found[index].facts { result[index] = addPlain(found[index], item, to: folder, &changes) } }
        addDocuments(fresh.filter { found[$0].facts?.document != nil }, of: found, to: folder, &result)
        for index in fresh where isNews {
            guard let id = result[index], let item = found[index].facts else { continue }
            changes.append(.added(shown(id, type: item.document == nil ? item.status.type : .regular)))
        }
        // Which entry has a name of several may have changed when another of them went.
        if !links.isEmpty { for index in found.indices where result[index] != nil { result[index] = entry(stored: found[index].name, of: folder) } }
        return result
    }

    /// The document that an app made anew or put back, while what was written of the one before it was not saved yet, or
    /// was written after that had been deleted on the drive: it is written to this one.
    private mutating func regain(_ found: FoundEntry, among unborn: [NodeNumber]) -> EntryNumber? {
        guard let kind = found.facts?.document?.kind,
            let id = unborn.first(where: {
                self[$0].isUnborn && self[$0].kind == kind.place && (self[$0].stored == found.name || documents[$0]?.wouldComeBack(as: found.name) == true)
            })
        else { return nil }
        becomeStored(id, as: found.name)
        if let item = documents[id]?.regainItem(found.name) { gaveWay.append((id, item)) }
        return EntryNumber(of: id)
    }

    /// A document has an item of this name now. A listing that was quicker took that for another one.
    mutating func becomeStored(_ id: NodeNumber, as stored: Name, _ changes: inout [KernelChange]) {
        let folder = self[id].parent
        if !self[id].isNameless, let twin = entry(stored: stored, of: folder), twin != EntryNumber(of: id) { remove(self[twin].shown, of: folder, &changes) }
        becomeStored(id, as: stored)
    }

    /// Whether a node is still what was found under its stored name; if so, brings it up to date.
    private mutating func keep(_ entry: EntryNumber, _ found: FoundEntry, in folder: NodeNumber, _ changes: inout [KernelChange]) -> Bool {
        guard let item = found.facts else { return true }
        let id = NodeNumber(carrying: entry)
        let role = Self.role(of: item, in: nodes[folder.index].role)
        let isSame = self[id].role == role && (!role.isFolder || self[id].inode == found.number)
            && (item.document.map { $0.kind.place == self[id].kind } ?? true)
        guard isSame, role.isFolder || role == .document || leads(entry, to: item.status) else { return false }
        if self[id].inode != found.number { changes.append(.attributes(id)) }
        self[id].inode = found.number
        // What is said of a draft is not answered by the item under it.
        if documents[id]?.draft == nil { note(item.fault, of: entry) }
        if let document = item.document { follow(document.naturalName, entry, in: folder, &changes) }
        return true
    }

    /// A document that was renamed by its app is shown under its new name.
    private mutating func follow(_ natural: Name, _ id: EntryNumber, in folder: NodeNumber, _ changes: inout [KernelChange]) {
        let shown = self[id].shown
        guard shown != natural, !Self.isNumbered(shown, of: natural), shown.composed != natural else { return }
        changes.append(.removed(self.shown(id), was: nil))
        let name = freeName(natural, in: folder)
        move(id, to: folder, stored: self[id].stored, shown: name)
        changes.append(.added(self.shown(id)))
    }

    /// What had these names is something else than was found under them.
    private mutating func removeOthers(called fresh: [Int], of found: [FoundEntry], in folder: NodeNumber, _ changes: inout [KernelChange]) {
        for index in fresh { remove(stored: found[index].name, of: folder, &changes) }
    }

    /// What has another's name by now is not to keep that from it.
    private mutating func removeGone(of folder: NodeNumber, besides found: [FoundEntry], _ changes: inout [KernelChange]) {
        // Seldom anything is, and then there is no need for a set of all names.
        let present = found.count { entry(stored: $0.name, of: folder) != nil }
        guard present != folders[folder]?.byStored.count else { return }
        let names = Set(found.lazy.map(\.name))
        var gone: [Name] = []
        folders[folder]?.byStored.forEach { if !names.contains(self[$0].stored) { gone.append(self[$0].shown) } }
        // A node may take over the name of an alias that is gone too, so each is looked for by its name.
        for name in gone { remove(name, of: folder, &changes) }
    }

    private mutating func remove(stored: Name, of folder: NodeNumber, _ changes: inout [KernelChange]) {
        if let entry = entry(stored: stored, of: folder) { remove(self[entry].shown, of: folder, &changes) }
    }

    mutating func remove(_ shown: Name, of folder: NodeNumber, _ changes: inout [KernelChange]) {
        guard let entry = entry(shown: shown, of: folder) else { return }
        let id = NodeNumber(carrying: entry)
        if loseItem(id) { return changes.append(.attributes(id)) }
        // Of a file that has other names, the kernel is not to think that it is gone. Of a folder in which something is open, it does not believe it.
        let isOneOfSeveral = !self[id].flags.isDisjoint(with: [.alias, .linked]), isForgotten = isOneOfSeveral || hasOpen(below: id)
        changes.append(.removed(self.shown(entry), was: self[id].lookups > 0 && !isForgotten ? id : nil))
        if isOneOfSeveral { changes.append(.attributes(node(of: entry))) }
        noteLost(id)
        detach(entry)
    }

    private func hasOpen(below folder: NodeNumber) -> Bool {
        guard folders[folder] != nil else { return false }
        return children(of: folder).contains { nodes[node(of: $0).index].handles > 0 || hasOpen(below: NodeNumber(carrying: $0)) }
    }

    private mutating func addPlain(
        _ found: FoundEntry, _ item: EntryFacts, to folder: NodeNumber, _ changes: inout [KernelChange]
    ) -> EntryNumber {
        let exact = Self.shownName(found.name, isFolder: item.status.type == .folder, isInPackage: { isInPackage(folder) })
        var natural = composed(exact, in: folder)
        if natural == exact { giveUp(exact, in: folder, &changes) } else if child(shown: natural, of: folder) != nil { natural = exact }
        if let other = entry(shown: natural, of: folder), isPackageFolder(NodeNumber(carrying: other)) { detach(other) }
        let shown = child(shown: natural, of: folder) == nil ? natural : freeName(natural, in: folder)
        let id = addFile(Self.node(found, item, in: folder, parentRole: nodes[folder.index].role, shown: shown), item.status)
        note(item.fault, of: id)
        return id
    }

    /// New documents get their names by the rule of `ListedNames`, beside those that are there.
    private mutating func addDocuments(
        _ indices: [Int], of found: [FoundEntry], to folder: NodeNumber, _ result: inout [EntryNumber?]
    ) {
        guard !indices.isEmpty else { return }
        let role = nodes[folder.index].role
        let names = ListedNames.given(to: indices.map { ListedNames.Entry(stored: found[$0].name, natural: found[$0].facts?.document?.naturalName) }) { child(shown: $0, of: folder) != nil }
        for (index, name) in zip(indices, names) {
            guard let item = found[index].facts else { continue }
            result[index] = EntryNumber(of: add(Self.node(found[index], item, in: folder, parentRole: role, shown: name)))
        }
    }

    /// The name itself if nothing has it, or else with the first number that makes it free.
    func freeName(_ natural: Name, in folder: NodeNumber) -> Name {
        ShownName.unused(natural) { child(shown: $0, of: folder) != nil }
    }

    /// Whether a shown name is a natural one with a number.
    static func isNumbered(_ shown: Name, of natural: Name) -> Bool {
        let (stem, suffix) = ShownName.split(shown)
        guard let space = stem.lastIndex(of: UInt8(ascii: " ")), space + 1 < stem.count else { return false }
        let digits = stem[(space + 1)...]
        guard digits.count < 10, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number > 0
        else { return false }
        return suffix == ShownName.split(natural).suffix && ShownName.numbered(natural, number) == shown
    }

    mutating func note(_ fault: String?, of id: EntryNumber) {
        faults[id] = fault
        if fault == nil { self[id].flags.remove(.faulty) } else { self[id].flags.insert(.faulty) }
    }

    /// A package that grows is shown under its own name. In another package its folder is any folder.
    private static func shownName(_ stored: Name, isFolder: Bool, isInPackage: () -> Bool) -> Name {
        guard isFolder, let package = GrowingName.package(in: stored), !isInPackage() else { return stored }
        return package
    }

    static func role(of item: EntryFacts, in parent: Role) -> Role {
        if item.document != nil { return .document }
        let isFolder = item.status.type == .folder
        return switch parent {
        case .originalFolder: isFolder ? .originalFolder : .original
        case .packageFolder: isFolder ? .packageFolder : .packagePart
        default: isFolder ? .folder : .plain
        }
    }

    static func node(_ found: FoundEntry, _ item: EntryFacts, in folder: NodeNumber, parentRole: Role, shown: Name) -> Node {
        let role = role(of: item, in: parentRole)
        var node = Node(
            parent: folder, generation: 0, stored: found.name, shown: shown,
            inode: found.number, stamp: .unknown, role: role, kind: item.document?.kind.place ?? 0)
        // In the originals nothing is hidden, because that is what they are for.
        let isHidden = role == .document ? Hidden.isBesideFile(shown) : Hidden.hides(shown) || item.isCopy
        if isHidden, !parentRole.showsOriginals { node.flags.insert(.unlisted) }
        return node
    }
}
