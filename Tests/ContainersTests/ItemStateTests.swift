import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Containers

/// By an item's state somebody who looked at it sees whether it is the same still, with all that is in it.
@Suite struct ItemStateTests {
    private let folder = try! TemporaryFolder()
    private let container: Container

    init() throws {
        let documents = folder.path + "/c/Documents"
        try FileManager.default.createDirectory(atPath: documents + "/Sub", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: documents + "/Note.rtfd/Pictures", withIntermediateDirectories: true)
        for (name, text) in ["a.txt": "a", "Note.rtfd/TXT.rtf": "b", "Note.rtfd/Pictures/.hidden": "c"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: documents + "/" + name))
        }
        try FileManager.default.createSymbolicLink(atPath: documents + "/link", withDestinationPath: "a.txt")
        container = try Container.open(folder.path + "/c", access: .readWrite, kinds: .shipped)
    }

    private func path(_ name: String) -> String { folder.path + "/c/Documents/" + name }
    private func state(_ path: String) throws -> ItemState? {
        try container.state(at: path.split(separator: "/").map { Name(String($0))! })
    }

    @Test func anItemHasOneOfItsForm() throws {
        let forms = try ["a.txt", "link", "Note.rtfd", "Sub", "nothing", "a.txt/none"].map { try state($0)?.form }
        #expect(forms == [.file, .link, .package, .folder, nil, nil])
        #expect(try state("Sub")?.stamp == nil && state("a.txt")?.stamp?.size == 1)
    }

    @Test func aStateIsSaidInWords() throws {
        for name in ["a.txt", "link", "Note.rtfd", "Sub"] {
            let state = try #require(try state(name))
            #expect(ItemState(text: state.text) == state)
        }
        let unknown = ItemState(
            form: .file, number: 7, made: nil,
            stamp: ItemStamp(size: 1, modified: Timestamp(seconds: -5), changed: Timestamp(seconds: 2)))
        #expect(unknown.text == "f.7...1.-5.0.2.0" && ItemState(text: unknown.text) == unknown)
        for text in [
            "", "-", "f", "f.7", "f.7..", "d.7...1.1.1.1.1", "f.7.1..1.1.1.1.1", "f.7...-1.1.1.1.1",
            "f.7...1.1.1.1.1000000000", "x.7...1.1.1.1.1", "f.-7...1.1.1.1.1", "f.7...1.1.1.1.1.1", "d.7.1.2.3"
        ] {
            #expect(ItemState(text: text) == nil, "\(text)")
        }
    }

    /// Programs set the time at which a file was written, and nobody sets when it was changed.
    @Test func whatHasTheSameSizeAndTimeIsAnotherOne() throws {
        let before = try #require(try state("a.txt")),
            file = try container.documents.descriptor.open(Name("a.txt")!, .readWrite)
        let modified = try file.status().modified
        // The clock by which files are changed ticks before the next look.
        repeat {
            try file.write(Array("b".utf8), at: 0)
            try file.setTimes(accessed: nil, modified: .at(modified))
        } while try file.status().changed == before.stamp?.changed
        let after = try #require(try state("a.txt"))
        #expect(
            after != before
                && (after.stamp?.size, after.stamp?.modified) == (before.stamp?.size, before.stamp?.modified))
        try FileManager.default.removeItem(atPath: path("a.txt"))
        try Data("b".utf8).write(to: URL(fileURLWithPath: path("a.txt")))
        #expect(try state("a.txt") != after)
    }

    @Test func eachPartOfAPackageCounts() throws {
        var seen: Set<ItemState> = []
        func isNew() throws -> Bool { seen.insert(try #require(try state("Note.rtfd"))).inserted }
        #expect(try isNew() && !isNew())
        try Data("cc".utf8).write(to: URL(fileURLWithPath: path("Note.rtfd/Pictures/.hidden")))
        #expect(try isNew())
        try FileManager.default.moveItem(atPath: path("Note.rtfd/Pictures/.hidden"), toPath: path("Note.rtfd/.hidden"))
        #expect(try isNew())
        try FileManager.default.removeItem(atPath: path("Note.rtfd/Pictures"))
        #expect(try isNew())
        try FileManager.default.createDirectory(atPath: path("Note.rtfd/Other"), withIntermediateDirectories: false)
        #expect(try isNew())
        // Another name changes nothing in it.
        let before = try #require(try state("Note.rtfd"))
        try FileManager.default.moveItem(atPath: path("Note.rtfd"), toPath: path("Letter.rtfd"))
        #expect(try state("Letter.rtfd") == before)
    }

    @Test func whatIsInAFolderIsNoneOfItsState() throws {
        let before = try state("Sub")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path("Sub/x")))
        #expect(try state("Sub") == before && before != nil)
    }
}
