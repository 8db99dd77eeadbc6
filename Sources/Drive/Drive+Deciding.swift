import Containers
import Coordination
import LinuxFiles

// Versions that come back and conflicts that end, when somebody decides who has claimed the document.
extension Drive {
    public func carryOut(_ decision: VersionDecision, on item: ItemPath) throws(SaveFault) {
        let outcome: SaveFault?
        do throws(Errno) {
            guard let name = item.names.last else { throw .isDirectory }
            // In the document's lane an error is what it is there.
            outcome = try changing(folderNode(at: item.names.dropLast())) { (folder, place) throws(Errno) in
                guard let id = tree.withLock({ tree in tree.entry(stored: name, of: folder).map { tree.node(of: $0) } }) else { throw .noSuchEntry }
                return try coordinator.write(lane(id)) { () throws(Errno) in try carryOut(decision, id, place) }
            }
        } catch { throw .failed(error) }
        if let outcome { throw outcome }
    }

    /// Runs `body` alone in a folder. There may be more documents in it then, or fewer copies.
    private func changing<Value>(_ folder: UInt32, _ body: (UInt32, OpenFile) throws(Errno) -> Value) throws(Errno) -> Value {
        defer {
            forgetReading(of: folder)
            tell([.content(folder)])
        }
        return try changing(folder) { (place) throws(Errno) in try body(folder, place) }
    }

    private func carryOut(_ decision: VersionDecision, _ id: UInt32, _ folder: OpenFile) throws(Errno) -> SaveFault? {
        let workshop = try writer()
        let (node, document) = tree.withLock { ($0[id], $0.documents[id]) }
        guard options.keepsVersions, node.role == .document, node.flags.isDisjoint(with: [.orphan, .unborn]) else { throw .notSupported }
        // What somebody is writing would be lost, or take the version's place at once.
        guard document?.draft == nil else { throw .busy }
        defer {
            refreshContent(of: id, stored: node.stored, in: folder)
            orderThumbnail(of: id)
            orderThinning()
        }
        let place = try documentPlace(of: node, folder)
        do throws(SaveFault) { try workshop.carryOut(decision, on: place, shown: node.shown) } catch { return error }
        return nil
    }

    func documentPlace(of node: Node, _ folder: OpenFile) throws(Errno) -> DocumentPlace {
        guard let path = tree.withLock({ $0.storedPath(of: node.parent)?.names }) else { throw .stale }
        return DocumentPlace(folder: folder, path: path, stored: node.stored, kind: node.kindID)
    }

    // MARK: What is said of it

    /// The versions that somebody has to decide about, a line each; nil where there are none.
    func conflicts(of id: UInt32) throws(Errno) -> [UInt8]? {
        let node = tree.withLock { $0[id] }
        guard options.keepsVersions, node.role == .document, node.flags.isDisjoint(with: [.orphan, .unborn]) else { return nil }
        let conflicts = try container.unresolvedConflicts(of: documentPlace(of: node, place(of: node.parent)))
        return conflicts.isEmpty ? nil : Array(conflicts.map(\.id.text).joined(separator: "\n").utf8)
    }
}
