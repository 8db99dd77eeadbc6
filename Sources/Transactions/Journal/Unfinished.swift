import LinuxFiles

/// What the journal of an earlier process says is under way still.
package struct Unfinished {
    package var intents: [UInt64: Journal.Intent] = [:]
    /// Intents whose first steps are done.
    package var passed: Set<UInt64> = []
    package var drafts: [UInt64: DraftRecord] = [:]
    package var sealed: [UInt64: Int64] = [:]
    package var incomplete: Set<UInt64> = []

    package init() {}

    /// An intent was carried out: drafts are drafts of what it made.
    package mutating func follow(_ intent: Journal.Intent) {
        for draft in intent.drafts { drafts[draft.number] = draft }
    }
}

extension Unfinished {
    package var isEmpty: Bool { intents.isEmpty && drafts.isEmpty }

    /// "1 draft and 2 changes"; nil where there is nothing.
    package var summary: String? {
        let what = [(drafts.count, "draft"), (intents.count, "change")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return what.isEmpty ? nil : what.joined(separator: " and ")
    }

    /// Whether something in staging belongs to what is under way.
    package func owns(staged name: Name) -> Bool {
        if let number = name.stagedNumber, intents[number] != nil || drafts[number] != nil { return true }
        if drafts.values.contains(where: { $0.away.map { Name.away($0.number) } == name }) { return true }
        return intents.values.flatMap(\.steps).contains { step in
            switch step {
            case .move(let from, let to), .add(let from, let to): from.isStaged(name) || to.isStaged(name)
            case .remove(let place): place.isStaged(name)
            }
        }
    }
}

extension Place {
    /// It is this entry of staging, or something in it.
    fileprivate func isStaged(_ entry: Name) -> Bool { top == .staging && (path.first ?? name) == entry }
}
