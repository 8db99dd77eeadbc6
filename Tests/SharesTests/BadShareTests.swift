import Databases
import Foundation
import Hashes
import LinuxFiles
import MountTesting
import Replication
import ShareComputers
import Testing
@testable import Shares

/// What carriers, clocks, backups and strangers do to a share, and what a device that looks away would not notice.
@Suite struct BadShareTests {
    private func tear(_ path: String, keepsSize: Bool) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        if keepsSize { data[data.count / 2] ^= 1 } else { data = data.prefix(data.count / 2) }
        try data.write(to: URL(fileURLWithPath: path))
    }

    // MARK: Files that are torn after they were read

    /// Its writer says it again at once, also after it began anew.
    @Test(arguments: [false, true], [false, true]) func anOwnFileThatWasTornIsSaidAgain(keepsSize: Bool, isRestarted: Bool) throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        try one.save()
        try meeting.rounds(3)
        if isRestarted { try one.restart() }
        try tear("\(meeting.folder.path)/\(try #require(try meeting.factFiles().first))", keepsSize: keepsSize)
        try one.meet()
        let newcomer = try meeting.add("new")
        try newcomer.meet()
        #expect(newcomer.facts == one.facts && newcomer.facts.versions.count == 1)
        try meeting.rounds(2)
        #expect(try meeting.factFiles().count == 1)
    }

    /// What its writer cannot say any more is said by whoever read it, after an hour; one that comes back whole is there again.
    @Test(arguments: [false, true], [false, true]) func anothersFileThatWasTornIsSaidAgain(keepsSize: Bool, isRestarted: Bool) throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        try one.save()
        try meeting.rounds(4)
        meeting.computers.removeFirst()
        let path = "\(meeting.folder.path)/\(try #require(try meeting.factFiles().first))", whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try tear(path, keepsSize: keepsSize)
        if isRestarted { try two.restart() }
        try meeting.rounds(2)
        #expect(try meeting.factFiles().count == 1)
        try whole.write(to: URL(fileURLWithPath: path))
        try meeting.rounds(2, later: Share.patience)
        #expect(try meeting.factFiles().count == 1, "it was whole again")
        try tear(path, keepsSize: keepsSize)
        try meeting.rounds(3, later: Share.patience)
        #expect(try meeting.factFiles().count == 2)
        let newcomer = try meeting.add("new")
        try newcomer.meet()
        #expect(newcomer.facts == two.facts && newcomer.facts.versions.count == 1)
    }

    /// What is as it was is not read once more, also by a process that begins.
    @Test func whatIsWholeIsReadOnce() throws {
        let meeting = try Meeting(2), two = meeting.computers[1]
        for _ in 0..<3 { try meeting.computers[0].save() }
        #expect(try eventually {
            let before = two.share.readings.bytes
            try meeting.rounds(1)
            return two.facts.versions.count == 3 && two.share.readings.bytes == before
        })
        try two.restart()
        try two.meet()
        // Heads alone.
        #expect(two.share.readings.bytes < 2000)
    }

    // MARK: Clocks

    /// One meeting in 2099, or in 1970.
    @Test(arguments: [Int64(2_300_000_000), -1_000_000]) func aWallClockThatIsWrongDecidesNothing(offset: Int64) throws {
        let meeting = try Meeting(3), one = meeting.computers[0]
        try one.save()
        try meeting.rounds(3)
        try FileManager.default.removeItem(atPath: meeting.path(of: one))
        meeting.computers.removeFirst()
        meeting.clock.wallOffset = offset
        try meeting.rounds(1)
        meeting.clock.wallOffset = 0
        try meeting.rounds(1)
        #expect(try meeting.factFiles().isEmpty)
        try meeting.rounds(2, later: Share.patience)
        #expect(try meeting.factFiles().count == 1)
        // Nobody is silent for that, and nobody writes for ever.
        try meeting.computers[0].save()
        try meeting.rounds(4)
        #expect(meeting.areAlike)
        let before = try meeting.files()
        meeting.clock.wallOffset = offset
        try meeting.rounds(3)
        #expect(try meeting.files() == before)
    }

    @Test func secondsGoOnWhereTheyStopped() {
        func clock(_ start: UInt8, _ age: Int64, after reading: RunningClock.Reading?) -> RunningClock { RunningClock(after: reading) { ([start], age) } }
        let first = clock(1, 100, after: nil).reading
        #expect(first.seconds == 0)
        let second = clock(1, 130, after: first).reading
        #expect(second.seconds == 30)
        // The computer was off.
        let third = clock(2, 5, after: second).reading
        #expect(third.seconds == 30)
        #expect(clock(2, 7, after: third).seconds == 32 && clock(2, 1, after: third).seconds == 30)
        #expect(RunningClock(after: third).seconds == 30)
    }

    @Test func secondsAreWrittenDownWithWhatIsRemembered() throws {
        let home = try TemporaryFolder(), numbers = SystemRandomNumberGenerator()
        var store = try FactStore(in: home.path, "facts"), drawn = numbers
        let reading = store.clock.reading
        try store.write([], ShareMemory(with: &drawn))
        store.close()
        store = try FactStore(in: home.path, "facts")
        #expect(store.clock.seconds >= reading.seconds && ShareMemoryBytes.clock(ShareMemoryBytes.bytes(of: reading)) == reading)
        store.close()
        #expect(ShareMemoryBytes.clock([UInt8](repeating: 255, count: 40)) == nil && ShareMemoryBytes.clock([1]) == nil)
    }

    // MARK: Limits

    private static func fact(_ number: UInt64, _ statement: Fact.Statement) -> Fact { Fact(id: FactID(Mark(high: 7, low: number)), rank: 1, device: .none, statement) }

    /// Who makes it is told, and nothing of it is known afterwards: not here, and not in the share.
    @Test func whatIsMoreThanAFactCanBeIsAnError() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], item = ItemID(Mark(high: 1, low: 1)), before = one.facts, memory = one.share.memory
        let parents = (0...UInt64(FactLimits.parents)).map { FactID(Mark(high: 3, low: $0)) }
        let huge = Self.fact(1, .version(Version(of: item, digest: nil, parents: parents))), good = Self.fact(2, .key(Key([65], value: [1])))
        var other = memory
        other.number = 99
        for facts in [[huge], [good, huge]] {
            #expect(throws: DatabaseFault.self) { try one.store.write(facts, other) }
            #expect(one.facts == before)
            #expect(try one.store.readMemory() == memory, "what is remembered of the share is written down with the facts")
        }
        try one.restart()
        #expect(one.facts == before)
        // Where all of it fits, it is said and heard.
        let most = Self.fact(3, .version(Version(of: item, digest: nil, parents: parents.dropLast())))
        let parts = (0..<2000).map { Version.Part(path: Array("parts/\($0 + 10_000)".utf8), .here([UInt8](repeating: 1, count: 2000))) }
        let large = Self.fact(4, .version(Version(of: item, digest: SHA256.digest(of: [1]), parents: [], body: .init(size: 4_000_000, time: 1, computer: [], parts: parts))))
        try one.store.write([most, large, good])
        try meeting.rounds(2)
        #expect(meeting.areAlike || meeting.computers[1].facts == one.facts)
        #expect(meeting.computers[1].facts.versions[most.id]?.parents.count == FactLimits.parents)
        #expect(FactFile.files(of: [huge, good], among: Facts(), after: 0).flatMap(\.facts) == [good.id])
    }

    /// A key that was removed is one that was removed, for whoever comes later, too.
    @Test func aRemovedKeyIsSaid() throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        try one.store.write([Self.fact(1, .key(Key([65], value: [1])))])
        try meeting.rounds(2)
        try one.store.write([Fact(id: FactID(Mark(high: 7, low: 2)), rank: 2, device: .none, .key(Key([65], value: nil)))])
        try meeting.rounds(2)
        let newcomer = try meeting.add("new")
        try meeting.rounds(2)
        for computer in [one, meeting.computers[1], newcomer] {
            try computer.restart()
            guard case .key(let key)? = computer.facts.keys[[65]]?.statement else { Issue.record("nothing is known of it"); continue }
            #expect(key.value == nil)
        }
    }

    // MARK: Names that were given up

    /// The content that one gave, by path, before its backup was put back; it takes another name when it meets the others.
    private func givenByFormer(_ meeting: Meeting) throws -> String {
        let one = meeting.computers[0], backup = try TemporaryFolder()
        try meeting.rounds(2)
        try one.copyDisk(to: backup.path)
        try one.save()
        try one.meet()
        let former = one.share.memory.device
        try one.restore(from: backup.path)
        return try #require(try meeting.contents().first { $0.hasPrefix("\(former)/") })
    }

    /// A content that was given under a name that nobody has any more goes when all have it, and the folder of a forgotten one altogether.
    @Test func whatAGivenUpNameGaveGoes() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        try one.save()
        try meeting.rounds(2)
        _ = try givenByFormer(meeting)
        let former = one.share.memory.device
        #expect(try meeting.contents().count == 1)
        try meeting.rounds(6)
        #expect(one.share.memory.device != former && meeting.areAlike && one.facts.versions.count == 2)
        #expect(try meeting.contents().isEmpty)
        // What the restored one says then is waited for by nobody for the former one's sake.
        try one.save()
        try meeting.rounds(4)
        #expect(meeting.areAlike)
        let left = try meeting.contents()
        #expect(left.isEmpty || two.share.memory.lastSeen[former] != nil)
        for computer in [one, two] { computer.share.forget(former) }
        try meeting.rounds(6)
        #expect(!FileManager.default.fileExists(atPath: "\(meeting.folder.path)/\(former)"))
        #expect(try meeting.contents().isEmpty)
    }

    /// As long as somebody lacks it, it stays; and the one who was copied goes on under the name.
    @Test func whatAGivenUpNameGaveStaysWhileItIsLacked() throws {
        let meeting = try Meeting(3), one = meeting.computers[0], three = meeting.computers[2]
        try one.save()
        try meeting.rounds(4)
        let copy = try meeting.add("copy", copyOf: one)
        try one.save()
        try one.meet()
        try copy.save()
        try copy.meet()
        #expect(copy.share.memory.former == [one.share.memory.device])
        meeting.computers.removeAll { $0 === three }
        try meeting.rounds(6)
        #expect(try !meeting.contents().isEmpty, "the third has not been there")
        // The one that was copied says something: somebody is called so.
        try one.save()
        try meeting.rounds(2)
        #expect(copy.share.memory.former.isEmpty)
        meeting.computers.append(three)
        try meeting.rounds(6)
        #expect(meeting.areAlike)
        #expect(try meeting.contents().isEmpty)
    }

    /// Whoever heard of it, and did not get it yet.
    @Test func whatSomebodyLacksStaysUnderAFormerName() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1], path = try givenByFormer(meeting)
        _ = try two.store.hear(from: &two.share)
        try two.share.say(two.facts, two.here)
        for _ in 0..<3 { try one.meet() }
        #expect(try meeting.files()[path] != nil)
        try meeting.rounds(3)
        #expect(meeting.areAlike)
        #expect(try meeting.contents().isEmpty)
    }

    /// As long as a file of the former one is not whole, nobody knows what was said with it.
    @Test func whatWasSaidWithATornFileStays() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], path = try givenByFormer(meeting)
        let file = "\(meeting.folder.path)/\(try #require(try meeting.factFiles().max()))", whole = try Data(contentsOf: URL(fileURLWithPath: file))
        try tear(file, keepsSize: false)
        for _ in 0..<3 { try one.meet() }
        #expect(try meeting.files()[path] != nil && one.facts.versions.isEmpty)
        try whole.write(to: URL(fileURLWithPath: file))
        try meeting.rounds(4)
        #expect(meeting.areAlike && one.facts.versions.count == 1)
        #expect(try meeting.contents().isEmpty)
    }

    /// In a share that keeps all it stays until it is in another folder.
    @Test func whatIsKeptStaysUnderAFormerName() throws {
        struct Nothing: ContentSource { func find(_ content: Digest) throws(Errno) -> ContentRange? { nil } }
        let meeting = try Meeting(2, keeps: .all), one = meeting.computers[0], path = try givenByFormer(meeting)
        _ = try one.store.hear(from: &one.share)
        var share = Share(one.share.folder, memory: one.share.memory, computer: [], source: Nothing(), clock: { 1_000_000 }, commit: { _ in })
        for _ in 0..<2 { try share.say(one.facts, one.here) }
        #expect(try meeting.files()[path] != nil)
        try meeting.rounds(4)
        #expect(meeting.areAlike)
        #expect(try meeting.files()[path] == nil && meeting.contents().count == 1)
    }

    @Test func anotherNameHasGivenAndRetiredNothing() {
        var numbers = SystemRandomNumberGenerator(), memory = ShareMemory(with: &numbers)
        (memory.given, memory.retired, memory.marks) = ([SHA256.digest(of: [1]): 3], [FactFileName(number: 1, sum: Mark(high: 1, low: 1))], [1])
        (memory.edition, memory.number, memory.headSince) = (4, 5, 6)
        let former = memory.device
        memory.takeOtherName(ShareDevice(9))
        #expect(memory.given.isEmpty && memory.retired.isEmpty && memory.marks.isEmpty && memory.former == [former])
        #expect(memory.edition == 0 && memory.number == 0 && memory.headSince == 0)
    }

    // MARK: Many files

    /// The last names of files that were put together are remembered, and one of long ago that comes back is none of a copy.
    @Test func aFileOfLongAgoIsOurs() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], device = one.share.memory.device
        try one.save(size: 10)
        try one.meet()
        let path = try #require(try meeting.factFiles().first), old = try #require(try meeting.files()[path])
        for _ in 0..<Share.mostSmall {
            try one.save(size: 10)
            try one.meet()
        }
        #expect(try meeting.files()[path] == nil)
        one.share.memory.retired = []
        try old.write(to: URL(fileURLWithPath: "\(meeting.folder.path)/\(path)"))
        try meeting.rounds(2)
        #expect(one.share.memory.device == device && meeting.areAlike)
        #expect(try meeting.files()[path] == nil)
        var memory = one.share.memory
        for number in 0...UInt32(ShareMemory.mostRetired) + 10 { memory.retire(FactFileName(number: number, sum: Mark(high: 0, low: UInt64(number)))) }
        #expect(memory.retired.count == ShareMemory.mostRetired && memory.retired.map(\.number).min() == 11)
        try one.store.write([], memory)
        #expect(try one.store.readMemory() == memory)
        memory.retired = [FactFileName(number: 3, sum: Mark(high: 0, low: 3))]
        try one.store.write([], memory)
        #expect(try one.store.readMemory() == memory)
    }

    /// Also those that say some thousand things each.
    @Test func filesOfSomeThousandFactsBecomeOne() throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        for file in 0...UInt64(Share.mostSmall) {
            try one.store.write((0..<1001).map { Self.fact(file << 32 | $0, .key(Key([UInt8(file), UInt8($0 & 255), UInt8($0 >> 8)], value: [1]))) })
            try one.meet()
        }
        try one.meet()
        let most = 1001 * (Share.mostSmall + 1) / FactFile.most + 2
        #expect(try meeting.factFiles().count <= most)
        try meeting.rounds(1)
        #expect(meeting.computers[1].facts == one.facts)
    }

    // MARK: In which order

    /// A head that came before the files that it lists says nothing of what was heard.
    @Test func anEditionIsHeardWithItsFiles() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        try meeting.rounds(2)
        let heard = two.share.memory.heard[one.share.memory.device]
        try one.save()
        try one.meet()
        let path = "\(meeting.folder.path)/\(try #require(try meeting.factFiles().first))", file = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        try two.meet()
        #expect(two.share.memory.heard[one.share.memory.device] == heard)
        try file.write(to: URL(fileURLWithPath: path))
        try two.meet()
        #expect(two.share.memory.heard[one.share.memory.device] == one.share.memory.edition && one.share.memory.edition != heard)
    }

    /// Whoever heard of it and lacks it may ask for it at any time: what they lack stays, whatever they heard.
    @Test func aContentThatAHeadLacksStays() throws {
        let meeting = try Meeting(3), one = meeting.computers[0], three = meeting.computers[2]
        try one.save()
        try meeting.rounds(4)
        #expect(try meeting.contents().isEmpty)
        // The third loses what it had.
        let content = try #require(three.needed.first)
        try FileManager.default.removeItem(atPath: "\(three.home)/contents/\(content.text)")
        try three.share.say(three.facts, three.here)
        meeting.computers.removeLast()
        for _ in 0..<4 {
            try meeting.rounds(1)
            #expect(try meeting.contents().count == 1)
            // It hears what is said, and does not fetch it.
            _ = try three.store.hear(from: &three.share)
            try three.share.say(three.facts, three.here)
        }
        meeting.computers.append(three)
        try meeting.rounds(4)
        #expect(meeting.areAlike)
        #expect(try meeting.contents().isEmpty)
    }

    /// What is there while a content is given: the files of facts, and no head that lists them.
    private final class Looking: ContentSource {
        let source: any ContentSource, look: () -> Void
        init(_ source: any ContentSource, _ look: @escaping () -> Void) { (self.source, self.look) = (source, look) }
        func find(_ content: Digest) throws(Errno) -> ContentRange? {
            look()
            return try source.find(content)
        }
    }

    @Test func theHeadComesLast() throws {
        let meeting = try Meeting(1), one = meeting.computers[0]
        try one.meet()
        let head = try #require(try meeting.files()["\(one.share.memory.device)/head"])
        var looks = 0
        let source = Looking(one.share.source) {
            looks += 1
            let files = try? meeting.files()
            #expect(files?.keys.contains { $0.hasSuffix(".facts") } == true && files?["\(one.share.memory.device)/head"] == head)
        }
        try one.save()
        var share = Share(one.share.folder, memory: one.share.memory, computer: [], source: source, clock: { 1_000_000 }, commit: { _ in })
        try share.say(one.facts, one.here)
        #expect(looks == 1)
        #expect(try meeting.files()["\(one.share.memory.device)/head"] != head)
    }
}
