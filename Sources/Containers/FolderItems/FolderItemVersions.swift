import Documents
import LinuxFiles
import Transactions

/// Folders that are one item have versions: whole copies, that nothing changes which programs write into the folder. They are made where the whole folder is
/// replaced: by one that is restored, by one that a program puts in the place of what it has removed; and by an app's save (`StagedSaving`).
final class FolderItemVersions: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let attributes: FileAttributes
    private let records: DeletedRecords
    private let versions: VersionKeeping
    private let plans: PlanExecution
    private let deleted: DeletedKeeping

    init(
        container: Container, staging: Staging, policy: VersionPolicy, attributes: FileAttributes, records: DeletedRecords,
        versions: VersionKeeping, plans: PlanExecution, deleted: DeletedKeeping
    ) {
        (self.container, self.staging, self.policy, self.attributes) = (container, staging, policy, attributes)
        (self.records, self.versions, self.plans, self.deleted) = (records, versions, plans, deleted)
    }

    /// Its time is that of the newest part.
    private func provenance(of folder: OpenFile) throws(Errno) -> Provenance {
        let own = try folder.descriptor.status(), flat = KindID.folder.kind.flat.flatMap { try? FlatPackage(folder, $0) }
        return Provenance(of: folder, flat?.status ?? own)
    }

    /// The folder is what it was then, and what it was until now is a version.
    func restore(_ id: VersionID, of place: DocumentPlace) throws(Errno) -> Outcome {
        guard let version = try container.keptVersions(of: place).first(where: { $0.id == id }), case .kept(let entry) = version.location,
            let home = try container.versionFolder(place.path + [place.stored])
        else { throw .noSuchEntry }
        let name = Name.staged(staging.nextNumber(), ".package"), item = Place.item(place.stored, in: place.path)
        let old = Name.staged(staging.nextNumber(), ".version")
        do throws(Errno) {
            try ItemTree.copy(entry, in: home, as: name, in: staging.folder, attributes)
            try ItemTree.synchronize(name, in: staging.folder)
            let now = OpenFile(try place.folder.descriptor.open(place.stored, [.path, .folder]))
            let version = DocumentVersion(try provenance(of: now), isConflict: false, location: .kept(old))
            let kept = StagedVersion(staged: old, version: version, path: place.path + [place.stored])
            let step = policy.keeps ? try versions.keepingStep(kept, of: place.stored, in: place.path) : nil
            var plan = Plan()
            plan.know(place.folder, at: place.path)
            plan.know(staging.folder, at: [], of: .staging)
            plan.steps = [.move(item, .staged(old)), .add(.staged(name), item)] + (step.map { [$0] } ?? [])
            if step == nil { plan.discarded.append(old) }
            try plans.carryOut(plan)
            return Outcome(stored: place.stored, kept: step == nil ? nil : kept.version.id)
        } catch {
            try? staging.remove(name)
            throw error
        }
    }

    /// What a program has removed a moment ago, and has put another one in the place of: it is a version of that, with the versions that it had.
    func keep(removed item: DeletedItem) throws(Errno) -> Outcome {
        guard policy.keeps, item.isFolder, item.away == 0, let home = records.folder else { return Outcome(isUnchanged: true) }
        try deleted.returnVersions(of: item)
        return try deleted.becomeVersion(item, provenance(of: OpenFile(home.descriptor.open(item.entry, [.path, .folder]))))
    }
}

extension Container {
    /// Whether a folder, in one with this path, is shown as the folder that it is and is one item.
    func isFolderItem(_ stored: Name, _ folder: borrowing Descriptor, in path: [Name]) -> Bool {
        kinds.isOwnPackage(stored, folder) && !kinds.isPackage(at: path)
    }
}
