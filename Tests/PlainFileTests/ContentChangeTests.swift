import Foundation
import MountTesting
import Testing

/// What a change of a plain file's content does to the rest of it.
@Suite(.mounting) struct ContentChangeTests {
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func setIDBitsGoAsOnTheFileSystemBelow() throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        let folder = container.beside("folder")
        mkdir(folder, 0o755)
        try withDrive(container, options: "allow_other,suid") { drive in
            let ended = try run("python3", Places.support("set_ids.py"), drive.mountpoint, folder)
            #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        }
    }

    /// A program that lost its set-id bits is not started with them because the kernel remembers them.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func aProgramThatSomebodyWroteToHasLostThem() throws {
        let container = try TemporaryContainer()
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try withDrive(container, options: "allow_other,suid") { drive in
            let said = try shell(
                """
                cp "$(readlink -f "$(type -P id)")" id && chown 1:1 id && chmod 6777 id && ./id -u
                setpriv --reuid 65534 --regid 65534 --clear-groups bash -c 'printf "\\177" | dd of=id conv=notrunc status=none' && ./id -u
                """, in: drive.mountpoint).good()
            #expect(said.lines == ["1", "0"])
        }
    }

    /// Closing one is no reading of it, whatever its name says that it may become.
    @Test(arguments: ["", "noatime"]) func closingLeavesTheAccessTime(options: String) throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: options.isEmpty ? nil : options) { drive in
            for name in ["plain", "a.bin", "a.jpg", "a.url"] {
                let said = try shell(
                    """
                    printf 'no \\377' >"$1"; touch -a -d 2001-01-01 "$1"; printf '\\377' >>"$1"; stat -c %X "$1"; sleep 0.2; ls >/dev/null; stat -c %X "$1"
                    """, name, in: drive.mountpoint)
                #expect(said.lines == ["978307200", "978307200"], "\(name): \(said.output)\(said.errors)")
            }
        }
    }

    /// Who asks for that reads a file and leaves its access time as it is; who does not, has it noted.
    @Test func readingMayLeaveTheAccessTime() throws {
        let container = try TemporaryContainer("file plain text\nfile other text")
        try withDrive(container) { drive in
            // Each once: what the kernel has in memory it does not ask for again.
            let said = try shell(
                """
                accessed() { touch -a -d 2001-01-01 "$1"; python3 -c "import os; os.read(os.open('$1', os.O_RDONLY | $2), 9)"; stat -c %X "$1"; }
                accessed plain os.O_NOATIME; accessed other 0
                """, in: drive.mountpoint).good()
            #expect(said.lines.first == "978307200" && said.lines.last != "978307200", "\(said.lines)")
        }
    }

    /// The drive looks which names a folder has before it makes one in it, which is no reading of anybody's; and nobody's reading is noted where the
    /// drive is `ro` or `noatime`.
    @Test(arguments: [("rw", "cat In/old; echo x >In/new; mv In/new In/other; rm In/other; mkdir In/sub; rmdir In/sub; ! ls In/none"), ("ro", "ls In"), ("noatime", "ls In")])
    func whatIsLookedUpLeavesAFoldersAccessTime(options: String, command: String) throws {
        let container = try TemporaryContainer("folder In\nfile In/old text"), folder = container.stored("In")
        try withDrive(container, options: options) { drive in
            try run("touch", "-a", "-d", "2001-01-01", folder).good()
            try shell(command, in: drive.mountpoint).good()
            #expect(try run("stat", "-c", "%X", folder).good().output == "978307200\n")
        }
    }
}
