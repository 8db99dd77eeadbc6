import Containers
import LinuxFiles

/// The names that the entries of a folder get, when it is listed for the first time.
///
/// Plain files and folders have their own. Then each document gets the name that it would have alone, the first by its stored name
/// where several want one; and in the order of their stored names, those that went without get numbers.
enum ListedNames {
    struct Entry {
        public let stored: Name
        /// What a document is called if nothing else is; nil for what is none.
        public let natural: Name?

        init(stored: Name, natural: Name?) {
            self.stored = stored
            self.natural = natural
        }
    }

    /// The shown names, in the order of the entries.
    static func given(to entries: [Entry]) -> [Name] {
        var names = entries.map { $0.natural ?? $0.stored }
        var taken: [Name: Int] = [:]
        taken.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() where entry.natural == nil { taken[entry.stored] = index }
        var leftovers: [Int] = []
        for (index, entry) in entries.enumerated() {
            guard let natural = entry.natural else { continue }
            guard let holder = taken[natural] else {
                taken[natural] = index
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
            var number = next[natural] ?? 1
            while taken[ShownName.numbered(natural, number)] != nil { number += 1 }
            names[index] = ShownName.numbered(natural, number)
            taken[names[index]] = index
            next[natural] = number + 1
        }
        return names
    }
}
