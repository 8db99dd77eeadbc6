/// Whose earlier versions and deleted items go where all together take more room than they may: of who takes the most, the oldest. Nobody loses
/// what they have kept because somebody else keeps much.
enum SharedRoom {
    /// Which of these make room where there is none: they have a quarter of what all take, and one goes at least.
    static func quarter(of kept: [(owner: UInt32, size: Int64)]) -> [Int] {
        let all = kept.reduce(Int64(0)) { $0.saturatingAdd($1.size) }
        return superfluous(kept, room: all - all / 4 - 1)
    }

    /// Which of these go, the oldest first, as numbers in the list. `besides`: what each takes elsewhere of the same room.
    static func superfluous(_ kept: [(owner: UInt32, size: Int64)], besides: [UInt32: Int64] = [:], room: Int64) -> [Int] {
        // In 128 bits, because a damaged record may claim any size.
        var used = besides.mapValues { Int128($0) }, waiting: [UInt32: [Int]] = [:], gone: [Int] = []
        for (index, item) in kept.enumerated().reversed() {
            used[item.owner, default: 0] += Int128(item.size)
            waiting[item.owner, default: []].append(index)
        }
        var all = used.values.reduce(0, +)
        // Who takes no more than everybody might keeps it, also where others have nothing here that could go.
        let share = Int128(room) / Int128(max(used.count, 1))
        while all > room {
            let most = waiting.keys.filter { (used[$0] ?? 0) > share }.max { (used[$0] ?? 0, $1) < (used[$1] ?? 0, $0) }
            guard let most, let oldest = waiting[most]?.popLast() else { break }
            if waiting[most]?.isEmpty == true { waiting[most] = nil }
            used[most, default: 0] -= Int128(kept[oldest].size)
            all -= Int128(kept[oldest].size)
            gone.append(oldest)
        }
        return gone
    }
}
