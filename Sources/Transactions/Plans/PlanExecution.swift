import LinuxFiles

/// The folders that the places of plans lie in, and what is done there that no plan can say.
package protocol PlanFolders: Sendable {
    /// Where a place's path begins; nil where there is no such folder. Staging is never asked for.
    func top(_ top: Place.Top) throws(Errno) -> OpenFile?
    /// Before the first step of a plan: what it counts on is there then.
    func prepare(_ plan: Plan) throws(Errno)
    /// What is in staging gets a name, or the next one that is free.
    func bringHome(_ staged: Place, in place: OpenFile, to folder: OpenFile, as wanted: Name) throws(Errno)
}

/// When tests have something happen: after each step of a plan.
package enum PlanMoment { case stepDone }

/// Carries plans out, wholly or not at all.
package final class PlanExecution: Sendable {
    private let folders: any PlanFolders
    package let staging: Staging
    private let store: Store
    private let journal: Journal
    private let attributes: FileAttributes
    private let testPoints: TestPoints<PlanMoment>
    /// Which folder the documents' is, where nodes are known again at another time.
    let documentsBirth: NodeBirth?

    package init(
        folders: any PlanFolders, staging: Staging, store: Store, journal: Journal, attributes: FileAttributes, testPoints: TestPoints<PlanMoment>
    ) {
        (self.folders, self.staging, self.store, self.journal) = (folders, staging, store, journal)
        (self.attributes, self.testPoints) = (attributes, testPoints)
        documentsBirth = staging.anchor == nil ? nil : try? folders.top(.documents)?.descriptor.birth()
    }

    /// What a step replaces, until the plan is carried out.
    package enum Backup {
        case nothing
        /// It has this second name in staging, or there is a copy under it.
        case kept(Name)
        /// It is no file: what is replaced stays replaced.
        case impossible
    }

    package struct Done {
        let step: Journal.Step
        let backup: Backup

        package init(step: Journal.Step, backup: Backup) { (self.step, self.backup) = (step, backup) }
    }

    /// The drafts of what lies in a place.
    package func drafts(of place: Place) -> [DraftRecord] { journal.drafts.filter { $0.item == place } }
    package func hasDrafts(of place: Place) -> Bool { !drafts(of: place).isEmpty }
    /// The same, or of anything in it.
    package func hasDrafts(at place: Place) -> Bool {
        journal.drafts.contains { $0.item == place || $0.path.starts(with: place.path + [place.name]) }
    }

    /// Carries out a plan, wholly or not at all. The drafts of what it moves go along.
    package func carryOut(_ plan: Plan) throws(Errno) {
        var plan = plan
        plan.drafts += plan.moved(journal.drafts)
        try folders.prepare(plan)
        do throws(Errno) {
            for file in plan.smallFiles { try stage(file) }
            try carryOutSteps(of: plan)
        } catch {
            for file in plan.smallFiles { try? staging.remove(file.staged) }
            throw error
        }
    }

    private func stage(_ small: Plan.SmallFile) throws(Errno) {
        let file = try staging.makeFile(small.staged)
        try file.write(small.content, at: 0)
        try file.synchronize()
    }

    private func carryOutSteps(of plan: Plan) throws(Errno) {
        let intent = plan.isIntended(on: store) ? plan.number ?? staging.nextNumber() : nil
        if let intent { try journal.append(.intent(intent, self.intent(of: plan))) }
        var done: [Done] = []
        defer { for last in done { drop(last.backup) } }
        do throws(Errno) {
            if plan.restsOnJournal(on: store) { try journal.synchronize() }
            for (index, step) in plan.steps.enumerated() {
                if let intent, index > 0, index == plan.exchangingSteps { try pass(intent, plan) }
                let mayFail = plan.steps[(index + 1)...].contains { !$0.isClearing }
                let backup = mayFail ? try backUp(step, as: Name("\(intent ?? 0).old\(index)"), plan) : .nothing
                do throws(Errno) {
                    if case .move(_, let to) = step, try isOther(at: to, plan) { throw .stale }
                    try perform(step, plan)
                } catch {
                    drop(backup)
                    if !step.isClearing { throw error }
                }
                done.append(Done(step: step, backup: backup))
                testPoints.pass(.stepDone)
            }
        } catch {
            takeBack(done, plan, intent)
            throw error
        }
        // The drafts that it made an end of, also where a file of theirs could not be removed.
        for case .remove(let place) in plan.steps where place.top == .staging {
            if let draft = Journal.number(place.name.bytes), draft != plan.number { journal.conclude(.ended(draft)) }
        }
        if let number = plan.number ?? intent { journal.conclude(.ended(number)) }
        for name in plan.discarded { try? staging.remove(name) }
    }

    /// Whether somebody else has put something in a place, or in that of its package or of a folder in it, that the
    /// plan does not know.
    private func isOther(at place: Place, _ plan: Plan) throws(Errno) -> Bool {
        guard !plan.replaced.isEmpty else { return false }
        for place in sequence(first: place, next: \.folder).reversed() {
            guard let known = plan.replaced[place] else { continue }
            if let now = try folder(of: place, plan).descriptor.statusIfThere(place.name), now.identity != known { return true }
        }
        return false
    }

    private func takeBack(_ done: [Done], _ plan: Plan, _ intent: UInt64?) {
        var isUndone = true
        for (index, last) in done.enumerated().reversed() {
            if let intent, plan.exchangingSteps > 0, index == plan.exchangingSteps - 1 { journal.conclude(.returned(intent)) }
            if !last.step.isClearing { isUndone = undo(last, plan) && isUndone }
        }
        // What could not be taken back is finished at the next opening, unless a draft goes on from here.
        if let number = plan.number { return journal.conclude(.undone(number)) }
        guard isUndone, let intent else { return }
        journal.conclude(.undone(intent))
        journal.conclude(.ended(intent))
    }

    /// From here on the first steps must not be done again: they are on the store before the journal says so.
    package func pass(_ intent: UInt64, _ plan: Plan) throws(Errno) {
        var seen: Set<Plan.Key> = []
        for place in plan.steps[..<plan.exchangingSteps].flatMap(\.places) where seen.insert(Plan.Key(top: place.top, path: place.path)).inserted {
            try folder(of: place, plan).descriptor.reopened([.read, .folder]).synchronize()
        }
        try journal.append(.passed(intent))
        try journal.synchronize()
    }

    package func perform(_ step: Journal.Step, _ plan: Plan) throws(Errno) {
        switch step {
        case .move(let from, let to), .add(let from, let to):
            let source = try folder(of: from, plan), target = try folder(of: to, plan)
            if case .add = step { return try store.add(from.name, of: source.descriptor, to: target.descriptor, as: to.name) }
            try source.descriptor.rename(from.name, to: target.descriptor, as: to.name)
        case .remove(let place):
            if place.top == .staging { try folder(of: place, plan).descriptor.removeTree(place.name) } else {
                try folder(of: place, plan).descriptor.unlink(place.name)
            }
        }
    }

    /// Keeps what a step replaces under another name, so that the step can be taken back.
    private func backUp(_ step: Journal.Step, as name: Name?, _ plan: Plan) throws(Errno) -> Backup {
        guard case .move(_, let to) = step, let name else { return .nothing }
        do throws(Errno) {
            let folder = try folder(of: to, plan)
            if try store.secondName(of: to.name, in: folder.descriptor, to: staging.folder.descriptor, as: name) { return .kept(name) }
            guard try folder.descriptor.status(of: to.name).type == .regular else { return .impossible }
            do throws(Errno) { try copy(to.name, of: folder.descriptor, as: name) } catch {
                try? staging.folder.descriptor.unlink(name)
                throw error
            }
            return .kept(name)
        } catch {
            guard error == .noSuchEntry else { throw error }
            return .nothing
        }
    }

    private func copy(_ name: Name, of folder: borrowing Descriptor, as copyName: Name) throws(Errno) {
        let old = OpenFile(try folder.openUntraced(name, [.read, .nonBlocking])), copy = try staging.makeFile(copyName)
        let status = try old.descriptor.status()
        try old.descriptor.copyAll(from: 0, count: status.size, to: copy, at: 0)
        try attributes.dress(copy, like: status, [old])
    }

    private func drop(_ backup: Backup) {
        if case .kept(let name) = backup { try? staging.folder.descriptor.unlink(name) }
    }

    /// Takes a step back. The new content has both names for a moment: the document is there all the time, and the
    /// journal's steps can be done again from any point.
    package func undo(_ done: Done, _ plan: Plan) -> Bool {
        let from: Place, to: Place
        switch done.step {
        case .move(let source, let target), .add(let source, let target): (from, to) = (source, target)
        case .remove: return false
        }
        do throws(Errno) {
            let source = try folder(of: from, plan), target = try folder(of: to, plan)
            switch done.backup {
            case .nothing:
                do throws(Errno) { try store.add(to.name, of: target.descriptor, to: source.descriptor, as: from.name) } catch {
                    // Somebody else made another one in its place: both are there then.
                    guard error == .exists, from.top == .documents, to.top == .staging else { throw error }
                    try folders.bringHome(to, in: target, to: source, as: from.name)
                }
            case .kept(let backup):
                // Without a second name nothing is there for an instant, and the journal knows it.
                if try !store.secondName(of: to.name, in: target.descriptor, to: source.descriptor, as: from.name) {
                    try target.descriptor.rename(to.name, to: source.descriptor, as: from.name)
                }
                try staging.folder.descriptor.rename(backup, to: target.descriptor, as: to.name)
            case .impossible: return false
            }
            return true
        } catch { return false }
    }

    package func folder(of place: Place, _ plan: Plan) throws(Errno) -> OpenFile {
        if let known = plan.folders[Plan.Key(top: place.top, path: place.path)] { return known }
        guard let top = place.top == .staging ? staging.folder : try folders.top(place.top) else { throw .noSuchEntry }
        return try plan.isResumed ? top.folderWithinMount(at: place.path) : top.folder(at: place.path)
    }
}
