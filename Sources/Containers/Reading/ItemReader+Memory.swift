import Documents
import LinuxFiles

// Packages that are looked at again: their parts are compared with what they were, and not read.
extension ItemReader {
    /// What an item is that was read as a document before.
    public func read(_ name: Name, as id: KindID, in folder: borrowing Descriptor) throws(Errno) -> Item {
        let known = try? known(name, as: id, in: folder)
        if let known, let reading = memory.reading(of: known.key), let item = Self.item(name, id, reading, known.parts) { return item }
        guard let found = try? open(name, as: id, in: folder, hurried: false, untraced: true, found: known) else { return try read(name, in: folder) }
        remember(found, as: id)
        return found.opened.item
    }

    /// Opens a document for its content alone. The parts that it does not lie in may be missing. `withLists`: its package will be
    /// asked for access lists, which takes a descriptor that is no place. `untraced`: nobody reads it, or no access is to be noted.
    public func openContent(
        _ name: Name, as id: KindID, in folder: borrowing Descriptor, withLists: Bool = false, untraced: Bool = false
    ) throws(DocumentFault) -> Opened {
        var known: FoundPackage?
        do throws(DocumentFault) {
            known = try self.known(name, as: id, in: folder, readable: withLists)
            if let known, let opened = try openRemembered(name, as: id, known, untraced) { return opened }
        } catch {
            // It may have been moved out of the container meanwhile: `open` looks again.
            guard case .unreadable(Errno.accessDenied.rawValue?) = error else { throw error }
        }
        let found = try open(name, as: id, in: folder, hurried: false, untraced: untraced, found: known)
        remember(found, as: id)
        return found.opened
    }

    private func openRemembered(_ name: Name, as id: KindID, _ known: FoundPackage, _ untraced: Bool) throws(DocumentFault) -> Opened? {
        guard let reading = memory.reading(of: known.key),
            case .range(let place, _, _) = reading.content, let expected = known.parts[place],
            let (file, facts) = try Self.openPart(known.names[place], in: known.package.descriptor, untraced: untraced),
            ReadingMemory.Part(facts) == ReadingMemory.Part(expected), let item = Self.item(name, id, reading, known.parts)
        else { return nil }
        var parts = [OpenFile?](repeating: nil, count: known.parts.count)
        parts[place] = file
        return Opened(
            item: item, reading: reading, content: known.parts.compactMap(\.self).first ?? facts, package: known.package, parts: parts,
            sources: parts.map { _ in nil })
    }

    /// A package, open, and its parts as they were when it was.
    struct FoundPackage {
        let package: OpenFile
        let names: [Name]
        let parts: [FileStatus?]
        let key: ReadingMemory.Key
    }

    /// nil for a document that is no package.
    private func known(_ name: Name, as id: KindID, in folder: borrowing Descriptor, readable: Bool = false) throws(DocumentFault) -> FoundPackage? {
        guard let form = id.form else { return nil }
        let package = OpenFile(try Self.openPackage(name, in: folder, readable: readable)), names: [Name]
        do throws(Errno) { names = try form.names(in: package.descriptor) } catch { throw .unreadable(error.rawValue) }
        var parts: [FileStatus?] = []
        for part in names { parts.append(try Self.facts(of: part, in: package.descriptor)) }
        return FoundPackage(package: package, names: names, parts: parts, key: ReadingMemory.Key(id, name, parts, called: form.isFixed ? [] : names))
    }

    private func remember(_ found: Found, as id: KindID) {
        guard let form = id.form else { return }
        let key = ReadingMemory.Key(id, found.opened.item.name, found.parts, called: form.isFixed ? [] : found.names)
        memory.remember(found.opened.reading, key, found.parts)
    }
}
