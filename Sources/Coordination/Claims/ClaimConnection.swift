import Containers
import Glibc
import LinuxFiles
import Synchronization

/// A client's way to whoever serves the claims, for one claim at a time.
protocol ClaimConnection: AnyObject, Sendable {
    /// Unlike any other's of this process.
    var number: UInt64 { get }
    /// Whoever serves, where that is this process.
    var ownServer: ObjectIdentifier? { get }

    /// Waits for the claim to be granted, as `wait` has it.
    func ask(_ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?, before deadline: Int64?, _ wait: ClaimWait) -> ClaimOutcome

    /// Says of a claim that it was granted by whoever served before. Waits until that is noted.
    func resume(_ token: Claimants.Token, _ items: [ClaimedItem], throughDrive: Bool, presenter: UInt64?) -> ClaimOutcome

    /// Has something done in a claim, however long that takes, and answers what came of it.
    func done(_ request: CoordinationRequest, _ number: UInt32) throws(Failure) -> String

    /// Says something that needs no answer. Where it cannot be said, the connection ends.
    func tell(_ request: CoordinationRequest)

    /// Ends it, also under somebody who waits, with all that was claimed.
    func shutDown()
}

enum ConnectionNumbers {
    private static let last = Atomic<UInt64>(0)
    static var next: UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

enum ClaimOutcome {
    case granted(UInt32, [ItemPath])
    case refused(Errno, String)
    /// The time is over; the connection is no good any more.
    case late
    /// The same, because whoever serves is stopped.
    case stopped(Failure)
    /// Whoever served is gone, or the connection was shut down here.
    case ended
}

/// What whoever serves says next.
enum NextAnswer {
    case answer(CoordinationAnswer)
    case late, ended
    case stopped(Failure)

    /// What became of the claim with this number.
    func outcome(of number: UInt32) -> ClaimOutcome {
        switch self {
        case .answer(.granted(number, let paths)): .granted(number, paths)
        case .answer(.refused(number, let errno, let sentence)): errno == .tryAgain ? .ended : .refused(errno, sentence)
        case .late: .late
        case .stopped(let failure): .stopped(failure)
        case .answer, .ended: .ended
        }
    }

    /// What came of something that was asked for in the claim with this number.
    func decided(_ number: UInt32) throws(Failure) -> String {
        if case .stopped(let failure) = self { throw failure }
        guard case .answer(.decided(number, let errno, let sentence)) = self else {
            throw Failure(Errno(rawValue: ECONNRESET), "whoever writes in the container has ended meanwhile")
        }
        if let errno { throw Failure(errno, sentence) }
        return sentence
    }
}

extension ClaimConnection {
    func decide(_ number: UInt32, item: UInt8, _ decision: ClaimDecision) throws(Failure) {
        _ = try done(.decide(number, item: item, decision), number)
    }

    /// Has what was handed over put in its place.
    func save(_ number: UInt32, item: UInt8, _ staged: StagedItem) throws(Failure) -> StagedOutcome {
        try done(.save(number, item: item, staged), number) == CoordinationProtocol.conflict ? .conflict : .saved
    }

    /// Has done what another computer says.
    func adopt(_ number: UInt32, item: UInt8, _ adoption: ClaimAdoption) throws(Failure) -> Adopted {
        guard let adopted = Adopted(text: try done(.adopt(number, item: item, adoption), number)) else {
            throw Failure(.inputOutput, "whoever writes in the container answers what nobody understands")
        }
        return adopted
    }
}
