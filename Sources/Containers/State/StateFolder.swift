import Glibc
import LinuxFiles
import Transactions

/// Where Valise keeps its own state in a container: drafts, the journal, versions, the lock.
///
/// What lies there is obeyed, and a journal moves and removes things. So it is used only if nobody else can have put it there:
/// it belongs to the user of this process, others may not change it, and it is reached through no link and no other mount.
/// All that is asked of the opened file, not of its name.
///
/// Root in a container of somebody else keeps its state in a folder of its own, beside the owner's: the owner's is not
/// obeyed and not changed, but for the lock (`OwnersState`).
public final class StateFolder: Sendable {
    public let name: Name
    /// Whose container it is, where root keeps its state beside theirs.
    let owner: Owner?

    struct Owner: Sendable {
        let user: UInt32
        let group: UInt32
    }

    let base: OpenFile
    private let path: String
    private let device: UInt64
    private let access: Container.Access
    private let ownership = Locked<StoreOwnership?>(nil, .storeOwnership)

    init(in base: OpenFile, path: String, access: Container.Access) throws(Errno) {
        (self.base, self.path, self.access) = (base, path, access)
        let status = try base.descriptor.status()
        device = status.identity.device
        guard geteuid() == 0, status.owner != 0 else {
            (name, owner) = (Hidden.state, nil)
            return
        }
        // On a store that knows no owners all is of one user, and so is what root makes.
        let ownership = StoreOwnership(of: base.descriptor, access)
        self.ownership.withLock { $0 = ownership }
        (name, owner) = ownership.user == status.owner ? (Hidden.state, nil) : (Hidden.rootState, Owner(user: status.owner, group: status.group))
    }

    /// The path of the state folder, for sentences.
    public var fullPath: String { "\(path)/\(name)" }

    // MARK: What lies there

    /// The state folder, opened; nil where there is none.
    public func opened() throws(StateFault) -> OpenFile? {
        guard let place = try own(name, .folder, in: base) else { return nil }
        let isReplaced: Bool
        do throws(Errno) { isReplaced = try self.isReplaced(place.descriptor) } catch { throw .failed(error) }
        if isReplaced { throw .odd(sentence([], .replaced)) }
        return place
    }

    func made() throws(StateFault) -> OpenFile {
        if let place = try opened() {
            do throws(Errno) { try mark(place) } catch { throw .failed(error) }
            return place
        }
        do throws(Errno) {
            let new = try markBeforeMaking()
            try base.descriptor.makeFolder(name, mode: 0o700)
            if let new { try mark(OpenFile(base.descriptor.open(name, [.path, .folder])), as: new) }
        } catch { if error != .exists { throw .failed(error) } }
        guard let made = try opened() else { throw .failed(.noSuchEntry) }
        return made
    }

    /// A folder in there; nil where there is none.
    package func folder(_ inner: Name, in state: OpenFile) throws(StateFault) -> OpenFile? { try own(inner, .folder, in: state) }

    func madeFolder(_ inner: Name, in folder: OpenFile) throws(StateFault) -> OpenFile {
        do throws(Errno) { try folder.descriptor.makeFolder(inner, mode: 0o700) } catch { if error != .exists { throw .failed(error) } }
        guard let made = try own(inner, .folder, in: folder) else { throw .failed(.noSuchEntry) }
        return made
    }

    /// A file in there, opened so. `path`: the folders from Valise's own to the one that it is in.
    package func file(_ inner: Name, _ flags: OpenFlags, in folder: OpenFile, at path: [Name] = []) throws(StateFault) -> OpenFile {
        let file: OpenFile, status: FileStatus
        do throws(Errno) {
            file = OpenFile(try folder.descriptor.open(inner, flags.union(.nonBlocking), mode: 0o600))
            status = try file.descriptor.status()
        } catch {
            // A link, a socket, or a folder that is to be written to: said in words.
            if [.tooManySymbolicLinks, .noSuchDevice, .isDirectory].contains(error), let odd = try? folder.descriptor.status(of: inner), let why = oddity(of: odd, .regular) {
                throw .odd(sentence(path + [inner], why))
            }
            throw .failed(error)
        }
        if let why = oddity(of: status, .regular) { throw .odd(sentence(path + [inner], why)) }
        return file
    }

    private func own(_ inner: Name, _ type: FileType, in folder: OpenFile) throws(StateFault) -> OpenFile? {
        let place: OpenFile, status: FileStatus
        do throws(Errno) {
            place = OpenFile(try folder.descriptor.open(inner, .path))
            status = try place.descriptor.status()
        } catch {
            if error == .noSuchEntry { return nil }
            throw .failed(error)
        }
        if let why = oddity(of: status, type) { throw .odd(sentence(folder === base ? [] : [inner], why)) }
        return place
    }

    private func sentence(_ inner: [Name], _ oddity: StateOddity) -> String {
        let place = inner.reduce(fullPath) { "\($0)/\($1)" }
        return "“\(place)” \(oddity.reason), so what it says is not followed; \(oddity.mend(place))"
    }

    // MARK: Whose it is

    /// Why something that lies there is not used; nil where it is Valise's own.
    package func oddity(of status: FileStatus, _ type: FileType) -> StateOddity? {
        if status.type != type { return .type(status.type, instead: type) }
        if type == .folder, status.identity.device != device { return .mounted }
        if status.owner != geteuid(), status.owner != known().user { return .owner(status.owner) }
        if status.permissions & 0o022 != 0, known().keepsPermissions { return .writable }
        return nil
    }

    /// Asked of the store only where what is found there is not what is always one's own.
    private func known() -> StoreOwnership {
        ownership.withLock { ownership in
            if let ownership { return ownership }
            let found = StoreOwnership(of: base.descriptor, access)
            ownership = found
            return found
        }
    }
}

extension Container {
    /// A folder by its path from the container's on, where things are put back or aside: Valise's own only where it may be used.
    package func ownPlace(_ path: some Collection<Name>) throws(Errno) -> OpenFile {
        guard let first = path.first, Hidden.isState(first) else { return try base.folderWithinMount(at: path) }
        guard first == state.name, let own = try ownState() else { throw .notPermitted }
        return try own.folderWithinMount(at: path.dropFirst())
    }

    /// What can be done where it lies, for who is not its writer: tried in a folder of its own, which is gone then. Nil where none can be made.
    public func triedStore() -> Store? {
        let trial = Name(constant: "trial")
        defer { try? base.descriptor.removeFolder(state.name) }
        guard let own = try? state.made() else { return nil }
        defer { try? own.descriptor.removeFolder(trial) }
        guard let folder = try? state.madeFolder(trial, in: own) else { return nil }
        return Store.tried(in: folder.descriptor)
    }

    /// What lies somewhere, in a sentence.
    public static func words(for type: FileType) -> String {
        switch type {
        case .regular: "a file"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .blockDevice, .characterDevice: "a device"
        case .unknown: "of an unknown type"
        }
    }
}

/// Why something in Valise's own folder is not used.
public enum StateFault: Error {
    case failed(Errno)
    /// In a sentence that names the mend.
    case odd(String)

    public var errno: Errno {
        switch self {
        case .failed(let errno): errno
        case .odd: .notPermitted
        }
    }
}

package enum StateOddity {
    case type(FileType, instead: FileType)
    case mounted
    case owner(UInt32)
    /// Other users may change it.
    case writable
    /// It is another folder than the one that root used last.
    case replaced

    package var reason: String {
        switch self {
        case .type(let type, let instead): "is \(Container.words(for: type)), and Valise makes it \(Container.words(for: instead))"
        case .mounted: "is another file system that is mounted there"
        case .owner(let user): "belongs to \(user == 0 ? "root" : "user \(user)")"
        case .writable: "can be changed by other users"
        case .replaced: "is not the one that root used here last"
        }
    }

    package func mend(_ place: String) -> String {
        switch self {
        case .type: "take it away"
        case .owner: "mount as that user, or with -o ro; if it should not be there, take it away"
        case .mounted: "unmount it"
        case .writable: "look at what is in it, and then: chmod go-w \(place.pasted)"
        case .replaced: "take it away; or, if it is the right one: setfattr -x \(StateMark.attributeName) \("\(place)/..".pasted)"
        }
    }

    /// It may be put aside: nothing that is needed can be in it.
    package var isOfType: Bool { if case .type = self { true } else { false } }
}

extension String {
    /// A path in a command that is pasted into a shell.
    var pasted: String {
        let isPlain = utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "/-._+,:@%=".utf8.contains($0) }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
