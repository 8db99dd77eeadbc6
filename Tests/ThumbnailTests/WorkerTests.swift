import Foundation
import LinuxFiles
import MountTesting
import Testing
import Thumbnails

/// The life of the worker's process.
@Suite(.waiting) struct WorkerTests {
    private let png = Array(QuarteredImage.png)

    @Test func noProcessRunsBeforeOneIsNeeded() throws {
        #expect(try ThumbnailWorker.built().process == nil)
    }

    @Test func aKilledWorkerIsStartedAgain() throws {
        let worker = try ThumbnailWorker.built()
        #expect(try worker.thumbnail(of: png).quarters == "red green blue white")
        let first = try #require(worker.process)
        kill(first, SIGKILL)
        #expect(try worker.thumbnail(of: png).quarters == "red green blue white")
        #expect(worker.process != first)
    }

    @Test func aWorkerThatDiesDuringARequestIsStartedAgain() async throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let first = try #require(worker.process)
        kill(first, SIGSTOP)
        async let seen = worker.thumbnail(of: png)
        kill(first, SIGKILL)
        #expect(try await seen.quarters == "red green blue white")
        #expect(worker.process != first)
    }

    @Test func aWorkerThatDoesNotAnswerIsEnded() throws {
        let hasty = try ThumbnailWorker.built(.init(answer: 300))
        let image = try TestImage(png)
        // On a busy machine even the first answer may take too long.
        while (try? hasty.facts()) == nil {}
        let first = try #require(hasty.process)
        kill(first, SIGSTOP)
        #expect(throws: ThumbnailFault.silent) { try hasty.thumbnail(of: image.file, offset: 0, length: image.length) }
        #expect(hasty.process == nil)
        #expect(!isRunning(first))
    }

    @Test func aProgramThatEndsAtOnceIsAFault() throws {
        let worker = ThumbnailWorker(program: "/bin/true")
        #expect(throws: ThumbnailFault.died) { try worker.facts() }
        #expect(worker.process == nil)
    }

    @Test(arguments: [nil, "/nonexistent/valise-thumbnailer"]) func aMissingProgramIsAFault(_ path: String?) throws {
        #expect(throws: ThumbnailFault.missing) { try ThumbnailWorker(program: path).facts() }
    }

    @Test func anIdleWorkerEnds() async throws {
        let worker = try ThumbnailWorker.built(.init(answer: 120_000, idle: 50))
        _ = try worker.facts()
        while worker.process != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try worker.thumbnail(of: png).quarters == "red green blue white")
    }

    @Test func aClosedWorkerIsGone() throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let process = try #require(worker.process)
        worker.close()
        #expect(!isRunning(process))
        #expect(throws: ThumbnailFault.closed) { try worker.facts() }
    }

    @Test func closingEndsARequest() async throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let process = try #require(worker.process)
        kill(process, SIGSTOP)
        let asking = Task { try worker.facts() }
        worker.close()
        await #expect(throws: ThumbnailFault.closed) { try await asking.value }
    }

    @Test func nobodyIsLeftWhenItsOwnerIsGone() throws {
        var worker: ThumbnailWorker? = try .built()
        _ = try worker?.facts()
        let process = try #require(worker?.process)
        worker = nil
        #expect(!isRunning(process))
    }

    @Test func manyAskAtOnce() async throws {
        let worker = try ThumbnailWorker.built()
        let image = try TestImage(png)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 { group.addTask { try worker.thumbnail(of: image.file, offset: 0, length: image.length).count } }
            return try await group.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
        }
        #expect(count == 40)
    }

    private func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 }
}
