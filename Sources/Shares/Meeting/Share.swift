import Hashes
import LinuxFiles
import Replication

/// A share: a folder that two or more devices see, or that somebody carries from one to the other. Each device writes in a folder of its own there, and reads
/// all others. What is not whole is not there yet; what is gone is said again.
public struct Share: Transport {
    public var memory: ShareMemory
    package let folder: ShareFolder
    /// What this computer is called, for people.
    let computer: [UInt8]
    package let source: any ContentSource
    /// Seconds that passed on this device (`RunningClock`): a wall clock that is wrong for a moment decides nothing.
    package let clock: () -> Int64
    /// In seconds since 1970, for people who look at the share.
    package let wallTime: () -> Int64
    /// Writes the memory down, durably, in the middle of saying something.
    let commit: (ShareMemory) throws -> Void
    package var numbers: any RandomNumberGenerator & Sendable
    /// Since when this process sees that somebody lacks what is in some folder.
    var lackedSince: [Digest: Int64] = [:]
    private(set) var readings = ShareReadings()
    var unsaid = UnsaidFacts()

    /// In seconds: what no file says any more, and what is there and does not come, is said and given again after an hour.
    package static let patience: Int64 = 3600
    /// A device that said nothing for so long is not waited for; so each says something now and then.
    package static let silence: Int64 = 90 * 86_400, lifeSign: Int64 = 7 * 86_400
    /// So many small files are put together.
    package static let mostSmall = 32, small = FactFile.most / 2
    /// In one meeting no more is heard than this, or until a file is read that goes beyond.
    static let mostHeard = 50_000

    public init(
        _ folder: ShareFolder, memory: ShareMemory, computer: [UInt8], source: any ContentSource, clock: @escaping () -> Int64,
        wallTime: @escaping () -> Int64 = { Timestamp.now.seconds }, numbers: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        commit: @escaping (ShareMemory) throws -> Void
    ) {
        (self.folder, self.memory, self.computer, self.source, self.clock, self.wallTime) = (folder, memory, computer, source, clock, wallTime)
        (self.numbers, self.commit) = (numbers, commit)
    }

    /// Takes part in the share that the folder is, or makes it one.
    public static func join(_ folder: ShareFolder, _ memory: inout ShareMemory) throws {
        switch try marker(of: folder) {
        case .later: throw Failure(.notSupported, "the share was made by a later version of Valise")
        case .marker(let there): memory.marker = there
        case .none: try folder.write(memory.marker.bytes, as: ShareFolder.marker, in: folder.top)
        }
    }

    static func marker(of folder: ShareFolder) throws(Errno) -> ShareMarker.Reading {
        try ShareFolder.read(ShareFolder.marker, in: folder.top, limit: ShareMarker.largest).map(ShareMarker.read) ?? .none
    }

    /// As after the process began anew.
    package mutating func forgetWhatWasSeen() { (lackedSince, readings) = ([:], ShareReadings()) }

    // MARK: Hearing

    public mutating func hear() throws -> [Fact] {
        readings.beginLook()
        var listing = try listing()
        if try takeOtherNameIfCopied(listing) { listing = try self.listing() }
        noteWhatIsThere(listing)
        var heard: [Fact] = []
        let others = listing.others(than: memory.device), first = readings.first
        readings.first = nil
        // Where the last look ended, this one begins.
        for (device, seen) in others.filter({ $0.device >= first ?? $0.device }) + others.filter({ $0.device < first ?? $0.device }) {
            for name in seen.files.keys.sorted() {
                let path = ShareMemory.FilePath(device: device, name: name)
                guard let stamp = seen.files[name], !isWhole(path, stamp), !readings.isNoFacts(path, stamp) else { continue }
                guard heard.count < Self.mostHeard, !readings.isSpent else {
                    readings.first = device
                    return heard
                }
                guard let facts = try read(path, stamp) else {
                    let now = clock()
                    if let file = memory.files[path], file.goneSince == nil { memory.files[path]?.goneSince = now }
                    continue
                }
                if memory.files[path] == nil { heard += facts }
                memory.files[path] = ShareMemory.File(facts: facts.map(\.id), trace: stamp.trace)
            }
            noteHead(of: device, seen)
        }
        return heard
    }

    func listing() throws(Errno) -> ShareListing { try ShareListing(folder, own: memory.device, readings) }

    /// Whether a file is there as it was when it was read.
    func isWhole(_ path: ShareMemory.FilePath, _ stamp: ShareReadings.Stamp) -> Bool {
        guard let file = memory.files[path], let trace = file.trace else { return false }
        return trace == stamp.trace
    }

    func read(_ path: ShareMemory.FilePath, _ stamp: ShareReadings.Stamp) throws(Errno) -> [Fact]? {
        guard let folder = try folder.folder(of: path.device) else { return nil }
        return try readings.facts(path, stamp, in: folder)
    }

    /// Somebody else is this device, or this one was before its backup was put back: by files under its name that it does not know. Under another name it
    /// hears what lies under the old one like anybody's.
    private mutating func takeOtherNameIfCopied(_ listing: ShareListing) throws -> Bool {
        guard let own = listing.devices[memory.device] else { return false }
        var isForeign = own.head.map { !memory.marks.contains($0.mark) } == true
        for (name, stamp) in own.files where !isForeign && !readings.isSpent {
            let path = ShareMemory.FilePath(device: memory.device, name: name)
            guard memory.files[path] == nil, !memory.retired.contains(name), let facts = try read(path, stamp) else { continue }
            // It may be its own, of so long ago that the name is not remembered: then all that it says is in a later one.
            if memory.said.isSuperset(of: facts.map(\.id)) { memory.retired.insert(name) } else { isForeign = true }
        }
        guard isForeign else { return false }
        memory.takeOtherName(ShareDevice(numbers.next()))
        forgetWhatWasSeen()
        try commit(memory)
        return true
    }

    /// Since when each file is gone, or is not as it was; and after a while it is as if nobody had read it.
    private mutating func noteWhatIsThere(_ listing: ShareListing) {
        let now = clock()
        for (path, file) in memory.files where path.device != memory.device {
            let stamp = listing.devices[path.device]?.files[path.name]
            if stamp.map({ isWhole(path, $0) }) == true { if file.goneSince != nil { memory.files[path]?.goneSince = nil } }
            else if let since = file.goneSince { if now - since >= Self.patience { memory.files[path] = nil } }
            // Of one that could still change when it was read, reading it once more says what it is.
            else if stamp == nil || file.trace != nil { memory.files[path]?.goneSince = now }
        }
        for device in memory.lastSeen.keys where listing.devices[device]?.isEmpty ?? true { memory.lastSeen[device] = nil }
        for device in memory.heard.keys where listing.devices[device]?.isEmpty ?? true { memory.heard[device] = nil }
    }

    private mutating func noteHead(of device: ShareDevice, _ seen: ShareListing.Device) {
        guard let head = seen.head else { return }
        if let last = memory.lastSeen[device], last.mark != head.mark { memory.former.remove(device) }
        if memory.lastSeen[device]?.mark != head.mark { memory.lastSeen[device] = ShareMemory.Seen(mark: head.mark, since: clock()) }
        if head.share < memory.marker.share { memory.marker = ShareMarker(share: head.share, keeps: head.keeps) }
        let hasAll = head.files.allSatisfy { memory.files[ShareMemory.FilePath(device: device, name: $0)] != nil }
        if hasAll { memory.heard[device] = head.edition }
    }

    // MARK: Contents

    public func available(_ wanted: Set<Digest>) throws -> Set<Digest> {
        let devices = try folder.devices()
        return try Set(wanted.filter { content in try devices.contains { try folder.content(content, of: $0) != nil } })
    }

    /// Writes a content into a file. False where none that is there is whole.
    public func fetch(_ content: Digest, into target: borrowing Descriptor) throws -> Bool {
        for device in try folder.devices() {
            guard let (file, size) = try folder.content(content, of: device) else { continue }
            try target.truncate(to: 0)
            if try Self.copy(file, size, content, to: target) { return true }
        }
        try target.truncate(to: 0)
        return false
    }

    /// Copies a file of a folder that anybody may write in, as long as it was when it was opened, and sees whether it is that content.
    static func copy(_ file: OpenFile, _ size: Int64, _ content: Digest, to target: borrowing Descriptor) throws(Errno) -> Bool {
        var hash = SHA256(), offset: Int64 = 0
        while true {
            // One byte more than there are to be: what has grown meanwhile is another content.
            let count = Int(min(size + 1 - offset, 1 << 20))
            guard let bytes = try ShareFolder.present({ () throws(Errno) in try file.descriptor.read(at: offset, count: count) }) else { return false }
            if bytes.isEmpty { return hash.finish() == content }
            offset += Int64(bytes.count)
            guard offset <= size else { return false }
            hash.add(bytes)
            try target.write(bytes, at: offset - Int64(bytes.count))
        }
    }

    /// Whether every file that a head speaks of was heard, and everything that is needed is here: then there is nothing to look for until a head is another.
    public func isComplete(_ here: ContentsHere) throws -> Bool {
        guard here.lacking.isEmpty else { return false }
        let listing = try listing()
        return listing.others(than: memory.device).allSatisfy { other in other.seen.head.map { memory.heard[other.device] == $0.edition } ?? false }
    }

    /// `device` is no more: what only its folder says is said by this one, and then that is removed.
    public mutating func forget(_ device: ShareDevice) {
        guard device != memory.device else { return }
        memory.forgotten.insert(device)
    }
}
