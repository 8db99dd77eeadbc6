import LinuxFiles
import Replication

/// What this process has read in a share and need not read again: heads, and files that are called as files of facts and are none. What it reads in one
/// look is bounded, whatever others put there: the rest is read in the next ones.
final class ShareReadings {
    /// By what one sees that a file is another.
    struct Stamp: Equatable {
        let identity: FileIdentity, size: Int64, modified: Timestamp, changed: Timestamp
        /// It changed so shortly before that another change may bear the same time.
        let isUnsettled: Bool

        init(_ status: FileStatus) {
            (identity, size, modified, changed) = (status.identity, status.size, status.modified, status.changed)
            isUnsettled = status.isUnsettled
        }

        /// What is to be remembered of it; nil where it says too little.
        var trace: FileTrace? { isUnsettled ? nil : FileTrace(size: size, modified: modified.seconds &* 1_000_000_000 &+ Int64(modified.nanoseconds)) }

        func isStill(_ other: Stamp) -> Bool { !isUnsettled && (identity, size) == (other.identity, other.size) && (modified, changed) == (other.modified, other.changed) }
    }

    private var noFacts: [ShareMemory.FilePath: Stamp] = [:]
    private var heads: [ShareDevice: (stamp: Stamp, head: ShareHead?)] = [:]
    private var left = most
    /// How many bytes were read of what others wrote.
    private(set) var bytes = 0
    /// Where the next look begins, so that whoever puts much there does not keep the others from being heard.
    var first: ShareDevice?

    /// In one look, no more is read than this, and the file that goes beyond.
    static let most = 64 << 20
    /// More are not remembered: they are read again.
    private static let mostRemembered = 100_000

    func beginLook() { left = Self.most }
    var isSpent: Bool { left <= 0 }
    /// Heads take no more than half of it: the rest is for what is heard.
    var isSpentOnHeads: Bool { left <= Self.most / 2 }

    private func spend(_ count: Int) {
        left -= count
        bytes += count
    }

    // MARK: Files of facts

    func isNoFacts(_ path: ShareMemory.FilePath, _ stamp: Stamp) -> Bool { noFacts[path]?.isStill(stamp) == true }

    /// Nil where it says nothing: that is remembered for as long as it is the same file.
    func facts(_ path: ShareMemory.FilePath, _ stamp: Stamp, in folder: OpenFile) throws(Errno) -> [Fact]? {
        guard let file = path.name.name, !isNoFacts(path, stamp) else { return nil }
        let content = try ShareFolder.read(file, in: folder, limit: FactFile.largest)
        spend(content?.count ?? 0)
        if let facts = content.flatMap({ FactFile.facts(in: $0, named: path.name) }) { return facts }
        // What could not be read may be read the next time.
        guard content != nil || stamp.size > FactFile.largest else { return nil }
        if noFacts.count >= Self.mostRemembered { noFacts = [:] }
        noFacts[path] = stamp
        return nil
    }

    // MARK: Heads

    /// The head of a device, where it is the one that was read.
    func knownHead(of device: ShareDevice, _ stamp: Stamp) -> ShareHead?? {
        guard let known = heads[device], known.stamp.isStill(stamp) else { return nil }
        return .some(known.head)
    }

    func readHead(of device: ShareDevice, _ stamp: Stamp, in folder: OpenFile) throws(Errno) -> ShareHead? {
        let content = try ShareFolder.read(ShareFolder.head, in: folder, limit: ShareHead.largest), head = content.flatMap { ShareHead($0) }
        spend(content?.count ?? 0)
        heads[device] = content != nil || stamp.size > ShareHead.largest ? (stamp, head) : nil
        return head
    }

    /// Of devices that are gone nothing is remembered.
    func forget(besides there: Set<ShareDevice>) {
        for device in heads.keys where !there.contains(device) { heads[device] = nil }
        noFacts = noFacts.filter { there.contains($0.key.device) }
    }
}
