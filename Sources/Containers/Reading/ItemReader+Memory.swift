import Documents
import LinuxFiles

// Packages that are looked at again: their parts are compared with what they were, and not read.
extension ItemReader {
    /// What an item is that was read as a document before.
    public func read(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(Errno) -> Item {
        if let known = try? known(name, as: id, in: folder), let reading = memory.reading(of: known.key),
            let item = Self.item(name, id, reading, known.parts)
        {
            return item
        }
        guard let found = try? open(name, as: id, in: folder, hurried: false, untraced: true) else { return try read(name, in: folder) }
        remember(found, as: id)
        return found.opened.item
    }

    /// Opens a document for its content alone. The parts that it does not lie in may be missing.
    public func openContent(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(DocumentFault) -> Opened {
        do throws(DocumentFault) { if let opened = try openKnown(name, as: id, in: folder) { return opened } } catch {
            // It may have been moved out of the container meanwhile: `open` looks again.
            guard case .unreadable(Errno.accessDenied.rawValue?) = error else { throw error }
        }
        let found = try open(name, as: id, in: folder, hurried: false)
        remember(found, as: id)
        return found.opened
    }

    private func openKnown(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(DocumentFault) -> Opened? {
        guard let known = try known(name, as: id, in: folder), let reading = memory.reading(of: known.key),
            case .range(let place, _, _) = reading.content, let expected = known.parts[place],
            let (file, facts) = try Self.openPart(known.names[place], in: known.package.descriptor),
            ReadingMemory.Part(facts) == ReadingMemory.Part(expected), let item = Self.item(name, id, reading, known.parts)
        else { return nil }
        var parts = [OpenFile?](repeating: nil, count: known.parts.count)
        parts[place] = file
        return Opened(
            item: item, reading: reading, content: known.parts.compactMap(\.self).first ?? facts, package: known.package, parts: parts,
            sources: parts.map { _ in nil })
    }

    /// A package's parts as they are now; nil for a document that is no package.
    private struct Known {
        let package: OpenFile
        let names: [Name]
        let parts: [FileStatus?]
        let key: ReadingMemory.Key
    }

    private func known(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(DocumentFault) -> Known? {
        guard let names = id.kind.partNames?.compactMap(Name.init) else { return nil }
        let package = OpenFile(try Self.openPackage(name, in: folder))
        var parts: [FileStatus?] = []
        for part in names { parts.append(try Self.facts(of: part, in: package.descriptor)) }
        return Known(package: package, names: names, parts: parts, key: ReadingMemory.Key(id, name, parts))
    }

    private func remember(_ found: Found, as id: KindID) {
        guard id.kind.partNames != nil else { return }
        let key = ReadingMemory.Key(id, found.opened.item.name, found.parts)
        memory.remember(found.opened.reading, key, found.parts)
    }
}
