/// What came of an import, or would come of it.
public struct ImportSummary: Sendable {
    public struct Fault: Hashable, Sendable {
        public let place: String
        public let reason: String
    }

    public internal(set) var added = 0
    /// How many links there were, whatever became of them.
    public internal(set) var links = 0
    /// In that folder with that address or content already.
    public internal(set) var known = 0
    /// Lines between others, a browser's searches.
    public internal(set) var other = 0
    public internal(set) var newFolders = 0
    /// What could not be read or not be imported; of very many, the first.
    public internal(set) var faults: [Fault] = []
    public internal(set) var faultCount = 0
    /// Somebody ended it early.
    public internal(set) var isStopped = false

    static let mostFaults = 1000

    mutating func note(_ place: String, _ reason: String) {
        faultCount += 1
        if faults.count < Self.mostFaults { faults.append(Fault(place: place, reason: reason)) }
    }
}
