import Containers
import LinuxFiles

// A package that programs fill is a folder that lies under another name than it is shown (`GrowingName.swift`). And the package of a document is found as a folder
// under its stored name, which no folder lists: a package folder, with the document's item. The one becomes the other, with all that is in it.
extension NodeTable {
    /// Whether a node is a package folder itself, and not in one. The item that it lies in is the document's.
    func isPackageFolder(_ id: NodeNumber) -> Bool { nodes[id.index].role == .packageFolder && nodes[nodes[id.index].parent.index].role != .packageFolder }

    func isGrowing(_ id: NodeNumber) -> Bool { growing[id] != nil }

    /// A folder got its name.
    mutating func noteGrowing(_ id: NodeNumber) {
        guard nodes[id.index].role == .folder, !nodes[id.index].flags.contains(.alias) else { return }
        let isGrowing = GrowingName.package(in: nodes[id.index].stored) != nil && !isInPackage(nodes[id.index].parent)
        guard isGrowing else { return growing[id] = nil }
        growingIn[nodes[id.index].parent, default: []].insert(id)
        if growing[id] == nil { growing[id] = GrowingPackage() }
    }

    /// It loses its name, or the place that it has.
    mutating func leaveGrowing(_ id: NodeNumber, _ folder: NodeNumber) {
        guard growingIn[folder]?.remove(id) != nil, growingIn[folder]?.isEmpty == true else { return }
        growingIn[folder] = nil
    }

    func isInPackage(_ folder: NodeNumber) -> Bool {
        var current = folder
        while current != NodeNumber.root, current != .none, !nodes[current.index].isNameless {
            if kinds.isPackage(nodes[current.index].stored) { return true }
            current = nodes[current.index].parent
        }
        return false
    }

    /// The folder as which the document's package is found that has a stored name; nil where no document has it.
    mutating func packageFolder(_ stored: Name, in folder: NodeNumber) -> NodeNumber? {
        let there = entry(shown: stored, of: folder).map(NodeNumber.init(carrying:))
        let document = node(stored: stored, of: folder).flatMap { id in
            nodes[id.index].role == .document && kinds[nodes[id.index].kind].isPackage && nodes[id.index].hasItem ? nodes[id.index] : nil
        }
        if let there {
            guard nodes[there.index].role == .packageFolder else { return nil }
            if let document, document.inode == nodes[there.index].inode { return there }
            detach(EntryNumber(of: there))
        }
        guard let document, entry(shown: stored, of: folder) == nil else { return nil }
        hasPackageFolders = true
        return add(Node(parent: folder, generation: 0, stored: stored, shown: stored, inode: document.inode, stamp: .unknown, role: .packageFolder, flags: .unlisted))
    }

    /// Whether a folder is the package of the document that has a name, or lies in it: there the document cannot go.
    func isInPackage(ofDocument shown: Name, in folder: NodeNumber, _ target: NodeNumber) -> Bool {
        guard hasPackageFolders || !growing.isEmpty, contains(folder), contains(target), let id = child(shown: shown, of: folder),
            nodes[id.index].role == .document, let package = child(shown: nodes[id.index].stored, of: folder), package != id
        else { return false }
        return target == package || isBelow(target, package)
    }

    /// What a change of a node is about. In a package that grows, that one waits until the change has ended.
    mutating func beginChange(of id: NodeNumber, by caller: Caller) -> ChangedPlace {
        guard hasPackageFolders || !growing.isEmpty else { return .elsewhere }
        var current = id
        while contains(current), current != NodeNumber.root {
            if let package = growing[current] {
                if package.isSettling { return .settling }
                growing[current]?.requests += 1
                growing[current]?.noteChange()
                return .growing(current, knows: package.programs[caller.thread] != nil)
            }
            if isPackageFolder(current) { return .packageFolder(current) }
            guard !nodes[current.index].isNameless else { break }
            current = nodes[current.index].parent
        }
        return .elsewhere
    }

    /// Whether somebody may write to something in a folder.
    func hasWriters(below folder: NodeNumber) -> Bool {
        writtenFiles.contains { $0.value.writers > 0 && isBelow($0.key, folder) }
    }

    // MARK: From the one to the other

    /// The package of a document gets a copy, and its folder is that from here on: the first change of it comes.
    mutating func beginGrowing(_ id: NodeNumber, as stored: Name, since base: BaseStamp?) {
        become(id, .folder, .plain, stored: stored)
        growing[id] = GrowingPackage(base: base)
    }

    /// It is the document by now, whose package's folder it is.
    mutating func endGrowing(_ id: NodeNumber, as stored: Name, _ inode: UInt64) {
        hasPackageFolders = true
        growing[id] = nil
        become(id, .packageFolder, .packagePart, stored: stored)
        self[id].inode = inode
    }

    /// It is a folder like any other by now.
    mutating func endGrowing(_ id: NodeNumber, asFolder stored: Name) {
        growing[id] = nil
        become(id, .folder, .plain, stored: stored)
    }

    private mutating func become(_ id: NodeNumber, _ folderRole: Role, _ fileRole: Role, stored: Name) {
        let entry = EntryNumber(of: id), shown = nodes[id.index].shown
        leave(entry)
        for inside in [id] + foldersBelow(id) {
            self[inside].role = folderRole
            endWatch(of: inside)
            forgetPlace(of: inside)
            for child in children(of: inside) where nodes[child.index].role == .plain || nodes[child.index].role == .packagePart { self[child].role = fileRole }
        }
        self[id].names = NodeNames(stored: stored, shown: shown)
        if folderRole == .folder { self[id].flags.remove(.unlisted) } else { self[id].flags.insert(.unlisted) }
        enter(entry)
    }

    private func foldersBelow(_ id: NodeNumber) -> [NodeNumber] {
        children(of: id).map(NodeNumber.init(carrying:)).filter { folders[$0] != nil }.flatMap { [$0] + foldersBelow($0) }
    }

    /// What was read of a folder, and where it lay, is of another one.
    private mutating func forgetPlace(of id: NodeNumber) {
        if folders[id]?.place != nil { openPlaces -= 1 }
        folders[id]?.place = nil
        folders[id]?.read = nil
        folders[id]?.isFollowed = false
        folders[id]?.edition += 1
    }
}
