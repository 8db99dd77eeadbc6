import LinuxFiles

/// The names that the entries of a folder get when they are listed.
///
/// Plain files and folders have their own, in NFC: of two that differ in their form only, the one that is not stored in NFC is shown in its
/// own form, and so it is of two documents. Then each document gets the name that it would have alone, the first by its stored name
/// where several want one; and in the order of their stored names, those that went without get numbers.
public enum ListedNames {
    public struct Entry {
        public let stored: Name
        /// What a document is called if nothing else is; nil for what is none.
        public let natural: Name?

        public init(stored: Name, natural: Name?) {
            self.stored = stored
            self.natural = natural
        }
    }

    /// The shown names, in the order of the entries. `isTaken`: a name is another entry's already, which keeps it.
    /// `keepsForms`: the entries are parts of a package, whose names stay as they are.
    public static func given(to entries: [Entry], keepsForms: Bool = false, isTaken: (Name) -> Bool = { _ in false }) -> [Name] {
        var names = entries.map { $0.natural ?? $0.stored }
        var taken: [Name: Int] = [:]
        taken.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() where entry.natural == nil { taken[entry.stored] = index }
        if !keepsForms {
            for (index, entry) in entries.enumerated() where entry.natural == nil && !entry.stored.isPlain {
                let composed = entry.stored.composed
                guard composed != entry.stored, taken[composed] == nil, !isTaken(composed) else { continue }
                (taken[entry.stored], taken[composed]) = (nil, index)
                names[index] = composed
            }
        }
        var leftovers: [Int] = []
        for (index, entry) in entries.enumerated() {
            guard let natural = entry.natural else { continue }
            guard let holder = taken[natural] else {
                if isTaken(natural) { leftovers.append(index) } else { taken[natural] = index }
                continue
            }
            if entries[holder].natural != nil, precedes(entry.stored, entries[holder].stored) {
                taken[natural] = index
                leftovers.append(holder)
            } else {
                leftovers.append(index)
            }
        }
        // Of many with one name, each goes on where the one before it ended.
        var next: [Name: Int] = [:]
        for index in leftovers.sorted(by: { precedes(entries[$0].stored, entries[$1].stored) }) {
            let natural = names[index], stored = entries[index].stored
            if !stored.isPlain, stored.composed != stored {
                let exact = natural.decomposed
                if taken[exact] == nil, !isTaken(exact) {
                    names[index] = exact
                    taken[exact] = index
                    continue
                }
            }
            guard let free = ShownName.free(natural, from: next[natural] ?? 1, { taken[$0] != nil || isTaken($0) }) else { continue }
            names[index] = free.name
            taken[free.name] = index
            next[natural] = free.number + 1
        }
        return names
    }

    /// By their stored names; those in NFC come first, because the name is theirs.
    private static func precedes(_ one: Name, _ other: Name) -> Bool {
        guard !one.isPlain || !other.isPlain else { return one < other }
        let (isOne, isOther) = (one.composed == one, other.composed == other)
        return isOne == isOther ? one < other : isOne
    }
}
