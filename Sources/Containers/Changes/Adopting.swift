import Documents
import LinuxFiles
import Transactions

/// What another computer says of an item becomes so here: its content, a version of it, that it is gone, or is elsewhere.
final class Adopting: Sendable {
    private let container: Container
    private let staging: Staging
    private let store: Store
    private let staged: StagedSaving
    private let renaming: DocumentRenaming
    private let removal: ItemRemoval
    private let deleted: DeletedKeeping
    private let versions: VersionKeeping
    private let plans: PlanExecution

    init(
        container: Container, staging: Staging, store: Store, staged: StagedSaving, renaming: DocumentRenaming, removal: ItemRemoval,
        deleted: DeletedKeeping, versions: VersionKeeping, plans: PlanExecution
    ) {
        (self.container, self.staging, self.store, self.staged, self.renaming) = (container, staging, store, staged, renaming)
        (self.removal, self.deleted, self.versions, self.plans) = (removal, deleted, versions, plans)
    }

    /// The item that it is about, as it is here.
    private struct Here {
        let place: ItemPlace
        /// nil where there is no item here.
        let status: FileStatus?
        var path: [Name] { place.path + [place.stored] }
    }

    /// In the item's lane, and in that of the place it comes to.
    func adopt(_ adoption: Adoption) throws(Errno) -> Outcome {
        guard let stored = adoption.item.last, !adoption.item.contains(where: Hidden.isState) else { throw .invalid }
        let path = Array(adoption.item.dropLast())
        let folder = try folder(at: path)
        let here = Here(place: ItemPlace(folder: folder, path: path, stored: stored), status: try folder.descriptor.statusIfThere(stored))
        guard try holds(adoption.expected, here) else { throw .tryAgain }
        switch adoption.what {
        case .current(let name):
            // An item of this name was made since it was looked for.
            do throws(Errno) { return try staged.adopt(name, adoption.provenance, at: here.place) } catch { throw here.status == nil && error == .exists ? .tryAgain : error }
        case .version(let name, let isConflict): return try keep(name, adoption.provenance, isConflict: isConflict, here)
        case .permissions(let permissions): return try setPermissions(permissions, here)
        case .gone: return try remove(here)
        case .moved(let target): return try move(here, to: target)
        }
    }

    /// Where the folder is gone, nothing is here of what another computer knew.
    private func folder(at path: [Name]) throws(Errno) -> OpenFile {
        do throws(Errno) { return try container.documents.folder(at: path) } catch { throw error == .noSuchEntry || error == .notDirectory ? .tryAgain : error }
    }

    private func holds(_ expected: Adoption.Expectation, _ here: Here) throws(Errno) -> Bool {
        switch expected {
        case .anything: true
        case .nothing: here.status == nil
        case .content(let stamp): try container.contentStamp(at: here.path) == stamp
        case .folder: if here.status?.type == .folder { try container.contentStamp(at: here.path) == nil } else { false }
        }
    }

    // MARK: A version

    /// Beside what the document is.
    private func keep(_ name: Name, _ provenance: Provenance, isConflict: Bool, _ here: Here) throws(Errno) -> Outcome {
        guard let status = here.status, let document = try staged.document(here.place, status) else { throw .tryAgain }
        let version = DocumentVersion(provenance, isConflict: isConflict, location: .kept(name))
        let place = DocumentPlace(folder: here.place.folder, path: here.place.path, stored: here.place.stored, kind: document.kind)
        // The version was adopted by an earlier change.
        let known = try container.keptVersions(of: place)
        if known.contains(where: { $0.id == version.id && $0.computer == version.computer }) {
            return Outcome(stored: here.place.stored, isUnchanged: true)
        }
        let own = Name.staged(staging.nextNumber(), ".version")
        try staged.take(name, as: own)
        defer { try? staging.remove(own) }
        do throws(DocumentFault) { _ = try container.reader.open(own, as: document.kind, in: staging.folder.descriptor, called: here.place.stored) } catch {
            if let errno = error.errno { throw errno }
            throw .wrongContent
        }
        try ItemTree.synchronize(own, in: staging.folder)
        let shown = here.place.path + [document.shown]
        guard let step = try versions.keepingStep(StagedVersion(staged: own, version: version, path: shown), of: here.place.stored, in: here.place.path) else { throw .noSpace }
        var plan = Plan(steps: [step])
        plan.know(staging.folder, at: [], of: .staging)
        try plans.carryOut(plan)
        if isConflict {
            versions.tellConflict(of: shown)
            versions.tellFollowers(of: here.place.stored, in: here.place.folder)
        }
        return Outcome(stored: here.place.stored, current: isConflict ? .theirs : nil, kept: version.id)
    }

    // MARK: What is no content

    private func setPermissions(_ permissions: UInt32, _ here: Here) throws(Errno) -> Outcome {
        guard let status = here.status, status.type == .regular || status.type == .folder else { throw .tryAgain }
        let name = here.place.stored, unchanged = Outcome(stored: name, isUnchanged: true)
        func set(_ permissions: UInt32, of name: Name, in folder: borrowing Descriptor, _ flags: OpenFlags) throws(Errno) -> Bool {
            let file = try folder.open(name, flags)
            guard try file.status().permissions != permissions else { return false }
            try store.setPermissions(permissions, of: file)
            return true
        }
        let folder = here.place.folder
        guard status.type == .folder else {
            return try set(permissions & 0o7777, of: name, in: folder.descriptor, [.read, .nonBlocking]) ? Outcome(stored: name) : unchanged
        }
        // A package may be used as its content may be, which comes last: until then the document is what it was.
        guard let form = container.reader.candidate(for: name, isFolder: true)?.form else {
            return try set(permissions & 0o7777, of: name, in: folder.descriptor, [.read, .folder]) ? Outcome(stored: name) : unchanged
        }
        let package = OpenFile(try folder.descriptor.open(name, [.path, .folder])), home = try form.home(in: package)
        var isChanged = try set(Draft.packageMode(for: permissions & 0o666), of: name, in: folder.descriptor, [.read, .folder])
        for part in try form.flat == nil ? form.names(in: home.descriptor).reversed() : [] where try home.descriptor.exists(part) {
            isChanged = try set(permissions & 0o666, of: part, in: home.descriptor, [.read, .nonBlocking]) || isChanged
        }
        return isChanged ? Outcome(stored: name) : unchanged
    }

    private func remove(_ here: Here) throws(Errno) -> Outcome {
        // The item was deleted here as well.
        guard let status = here.status else { return Outcome(isUnchanged: true) }
        if let document = try staged.document(here.place, status) {
            let address = Address(folder: here.place.folder, path: here.place.path, shown: document.shown)
            guard let away = try removal.putAway(here.place.stored, document.kind, from: address).away else { throw .inputOutput }
            return removal.moveToDeleted(away)
        }
        let address = Address(folder: here.place.folder, path: here.place.path, shown: here.place.stored)
        if status.type == .folder {
            // Something was put into it that the other computer knew nothing of.
            do throws(Errno) { try here.place.folder.descriptor.removeFolder(here.place.stored) } catch { throw error == .notEmpty || error == .exists ? .tryAgain : error }
            return Outcome()
        }
        if status.type == .regular {
            let outcome = try deleted.takeAway(plain: here.place.stored, from: address)
            if outcome.deleted != nil { return outcome }
        }
        try here.place.folder.descriptor.unlink(here.place.stored)
        return Outcome()
    }

    private func move(_ here: Here, to target: [Name]) throws(Errno) -> Outcome {
        guard here.status != nil else { throw .tryAgain }
        guard let name = target.last, !target.contains(where: Hidden.isState) else { throw .invalid }
        let path = Array(target.dropLast())
        if path + [name] == here.path { return Outcome(stored: name, isUnchanged: true) }
        let folder = try folder(at: path)
        do throws(Errno) {
            return try renaming.moveToFreeName(
                here.place.stored, from: Address(folder: here.place.folder, path: here.place.path, shown: here.place.stored),
                to: Address(folder: folder, path: path, shown: name), as: name)
        } catch { throw error == .exists ? .tryAgain : error }
    }
}
