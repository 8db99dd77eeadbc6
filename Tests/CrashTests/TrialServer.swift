import Foundation
import LinuxFiles
import MountTesting

/// The trial program, started once: each trial is a copy of that process, because starting a program takes longer than most of them.
final class TrialServer: Sendable {
    static let shared = Result { try TrialServer() }

    static let program = Places.built + "/ContainerTrial"
    private let channel: Channel

    private init() throws {
        channel = Channel(adopting: Descriptor(adopting: try Program.serving([Self.program, "serve"], SOCK_SEQPACKET)))
    }

    /// Begins a trial with these arguments. What it says and hears goes through the answer.
    func begin(_ words: [String]) throws -> OpenFile {
        // Closed in all programs that other tests start meanwhile, from the first moment.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
        let (ours, its) = (OpenFile(Descriptor(adopting: ends[0])), OpenFile(Descriptor(adopting: ends[1])))
        try channel.send(Array(words.joined(separator: "\0").utf8), passing: its)
        return ours
    }
}
