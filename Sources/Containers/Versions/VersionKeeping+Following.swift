import LinuxFiles
import Transactions

// The versions of what is renamed, moved, deleted or replaced go where it goes, also those of a plain file that becomes a
// document.
extension VersionKeeping {
    /// Adds the steps with which versions follow what is renamed or moved: those of a document, or of all in a folder.
    func follow(from: Place, to: Place, _ plan: inout Plan) throws(Errno) {
        guard from != to else { return }
        try clearWay(to: to, &plan)
        guard try hasVersions(from.path + [from.name]) else { return }
        _ = try makeVersionFolder(to.path)
        plan.steps.append(.add(from.ofVersions, to.ofVersions))
    }

    /// What versions have a place to which something comes are of something that is gone, and go.
    func clearWay(to place: Place, _ plan: inout Plan) throws(Errno) {
        guard !plan.takesAway(place.ofVersions), try hasVersions(place.path + [place.name]), try !letGo(from: place, before: plan) else { return }
        let thinned = Name.staged(staging.nextNumber(), Name.thinnedSuffix)
        plan.steps.append(.move(place.ofVersions, .staged(thinned)))
        plan.discarded.append(thinned)
    }

    /// What had a place and waits in case its name comes back is shown under another name than what comes to that place. Its versions go to where they
    /// are when it is deleted, and are found there if it comes back: now, whatever becomes of the plan. False where none are there that are its own.
    @discardableResult
    func letGo(from place: Place, before plan: Plan) throws(Errno) -> Bool {
        guard let item = records.waiting(from: place), let deleted = records.folder, !plan.bringsBack(away: item.away), !plan.takesAway(place.ofVersions),
            let home = try folder.flatMap({ (folder) throws(Errno) in try Container.folder(at: place.path, in: folder) }),
            try home.descriptor.exists(place.name), try !container.isTaken(item), try !deleted.descriptor.exists(item.versionsEntry)
        else { return false }
        try home.descriptor.rename(place.name, to: deleted.descriptor, as: item.versionsEntry)
        // The folder of what comes was made already, where a version of it comes along.
        let path = place.path + [place.name], isUsed = plan.steps.compactMap(\.target).contains { $0.top == .versions && $0.path == path }
        if isUsed { _ = try makeVersionFolder(path) }
        return true
    }

    /// The same of all that waits below a folder that gets another name.
    func letGo(below folder: Place) throws(Errno) {
        let path = folder.path + [folder.name]
        guard try hasVersions(path) else { return }
        for item in records.waiting(below: path) { try letGo(from: item.former, before: Plan()) }
    }

    /// A document is put away, and something else comes to its place at once: its versions go first.
    func goWith(_ deleted: DeletedItem?, _ plan: inout Plan) throws(Errno) {
        guard let deleted, try hasVersions(deleted.path + [deleted.stored]) else { return }
        plan.steps.append(.add(deleted.former.ofVersions, deleted.versionsPlace))
    }

    /// A document without versions that takes another one's name takes over that one's, too: programs save so that
    /// give the new content a document's name before they rename it over the old. What it replaces is the newest of them.
    func stageHistory(
        of replaced: ReplacedDocument?, for kind: KindID, renaming stored: Name, _ old: Address, _ new: Address
    ) throws(Errno) -> StagedVersion? {
        guard policy.keeps, let replaced, replaced.kind == kind, try !hasVersions(old.path + [stored]),
            let parts = try? ExistingParts(of: .stored(replaced.stored), kind, in: new.folder, staging.folder)
        else { return nil }
        return try stageVersion(of: parts, kind, at: new.path + [new.shown], conflict: false)
    }

    func follow(from: Place, to: Place, replaced: Name?, _ history: StagedVersion?, _ plan: inout Plan) throws(Errno) {
        guard let history, let replaced, let step = try keepingStep(history, of: replaced, in: to.path) else { return try follow(from: from, to: to, &plan) }
        plan.steps.append(step)
        try follow(from: .item(replaced, in: to.path), to: to, &plan)
    }

    /// A plain file takes the name of another one, which is `replaced`, and its versions. Those that the file had itself are of something that was there
    /// for a moment, and go.
    func takeOver(of replaced: Place, from: Place, to: Place, _ plan: inout Plan) throws(Errno) {
        if from != to, from != replaced { try clearWay(to: from, &plan) }
        try follow(from: replaced, to: to, &plan)
    }
}
