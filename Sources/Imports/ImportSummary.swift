/// What came of an import, or would come of it.
public struct ImportSummary: Sendable {
    public struct Remark: Hashable, Sendable {
        public let place: String
        public let reason: String
    }

    /// What there is to say of some; of very many, of the first.
    public struct Remarks: Sendable {
        public private(set) var count = 0
        public private(set) var first: [Remark] = []

        private static let most = 1000

        mutating func add(_ place: String, _ reason: String, count: Int = 1) {
            self.count += count
            if first.count < Self.most { first.append(Remark(place: place, reason: reason)) }
        }
    }

    public internal(set) var added = 0
    /// How many links there were, whatever became of them.
    public internal(set) var links = 0
    /// In that folder with that address or content already.
    public internal(set) var known = 0
    /// Links with an address that one before them brought into the same folder.
    public internal(set) var doubled = 0
    /// Lines between others, and a browser's searches.
    public internal(set) var other = 0
    public internal(set) var searches = 0
    public internal(set) var newFolders = 0
    /// Titles, of folders too, that no name has room for.
    public internal(set) var shortened = 0
    /// Links whose note or icon is longer than what is kept of one.
    public internal(set) var cut = 0
    /// What should have come, and could not be read or not be imported.
    public internal(set) var faults = Remarks()
    /// What an import does not bring: files that are no documents, links of the file system.
    public internal(set) var leftOut = Remarks()
    /// What lies further up than where it comes from.
    public internal(set) var furtherUp = Remarks()
    /// Somebody ended it early.
    public internal(set) var isStopped = false
}
