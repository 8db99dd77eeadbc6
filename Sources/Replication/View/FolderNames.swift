/// What the items of one folder are called.
enum FolderNames {
    struct Placed {
        let item: ItemID
        /// The item that its place is said of, which is one of those that are one.
        let said: ItemID
        let order: Fact.Order
        let name: ItemName

        init?(_ item: ItemID, _ fact: Fact) {
            guard case .place(let place) = fact.statement else { return nil }
            (self.item, said, order, name) = (item, place.item, fact.order, place.name)
        }
    }

    /// Who was placed first has its name, and the others numbers.
    static func given(_ placed: [Placed], _ rules: Rules) -> [(ItemID, ItemName)] {
        // Nearly always each has a name of its own, and then it does not matter who was first.
        if Set(placed.map { Shown(bytes: $0.name.shown) }).count == placed.count { return placed.map { ($0.item, $0.name) } }
        var taken: Set<Shown> = [], names: [(ItemID, ItemName)] = [], late: [(ItemID, ItemName)] = []
        for one in placed.sorted(by: { ($0.order, $0.said) < ($1.order, $1.said) }) {
            if taken.insert(Shown(bytes: one.name.shown)).inserted || !rules.contains(.numbers) { names.append((one.item, one.name)) } else { late.append((one.item, one.name)) }
        }
        // Where many wish for one name, each goes on where the one before ended.
        var next: [ItemName: UInt32] = [:]
        for (item, name) in late {
            var number = max(name.number, next[name] ?? 0)
            repeat { number &+= 1 } while taken.contains(Shown(bytes: name.numbered(number).shown))
            next[name] = number
            taken.insert(Shown(bytes: name.numbered(number).shown))
            names.append((item, name.numbered(number)))
        }
        return names
    }

    /// A name as bytes. An array of them would hash each byte by itself.
    private struct Shown: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            // SAFETY: the hasher reads the bytes in the call.
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }
}
