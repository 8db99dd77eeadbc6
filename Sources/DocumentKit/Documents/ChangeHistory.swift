/// Which state of its content a document is in, and which one was saved. Pure.
///
/// Each state has a number of its own, so that undoing to what was saved is no change, and an edit made during a save is one.
struct ChangeHistory {
    private var states: [UInt64] = [0]
    private var index = 0
    private var last: UInt64 = 0
    private var saved: UInt64? = 0
    /// What was before is of no account: it was loaded anew since.
    private var first: UInt64 = 0

    private static let most = 4096

    var current: UInt64 { states[index] }
    var hasUnsavedChanges: Bool { saved != current }

    private mutating func newState() -> UInt64 {
        last &+= 1
        return last
    }

    /// A new change: what was undone before it is out of reach.
    mutating func done() {
        states.removeSubrange((index + 1)...)
        states.append(newState())
        if states.count > Self.most { states.removeFirst(states.count - Self.most) }
        index = states.count - 1
    }

    mutating func undone() {
        if index == 0 { states.insert(newState(), at: 0) } else { index -= 1 }
    }

    mutating func redone() {
        index += 1
        if index == states.count { states.append(newState()) }
    }

    /// What it is now, is saved.
    mutating func clear() { saved = current }

    /// What it was then, is saved.
    mutating func noteSaved(_ state: UInt64) { if state >= first { saved = state } }

    /// It is something else than anything that it was: nothing is saved of it.
    mutating func begin() {
        self = ChangeHistory(after: newState())
    }

    init() {}
    private init(after state: UInt64) { (states, last, saved, first) = ([state], state, state, state) }
}
