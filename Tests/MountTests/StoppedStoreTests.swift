import Foundation
import MountTesting
import Testing

/// A store that does not answer: here another drive, whose process is stopped.
@Suite(.long, .mounting) struct StoppedStoreTests {
    /// `syncing`: a program that waits for the store again and again is answered by one thread, when the store stops.
    private func withStoppedStore(readers: Int, syncing: Bool = false, _ body: (_ drive: MountedDrive, _ goOn: () -> Void) throws -> Void) throws {
        let store = try TemporaryContainer(), container = try TemporaryContainer()
        try withDrive(store, options: "rw") { below in
            mkdir(below.path("container"), 0o755)
            try shell("for number in {1..40}; do echo $number >\"$1/$number.bin\"; done; mount --bind \"$1\" \"$2\"", below.path("container"), container.path).good()
            defer { umount2(container.path, Int32(MNT_DETACH)) }
            try withDrive(container, options: "rw") { drive in
                try run("ls", "-l", drive.mountpoint).good()
                let database = syncing ? try Program(["python3", "-c", Self.syncs, drive.path("40.bin")]) : nil
                if syncing { #expect(eventually { (try? FileManager.default.attributesOfItem(atPath: below.path("container/40.bin"))[.size] as? Int ?? 0) ?? 0 > 200 }) }
                kill(below.process, SIGSTOP)
                func goOn() { kill(below.process, SIGCONT) }
                defer {
                    goOn()
                    database?.end()
                }
                // Long enough that the kernel asks again for what it was told.
                usleep(1_200_000)
                let programs = try (0..<readers).map { try Program(["cat", drive.path("\($0 + 1).bin")]) }
                defer {
                    goOn()
                    for program in programs { _ = try? program.wait() }
                }
                // All of them have asked.
                usleep(500_000)
                try body(drive, goOn)
            }
        }
    }

    private static let syncs = """
        import os, sys
        file, place = os.open(sys.argv[1], os.O_RDWR), 0
        while True:
            os.pwrite(file, b"x", place)
            os.fsync(file)
            place += 1
        """

    /// While one thread alone listens and answers, it is the one that waits for the store.
    @Test(.enabled(if: geteuid() == 0, "only root mounts a folder elsewhere"))
    func whoAsksBesideAProgramThatWaitsForTheStoreIsAnswered() throws {
        try withStoppedStore(readers: 0, syncing: true) { drive, _ in
            let page = try Program(["cat", drive.path(".valise/status")]).wait(seconds: 30)
            #expect(page.code == 0 && page.output.contains("\"requests\""), "\(page.errors)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root mounts a folder elsewhere"), arguments: [1, 40])
    func whoAsksHowTheDriveIsIsAnswered(readers: Int) throws {
        try withStoppedStore(readers: readers) { drive, _ in
            let page = try Program(["cat", drive.path(".valise/status")]).wait(seconds: 30)
            #expect(page.code == 0 && page.output.contains("\"requests\""), "\(page.errors)")
            #expect(try valise("status", drive.mountpoint).code == 0)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root mounts a folder elsewhere"))
    func theDriveCanBeTakenAway() throws {
        try withStoppedStore(readers: 40) { drive, goOn in
            let ended = try valise("unmount", "--lazy", drive.mountpoint)
            #expect(!MountedDrive.isMounted(drive.mountpoint))
            // It cannot end before its store answers, and that is said.
            #expect(ended.code == 0 && ended.errors.contains("is taken away, but process"), "\(ended.errors)")
            goOn()
            #expect(try drive.waitForEnd() == 0)
        }
    }
}
