/// Whoever has a claim, or asks for it: from when it is asked for until it is given up.
package enum Holding: HandOverRole {
    /// Nobody has granted it.
    case asking
    /// The program uses its items.
    case held
    /// Whoever granted it is gone; the program uses its items, and looks for the next one who serves.
    case left
    /// The next one was told that it goes on, and has not answered.
    case resuming
    case over
    /// It does not go on, and the program uses its items still.
    case lost

    package enum Event: CaseIterable, Hashable, Sendable {
        /// Whoever serves has answered: yes, no, or that somebody else is to be asked. Nobody there to answer is the same as that.
        case granted, refused, hungUp
        /// The connection has ended at its other end.
        case connectionEnded
        /// It was granted by this process, which serves no more in a moment.
        case servingEnds
        /// There is somebody who serves, or nobody was found often enough.
        case nextFound, noneFound
        case givenUp
    }

    package enum Action: Hashable, Sendable {
        case use
        /// Whoever serves next is to see that there is one.
        case note
        case lookForNext
        /// The next one is told of it.
        case resume
        case goOn
        case lookAgain
        case complain
        /// Whoever serves is told that it is over, and the connection is good for another claim.
        case release
        /// The connection goes, and what was granted by it.
        case drop
    }

    package static func moment(_ event: Event) -> HandOverMoment { .holding(event) }

    package func after(_ event: Event) -> HandOverPassage<Self>? {
        switch self {
        case .asking:
            switch event {
            case .granted: become(.held, .use)
            // Nothing was done in it yet: what is granted after that is asked for once more.
            case .refused, .hungUp, .connectionEnded, .servingEnds: become(.over)
            case .nextFound, .noneFound, .givenUp: nil
            }
        case .held:
            switch event {
            case .connectionEnded: become(.left, .lookForNext)
            case .servingEnds: stay(.note)
            case .givenUp: become(.over, .release)
            case .granted, .refused, .hungUp, .nextFound, .noneFound: nil
            }
        case .left:
            switch event {
            // It comes from a server that had gone before it was heard.
            case .granted, .refused, .hungUp: stay(.lookAgain)
            case .connectionEnded, .servingEnds: stay()
            case .nextFound: become(.resuming, .resume)
            case .noneFound: become(.lost, .complain)
            case .givenUp: become(.over)
            }
        case .resuming:
            switch event {
            case .granted: become(.held, .goOn)
            case .refused: become(.lost, .complain)
            case .hungUp: become(.left, .lookAgain)
            // Who waits for the answer looks again.
            case .connectionEnded: become(.left)
            case .servingEnds: stay()
            case .givenUp: become(.over)
            case .nextFound, .noneFound: nil
            }
        case .over:
            switch event {
            case .granted: stay(.drop)
            case .refused, .hungUp, .connectionEnded, .servingEnds, .nextFound, .noneFound: stay()
            case .givenUp: nil
            }
        case .lost:
            switch event {
            case .connectionEnded, .servingEnds: stay()
            case .givenUp: become(.over)
            case .granted, .refused, .hungUp, .nextFound, .noneFound: nil
            }
        }
    }
}

/// Whoever waits for a container's lock to mount it.
package enum Wanting: HandOverRole {
    case idle
    /// It says so to whoever has the lock.
    case asking
    case asked

    package enum Event: CaseIterable, Hashable, Sendable {
        /// It tried to take the lock, and somebody else has it.
        case lockIsTaken
        case said, notSaid
        /// Whoever was asked is gone.
        case hungUp
    }

    package enum Action: Hashable, Sendable { case ask }

    package static func moment(_ event: Event) -> HandOverMoment { .wanting(event) }

    package func after(_ event: Event) -> HandOverPassage<Self>? {
        switch self {
        case .idle:
            switch event {
            case .lockIsTaken: become(.asking, .ask)
            case .said, .notSaid, .hungUp: nil
            }
        case .asking:
            switch event {
            case .said: become(.asked)
            case .notSaid: become(.idle)
            case .lockIsTaken, .hungUp: nil
            }
        case .asked:
            switch event {
            case .lockIsTaken: stay()
            case .hungUp: become(.idle)
            case .said, .notSaid: nil
            }
        }
    }
}
