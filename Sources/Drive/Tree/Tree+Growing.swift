import Containers
import LinuxFiles

// Packages that programs fill, and the folders as which documents' packages are found: what is asked in one step. See `NodeTable+Growing.swift`.
extension Tree {
    /// Whether what has this stored name is a package that grows, or lies in one.
    func grows(_ stored: Name, in folder: NodeNumber) -> Bool {
        if GrowingName.package(in: stored) != nil { return true }
        return withLock { tree in !tree.growing.isEmpty && (tree.isGrowing(folder) || tree.growing.keys.contains { tree.isBelow(folder, $0) }) }
    }

    /// Whether a folder of this name is a document's package, and grows where somebody makes it.
    func isPackageName(_ name: Name, in folder: NodeNumber) -> Bool {
        guard !Hidden.hides(name), kinds.candidate(for: name, isFolder: true) != nil else { return false }
        return !isPackage(folder)
    }

    func beginChange(of node: NodeID, by caller: Caller) -> ChangedPlace {
        withLock { tree in tree.node(node).map { tree.beginChange(of: tree.standing(for: $0), by: caller) } ?? .elsewhere }
    }

    func note(_ caller: Caller, of process: Int32?, filling id: NodeNumber) { withLock { $0.growing[id]?.note(caller.thread, of: process) } }

    func endChange(filling id: NodeNumber) {
        withLock { tree in
            tree.growing[id]?.requests -= 1
            tree.growing[id]?.noteChange()
        }
    }

    var hasGrowingPackages: Bool { withLock { !$0.growing.isEmpty } }

    /// The packages that grow, or those in a folder: that nobody has looked at since they were changed, where nothing else is asked for.
    func growingPackages(
        in folder: NodeNumber? = nil, where isWanted: (GrowingPackage) -> Bool = { _ in true }
    ) -> [(id: NodeNumber, package: GrowingPackage)] {
        withLock { tree in
            guard !tree.growing.isEmpty else { return [] }
            var found: [(id: NodeNumber, package: GrowingPackage)] = []
            for id in folder.map({ tree.growingIn[$0] ?? [] }) ?? Set(tree.growing.keys) {
                guard let package = tree.growing[id], package.isOrdinary || package.lookedAt != package.changes,
                    isWanted(package)
                else { continue }
                found.append((id, package))
            }
            return found.sorted { $0.id < $1.id }
        }
    }

    /// All of them.
    func allGrowingPackages() -> [NodeNumber] { withLock { $0.growing.keys.sorted() } }

    /// nil where it does not grow any more.
    func growing(_ id: NodeNumber) -> (package: GrowingPackage, isOpen: Bool)? {
        withLock { tree in tree.growing[id].map { ($0, tree.hasWriters(below: id)) } }
    }

    /// Nothing in it changes from here on, until `endSettling`. False where something is open, or changes.
    func beginSettling(_ id: NodeNumber) -> Bool {
        withLock { tree in
            guard let package = tree.growing[id], package.requests == 0, !package.isSettling, !tree.hasWriters(below: id) else { return false }
            tree.growing[id]?.isSettling = true
            tree.growing[id]?.lookedAt = package.changes
            return true
        }
    }

    func noteOrdinary(_ id: NodeNumber) { withLock { $0.growing[id]?.isOrdinary = true } }

    /// Why it is not the document; nil where it is.
    func endSettling(_ id: NodeNumber, _ reason: String?) {
        withLock { tree in
            tree.growing[id]?.isSettling = false
            tree.growing[id]?.reason = reason
        }
    }

    /// The folder as which a document's package is found under its stored name.
    func packageFolder(_ stored: Name, in folder: NodeNumber) -> NodeNumber? {
        withLock { tree in tree[folder].role == .folder ? tree.packageFolder(stored, in: folder) : nil }
    }

    /// What a name leads to: an entry of a folder, or a document's package.
    func child(_ name: Name, of folder: NodeNumber) -> NodeNumber? {
        withLock { tree in
            if let id = tree.child(shown: name, of: folder), tree[id].role != .packageFolder { return id }
            return tree[folder].role == .folder ? tree.packageFolder(name, in: folder) : tree.child(shown: name, of: folder)
        }
    }

    /// All that is known below a folder, each folder with its entries.
    func known(below folder: NodeNumber) -> [(folder: NodeNumber, entries: [(id: NodeNumber, stored: Name, shown: Name)])] {
        withLock { tree in
            var found: [(folder: NodeNumber, entries: [(id: NodeNumber, stored: Name, shown: Name)])] = [], waiting = [folder]
            while let next = waiting.popLast() {
                let entries = tree.children(of: next)
                found.append((next, entries.map { (tree.node(of: $0), tree[$0].stored, tree[$0].shown) }))
                waiting += entries.map(NodeNumber.init(carrying:)).filter { tree.folders[$0] != nil }
            }
            return found
        }
    }
}
