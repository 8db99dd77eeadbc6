import Hashes
import LinuxFiles
import Replication

extension Share {
    public mutating func say(_ facts: Facts, _ here: ContentsHere) throws {
        let listing = try listing(), own = try folder.ownFolder(memory.device)
        for name in listing.devices[memory.device]?.unfinished ?? [] { try ShareFolder.remove(name, in: own) }
        try dropWhatIsGone(listing)
        let others = listing.others(than: memory.device).filter { !isSilent($0.device) && !memory.forgotten.contains($0.device) && !memory.former.contains($0.device) }
        let new = unsaid.find(in: facts, memory)
        let written = newFiles(new, facts), contents = ContentFolder(folder, in: own), given = try contents.contents()
        let toGive = try wanted(here, new, given, others, contents)
        if !written.isEmpty || !toGive.isEmpty {
            memory.edition += 1
            for content in toGive { memory.given[content] = memory.edition }
            // Whose files these are has to be known before they are there, or this device would take itself for a copy.
            try commit(memory)
        }
        for file in written { if let name = file.name.name { try folder.write(file.bytes, as: name, in: own) } }
        for content in toGive { try give(content, contents) }
        try writeHead(here, listing, own)
        try removeWhatIsNotNeeded(here, listing, own, contents, given, others)
        try healMarker()
        try commit(memory)
    }

    /// Own files that are gone, or that are not whole: what they said is to be said again.
    private mutating func dropWhatIsGone(_ listing: ShareListing) throws {
        let there = listing.devices[memory.device]?.files ?? [:]
        for name in memory.own {
            let path = ShareMemory.FilePath(device: memory.device, name: name)
            if let stamp = there[name] {
                if isWhole(path, stamp) { continue }
                if try read(path, stamp) != nil {
                    memory.files[path]?.trace = stamp.trace
                    continue
                }
            }
            memory.retire(name)
        }
    }

    /// What is new, with all that small files say when they are too many.
    private mutating func newFiles(_ new: [Fact], _ facts: Facts) -> [FactFile.Written] {
        let small = memory.own.filter { (memory.files[ShareMemory.FilePath(device: memory.device, name: $0)]?.facts.count ?? 0) < Self.small }
        let isTogether = small.count >= Self.mostSmall
        guard !new.isEmpty || isTogether else { return [] }
        var all = new
        if isTogether {
            let ids = small.reduce(into: Set<FactID>()) { $0.formUnion(memory.files[ShareMemory.FilePath(device: memory.device, name: $1)]?.facts ?? []) }
            all = facts.known(of: ids).sorted { $0.id < $1.id } + new
            for name in small { memory.retire(name) }
        }
        let files = FactFile.files(of: all, among: facts, after: memory.number)
        for file in files {
            memory.files[ShareMemory.FilePath(device: memory.device, name: file.name)] = ShareMemory.File(facts: file.facts)
            memory.retired.remove(file.name)
            memory.number = file.name.number
        }
        return files
    }

    // MARK: Contents

    private func isSilent(_ device: ShareDevice) -> Bool { memory.lastSeen[device].map { clock() - $0.since >= Self.silence } ?? false }

    /// What is to be given now: of what is said here for the first time, if it is in no folder; what somebody lacks, at once if it is in no folder and after a
    /// while whatever folder has it; and in a share that keeps all, all.
    private mutating func wanted(
        _ here: ContentsHere, _ new: [Fact], _ given: Set<Digest>, _ others: [(device: ShareDevice, seen: ShareListing.Device)], _ contents: ContentFolder
    ) throws -> [Digest] {
        let heads = others.compactMap(\.seen.head), lacksMore = heads.contains { $0.lacksMore }
        func isListed(_ content: Digest) -> Bool { heads.contains { $0.lists(content) } }
        let fresh = Set(new.compactMap(\.version).flatMap(\.contents)), now = clock()
        var toGive: [Digest] = []
        lackedSince = lackedSince.filter { isListed($0.key) }
        // Of what nobody asks for nothing is to be done, however much it is.
        let asked = lacksMore || memory.marker.keeps == .all ? here.held : heads.reduce(into: fresh) { $0.formUnion($1.lacks) }.intersection(here.held)
        for content in asked.sorted() {
            let isLacked = lacksMore || isListed(content)
            if given.contains(content) {
                // It is here, and does not come: perhaps it is not whole.
                guard isLacked, now - (lackedSince[content] ?? now) >= Self.patience else { note(content, isLacked, now); continue }
                lackedSince[content] = now
                if try contents.isWhole(content) { continue }
                try contents.remove(content)
                toGive.append(content)
            } else if try others.contains(where: { try folder.content(content, of: $0.device) != nil }) {
                guard isLacked, now - (lackedSince[content] ?? now) >= Self.patience else { note(content, isLacked, now); continue }
                toGive.append(content)
            } else {
                toGive.append(content)
            }
        }
        return toGive
    }

    private mutating func note(_ content: Digest, _ isLacked: Bool, _ now: Int64) { if isLacked, lackedSince[content] == nil { lackedSince[content] = now } }

    private mutating func give(_ content: Digest, _ contents: ContentFolder) throws {
        guard let found = try source.find(content), try contents.put(content, from: found) else {
            memory.given[content] = nil
            return
        }
    }

    /// Whether every other device heard all that was said with it, and does not lack it.
    private func everybodyHas(_ content: Digest, _ others: [(device: ShareDevice, seen: ShareListing.Device)]) -> Bool {
        guard !others.isEmpty, let edition = memory.given[content] else { return false }
        return others.allSatisfy { other in
            guard let head = other.seen.head, let heard = head.heard[memory.device] else { return false }
            return heard >= edition && !head.isMissing(content)
        }
    }

    private mutating func removeWhatIsNotNeeded(
        _ here: ContentsHere, _ listing: ShareListing, _ own: OpenFile, _ contents: ContentFolder, _ given: Set<Digest>,
        _ others: [(device: ShareDevice, seen: ShareListing.Device)]
    ) throws {
        for name in memory.retired where listing.devices[memory.device]?.files[name] != nil { if let name = name.name { try ShareFolder.remove(name, in: own) } }
        let heads = others.compactMap(\.seen.head)
        for content in given {
            // What was here and nobody wrote down was given by a process that ended then.
            if memory.given[content] == nil { memory.given[content] = memory.edition }
            let isWanted = here.held.contains(content) || heads.contains { $0.isMissing(content) }
            if isWanted, memory.marker.keeps == .all || !everybodyHas(content, others) { continue }
            try contents.remove(content)
            memory.given[content] = nil
        }
        for (device, seen) in listing.devices where device != memory.device && (memory.forgotten.contains(device) || memory.former.contains(device) || isSilent(device)) {
            guard let folder = try folder.folder(of: device) else { continue }
            if memory.forgotten.contains(device) {
                for name in seen.files.keys { if let name = name.name { try ShareFolder.remove(name, in: folder) } }
                try ShareFolder.remove(ShareFolder.head, in: folder)
            }
            try removeLeft(device, seen, here, given, heads, in: folder)
        }
    }

    /// Contents that somebody gave who gives none any more. Each goes when this device has heard all that was said with it, and nobody lacks it. Should it be
    /// somebody all the same, who only was not there for long, then it gives again what is lacked.
    private func removeLeft(
        _ device: ShareDevice, _ seen: ShareListing.Device, _ here: ContentsHere, _ given: Set<Digest>, _ heads: [ShareHead], in folder: OpenFile
    ) throws {
        guard seen.files.keys.allSatisfy({ memory.files[ShareMemory.FilePath(device: device, name: $0)] != nil }) else { return }
        let left = ContentFolder(self.folder, in: folder)
        for content in try left.contents(areOurs: false) where !here.lacking.contains(content) && !heads.contains(where: { $0.isMissing(content) }) {
            // Who keeps all has it in a folder that somebody looks after.
            if memory.marker.keeps == .all, here.held.contains(content), !given.contains(content) { continue }
            try left.remove(content)
        }
        try left.removeIfEmpty()
        if memory.forgotten.contains(device), let name = device.folder { try? self.folder.top.descriptor.removeFolder(name) }
    }

    // MARK: The head

    private mutating func writeHead(_ here: ContentsHere, _ listing: ShareListing, _ own: OpenFile) throws {
        let lacks = here.lacking.sorted(), there = listing.devices[memory.device]?.head
        var head = ShareHead(
            share: memory.marker.share, keeps: memory.marker.keeps, edition: memory.edition, mark: 0, time: wallTime(), computer: computer, files: memory.own,
            heard: memory.heard.filter { !memory.forgotten.contains($0.key) }, lacks: Array(lacks.prefix(ShareHead.mostLacking)), lacksMore: lacks.count > ShareHead.mostLacking)
        if let there, there.says(head), (0..<Self.lifeSign).contains(clock() - memory.headSince) { return }
        head.mark = numbers.next()
        memory.headSince = clock()
        memory.marks = memory.marks.suffix(ShareMemory.mostMarks - 1) + [head.mark]
        try commit(memory)
        try folder.write(head.bytes, as: ShareFolder.head, in: own)
    }

    private func healMarker() throws {
        switch try Self.marker(of: folder) {
        case .later: return
        case .marker(let there) where there.share <= memory.marker.share: return
        case .marker, .none: try folder.write(memory.marker.bytes, as: ShareFolder.marker, in: folder.top)
        }
    }
}
