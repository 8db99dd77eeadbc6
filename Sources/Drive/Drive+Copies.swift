import Containers
import LinuxFiles

// What sync tools leave when two sides changed a document: a version of it, and no document of its own.
extension Drive {
    /// The entries of a folder, after copies were made the plain, unlisted files that they are. Nothing happens to them:
    /// whoever knows the name finds them, and if the document goes, they are shown. In the folder's lane.
    func hideCopies(_ found: [Found], in folder: UInt32, _ place: OpenFile) throws(Errno) -> [Found] {
        guard options.keepsVersions else { return found }
        let candidates = found.indices.filter { found[$0].facts?.document != nil && Container.original(ofCopy: found[$0].name) != nil }
        tree.withLock { $0.folders[folder]?.hasCopies = !candidates.isEmpty }
        guard !candidates.isEmpty else { return found }
        var kinds: [Name: KindID] = [:]
        for entry in found {
            if let facts = entry.facts { kinds[entry.name] = facts.document?.kind }
            else {
                kinds[entry.name] = tree.withLock { tree in
                    tree.entry(stored: entry.name, of: folder).flatMap { tree[$0].role == .document ? tree[$0].kindID : nil }
                }
            }
        }
        var result = found
        for index in candidates {
            guard let original = Container.original(ofCopy: found[index].name), let kind = kinds[original], kind == found[index].facts?.document?.kind
            else { continue }
            let item = try container.reader.readOriginal(found[index].name, in: place.descriptor)
            result[index] = Found(name: found[index].name, number: found[index].number, facts: Facts(item, isCopy: true), watch: found[index].watch)
        }
        return result
    }

    /// The copies of a document that are hidden beside it.
    func copies(of stored: Name, in folder: UInt32) -> [Name] {
        tree.withLock { tree in
            guard tree.folders[folder]?.hasCopies == true else { return [] }
            return tree.children(of: folder).map { tree[$0] }.filter { $0.isHiddenCopy && Container.original(ofCopy: $0.stored) == stored }.map(\.stored)
        }
    }
}
