import Documents
import LinuxFiles
import Transactions

/// Documents that lose their name: for a while, in case it comes back, or for good.
final class ItemRemoval: Sendable {
    private let staging: Staging
    private let names: NameKeeping
    private let versions: VersionKeeping
    private let records: DeletedRecords
    private let plans: PlanExecution
    private let deleted: DeletedKeeping
    private let drafts: StagedDrafts

    init(
        staging: Staging, names: NameKeeping, versions: VersionKeeping, records: DeletedRecords, plans: PlanExecution, deleted: DeletedKeeping,
        drafts: StagedDrafts
    ) {
        (self.staging, self.names, self.versions, self.records) = (staging, names, versions, records)
        (self.plans, self.deleted, self.drafts) = (plans, deleted, drafts)
    }

    /// Takes a document out of its place. It is gone from the container, and can come back until it is dropped.
    /// `ending` is a draft of it, which goes with it.
    func putAway(_ stored: Name, _ kind: KindID, from address: Address, ending draft: Draft? = nil) throws(Errno) -> Outcome {
        let item = AwayItem(number: staging.nextNumber(), kind: kind, stored: stored, path: address.path)
        var plan = Plan()
        plan.know(address.folder, at: address.path)
        plan.know(staging.folder, at: [], of: .staging)
        plan.steps = [.move(.item(stored, in: address.path), .staged(item.staged))]
        try names.forgetName(at: .item(stored, in: address.path), &plan)
        plan.steps += Plan.ending(draft: draft?.number)
        try records.note(item, from: address)
        try records.forgetting([item]) { () throws(Errno) in try plans.carryOut(plan) }
        return Outcome(away: item)
    }

    /// Puts back what was put away. `draft` is one of it from then on; `removing` what the draft was made of, which is on the store when that goes.
    func putBack(_ item: AwayItem, at address: Address, with draft: Draft?, removing: (path: [Name], name: Name)?) throws(Errno) -> Outcome {
        if let draft {
            // What an app writes of it from now on is the other side of a conflict.
            if draft.base == nil { draft.begin(from: drafts.state(of: .away(item), item.kind, in: address.folder)) }
            if removing != nil {
                try draft.file.descriptor.synchronize()
                try drafts.synchronizePlace(of: draft)
            }
        }
        let stored = try NewItemName.trying(item.kind, for: address.shown, first: item.stored) { (stored) throws(Errno) in
            if try address.folder.descriptor.exists(stored) { throw .exists }
            let target = Place.item(stored, in: address.path)
            var plan = Plan(drafts: draft.map { [DraftRecord(DraftPlace(draft: $0, address: address, base: .stored(stored)))] } ?? [])
            plan.know(address.folder, at: address.path)
            plan.know(staging.folder, at: [], of: .staging)
            plan.know(.nothing, at: target)
            plan.steps = [.add(.staged(item.staged), target)]
            try names.keepName(address.shown, item.kind, at: target, &plan)
            if let removing { plan.steps.append(.remove(.item(removing.name, in: removing.path))) }
            try plans.carryOut(plan)
            return stored
        }
        deleted.cameBack(item, at: address.path, as: stored)
        return Outcome(stored: stored)
    }

    /// Removes a document for good, where it lies.
    func remove(_ stored: Name, from address: Address) throws(Errno) -> Outcome {
        try address.folder.descriptor.removeTree(stored)
        records.isNotKept(address.path + [address.shown])
        names.forgetNames(of: stored, in: address.path)
        versions.forgetVersions(of: stored, in: address.path)
        return Outcome()
    }

    /// Keeps what was put away and whose name did not come back.
    func moveToDeleted(_ item: AwayItem) -> Outcome {
        let kept = deleted.keep(away: item.number)
        return kept.isKept ? Outcome(deleted: kept.item) : drop(item)
    }

    /// Removes for good what was put away, and its versions, if they are not those of something that had its place since and waits, too.
    func drop(_ item: AwayItem) -> Outcome {
        let hasVersions = records.wasLast(in: item.former, away: item.number)
        records.forget(away: item.number)
        try? staging.remove(item.staged)
        if hasVersions { versions.forgetVersions(of: item.stored, in: item.path) }
        return Outcome()
    }

    func isThere(_ item: AwayItem) -> Bool { (try? staging.folder.descriptor.exists(item.staged)) == true }
}
