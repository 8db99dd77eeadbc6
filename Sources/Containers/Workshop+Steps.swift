import LinuxFiles

/// A change as a list of renames and removals. One of them is atomic by itself; several are written into the journal first.
struct Plan {
    /// The draft that the plan makes an end of: the journal then knows of the one or of the other.
    var number: UInt64?
    var steps: [Journal.Step] = []
    /// Folders that are open already, so that they need not be looked for.
    var folders: [Key: OpenFile] = [:]

    struct Key: Hashable {
        let top: Place.Top
        let path: [Name]
    }

    mutating func know(_ folder: OpenFile, at path: [Name], of top: Place.Top = .documents) {
        folders[Key(top: top, path: path)] = folder
    }

    /// Those of the steps that come first, where things change places.
    var first = 0
    /// What drafts are drafts of when it is done.
    var drafts: [DraftRecord] = []

    var intent: Journal.Intent { Journal.Intent(steps: steps, first: first, drafts: drafts) }
    func isIntended(on store: Store) -> Bool { steps.count > 1 || !drafts.isEmpty || steps.contains(where: store.halves) }

    /// Whether, after a power cut, only the journal would know where something is: what leaves its place on the way,
    /// what replaces one thing by another, or what a draft belongs to.
    func restsOnJournal(on store: Store) -> Bool {
        guard isIntended(on: store) else { return false }
        if first > 0 || exchanges || !drafts.isEmpty { return true }
        return steps.contains { step in
            switch step {
            case .move(let from, let to), .add(let from, let to):
                from.top == .documents && (to.top != .documents || store.halves(step)) || from.top == .names || to.top == .names
            case .remove: false
            }
        }
    }

    /// What an earlier process began: whatever lies under its names now, nothing leads out of the container's own folders.
    var isResumed = false
    /// Two contents change places.
    var exchanges = false
    /// What is in staging then, and can be removed when nothing leads back.
    var discarded: [Name] = []
    /// The names that are kept, the places whose names go, and the folders of names that something moves to.
    var names: [Workshop.NewName] = []
    var nameless: Set<Place> = []
    var nameFolders: [[Name]] = []
}

extension Journal.Step {
    /// Clearing up staging: nobody is told when it fails, because the next opening does it.
    var isClearing: Bool { if case .remove(let place) = self { place.top == .staging } else { false } }

    var places: [Place] {
        switch self {
        case .move(let from, let to), .add(let from, let to): [from, to]
        case .remove(let place): [place]
        }
    }
}

extension Workshop {
    /// What a step replaces, until the plan is carried out.
    private enum Backup {
        case nothing
        /// It has this second name in staging, or there is a copy under it.
        case kept(Name)
        /// It is no file: what is replaced stays replaced.
        case impossible
    }

    private struct Done {
        let step: Journal.Step
        let backup: Backup
    }

    /// Carries out a plan, wholly or not at all.
    func carryOut(_ plan: Plan) throws(Errno) {
        do throws(Errno) {
            try stageNames(of: plan)
            try carryOutSteps(of: plan)
        } catch {
            clearNames(of: plan)
            throw error
        }
    }

    private func carryOutSteps(of plan: Plan) throws(Errno) {
        let intent = plan.isIntended(on: store) ? plan.number ?? nextNumber() : nil
        if let intent { try journal.append(.intent(intent, self.intent(of: plan))) }
        var done: [Done] = []
        defer { for last in done { drop(last.backup) } }
        do throws(Errno) {
            if plan.restsOnJournal(on: store) { try journal.synchronize() }
            for (index, step) in plan.steps.enumerated() {
                if let intent, index > 0, index == plan.first { try pass(intent, plan) }
                let mayFail = plan.steps[(index + 1)...].contains { !$0.isClearing }
                let backup = mayFail ? try backUp(step, as: Name("\(intent ?? 0).old\(index)"), plan) : .nothing
                do throws(Errno) { try perform(step, plan) } catch {
                    drop(backup)
                    if !step.isClearing { throw error }
                }
                done.append(Done(step: step, backup: backup))
                interludes.pass(.stepDone)
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
        for name in plan.discarded { try? removeTree(name, in: staging.descriptor) }
    }

    private func takeBack(_ done: [Done], _ plan: Plan, _ intent: UInt64?) {
        var isUndone = true
        for (index, last) in done.enumerated().reversed() {
            if let intent, plan.first > 0, index == plan.first - 1 { journal.conclude(.returned(intent)) }
            if !last.step.isClearing { isUndone = undo(last, plan) && isUndone }
        }
        // What could not be taken back is finished at the next opening, unless a draft goes on from here.
        if let number = plan.number { return journal.conclude(.undone(number)) }
        guard isUndone, let intent else { return }
        journal.conclude(.undone(intent))
        journal.conclude(.ended(intent))
    }

    /// From here on the first steps must not be done again: they are on the store before the journal says so.
    private func pass(_ intent: UInt64, _ plan: Plan) throws(Errno) {
        var seen: Set<Plan.Key> = []
        for place in plan.steps[..<plan.first].flatMap(\.places) where seen.insert(Plan.Key(top: place.top, path: place.path)).inserted {
            try folder(of: place, plan).descriptor.reopened([.read, .folder]).synchronize()
        }
        try journal.append(.passed(intent))
        try journal.synchronize()
    }

    /// Carries out what is left of a plan that was interrupted. False where it cannot be done any more, because
    /// somebody else went on from there meanwhile: then nothing of it is left. What is something else than what a step
    /// was about stays as it is: nothing is done that comes after it, but for what is removed last.
    func finish(_ intent: Journal.Intent, _ number: UInt64, hasPassed: Bool, strange: inout [Place]) throws(Errno) -> Bool {
        var plan = Plan(steps: intent.steps, first: intent.first)
        plan.isResumed = true
        plan.know(container.documents, at: [])
        plan.know(staging, at: [], of: .staging)
        var done: [Done] = [], hasPassed = hasPassed || intent.first == 0
        // In a copy of the container all nodes are others.
        let meanings = intent.anchor == anchor ? intent.meanings : []
        do throws(Errno) {
            for (index, step) in intent.steps.enumerated() where index >= intent.first || !hasPassed {
                if index > 0, index == intent.first, !hasPassed {
                    try pass(number, plan)
                    hasPassed = true
                }
                let meaning = meanings.indices.contains(index) ? meanings[index] : StepMeaning()
                switch try state(of: step, meaning, plan) {
                case .done: continue
                case .waits:
                    if try perform(step, meaning, number, plan) { done.append(Done(step: step, backup: .nothing)) } else { strange.append(step.places[0]) }
                case .strange(let place): strange.append(place)
                }
                if case .remove = step { continue }
                if !strange.isEmpty { throw .stale }
            }
            return true
        } catch {
            guard [.noSuchEntry, .notDirectory, .exists].contains(error) || error.isLasting || !strange.isEmpty else { throw error }
            if intent.first > 0, hasPassed {
                try bringHome(intent.steps[intent.first...])
                return true
            }
            for last in done.reversed() { _ = undo(last, plan) }
            if error.isLasting { throw error }
            return false
        }
    }

    /// What was on its way to a name that is somebody else's now gets the next one that is free.
    private func bringHome(_ steps: ArraySlice<Journal.Step>) throws(Errno) {
        for case .add(let from, let to) in steps where from.top == .staging && from.path.isEmpty && to.top == .documents {
            guard try staging.descriptor.exists(from.name) else { continue }
            try bringHome(from.name, to: nearestFolder(to: to.path).0, as: to.name)
        }
    }

    private func bringHome(_ staged: Name, to folder: OpenFile, as wanted: Name) throws(Errno) {
        var name = wanted, number = 0
        while true {
            do throws(Errno) { return try store.add(staged, of: staging.descriptor, to: folder.descriptor, as: name) } catch {
                guard error == .exists, number < 10_000 else { throw error }
                number += 1
                name = ShownName.numbered(wanted, number)
            }
        }
    }

    func perform(_ step: Journal.Step, _ plan: Plan) throws(Errno) {
        switch step {
        case .move(let from, let to), .add(let from, let to):
            let source = try folder(of: from, plan), target = try folder(of: to, plan)
            if case .add = step { return try store.add(from.name, of: source.descriptor, to: target.descriptor, as: to.name) }
            try source.descriptor.rename(from.name, to: target.descriptor, as: to.name)
        case .remove(let place):
            if place.top == .staging { try removeTree(place.name, in: try folder(of: place, plan).descriptor) } else {
                try folder(of: place, plan).descriptor.unlink(place.name)
            }
        }
    }

    /// Keeps what a step replaces under another name, so that the step can be taken back.
    private func backUp(_ step: Journal.Step, as name: Name?, _ plan: Plan) throws(Errno) -> Backup {
        guard case .move(_, let to) = step, let name else { return .nothing }
        do throws(Errno) {
            let folder = try folder(of: to, plan)
            if try store.secondName(of: to.name, in: folder.descriptor, to: staging.descriptor, as: name) { return .kept(name) }
            guard try folder.descriptor.status(of: to.name).type == .regular else { return .impossible }
            do throws(Errno) { try copy(to.name, of: folder.descriptor, as: name) } catch {
                try? staging.descriptor.unlink(name)
                throw error
            }
            return .kept(name)
        } catch {
            guard error == .noSuchEntry else { throw error }
            return .nothing
        }
    }

    private func copy(_ name: Name, of folder: borrowing Descriptor, as copyName: Name) throws(Errno) {
        let old = OpenFile(try folder.open(name, [.read, .nonBlocking])), copy = try stageFile(copyName)
        let status = try old.descriptor.status()
        try old.descriptor.copyAll(from: 0, count: status.size, to: copy, at: 0)
        try dress(copy, like: status, [old])
    }

    private func drop(_ backup: Backup) {
        if case .kept(let name) = backup { try? staging.descriptor.unlink(name) }
    }

    /// Takes a step back. The new content has both names for a moment: the document is there all the time, and the
    /// journal's steps can be done again from any point.
    private func undo(_ done: Done, _ plan: Plan) -> Bool {
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
                    try bringHome(to.name, to: source, as: from.name)
                }
            case .kept(let backup):
                // Without a second name nothing is there for an instant, and the journal knows it.
                if try !store.secondName(of: to.name, in: target.descriptor, to: source.descriptor, as: from.name) {
                    try target.descriptor.rename(to.name, to: source.descriptor, as: from.name)
                }
                try staging.descriptor.rename(backup, to: target.descriptor, as: to.name)
            case .impossible: return false
            }
            return true
        } catch { return false }
    }

    func folder(of place: Place, _ plan: Plan) throws(Errno) -> OpenFile {
        if let known = plan.folders[Plan.Key(top: place.top, path: place.path)] { return known }
        let top: OpenFile? = switch place.top {
        case .documents: container.documents
        case .staging: staging
        case .versions: versions
        case .names: try container.nameFolder([])
        }
        guard let top else { throw .noSuchEntry }
        return try plan.isResumed ? top.folderWithinMount(at: place.path) : top.folder(at: place.path)
    }

    /// Removes a file, or a folder with all that is in it. Symbolic links are removed, not followed.
    func removeTree(_ name: Name, in folder: borrowing Descriptor) throws(Errno) {
        do throws(Errno) { return try folder.unlink(name) } catch {
            if error == .noSuchEntry { return }
            guard error == .isDirectory || error == .notPermitted else { throw error }
        }
        let inner = try folder.open(name, [.path, .folder])
        var entries = try FolderReader(inner)
        while let entry = try entries.next() { try removeTree(entry.name, in: inner) }
        try folder.removeFolder(name)
    }
}
