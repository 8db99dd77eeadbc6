import Replication

/// Which contents a share keeps.
public enum ShareKeeping: UInt8, Sendable {
    /// Those that somebody still has to get: the folder is a mailbox.
    case needed
    /// All that are current or in conflict: the folder is a backup, too.
    case all

    var word: String { self == .needed ? "needed" : "all" }
}

/// What says that a folder is a share, and which: a line of text in it. Of two that were made apart and carried to one place the lower one counts.
struct ShareMarker: Equatable {
    var share: Mark
    var keeps: ShareKeeping

    static let largest = 4096

    init(share: Mark, keeps: ShareKeeping) { (self.share, self.keeps) = (share, keeps) }

    var bytes: [UInt8] { Array("valise share 1 \(share) keep=\(keeps.word)\n".utf8) }

    /// What a marker's bytes may be.
    enum Reading: Equatable {
        case marker(ShareMarker)
        /// A share of a program that is newer than this one.
        case later
        /// Not whole yet, or nobody's.
        case none
    }

    static func read(_ bytes: [UInt8]) -> Reading {
        guard bytes.count <= largest, bytes.last == UInt8(ascii: "\n") else { return .none }
        let words = String(decoding: bytes.dropLast(), as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 3, words[0] == "valise", words[1] == "share", let version = Int(words[2]), words[2] == "\(version)" else { return .none }
        guard version == 1 else { return version > 1 ? .later : .none }
        guard words.count == 5, words[3].utf8.count == 32, let high = Hexadecimal.number(words[3].utf8.prefix(16)), let low = Hexadecimal.number(words[3].utf8.dropFirst(16)),
            let keeps = [ShareKeeping.needed, .all].first(where: { words[4] == "keep=\($0.word)" })
        else { return .none }
        return .marker(ShareMarker(share: Mark(high: high, low: low), keeps: keeps))
    }
}
