import Documents
import LinuxFiles

/// What packages were found to show that somebody looked at a while ago: where the content lies, and its name. As long as
/// their parts are the files that they were, they need not be looked into again.
///
/// Listing a folder does not fill it, and it holds a few thousand packages at most, those that were used last.
final class ReadingMemory: Sendable {
    /// A package's parts as they were when they were read. The name is one of them, because titles follow from it.
    struct Key: Hashable {
        let kind: KindID
        let name: Name
        let parts: [Part?]
        /// The names of the parts, for a kind whose parts are not always called the same.
        let names: [Name]

        init(_ kind: KindID, _ name: Name, _ parts: [FileStatus?], called names: [Name]) {
            self.names = names
            self.kind = kind
            self.name = name
            self.parts = parts.map { $0.map(Part.init) }
        }
    }

    struct Part: Hashable {
        let identity: FileIdentity
        let size: Int64
        let modified: Timestamp
        let changed: Timestamp

        init(_ status: FileStatus) {
            identity = status.identity
            size = status.size
            modified = status.modified
            changed = status.changed
        }
    }

    /// When `recent` is full it becomes `older`, and what was not used since is forgotten.
    private struct State {
        var recent: [Key: DocumentReading] = [:]
        var older: [Key: DocumentReading] = [:]
    }

    private static let half = 1024
    private let state = Locked(State())

    func reading(of key: Key) -> DocumentReading? {
        state.withLock { state in
            if let reading = state.recent[key] { return reading }
            guard let reading = state.older[key] else { return nil }
            Self.add(reading, key, to: &state)
            return reading
        }
    }

    /// A part that changed a moment ago may change once more without its times telling, and content that was taken into
    /// memory is too much to remember.
    func remember(_ reading: DocumentReading, _ key: Key, _ parts: [FileStatus?]) {
        guard case .range = reading.content, !parts.contains(where: { $0?.isUnsettled ?? false }) else { return }
        state.withLock { Self.add(reading, key, to: &$0) }
    }

    private static func add(_ reading: DocumentReading, _ key: Key, to state: inout State) {
        if state.recent.count >= half {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[key] = reading
    }
}

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
            guard error.errno == .accessDenied else { throw error }
        }
        let found = try open(name, as: id, in: folder, hurried: false, untraced: untraced, found: known)
        remember(found, as: id)
        return found.opened
    }

    private func openRemembered(_ name: Name, as id: KindID, _ known: FoundPackage, _ untraced: Bool) throws(DocumentFault) -> Opened? {
        guard let reading = memory.reading(of: known.key),
            case .range(let place, _, _) = reading.content, let expected = known.parts[place],
            let (file, facts) = try Self.openPart(known.names[place], in: known.home.descriptor, untraced: untraced),
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
        /// The folder in it in which the parts lie.
        let home: OpenFile
        let names: [Name]
        let parts: [FileStatus?]
        let key: ReadingMemory.Key
    }

    /// nil for a document that is no package.
    private func known(_ name: Name, as id: KindID, in folder: borrowing Descriptor, readable: Bool = false) throws(DocumentFault) -> FoundPackage? {
        guard let form = id.form, form.flat == nil else { return nil }
        let package = OpenFile(try Self.openPackage(name, in: folder, readable: readable)), names: [Name]
        let home = try Self.home(form, in: package)
        do throws(Errno) { names = try form.names(in: home.descriptor) } catch { throw .unreadable(error.rawValue) }
        var parts: [FileStatus?] = []
        for part in names { parts.append(try Self.facts(of: part, in: home.descriptor)) }
        let key = ReadingMemory.Key(id, name, parts, called: form.isFixed ? [] : names)
        return FoundPackage(package: package, home: home, names: names, parts: parts, key: key)
    }

    private func remember(_ found: Found, as id: KindID) {
        guard let form = id.form, form.flat == nil else { return }
        let key = ReadingMemory.Key(id, found.opened.item.name, found.parts, called: form.isFixed ? [] : found.names)
        memory.remember(found.opened.reading, key, found.parts)
    }
}
