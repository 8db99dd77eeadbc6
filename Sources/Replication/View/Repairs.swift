import Hashes

/// What whoever looks says of what it sees, so that it stays: made of what is there and of nothing else, so that two who have heard the same say the
/// same. Who has heard half says another thing, and the next look repairs that.
public enum Repairs {
    /// From all facts: what `FollowedView.repairs` is held against.
    public static func needed(by view: View, _ facts: Facts) -> Set<Fact> {
        var inside: [ItemID?: [ItemID]] = [:]
        for (id, item) in view.items where item.isThere { inside[item.folder, default: []].append(id) }
        return needed(by: view, facts, in: inside.map { ($0.key, $0.value) }, displaced: displaced(in: view))
    }

    static func needed(by view: View, _ facts: Facts, in folders: [(folder: ItemID?, items: [ItemID])], displaced: [ItemID]) -> Set<Fact> {
        let sames = folders.reduce(into: Set<Fact>()) { $0.formUnion(madeApart($1.items, view, facts)) }
        // Who is one with another needs no number.
        guard sames.isEmpty else { return sames }
        var places: Set<Fact> = []
        for item in folders.flatMap(\.items) + displaced {
            guard let seen = view.items[item], let name = seen.name, let fact = seen.place, let place = fact.place, name != place.name || isDisplaced(seen, view),
                fact.rank < Int64.max
            else { continue }
            let id = derived("place", fact.id.mark, [item.mark] + (seen.folder.map { [$0.mark] } ?? []), name)
            places.insert(
                Fact(
                    id: id, rank: fact.rank + 1, device: .none,
                    .place(Location(of: item, folder: seen.folder, name: name, kind: place.kind, mode: place.mode, former: place.former))))
        }
        return places
    }

    static func displaced(in view: View) -> [ItemID] { view.items.filter { isDisplaced($0.value, view) }.map(\.key) }

    /// Whether it is not where its place says, because that leads into a circle.
    private static func isDisplaced(_ item: View.Item, _ view: View) -> Bool { item.isThere && item.folder != (item.place?.place?.folder).map(view.which) }

    /// Folders of one name, and documents of one name and content of which none has a history, are one.
    private static func madeApart(_ items: [ItemID], _ view: View, _ facts: Facts) -> Set<Fact> {
        struct Likeness: Hashable { let name: ItemName, kind: Location.Kind, digest: Digest? }
        var alike: [Likeness: [ItemID]] = [:]
        for item in items {
            guard let seen = view.items[item], let place = seen.place?.place else { continue }
            if place.kind == .folder {
                alike[Likeness(name: place.name, kind: .folder, digest: nil), default: []].append(item)
            } else if seen.leaves.count == 1, let current = seen.current.flatMap({ facts.versions[$0] }), current.parents.isEmpty {
                alike[Likeness(name: place.name, kind: place.kind, digest: current.digest), default: []].append(item)
            }
        }
        var sames: Set<Fact> = []
        for group in alike.values where group.count > 1 {
            let sorted = group.sorted()
            // Of many each with the first: that makes them one.
            for other in sorted.dropFirst() {
                sames.insert(Fact(id: derived("same", sorted[0].mark, [other.mark]), rank: 0, device: .none, .same(sorted[0], other)))
            }
        }
        return sames
    }

    /// Made of what it is said about, so that it is the same fact whoever says it.
    static func derived(_ word: String, _ one: Mark, _ others: [Mark], _ name: ItemName = ItemName([])) -> FactID {
        var writer = FactWriter()
        writer.add(Array(word.utf8))
        writer.add(one)
        writer.add(UInt8(others.count))
        for other in others { writer.add(other) }
        writer.add(name.number)
        writer.add(name.wished)
        var reader = FactReader(SHA256.digest(of: writer.bytes).bytes)
        return FactID(reader.mark() ?? one)
    }
}

extension FollowedView {
    /// What is to be said of what is seen now; to be added, and asked for again until there is nothing.
    public var repairs: Set<Fact> {
        Repairs.needed(by: view, facts, in: numberedFolders, displaced: isCircular ? Repairs.displaced(in: view) : [])
    }
}
