/// Whose earlier versions and deleted items go where all together take more room than they may: of who takes the most, the oldest. Nobody loses
/// what they have kept because somebody else keeps much.
enum SharedRoom {
    /// Which of these go, the oldest first, as numbers in the list. `besides`: what each takes elsewhere of the same room.
    static func superfluous(_ kept: [(owner: UInt32, size: Int64)], besides: [UInt32: Int64] = [:], room: Int64) -> [Int] {
        var used = besides, waiting: [UInt32: [Int]] = [:], gone: [Int] = []
        for (index, item) in kept.enumerated().reversed() {
            used[item.owner, default: 0] = (used[item.owner] ?? 0).saturatingAdd(item.size)
            waiting[item.owner, default: []].append(index)
        }
        var all = used.values.reduce(Int64(0)) { $0.saturatingAdd($1) }
        // Who takes no more than everybody might keeps it, also where others have nothing here that could go.
        let share = room / Int64(max(used.count, 1))
        while all > room {
            let most = waiting.keys.filter { (used[$0] ?? 0) > share }.max { (used[$0] ?? 0, $1) < (used[$1] ?? 0, $0) }
            guard let most, let oldest = waiting[most]?.popLast() else { break }
            if waiting[most]?.isEmpty == true { waiting[most] = nil }
            used[most] = (used[most] ?? 0) - kept[oldest].size
            all -= kept[oldest].size
            gone.append(oldest)
        }
        return gone
    }
}
