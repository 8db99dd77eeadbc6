import Foundation
import Hashes
import LinuxFiles
import MountTesting
import Replication
import ShareComputers
import Testing
@testable import Shares

/// Computers that see one folder.
@Suite struct ShareTests {
    @Test func whatOneSaysAllHear() throws {
        let meeting = try Meeting(3), one = meeting.computers[0]
        let item = try one.save()
        try one.save()
        try meeting.rounds(2)
        #expect(meeting.areAlike && meeting.computers[2].facts.versions.count == 2 && meeting.computers[2].needed.count == 2)
        try meeting.computers[1].save(item)
        try meeting.computers[2].delete(item)
        try meeting.rounds(3)
        #expect(meeting.areAlike && meeting.computers[0].facts.versions.count == 4)
    }

    /// When everybody has everything, no content is left in the folder, and nobody writes any more.
    @Test func theMailboxIsEmptyAtRest() throws {
        let meeting = try Meeting(3)
        for computer in meeting.computers { for _ in 0..<4 { try computer.save() } }
        try meeting.computers[0].meet()
        #expect(try meeting.contents().count == 4)
        try meeting.rounds(5)
        let before = try meeting.files()
        #expect(meeting.areAlike && before.keys.allSatisfy { !$0.contains("/c/") } && meeting.computers[0].needed.count == 12)
        try meeting.rounds(3)
        #expect(try meeting.files() == before)
    }

    @Test func aShareThatKeepsAllKeepsWhatIsCurrent() throws {
        let meeting = try Meeting(2, keeps: .all), item = try meeting.computers[0].save()
        try meeting.computers[1].save()
        try meeting.rounds(4)
        #expect(try meeting.contents().count == 2)
        try meeting.computers[0].delete(item)
        try meeting.rounds(4)
        #expect(try meeting.contents().count == 1)
        // A newcomer finds all of it though nobody else is on.
        let newcomer = try meeting.add("new")
        try newcomer.meet()
        #expect(newcomer.facts == meeting.computers[0].facts && newcomer.here.lacking.isEmpty && newcomer.share.memory.marker.keeps == .all)
    }

    @Test func aNewcomerAsksForWhatItLacks() throws {
        let meeting = try Meeting(2)
        for _ in 0..<3 { try meeting.computers[0].save() }
        try meeting.rounds(4)
        #expect(try meeting.contents().isEmpty)
        let newcomer = try meeting.add("new")
        try newcomer.meet()
        #expect(newcomer.here.lacking.count == 3)
        try meeting.rounds(4)
        #expect(meeting.areAlike)
        #expect(try meeting.contents().isEmpty)
    }

    @Test func manySmallFilesBecomeOne() throws {
        let meeting = try Meeting(2)
        for _ in 0..<Share.mostSmall + 3 {
            try meeting.computers[0].save(size: 10)
            try meeting.rounds(1)
        }
        try meeting.rounds(2)
        #expect(try meeting.factFiles().count < 6)
        #expect(meeting.areAlike && meeting.computers[1].facts.versions.count == Share.mostSmall + 3)
        let newcomer = try meeting.add("new")
        try meeting.rounds(3)
        #expect(newcomer.facts == meeting.computers[0].facts)
    }

    /// A copy that goes on to write notices, and the one that was copied does too.
    @Test func aCopiedComputerTakesAnotherName() throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        try one.save()
        try meeting.rounds(2)
        let copy = try meeting.add("copy", copyOf: one), before = one.share.memory.device
        #expect(copy.share.memory.device == before)
        try one.save()
        try copy.save()
        try meeting.rounds(6)
        #expect(one.share.memory.device != copy.share.memory.device && meeting.areAlike && one.facts.versions.count == 3)
    }

    @Test func aRestoredComputerTakesAnotherName() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], backup = try TemporaryFolder()
        try one.save()
        try meeting.rounds(2)
        try one.copyDisk(to: backup.path)
        try one.save()
        try meeting.rounds(3)
        let before = one.share.memory.device
        try one.restore(from: backup.path)
        #expect(one.facts.versions.count == 1)
        try meeting.rounds(4)
        #expect(one.share.memory.device != before && meeting.areAlike && one.facts.versions.count == 2)
    }

    /// Whose folder is emptied says it again at once; what nobody's folder says any more is said by whoever noticed, after an hour.
    @Test func whatIsGoneIsSaidAgain() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        try one.save()
        try meeting.rounds(3)
        try FileManager.default.removeItem(atPath: meeting.path(of: one))
        try one.meet()
        #expect(try meeting.factFiles().count == 1)
        // Its computer is no more, and its folder neither.
        meeting.computers.removeFirst()
        try FileManager.default.removeItem(atPath: meeting.path(of: one))
        try meeting.rounds(2)
        #expect(try meeting.factFiles().isEmpty)
        try meeting.rounds(2, later: Share.patience)
        #expect(try meeting.factFiles().count == 1)
        let newcomer = try meeting.add("new")
        try meeting.rounds(3)
        #expect(newcomer.facts == two.facts && meeting.areAlike)
    }

    @Test func whoIsSilentForLongIsNotWaitedFor() throws {
        let meeting = try Meeting(3)
        try meeting.rounds(2)
        meeting.computers.removeLast()
        try meeting.computers[0].save()
        try meeting.rounds(4)
        #expect(try meeting.contents().count == 1)
        try meeting.rounds(2, later: Share.silence / 2 + 1)
        #expect(try meeting.contents().isEmpty)
        // And who only has nothing to say is not silent.
        try meeting.computers[0].save()
        try meeting.computers[0].meet()
        #expect(try meeting.contents().count == 1)
    }

    @Test func whatOnlyAForgottenDeviceSaidIsSaid() throws {
        let meeting = try Meeting(3), gone = meeting.computers[2]
        try gone.save()
        try meeting.rounds(3)
        meeting.computers.removeLast()
        for computer in meeting.computers { computer.share.forget(gone.share.memory.device) }
        try meeting.rounds(3)
        #expect(try !meeting.files().keys.contains { $0.hasPrefix("\(gone.share.memory.device)/") })
        let newcomer = try meeting.add("new")
        try meeting.rounds(3)
        #expect(newcomer.facts.versions.count == 1 && meeting.areAlike)
    }

    /// A content that a carrier cut is none, and is given again.
    @Test func aTornContentIsGivenAgain() throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        try one.save()
        try one.meet()
        let path = "\(meeting.folder.path)/\(try #require(try meeting.contents().first))"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        try meeting.computers[1].meet()
        #expect(meeting.computers[1].here.lacking.count == 1)
        try meeting.rounds(3, later: Share.patience)
        #expect(meeting.areAlike)
    }

    /// What anybody may have put there is not there, and takes nothing.
    @Test func whatIsHostileIsNotThere() throws {
        let meeting = try Meeting(1), one = meeting.computers[0], manager = FileManager.default
        let other = "\(meeting.folder.path)/d-00000000000000aa", name = "000001-\(String(repeating: "a", count: 32)).facts"
        try manager.createDirectory(atPath: other, withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(meeting.folder.path)/d-00000000000000ab", withDestinationPath: "/etc")
        try manager.createSymbolicLink(atPath: "\(other)/\(name)", withDestinationPath: "/etc/passwd")
        #expect(mkfifo("\(other)/head", 0o600) == 0)
        try manager.createDirectory(atPath: "\(other)/000002-\(String(repeating: "b", count: 32)).facts", withIntermediateDirectories: true)
        let huge = "\(other)/000003-\(String(repeating: "c", count: 32)).facts"
        #expect(manager.createFile(atPath: huge, contents: nil) && truncate(huge, 1 << 40) == 0)
        try Data(repeating: 0xFF, count: 5000).write(to: URL(fileURLWithPath: "\(other)/000004-\(String(repeating: "d", count: 32)).facts"))
        try one.save()
        try meeting.rounds(2)
        #expect(one.facts.versions.count == 1)
        let newcomer = try meeting.add("new")
        try meeting.rounds(2)
        #expect(newcomer.facts == one.facts)
    }

    /// Files that are called as files of facts, all of one device that anybody made.
    private func addNoFacts(_ count: Int, size: Int, in meeting: Meeting, device: String = "d-0000000000000001") throws {
        let folder = "\(meeting.folder.path)/\(device)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 1...count {
            let digits = String(repeating: "0", count: 6 - "\(number)".count) + "\(number)"
            let path = "\(folder)/\(digits)-\(String(repeating: "e", count: 32)).facts"
            #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, off_t(size)) == 0)
        }
    }

    /// Until a look reads nothing: what changed a moment ago is read once more.
    private func waitTillNothingIsRead(_ computer: ShareComputer) throws {
        #expect(try eventually {
            let before = computer.share.readings.bytes
            try computer.meet()
            return computer.share.readings.bytes == before
        })
    }

    @Test func whatSaysNothingIsReadOnce() throws {
        let meeting = try Meeting(2), one = meeting.computers[0]
        try addNoFacts(20, size: 1 << 20, in: meeting)
        try one.meet()
        #expect(one.share.readings.bytes >= 20 << 20)
        try waitTillNothingIsRead(one)
        // One that is another file now is read again.
        let path = "\(meeting.folder.path)/d-0000000000000001/000007-\(String(repeating: "e", count: 32)).facts", before = one.share.readings.bytes
        #expect(truncate(path, 5000) == 0)
        try one.meet()
        #expect(one.share.readings.bytes == before + 5000)
    }

    /// The others are heard all the same, whoever comes first.
    @Test func whatIsReadInALookIsBounded() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        try addNoFacts(20, size: FactFile.largest, in: meeting)
        try addNoFacts(3, size: FactFile.largest, in: meeting, device: "d-ffffffffffffffff")
        try two.save()
        try two.meet()
        for _ in 0..<3 {
            let before = one.share.readings.bytes
            try one.meet()
            #expect(one.share.readings.bytes - before <= ShareReadings.most + FactFile.largest)
        }
        #expect(one.facts.versions.count == 1)
        try waitTillNothingIsRead(one)
    }

    @Test func largeHeadsKeepNobodyFromBeingHeard() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1]
        for number in 0..<80 {
            let folder = "\(meeting.folder.path)/d-00000000000001\(String(number + 16, radix: 16))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: folder + "/head", contents: nil) && truncate(folder + "/head", off_t(ShareHead.largest)) == 0)
        }
        try two.save()
        try two.meet()
        let before = one.share.readings.bytes
        try one.meet()
        #expect(one.share.readings.bytes - before <= ShareReadings.most + 2 * ShareHead.largest)
        #expect(one.facts.versions.count == 1 && one.share.memory.heard[two.share.memory.device] != nil)
        try waitTillNothingIsRead(one)
    }

    /// A file that grows while it is copied is no more than it was to be.
    @Test func aContentIsCopiedAsLongAsItWas() throws {
        let folder = try TemporaryFolder(), place = try Descriptor.atPath(folder.path, [.path, .folder]), bytes = Array("a content".utf8), digest = SHA256.digest(of: bytes)
        let file = OpenFile(try place.open(Name(constant: "file"), [.readWrite, .create], mode: 0o600)), target = try place.open(Name(constant: "target"), [.readWrite, .create], mode: 0o600)
        try file.descriptor.write(bytes, at: 0)
        #expect(try Share.copy(file, Int64(bytes.count), digest, to: target))
        #expect(try target.readAll(limit: 100) == bytes)
        try file.descriptor.truncate(to: 1 << 40)
        try target.truncate(to: 0)
        #expect(try !Share.copy(file, Int64(bytes.count), digest, to: target))
        #expect(try target.status().size <= bytes.count)
        #expect(try !Share.copy(file, Int64(bytes.count - 1), digest, to: target))
    }

    @Test func aLaterShareIsNotTouched() throws {
        let folder = try TemporaryFolder(), home = try TemporaryFolder()
        try Data("valise share 2 anything\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/valise-share"))
        #expect(throws: Failure.self) { try ShareComputer("one", at: home.path, in: folder.path, ShareComputer.Clock(), seed: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["valise-share"])
    }

    /// Of two that were made apart and carried together the lower counts.
    @Test func ofTwoSharesTheLowerCounts() throws {
        let meeting = try Meeting(1), one = meeting.computers[0]
        try FileManager.default.removeItem(atPath: "\(meeting.folder.path)/valise-share")
        let two = try meeting.add("two", keeps: .all)
        #expect(one.share.memory.marker != two.share.memory.marker)
        let lower = min(one.share.memory.marker.share, two.share.memory.marker.share)
        try meeting.rounds(3)
        #expect(one.share.memory.marker.share == lower && two.share.memory.marker == one.share.memory.marker)
        #expect(try meeting.files()["valise-share"] == Data(one.share.memory.marker.bytes))
    }

    /// One look at each head says that there is nothing.
    @Test(arguments: [false, true]) func aShareAtRestIsWatched(allIsTold: Bool) throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1], watch = ShareWatch(one.share.folder, allIsTold: allIsTold)
        try meeting.rounds(4)
        #expect(watch.hasNews())
        try watch.begin()
        try one.meet()
        watch.end(isComplete: try one.share.isComplete(one.here))
        #expect(!watch.hasNews() && watch.interval == 2 * ShareWatch.shortest)
        for _ in 0..<12 { #expect(!watch.hasNews()) }
        #expect(watch.interval == (allIsTold ? ShareWatch.longestWhereAllIsTold : ShareWatch.longest))
        try two.save()
        try two.meet()
        #expect(watch.hasNews() && watch.interval == ShareWatch.shortest)
    }

    /// Of what is done on this computer the kernel tells, whatever the interval; a wait ends when somebody wants it to.
    @Test func aWaitEndsWithNews() throws {
        let meeting = try Meeting(2), one = meeting.computers[0], two = meeting.computers[1], watch = ShareWatch(one.share.folder, allIsTold: true)
        try meeting.rounds(4)
        try watch.begin()
        try one.meet()
        watch.end(isComplete: try one.share.isComplete(one.here))
        watch.wait()
        for _ in 0..<12 { #expect(!watch.hasNews()) }
        try two.save()
        try two.meet()
        watch.wait()
        #expect(watch.interval == ShareWatch.shortest && watch.hasNews())
        watch.interruption()
        watch.wait()
    }
}
