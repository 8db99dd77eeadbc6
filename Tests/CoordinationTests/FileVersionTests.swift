import Containers
import Coordination
import Foundation
import LinuxFiles
import MountTesting
import Testing

/// What NSFileVersion knows of a document, and what it does: of a container that nobody has, and through the drive that has it.
@Suite(.mounting) struct FileVersionTests {
    private static let mark = "2020-01-01T00-00-00.000000Z", theirs = "2021-01-01T00-00-00.000000Z"

    private func failure(_ body: () throws -> Void) -> Errno? {
        do { try body() } catch { return (error as? Failure)?.errno }
        return nil
    }

    /// A text that was another one, and is one more on another computer.
    private func container() throws -> TemporaryContainer {
        let container = try TemporaryContainer("text Sub/Notes now")
        let shelf = container.stored(".valise/versions/Sub/Notes.stedoc")
        try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        try Data("once".utf8).write(to: URL(fileURLWithPath: "\(shelf)/\(Self.mark)@laptop"))
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: "\(shelf)/\(Self.theirs) conflict@office"))
        return container
    }

    private func onBoth(_ body: (TemporaryContainer, FileCoordinator) throws -> Void) throws {
        let alone = try container()
        let coordinator = try FileCoordinator(alone.path)
        try body(alone, coordinator)
        coordinator.close()
        let mounted = try container()
        try withDrive(mounted) { drive in
            let coordinator = try FileCoordinator(mounted.path)
            try body(mounted, coordinator)
            coordinator.close()
            // The drive has seen what was done.
            #expect(try run("cat", drive.path("Sub/Notes.txt")).good().output == String(decoding: try mounted.bytes("Sub/Notes.stedoc"), as: UTF8.self))
        }
    }

    @Test func factsAreThoseOfTheVersions() throws {
        try onBoth { container, coordinator in
            try coordinator.coordinate(reading: "Sub/Notes.stedoc") { item in
                let current = try item.currentVersion(), others = try item.otherVersions()
                #expect(current.isCurrent && !current.isConflict && !current.isDiscardable && !others.contains(current))
                #expect(others.map(\.id.text) == [Self.theirs, Self.mark] && others.map(\.computer) == ["office", "laptop"])
                #expect(others.map(\.isConflict) == [true, false] && others.map(\.isResolved) == [false, false] && others.map(\.isDiscardable) == [false, true])
                #expect(others[1].modified == Timestamp(seconds: 1_577_836_800))
                #expect(try item.unresolvedConflictVersions() == [others[0]])
                #expect(try item.version(others[1].id) == others[1])
                // Whoever reads changes nothing.
                #expect(failure { try item.replaceCurrent(with: others[1]) } == .badDescriptor)
            }
            #expect(try container.bytes("Sub/Notes.stedoc") == Data("now".utf8))
        }
    }

    @Test func replacingKeepsTheNameAndWhatWas() throws {
        try onBoth { container, coordinator in
            try coordinator.coordinate(writing: "Sub/Notes.stedoc") { item in
                let once = try #require(try item.otherVersions().last)
                try item.replaceCurrent(with: once)
                #expect(try String(contentsOfFile: item.place, encoding: .utf8) == "once")
                // What it was is one more; what it was made of is there still.
                let others = try item.otherVersions()
                #expect(others.count == 3 && others.last == once)
                try item.replaceCurrent(with: others[0])
                #expect(try container.bytes("Sub/Notes.stedoc") == Data("now".utf8))
                try item.replaceCurrent(with: item.currentVersion())
                #expect(try item.otherVersions().count == 4)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored("Sub")) == ["Notes.stedoc"])
        }
    }

    @Test func conflictsAreResolvedOnceAndForAll() throws {
        try onBoth { _, coordinator in
            try coordinator.coordinate(writing: "Sub/Notes.stedoc") { item in
                let conflict = try #require(try item.unresolvedConflictVersions().first)
                #expect(failure { try item.remove(conflict) } == .notPermitted)
                try item.removeOtherVersions()
                #expect(try item.otherVersions() == [conflict])
                try item.markResolved(conflict)
                #expect(try item.unresolvedConflictVersions() == [])
                let resolved = try #require(try item.version(conflict.id))
                #expect(resolved.isConflict && resolved.isResolved && resolved.isDiscardable && resolved.computer == "office")
                // It does not go back.
                try item.markResolved(resolved)
                #expect(try item.version(conflict.id)?.isResolved == true)
                try item.remove(resolved)
                #expect(try item.otherVersions() == [])
                #expect(failure { try item.remove(resolved) } == .noSuchEntry)
            }
        }
    }

    @Test func theCurrentOneCannotBeRemoved() throws {
        try onBoth { container, coordinator in
            try coordinator.coordinate(writing: "Sub/Notes.stedoc") { item in
                let current = try item.currentVersion()
                #expect(failure { try item.remove(current) } == .invalid)
                #expect(failure { try item.markResolved(current) } == .invalid)
            }
            try coordinator.coordinate(writing: "Sub") { item in
                #expect(failure { _ = try item.otherVersions() } == .invalid)
            }
            #expect(try container.bytes("Sub/Notes.stedoc") == Data("now".utf8))
        }
    }
}
