import LinuxFiles

/// What the journal of an earlier process says is under way still.
struct Unfinished {
    var intents: [UInt64: Journal.Intent] = [:]
    /// Intents whose first steps are done.
    var passed: Set<UInt64> = []
    var drafts: [UInt64: DraftRecord] = [:]
    var sealed: [UInt64: Int64] = [:]
    var incomplete: Set<UInt64> = []

    mutating func take(_ record: Journal.Record) {
        switch record {
        case .draft(let draft): drafts[draft.number] = draft
        case .intent(let number, let intent):
            intents[number] = intent
            passed.remove(number)
        case .passed(let number): passed.insert(number)
        case .returned(let number): passed.remove(number)
        case .undone(let number): intents[number] = nil
        case .sealed(let number, let length): sealed[number] = length
        case .unsealed(let number): sealed[number] = nil
        case .incomplete(let number): incomplete.insert(number)
        case .complete(let number): incomplete.remove(number)
        case .ended(let number):
            if let intent = intents.removeValue(forKey: number) { follow(intent) }
            drafts[number] = nil
            sealed[number] = nil
            passed.remove(number)
        }
    }

    /// An intent was carried out: drafts are drafts of what it made.
    mutating func follow(_ intent: Journal.Intent) {
        for draft in intent.drafts { drafts[draft.number] = draft }
    }
}

extension Unfinished {
    var isEmpty: Bool { intents.isEmpty && drafts.isEmpty }

    /// "1 draft and 2 changes"; nil where there is nothing.
    var summary: String? {
        let what = [(drafts.count, "draft"), (intents.count, "change")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return what.isEmpty ? nil : what.joined(separator: " and ")
    }

    /// Whether something in staging belongs to what is under way.
    func owns(staged name: Name) -> Bool {
        if let number = Workshop.number(ofStaged: name), intents[number] != nil || drafts[number] != nil { return true }
        if drafts.values.contains(where: { $0.away.map { AwayItem.staged($0.number) } == name }) { return true }
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
