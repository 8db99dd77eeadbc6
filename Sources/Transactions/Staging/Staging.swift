import LinuxFiles
import Synchronization

/// The folder in which changes are prepared, `.valise/staging`, and the numbers by which things in it are called.
package final class Staging: Sendable {
    package static let folderName = Name(constant: "staging")
    package let folder: OpenFile
    /// Which folder it is, where nodes are known again at another time.
    package let anchor: NodeBirth?
    private let numbers: Atomic<UInt64>

    package init(folder: OpenFile, store: Store, journal: Journal) {
        self.folder = folder
        anchor = store.anchor(folder.descriptor)
        numbers = Atomic(journal.found.highestNumber)
    }

    /// A number that nothing in staging and in the journal has.
    package func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    /// A name for what a program hands over.
    package func nextHandedOver() -> Name { Name.staged(nextNumber(), Name.handedSuffix) }

    /// Numbers up to this one are taken.
    package func skip(to number: UInt64) { if number > numbers.load(ordering: .relaxed) { numbers.store(number, ordering: .relaxed) } }

    /// The highest number that something in it has.
    package func highestNumber() throws(Errno) -> UInt64 {
        var highest: UInt64 = 0
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() { highest = max(highest, entry.name.stagedNumber ?? 0) }
        return highest
    }

    /// A new file. What an interrupted try left under the name goes: nobody else has that number.
    package func makeFile(_ name: Name, mode: UInt32 = 0o600) throws(Errno) -> Descriptor {
        do throws(Errno) { return try folder.descriptor.open(name, [.readWrite, .create, .exclusive], mode: mode) } catch {
            guard error == .exists else { throw error }
        }
        try remove(name)
        return try folder.descriptor.open(name, [.readWrite, .create, .exclusive], mode: mode)
    }

    package func remove(_ name: Name) throws(Errno) { try folder.descriptor.removeTree(name) }

    /// Waits until all that was put in place is on the store.
    package func synchronize() throws(Errno) { try folder.descriptor.reopened([.read, .folder]).synchronizeFileSystem() }
}

extension Descriptor {
    /// Removes a file, or a folder with all that is in it. Symbolic links are removed, not followed.
    package borrowing func removeTree(_ name: Name) throws(Errno) {
        do throws(Errno) { return try unlink(name) } catch {
            if error == .noSuchEntry { return }
            guard error == .isDirectory || error == .notPermitted else { throw error }
        }
        let inner = try open(name, [.path, .folder])
        var entries = try FolderReader(inner)
        while let entry = try entries.next() { try inner.removeTree(entry.name) }
        try removeFolder(name)
    }

    /// nil where nothing has the name.
    package borrowing func statusIfThere(_ name: Name) throws(Errno) -> FileStatus? {
        do throws(Errno) { return try status(of: name) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }

    /// A folder that may be there already.
    package borrowing func madeFolder(_ name: Name, mode: UInt32 = 0o700) throws(Errno) -> Descriptor {
        do throws(Errno) { try makeFolder(name, mode: mode) } catch { if error != .exists { throw error } }
        return try open(name, [.path, .folder])
    }
}

// Each thing in staging is called after a number that nothing else has there, and after what it is: "12", "12.part0", "13.away".
extension Name {
    package static func staged(_ number: UInt64, _ what: StaticString = "") -> Name { Name("\(number)\(what)") ?? Staging.folderName }

    /// Of what was put away, in case its name comes back.
    package static func away(_ number: UInt64) -> Name { staged(number, ".away") }

    /// Of what could not be removed, and is by the next thinning of versions.
    package static let thinnedSuffix: StaticString = ".thinned"

    /// Of what a program has handed over.
    static let handedSuffix: StaticString = ".handed"
    package var isHandedOver: Bool { "\(self)".hasSuffix("\(Self.handedSuffix)") }

    /// The number that a name in staging begins with.
    package var stagedNumber: UInt64? { Journal.number(bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) }
}
