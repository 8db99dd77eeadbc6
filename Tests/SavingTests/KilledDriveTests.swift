import Foundation
import MountTesting
import Testing

/// Drives that are killed while programs write to them: the next mount shows every byte that a call acknowledged, once.
///
/// Two hundred kills under eight writers, on four drives side by side. What they did is in the log, with the seeds.
@Suite(.long, .mounting) struct KilledDriveTests {
    @Test(.timeLimit(.minutes(40))) func nothingAcknowledgedIsLost() throws {
        let folders = try (0..<4).map { _ in try TemporaryFolder() }
        let programs = try folders.map { folder in
            try Program(["python3", Places.support("crashes.py"), Places.valise, folder.path, "\(UInt32.random(in: 1...999_999))", "50"])
        }
        for program in programs {
            let ended = try program.wait(seconds: 550)
            FileHandle.standardError.write(Data(ended.output.utf8))
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }

    /// A drive that is telling the kernel of a name, for which the kernel wants the folder; which another program's request holds;
    /// which the drive has not answered.
    @Test func whoWaitsForItselfEnds() throws {
        let container = try TemporaryContainer("file plain old")
        let library = try preloaded("slow_folders.c", beside: container)
        let drive = try MountedDrive(container, environment: ["LD_PRELOAD": library])
        defer {
            // What should have ended by itself.
            if MountedDrive.isMounted(drive.mountpoint) { umount2(drive.mountpoint, Int32(MNT_FORCE | MNT_DETACH)) }
        }
        let file = open(drive.path("plain"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let maker = try Program(["mkdir", drive.path("slow")])
        #expect(eventually { FileManager.default.fileExists(atPath: container.stored("slow.begun")) })
        // What is open and what has its name part, and the name is to be looked up again.
        try shell("echo new >new && mv new plain", in: container.path).good()
        try run("stat", "--cached=never", "-L", "/proc/\(getpid())/fd/\(file)").good()
        let isWaiting = try eventually { try shell("cat /proc/$1/task/*/stat", "\(drive.process)").output.contains(") D ") }
        #expect(isWaiting, "no notice waits")
        try drive.kill()
        #expect(try maker.wait().code != 0)
        #expect(eventually { access(drive.mountpoint, F_OK) != 0 && errno == ENOTCONN })
    }

    /// Where no process can be started there is no guardian, and nobody is taken for one: not when the drive is mounted, and not when
    /// it ends. In a namespace of its own, where whoever ends all processes ends no others.
    @Test func aDriveWithoutGuardianHarmsNobody() throws {
        let container = try TemporaryContainer("text Notes one")
        let library = try preloaded("lonely_drives.c", beside: container)
        let ended = try run(
            "unshare", "--pid", "--fork", "--mount-proc", "bash", "-c", """
                sleep 60 & bystander=$!
                LD_PRELOAD=$1 "$2" mount -f "$3" "$4" & drive=$!
                for _ in {1..200}; do [[ -e $4/Notes.txt ]] && break; sleep 0.02; done
                cat "$4/Notes.txt" && kill $drive && wait $drive
                echo " $?"
                kill -0 $bystander && echo alive
                """, "bash", library, Places.valise, container.path, container.mountpoint)
        #expect(ended.output == "one 0\nalive\n", "\(ended.output)\(ended.errors)")
    }
}
