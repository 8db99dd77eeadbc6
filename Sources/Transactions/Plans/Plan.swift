import LinuxFiles

/// A change as a list of renames and removals. One of them is atomic by itself; several are written into the journal first.
package struct Plan {
    /// The draft that the plan makes an end of: the journal then knows of the one or of the other.
    package var number: UInt64?
    package var steps: [Journal.Step] = []
    /// Folders that are open already, so that they need not be looked for.
    var folders: [Key: OpenFile] = [:]

    package init(number: UInt64? = nil, steps: [Journal.Step] = [], exchangingSteps: Int = 0, drafts: [DraftRecord] = []) {
        (self.number, self.steps, self.exchangingSteps, self.drafts) = (number, steps, exchangingSteps, drafts)
    }

    struct Key: Hashable {
        let top: Place.Top
        let path: [Name]
    }

    package mutating func know(_ folder: OpenFile, at path: [Name], of top: Place.Top = .documents) {
        folders[Key(top: top, path: path)] = folder
    }

    /// What lies where, as far as it was looked at already.
    private(set) var nodes: [(place: Place, node: StepMeaning.Node)] = []

    package mutating func know(_ node: StepMeaning.Node, at place: Place) { nodes.append((place, node)) }
    package func node(at place: Place) -> StepMeaning.Node? { nodes.last { $0.place == place }?.node }

    /// What moves replace, as it was when it was looked at, and the packages that they lead into. What somebody else puts there meanwhile, nobody has
    /// looked at: it is not replaced.
    private(set) var replaced: [Place: FileIdentity] = [:]

    package mutating func replace(_ node: FileIdentity, at place: Place) { replaced[place] = node }

    /// How many steps come first, in which things change places: of these alone, what is under a name does not tell whether they were done.
    package var exchangingSteps = 0
    /// What drafts are drafts of when it is done.
    package var drafts: [DraftRecord] = []

    var intent: Journal.Intent { Journal.Intent(steps: steps, exchangingSteps: exchangingSteps, drafts: drafts) }
    func isIntended(on store: Store) -> Bool { steps.count > 1 || !drafts.isEmpty || steps.contains(where: store.halves) }

    /// Whether, after a power cut, only the journal would know where something is: what leaves its place on the way,
    /// what replaces one thing by another, or what a draft belongs to.
    func restsOnJournal(on store: Store) -> Bool {
        guard isIntended(on: store) else { return false }
        if exchangingSteps > 0 || exchanges || !drafts.isEmpty { return true }
        return steps.contains { step in
            switch step {
            case .move(let from, let to), .add(let from, let to):
                from.top == .documents && (to.top != .documents || store.halves(step)) || from.top == .names || to.top == .names
            case .remove: false
            }
        }
    }

    /// What an earlier process began: whatever lies under its names now, nothing leads out of the container's own folders.
    package var isResumed = false
    /// Two contents change places.
    package var exchanges = false
    /// What is in staging then, and can be removed when nothing leads back.
    package var discarded: [Name] = []
    /// What is written into staging before the first step.
    package var smallFiles: [SmallFile] = []
    /// The places whose names go, and the folders of names that something moves to.
    package var forgotten: Set<Place> = []
    package var nameFolders: [[Name]] = []

    package struct SmallFile {
        package let staged: Name
        package let content: [UInt8]

        package init(staged: Name, content: [UInt8]) { (self.staged, self.content) = (staged, content) }
    }
}

extension Plan {
    /// Whether one of the steps moves away what lies there.
    package func takesAway(_ place: Place) -> Bool {
        steps.contains { step in if case .add(place, _) = step { true } else { false } }
    }

    /// Whether what waits under a number in case its name comes back is what one of the steps puts in its place, or makes an end of.
    package func bringsBack(away number: UInt64) -> Bool {
        let waiting = Place.staged(.away(number))
        return steps.contains { $0.places[0] == waiting }
    }

    /// The step that makes an end of a draft.
    package static func ending(draft number: UInt64?) -> [Journal.Step] { number.map { [.remove(.staged(.staged($0)))] } ?? [] }
}

extension Journal.Step {
    /// Clearing up staging: nobody is told when it fails, because the next opening does it.
    var isClearing: Bool { if case .remove(let place) = self { place.top == .staging } else { false } }

    /// Where something comes to.
    package var target: Place? {
        switch self {
        case .move(_, let to), .add(_, let to): to
        case .remove: nil
        }
    }

    package var places: [Place] {
        switch self {
        case .move(let from, let to), .add(let from, let to): [from, to]
        case .remove(let place): [place]
        }
    }
}

extension Plan {
    /// The steps with which a document's new parts come from staging to their places: `home` is what they come into, which the document
    /// itself is, or what it is made of before it gets its name. `names` are those of
    /// the parts, `way` the folders that lead to them, nil of a document that is a file. A part that stays has no place
    /// in staging.
    ///
    /// The content comes last: until then the document is the old one, whole.
    package static func placing(_ staged: [Place?], called names: [Name]?, by way: [Name] = [], in home: Place, as target: Place) -> [Journal.Step] {
        guard let names else {
            return staged.compactMap { $0 }.map { home == target ? .move($0, target) : .add($0, target) }
        }
        let inside = home.part(way), steps = zip(staged, names).reversed().compactMap { place, part -> Journal.Step? in
            // A draft's content is in its own package already.
            guard let place, place != inside.part(part) else { return nil }
            return .move(place, inside.part(part))
        }
        return home == target ? steps : steps + [.add(home, target)]
    }
}
