/// What of all that is kept goes for good, and in which order: one decision about everybody's earlier versions and deleted items. What may not go is
/// not asked about and takes none of the room: a document's newest version, and conflicts that nobody has decided about.
enum SharedRoom {
    struct Kept: Hashable {
        let owner: UInt32
        let size: Int64
        let what: What
    }

    /// Since when it is kept, in seconds.
    enum What: Hashable {
        case deleted(Int64), version(Int64)
    }

    enum Reason: Hashable {
        /// It was kept for as long as was promised.
        case tooOld
        /// Alone it takes more than all the room. Others are not to go for it.
        case tooLarge
        /// All together take more than the room.
        case noRoom
    }

    /// Which of these go, as numbers in the list. Of those of one moment the first in the list goes first. `days`: how long deleted items are kept;
    /// `room`: nil where there is no limit; `mostAlone`: how much one may take of it, all where nobody says so.
    static func superfluous(_ kept: [Kept], room: Int64?, mostAlone: Int64? = nil, days: Int? = nil, now: Int64) -> [(index: Int, reason: Reason)] {
        var gone: [(index: Int, reason: Reason)] = [], waiting: [UInt32: [Int]] = [:]
        // In 128 bits, because a damaged record may claim any size.
        var used: [UInt32: Int128] = [:]
        for (index, one) in kept.enumerated() {
            if let days, case .deleted(let when) = one.what, Int128(now) - Int128(when) > Int128(days) * Int128(VersionPolicy.day) {
                gone.append((index, .tooOld))
            } else if let most = mostAlone ?? room, one.size > most {
                gone.append((index, .tooLarge))
            } else {
                used[one.owner, default: 0] += Int128(one.size)
                waiting[one.owner, default: []].append(index)
            }
        }
        guard let room else { return gone }
        // The next one that goes is the last.
        let ranks = kept.map { Rank($0, room: room, now: now) }
        for owner in waiting.keys { waiting[owner]?.sort { (ranks[$1], $1) < (ranks[$0], $0) } }
        var all = used.values.reduce(0, +)
        // Who takes no more than everybody might loses nothing because others take more.
        let share = Int128(room) / Int128(max(used.count, 1))
        while all > Int128(room) {
            let most = waiting.keys.filter { (used[$0] ?? 0) > share }.max { (used[$0] ?? 0, $1) < (used[$1] ?? 0, $0) }
            guard let most, let next = waiting[most]?.popLast() else { break }
            if waiting[most]?.isEmpty == true { waiting[most] = nil }
            used[most, default: 0] -= Int128(kept[next].size)
            all -= Int128(kept[next].size)
            gone.append((next, .noRoom))
        }
        return gone
    }

    /// Which of these make room on a store that is full: they have a quarter of what all take, and one goes at least.
    static func quarter(of kept: [Kept], now: Int64) -> [Int] {
        let all = kept.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        return superfluous(kept, room: all - all / 4 - 1, mostAlone: .max, now: now).map(\.index)
    }

    /// What is small gives next to no room, and goes last. Then: what was deleted more than a day ago, versions, what was deleted since; the oldest
    /// first.
    private struct Rank: Comparable {
        let isSmall: Bool
        let group: Int
        let when: Int64

        init(_ kept: Kept, room: Int64, now: Int64) {
            isSmall = kept.size <= room / SharedRoom.smallParts
            switch kept.what {
            case .deleted(let when): (group, self.when) = (Int128(now) - Int128(when) > Int128(VersionPolicy.day) ? 0 : 2, when)
            case .version(let when): (group, self.when) = (1, when)
            }
        }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.isSmall ? 1 : 0, left.group, left.when) < (right.isSmall ? 1 : 0, right.group, right.when)
        }
    }

    /// So many of them have room at least.
    static let smallParts: Int64 = 64
}
