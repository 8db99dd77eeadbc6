import Replication

/// What a device knows and no file of its share says. It goes on from the last time: only what is new, and what files
/// say that came since, is looked at, unless a file is gone.
struct UnsaidFacts {
    private var files: [ShareMemory.FilePath: [FactID]] = [:]
    private var forgotten: Set<ShareDevice> = []
    private var said: Set<FactID> = []
    private var unsaid: Set<FactSubject> = []
    private var mark: FactNews.Mark?

    mutating func find(in facts: Facts, _ memory: ShareMemory) -> [Fact] {
        let isLess = memory.forgotten != forgotten || files.contains { memory.files[$0.key]?.facts != $0.value }
        if isLess { (files, forgotten, said, mark) = ([:], memory.forgotten, [], nil) }
        for (path, file) in memory.files where files[path] == nil && !forgotten.contains(path.device) {
            said.formUnion(file.facts)
            files[path] = file.facts
        }
        if let news = facts.news.since(mark) {
            unsaid.formUnion(news)
        } else {
            unsaid = Set(facts.all.filter { !said.contains($0.id) }.map(\.subject))
        }
        mark = facts.news.mark
        let found = unsaid.compactMap { facts[$0] }.filter { !said.contains($0.id) }
        unsaid = Set(found.map(\.subject))
        return found.sorted { $0.id < $1.id }
    }
}
