import Foundation
import MountTesting
import Testing

/// A store that does not answer: here another drive, whose process is stopped.
@Suite(.mounting) struct StoppedStoreTests {
    private func withStoppedStore(readers: Int, _ body: (_ drive: MountedDrive, _ goOn: () -> Void) throws -> Void) throws {
        let store = try TemporaryContainer(), container = try TemporaryContainer()
        try withDrive(store, options: "rw") { below in
            mkdir(below.path("container"), 0o755)
            try shell("for number in {1..40}; do echo $number >\"$1/$number.bin\"; done; mount --bind \"$1\" \"$2\"", below.path("container"), container.path).good()
            defer { umount2(container.path, Int32(MNT_DETACH)) }
            try withDrive(container, options: "rw") { drive in
                try run("ls", "-l", drive.mountpoint).good()
                kill(below.process, SIGSTOP)
                func goOn() { kill(below.process, SIGCONT) }
                defer { goOn() }
                // Long enough that the kernel asks again for what it was told.
                usleep(1_200_000)
                let programs = try (1...readers).map { try Program(["cat", drive.path("\($0).bin")]) }
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
