import LinuxFiles
import Transactions

/// Carries out what is left of plans that an earlier process began.
final class PlanFinishing: Sendable {
    private let container: Container
    private let staging: Staging
    private let folders: ContainerFolders
    private let plans: PlanExecution

    init(container: Container, staging: Staging, folders: ContainerFolders, plans: PlanExecution) {
        (self.container, self.staging, self.folders, self.plans) = (container, staging, folders, plans)
    }

    /// Carries out what is left of a plan that was interrupted. False where it cannot be done any more, because
    /// somebody else went on from there meanwhile: then nothing of it is left. What is something else than what a step
    /// was about stays as it is: nothing is done that comes after it, but for what is removed last, and for what nothing
    /// leads back from.
    func finish(_ intent: Journal.Intent, _ number: UInt64, hasPassed: Bool, strange: inout [Place]) throws(Errno) -> Bool {
        var plan = Plan(steps: intent.steps, exchangingSteps: intent.exchangingSteps)
        plan.isResumed = true
        plan.know(container.documents, at: [])
        plan.know(staging.folder, at: [], of: .staging)
        var done: [PlanExecution.Done] = [], hasPassed = hasPassed || intent.exchangingSteps == 0
        // In a copy of the container all nodes are others.
        let meanings = intent.anchor == staging.anchor ? intent.meanings : []
        /// Something is on its way: nothing leads back from there.
        var isUnderWay = intent.exchangingSteps > 0 && hasPassed
        do throws(Errno) {
            for (index, step) in intent.steps.enumerated() where index >= intent.exchangingSteps || !hasPassed {
                if index > 0, index == intent.exchangingSteps, !hasPassed {
                    try plans.pass(number, plan)
                    (hasPassed, isUnderWay) = (true, true)
                }
                let meaning = meanings.indices.contains(index) ? meanings[index] : StepMeaning()
                do throws(Errno) {
                    if try advance(index, meaning, number, plan, &done, &strange) { isUnderWay = true }
                } catch {
                    guard isUnderWay, Self.isMeanwhile(error, strange) || error.isLasting else { throw error }
                    if try bringHome(step, plan) {
                        if strange.last == step.target { strange.removeLast() }
                    } else if error.isLasting {
                        throw error
                    }
                }
            }
            return true
        } catch {
            guard Self.isMeanwhile(error, strange) || error.isLasting else { throw error }
            for last in done.reversed() { _ = plans.undo(last, plan) }
            if error.isLasting { throw error }
            return false
        }
    }

    /// Carries a step out that waits. Throws where it, or one before it, is about something else by now, which is
    /// `strange` then; but for removals, which come last. True where an earlier process has done it, and what it took
    /// out of the documents is in staging.
    private func advance(
        _ index: Int, _ meaning: StepMeaning, _ number: UInt64, _ plan: Plan, _ done: inout [PlanExecution.Done],
        _ strange: inout [Place]
    ) throws(Errno) -> Bool {
        let step = plan.steps[index]
        switch try state(of: index, meaning, plan) {
        case .done: return try hasLeft(step, plan)
        case .waits:
            if try perform(step, meaning, number, plan) {
                done.append(PlanExecution.Done(step: step, backup: .nothing))
            } else {
                strange.append(step.places[0])
            }
        case .strange(let place): strange.append(place)
        }
        if case .remove = step { return false }
        if !strange.isEmpty { throw .stale }
        return false
    }

    /// Whether a step failed because of what somebody else did meanwhile. A store that says of itself that something is
    /// stale is asked again another time.
    private static func isMeanwhile(_ error: Errno, _ strange: [Place]) -> Bool {
        [.noSuchEntry, .notDirectory, .exists].contains(error) || !strange.isEmpty
    }

    /// Whether what a step took out of the documents waits in staging.
    private func hasLeft(_ step: Journal.Step, _ plan: Plan) throws(Errno) -> Bool {
        guard step.places[0].top == .documents, let to = step.target, to.top == .staging else { return false }
        return try plans.node(at: to, plan) != .nothing
    }

    /// What was on its way to a name that is somebody else's now, or into a package that has another place, gets the
    /// next one that is free. False where nothing was on its way.
    private func bringHome(_ step: Journal.Step, _ plan: Plan) throws(Errno) -> Bool {
        let from = step.places[0]
        guard let to = step.target, from.top == .staging, to.top == .documents, try plans.node(at: from, plan) != .nothing else {
            return false
        }
        try folders.bringHome(from, in: plans.folder(of: from, plan), to: container.nearestFolder(to: to.path).0, as: to.name)
        return true
    }

    enum StepState {
        case done
        case waits
        /// What lies there is not what was meant.
        case strange(Place)
    }

    /// Whether a step of an earlier process was done, and may be done. Its source is gone where it was, and something that
    /// was to come into staging, or from a document into a version of it, is there already: what has its name now came after it.
    func state(of index: Int, _ meaning: StepMeaning, _ plan: Plan) throws(Errno) -> StepState {
        let step = plan.steps[index], source = try plans.node(at: step.places[0], plan)
        if source == .nothing { return .done }
        let isSame = plan.ended(by: index).map { isAsItWas($0, meaning, plan) } ?? true
        switch step {
        case .remove(let place): return source.fits(meaning.source) && isSame ? .waits : .strange(place)
        case .move(let from, let to), .add(let from, let to):
            let target = try plans.node(at: to, plan)
            if from.top == .documents, to.top == .staging, try hasGoneOn(from: to, after: index, meaning, plan) {
                return .done
            }
            if !source.fits(meaning.source) { return target == meaning.source ? .done : .strange(from) }
            if from.top != .staging, to.top == .staging, target != .nothing { return .done }
            if case .move = step, from.top == .documents, to.top == .versions, target != .nothing { return .done }
            // Not there: the step says so itself.
            if let folder = try? plans.folder(of: to, plan).descriptor.birth(), !StepMeaning.Node.this(folder).fits(meaning.folder) { return .strange(to) }
            if case .move = step, target != .nothing, target != meaning.source, !target.fits(meaning.target) { return .strange(to) }
            if !isSame, target != meaning.source { return .strange(from.top == .documents && to.top == .staging ? from : to) }
            return .waits
        }
    }

    /// Whether nobody has written into a file since the plan was to make an end of it.
    private func isAsItWas(_ place: Place, _ meaning: StepMeaning, _ plan: Plan) -> Bool {
        guard let ended = meaning.ended, let now = plans.content(at: place, plan) else { return true }
        return now == ended
    }

    /// Whether what a step took out of the documents is not in staging any more, because a later step has made a
    /// version of it.
    private func hasGoneOn(
        from place: Place, after index: Int, _ meaning: StepMeaning, _ plan: Plan
    ) throws(Errno) -> Bool {
        guard let end = plan.destination(of: place, after: index + 1), end.top == .versions else { return false }
        let kept = try plans.node(at: end, plan)
        return kept != .nothing && kept.fits(meaning.source)
    }

    /// Carries out a step of an earlier process. Between the look and the step, somebody may have given its name to something
    /// else: then that is back where it was, and the step was not done. False in that case.
    func perform(_ step: Journal.Step, _ meaning: StepMeaning, _ number: UInt64, _ plan: Plan) throws(Errno) -> Bool {
        guard case .this = meaning.source else {
            try plans.perform(step, plan)
            return true
        }
        switch step {
        case .move(let from, let to), .add(let from, let to):
            try plans.perform(step, plan)
            if try plans.node(at: to, plan).fits(meaning.source) { return true }
            try plans.perform(.add(to, from), plan)
            return false
        case .remove(let place) where place.top == .documents:
            let gone = Place.staged(Name.staged(number, ".gone"))
            try plans.perform(.add(place, gone), plan)
            if try plans.node(at: gone, plan).fits(meaning.source), isAsItWas(gone, meaning, plan) {
                try plans.perform(.remove(gone), plan)
                return true
            }
            try plans.perform(.add(gone, place), plan)
            return false
        case .remove:
            try plans.perform(step, plan)
            return true
        }
    }
}

extension StepMeaning.Node {
    fileprivate func fits(_ meant: Self) -> Bool { meant == .any || self == meant || self == .any }
}
