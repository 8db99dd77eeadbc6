import Containers
import Foundation
import LinuxFiles
import MountTesting
import Testing

@testable import Coordination

/// Claims go on where the container's lock goes from one process to the next, and nobody else gets in between.
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct HandOverTests {
    private func isFree(_ item: String, _ coordinator: FileCoordinator) -> Bool {
        (try? coordinator.coordinate(writing: item, timeout: .seconds(60)) { _ in true }) == true
    }

    /// So long at least.
    private func isTaken(_ item: String, _ coordinator: FileCoordinator) -> Bool {
        (try? coordinator.coordinate(writing: item, timeout: .milliseconds(300)) { _ in true }) == nil
    }

    /// Whoever serves has one, and another program; both go on at a drive, and back.
    @Test func claimsGoOnAtTheNextOneAndBack() throws {
        let container = try ClaimContainer(), opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path), third = try FileCoordinator(container.path)
        let mayEnd = Signal(), isIn = [Signal(), Signal()]
        func hold(_ item: String, _ coordinator: FileCoordinator, _ signal: Signal) -> OnThread<Bool> {
            OnThread {
                (try? coordinator.coordinate(writing: item) { _ in
                    signal.give()
                    return mayEnd.wait()
                }) ?? false
            }
        }
        let own = hold("own", coordinator, isIn[0])
        #expect(isIn[0].wait())
        let others = hold("other", other, isIn[1])
        #expect(isIn[1].wait())
        do {
            // Neither is waited for.
            let server = try CoordinationServer(opened, lock: try takeLock(of: opened, LockRequest(for: opened)))
            #expect(isTaken("own", third) && isTaken("other", third) && isFree("free", third))
            #expect(!own.hasEnded && !others.hasEnded)
            server.stop(waiting: 0)
        }
        #expect(isTaken("own", third) && isTaken("other", third) && isFree("free", third))
        mayEnd.give()
        #expect(own.value == true && others.value == true)
        #expect(isFree("own", third) && isFree("other", third))
        // Nothing is waited for that is over.
        #expect(try Claimants.existing(of: opened)?.others() == [])
    }

    /// Whoever granted it is killed; and then whoever has it.
    @Test func aClaimOutlivesWhoGrantedIt() throws {
        let container = try ClaimContainer(), serving = try container.start("hold", "x")
        #expect(eventually { serving.output == "held\n" })
        let holding = try container.start("guard", "a"), other = try FileCoordinator(container.path)
        #expect(eventually { holding.output == "held\n" })
        #expect(isTaken("a", other))
        serving.end()
        #expect(isFree("x", other) && isTaken("a", other))
        holding.end()
        #expect(try other.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
    }

    /// What somebody has written to be saved in a claim that goes on is there still.
    @Test func whatIsHandedOverOutlivesIt() throws {
        let container = try ClaimContainer(), serving = try container.start("hold", "x")
        #expect(eventually { serving.output == "held\n" })
        let other = try FileCoordinator(container.path)
        try other.coordinate(writing: "Notes.stedoc") { item in
            let staged = try item.staged()
            try Data("new".utf8).write(to: URL(fileURLWithPath: staged.path))
            serving.end()
            #expect(eventually { (try? item.save(staged)) != nil })
        }
        #expect(try String(contentsOfFile: container.path + "/Notes.stedoc", encoding: .utf8) == "new")
    }

    // MARK: Deaths

    enum Side: String, CaseIterable, Sendable { case serving, holding, mounting }

    struct Death: CustomTestStringConvertible, Sendable {
        let side: Side, moment: HandOverMoment, time: Int
        var testDescription: String { "the one \(side.rawValue), at \(moment), the \(time == 1 ? "first" : "second") time" }

        /// What may happen to each side, there and back.
        static let all = Side.allCases.flatMap { side in
            HandOverMoment.allCases.flatMap { moment in [1, 2].map { Death(side: side, moment: moment, time: $0) } }
        }
    }

    /// One who serves and has a claim, one who has another claim, and a drive that is mounted and unmounted: one of them is killed when something happens.
    /// The other claims go on; nobody who watches gets one of them; and what the dead had is free in the end.
    @Test(arguments: Death.all) func deathsOnTheWay(_ death: Death) throws {
        let ended = try handOver { container, side, words in
            try Program([Places.built + "/ClaimTrial", container] + words, environment: side == death.side ? ["DIE": death.moment.description, "TIME": "\(death.time)"] : [:])
        }
        for (side, ended) in ended {
            // Some come at the very end, and some never to this one.
            if side == death.side, ended.code == 128 + SIGKILL { print("killed: \(death)") } else { #expect(ended.code == 0, "\(side): \(ended.errors)") }
        }
    }

    // MARK: Calls that fail

    struct FailingCall: CustomTestStringConvertible, Sendable {
        let side: Side, call: String
        /// Which of them, as strace counts: in each thread.
        let times: String
        /// EIO of a socket is what stores without sockets say.
        var errno: String { ["fcntl", "unlinkat", "ftruncate"].contains(call) ? "EIO" : "ENOMEM" }
        var testDescription: String { "the one \(side.rawValue), \(call), \(times)" }

        /// How many there are of each, or a few more. Receiving from a local socket fails only where the other end is gone, and what the
        /// trial itself calls is none of these.
        private static let counts = [
            ("sendto", 8), ("connect", 5), ("accept4", 6), ("socket", 6), ("bind", 2), ("listen", 2), ("fcntl", 26), ("unlinkat", 4), ("ftruncate", 2), ("fchmod", 2), ("epoll_ctl", 4),
        ]

        static let all = single + repeated

        /// Each second one, so that it is also the word that a claim goes on, and whatever else a program is told.
        private static let repeated = Side.allCases.flatMap { side in
            ["1+2", "2+2"].map { FailingCall(side: side, call: "sendto", times: $0) }
        }

        /// With VALISE_HANDOVER_FAULTS=all each of them, which takes some minutes; otherwise a few.
        private static let single = Side.allCases.flatMap { side in
            ProcessInfo.processInfo.environment["VALISE_HANDOVER_FAULTS"] == "all"
                ? counts.flatMap { call, count in (1...count).map { FailingCall(side: side, call: call, times: "\($0)") } }
                : [("connect", 2), ("fcntl", 1), ("fcntl", 4), ("unlinkat", 1), ("fchmod", 1)].map { FailingCall(side: side, call: $0.0, times: "\($0.1)") }
        }
    }

    /// The same, and a call of one of them fails, once. It may end by that, with an error, and nobody else does.
    @Test(.disabled(if: !FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "there is no strace here"), arguments: FailingCall.all)
    func failingCallsOnTheWay(_ fault: FailingCall) throws {
        let ended = try handOver { container, side, words in
            let inject = ["/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=\(fault.call)", "-e", "inject=\(fault.call):error=\(fault.errno):when=\(fault.times)"]
            return try Program((side == fault.side ? inject : []) + [Places.built + "/ClaimTrial", container] + words)
        }
        for (side, ended) in ended where ended.code != 0 { #expect(side == fault.side && ended.errors.contains("Error raised at top level"), "\(side): \(ended.code) \(ended.errors)") }
    }

    private func handOver(_ begin: (String, Side, [String]) throws -> Program) throws -> [Side: Ended] {
        let container = try ClaimContainer()
        func start(_ side: Side, _ words: String...) throws -> Program { try begin(container.path, side, words) }
        func tell(_ word: String) { _ = FileManager.default.createFile(atPath: "\(container.path)/\(word)", contents: nil) }
        let serving = try start(.serving, "guard", "a")
        #expect(eventually { serving.output == "held\n" || serving.hasEnded })
        let holding = try start(.holding, "guard", "b")
        #expect(eventually { holding.output == "held\n" || holding.hasEnded })
        let watching = try ["a", "b"].map { try container.start("watch", $0) }
        defer { for watcher in watching { watcher.end() } }
        let mounting = try start(.mounting, "mount", "x")
        #expect(eventually { mounting.output == "mounted\n" || mounting.hasEnded }, "\(mounting.errors)")
        tell("unmount")
        #expect(eventually { mounting.hasEnded })
        // Who survives has a claim still: a watcher that had it would say so.
        usleep(50_000)
        tell("end")
        let ended = try [Side.serving: serving, .holding: holding, .mounting: mounting].mapValues { try $0.wait() }
        for (side, ended) in ended { #expect(!ended.output.contains("broken"), "\(side): \(ended.output)") }
        for watcher in watching { #expect(eventually { watcher.output.contains("free") }, "\(watcher.errors)") }
        tell("end-watching")
        for watcher in watching {
            let ended = try watcher.wait()
            #expect(ended.code == 0 && !ended.output.contains("broken"), "\(ended.output)\(ended.errors)")
        }
        let opened = try Container.open(container.path, access: .readWrite, creating: [], kinds: .shipped)
        #expect(ContainerLock.holder(of: opened) == nil && (try? Claimants.existing(of: opened)?.others()) ?? [] == [])
        return ended
    }
}
