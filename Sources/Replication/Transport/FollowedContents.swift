import Hashes

/// What a device can give and what it lacks, of all that is current or in conflict. It goes on from what it was: only
/// items that are others, and those whose contents came or went, are looked at again.
public struct FollowedContents: Sendable {
    public private(set) var here = ContentsHere(needed: [], here: [])

    private struct Need: Equatable {
        let digest: Digest, contents: [Digest], isHere: Bool
    }

    /// Versions of each item. What travels with its fact has no contents.
    private var needs: [ItemID: [Need]] = [:]
    /// By the digests of those versions.
    private var items: [Digest: Set<ItemID>] = [:]
    /// How many versions hold it, and how many lack it.
    private var holding: [Digest: Int] = [:], lacking: [Digest: Int] = [:]

    /// From nothing.
    public init(_ known: FollowedView, isHere: (Version) -> Bool) {
        hear(known.view.items.keys, known, isHere: isHere)
    }

    /// Those are other than they were: what `FollowedView.add` answered.
    public mutating func hear(_ items: some Sequence<ItemID>, _ known: FollowedView, isHere: (Version) -> Bool) {
        for item in items { look(at: item, known, isHere) }
    }

    /// Versions of these digests are whole here by now, or are not any more.
    public mutating func reconsider(_ digests: some Sequence<Digest>, _ known: FollowedView, isHere: (Version) -> Bool) {
        for digest in digests { for item in items[digest] ?? [] { look(at: item, known, isHere) } }
    }

    private mutating func look(at item: ItemID, _ known: FollowedView, _ isHere: (Version) -> Bool) {
        let found = known.needed(of: item).compactMap { version -> Need? in
            let contents = version.contents
            guard let digest = version.digest, !contents.isEmpty else { return nil }
            return Need(digest: digest, contents: contents, isHere: isHere(version))
        }
        let before = needs[item] ?? []
        if found == before { return }
        needs[item] = found.isEmpty ? nil : found
        for need in before {
            items[need.digest]?.remove(item)
            if items[need.digest]?.isEmpty == true { items[need.digest] = nil }
        }
        for need in found { items[need.digest, default: []].insert(item) }
        for need in found { for content in need.contents { count(content, need.isHere, 1) } }
        for need in before { for content in need.contents { count(content, need.isHere, -1) } }
    }

    private mutating func count(_ content: Digest, _ isHere: Bool, _ more: Int) {
        func added(_ counts: inout [Digest: Int]) {
            let count = (counts[content] ?? 0) + more
            counts[content] = count == 0 ? nil : count
        }
        if isHere { added(&holding) } else { added(&lacking) }
        here.set(content, isHeld: holding[content] != nil, isLacking: lacking[content] != nil)
    }
}
