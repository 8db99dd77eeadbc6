import Foundation
import MountTesting
import Testing

/// How the process that serves a drive begins and ends.
@Suite(.mounting) struct LifeTests {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func aSignalUnmountsInOrder(_ signal: Int32) throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive throws in
            #expect(try run("cat", drive.path("Notes.txt")).output == "one")
            kill(drive.process, signal)
            #expect(try drive.waitForEnd() == 0)
            #expect(!MountedDrive.isMounted(drive.mountpoint))
        }
    }

    @Test func aSignalSavesWhatIsOpen() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw") { drive in
            let writer = try Program(["bash", "-c", "exec 3>>Notes.txt; echo two >&3; touch ../written; sleep 100"], in: drive.mountpoint)
            defer { writer.end() }
            #expect(eventually { access(container.beside("written"), F_OK) == 0 })
            kill(drive.process, SIGTERM)
            #expect(try drive.waitForEnd() == 0)
            #expect(try run("cat", container.stored("Notes.stedoc")).output == "onetwo\n")
        }
    }

    /// Whoever mounts next is told of what was in the middle of being written.
    @Test func whatWasBeingWrittenIsNamed() throws {
        let container = try TemporaryContainer("text Sub/Notes one\ntext Other one")
        try withDrive(container, options: "create=photo,text") { drive in
            try Program.whileNoneStarts {
                let notes = try OpenedFile(drive.path("Sub/Notes.txt"), O_WRONLY | O_TRUNC), photo = try OpenedFile(drive.path("Cat.jpg"), O_WRONLY | O_CREAT)
                try notes.write("half")
                try photo.write(image(1000).dropLast(2))
                try drive.put("Other.txt", "two")
                try drive.kill()
            }
            let again = try valise("mount", "--log-file", container.beside("log"), container.path, drive.mountpoint)
            #expect(again.code == 0 && again.errors.contains("“Sub/Notes.txt” was being written when the last drive ended, and is saved as it was then, which may not be all: what was there before is among the versions"), "\(again)")
            #expect(again.errors.contains("“Cat.jpg” was being written when the last drive ended, and is a plain file with") && !again.errors.contains("Other"), "\(again)")
            // Where the system mounts it, nobody sees that.
            let logged = try valise("log", drive.mountpoint).good().output
            #expect(again.errors.split(separator: "\n").allSatisfy { line in logged.contains(line.replacing("valise: ", with: "")) || line.contains("dead drive") }, "\(logged)")
            #expect(try drive.text("Sub/Notes.txt") == "half" && drive.text("Other.txt") == "two")
            try valise("unmount", drive.mountpoint).good()
            #expect(try valise("mount", container.path, drive.mountpoint).errors == "")
            try valise("unmount", drive.mountpoint).good()
        }
    }

    @Test func aDeadDriveIsMountedOverWithOneCommand() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try drive.kill()
            #expect(MountedDrive.isMounted(drive.mountpoint))
            let status = try valise("status", drive.mountpoint)
            #expect(status.code == 1 && status.errors.contains("is dead") && status.errors.contains("valise unmount"), "\(status.errors)")
            let again = try valise("mount", container.path, drive.mountpoint)
            #expect(again.code == 0 && again.errors.contains("dead drive"), "\(again.errors)")
            #expect(try run("cat", drive.path("Notes.txt")).output == "one")
            try valise("unmount", drive.mountpoint).good()
            // The dead one is not under it any more.
            #expect(!MountedDrive.isMounted(drive.mountpoint))
        }
    }

    /// Whoever asks all drives is told of a dead one, and hears what the others have.
    @Test(arguments: [["find", "name BEGINSWITH 'Found'"], ["deleted"]]) func aDeadDriveKeepsNobodyFromTheOthers(words: [String]) throws {
        let container = try TemporaryContainer("text Notes one"), other = try TemporaryContainer("text Found one\ntext Gone two")
        try withDrive(container) { dead in
            try dead.kill()
            try withDrive(other, options: "rw") { drive in
                try drive.remove("Gone.txt")
                let answer = try Program([Places.valise] + words, environment: ["XDG_CACHE_HOME": other.beside("cache")]).wait()
                #expect(answer.code == 1 && answer.errors.contains("“\(dead.mountpoint)” is dead"), "\(answer)")
                #expect(answer.output.contains(words == ["deleted"] ? "Gone.txt" : drive.path("Found.txt")), "\(answer)")
            }
        }
    }

    @Test func aDeadDriveIsUnmounted() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try drive.kill()
            try valise("unmount", drive.mountpoint).good()
            #expect(!MountedDrive.isMounted(drive.mountpoint))
        }
    }

    @Test func ofTwoMountsAtTheSameMomentOneWins() throws {
        let container = try TemporaryContainer("text Notes one")
        let words = [Places.valise, "mount", container.path, container.mountpoint]
        let programs = try (0..<4).map { _ in try Program(words) }
        let ends = try programs.map { try $0.wait() }
        #expect(ends.filter { $0.code == 0 }.count == 1)
        #expect(ends.filter { $0.code == 32 && $0.errors.contains("already") }.count == 3, "\(ends.map(\.errors))")
        #expect(try run("cat", container.mountpoint + "/Notes.txt").output == "one")
        try valise("unmount", container.mountpoint).good()
        #expect(!MountedDrive.isMounted(container.mountpoint))
    }

    @Test func mountReturnsOnceTheDriveAnswersAndUnmountOnceItIsGone() throws {
        let container = try TemporaryContainer("text Notes one")
        for _ in 0..<5 {
            try valise("mount", container.path, container.mountpoint).good()
            let text = try run("cat", container.mountpoint + "/Notes.txt").output
            let page = try run("cat", container.mountpoint + "/.valise/status").output
            try valise("unmount", container.mountpoint).good()
            #expect(text == "one")
            let process = try #require(page.firstMatch(of: /"process":([0-9]+)/)?.1)
            #expect(hasEnded(process))
            #expect(!MountedDrive.isMounted(container.mountpoint))
        }
    }

    /// `umount` returns before the drive's process has ended, and that may take long on a busy store: here it is stopped meanwhile.
    @Test(.enabled("only root unmounts without asking the drive") { geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" })
    func aDriveThatStillEndsIsWaitedFor() throws {
        let container = try TemporaryContainer("text Notes one"), other = container.beside("other")
        mkdir(other, 0o755)
        let process = try takenAwayAndStopped(container)
        defer { kill(process, SIGCONT) }
        let next = try Program([Places.valise, "mount", container.path, other])
        // Longer than programs are waited for that have no drive.
        sleep(7)
        kill(process, SIGCONT)
        let ended = try next.wait()
        #expect(ended.code == 0 && (ended.errors.isEmpty || ended.errors.contains("has not ended yet (process \(process))")), "\(ended)")
        #expect(try run("cat", other + "/Notes.txt").output == "one")
        try valise("unmount", other).good()
    }

    /// A drive that still ends has a connection of the same number as the next one's: a dead drive is not taken for it, nor is one that is stopped.
    @Test(.enabled("only root unmounts without asking the drive") { geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" })
    func whoStillEndsIsNotTakenForTheNext() throws {
        let container = try TemporaryContainer("text Notes one"), next = try TemporaryContainer("text Next one")
        let process = try takenAwayAndStopped(container)
        defer { kill(process, SIGCONT) }
        try withDrive(next) { drive in
            kill(drive.process, SIGSTOP)
            let silent = try valise("status", drive.mountpoint)
            #expect(silent.errors.contains("kill -CONT \(drive.process)"), "\(silent)")
            kill(drive.process, SIGCONT)
            try drive.kill()
            try valise("unmount", drive.mountpoint).good()
            #expect(!MountedDrive.isMounted(drive.mountpoint))
        }
    }

    @Test func whoReadsWhatMountSaysSeesItsEnd() throws {
        let container = try TemporaryContainer("text Notes one")
        defer { _ = try? valise("unmount", container.mountpoint) }
        let ended = try shell("timeout 60 bash -c '\"$0\" mount \"$1\" \"$2\" 2>&1 | cat' \"$@\"; echo $?", Places.valise, container.path, container.mountpoint)
        #expect(ended.output == "0\n", "\(ended.output)")
    }

    @Test func aStoppedDriveHangsNoCommand() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            kill(drive.process, SIGSTOP)
            defer { kill(drive.process, SIGCONT) }
            for words in [["status", drive.mountpoint], ["info", drive.path("Notes.txt")], ["mount", container.path, drive.mountpoint]] {
                let ended = try Program([Places.valise] + words).wait()
                #expect(ended.code != 0 && ended.errors.contains("does not answer"), "\(words): \(ended.errors)")
            }
        }
    }

    /// Several are not waited for one after another, and the others are told of.
    @Test func stoppedDrivesAreAskedAtOnce() throws {
        let container = try TemporaryContainer("text Notes one"), second = try TemporaryContainer("text Notes two"), third = try TemporaryContainer("text Notes three")
        let waits = container.beside("waits"), library = try preloaded("counted_waits.c", beside: container)
        try withDrive(container) { drive in
            try withDrive(second) { other in
                try withDrive(third) { answering in
                    let stopped = [drive.process, other.process]
                    for process in stopped { kill(process, SIGSTOP) }
                    defer { for process in stopped { kill(process, SIGCONT) } }
                    let words = [Places.valise, "status", "--json", drive.mountpoint, other.mountpoint, answering.mountpoint]
                    let ended = try Program(words, environment: ["LD_PRELOAD": library, "WAITS": waits]).wait()
                    #expect(ended.code == 1 && ended.output.components(separatedBy: "\"error\"").count == 3 && ended.output.contains("\"creates\""), "\(ended)")
                    #expect(try Data(contentsOf: URL(fileURLWithPath: waits)).max() == 3)
                }
            }
        }
    }

    /// The process of a drive that is gone from its mountpoint, and cannot end before it goes on.
    private func takenAwayAndStopped(_ container: TemporaryContainer) throws -> Int32 {
        try valise("mount", container.path, container.mountpoint).good()
        let page = try run("cat", container.mountpoint + "/.valise/status").good().output
        let process = try #require(Int32(page.firstMatch(of: /"process":([0-9]+)/)?.1 ?? ""))
        kill(process, SIGSTOP)
        if umount2(container.mountpoint, Int32(MNT_DETACH)) != 0 {
            kill(process, SIGCONT)
            throw Failed("it cannot be taken away: \(errno)")
        }
        return process
    }

    /// One that nobody has taken the exit code of stays in the table, and does no more.
    private func hasEnded(_ process: Substring) -> Bool {
        guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return facts.split(separator: ")").last.map { $0.hasPrefix(" Z") || $0.hasPrefix(" X") } ?? true
    }
}
