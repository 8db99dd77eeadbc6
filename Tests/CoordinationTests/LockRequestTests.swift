import Containers
import Foundation
import LinuxFiles
import MountTesting
import SeededNumbers
import Testing

@testable import Coordination

/// The lock goes from those who only coordinate to a drive that is mounted, and back.
@Suite(.waiting, .timeLimit(.minutes(40))) struct LockRequestTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// Somebody waits for its lock, or has it already.
    private func isAsked(_ server: CoordinationServer) -> Bool { ![.granting, .awaiting].contains(server.handOver) }

    @Test func presentersGoToTheNextOneAndBack() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let app = try App(coordinator, "a")
        for round in 0..<3 {
            let server: CoordinationServer
            do {
                let request = LockRequest(for: opened)
                server = try CoordinationServer(opened, lock: try takeLock(of: opened, request))
            }
            #expect(eventually { server.presentedItems == 1 })
            app.edit("there \(round)")
            #expect(try other.coordinate(reading: "a", timeout: .seconds(60)) { try text($0.place) } == "there \(round)")
            #expect(server.questions == 1)
            server.stop(waiting: nil)
            app.edit("back \(round)")
            // Once it is presented again, to whichever of the two serves.
            #expect(eventually { (coordinator.desk.withLock { $0.server?.presentedItems } ?? 0) + (other.desk.withLock { $0.server?.presentedItems } ?? 0) == 1 })
            #expect(try other.coordinate(reading: "a", timeout: .seconds(60)) { try text($0.place) } == "back \(round)")
        }
        #expect(!FileManager.default.fileExists(atPath: container.path + "/.valise/next"))
    }

    /// Claims that were granted end before, and nobody is kept waiting by one who asked and is gone.
    @Test func grantedClaimsEndBefore() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        let mayEnd = Signal(), isIn = Signal(), guarded = Guarded()
        try coordinator.coordinate(reading: "x") { _ in }
        let holding = OnThread {
            try? other.coordinate(writing: "a") { _ in
                isIn.give()
                _ = mayEnd.wait()
                guarded.change()
            }
        }
        #expect(isIn.wait())
        var request: LockRequest? = LockRequest(for: opened)
        request?.ask()
        #expect(eventually { coordinator.desk.withLock { $0.server }.map(isAsked) == true })
        let waiting = OnThread { (try? other.coordinate(writing: "b", timeout: .seconds(100)) { _ in true }) ?? false }
        // Whoever asked is gone: others are granted what they wait for, beside the one that was there before.
        request = nil
        #expect(waiting.value == true && !holding.hasEnded)
        // The lock was handed on, and nobody took it but the one who waited: that one is to hear of the next one, before anybody claims more.
        let serving = try #require([coordinator, other].compactMap { $0.desk.withLock { $0.server } }.first { !$0.hasEnded })
        let next = LockRequest(for: opened)
        next.ask()
        #expect(eventually { isAsked(serving) })
        let late = OnThread { try? other.coordinate(writing: "a", timeout: .seconds(100)) { _ in guarded.change() } }
        mayEnd.give()
        let lock = try takeLock(of: opened, next)
        _ = holding.value
        #expect(guarded.changes == 1)
        let server = try CoordinationServer(opened, lock: lock)
        _ = late.value
        #expect(guarded.changes == 2 && guarded.faults == 0)
        server.stop(waiting: nil)
    }

    /// Whoever asks, whoever serves: each is killed at any moment, and all goes on.
    @Test func deathsKeepNobodyWaiting() throws {
        let container = try ClaimContainer(), seed = UInt64.random(in: 0...UInt64.max)
        print("deaths of who hands over: seed \(seed)")
        var random = SeededNumbers(seed: seed)
        for round in 0..<12 {
            let editor = try container.start("present", "a", "typed \(round)")
            #expect(eventually { editor.output.hasPrefix("presented\n") }, "seed \(seed)")
            let next = try container.start("next", "1000")
            if round.isMultiple(of: 2) { #expect(eventually { next.output.contains("taken") }, "seed \(seed)") }
            usleep(UInt32(random.next() % 20_000))
            let victims = random.next().isMultiple(of: 2) ? [next, editor] : [editor, next]
            victims[0].end()
            let coordinator = try FileCoordinator(container.path)
            #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(100)) { _ in true }, "seed \(seed)")
            coordinator.close()
            victims[1].end()
            #expect(try FileCoordinator(container.path).coordinate(writing: "a", timeout: .seconds(100)) { _ in true }, "seed \(seed)")
        }
    }
}

/// A real drive beside a running app.
@Suite(.mounting) struct DriveBesideAppTests {
    @Test func anAppDoesNotKeepADriveFromMounting() throws {
        let container = try TemporaryContainer("text Notes old")
        let editor = try Program([Places.built + "/ClaimTrial", container.path, "present", "Notes.stedoc", "typed"])
        #expect(eventually { editor.output == "presented\n" })
        let opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        #expect(ContainerLock.holder(of: opened)?.hasPrefix("process \(editor.process),") == true)
        try withDrive(container) { drive in
            // It may have missed something: it is told once it is known to the drive.
            #expect(eventually { editor.output.contains("changed Notes.stedoc\n") })
            let read = try run("cat", drive.path("Notes.txt")).good().output
            #expect(read == "typed")
            #expect(ContainerLock.holder(of: opened)?.hasSuffix("mounted on \(drive.mountpoint)") == true)
        }
        // And it goes on, and coordinates again.
        #expect(eventually { ContainerLock.holder(of: opened)?.hasPrefix("process \(editor.process),") == true })
        let coordinator = try FileCoordinator(container.path)
        #expect(try coordinator.coordinate(writing: "Notes.stedoc", timeout: .seconds(60)) { _ in true })
        coordinator.close()
        editor.end()
    }
}
