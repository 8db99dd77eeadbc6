import Foundation
import LinuxFiles
import Testing

@testable import Containers
@testable import Transactions

/// What is under way when the journal ends, however long it is.
@Suite struct JournalReadingTests {
    private func read(_ text: String) throws -> JournalReading {
        let file = try Descriptor.atPath(FileManager.default.temporaryDirectory.path, [.nameless, .readWrite])
        try file.write(Array(text.utf8), at: 0)
        return JournalReading(file)
    }

    @Test func whatEndedIsForgotten() throws {
        let long = (10..<5000).map { "draft \($0) text d/Some%20folder/New\($0).txt new\nsealed \($0) 7\nintent \($0) move;s/\($0);d/New remove;s/1\nended \($0)\n" }.joined()
        let reading = try read("draft 5 text d/Mine.txt new\n" + long + "sealed 5 3\nincomplete 5\nhalf a li")
        #expect(reading.live == [5] && reading.unfinished.drafts.keys.elementsEqual([5]) && reading.unfinished.intents.isEmpty)
        #expect(reading.unfinished.sealed == [5: 3] && reading.unfinished.incomplete == [5])
        #expect(reading.highestNumber == 4999 && reading.oddLines == 0 && reading.whole == reading.size - 9)
    }

    @Test func draftsFollowWhatWasCarriedOut() throws {
        let intent = "intent 8 move;d/Old;d/New draft;5;text;d/New/a.txt;=a.stedoc draft;6;text;d/New/b.txt;~7=b.stedoc\n"
        let drafts = "draft 5 text d/Old/a.txt =a.stedoc\ndraft 6 text d/Old/b.txt ~7=b.stedoc\n"
        let done = try read(drafts + intent + "ended 8\n").unfinished.drafts
        #expect(done[5]?.path == [Name(constant: "New")] && done[6]?.away?.number == 7 && done[6]?.path == [Name(constant: "New")])
        let undone = try read(drafts + intent + "undone 8\nended 8\n").unfinished
        #expect(undone.drafts[5]?.path == [Name(constant: "Old")] && undone.intents.isEmpty)
        #expect(try read(drafts + intent + "passed 8\n").unfinished.passed == [8])
        #expect(try read(drafts + intent + "passed 8\nreturned 8\n").unfinished.passed == [])
    }

    /// What is not understood hides nothing that is.
    @Test func oddLinesAreCounted() throws {
        let reading = try read("draft 5 text d/a.txt new\ndraft 5 text d/../b.txt new\nsealed 5 -1\nintent 6 move;d/a\nnobody 7\nended\nended 18446744073709551616\n")
        #expect(reading.oddLines == 6 && reading.unfinished.drafts[5]?.shown == Name(constant: "a.txt"))
    }

    @Test(arguments: [
        "intent 8 here;12.1700000000.5 move;d/a;s/8.one;3.1.0;-;0 add;s/8.one;d/b;3.1.0;4.2.999999999;0 then remove;s/9;-",
        "intent 8 here;12.1700000000.5 add;d/a;s/8;3.1.0;-;0;6.1700000000.7 move;s/9;d/b;3.1.0;4.2.9;5.2.9;0.-3.0 remove;d/c;-;8.5.6",
        "intent 8 move;d/a;s/8.one then remove;s/9 draft;7;text;d/a;=a",
    ])
    func intentsAreReadAsTheyAreWritten(line: String) throws {
        #expect(Journal.Record(line: Array(line.utf8)[...])?.line == line)
    }

    @Test(arguments: [
        "intent 8 here;12.1700000000.5 move;d/a;s/8", "intent 8 move;d/a;s/8;3.1.0;-;0", "intent 8 here;12 move;d/a;s/8;3.1.0;-;0",
        "intent 8 here;12.1.5 move;d/a;s/8;3.1.1000000000;-;0", "intent 8 here;12.1.5 move;d/a;s/8;x;-;0",
        "intent 8 here;12.1.5 move;d/a;s/8;3.1.0;-;0;-1.5.6", "intent 8 here;12.1.5 remove;d/a;3.1.0;5.6",
        "intent 8 here;12.1.5 remove;d/a;3.1.0;8.5.6;0",
    ])
    func oddNodesAreNotUnderstood(line: String) throws { #expect(Journal.Record(line: Array(line.utf8)[...]) == nil) }
}
