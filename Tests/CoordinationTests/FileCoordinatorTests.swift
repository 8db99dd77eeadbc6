import Containers
import Foundation
import LinuxFiles
import MountTesting
import SeededNumbers
import Synchronization
import Testing

@testable import Coordination

/// Claims across connections: this process serves itself, as a container without a drive is served.
@Suite(.waiting, .timeLimit(.minutes(40))) struct FileCoordinatorTests {
    /// Somebody waits for a claim of the one who serves.
    private func awaitWaiter(of server: FileCoordinator) {
        #expect(eventually { server.desk.withLock { $0.server?.waitingClaims ?? 0 } == 1 })
    }

    private func failure(_ body: () throws -> Void) -> Failure? {
        do { try body() } catch { return error as? Failure }
        return nil
    }

    @Test func readersMeetAndAWriterIsAlone() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path), guarded = Guarded(), inside = Atomic(0), met = Signal()
        onThreads(6) { number in
            try? coordinator.coordinate(reading: "a") { item in
                if inside.add(1, ordering: .relaxed).newValue == 6 { met.give() }
                #expect(met.wait() && item.place == container.path + "/a")
            }
            for _ in 0..<100 { try? coordinator.coordinate(writing: "a") { _ in guarded.change() } }
        }
        #expect(guarded.faults == 0 && guarded.changes == 600)
    }

    @Test func waitingEnds() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path), other = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "a") { _ in
            let late = OnThread { self.failure { try other.coordinate(reading: "a", timeout: .milliseconds(30)) { _ in } } }
            #expect(late.value??.errno == .timedOut)
            let cancelled = OnThread { self.failure { try other.coordinate(reading: "a") { _ in } } }
            repeat { other.cancel() } while !cancelled.hasEnded
            #expect(cancelled.value??.errno == Errno(rawValue: ECANCELED))
        }
        try other.coordinate(reading: "a", timeout: .seconds(60)) { _ in }
    }

    @Test func aThreadDoesNotWaitForItself() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "f/a") { _ in
            for (item, purpose) in [("f/a", ClaimPurpose.writing), ("f", .moving)] {
                #expect(failure { try coordinator.coordinate(writing: item, for: purpose) { _ in } }?.errno == Errno(rawValue: EDEADLK))
            }
            try coordinator.coordinate(writing: "f/b", timeout: .seconds(60)) { _ in }
        }
        #expect(failure { try coordinator.coordinate(reading: "../a") { _ in } }?.errno == .invalid)
        try coordinator.coordinate(writing: "f/a", timeout: .seconds(60)) { _ in }
    }

    /// The one who served before is late with its last words: this process serves again by then. What that has granted waited for itself, and
    /// all others for it.
    @Test func whatTheNextServerHasGrantedIsNotResumed() throws {
        let container = try ClaimContainer(), coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(writing: "a") { _ in }
        let before = try #require(coordinator.desk.withLock { $0.server })
        coordinator.close()
        try coordinator.coordinate(writing: "a") { _ in
            #expect(coordinator.desk.withLock { $0.server } !== before)
            #expect(OnThread { coordinator.resumeClaims(by: before) }.value != nil)
        }
        try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in }
    }

    @Test func whoWaitsGetsTheNewPlace() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        let waiter = try coordinator.coordinate(writing: "old", for: .moving, writing: "new", for: .replacing) { old, _ in
            let waiter = OnThread { try? coordinator.coordinate(reading: "old/a") { $0.place } }
            awaitWaiter(of: coordinator)
            old.didMove(to: "new")
            return waiter
        }
        #expect(waiter.value == container.path + "/new/a")
    }

    @Test func uploadingGetsACopy() throws {
        let container = try ClaimContainer()
        try FileManager.default.createDirectory(atPath: container.path + "/f/Cat.ptk", withIntermediateDirectories: true)
        try Data("image".utf8).write(to: URL(fileURLWithPath: container.path + "/f/Cat.ptk/photo.data"))
        symlink("/etc/passwd", container.path + "/f/link")
        mkfifo(container.path + "/f/pipe", 0o600)
        let coordinator = try FileCoordinator(container.path)
        let place = try coordinator.coordinate(uploading: "f") { item in
            // Who writes does not wait for the sending.
            try coordinator.coordinate(writing: "f/Cat.ptk", timeout: .seconds(60)) { cat in
                try Data("changed".utf8).write(to: URL(fileURLWithPath: cat.place + "/photo.data"))
            }
            #expect(try String(contentsOfFile: item.place + "/Cat.ptk/photo.data", encoding: .utf8) == "image")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: item.place + "/link") == "/etc/passwd")
            return item.place
        }
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(failure { try coordinator.coordinate(uploading: "nowhere") { _ in } }?.errno == .noSuchEntry)
    }

    @Test func whoServedLetsOthersServe() throws {
        let container = try ClaimContainer()
        let first = try FileCoordinator(container.path)
        try first.coordinate(writing: "a") { _ in }
        let second = try FileCoordinator(container.path), isIn = Signal(), mayEnd = Signal(), guarded = Guarded()
        // Somebody waits, and somebody has a claim, while the one who serves ends.
        let holding = OnThread {
            try? second.coordinate(writing: "a") { _ in
                isIn.give()
                _ = mayEnd.wait()
                guarded.change()
            }
        }
        #expect(isIn.wait())
        let waiting = OnThread { try? second.coordinate(writing: "a") { _ in guarded.change() } }
        awaitWaiter(of: first)
        let ending = OnThread { first.close() }
        mayEnd.give()
        _ = (ending.value, holding.value, waiting.value)
        #expect(guarded.faults == 0 && guarded.changes == 2)
    }

    @Test func nobodyCoordinatesWithWhoDoesNot() throws {
        let container = try ClaimContainer()
        let lock = try ContainerLock.take(in: try Container.open(container.path, access: .readWrite, kinds: .shipped), purpose: "busy otherwise")
        let coordinator = try FileCoordinator(container.path)
        let refused = failure { try coordinator.coordinate(reading: "a", timeout: .milliseconds(30)) { _ in } }
        #expect(refused?.errno == .timedOut && refused?.sentence.contains("busy otherwise") == true)
        withExtendedLifetime(lock) {}
    }

    // MARK: Strangers

    @Test func strangersAreSurvived() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(reading: "a") { _ in }
        let state = try Descriptor.atPath(container.path + "/.valise", [.path, .folder])
        #expect(try state.status(of: ContainerLock.socketName).permissions == 0o600)
        func connect(_ words: [UInt8] = []) throws -> LocalSocket {
            let socket = try LocalSocket.connected(in: state, to: ContainerLock.socketName)
            _ = try? socket.send(words[...])
            return socket
        }
        func isDismissed(_ socket: LocalSocket) throws -> Bool {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                var watches = [LocalSocket.Watch(socket)]
                guard try LocalSocket.wait(&watches, milliseconds: 60_000) else { return false }
                do { if try socket.receive(into: &buffer) == 0 { return true } } catch { return true }
            }
        }
        let hello = CoordinationRequest.hello(version: 1).bytes
        func claim(_ number: UInt32, _ text: String) throws -> [UInt8] {
            CoordinationRequest.claim(number, [ClaimedItem(try #require(ItemPath(text: text)), .writing)], throughDrive: false).bytes
        }
        for words in [
            [0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 0, 0, 99], try claim(1, "a"), hello + hello, CoordinationRequest.hello(version: 0).bytes,
            hello + (try claim(1, "a")) + (try claim(1, "b")), hello + [3, 0, 0, 0, 2, 1, 1],
            hello + CoordinationRequest.moved(1, from: try #require(ItemPath(text: "a")), to: try #require(ItemPath(text: "b"))).bytes,
        ] { #expect(try isDismissed(try connect(words)), "\(words)") }

        // One that says half a message, one that never reads, and more of them than there is room for: others go on.
        var idle = [try connect([9, 0]), try connect(hello)]
        let deaf = try connect(hello)
        var number: UInt32 = 0
        // Each claim is refused or granted, and never read.
        for _ in 0..<2_000_000 {
            number += 1
            let words = try claim(number, "deaf") + CoordinationRequest.release(number).bytes
            guard let sent = try? deaf.send(words[...]), sent > 0 else { break }
        }
        for _ in 0..<300 { if let socket = try? connect(hello) { idle.append(socket) } }
        #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
        idle = []
        let other = try FileCoordinator(container.path)
        #expect(try other.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })

        // As many claims as it wants, but no more than there is room for.
        let greedy = try connect(hello)
        var words = try (1...1_100).flatMap { try claim(UInt32($0), "greedy \($0)") }[...]
        while !words.isEmpty { words = words.dropFirst(try greedy.send(words)) }
        var answers = MessageBuffer(), buffer = [UInt8](repeating: 0, count: 65_536), refused = 0, told = 0
        while told < 1_101 {
            var watches = [LocalSocket.Watch(greedy)]
            guard try LocalSocket.wait(&watches, milliseconds: 60_000), let count = try greedy.receive(into: &buffer), count > 0 else { break }
            answers.add(buffer[..<count])
            while case .message(let message) = answers.next() {
                told += 1
                if case .refused(_, .noMemory, _)? = CoordinationAnswer(message) { refused += 1 }
            }
        }
        #expect(told == 1_101 && refused == 76)
        greedy.shutDown()
        #expect(try other.coordinate(writing: "greedy 1", timeout: .seconds(60)) { _ in true })
    }
}

/// Whoever gets at the socket all the same is asked who they are.
@Suite struct OtherUsersListeningTests {
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func aStrangerIsDismissed() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(reading: "a") { _ in }
        // As after a change of the permissions by mistake.
        try shell("chmod 755 \"$(dirname \"$1\")\" \"$1\" \"$1/.valise\"; chmod 666 \"$1/.valise/coordination\"", container.path).good()
        let hello = CoordinationRequest.hello(version: 1).bytes.map { String($0) }.joined(separator: ",")
        let lines = """
            import socket, sys
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(sys.argv[1])
            try:
                peer.sendall(bytes([\(hello)]))
                print("told", peer.recv(100))
            except OSError:
                print("told b''")
            """
        let path = container.path + "/.valise/coordination"
        func told(_ user: Int) throws -> String {
            try run("setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/python3", "-c", lines, path).good().output
        }
        #expect(try told(5001) == "told b''\n")
        #expect(try told(0) != "told b''\n")
        #expect(try coordinator.coordinate(writing: "a", timeout: .seconds(60)) { _ in true })
    }
}

/// Claims where nothing can be written.
@Suite(.enabled(if: geteuid() == 0, "only root mounts")) struct ReadOnlyClaimTests {
    /// Who only reads needs nobody. As soon as the container can be written again, what is written is claimed as ever.
    @Test func whatIsReadIsClaimed() throws {
        let container = try ClaimContainer()
        try shell("mount --bind . . && mount -o remount,ro,bind .", in: container.path).good()
        defer { _ = try? run("umount", "-l", container.path) }
        let bound = try FileCoordinator(container.path)
        try bound.coordinate(reading: "a") { _ in try bound.coordinate(reading: "b") { _ in } }
        let failure = #expect(throws: Failure.self) { try bound.coordinate(writing: "a", timeout: .seconds(60)) { _ in } }
        #expect(failure?.errno == .readOnly && failure?.sentence.contains("read-only") == true)
        #expect(throws: Failure.self) { try bound.coordinate(reading: "a", writing: "b", timeout: .seconds(60)) { _, _ in } }

        // One that is read goes on meanwhile.
        try bound.coordinate(reading: "c") { _ throws in
            try shell("mount -o remount,rw,bind .", in: container.path).good()
            try bound.coordinate(writing: "a", timeout: .seconds(60)) { _ in }
        }
        try bound.coordinate(writing: "c", timeout: .seconds(60)) { _ in }
    }

    /// Somebody else serves by then, who can be asked.
    @Test func whoServesByThenIsAsked() throws {
        let container = try ClaimContainer()
        try shell("mkdir .valise ro && chmod 700 .valise && mount --bind . ro && mount -o remount,ro,bind ro", in: container.path).good()
        defer { _ = try? run("umount", "-l", container.path + "/ro") }
        let bound = try FileCoordinator(container.path + "/ro")
        try bound.coordinate(reading: "a") { _ in }
        let other = try FileCoordinator(container.path)
        try other.coordinate(writing: "a") { _ throws in
            #expect(throws: Failure.self) { try bound.coordinate(reading: "a", timeout: .milliseconds(200)) { _ in } }
            try bound.coordinate(reading: "b", timeout: .seconds(60)) { _ in }
        }
        try bound.coordinate(reading: "a", timeout: .seconds(60)) { _ in }
    }
}

/// Claims of many processes.
@Suite(.long, .waiting, .timeLimit(.minutes(40))) struct ManyProcessTests {
    @Test func manyProcessesAtRandom() throws {
        let container = try ClaimContainer(), seed = UInt64.random(in: 0...UInt64.max)
        print("claims at random: seed \(seed)")
        let programs = try (0..<12).map { try container.start("random", "400", "\(seed &+ UInt64($0))") }
        for program in programs {
            let ended = try program.wait()
            #expect(ended.code == 0 && ended.output.hasSuffix("claims\n"), "seed \(seed): \(ended.errors)")
        }
    }

    /// Whoever dies, whether it serves, has a claim or waits for one, keeps nobody else from going on.
    @Test func deathsGiveClaimsUp() throws {
        let container = try ClaimContainer(), seed = UInt64.random(in: 0...UInt64.max)
        print("deaths at random: seed \(seed)")
        var random = SeededNumbers(seed: seed)
        var programs = try (0..<6).map { (folder: $0 % 2, program: try container.start("hold", "Folder \($0 % 2)")) }
        for _ in 0..<30 {
            // Somebody has each of both, whoever is gone.
            for folder in 0..<2 {
                #expect(eventually { programs.contains { $0.folder == folder && $0.program.output == "held\n" } }, "seed \(seed)")
            }
            let victim = programs.remove(at: Int(random.next() % UInt64(programs.count)))
            victim.program.end()
            programs.append((victim.folder, try container.start("hold", "Folder \(victim.folder)")))
        }
        for victim in programs { victim.program.end() }
        #expect(try FileCoordinator(container.path).coordinate(writing: "Folder 0", for: .moving, timeout: .seconds(60)) { _ in true })
    }

    @Test func aClaimEndsWithItsProcess() throws {
        let container = try ClaimContainer()
        let coordinator = try FileCoordinator(container.path)
        try coordinator.coordinate(reading: "x") { _ in }
        let holder = try container.start("hold", "a")
        #expect(eventually { holder.output == "held\n" })
        let waiter = OnThread { (try? coordinator.coordinate(writing: "a") { _ in true }) ?? false }
        #expect(eventually { coordinator.desk.withLock { $0.server?.waitingClaims ?? 0 } == 1 })
        holder.end()
        #expect(waiter.value == true)
    }
}
