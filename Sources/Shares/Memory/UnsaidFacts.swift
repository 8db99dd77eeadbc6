import Replication

/// What a device knows and no file of its share says. It goes on from the last time: only what is new, and what files
/// say that came or went since, is looked at.
struct UnsaidFacts {
    private var files: [ShareMemory.FilePath: [FactID]] = [:]
    /// In how many of them each is.
    private var said: [FactID: Int32] = [:]
    private var unsaid: Set<FactSubject> = []
    private var mark: FactNews.Mark?

    mutating func find(in facts: Facts, _ memory: ShareMemory) -> [Fact] {
        let lost = follow(memory)
        if let news = facts.news.since(mark) {
            unsaid.formUnion(news)
            if !lost.isEmpty { unsaid.formUnion(facts.known(of: lost).map(\.subject)) }
        } else {
            unsaid = Set(facts.all.filter { said[$0.id] == nil }.map(\.subject))
        }
        mark = facts.news.mark
        let found = unsaid.compactMap { facts[$0] }.filter { said[$0.id] == nil }
        unsaid = Set(found.map(\.subject))
        return found.sorted { $0.id < $1.id }
    }

    /// Answers those that are in no file any more.
    private mutating func follow(_ memory: ShareMemory) -> Set<FactID> {
        var lost: Set<FactID> = []
        let gone = files.filter { memory.files[$0.key]?.facts != $0.value || memory.forgotten.contains($0.key.device) }
        for (path, facts) in gone {
            files[path] = nil
            for fact in facts {
                let count = (said[fact] ?? 1) - 1
                said[fact] = count == 0 ? nil : count
                if count == 0 { lost.insert(fact) }
            }
        }
        for (path, file) in memory.files where files[path] == nil && !memory.forgotten.contains(path.device) {
            files[path] = file.facts
            for fact in file.facts { said[fact, default: 0] += 1 }
            if !lost.isEmpty { lost.subtract(file.facts) }
        }
        return lost
    }
}
