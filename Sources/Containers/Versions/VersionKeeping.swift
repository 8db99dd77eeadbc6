import Documents
import Glibc
import LinuxFiles
import Synchronization
import Transactions

/// A version in staging, whole, that the plan of the save puts into its place.
struct StagedVersion {
    let staged: Name
    let version: DocumentVersion
    /// What its document is called, for who is told that there is no room for it.
    let path: [Name]
}

/// What saves replace is kept: another name for the old files before new ones take theirs, so that no byte is copied
/// however large the document is. Each document's versions lie in a folder under `.valise/versions` that has the
/// document's path and goes where the document goes.
final class VersionKeeping: Sendable {
    let container: Container
    let staging: Staging
    /// What documents were, each under its path; nil where none was ever kept and none is to be.
    let folder: OpenFile?
    private let store: Store
    let policy: VersionPolicy
    private let attributes: FileAttributes
    let records: DeletedRecords
    /// Has what is only remembered give up some of its room. False where there is nothing to give up.
    private let roomGiving = SetOnce<@Sendable () -> Bool>()
    private let lost = Atomic(0)

    var keepsReplaced: Bool { policy.keeps }

    init(
        container: Container, staging: Staging, folder: OpenFile?, store: Store, policy: VersionPolicy, attributes: FileAttributes, records: DeletedRecords
    ) {
        (self.container, self.staging, self.folder) = (container, staging, folder)
        (self.store, self.policy, self.attributes, self.records) = (store, policy, attributes, records)
    }

    /// Where smaller content is copied if the file system has no second names for it.
    private static let copyLimit: Int64 = 1 << 20
    /// Of a file that goes on, a second name would be no version: where blocks cannot be shared, what is not larger is copied.
    static let liveCopyLimit = PlainFileRule.mostCopied

    /// What is about to be replaced, as a version in staging, with all its parts; nil where none is kept. `path` is what the document is
    /// called. `goesOn`: its file stays where it is or is still written to, so that the version needs a file of its
    /// own. `mustKeep`: where there is no room for the version, nothing is replaced.
    func stageVersion(
        of existing: ExistingParts, _ kind: KindID, at path: [Name], conflict: Bool, goesOn: Bool = false,
        evenEmpty: Bool = false,
        mustKeep: Bool = false
    ) throws(Errno) -> StagedVersion? {
        guard policy.keeps || conflict, let content = existing.files.first ?? existing.flat?.folder else { return nil }
        // A shell empties a file before it writes into it: what is empty is not worth keeping.
        guard let status = existing.status, status.size > 0 || conflict || evenEmpty else { return nil }
        let version = DocumentVersion(existing.provenance(of: content, status), isConflict: conflict, location: .kept(Name.staged(0)))
        do throws(Errno) {
            let staged = try makingRoom { () throws(Errno) in try stage(existing, kind, content, goesOn) }
            return StagedVersion(staged: staged, version: version, path: path)
        } catch {
            // Saving matters more than keeping, where there is no room or the file system has no way.
            guard error.isFull && !mustKeep || error == .notSupported, !conflict else { throw error }
            if error.isFull { isLost(path) }
            return nil
        }
    }

    private func stage(_ existing: ExistingParts, _ kind: KindID, _ content: OpenFile, _ goesOn: Bool) throws(Errno) -> Name {
        let name = Name.staged(staging.nextNumber(), ".version")
        do throws(Errno) {
            let folder = existing.folder
            if kind.isPackage {
                try staging.folder.descriptor.makeFolder(name, mode: 0o755)
                let package = OpenFile(try staging.folder.descriptor.open(name, [.path, .folder]))
                // A content that lies deeper is in one of the others.
                for (part, file) in zip(existing.names, existing.files) where existing.way.isEmpty {
                    guard let file else { continue }
                    guard try secondName(for: part, file, in: folder, as: part, in: package) else { throw .notSupported }
                }
                for part in existing.others { try secondTree(of: part, in: folder, as: part, in: package) }
            } else if goesOn {
                guard try copy(content, as: name, in: staging.folder, limit: Self.liveCopyLimit) else { throw .notSupported }
            } else {
                guard let old = existing.names.first, try secondName(for: old, content, in: folder, as: name, in: staging.folder) else { throw .notSupported }
            }
            return name
        } catch {
            try? staging.remove(name)
            throw error
        }
    }

    /// Nobody may look at “valise conflicts” for long.
    func tellConflict(of path: [Name]) {
        DocumentLog.warn(of: path) { file in "“\(file)” was changed on two sides at once; to see both, and to decide: valise conflicts" }
    }

    private static let sign = Array("user.valise.versions".utf8)

    /// A conflict came beside a document, or went, and nothing in the document is other than it was. Whoever follows the container, in any process, hears of
    /// it as of each change of attributes: one is set, and taken away again. Where neither may be, they hear of it with the document's next change.
    func tellFollowers(of stored: Name, in folder: OpenFile) {
        guard let item = try? folder.descriptor.open(stored, [.path]) else { return }
        do throws(Errno) {
            try item.setExtendedAttribute(Self.sign, to: [])
            try item.removeExtendedAttribute(Self.sign)
        } catch { if let status = try? item.status() { try? item.setPlacePermissions(status.permissions) } }
    }

    // MARK: A full store

    func makeRoom(with body: @escaping @Sendable () -> Bool) { roomGiving.set(body) }

    private func makingRoom<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value {
        while true {
            do throws(Errno) { return try body() } catch { guard error.isFull, roomGiving.value?() == true else { throw error } }
        }
    }

    /// Whoever counts on finding it among the versions is told.
    private func isLost(_ path: [Name]) {
        lost.wrappingAdd(1, ordering: .relaxed)
        DocumentLog.warn(of: path) { file in "what “\(file)” was is not kept as a version: there is no room for it" }
    }

    /// How many versions were not kept because there was no room.
    var lostVersions: Int { lost.load(ordering: .relaxed) }

    /// False where this file system has no way of keeping so large a file.
    func secondName(for old: Name, _ file: OpenFile, in folder: OpenFile, as name: Name, in target: OpenFile) throws(Errno) -> Bool {
        do throws(Errno) {
            if try store.secondName(of: old, in: folder.descriptor, to: target.descriptor, as: name) { return true }
        } catch { if error != .noSuchEntry { throw error } }
        return try copy(file, as: name, in: target, limit: Self.copyLimit)
    }

    /// A file of its own with the same content: with the same blocks, or copied where it is not larger than `limit`. False where neither can be.
    private func copy(_ file: OpenFile, as name: Name, in target: OpenFile, limit: Int64) throws(Errno) -> Bool {
        let status = try file.descriptor.status()
        let copy = try target.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o600)
        do throws(Errno) { try copy.shareContent(of: file.descriptor) } catch {
            guard status.size <= limit else { return false }
            try file.descriptor.copyAll(from: 0, count: status.size, to: copy, at: 0)
        }
        try attributes.dress(copy, like: status, [file])
        return true
    }

    /// Whether files can share their blocks here. Tried with two that have no names.
    var sharesBlocks: Bool {
        guard let one = try? staging.folder.descriptor.reopened([.readWrite, .nameless], mode: 0o600), let other = try? staging.folder.descriptor.reopened([.readWrite, .nameless], mode: 0o600),
            (try? one.write([UInt8](repeating: 1, count: 4096), at: 0)) != nil
        else { return false }
        return (try? other.shareContent(of: one)) != nil
    }

    private static let deepest = 256

    /// The same of a folder with all that is in it, or of whatever else lies there. Throws where this file system has no way.
    func secondTree(of old: Name, in folder: OpenFile, as name: Name, in target: OpenFile, depth: Int = 0) throws(Errno) {
        guard depth < Self.deepest else { throw .nameTooLong }
        let status = try folder.descriptor.status(of: old)
        switch status.type {
        case .regular:
            let file = OpenFile(try folder.descriptor.open(old, [.read, .nonBlocking]))
            guard try secondName(for: old, file, in: folder, as: name, in: target) else { throw .notSupported }
        case .folder:
            try target.descriptor.makeFolder(name, mode: 0o700)
            let inner = OpenFile(try folder.descriptor.open(old, [.read, .folder])), place = OpenFile(try target.descriptor.open(name, [.read, .folder]))
            for entry in try Container.names(in: inner.descriptor) { try secondTree(of: entry, in: inner, as: entry, in: place, depth: depth + 1) }
            try attributes.dress(place.descriptor, like: status, [inner])
        case .symbolicLink: try target.descriptor.makeSymbolicLink(name, to: folder.descriptor.readSymbolicLink(old))
        default: break
        }
    }

    /// The same of all in a folder that is there but for what lies by this way in it, which stays. What else is there
    /// goes.
    func secondTree(of old: Name, in folder: OpenFile, in target: OpenFile, keeping way: ArraySlice<Name>) throws(Errno) {
        let inner = OpenFile(try folder.descriptor.open(old, [.read, .folder]))
        let place = OpenFile(try target.descriptor.open(old, [.read, .folder]))
        for entry in try Container.names(in: inner.descriptor) {
            guard entry == way.first else {
                try place.descriptor.removeTree(entry)
                try secondTree(of: entry, in: inner, as: entry, in: place)
                continue
            }
            if way.count > 1 { try secondTree(of: entry, in: inner, in: place, keeping: way.dropFirst()) }
        }
        try attributes.dress(place.descriptor, like: inner.descriptor.status(), [inner])
    }

    /// The step that puts a staged version among those of its document; nil where there is no room for it, unless it
    /// must be kept.
    func keepingStep(
        _ staged: StagedVersion, of stored: Name, in path: [Name], mustKeep: Bool = false
    ) throws(Errno) -> Journal.Step? {
        do throws(Errno) {
            let folder = try makingRoom { () throws(Errno) in try makeVersionFolder(path + [stored]) }
            var taken = try takenIDs(in: folder, of: staged.version.modified)
            guard let entry = freeEntry(for: staged.version, among: &taken) else { throw .nameTooLong }
            return .add(.staged(staged.staged), Place(top: .versions, path: path + [stored], name: entry))
        } catch {
            guard error.isFull, !staged.version.isConflict, !mustKeep else { throw error }
            isLost(staged.path)
            try? staging.remove(staged.staged)
            return nil
        }
    }

    /// What the versions are called that there are: all, or those of one moment.
    func takenIDs(in folder: OpenFile, of moment: Timestamp? = nil) throws(Errno) -> Set<VersionID> {
        let start = moment.map { Array(VersionID($0).text.utf8) } ?? []
        var taken: Set<VersionID> = []
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            if entry.name.bytes.starts(with: start), let other = DocumentVersion(entry: entry.name) { taken.insert(other.id) }
        }
        return taken
    }

    /// Two may be of one moment: the later one is told by a number.
    func freeEntry(for version: DocumentVersion, among taken: inout Set<VersionID>) -> Name? {
        var free = version, number = 1
        while !taken.insert(free.id).inserted {
            number += 1
            free.id = VersionID(version.id.time, mark: "\(number)")
        }
        return free.entry
    }

    /// The folder of versions with this path, made where it is missing.
    func makeVersionFolder(_ path: [Name]) throws(Errno) -> OpenFile {
        guard var folder else { throw .notSupported }
        for name in path {
            // Most often it is there.
            do throws(Errno) { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
                guard error == .noSuchEntry else { throw error }
                folder = OpenFile(try folder.descriptor.madeFolder(name))
            }
        }
        return folder
    }

    func hasVersions(_ path: [Name]) throws(Errno) -> Bool { try folder.flatMap { (folder) throws(Errno) in try Container.folder(at: path, in: folder) } != nil }

    /// A document is gone for good: so are its versions, unless another one has its place by now.
    func forgetVersions(of stored: Name, in path: [Name]) {
        guard let versions = folder, let folder = try? Container.folder(at: path, in: versions), (try? folder.descriptor.exists(stored)) == true else { return }
        do throws(Errno) { if try container.documents.folder(at: path).descriptor.exists(stored) { return } } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { return }
        }
        // If that fails, a later thinning finds them.
        try? discard(version: stored, in: folder)
    }

    /// A version, or all of a document, is gone at once for who lists them. What cannot be removed now waits in staging
    /// for the next thinning.
    func discard(version name: Name, in folder: OpenFile) throws(Errno) {
        let thinned = Name.staged(staging.nextNumber(), Name.thinnedSuffix)
        try folder.descriptor.rename(name, to: staging.folder.descriptor, as: thinned)
        try? staging.remove(thinned)
    }
}
