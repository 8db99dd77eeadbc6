import Documents
import LinuxFiles
import Transactions

/// A flat file that was written becomes the package that is shown so: it is unpacked in staging, and the whole folder takes the place of the old one,
/// which becomes a version as it is. Nothing is written into a package that is in its place.
final class FlatSaving: Sendable {
    private let staging: Staging
    private let store: Store
    private let policy: VersionPolicy
    private let attributes: FileAttributes
    private let names: NameKeeping
    private let versions: VersionKeeping
    private let plans: PlanExecution

    init(
        staging: Staging, store: Store, policy: VersionPolicy, attributes: FileAttributes, names: NameKeeping, versions: VersionKeeping,
        plans: PlanExecution
    ) {
        (self.staging, self.store, self.policy, self.attributes) = (staging, store, policy, attributes)
        (self.names, self.versions, self.plans) = (names, versions, plans)
    }

    /// What is to be in the document's place.
    enum Coming {
        /// What is there, or was there a moment ago.
        case same
        /// This folder in staging.
        case new(Name)
    }

    /// Unpacks what was written in a draft, unless that is what is there already. Throws `.unfit` where it cannot be a package.
    func coming(_ draft: Draft, _ before: FileStatus, over existing: ExistingParts?) throws(DocumentFault) -> Coming {
        guard let kind = draft.kind.kind.flat else { throw .unfit("It is no flat file.") }
        if let there = existing?.flat, try reading({ () throws(Errno) in try ShownContent(of: draft).isSame(as: ShownContent(there)) }) { return .same }
        let name = Name.staged(staging.nextNumber(), ".package")
        let unpacking = PackageUnpacking(folder: staging.folder, store: store)
        try unpacking.unpack(draft.source(in: before), kind, as: name, owner: (before.owner, before.group))
        do throws(DocumentFault) {
            let package = OpenFile(try reading { () throws(Errno) in try staging.folder.descriptor.open(name, [.path, .folder]) })
            // Another program packs the same otherwise.
            let new = try FlatPackage(package, kind)
            if let there = existing?.flat, there.tree == new.tree, try reading({ () throws(Errno) in try there.hasSameBytes(as: new) }) {
                try? staging.remove(name)
                return .same
            }
            return .new(name)
        } catch {
            try? staging.remove(name)
            throw error
        }
    }

    /// Puts it in its place. `conflict`: what is there waits for a decision.
    func put(
        _ draft: Draft, _ before: FileStatus, _ coming: Coming, _ existing: ExistingParts?, at address: Address, over base: Base?,
        settling: [Journal.Step], removing: [Place], durably: Bool, conflict: Bool
    ) throws(Errno) -> Outcome {
        if case .same = coming, case .stored(let stored) = base, let existing {
            return try leave(draft, before, existing, at: address, stored, settling: settling, removing: removing)
        }
        var plan = Plan(number: draft.number)
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        switch coming {
        case .new(let name): try dress(name, draft, before, existing, durably: durably || draft.isSynchronized)
        case .same: if let existing { try dressOld(existing, draft, before) }
        }
        let last = settling + ([.staged(Name.staged(draft.number))] + removing).map(Journal.Step.remove)
        let (stored, kept) = try place(coming, draft, existing, at: address, over: base, last, conflict: conflict, &plan)
        draft.settle(nil)
        if conflict, kept != nil { versions.tellConflict(of: address.path + [address.shown]) }
        return Outcome(stored: stored, current: conflict ? .mine : nil, kept: kept?.version.id)
    }

    /// The draft becomes a version that somebody has to decide about, beside a document that is newer than it.
    func putAside(
        _ draft: Draft, _ before: FileStatus, _ coming: Coming, _ existing: ExistingParts, at address: Address, _ base: Base, removing: [Place]
    ) throws(Errno) -> Outcome {
        guard case .new(let name) = coming else {
            return try put(draft, before, coming, existing, at: address, over: base, settling: [], removing: removing, durably: true, conflict: false)
        }
        let stored = base.stored, version = DocumentVersion(Provenance(ofWriting: before), isConflict: true, location: .kept(name))
        var plan = Plan(number: draft.number)
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        try dress(name, draft, before, existing, durably: true)
        if case .away(let item) = base { plan.steps.append(.add(.staged(item.staged), .item(stored, in: address.path))) }
        guard let step = try versions.keepingStep(StagedVersion(staged: name, version: version, path: address.path + [address.shown]), of: stored, in: address.path) else { throw .noSpace }
        plan.steps += [step] + ([.staged(Name.staged(draft.number))] + removing).map(Journal.Step.remove)
        try plans.carryOut(plan)
        draft.settle(nil)
        versions.tellConflict(of: address.path + [address.shown])
        versions.tellFollowers(of: stored, in: address.folder)
        return Outcome(stored: stored, current: .theirs, kept: version.id)
    }

    /// It could not be put in its place: the draft has it still.
    func discard(_ coming: Coming?) { if case .new(let name) = coming { try? staging.remove(name) } }

    /// Nothing in the package changes. What was given to the file while it was written is the folder's.
    private func leave(
        _ draft: Draft, _ before: FileStatus, _ existing: ExistingParts, at address: Address, _ stored: Name, settling: [Journal.Step], removing: [Place]
    ) throws(Errno) -> Outcome {
        try dressOld(existing, draft, before)
        var plan = Plan(number: draft.number, steps: settling + ([.staged(Name.staged(draft.number))] + removing).map(Journal.Step.remove))
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        try plans.carryOut(plan)
        draft.settle(nil)
        return Outcome(stored: stored, isUnchanged: true)
    }

    private func place(
        _ coming: Coming, _ draft: Draft, _ existing: ExistingParts?, at address: Address, over base: Base?, _ last: [Journal.Step], conflict: Bool, _ plan: inout Plan
    ) throws(Errno) -> (stored: Name, kept: StagedVersion?) {
        switch base {
        case .stored(let stored):
            guard case .new(let name) = coming else { throw .invalid }
            // The old folder goes, and the new one comes. Who looks in between finds neither; what a crash leaves between the two is finished.
            let item = Place.item(stored, in: address.path), old = Name.staged(staging.nextNumber(), ".version")
            let (kept, step) = try keeping(existing, old, stored, at: address, conflict: conflict)
            plan.steps = [.move(item, .staged(old)), .add(.staged(name), item)] + (step.map { [$0] } ?? []) + last
            if step == nil { plan.discarded.append(old) }
            try plans.carryOut(plan)
            return (stored, kept)
        case .away, nil:
            var kept: StagedVersion?
            let stored = try NewItemName.trying(draft.kind, for: address.shown, first: base?.stored) { (stored) throws(Errno) in
                if try address.folder.descriptor.exists(stored) { throw .exists }
                let target = Place.item(stored, in: address.path)
                (plan.smallFiles, plan.nameFolders, plan.forgotten, plan.discarded) = ([], [], [], [])
                plan.know(.nothing, at: target)
                var steps: [Journal.Step] = [], after = last
                if case .new(let name) = coming { steps.append(.add(.staged(name), target)) }
                if case .away(let item) = base {
                    if case .same = coming { steps.append(.add(.staged(item.staged), target)) } else {
                        let (version, step) = try keeping(existing, item.staged, stored, at: address, conflict: conflict)
                        kept = version
                        if let step { steps.insert(step, at: 0) } else { after.append(.remove(.staged(item.staged))) }
                    }
                }
                plan.steps = steps
                try names.keepName(address.shown, draft.kind, at: target, &plan)
                plan.steps += after
                try plans.carryOut(plan)
                return stored
            }
            return (stored, kept)
        }
    }

    /// The step with which an old folder, under this name in staging by then, becomes a version; nil where none is kept.
    private func keeping(
        _ existing: ExistingParts?, _ old: Name, _ stored: Name, at address: Address, conflict: Bool
    ) throws(Errno) -> (StagedVersion?, Journal.Step?) {
        guard policy.keeps || conflict, let existing, let flat = existing.flat else { return (nil, nil) }
        let version = DocumentVersion(existing.provenance(of: flat.folder, flat.status), isConflict: conflict, location: .kept(old))
        let staged = StagedVersion(staged: old, version: version, path: address.path + [address.shown])
        let step = try versions.keepingStep(staged, of: stored, in: address.path)
        return (step == nil ? nil : staged, step)
    }

    /// A new package's folder has what the file that was written has, and the attributes of the folder that it takes the place of.
    private func dress(_ name: Name, _ draft: Draft, _ before: FileStatus, _ existing: ExistingParts?, durably: Bool) throws(Errno) {
        try dress(OpenFile(staging.folder.descriptor.open(name, [.read, .folder])), draft, before, over: existing?.folder)
        if durably { try ItemTree.synchronize(name, in: staging.folder) }
    }

    /// The same of one that stays: it is open as a place.
    private func dressOld(_ existing: ExistingParts, _ draft: Draft, _ before: FileStatus) throws(Errno) {
        try dress(OpenFile(existing.folder.descriptor.reopened([.read, .folder])), draft, before, over: nil)
    }

    private func dress(_ folder: OpenFile, _ draft: Draft, _ before: FileStatus, over old: OpenFile?) throws(Errno) {
        var status = before
        status.mode = before.mode & ~0o7777 | Draft.packageMode(for: before.permissions)
        try attributes.dress(folder.descriptor, like: status, draft.mayHaveAttributes ? [old, draft.file] : [old])
        Provenance.note(of: before, in: folder.descriptor)
    }

    private func reading<Value: ~Copyable>(_ body: () throws(Errno) -> Value) throws(DocumentFault) -> Value {
        do throws(Errno) { return try body() } catch { throw .unreadable(error.rawValue) }
    }
}
