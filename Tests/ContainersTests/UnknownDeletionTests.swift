import Containers
import Documents
import Foundation
import LinuxFiles
import MountTesting
import TextBundles
import Testing

/// What was deleted by a program that knows a kind, while one is here that does not: an older Valise, or one that was not told of it.
@Suite struct UnknownDeletionTests {
    private let folder = try! TemporaryFolder()
    private var home: String { folder.path + "/c" }
    private let kind = TextBundles.kinds.named("textbundle")!

    private func withWorkshop(knowing: Bool, _ body: (Workshop, Container) throws -> Void) throws {
        let container = try Container.open(home, access: .readWrite, kinds: knowing ? TextBundles.kinds : .basic)
        let workshop = try whenUnlocked({ $0.errno == .tryAgain }) { () throws(Failure) in
            try Workshop.open(in: container, purpose: "on trial", versions: .standard, deleted: .standard)
        }
        _ = try workshop.recover()
        try body(workshop, container)
        withExtendedLifetime(workshop) {}
    }

    private func put(_ file: String, _ text: String = "one") throws {
        let place = URL(fileURLWithPath: "\(home)/Documents/\(file)")
        try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    private func address(_ shown: String, _ container: Container) -> Address { Address(folder: container.documents, path: [], shown: Name(shown)!) }
    private var records: String { get throws { try String(contentsOfFile: home + "/.valise/deleted/records", encoding: .utf8) } }

    /// Two packages are deleted: one is among the deleted, and the other one still waits whether its name comes back.
    private func deleteTwo() throws {
        for name in ["Trip", "Walk"] {
            try put("\(name).textbundle/text.md", name)
            try put("\(name).textbundle/info.json", "{}")
        }
        try withWorkshop(knowing: true) { workshop, container in
            let away = try #require(try workshop.commit(.putAway(Name("Trip.textbundle")!, kind, from: address("Trip.md", container))).away)
            try workshop.commit(.moveToDeleted(away))
            try workshop.commit(.putAway(Name("Walk.textbundle")!, kind, from: address("Walk.md", container)))
        }
    }

    @Test func itComesBackAfterOneWasHereThatDoesNotKnowIt() throws {
        try deleteTwo()
        try put("plain.dat")
        // Something is of no account any more, so the list is written anew; and a line is of a later program.
        let before = try records
        try (before + "kept 40 later\nlater 7 word\ngone 77\n").write(toFile: home + "/.valise/deleted/records", atomically: false, encoding: .utf8)
        for _ in 1...2 {
            try withWorkshop(knowing: false) { workshop, container in
                #expect(workshop.deletedItems.allSatisfy { $0.kind == nil && "\($0.stored)" == "plain.dat" })
                if workshop.deletedItems.isEmpty {
                    let item = try #require(try workshop.commit(.takeAway(plain: Name("plain.dat")!, from: address("plain.dat", container))).deleted)
                    // No number is given twice.
                    #expect(item.number == 41)
                }
                #expect(try container.deletedRoom().items == 3)
            }
        }
        let kept = try records.split(separator: "\n").map(String.init)
        #expect(!kept.contains("gone 77") && kept.contains("later 7 word") && kept.contains("kept 40 later"))
        for line in before.split(separator: "\n").map(String.init) where line.hasPrefix("kept") { #expect(kept.contains(line)) }
        try withWorkshop(knowing: true) { workshop, container in
            #expect(workshop.deletedItems.compactMap(\.kind?.name) == ["textbundle", "textbundle"] && workshop.deletedItems.count == 3)
            for item in workshop.deletedItems {
                try workshop.commit(.bringBack(item, to: container.documents, at: item.path, as: item.stored, shown: item.shown))
            }
        }
        for name in ["Trip", "Walk"] { #expect(try String(contentsOfFile: "\(home)/Documents/\(name).textbundle/text.md", encoding: .utf8) == name) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/.valise/staging").isEmpty)
    }

    /// What is too old goes, whatever it is, and its line with it.
    @Test func itsDaysEnd() throws {
        try deleteTwo()
        try withWorkshop(knowing: false) { _, _ in }
        let aged = try records.split(separator: "\n").map { line in
            var words = line.split(separator: " ").map(String.init)
            guard words[0] == "kept", words[1] == "1" else { return line + "\n" }
            words[2] = "1600000000.0"
            return words.joined(separator: " ") + "\n"
        }
        try aged.joined().write(toFile: home + "/.valise/deleted/records", atomically: false, encoding: .utf8)
        try withWorkshop(knowing: false) { workshop, _ in _ = try workshop.commit(.thin) }
        try withWorkshop(knowing: false) { _, container in
            let items = try container.deletedRoom().items
            #expect(items == 1)
        }
        let left = try records
        #expect(!left.contains("kept 1 ") && left.contains("kept 2 "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home + "/.valise/deleted").sorted() == ["2", "records"])
    }
}
