import LinuxFiles

// The journal says of each draft what it is a draft of: an item in a folder, or a new one there. Whatever moves the
// item or the folder takes the draft along, so that the next process finds it where its document is.
extension Plan {
    /// What those drafts are drafts of when the plan is done which are of what it moves. It says that itself of some,
    /// and makes an end of others: these are not among them.
    func moved(_ drafts: [DraftRecord]) -> [DraftRecord] {
        guard !drafts.isEmpty, steps.contains(where: { $0.target != nil && $0.places[0].top == .documents }) else {
            return []
        }
        var own = Set(self.drafts.map(\.number))
        if let number { own.insert(number) }
        for place in steps.flatMap(\.places) where place.top == .staging {
            if let number = (place.path.first ?? place.name).stagedNumber { own.insert(number) }
        }
        return drafts.filter { !own.contains($0.number) }.compactMap(moved).sorted { $0.number < $1.number }
    }

    /// Nil where it stays, and where its document is replaced, put away or made anew: that is no move.
    private func moved(_ draft: DraftRecord) -> DraftRecord? {
        var moved = draft
        if let item = draft.item {
            guard let now = destination(of: item, after: 0), now.top == .documents else { return nil }
            (moved.path, moved.stored) = (now.path, now.name)
        } else {
            guard let name = draft.path.last,
                let now = destination(of: .item(name, in: draft.path.dropLast()), after: 0), now.top == .documents
            else { return nil }
            moved.path = now.path + [now.name]
        }
        return moved == draft ? nil : moved
    }
}

extension DraftRecord {
    /// What it is a draft of; nil of a new one.
    package var item: Place? { stored.map { .item($0, in: path) } }
}
