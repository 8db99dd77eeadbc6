import Foundation
import LinuxFiles
import Testing

@testable import Containers
@testable import Transactions

/// A journal in a folder of its own, as often opened as a test wants.
private final class JournalFolder {
    let path: String
    let folder: OpenFile

    init(_ content: String? = nil) throws {
        var template = Array("/tmp/valise-journal.XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
        folder = OpenFile(try Descriptor.atPath(path, [.path, .folder]))
        if let content { try Data(content.utf8).write(to: file) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: URL { URL(fileURLWithPath: path + "/records") }
    var size: Int { get throws { try Data(contentsOf: file).count } }

    func open() throws -> Journal {
        try Journal(OpenFile(folder.descriptor.open(Journal.fileName, [.readWrite, .create], mode: 0o600)), in: folder)
    }

    /// What another process would find.
    func read() throws -> JournalReading { JournalReading(try folder.descriptor.open(Journal.fileName, .read)) }

    /// The whole lines, without the room behind them.
    func lines() throws -> [String] { Journal.lines(of: Array(try Data(contentsOf: file))).map(String.init) }
}

extension Journal.Record {
    fileprivate init?(text: String) { self.init(line: Array(text.utf8)[...]) }
}

private func name(_ text: String) throws -> Name { try #require(Name(text)) }
private func place(_ text: String) throws -> Place { try #require(Place(text: Array(text.utf8)[...])) }
private func record(_ line: String) throws -> Journal.Record { try #require(Journal.Record(text: line)) }

/// What is written in it is what is read back, by this process and the next one.
@Suite struct JournalRecordTests {
    @Test func everythingThatIsWrittenIsReadBack() throws {
        let move = Journal.Step.move(try place("d/a"), try place("s/7")), add = Journal.Step.add(try place("s/7"), try place("d/Photos/b.ptk"))
        let remove = Journal.Step.remove(try place("v/Photos/b.ptk"))
        guard case .draft(let draft) = try record("draft 9 text d/A/New.txt =Old.stedoc 12.1700000000.5"),
            case .draft(let away) = try record("draft 10 photo d/Cat.png ~8=Cat.ptk")
        else { return _ = Issue.record("no drafts") }
        let records: [Journal.Record] = [
            .draft(draft), .draft(away), .intent(3, Journal.Intent(steps: [move])), .intent(4, Journal.Intent(steps: [move, add, remove], exchangingSteps: 1)),
            .intent(5, Journal.Intent(steps: [move, add, remove], exchangingSteps: 3, drafts: [draft, away])), .intent(6, Journal.Intent(steps: [])),
            .passed(4), .returned(4), .undone(5), .ended(5), .sealed(9, 0), .sealed(9, .max), .unsealed(9), .incomplete(9), .complete(9),
            .ended(0), .ended(Journal.highestNumber),
        ]
        for record in records { #expect(Journal.Record(text: record.line) == record, "\(record.line)") }
    }

    /// All that names may be made of, in one word of the line.
    @Test(arguments: ["a b", "a;b", "a%b", "a\nb", "a=b", "~7=x", "=", "new", "ü 🙂", "\u{7F}\u{1}", "-", String(repeating: "ÿ", count: 127)])
    func anyNameIsReadBack(text: String) throws {
        let name = try name(text)
        let steps: [Journal.Step] = [.move(.item(name, in: [name, name]), .staged(name)), .remove(.item(name, in: []).part(name).ofVersions)]
        for record: Journal.Record in [.intent(7, Journal.Intent(steps: steps, exchangingSteps: 1))] {
            #expect(Journal.Record(text: record.line) == record)
            #expect(!record.line.contains("\n"))
        }
        let escaped = Place.escaped(name)
        for base in ["=\(escaped)", "~8=\(escaped)", "new"] {
            guard case .draft(let draft) = try record("draft 9 text \(Place.item(name, in: [name]).text) \(base)") else { return _ = Issue.record("no draft") }
            #expect(draft.shown == name && draft.path == [name])
            #expect(draft.stored == (base.hasPrefix("=") ? name : nil))
            #expect(draft.away == (base.hasPrefix("~") ? DraftRecord.AwayName(number: 8, stored: name) : nil))
            #expect(Journal.Record(text: Journal.Record.draft(draft).line) == .draft(draft))
        }
    }

    @Test func bytesThatAreNoTextAreReadBack() throws {
        let name = try #require(Name([0xFF, 0xFE, 0x80, 0x20]))
        let record = Journal.Record.intent(7, Journal.Intent(steps: [.remove(.staged(name))]))
        #expect(Journal.Record(text: record.line) == record)
    }

    /// Somebody else's words, or half of ours.
    @Test(arguments: [
        "", " ", "ended", "ended x", "ended -1", "ended 281474976710657", "ended 18446744073709551616", "Ended 1", "finished 1", "# comment",
        "sealed 9", "sealed 9 x", "sealed 9 -1", "sealed 9 9223372036854775808", "sealed 9 1 2",
        "draft 9", "draft 9 text d/a", "draft 9 text a new", "draft 9 text d/ new", "draft 9 text d/a/../b new", "draft 9 text d/a old",
        "draft 9 text d/a =", "draft 9 text d/a ~=x", "draft 9 text d/a ~x=y", "draft 9 text d/a ~7", "draft 9 text d/a ~281474976710657=x",
        "draft 281474976710657 text d/a new", "draft 9 text d/a new 1.2.3 more", "draft 9 text d/%zz new", "draft 9 text d/%2F new", "draft 9 text d/%0 new",
        "intent 5 move;d/a", "intent 5 move;d/a;s/b;s/c", "intent 5 add;d/a", "intent 5 remove", "intent 5 remove;d/a;d/b", "intent 5 copy;d/a;d/b",
        "intent 5 move;q/a;s/b", "intent 5 then;d/a", "intent 5 draft;9", "intent 5 remove;d/a unknown",
    ])
    func whatIsNoRecordIsNone(line: String) { #expect(Journal.Record(text: line) == nil) }

    @Test func itsHighestNumberIsThatOfAllItSpeaksOf() throws {
        #expect(try record("ended 7").highestNumber == 7)
        #expect(try record("draft 9 text d/a ~12=b").highestNumber == 12)
        #expect(try record("draft 9 text d/a ~2=b").highestNumber == 9)
        #expect(try record("intent 5 remove;s/3 draft;20;text;d/a;~31=b draft;22;text;d/c;new").highestNumber == 31)
    }
}

/// The file: how it begins, grows, is found again and is cut.
@Suite struct JournalFileTests {
    @Test func whatIsUnderWayIsFoundAgain() throws {
        let folder = try JournalFolder()
        do {
            let journal = try folder.open()
            #expect(journal.found.unfinished.isEmpty && journal.found.size == 0)
            for line in ["draft 1 text d/a.txt new", "intent 2 move;d/b;s/2", "intent 3 move;d/c;s/3 remove;d/e", "draft 4 photo d/d.png =d.ptk"] {
                try journal.append(record(line))
            }
            try journal.append(.passed(3))
            try journal.append(.sealed(4, 77))
            try journal.append(.incomplete(1))
            journal.conclude(.ended(2))
            try journal.synchronize()
        }
        let found = try folder.open().found
        #expect(Set(found.unfinished.drafts.keys) == [1, 4] && Set(found.unfinished.intents.keys) == [3])
        #expect(found.unfinished.passed == [3] && found.unfinished.sealed == [4: 77] && found.unfinished.incomplete == [1])
        #expect(found.live == [1, 3, 4])
        #expect(found.highestNumber == 4 && found.oddLines == 0 && found.fault == nil)
        #expect(found.unfinished.summary == "2 drafts and 1 change")
    }

    /// What takes back what was said before.
    @Test func theLaterWordHolds() throws {
        let folder = try JournalFolder(
            "intent 1 move;d/a;s/1 then remove;d/b\npassed 1\nreturned 1\nintent 2 remove;d/c\npassed 2\nintent 2 remove;d/d\n"
                + "intent 3 remove;d/e\nundone 3\ndraft 4 text d/a new\nsealed 4 5\nunsealed 4\nincomplete 4\ncomplete 4\ndraft 5 text d/b new\ndraft 5 text d/c =c.stedoc\n")
        let found = try folder.read().unfinished
        #expect(found.passed == [] && found.sealed == [:] && found.incomplete == [])
        #expect(Set(found.intents.keys) == [1, 2])
        #expect(try found.intents[2]?.steps == [.remove(place("d/d"))])
        #expect(try found.drafts[5]?.shown == name("c") && found.drafts[5]?.stored == name("c.stedoc"))
        // One that was taken back is not ended yet.
        #expect(try folder.read().live == [1, 2, 3, 4, 5])
    }

    /// An intent that was carried out has made drafts those of something else; one that was taken back has not.
    @Test func draftsFollowWhatWasDone() throws {
        let draft = "draft 1 text d/a.txt =a.stedoc\n", intent = "intent 2 move;d/a.stedoc;d/b.stedoc draft;1;text;d/b.txt;=b.stedoc\n"
        #expect(try JournalFolder(draft + intent + "ended 2\n").read().unfinished.drafts[1]?.stored == name("b.stedoc"))
        #expect(try JournalFolder(draft + intent + "undone 2\nended 2\n").read().unfinished.drafts[1]?.stored == name("a.stedoc"))
        #expect(try JournalFolder(draft + intent).read().unfinished.drafts[1]?.stored == name("a.stedoc"))
        #expect(try JournalFolder(draft + intent + "ended 2\nended 1\n").read().unfinished.isEmpty)
    }

    /// A frozen one: what any later release must go on understanding.
    @Test func aJournalOfTheFirstReleaseIsRead() throws {
        let folder = try JournalFolder("""
            draft 3 text d/Lists/Shopping%20list.txt =Shopping%20list.stedoc 120.1700000000.123456789
            draft 4 photo d/Cat.png ~6=Cat.ptk
            draft 5 bookmark d/New.url new
            intent 7 move;d/Dog.ptk;s/7.old then add;s/5;d/Dog.ptk move;s/7.old;v/Dog.ptk/1 remove;n/Dog draft;5;bookmark;d/Dog.url;=Dog.ptk
            passed 7
            sealed 3 64
            incomplete 5
            intent 8 remove;s/8
            ended 8

            """)
        let found = try folder.read()
        #expect(found.oddLines == 0 && found.highestNumber == 8 && found.live == [3, 4, 5, 7] && found.whole == found.size)
        let drafts = found.unfinished.drafts
        #expect(try drafts[3]?.path == [name("Lists")] && drafts[3]?.shown == name("Shopping list.txt") && drafts[3]?.kind == "text")
        let stamp = try #require(BaseStamp(text: "120.1700000000.123456789"))
        #expect(try drafts[3]?.stored == name("Shopping list.stedoc") && drafts[3]?.stamp == stamp)
        #expect(try drafts[4]?.away == DraftRecord.AwayName(number: 6, stored: name("Cat.ptk")) && drafts[4]?.stored == nil)
        #expect(drafts[5]?.stored == nil && drafts[5]?.away == nil && drafts[5]?.stamp == nil)
        let intent = try #require(found.unfinished.intents[7])
        #expect(try intent.steps == [
            .move(place("d/Dog.ptk"), place("s/7.old")), .add(place("s/5"), place("d/Dog.ptk")),
            .move(place("s/7.old"), place("v/Dog.ptk/1")), .remove(place("n/Dog")),
        ])
        #expect(try intent.exchangingSteps == 1 && intent.drafts.map(\.number) == [5] && intent.drafts.first?.stored == name("Dog.ptk"))
        #expect(found.unfinished.passed == [7] && found.unfinished.sealed == [3: 64] && found.unfinished.incomplete == [5])
    }

    /// Cut anywhere, as a power cut leaves it: what has no end was never written, and all before it was.
    @Test func aTornEndIsNoLine() throws {
        let lines = ["draft 1 text d/a.txt new\n", "intent 2 move;d/b;s/2 remove;d/c\n", "sealed 1 12\n", "ended 2\n"]
        let whole = Array(lines.joined().utf8)
        for length in 0...whole.count {
            let reading = try JournalFolder(String(decoding: whole[..<length], as: UTF8.self)).read()
            var kept: [String] = []
            for line in lines {
                guard kept.joined().utf8.count + line.utf8.count <= length else { break }
                kept.append(line)
            }
            #expect(reading.whole == Int64(kept.joined().utf8.count) && reading.size == Int64(length) && reading.oddLines == 0)
            #expect(reading.live == [Set<UInt64>(), [1], [1, 2], [1, 2], [1]][kept.count])
        }
    }

    /// It goes on behind what is whole, and the torn end is gone.
    @Test func writingGoesOnAfterATornEnd() throws {
        let folder = try JournalFolder("draft 1 text d/a.txt new\nintent 2 move;d/b;s/2 remo")
        let journal = try folder.open()
        try journal.append(record("intent 3 remove;d/c"))
        #expect(try folder.read().live == [1, 3])
        #expect(try folder.lines().map { $0.split(separator: " ")[0] } == ["draft", "intent"])
    }

    /// Room for the next lines, and lines that could not be written, are blanks.
    @Test func blanksAreNothing() throws {
        let reading = try JournalFolder("   \n  draft 1 text d/a.txt new\n        \nended 1\n     intent 2 remove;d/c\n       ").read()
        #expect(reading.oddLines == 0 && reading.live == [2] && reading.unfinished.drafts.isEmpty)
        #expect(reading.size - reading.whole == 7)
    }

    @Test func whatIsNotUnderstoodIsCountedAndPassedOver() throws {
        let reading = try JournalFolder("draft 1 text d/a.txt new\nwhat is this\nsealed 1 x\nended 281474976710657\nintent 2 remove;d/c\n\u{0}\u{0}\u{0}\n").read()
        #expect(reading.oddLines == 4 && reading.live == [1, 2] && reading.highestNumber == 2)
    }

    @Test func aLineLongerThanAPieceIsRead() throws {
        let steps = (0..<9000).map { "remove;s/number-\($0)" }
        let reading = try JournalFolder("draft 1 text d/a new\nintent 2 \(steps.joined(separator: " "))\nended 1\n").read()
        #expect(reading.unfinished.intents[2]?.steps.count == 9000 && reading.live == [2] && reading.oddLines == 0)
    }

    @Test func oneThatIsLongerThanAnyIsNot() throws {
        let folder = try JournalFolder("draft 1 text d/a new\nintent 2 remove;d/" + String(repeating: "x", count: 5 << 20) + "\nintent 3 remove;d/a\n")
        let reading = try folder.read()
        #expect(reading.oddLines == 1 && reading.live == [1, 3] && reading.whole == reading.size)
    }

    /// More than anybody has under way is not kept, and what is ended makes room.
    @Test func soManyAreUnderWayAndNoMore() throws {
        let most = 1 << 16
        let text = (1...most + 5).map { "draft \($0) text d/a new\n" }.joined()
        let reading = try JournalFolder(text + "ended 1\ndraft 70000 text d/a new\n").read()
        #expect(reading.live.count == most && reading.live.contains(70_000) && !reading.live.contains(UInt64(most) + 1) && reading.oddLines == 5)
    }

    // MARK: Growing and being cut

    /// Behind the last line there is always room for those that end what is under way.
    @Test func thereIsRoomForTheEndings() throws {
        let folder = try JournalFolder(), journal = try folder.open()
        for number in UInt64(1)...60 {
            try journal.append(record("draft \(number) text d/\(number).txt new"))
            let reading = try folder.read(), before = reading.size
            #expect(reading.whole < reading.size && Int64(reading.live.count) * 100 < reading.size - reading.whole)
            // They are written without a byte more.
            for ended in 1...number where ended % 7 == 0 && ended == number {
                journal.conclude(.unsealed(ended))
                journal.conclude(.ended(ended))
                #expect(try folder.read().size == before)
            }
        }
        for number in UInt64(1)...60 where number % 7 != 0 { journal.conclude(.ended(number)) }
        #expect(try folder.read().live == [])
    }

    /// A long one is cut when nothing is under way, and not before.
    @Test func itIsCutWhenNothingIsUnderWay() throws {
        let folder = try JournalFolder(), journal = try folder.open()
        try journal.append(record("draft 1 text d/a.txt new"))
        for number in UInt64(2)...3000 {
            try journal.append(record("intent \(number) move;d/\(number);s/\(number)"))
            journal.conclude(.ended(number))
        }
        #expect(try folder.size > 64 << 10 && folder.read().live == [1])
        journal.conclude(.ended(1))
        #expect(try folder.size == 0)
        try journal.append(record("draft 3001 text d/a.txt new"))
        #expect(try folder.read().live == [3001] && folder.lines().count == 1)
    }

    /// A draft that a change has made, and no line of its own speaks of, is under way when the change is done. If that was taken back, it is not.
    @Test func itIsNotCutUnderADraftOfAChange() throws {
        let folder = try JournalFolder(), journal = try folder.open(), last = UInt64(3000)
        try journal.append(record("draft 1 text d/z.txt new"))
        for number in UInt64(2)..<last {
            try journal.append(record("intent \(number) move;d/\(number);s/\(number)"))
            journal.conclude(.ended(number))
        }
        try journal.append(record("intent \(last) add;s/7;d/a.stedoc draft;\(last + 1);text;d/a.txt;=a.stedoc"))
        journal.conclude(.ended(1))
        journal.conclude(.ended(last))
        #expect(try folder.read().unfinished.drafts[last + 1]?.stored == name("a.stedoc"))
        try journal.append(record("intent \(last + 2) add;s/8;d/b.stedoc draft;\(last + 3);text;d/b.txt;=b.stedoc"))
        journal.conclude(.undone(last + 2))
        journal.conclude(.ended(last + 2))
        #expect(try folder.size > 64 << 10 && folder.read().live == [last + 1])
        journal.conclude(.ended(last + 1))
        #expect(try folder.size == 0)
    }

    /// A short one is left alone.
    @Test func aShortOneIsNotCut() throws {
        let folder = try JournalFolder(), journal = try folder.open()
        try journal.append(record("draft 1 text d/a.txt new"))
        journal.conclude(.ended(1))
        #expect(try folder.lines().count == 2 && folder.read().live == [])
    }

    /// What an earlier drive left is under way until it was dealt with.
    @Test func whatWasFoundIsNotCut() throws {
        let folder = try JournalFolder("draft 1 text d/a.txt new\n"), journal = try folder.open()
        for number in UInt64(2)...3000 {
            try journal.append(record("intent \(number) move;d/\(number);s/\(number)"))
            journal.conclude(.ended(number))
        }
        #expect(try folder.read().live == [1])
        journal.conclude(.ended(1))
        #expect(try folder.size == 0)
    }

    @Test func itBeginsAnewWithWhatIsLeft() throws {
        let folder = try JournalFolder("draft 1 text d/a.txt new\nwhat is this\nintent 2 remove;d/b\nended 2\n"), journal = try folder.open()
        try journal.startAnew(with: [record("draft 1 text d/a.txt new"), .sealed(1, 9)])
        #expect(try folder.lines() == ["draft 1 text d/a.txt new", "sealed 1 9"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["records"])
        // It is the new file that is written to.
        try journal.append(record("intent 7 remove;d/c"))
        #expect(try folder.read().live == [1, 7])
        try journal.startAnew(with: [])
        #expect(try folder.size == 0)
        try journal.append(record("intent 8 remove;d/c"))
        #expect(try folder.read().live == [8])
    }

    @Test func severalWriteAtOnce() throws {
        let folder = try JournalFolder(), journal = try folder.open()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<100 {
                let number = UInt64(thread * 1000 + round)
                try? journal.append(.intent(number, Journal.Intent(steps: [.remove(.staged(Name(constant: "a")))])))
                if round % 2 == 0 { journal.conclude(.ended(number)) }
            }
        }
        let reading = try folder.read()
        #expect(reading.oddLines == 0 && reading.live.count == 400 && reading.live.allSatisfy { $0 % 2 == 1 })
    }

    /// What cannot be read is not taken for an empty one.
    @Test func aFolderIsNoJournal() throws {
        let folder = try JournalFolder()
        #expect(throws: Errno.isDirectory) { try Journal(OpenFile(Descriptor.atPath(folder.path, [.read, .folder])), in: folder.folder) }
    }
}
