import LinuxFiles

/// How the container's lock goes from one process to the next, and how the claims that were granted before go on there. Three take part:
/// whoever serves (`Serving`), whoever has a claim (`Holding`) and whoever waits for the lock (`Wanting`). Each has states, and a table
/// that says of every state and event what follows. Here is where one of them is now. Pure: who has one says what has happened, and
/// does what the answer says.
package struct HandOver<Role: HandOverRole>: Hashable, Sendable {
    package private(set) var state: Role

    package init(_ state: Role) { self.state = state }

    /// Answers what is to be done now; nil where that is nothing.
    @discardableResult package mutating func handle(_ event: Role.Event) -> Role.Action? {
        HandOverMoment.testPoints.pass(Role.moment(event))
        guard let passage = state.after(event) else {
            assertionFailure("\(event) cannot happen while it is \(state)")
            return nil
        }
        state = passage.state
        return passage.action
    }
}

/// The states of one who takes part, and the table of what follows.
package protocol HandOverRole: CaseIterable, Hashable, Sendable {
    associatedtype Event: CaseIterable & Hashable & Sendable
    associatedtype Action: Hashable & Sendable

    /// nil for what cannot happen in this state.
    func after(_ event: Event) -> HandOverPassage<Self>?
    static func moment(_ event: Event) -> HandOverMoment
}

extension HandOverRole {
    func stay(_ action: Action? = nil) -> HandOverPassage<Self> { HandOverPassage(state: self, action: action) }
    func become(_ state: Self, _ action: Action? = nil) -> HandOverPassage<Self> { HandOverPassage(state: state, action: action) }
}

package struct HandOverPassage<Role: HandOverRole>: Sendable {
    package let state: Role
    package let action: Role.Action?
}

/// Something that happens to one of them. For trials that end a process there.
package enum HandOverMoment: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case serving(Serving.Event), holding(Holding.Event), wanting(Wanting.Event)

    package static let allCases = Serving.Event.allCases.map(Self.serving) + Holding.Event.allCases.map(Self.holding) + Wanting.Event.allCases.map(Self.wanting)
    package static let testPoints = TestPoints<HandOverMoment>()

    package var description: String {
        switch self {
        case .serving(let event): "serving-\(event)"
        case .holding(let event): "holding-\(event)"
        case .wanting(let event): "wanting-\(event)"
        }
    }
}
