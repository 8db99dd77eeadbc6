import Hashes
import Replication

/// What a device remembers of a share between meetings. It is part of its database, and is written down there with the facts that were heard.
public struct ShareMemory: Equatable, Sendable {
    public internal(set) var device: ShareDevice
    var marker: ShareMarker

    struct FilePath: Hashable, Comparable {
        let device: ShareDevice
        let name: FactFileName
        static func < (left: FilePath, right: FilePath) -> Bool { left.device == right.device ? left.name < right.name : left.device < right.device }
    }

    struct File: Equatable {
        /// What it says.
        let facts: [FactID]
        /// What it was like when it was read and was whole; nil where it could change once more without showing it. One that is like something else is read
        /// again: who carries it may have torn it.
        var trace: FileTrace?
        /// Since when it is not there any more, or is not whole, in seconds that passed here. What it said counts as said for a while.
        var goneSince: Int64?
    }

    /// The files of facts that were read, of others, and those that this device wrote.
    var files: [FilePath: File] = [:]
    /// Its own that were put together with others: they may be there still, or come back from a stick. The last ones: what comes back later is known by what it says.
    var retired: Set<FactFileName> = []
    /// Of its own heads, the last ones.
    var marks: [UInt64] = []
    /// Of its last file of facts.
    var number: UInt32 = 0
    var edition: UInt64 = 0
    /// Contents that it gave, and with which edition.
    var given: [Digest: UInt64] = [:]
    /// Up to which edition everything was read of each other device.
    var heard: [ShareDevice: UInt64] = [:]
    /// The last head of each, and since when that is the last one.
    var lastSeen: [ShareDevice: Seen] = [:]
    /// Devices that are no more: what only their folders say is said again, and then those are removed.
    var forgotten: Set<ShareDevice> = []
    /// What it was called before. Perhaps somebody else is called so, whom it was copied from; until that is seen nobody waits for them.
    var former: Set<ShareDevice> = []
    /// When it wrote its last head, in seconds that passed here.
    var headSince: Int64 = 0

    struct Seen: Equatable { let mark: UInt64, since: Int64 }

    static let mostMarks = 1000, mostRetired = 4096

    public init(with numbers: inout some RandomNumberGenerator, keeps: ShareKeeping = .needed) {
        device = ShareDevice(numbers.next())
        marker = ShareMarker(share: Mark.drawn(with: &numbers), keeps: keeps)
    }

    init(device: ShareDevice, marker: ShareMarker) { (self.device, self.marker) = (device, marker) }

    /// Its own files, in order.
    var own: [FactFileName] { files.keys.filter { $0.device == device }.map(\.name).sorted() }

    /// What is in some file, as far as is known.
    var said: Set<FactID> {
        var said = Set<FactID>(minimumCapacity: files.values.reduce(0) { $0 + $1.facts.count })
        for (path, file) in files where !forgotten.contains(path.device) { said.formUnion(file.facts) }
        return said
    }

    /// Under the old name it was somebody else, whose files it knows: what it said there is said, and what it gave is given by nobody it knows.
    mutating func takeOtherName(_ other: ShareDevice) {
        former.insert(device)
        device = other
        (retired, given, edition, number, marks, headSince) = ([], [:], 0, 0, [], 0)
    }

    /// It is not to be written any more: what it says is said in another one.
    mutating func retire(_ name: FactFileName) {
        files[FilePath(device: device, name: name)] = nil
        retired.insert(name)
        if retired.count > Self.mostRetired, let first = retired.min() { retired.remove(first) }
    }
}

/// By what one sees that a file is as it was, also after a restart.
struct FileTrace: Equatable {
    let size: Int64
    /// In nanoseconds since 1970, as its store says it.
    let modified: Int64
}
