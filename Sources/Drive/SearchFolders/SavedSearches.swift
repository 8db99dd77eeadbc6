import Containers
import LinuxFiles

/// `/.valise/searches`: predicates that somebody keeps, each in a file of Valise's own folder. Who sees what is found is another matter:
/// they are the mounter's.
final class SavedSearches: SmallFileStore {
    let area = ControlNode.Area.searches
    private let container: Container
    private let rights: CallerRights
    private let listener = SetOnce<@Sendable (Name) -> Void>()

    init(container: Container, rights: CallerRights) { (self.container, self.rights) = (container, rights) }

    let mostBytes: Int64 = 1 << 16

    private func place() throws(Errno) -> OpenFile? {
        do throws(Failure) { return try container.searchesPlace(making: false) } catch { throw error.errno }
    }

    func names() throws(Errno) -> [Name] {
        guard let place = try place() else { return [] }
        var names: [Name] = [], entries = try FolderReader(place.descriptor)
        while let entry = try entries.next() {
            if entry.type == .regular, !EncodedName.isPassing(entry.name), !EncodedName.goesOn(entry.name) { names.append(entry.name) }
        }
        return names
    }

    func folderStatus() throws(Errno) -> FileStatus {
        var status = try container.base.descriptor.status()
        if let place = try place() { status = try place.descriptor.status() }
        status.mode = FileType.folder.mode | 0o700
        status.links = 2
        return status
    }

    func newStatus() throws(Errno) -> FileStatus {
        var status = try folderStatus()
        status.mode = FileType.regular.mode | 0o600
        (status.links, status.size) = (1, 0)
        return status
    }

    func status(of name: Name) throws(Errno) -> FileStatus? {
        guard let place = try place() else { return nil }
        do throws(Errno) {
            var status = try place.descriptor.status(of: name)
            guard status.type == .regular else { return nil }
            status.mode = FileType.regular.mode | 0o600
            return status
        } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
    }

    func bytes(of name: Name) throws(Errno) -> [UInt8]? {
        guard let place = try place() else { return nil }
        do throws(Errno) {
            let file = try place.descriptor.open(name, [.read, .nonBlocking])
            guard try file.status().type == .regular else { return nil }
            return try file.readAll(limit: Int(mostBytes))
        } catch {
            if error == .noSuchEntry { return nil }
            throw error
        }
    }

    /// The predicate that a search is called by; nil where there is no such search.
    func text(of name: Name) -> String? {
        guard let bytes = try? bytes(of: name) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    func check(_ wanted: FileRights, _ caller: Caller) throws(Errno) {
        guard !rights.areChecked || rights.mayDoAll(caller) else { throw .accessDenied }
    }

    func checkNew(_ name: Name) throws(Errno) { if EncodedName.goesOn(name) { throw .invalid } }

    /// Whoever is to hear which searches become others.
    func tell(_ listener: @escaping @Sendable (Name) -> Void) { self.listener.set(listener) }

    private func changed(_ name: Name) { listener.value?(name) }

    func save(_ bytes: [UInt8], as name: Name, type: String?) throws(Failure) {
        guard let place = try container.searchesPlace(making: true) else { throw Failure(.noSuchEntry, "there is no place for it") }
        let new = Name(constant: ".new")
        do throws(Errno) {
            do throws(Errno) { try place.descriptor.unlink(new) } catch { if error != .noSuchEntry { throw error } }
            let file = try place.descriptor.open(new, [.write, .create, .exclusive], mode: 0o600)
            try file.write(bytes, at: 0)
            try file.synchronize()
            try place.descriptor.rename(new, to: place.descriptor, as: name)
        } catch { throw Failure.cannot("write", name, error) }
        changed(name)
    }

    func remove(_ name: Name) throws(Failure) {
        guard let place = try container.searchesPlace(making: false) else { return }
        do throws(Errno) { try place.descriptor.unlink(name) } catch { throw Failure.cannot("remove", name, error) }
        changed(name)
    }

    func move(_ name: Name, to new: Name) throws(Failure) {
        guard let place = try container.searchesPlace(making: false) else { throw Failure.cannot("rename", name, .noSuchEntry) }
        do throws(Errno) { try place.descriptor.rename(name, to: place.descriptor, as: new) } catch { throw Failure.cannot("rename", name, error) }
        changed(name)
        changed(new)
    }

    func type(of name: Name) throws(Errno) -> String? { nil }
    func checkType(_ type: String) throws(Errno) { throw .notPermitted }
    func setType(_ type: String, of name: Name) throws(Failure) { throw Failure(.notPermitted, "a search has no type") }
    func fault() throws(Errno) -> String? { nil }
}
