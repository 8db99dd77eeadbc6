import LinuxFiles

// What the steps of a plan are about, for the journal.
extension PlanExecution {
    /// The plan as the journal is to know it.
    package func intent(of plan: Plan) -> Journal.Intent {
        var intent = plan.intent
        guard let anchor = staging.anchor, !plan.steps.isEmpty else { return intent }
        intent.anchor = anchor
        intent.meanings = plan.steps.indices.map { meaning(of: $0, in: plan) }
        return intent
    }

    private func meaning(of index: Int, in plan: Plan) -> StepMeaning {
        func node(_ place: Place) -> StepMeaning.Node {
            plan.origin(of: place, after: index).map { was in (try? self.node(at: was, plan)) ?? .any } ?? .nothing
        }
        let ended = plan.ended(by: index).flatMap { plan.origin(of: $0, after: index) }.flatMap { content(at: $0, plan) }
        switch plan.steps[index] {
        case .move(let from, let to), .add(let from, let to):
            var meaning = StepMeaning(source: node(from), target: node(to), ended: ended)
            if to.top == .documents {
                // A package may have come there with the plan.
                if let package = to.folder { meaning.folder = node(package) } else {
                    meaning.folder = documentsBirth.map { .this($0) } ?? .any
                }
            }
            // What is not there now is made until then.
            if meaning.source == .nothing { meaning.source = .any }
            return meaning
        case .remove(let place):
            let source = node(place)
            return StepMeaning(source: source == .nothing ? .any : source, ended: ended)
        }
    }

    /// What is in a file, in short; nil where there is none.
    package func content(at place: Place, _ plan: Plan) -> BaseStamp? {
        guard let status = try? folder(of: place, plan).descriptor.statusIfThere(place.name), status.type == .regular else {
            return nil
        }
        return BaseStamp(status)
    }

    package func node(at place: Place, _ plan: Plan) throws(Errno) -> StepMeaning.Node {
        if let known = plan.node(at: place) { return known }
        do throws(Errno) { return try folder(of: place, plan).descriptor.birth(of: place.name).map { .this($0) } ?? .any } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return .nothing
        }
    }
}
