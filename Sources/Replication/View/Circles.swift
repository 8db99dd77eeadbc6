/// Folders that went into each other, on devices that did not know of it.
enum Circles {
    /// The folder of each item, without circles. One is broken at its latest move: that item is where it came from, and if that leads into a circle
    /// again, at the top. Circles have no item in common, so it does not matter which of several is broken first.
    static func broken(_ places: [ItemID: Fact], which: (ItemID) -> ItemID) -> [ItemID: ItemID?] {
        var folders: [ItemID: ItemID?] = places.mapValues { $0.place?.folder.map(which) }
        var sentBack: Set<ItemID> = []
        while true {
            let found = all(in: folders)
            if found.isEmpty { return folders }
            for circle in found {
                guard let latest = circle.max(by: { (order($0, places), $0) < (order($1, places), $1) }) else { continue }
                folders[latest] = .some(sentBack.insert(latest).inserted ? places[latest]?.place?.former.map(which) : nil)
            }
        }
    }

    private static func order(_ item: ItemID, _ places: [ItemID: Fact]) -> Fact.Order {
        places[item]?.order ?? Fact.Order(rank: .min, id: FactID(item.mark))
    }

    /// Every circle, as the items in it.
    private static func all(in folders: [ItemID: ItemID?]) -> [[ItemID]] {
        // By which walk an item was passed.
        var passed: [ItemID: Int] = [:], circles: [[ItemID]] = []
        for (walk, start) in folders.keys.enumerated() where passed[start] == nil {
            var way: [ItemID] = [], next: ItemID? = start
            while let item = next, let folder = folders[item], passed[item] == nil {
                passed[item] = walk
                way.append(item)
                next = folder
            }
            if let met = next, passed[met] == walk, let first = way.firstIndex(of: met) { circles.append(Array(way[first...])) }
        }
        return circles
    }
}
