import LinuxFiles

/// The names that the entries of a folder get when they are listed.
///
/// Plain files and folders have their own. Then each document gets the name that it would have alone, the first by its stored name
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
    public static func given(to entries: [Entry], isTaken: (Name) -> Bool = { _ in false }) -> [Name] {
        var names = entries.map { $0.natural ?? $0.stored }
        var taken: [Name: Int] = [:]
        taken.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() where entry.natural == nil { taken[entry.stored] = index }
        var leftovers: [Int] = []
        for (index, entry) in entries.enumerated() {
            guard let natural = entry.natural else { continue }
            guard let holder = taken[natural] else {
                if isTaken(natural) { leftovers.append(index) } else { taken[natural] = index }
                continue
            }
            if entries[holder].natural != nil, entry.stored < entries[holder].stored {
                taken[natural] = index
                leftovers.append(holder)
            } else {
                leftovers.append(index)
            }
        }
        // Of many with one name, each goes on where the one before it ended.
        var next: [Name: Int] = [:]
        for index in leftovers.sorted(by: { entries[$0].stored < entries[$1].stored }) {
            let natural = names[index]
            guard let free = ShownName.free(natural, from: next[natural] ?? 1, { taken[$0] != nil || isTaken($0) }) else { continue }
            names[index] = free.name
            taken[free.name] = index
            next[natural] = free.number + 1
        }
        return names
    }
}
