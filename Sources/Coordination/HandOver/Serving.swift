/// Whoever serves the claims on a container: from when it has the lock until it has let go of it.
package enum Serving: HandOverRole {
    /// It looks which claims there are from before. Nobody can connect.
    case lookingBack
    /// The same, and it knows: there are none, or some.
    case opening, openingForSome
    /// Some claims from before were not resumed: nothing new is granted.
    case awaiting
    /// The same, and somebody waits for the lock.
    case awaitingWanted
    case granting
    /// Somebody waits for the lock: nothing new is granted.
    case wanted
    /// All that is granted goes on at the next one: the socket loses its name.
    case closing
    /// Nothing begins any more. It ends as soon as all that is granted goes on at the next one; or this process's own claims have ended as well;
    /// or all have, or it is late.
    case leaving, leavingAfterOwn, leavingAfterAll
    /// No claim is waited for: it ends at once.
    case finished
    /// It has ended: this process's own claims are noted, so that the next one sees them; then the lock goes; then all connections.
    case noting, lettingGo, hangingUp
    case over

    package enum Event: CaseIterable, Hashable, Sendable {
        case noneFromBefore, someFromBefore
        /// Programs can connect.
        case listens
        /// A program asks for a claim.
        case claimCame
        /// A claim can be granted: nobody else has its items, and those who present them have saved.
        case turnCame
        /// The same, of a claim by a presenter, which somebody else's waits for.
        case innerTurnCame
        /// A program says that a claim was granted by whoever served before.
        case resumeCame
        /// All claims from before were resumed, or have ended.
        case allResumed
        /// Somebody waits for the lock; and is there no more.
        case lockWanted, wanterGone
        /// None of those is left that `waitsFor` says.
        case nobodyIsWaitedFor
        case listensNoMore
        /// The process is about to end, or the drive, or what coordinates in the process.
        case stopAfterOwn, stopAfterAll
        /// The thread has ended, because it is finished or because it cannot wait for messages.
        case servesNoMore
        case ownAreNoted, lockIsFree, allHungUp
    }

    package enum Action: Hashable, Sendable {
        /// What programs wrote for claims that are gone is removed.
        case clearHanded
        /// The claim waits for its turn; or until all from before are resumed; or is told to ask whoever comes next.
        case enter, setAside, refuse
        case enterSetAside
        /// The program hears that its claim is granted; or not before nobody waits for the lock any more.
        case tell, holdBack
        case tellHeldBack
        /// The claim goes on.
        case take
        case stopListening
        /// Who waits for a claim is told to ask whoever comes next.
        case refuseWaiting
        case noteOwn, letGo, hangUp, resumeOwn
    }

    /// Whose claims are waited for before it can hand over, or end.
    package enum Waiting: Hashable, Sendable { case whatCannotGoOn, ownToo, all }

    package var waitsFor: Waiting? {
        switch self {
        case .awaitingWanted, .wanted, .leaving: .whatCannotGoOn
        case .leavingAfterOwn: .ownToo
        case .leavingAfterAll: .all
        case .lookingBack, .opening, .openingForSome, .awaiting, .granting, .closing, .finished, .noting, .lettingGo, .hangingUp, .over: nil
        }
    }

    package var isEnding: Bool {
        switch self {
        case .leaving, .leavingAfterOwn, .leavingAfterAll, .finished, .noting, .lettingGo, .hangingUp, .over: true
        case .lookingBack, .opening, .openingForSome, .awaiting, .awaitingWanted, .granting, .wanted, .closing: false
        }
    }

    package static func moment(_ event: Event) -> HandOverMoment { .serving(event) }

    package func after(_ event: Event) -> HandOverPassage<Self>? {
        switch self {
        case .lookingBack:
            switch event {
            case .noneFromBefore: become(.opening)
            case .someFromBefore: become(.openingForSome)
            case .listens, .claimCame, .turnCame, .innerTurnCame, .resumeCame, .allResumed, .lockWanted, .wanterGone, .nobodyIsWaitedFor, .listensNoMore, .stopAfterOwn,
                .stopAfterAll, .servesNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .opening, .openingForSome:
            switch event {
            case .listens: self == .opening ? become(.granting, .clearHanded) : become(.awaiting)
            case .noneFromBefore, .someFromBefore, .claimCame, .turnCame, .innerTurnCame, .resumeCame, .allResumed, .lockWanted, .wanterGone, .nobodyIsWaitedFor, .listensNoMore,
                .stopAfterOwn, .stopAfterAll, .servesNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .awaiting:
            switch event {
            case .claimCame: stay(.setAside)
            // A claim that goes on, and stood behind another one.
            case .turnCame, .innerTurnCame: stay(.tell)
            case .resumeCame: stay(.take)
            case .allResumed: become(.granting, .enterSetAside)
            case .lockWanted: become(.awaitingWanted)
            case .stopAfterOwn: become(.leavingAfterOwn, .refuseWaiting)
            case .stopAfterAll: become(.leavingAfterAll, .refuseWaiting)
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .wanterGone, .nobodyIsWaitedFor, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .awaitingWanted:
            switch event {
            case .claimCame: stay(.setAside)
            case .turnCame: stay(.holdBack)
            case .innerTurnCame: stay(.tell)
            case .resumeCame: stay(.take)
            case .allResumed: become(.wanted, .enterSetAside)
            case .lockWanted: stay()
            case .wanterGone: become(.awaiting, .tellHeldBack)
            case .nobodyIsWaitedFor: become(.closing, .stopListening)
            case .stopAfterOwn: become(.leavingAfterOwn, .refuseWaiting)
            case .stopAfterAll: become(.leavingAfterAll, .refuseWaiting)
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .granting:
            switch event {
            case .claimCame: stay(.enter)
            case .turnCame, .innerTurnCame: stay(.tell)
            case .resumeCame: stay(.take)
            case .lockWanted: become(.wanted)
            case .stopAfterOwn: become(.leavingAfterOwn, .refuseWaiting)
            case .stopAfterAll: become(.leavingAfterAll, .refuseWaiting)
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .allResumed, .wanterGone, .nobodyIsWaitedFor, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .wanted:
            switch event {
            case .claimCame: stay(.enter)
            case .turnCame: stay(.holdBack)
            case .innerTurnCame: stay(.tell)
            case .resumeCame: stay(.take)
            case .lockWanted: stay()
            case .wanterGone: become(.granting, .tellHeldBack)
            case .nobodyIsWaitedFor: become(.closing, .stopListening)
            case .stopAfterOwn: become(.leavingAfterOwn, .refuseWaiting)
            case .stopAfterAll: become(.leavingAfterAll, .refuseWaiting)
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .allResumed, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .closing:
            switch event {
            case .listensNoMore: become(.leaving, .refuseWaiting)
            case .noneFromBefore, .someFromBefore, .listens, .claimCame, .turnCame, .innerTurnCame, .resumeCame, .allResumed, .lockWanted, .wanterGone, .nobodyIsWaitedFor,
                .stopAfterOwn, .stopAfterAll, .servesNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .leaving, .leavingAfterOwn, .leavingAfterAll:
            switch event {
            case .claimCame, .resumeCame: stay(.refuse)
            // The turn of a claim that is refused in a moment.
            case .turnCame, .innerTurnCame: stay()
            case .allResumed, .lockWanted, .wanterGone: stay()
            case .nobodyIsWaitedFor: become(.finished)
            // As it began to end, so it goes on.
            case .stopAfterOwn, .stopAfterAll: stay()
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .finished:
            switch event {
            case .claimCame, .resumeCame: stay(.refuse)
            // What was said before the thread hears of it.
            case .turnCame, .innerTurnCame, .allResumed, .lockWanted, .wanterGone, .stopAfterOwn, .stopAfterAll: stay()
            case .servesNoMore: become(.noting, .noteOwn)
            case .noneFromBefore, .someFromBefore, .listens, .nobodyIsWaitedFor, .listensNoMore, .ownAreNoted, .lockIsFree, .allHungUp: nil
            }
        case .noting, .lettingGo, .hangingUp:
            switch event {
            // This process's own threads are heard until they hear that it is over.
            case .claimCame, .resumeCame: stay(.refuse)
            case .turnCame, .innerTurnCame, .allResumed: stay()
            case .ownAreNoted: self == .noting ? become(.lettingGo, .letGo) : nil
            case .lockIsFree: self == .lettingGo ? become(.hangingUp, .hangUp) : nil
            case .allHungUp: self == .hangingUp ? become(.over, .resumeOwn) : nil
            case .noneFromBefore, .someFromBefore, .listens, .lockWanted, .wanterGone, .nobodyIsWaitedFor, .listensNoMore, .stopAfterOwn, .stopAfterAll, .servesNoMore: nil
            }
        case .over: nil
        }
    }
}
