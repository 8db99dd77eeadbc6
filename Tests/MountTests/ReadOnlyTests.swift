import Foundation
import MountTesting
import Testing

/// Whatever writes is refused by a read-only drive, with EROFS, and the container stays as it was.
@Suite(.mounting) struct ReadOnlyTests {
    static let refused = [
        "echo x >>Notes.txt", "echo x >Cat.png", ": >new", "mkdir new", "rm Cat.png", "rmdir Album", "mv Cat.png Dog.png",
        "mv plain Album/", "ln plain second", "ln -s x y", "mkfifo pipe", "chmod 600 Notes.txt", "chown 1 plain", "touch Cat.png",
        "truncate -s 0 plain", "setfattr -n user.x -v y Cat.png", "setfattr -x user.z plain", "fallocate -l 10 plain", "cp plain copy",
    ]

    @Test func everythingThatWrites() throws {
        let container = try TemporaryContainer("photo Cat png\ntext Notes one\nfile plain one\nfolder Album")
        try run("setfattr", "-n", "user.z", "-v", "1", container.stored("plain")).good()
        let everything = "find . -printf '%P %y %s %m %T@ %U\\n' | sort"
        let before = try shell(everything, in: container.path).good().output
        try withDrive(container, options: "ro") { drive in
            for command in Self.refused {
                let ended = try shell(command, in: drive.mountpoint)
                #expect(ended.code != 0 && ended.errors.contains("Read-only file system"), "\(command): \(ended.errors)")
            }
            #expect(try drive.status().readOnly)
        }
        #expect(try shell(everything, in: container.path).good().output == before)
        #expect(try run("ls", "-A", container.path).output == "Album\nCat.ptk\nNotes.stedoc\nplain\n")
    }

    @Test func aContainerMayBeMountedTwiceForReading() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "ro") { drive in
            try run("mkdir", container.beside("second")).good()
            try valise("mount", "-o", "ro", container.path, container.beside("second")).good()
            #expect(try run("cat", container.beside("second") + "/Notes.txt", drive.path("Notes.txt")).output == "oneone")
            try valise("unmount", container.beside("second")).good()
        }
    }

    @Test func onlyOneMayWrite() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw") { drive in
            try run("mkdir", container.beside("second")).good()
            let second = try valise("mount", "-o", "rw", container.path, container.beside("second"))
            #expect(second.code == 32 && second.errors.contains(drive.mountpoint), "\(second.errors)")
            #expect(!MountedDrive.isMounted(container.beside("second")))
        }
    }
}
