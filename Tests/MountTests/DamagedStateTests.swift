import Foundation
import MountTesting
import Testing

/// A damaged journal of one's own: the drive is there, nothing is thrown away, and what was not understood is named.
@Suite(.mounting) struct DamagedStateTests {
    private static let old = "file .valise/staging/5 \"a draft\"\nfile .valise/staging/18446744073709551615 what\nfile .valise/staging/junk/inside what\ntext Notes one\n"

    @Test(arguments: [
        "ended 18446744073709551615", "draft 18446744073709551615 text d/New.txt new", "draft 5 text d/New.txt ~18446744073709551615=x",
        "sealed 5 9223372036854775808", "sealed 5 -1", "nobody knows what", "intent 3 move;d/a", "intent 3 move;d/../a;d/b", "draft 5 text d/New.txt old", "draft 5 text d/New.txt =",
    ])
    func whatIsNotUnderstoodIsPutAside(line: String) throws {
        let container = try TemporaryContainer(Self.old + "file .valise/journal/records \"\(line)\\n\"")
        try withDrive(container) { drive in
            #expect(drive.log.contains("1 line of its journal cannot be understood") && drive.log.contains(".valise/damaged/"), "\(drive.log)")
            try shell("echo new >New2.txt && echo two >Notes.txt && test \"$(cat Notes.txt New2.txt)\" = \"$(printf 'two\\nnew')\"", in: drive.mountpoint).good()
        }
        #expect(try shell("cat .valise/damaged/*/records .valise/damaged/*/5 .valise/damaged/*/18446744073709551615 .valise/damaged/*/junk/inside", in: container.path).good().output == "\(line)\na draftwhatwhat")
        #expect(try valise("check", container.path).output.contains("note     “.valise/damaged/"))
        // Once is enough.
        try withDrive(container) { drive in #expect(!drive.log.contains("damaged"), "\(drive.log)") }
    }

    @Test(arguments: ["9223372036854775807", "900000000000000", "8", "3", "0"]) func aLengthIsAtMostTheFiles(length: String) throws {
        let container = try TemporaryContainer(Self.old + "file .valise/journal/records \"draft 5 text d/New.txt new\\nsealed 5 \(length)\\n\"")
        try withDrive(container) { drive in
            #expect(try run("cat", drive.path("New.txt")).good().output == String("a draft".prefix(Int(length) ?? 7)))
            try shell("echo two >New.txt && grep -q two New.txt", in: drive.mountpoint).good()
        }
    }

    /// What it says cannot be done, now or at any later time.
    @Test(arguments: [
        "intent 5 remove;d/Album remove;s/9", "intent 5 add;d/Album;d/Album/Inner/deeper remove;s/9", "intent 5 move;s/5;d/Album remove;s/9",
        "draft 5 photo d/New.png new",
    ])
    func whatCannotBeDoneKeepsNobodyFromMounting(line: String) throws {
        let container = try TemporaryContainer(Self.old + "text Album/List one\ntext Album/Inner/List one\nfile .valise/journal/records \"\(line)\\n\"")
        try withDrive(container) { drive in
            try shell("grep -q one Album/List.txt && grep -q one Album/Inner/List.txt && echo two >New2.txt", in: drive.mountpoint).good()
        }
        #expect(try shell("find . -path ./.valise/lock -o -type f -print0 | xargs -0 grep -lx 'a draft' | wc -l", in: container.path).good().output == "1\n")
    }

    /// Read in pieces: what is kept of it is what is under way.
    @Test func aLongJournalTakesLittleMemory() throws {
        let container = try TemporaryContainer(Self.old + "folder .valise/journal")
        try shell(
            """
            python3 -c '
            place = "d/" + "/".join(["x" * 200] * 12) + "/Notes.txt"
            for number in range(6, 1506):
                print("draft", number, "text", place, "=Notes.stedoc", "12345.1700000000.123456789")
                print("ended", number)
            print("draft 5 text d/New.txt new")' >.valise/journal/records
            """, in: container.path).good()
        func peak(_ drive: MountedDrive) throws -> Int {
            #expect(try run("cat", drive.path("New.txt")).good().output == "a draft")
            let said = try shell("sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/\(drive.process)/status").good().lines[0]
            return try #require(Int(said))
        }
        let long = try withDrive(container) { drive in try peak(drive) }
        let short = try withDrive(container) { drive in try peak(drive) }
        #expect(long - short < 6000, "\(long) kB and \(short) kB")
    }
}
