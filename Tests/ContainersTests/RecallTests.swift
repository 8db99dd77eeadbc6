import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// A deleted document that a plain file was waits for a name, and nothing comes of it.
@Suite struct RecallTests {
    @Test func whatWasRecalledInVainWasDeletedFromTheNewPlace() throws {
        let folder = try TemporaryFolder(), home = folder.path + "/c"
        try FileManager.default.createDirectory(atPath: home + "/Trip", withIntermediateDirectories: true)
        try Data("one\n".utf8).write(to: URL(fileURLWithPath: home + "/Notes.stedoc"))
        let container = try Container.open(home, access: .readWrite, kinds: .shipped)
        let workshop = try whenUnlocked({ $0.errno == .tryAgain }) { () throws(Failure) in
            try Workshop.open(in: container, purpose: "on trial", versions: .standard, deleted: .standard)
        }
        _ = try workshop.recover()
        let stored = Name("Notes.stedoc")!, text = try #require(container.kinds.named("text"))
        let old = Address(folder: container.documents, path: [], shown: Name("Notes.txt")!)
        let trip = Address(folder: try container.documents.folder(at: [Name("Trip")!]), path: [Name("Trip")!], shown: Name("Plan.txt")!)
        let away = try #require(try workshop.commit(.putAway(stored, text, from: old)).away)
        try workshop.commit(.moveToDeleted(away))
        let item = try #require(workshop.deletedItems(called: stored, at: []).first)
        for _ in 1...2 {
            let again = try #require(workshop.deletedItem(item.number)), recalled = try #require(try workshop.commit(.recall(again, for: trip)).away)
            #expect(workshop.deletedItem(item.number)?.isAwayStill == true && "\(recalled.stored)" == "Plan.stedoc")
            try workshop.commit(.moveToDeleted(recalled))
            // It is not looked for where it was before.
            #expect(workshop.deletedItems(called: stored, at: []) == [])
            #expect(workshop.deletedItems(called: recalled.stored, at: trip.path).map(\.number) == [item.number])
            #expect(workshop.deletedItem(item.number).map { "\($0.shown)" } == "Plan.txt")
        }
        withExtendedLifetime(workshop) {}
    }
}
