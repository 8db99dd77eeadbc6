import Documents
import LinuxFiles
import Transactions

/// Plain files have versions, too: what a program is about to change where it lies, has written anew beside, or has taken away to write it anew. They lie
/// among those of documents. What a rename replaces is kept by the plan of that (`DocumentRenaming.swift`).
final class PlainFileKeeping: Sendable {
    private let container: Container
    private let staging: Staging
    private let policy: VersionPolicy
    private let records: DeletedRecords
    private let versions: VersionKeeping
    private let plans: PlanExecution
    private let deleted: DeletedKeeping

    init(
        container: Container, staging: Staging, policy: VersionPolicy, records: DeletedRecords, versions: VersionKeeping, plans: PlanExecution,
        deleted: DeletedKeeping
    ) {
        (self.container, self.staging, self.policy, self.records) = (container, staging, policy, records)
        (self.versions, self.plans, self.deleted) = (versions, plans, deleted)
    }

    /// Keeps what a plain file is, as a file of its own. The outcome names no version where none is kept.
    func keep(_ stored: Name, at address: Address) throws(Errno) -> Outcome { try keep(stored, at: address, following: nil) }

    /// Keeps what a program has given another name to, before it writes the file anew under this one. The versions that went along come back.
    func keep(_ former: Name, at old: Address, of stored: Name, at address: Address, asVersion: Bool) throws(Errno) -> Outcome {
        try keep(former, at: old, following: .item(stored, in: address.path), asVersion: asVersion)
    }

    /// A file that lies at `address`; `place` is where its versions are from then on.
    private func keep(_ stored: Name, at address: Address, following place: Place?, asVersion: Bool = true) throws(Errno) -> Outcome {
        let own = Place.item(stored, in: address.path), shown = place.map { $0.path + [$0.name] } ?? address.path + [address.shown]
        let history = asVersion
            ? try versions.stageVersion(of: Self.parts(of: stored, in: address.folder, staging), .plain, at: shown, conflict: false, goesOn: true) : nil
        defer { if let history { try? staging.remove(history.staged) } }
        var plan = Plan(), kept: VersionID?
        plan.know(staging.folder, at: [], of: .staging)
        if let history, let step = try versions.keepingStep(history, of: stored, in: address.path) {
            plan.steps.append(step)
            kept = step.target.flatMap { DocumentVersion(entry: $0.name)?.id }
        }
        if let place { try versions.follow(from: own, to: place, &plan) }
        guard !plan.steps.isEmpty else { return Outcome(stored: stored, isUnchanged: true) }
        try plans.carryOut(plan)
        return Outcome(stored: stored, kept: kept)
    }

    static func parts(of stored: Name, in folder: OpenFile, _ staging: Staging) throws(Errno) -> ExistingParts {
        do throws(DocumentFault) { return try ExistingParts(of: .stored(stored), .plain, in: folder, staging.folder) } catch { throw error.errno ?? .inputOutput }
    }

    /// What a program has taken away a moment ago, and has written anew, was not deleted. That has the versions of it, and it is one itself, or is none.
    func keep(removed item: DeletedItem, asVersion: Bool) throws(Errno) -> Outcome {
        guard item.kind == nil, item.away == 0, let folder = records.folder else { return try deleted.purge(item) }
        try deleted.returnVersions(of: item)
        guard asVersion, policy.keeps, let file = try regular(item.entry, in: folder) else { return try deleted.purge(item) }
        return try deleted.becomeVersion(item, Provenance(of: file.0, file.1))
    }

    /// nil for what is empty: nothing is lost with it.
    private func regular(_ name: Name, in folder: OpenFile) throws(Errno) -> (OpenFile, FileStatus)? {
        let file = OpenFile(try folder.descriptor.openUntraced(name, [.read, .nonBlocking])), status = try file.descriptor.status()
        return status.type == .regular && status.size > 0 ? (file, status) : nil
    }
}

/// What becomes of a plain file that another one takes the name of.
public enum ReplacedPlainFile: Sendable {
    /// It is gone, or there is none.
    case gone
    /// It is gone, and the one that takes its name goes on with the versions that it has.
    case saved
    /// It is a version of the one that takes its name. `goesOn`: programs write to it still, or it has other names.
    case version(goesOn: Bool)
    /// It is among the deleted, and the versions that it has go there with it.
    case deleted(DeletedItem)
}
