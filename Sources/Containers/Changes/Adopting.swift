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
    private let exchanging: ItemExchanging
    private let deleted: DeletedKeeping
    private let versions: VersionKeeping
    private let plans: PlanExecution

    init(
        container: Container, staging: Staging, store: Store, staged: StagedSaving, renaming: DocumentRenaming,
        exchanging: ItemExchanging, deleted: DeletedKeeping, versions: VersionKeeping, plans: PlanExecution
    ) {
        (self.container, self.staging, self.store, self.staged, self.renaming) = (container, staging, store, staged, renaming)
        (self.exchanging, self.deleted, self.versions, self.plans) = (exchanging, deleted, versions, plans)
    }

    /// The item that it is about, as it is here.
    private struct Here {
        let place: ItemPlace
        /// nil where there is no item here.
        let status: FileStatus?
        var path: [Name] { place.path + [place.stored] }
    }

    /// In the item's lane, and in that of the place it comes to. What the item is then is in the outcome: nothing after
    /// the change itself fails.
    func adopt(_ adoption: Adoption) throws(Errno) -> Outcome {
        let here = try here(adoption.item)
        guard try adoption.expected.holds(at: here.place, in: container) else { throw .tryAgain }
        var outcome: Outcome
        switch adoption.what {
        case .current(let name):
            // An item of this name was made since it was looked for.
            do throws(Errno) { outcome = try staged.adopt(name, adoption, at: here.place) } catch {
                throw here.status == nil && error == .exists ? .tryAgain : error
            }
        case .version(let name, let isConflict): outcome = try keep(name, adoption, isConflict: isConflict, here)
        case .permissions(let permissions): outcome = try setPermissions(permissions, here)
        case .gone: return try remove(here, adoption.expected)
        case .moved(let target):
            outcome = try move(here, to: target)
            outcome.state = try? container.state(at: target)
            return outcome
        case .exchanged(let item, let expected): return try exchange(here, with: self.here(item), expected)
        }
        outcome.state = try? container.state(of: here.place.stored, in: here.place.folder)
        return outcome
    }

    private func here(_ item: [Name]) throws(Errno) -> Here {
        guard let stored = item.last, !item.contains(where: Hidden.isState) else { throw .invalid }
        let path = Array(item.dropLast()), folder = try folder(at: path)
        return Here(
            place: ItemPlace(folder: folder, path: path, stored: stored),
            status: try folder.descriptor.statusIfThere(stored))
    }

    /// Where the folder is gone, nothing is here of what another computer knew.
    private func folder(at path: [Name]) throws(Errno) -> OpenFile {
        do throws(Errno) { return try container.documents.folder(at: path) } catch { throw error == .noSuchEntry || error == .notDirectory ? .tryAgain : error }
    }

    // MARK: A version

    /// Beside what the item is: a document, a plain file, or a package of any kind.
    private func keep(_ name: Name, _ adoption: Adoption, isConflict: Bool, _ here: Here) throws(Errno) -> Outcome {
        guard let status = here.status else { throw .tryAgain }
        let author = StagedSaving.Author.computer(adoption.provenance, expecting: adoption.expected)
        // Of links, and of files of which none is kept, there is no version. Who has one makes an item of its own of
        // it.
        guard let existing = try staged.existing(here.place, status, author), existing.rule == nil else {
            throw .notSupported
        }
        let version = DocumentVersion(adoption.provenance, isConflict: isConflict, location: .kept(name))
        let place = DocumentPlace(
            folder: here.place.folder, path: here.place.path, stored: here.place.stored, kind: existing.kind)
        // The version was adopted by an earlier change.
        let known = try container.keptVersions(of: place)
        if known.contains(where: { $0.id == version.id && $0.computer == version.computer }) {
            return Outcome(stored: here.place.stored, kept: version.id, isUnchanged: true)
        }
        let own = Name.staged(staging.nextNumber(), ".version")
        try staged.take(name, as: own)
        defer { try? staging.remove(own) }
        guard try staging.folder.descriptor.status(of: own).type == status.type else { throw .wrongContent }
        do throws(DocumentFault) {
            _ = try container.reader.open(
                own, as: existing.kind, in: staging.folder.descriptor, called: here.place.stored)
        } catch {
            if let errno = error.errno { throw errno }
            throw .wrongContent
        }
        try ItemTree.synchronize(own, in: staging.folder)
        let shown = here.place.path + [existing.shown],
            coming = StagedVersion(staged: own, version: version, path: shown)
        guard let step = try versions.keepingStep(coming, of: here.place.stored, in: here.place.path, mustKeep: true)
        else { throw .noSpace }
        var plan = Plan(steps: [step])
        plan.know(staging.folder, at: [], of: .staging)
        try plans.carryOut(plan)
        if isConflict {
            versions.tellConflict(of: shown)
            versions.tellFollowers(of: here.place.stored, in: here.place.folder)
        }
        let kept = step.target.flatMap { DocumentVersion(entry: $0.name)?.id }
        return Outcome(stored: here.place.stored, current: isConflict ? .theirs : nil, kept: kept)
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
            // What would run it as another user does not come along.
            return try set(permissions & 0o1777, of: name, in: folder.descriptor, [.read, .nonBlocking])
                ? Outcome(stored: name) : unchanged
        }
        // A package may be used as its content may be, which comes last: until then the document is what it was.
        guard let form = container.reader.candidate(for: name, isFolder: true)?.form else {
            return try set(permissions & 0o1777, of: name, in: folder.descriptor, [.read, .folder])
                ? Outcome(stored: name) : unchanged
        }
        let package = OpenFile(try folder.descriptor.open(name, [.path, .folder])), home = try form.home(in: package)
        var isChanged = try set(Draft.packageMode(for: permissions & 0o666), of: name, in: folder.descriptor, [.read, .folder])
        for part in try form.flat == nil ? form.names(in: home.descriptor).reversed() : [] where try home.descriptor.exists(part) {
            isChanged = try set(permissions & 0o666, of: part, in: home.descriptor, [.read, .nonBlocking]) || isChanged
        }
        return isChanged ? Outcome(stored: name) : unchanged
    }

    // MARK: Going

    /// It goes among the deleted, or for good where nothing is kept of what is deleted.
    private func remove(_ here: Here, _ expected: Adoption.Expectation) throws(Errno) -> Outcome {
        // The item was deleted here as well.
        guard let status = here.status else { return Outcome(isUnchanged: true) }
        guard !plans.hasDrafts(at: here.place.place) else { throw .busy }
        let folder = here.place.folder, stored = here.place.stored
        let document = try staged.document(here.place, status),
            isPackage = status.type == .folder && container.kinds.isPackage(stored)
        if status.type == .folder, document == nil, !isPackage {
            // Something was put into it that the other computer knew nothing of.
            do throws(Errno) { try folder.descriptor.removeFolder(stored) } catch {
                throw error == .notEmpty || error == .exists ? .tryAgain : error
            }
            return Outcome()
        }
        if status.type == .regular || status.type == .folder {
            let kind = document?.kind ?? (isPackage ? .folder : nil)
            let address = Address(folder: folder, path: here.place.path, shown: document?.shown ?? stored)
            if let item = try deleted.takeAway(stored, kind, from: address) { return try tell(item, here, expected) }
        }
        try folder.descriptor.removeTree(stored)
        if document != nil { deleted.forgetKept(of: stored, in: here.place.path) }
        return Outcome()
    }

    /// A program may have written to it in the last instant, which nobody has seen: then it is there again, or, where
    /// another one has its name by now, among the deleted, and that is told.
    private func tell(_ item: DeletedItem, _ here: Here, _ expected: Adoption.Expectation) throws(Errno) -> Outcome {
        var outcome = Outcome(deleted: item)
        guard case .state(let known) = expected, let now = try? deleted.state(of: item), !now.isContent(of: known)
        else { return outcome }
        do throws(Errno) {
            _ = try deleted.bringBack(
                item, to: here.place.folder, at: here.place.path, as: here.place.stored, shown: item.shown)
        } catch {
            outcome.replacedState = now
            return outcome
        }
        throw .tryAgain
    }

    // MARK: Moving

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

    /// What is not saved of either is somebody's words still, and an exchange waits for it.
    private func exchange(_ here: Here, with other: Here, _ expected: Adoption.Expectation) throws(Errno) -> Outcome {
        guard here.status != nil, other.status != nil, try expected.holds(at: other.place, in: container) else {
            throw .tryAgain
        }
        // Nothing is in itself.
        guard !here.path.starts(with: other.path), !other.path.starts(with: here.path) else { throw .invalid }
        guard ![here, other].contains(where: { plans.hasDrafts(of: $0.place.place) }) else { throw .busy }
        var outcome = try exchanging.exchangeAsTheyAre(here.place, other.place)
        outcome.state = try? container.state(of: other.place.stored, in: other.place.folder)
        outcome.otherState = try? container.state(of: here.place.stored, in: here.place.folder)
        return outcome
    }
}
