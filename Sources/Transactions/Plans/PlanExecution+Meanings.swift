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
        let end = plan.ended(by: index)
        var ended: BaseStamp?
        func node(_ place: Place) -> StepMeaning.Node {
            guard let was = plan.origin(of: place, after: index) else { return .nothing }
            guard let found = try? look(at: was, plan, forContent: place == end) else { return .any }
            if place == end { ended = found.content }
            return found.node
        }
        var meaning: StepMeaning
        switch plan.steps[index] {
        case .move(let from, let to), .add(let from, let to):
            meaning = StepMeaning(source: node(from), target: node(to))
            if to.top == .documents {
                // A package may have come there with the plan.
                if let package = to.folder { meaning.folder = node(package) } else {
                    meaning.folder = documentsBirth.map { .this($0) } ?? .any
                }
            }
        case .remove(let place): meaning = StepMeaning(source: node(place))
        }
        // What is not there now is made until then.
        if meaning.source == .nothing { meaning.source = .any }
        meaning.ended = ended
        return meaning
    }

    package func node(at place: Place, _ plan: Plan) throws(Errno) -> StepMeaning.Node {
        try look(at: place, plan, forContent: false).node
    }

    /// What is in a file, in short; nil where there is none.
    package func content(at place: Place, _ plan: Plan) -> BaseStamp? {
        (try? look(at: place, plan, forContent: true))?.content
    }

    /// What lies there, and of a file what is in it. A plan may know the node already.
    private func look(
        at place: Place, _ plan: Plan, forContent: Bool
    ) throws(Errno) -> (node: StepMeaning.Node, content: BaseStamp?) {
        let known = plan.node(at: place)
        if let known, !forContent { return (known, nil) }
        do throws(Errno) {
            let (status, made) = try folder(of: place, plan).descriptor.statusAndBirth(of: place.name)
            let content = status.type == .regular ? BaseStamp(status) : nil
            return (known ?? NodeBirth(status, made: made).map { .this($0) } ?? .any, content)
        } catch {
            guard [.noSuchEntry, .notDirectory].contains(error) else { throw error }
            return (known ?? .nothing, nil)
        }
    }
}
