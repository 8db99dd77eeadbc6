import Documents
import LinuxFiles

/// What a document becomes where somebody else has changed it since what is to be written was begun.
enum ConflictRule {
    /// What was written later, and the other one waits as a conflict. Where no versions are kept, what comes last.
    case newerWins
    /// What is to be written, and what is there waits as a conflict.
    case mineWins
}

/// How what is to be written stands to what is there.
enum Clash: Hashable {
    /// Nobody changed it meanwhile, or to the same.
    case none
    /// Both are kept: which one is what the document is.
    case won, lost
    /// Somebody was faster, and nobody would ever see one of the two again.
    case refused

    /// `base` is what was there when it was begun; nil where that does not matter. `stamp` is what is there now, where
    /// `now` does not say that. `written` and `isSame` are asked only where something else is there.
    init(
        _ rule: ConflictRule, since base: BaseStamp?, now: FileStatus, stamp: BaseStamp? = nil, keepsVersions: Bool,
        written: () throws(Errno) -> Timestamp, isSame: () throws(Errno) -> Bool
    ) throws(Errno) {
        guard let base, (stamp ?? BaseStamp(now)) != base, rule != .newerWins || keepsVersions, try !isSame() else {
            self = .none
            return
        }
        switch rule {
        case .newerWins: self = try VersionID(written()) >= VersionID(now.modified) ? .won : .lost
        case .mineWins: self = keepsVersions ? .won : .refused
        }
    }
}
