import Glibc
import LinuxFiles

/// What the file system can do that a container lies on, tried once when somebody opens the container to write in it;
/// and what is done instead of what it cannot.
///
/// What is put in its place either replaces something, by a rename that every store can do, or is added under a name that
/// must be free. For that, stores differ: FUSE programs, NFS and SMB refuse the rename that replaces nothing
/// (RENAME_NOREPLACE), and exFAT and FAT have no second names for files either.
public struct Store: Sendable, Equatable {
    /// How something gets a name that must be free.
    package enum Adding: Sendable {
        /// By a rename that refuses to replace anything.
        case renaming
        /// By a second name and the removal of the first; the store shows that both are of one file. A folder is renamed:
        /// that replaces nothing but an empty one.
        case linking
        /// By a look and a rename.
        case looking
    }

    package var adding = Adding.renaming
    /// Two names can change places in one step.
    package var exchanges = true
    var hasSecondNames = true
    package var keepsPermissions = true

    package init() {}

    /// The promises that cannot be kept here: what is to be said of the store.
    public var shortcomings: [String] {
        var sentences: [String] = []
        if adding == .looking {
            sentences.append(
                "cannot put a file only where there is none: what another program makes in the container may be replaced, "
                    + "if a document gets the same name in the same instant")
        }
        if !hasSecondNames { sentences.append("has no second names for files: versions are kept of what is not larger than 1 MB") }
        if !keepsPermissions { sentences.append("keeps no permissions: documents have those that it gives them") }
        return sentences
    }

    /// The steps of a plan that are two on this store, and could be cut in their middle.
    package func halves(_ step: Journal.Step) -> Bool { if case .add = step { adding == .linking } else { false } }

    // MARK: Doing

    /// Gives something another name, which must be free. Doing it again after it was cut in the middle finishes it.
    package func add(_ name: Name, of source: borrowing Descriptor, to folder: borrowing Descriptor, as newName: Name) throws(Errno) {
        do throws(Errno) {
            let isDone: Bool
            switch adding {
            case .renaming: isDone = try rename(name, of: source, to: folder, as: newName)
            case .linking: isDone = try link(name, of: source, to: folder, as: newName)
            case .looking: isDone = false
            }
            if !isDone { try renameAfterLook(name, of: source, to: folder, as: newName) }
        } catch {
            guard error == .exists, try isHalf(name, of: source, in: folder, as: newName) else { throw error }
            try source.unlink(name)
        }
    }

    /// False where the store cannot: one that is put together of others may have one that can and one that cannot.
    private func rename(_ name: Name, of source: borrowing Descriptor, to folder: borrowing Descriptor, as newName: Name) throws(Errno) -> Bool {
        try Self.works { () throws(Errno) in try source.rename(name, to: folder, as: newName, .exclusive) }
    }

    /// False where this one can have no second name.
    private func link(_ name: Name, of source: borrowing Descriptor, to folder: borrowing Descriptor, as newName: Name) throws(Errno) -> Bool {
        guard try source.status(of: name).type != .folder, try secondName(of: name, in: source, to: folder, as: newName) else { return false }
        do throws(Errno) { try source.unlink(name) } catch {
            guard error != .noSuchEntry else { return true }
            try? folder.unlink(newName)
            throw error
        }
        return true
    }

    private func renameAfterLook(_ name: Name, of source: borrowing Descriptor, to folder: borrowing Descriptor, as newName: Name) throws(Errno) {
        guard try !folder.exists(newName) else { throw .exists }
        do throws(Errno) { try source.rename(name, to: folder, as: newName) } catch {
            // A folder of somebody else's came between.
            throw (try? folder.exists(newName)) == true ? .exists : error
        }
    }

    /// One that was added by a second name, and the first one is there still.
    private func isHalf(_ name: Name, of source: borrowing Descriptor, in folder: borrowing Descriptor, as newName: Name) throws(Errno) -> Bool {
        let one = try source.status(of: name), other = try folder.status(of: newName)
        return one.type != .folder && one.identity == other.identity
    }

    /// Another name for a file. False where it can have none.
    package func secondName(of name: Name, in source: borrowing Descriptor, to folder: borrowing Descriptor, as newName: Name) throws(Errno) -> Bool {
        guard hasSecondNames else { return false }
        do throws(Errno) {
            try source.link(name, to: folder, as: newName)
            return true
        } catch {
            guard Self.linkRefusals.contains(error) else { throw error }
            return false
        }
    }

    /// Lets two names change places in one step. False where this store cannot: nothing was done.
    public func exchange(_ one: Name, in folder: borrowing Descriptor, with other: Name, in otherFolder: borrowing Descriptor) throws(Errno) -> Bool {
        guard exchanges else { return false }
        do throws(Errno) {
            try folder.rename(one, to: otherFolder, as: other, .exchange)
            return true
        } catch {
            guard [.notSupported, .notImplemented].contains(error) else { throw error }
            return false
        }
    }

    /// What a store that keeps no permissions says to this is nobody's fault.
    package func setPermissions(_ permissions: UInt32, of file: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { try file.setPermissions(permissions) } catch { if keepsPermissions || !Self.permissionRefusals.contains(error) { throw error } }
    }

    /// The same of what is open as a place.
    package func setPlacePermissions(_ permissions: UInt32, of place: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { try place.setPlacePermissions(permissions) } catch { if keepsPermissions || !Self.permissionRefusals.contains(error) { throw error } }
    }

    package func setOwner(_ user: UInt32, group: UInt32, of file: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { try file.setOwner(user, group: group) } catch { if keepsPermissions || !Self.permissionRefusals.contains(error) { throw error } }
    }

    private static let refusals: [Errno] = [.invalid, .notSupported, .notImplemented]
    private static let permissionRefusals: [Errno] = [.notPermitted, .notSupported, .notImplemented]
    private static let linkRefusals: [Errno] = [.notPermitted, .notSupported, .notImplemented, .tooManyLinks, .crossDevice]
}

// MARK: Trying

extension Store {
    /// Tries it with files of its own in a folder. What cannot be tried, because there is no room for a file, is taken to work.
    public static func tried(in folder: borrowing Descriptor) -> Store {
        let names = trialNames
        defer { for name in names { try? folder.unlink(name) } }
        for name in names { try? folder.unlink(name) }
        do throws(Errno) { return try tried(in: folder, names) } catch { return Store() }
    }

    /// What a process left that was ended while it tried: nothing of anybody's.
    package static func isTrial(_ name: Name) -> Bool { trialNames.contains(name) }

    private static let trialNames = [
        Name(constant: "trial.one"), Name(constant: "trial.other"), Name(constant: "trial.renamed"), Name(constant: "trial.linked"),
    ]

    private static func tried(in folder: borrowing Descriptor, _ names: [Name]) throws(Errno) -> Store {
        var store = Store(), one = names[0]
        let file = try folder.open(one, [.readWrite, .create, .exclusive], mode: 0o600)
        _ = try folder.open(names[1], [.write, .create, .exclusive], mode: 0o600)
        store.keepsPermissions = try keepsPermissions(file)
        // The kernel itself answers where the name is taken: only a free one comes to the store.
        let isRenamed = try works { () throws(Errno) in try folder.rename(one, to: folder, as: names[2], .exclusive) }
        if isRenamed { one = names[2] } else { store.adding = .looking }
        store.exchanges = try works { () throws(Errno) in try folder.rename(one, to: folder, as: names[1], .exchange) }
        // A store that does not know the flag and does not say so has renamed it.
        if store.exchanges, try !folder.exists(one) { (store.exchanges, one) = (false, names[1]) }
        store.hasSecondNames = try works(refusals: linkRefusals) { () throws(Errno) in try folder.link(one, to: folder, as: names[3]) }
        guard store.hasSecondNames, store.adding == .looking else { return store }
        let status = try folder.status(of: one), second = try folder.status(of: names[3])
        if second.links == 2, status.identity == second.identity { store.adding = .linking }
        return store
    }

    private static func works(refusals errors: [Errno] = refusals, _ call: () throws(Errno) -> Void) throws(Errno) -> Bool {
        do throws(Errno) {
            try call()
            return true
        } catch {
            guard errors.contains(error) else { throw error }
            return false
        }
    }

    private static func keepsPermissions(_ file: borrowing Descriptor) throws(Errno) -> Bool {
        do throws(Errno) { try file.setPermissions(0o640) } catch {
            guard permissionRefusals.contains(error) else { throw error }
            return false
        }
        return try file.status().permissions == 0o640
    }
}
