import Hashes

/// A conflict that cannot be kept beside its item, because that is a link, or a file of which none is kept: it becomes an item of its own beside it,
/// “Notes (desk).md”. All of that is made of the facts, so that it is one item whoever says so, and however many do.
struct SetApart {
    /// The item that it becomes.
    let item: ItemID
    /// What says so, and that the conflict is none any more. Empty: it is no conflict of something that is there.
    let facts: Set<Fact>

    init(_ version: FactID, of original: ItemID, _ known: FollowedView) {
        item = Self.item(of: version)
        guard let seen = known.view.items[original], seen.isThere, let place = seen.place?.place, let current = seen.current, seen.conflicts.contains(version),
            let conflict = known.facts.versions[version], let said = conflict.version, let kept = known.facts.versions[current]?.version
        else {
            facts = []
            return
        }
        let name = Self.name(place.name.wished, from: said.body?.computer ?? [])
        let content = Fact(
            id: Repairs.derived("apart", version.mark, [item.mark]), rank: conflict.rank, device: .none,
            .version(Version(of: item, digest: said.digest, parents: [], body: said.body)))
        let beside = Location(of: item, folder: seen.folder, name: name, kind: place.kind, mode: place.mode, former: nil)
        let placed = Fact(
            id: Repairs.derived("beside", version.mark, [item.mark] + (seen.folder.map { [$0.mark] } ?? []), name), rank: conflict.rank, device: .none, .place(beside))
        // It replaces this conflict and nothing else, with the content that is current, and below that: who replaces that replaces this, too. Where there is no
        // place below, with nothing.
        let rank = conflict.rank == .max ? .max : conflict.rank + 1, isBelow = known.facts.versions[current].map { $0.rank > rank } ?? false
        let settled = Fact(
            id: Repairs.derived("settled", version.mark, isBelow ? [current.mark] : []), rank: rank, device: .none,
            .version(Version(of: original, digest: isBelow ? kept.digest : nil, parents: [version], body: isBelow ? kept.body : nil)))
        facts = [content, placed, settled]
    }

    static func item(of version: FactID) -> ItemID { ItemID(Repairs.derived("apart", version.mark, []).mark) }

    /// With the computer's name before the extension.
    static func name(_ wished: [UInt8], from computer: [UInt8]) -> ItemName {
        let computer = computer.filter { $0 != 0 && $0 != UInt8(ascii: "/") }
        let mark = Array(" (".utf8) + (computer.isEmpty ? Array("other".utf8) : whole(computer, most: 64)) + Array(")".utf8)
        let dot = wished.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && wished.count - $0 <= 64 ? $0 : nil } ?? wished.count
        return ItemName(whole(Array(wished[..<dot]), most: ItemName.longest - mark.count - (wished.count - dot)) + mark + wished[dot...])
    }

    /// Not cut in the middle of a letter.
    private static func whole(_ name: [UInt8], most: Int) -> [UInt8] {
        guard name.count > most else { return name }
        var end = most
        while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end])
    }
}
