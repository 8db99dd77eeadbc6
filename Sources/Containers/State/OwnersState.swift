import LinuxFiles
import Transactions

/// The owner's own `.valise` in a container in which root works: never obeyed, and changed by nothing but the lock, which
/// keeps root's writing and the owner's apart.
///
/// Every call here is made with the owner's rights: whatever lies there under whatever name, it leads to nothing that they
/// could not do themselves.
package struct OwnersState {
    private let base: OpenFile
    package let user: UInt32
    private let group: UInt32

    /// nil where the state of this process is the container's only one. A `.valise` that is there says whose it is.
    package init?(of state: StateFolder) {
        guard let owner = state.owner else { return nil }
        base = state.base
        let status = try? base.descriptor.status(of: Hidden.state)
        (user, group) = status.map { ($0.owner, $0.group) } ?? (owner.user, owner.group)
        // One that root itself left there before the container was given away: nobody but root could lock it.
        if user == 0 { return nil }
    }

    private func acting<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        try ThreadRights.owning(as: user, group: group, keepsRights: false, body)
    }

    /// Only what is theirs: anything else their own drive does not use either.
    private func folder(making: Bool) throws(Errno) -> Descriptor {
        if making { do throws(Errno) { try base.descriptor.makeFolder(Hidden.state, mode: 0o700) } catch { if error != .exists { throw error } } }
        let state = try base.descriptor.open(Hidden.state, [.path, .folder])
        guard try state.status().owner == user else { throw .notPermitted }
        return state
    }

    private func file(_ name: Name, _ flags: OpenFlags, in state: borrowing Descriptor) throws(Errno) -> OpenFile {
        let file = OpenFile(try state.open(name, flags.union(.nonBlocking), mode: 0o600))
        let status = try file.descriptor.status()
        guard status.type == .regular, status.owner == user else { throw .notPermitted }
        return file
    }

    // MARK: The lock

    /// The file that their drive locks, made where it is missing.
    func lockFile() throws(Errno) -> OpenFile {
        try acting { () throws(Errno) in try file(ContainerLock.fileName, [.readWrite, .create], in: try folder(making: true)) }
    }

    /// The same, where it is there; to look at.
    func foundLockFile() -> OpenFile? {
        try? acting { () throws(Errno) in try file(ContainerLock.fileName, .read, in: try folder(making: false)) }
    }

    /// A connection to whoever writes there as them.
    func connected() throws(Errno) -> LocalSocket {
        try acting { () throws(Errno) in
            let state = try folder(making: false), status = try state.status(of: ContainerLock.socketName)
            // A link would be followed.
            guard status.type == .socket, status.owner == user else { throw .noSuchEntry }
            return try LocalSocket.connected(in: state, to: ContainerLock.socketName)
        }
    }

    // MARK: What waits there

    /// "1 draft and 2 changes", for their own next mount; nil where nothing does.
    package func waiting() -> String? { unfinished()?.summary }

    func unfinished() -> Unfinished? {
        let journal = try? acting { () throws(Errno) in
            let journal = try folder(making: false).open(Container.journalName, [.path, .folder])
            return try file(Journal.fileName, .read, in: journal)
        }
        guard let journal else { return nil }
        return JournalReading(journal.descriptor).unfinished
    }

    /// What it means that root writes in their container.
    func sentence(for container: Container) -> String {
        let waits = waiting().map { ". What waits in there is left to their own next mount: \($0)" } ?? ""
        return "“\(container.path)” belongs to user \(user), who can change what is in it under root's hands: root keeps what it has under way and "
            + "its versions in “\(container.state.fullPath)”, and neither follows nor changes what is in their “\(Hidden.state)”; a drive that is mounted with -o as=owner is served as them instead\(waits)"
    }

    /// Which kinds of documents their container creates: as much theirs to say as which are in it.
    func settings() -> OpenFile? {
        try? acting { () throws(Errno) in try file(Settings.fileName, .read, in: try folder(making: false)) }
    }
}

extension Container {
    /// Valise's own folder, to be used by who holds the container's lock; nil where there is none.
    public func ownState() throws(Errno) -> OpenFile? {
        do throws(StateFault) { return try state.opened() } catch { throw error.errno }
    }

    /// A connection to whoever writes in the container: as this user, or as its owner.
    public func connectionToWriter() throws(Errno) -> LocalSocket {
        do throws(Errno) {
            guard let own = try ownState() else { throw Errno.noSuchEntry }
            return try LocalSocket.connected(in: own.descriptor, to: ContainerLock.socketName)
        } catch {
            guard let owners = OwnersState(of: state), error != .tryAgain else { throw error }
            return try owners.connected()
        }
    }
}
