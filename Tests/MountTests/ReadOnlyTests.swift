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

    /// Each call answers what it answers on a plain folder that is mounted for reading: by the kernel, and by the drive itself where root had the
    /// kernel let changes through to it.
    @Test(arguments: ["-o ro", "remounted"]) func everyCallAnswersAsAPlainFolder(way: String) throws {
        let container = try TemporaryContainer("photo Cat png\nfile plain one\nfile script one\nfolder Album\nfile Full/inner one")
        let folder = container.beside("folder")
        try shell("cp -r '\(container.path)' '\(folder)' && rm -r '\(folder)/Cat.ptk' && echo one >'\(folder)/Cat.png'").good()
        for place in [container.path, folder] {
            try shell("ln -s plain link; chmod 700 script; setfattr -n user.there -v 1 plain", in: place).good()
        }
        try shell("mount --bind . . && mount -o remount,ro,bind .", in: folder).good()
        defer { umount2(folder, Int32(MNT_DETACH)) }
        try withDrive(container, options: "ro") { drive in
            if way == "remounted" { try run("mount", "-i", "-o", "remount,rw", drive.mountpoint).good() }
            for row in ReadOnlyCalls.table {
                // Whether a file system is mounted for reading is then not the drive's to say.
                if way == "remounted", ["access to write", "statvfs"].contains(row.name) { continue }
                for name in ["plain", "Cat.png", "script", "Album", "Full", "link", "absent", "plain/below", "."] {
                    let plain = row.answer("\(folder)/\(name)"), shown = row.answer(drive.path(name))
                    // What the kernel finds wrong itself, it says before it asks whether anything may be changed.
                    let isKernels = try way == "remounted" && shown != plain && shown == answerWithoutChange(row, name, container, folder)
                    #expect(shown == plain || isKernels, "\(row.name) of “\(name)”")
                }
            }
            if way == "remounted" { try run("mount", "-i", "-o", "remount,ro", drive.mountpoint).good() }
        }
    }

    /// What a call answers on a plain folder that may be changed, if that is done by changing nothing; or nil.
    private func answerWithoutChange(_ row: ReadOnlyCalls.Row, _ name: String, _ container: TemporaryContainer, _ folder: String) throws -> String? {
        let trial = container.beside("trial"), everything = "find '\(trial)' -printf '%P %y %i %s %m %n\\n' | sort"
        let before = try shell("rm -rf '\(trial)' && cp -a '\(folder)' '\(trial)' && " + everything).good().output
        let answer = row.answer("\(trial)/\(name)")
        return try shell(everything).good().output == before ? answer : nil
    }

    /// Nor do commands change anything by way of it, however it became read-only; what is named in the container is its owner's to change.
    @Test(arguments: ["-o ro", "remounted", "bound"]) func everyCommandThatWrites(way: String) throws {
        let container = try TemporaryContainer("text Notes one\ntext Gone one\nphoto Cat png")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; rm Gone.txt", in: drive.mountpoint).good()
            try valise("kvs", "set", "key", "value", drive.mountpoint).good()
            // Until it is where deleted documents are, that changes by itself.
            #expect(eventually { (try? run("ls", container.path + "/.valise/deleted").output.isEmpty) == false })
            if way == "remounted" { try run("mount", "-i", "-o", "remount,ro", drive.mountpoint).good() }
            if way == "bound" { try shell("mount --bind . . && mount -o remount,ro,bind .", in: drive.mountpoint).good() }
            if way != "-o ro" { try checkRefusing(drive, container) }
            if way == "remounted" { try run("mount", "-i", "-o", "remount,rw", drive.mountpoint).good() }
            if way == "bound" { try run("umount", drive.mountpoint).good() }
        }
        guard way == "-o ro" else { return }
        try withDrive(container, options: "ro") { try checkRefusing($0, container) }
    }

    private func checkRefusing(_ drive: MountedDrive, _ container: TemporaryContainer) throws {
        // A drive's catalog is begun some seconds after it is mounted.
        let everything = "find . -printf '%P %y %s %m %T@ %U\\n' | grep -v -e coordination -e lock -e catalog -e '^[.]valise d' | sort"
        let before = try shell(everything, in: container.path).good().output
        let note = drive.path("Notes.txt")
        for words in [
            ["restore", note, "1"], ["restore", "--saved", note], ["undelete", drive.path("Gone.txt")], ["undelete", drive.mountpoint, "1"],
            ["deleted", "--purge", "--yes", drive.mountpoint], ["versions", "--purge", "--yes", note], ["versions", "--purge", "--all", "--yes", drive.mountpoint], ["kvs", "set", "key", "other", drive.mountpoint], ["kvs", "delete", "key", note],
            ["coordinate", "--write", note, "--", "true"],
        ] {
            let ended = try Program([Places.valise] + words).wait()
            #expect(ended.code != 0 && ended.errors.contains("the drive “\(drive.mountpoint)” is read-only"), "\(words): \(ended.output)\(ended.errors)")
        }
        #expect(try shell(everything, in: container.path).good().output == before)
        #expect(try valise("kvs", "get", "key", drive.mountpoint).good().output == "value\n")
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

    /// What waits to be saved is neither saved nor shown by a drive that changes nothing: it is named, with what to do, by whatever tells of the drive.
    @Test func waitingDraftsAreNamed() throws {
        let container = try TemporaryContainer("text Notes one\nfolder Album")
        let drive = try MountedDrive(container)
        try Program.whileNoneStarts {
            let files = try ["Notes.txt", "Album/New.txt"].map { try OpenedFile(drive.path($0), O_WRONLY | O_CREAT) }
            for file in files { try file.write("written") }
            try drive.kill()
            for file in files { try? file.close() }
        }
        umount2(drive.mountpoint, Int32(MNT_DETACH))
        let everything = "find . -printf '%P %y %s %m %T@ %C@ %U\\n' | sort", before = try shell(everything, in: container.path).good().output
        try withDrive(container, options: "ro") { drive in
            #expect(try drive.get("Notes.txt") == Data("one".utf8))
            #expect(drive.log.contains("“Notes.txt”") && drive.log.contains("“Album/New.txt”") && drive.log.contains("mount it for writing"), "\(drive.log)")
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("drafts      2\n    “Album/New.txt”: it was written and not saved") && status.contains("    “Notes.txt”: it was written and not saved"), "\(status)")
            #expect(status.contains("valise unmount \(drive.mountpoint) && valise mount \(container.path) \(drive.mountpoint)"), "\(status)")
            let info = try valise("info", drive.path("Notes.txt")).good().output
            #expect(info.contains("state        saved") && info.contains("waiting      changes of it") && info.contains("valise unmount \(drive.mountpoint) && valise mount"), "\(info)")
        }
        #expect(try shell(everything, in: container.path).good().output == before)
        try withDrive(container) { drive in
            #expect(try drive.get("Notes.txt") == Data("written".utf8) && drive.get("Album/New.txt") == Data("written".utf8))
            // What another drive has under way is that one's to save.
            try run("mkdir", container.beside("second")).good()
            let writer = try Program.writing("more", to: drive.path("Notes.txt"))
            defer { writer.end() }
            let mounted = try valise("mount", "-o", "ro", container.path, container.beside("second")).good()
            #expect(mounted.errors.isEmpty, "\(mounted.errors)")
            let status = try valise("status", container.beside("second")).good().output
            #expect(status.contains("“Notes.txt”: it is being written: process \(drive.process), mounted on \(drive.mountpoint)") && !status.contains("valise unmount"), "\(status)")
            let unmounted = try valise("unmount", container.beside("second")).good()
            #expect(unmounted.errors.isEmpty, "\(unmounted.errors)")
        }
    }
}
