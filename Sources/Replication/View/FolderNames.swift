/// What the items of one folder are called.
enum FolderNames {
    /// Of items with their places, in the order in which they were placed.
    static func given(_ placed: [(item: ItemID, place: Fact)], _ rules: Rules) -> [(ItemID, ItemName)] {
        var taken: Set<[UInt8]> = [], names: [(ItemID, ItemName)] = [], late: [(ItemID, ItemName)] = []
        for (item, fact) in placed {
            guard let name = fact.place?.name else { continue }
            if taken.insert(name.shown).inserted || !rules.contains(.numbers) { names.append((item, name)) } else { late.append((item, name)) }
        }
        // Where many wish for one name, each goes on where the one before ended.
        var next: [ItemName: UInt32] = [:]
        for (item, name) in late {
            var number = max(name.number, next[name] ?? 0)
            repeat { number &+= 1 } while taken.contains(name.numbered(number).shown)
            next[name] = number
            taken.insert(name.numbered(number).shown)
            names.append((item, name.numbered(number)))
        }
        return names
    }
}
