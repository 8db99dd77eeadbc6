import LinuxFiles

/// A program that is connected to whoever serves, by one of its connections. It belongs to `ClaimDesk`.
final class ClaimClient {
    let number: Int
    let line: Line
    var input = MessageBuffer()
    var output: [UInt8] = []
    var claims: [UInt32: Claim] = [:]
    /// The version of the protocol that it speaks; nil before it has said that.
    var version: UInt16?
    let process: Int32
    /// When its connection is closed if it has not greeted by then.
    let lastGreeting: Int64
    /// The numbers under which it presents something.
    var presents: Set<UInt32> = []
    /// The number of the program that presents it, as its presenters' names begin.
    var program: UInt64?
    /// Its side of the connection is full.
    var isStuck = false

    init(_ number: Int, _ line: Line, of process: Int32, lastGreeting: Int64) {
        self.lastGreeting = lastGreeting
        self.process = process
        self.number = number
        self.line = line
    }

    var socket: LocalSocket? { if case .socket(let socket) = line { socket } else { nil } }

    /// Its granted claim with this number, where that is for writing the item.
    func writingClaim(_ id: UInt32, of item: UInt8) -> Claim? {
        guard let claim = claims[id], claim.isGranted, claim.items.indices.contains(Int(item)),
            claim.items[Int(item)].purpose.isWriting
        else { return nil }
        return claim
    }

    enum Line {
        case socket(LocalSocket)
        /// Of this process. It is told at once, with the lock held: it notes that and does no more. The last word is nil.
        case own(@Sendable (CoordinationAnswer?) -> Void)
    }
}
