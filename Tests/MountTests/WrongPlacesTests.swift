import Foundation
import MountTesting
import Testing

/// What is named that is not what a command is for, may not be read or cannot be changed: the answer says so, and what can be done.
@Suite(.mounting) struct WrongPlacesTests {
    private func expect(_ words: [String], code: Int32, saying text: String, environment: [String: String] = [:]) throws {
        let ended = try Program([Places.valise] + words, environment: environment).wait()
        #expect(ended.code == code && (text.isEmpty ? ended.output + ended.errors == "" : (ended.output + ended.errors).contains(text)), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
    }

    @Test func aFolderThatIsNoContainer() throws {
        let container = try TemporaryContainer("text Documents/Notes one"), plain = container.beside("plain"), environment = ["XDG_CACHE_HOME": container.beside("cache")]
        mkdir(plain, 0o755)
        try Data("one".utf8).write(to: URL(fileURLWithPath: plain + "/letter"))
        let sentence = "“\(plain)” is no container that Valise has used and no drive"
        for words in [["list"], ["get", "key"]] { try expect(["kvs"] + words + [plain], code: 1, saying: "“\(plain)” is no container, so nothing is kept in it") }
        try expect(["find", "kind == 'text'", plain], code: 1, saying: sentence)
        // What is found is an answer.
        try expect(["find", "name == 'letter'", plain], code: 0, saying: plain + "/letter\n", environment: environment)
        // An app's container that Valise has not used yet.
        try expect(["find", "name == 'x'", container.path], code: 0, saying: "", environment: environment)
        try expect(["kvs", "list", container.path], code: 0, saying: "")
        try expect(["log", plain], code: 1, saying: "“\(plain)” is no container that Valise has used and no drive")
        #expect(try run("ls", "-A", plain).output == "letter\n")
    }

    /// As it comes from a Mac, perhaps: nothing is shown, though there is something. What else lies beside an empty folder is the app's.
    @Test(arguments: [("text Notes one", true), ("file KeyValueStore.plist x\nfolder Library", false)]) func anEmptyFolderOfDocuments(beside: String, isTold: Bool) throws {
        let container = try TemporaryContainer("folder Documents\n" + beside), drive = container.mountpoint
        let mounted = try Program([Places.valise, "mount", container.path, drive]).wait().good()
        defer { _ = try? Program([Places.valise, "unmount", drive]).wait() }
        let said = try [mounted, Program([Places.valise, "status", drive]).wait().good()].map { $0.output + $0.errors }
        for text in said { #expect(text.contains("“Documents” of “\(container.path)” is empty") == isTold, "\(text)") }
    }

    @Test func aStateThatIsNone() throws {
        let container = try TemporaryContainer(), path = container.path
        try shell(": >.valise", in: path).good()
        try expect(["init", path], code: 1, saying: "“\(path)/.valise” is a file, and Valise makes it a folder; take it away")
        try expect(["doctor", path], code: 1, saying: "“\(path)/.valise” is a file, and Valise makes it a folder; take it away")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func whatMayNotBeRead() throws {
        let container = try TemporaryContainer("text Notes one\ntext Mine two\nfile plain three")
        for path in [container.beside(""), container.path, container.mountpoint] { chmod(path, 0o755) }
        chmod(container.stored("Mine.stedoc"), 0o600)
        func theirs(_ words: String...) throws -> Ended {
            try Program(["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", Places.valise] + words, environment: ["HOME": "/nonexistent", "XDG_CACHE_HOME": container.beside("theirs")]).wait()
        }
        mkdir(container.beside("theirs"), 0o755)
        chown(container.beside("theirs"), 5001, 5001)
        try withDrive(container, options: "allow_other") { drive in
            for path in [drive.path("Mine.txt"), container.stored("Mine.stedoc")] {
                let refused = try theirs("versions", path)
                #expect(refused.code == 1 && refused.errors == "valise: you may not read “\(path)”\n", "\(refused.errors)")
            }
            let found = try theirs("find", "TRUEPREDICATE", drive.mountpoint)
            #expect(Set(found.lines) == Set(["Mine.txt", "Notes.txt", "plain"].map { drive.path($0) }), "\(found)")
        }
        // Valise's own folder, where it may not be read: that is somebody else's, or one's own whose permissions are gone.
        chown(container.stored("."), 5001, 5001)
        try shell("mkdir -p .valise; chown -R 5001 .valise; chmod 0 .valise", in: container.path).good()
        let doctor = try theirs("doctor", container.path)
        #expect(doctor.output.contains("you may not look into “\(container.stored(".valise"))”") && doctor.output.contains("chmod u+rwx \(container.stored(".valise"))"), "\(doctor.output)")
    }

    /// What a drive that is read-only cannot do is not advised, and not done by way of it.
    @Test func aDriveThatIsReadOnly() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Dog png metadata=no\nfile Notes.sync-conflict-20261121-232733-ABCDEFG.stedoc two")
        try withDrive(container) { drive in
            let isThere = eventually { (try? valise("conflicts", drive.mountpoint).output.isEmpty) == false }
            #expect(isThere)
            let advice = try valise("conflicts", drive.mountpoint).good().output
            #expect(advice.contains("To decide: valise resolve \(drive.path("Notes.txt")) 1, or --current"), "\(advice)")
        }
        try withDrive(container, options: "ro") { drive in
            let advice = try valise("conflicts", drive.mountpoint).good().output
            #expect(advice.contains("This drive is read-only. To decide in the container: valise resolve \(container.stored("Notes.stedoc")) 1, or --current"), "\(advice)")
            for words in [["check", "--repair", "--yes", drive.mountpoint], ["check", "--undo", drive.path("Notes.txt")]] {
                try expect(words, code: 8, saying: "the drive “\(drive.mountpoint)” is read-only, and nothing is changed by way of it")
            }
            #expect(try valise("check", drive.mountpoint).code == 0)
            try valise("resolve", container.stored("Notes.stedoc"), "--current").good()
            #expect(try valise("conflicts", drive.mountpoint).good().output == "")
        }
    }

    /// Nothing helps there but another mount of it.
    @Test(.enabled(if: geteuid() == 0, "only root may mount")) func aStoreThatIsReadOnly() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Dog png metadata=no")
        try shell("mount --bind . . && mount -o remount,ro,bind .", in: container.path).good()
        defer { umount2(container.path, Int32(MNT_DETACH)) }
        try expect(["mount", "-o", "rw", container.path, container.mountpoint], code: 32, saying: "lies on a read-only file system; to look at it only: mount it with -o ro")
        try expect(["check", "--repair", "--yes", container.path], code: 8, saying: "lies on a read-only file system")
        try withDrive(container, options: "ro") { drive in
            try expect(["restore", "--saved", drive.path("Notes.txt")], code: 1, saying: "its container “\(container.path)” lies on a read-only file system, and has to be writable before")
        }
    }

    /// Whether a photo gets a thumbnail is not for its image to answer where nobody makes any.
    @Test func noThumbnailer() throws {
        let container = try TemporaryContainer("photo Dog png metadata=no")
        let ended = try run(Places.valise, "check", "--repair", "--yes", container.path, environment: ["VALISE_THUMBNAILER": "/nonexistent"])
        #expect(ended.output.contains("could not make a thumbnail of “Dog.ptk”: valise-thumbnailer is missing, which makes them; to see what to do: valise doctor"), "\(ended.output)")
    }

    /// A command cannot be given such a name, and says that instead of what is plainly not so.
    @Test func namesThatAreNoText() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            let said = try shell("""
                name=$(printf 'pr\\351s.txt'); echo one >"$name"
                for verb in info versions find\\ x; do "$1" $verb ./"$name"; done 2>&1
                """, Places.valise, in: drive.mountpoint)
            #expect(said.lines.count == 3 && said.lines.allSatisfy { $0.hasSuffix(" is not UTF-8, and no command can be given it: name the folder that it is in, or rename it") }, "\(said)")
            // Nor is what is called as it would be written.
            let wrong = try shell("""
                mkdir "$2"/$(printf 'q\\351') "$2"/$(printf 'q\\357\\277\\275'); "$1" init "$2"/$(printf 'q\\351') 2>&1; ls -A "$2"/q*/
                """, Places.valise, container.beside(""), in: drive.mountpoint)
            #expect(!wrong.output.contains(".valise"), "\(wrong.output)")
        }
    }

    @Test func partsAreNamed() throws {
        let container = try TemporaryContainer("photo Cat png\nphoto Dog png")
        try shell(": >Cat.ptk/photo.data; printf 'bplist00 and no more than that, which is none' >Dog.ptk/photo.metadata", in: container.path).good()
        let checked = try valise("check", container.path)
        #expect(checked.output.contains("“Cat.ptk”: its photo.data is too short for a binary property list"), "\(checked.output)")
    }

    @Test func oddContentIsNamed() throws {
        let container = try TemporaryContainer("text Good \"with a \\0\"\nfile Bookmark_Gone-1 \"\"")
        for (name, order) in [("Little", String.Encoding.utf16LittleEndian), ("Big", .utf16BigEndian)] {
            try #require("Bread and apples\n".data(using: order)).write(to: URL(fileURLWithPath: container.stored("\(name).stedoc")))
        }
        // One that says so itself is named once.
        try (Data([0xFF, 0xFE]) + #require("Bread and apples\n".data(using: .utf16LittleEndian))).write(to: URL(fileURLWithPath: container.stored("Marked.stedoc")))
        let checked = try valise("check", container.path)
        #expect(checked.output.contains("“Bookmark_Gone-1”: it is empty, and apps and drives show the bookmark that a new one begins as"), "\(checked.output)")
        #expect(checked.output.contains("“Little.stedoc”: the text seems to be UTF-16, and apps read it as UTF-8; to convert it: iconv -f UTF-16LE -t UTF-8 FILE >NEW"), "\(checked.output)")
        #expect(checked.output.contains("“Big.stedoc”: the text seems to be UTF-16, and apps read it as UTF-8; to convert it: iconv -f UTF-16BE -t UTF-8 FILE >NEW"), "\(checked.output)")
        #expect(checked.code == 4 && checked.lines.last == "3 problems, 1 note.", "\(checked.output)")
    }

    /// A file of a gigabyte in which nothing was written takes no room, and makes none when it goes.
    @Test func deletedHolesTakeNoRoom() throws {
        let container = try TemporaryContainer("file letter 12345")
        try shell("truncate -s 1G holes", in: container.path).good()
        try withDrive(container) { drive in
            try shell("rm holes letter", in: drive.mountpoint).good()
            let isCounted = eventually { (try? valise("status", drive.mountpoint).output.contains("deleted     2, 5 bytes")) == true }, status = try valise("status", drive.mountpoint).good().output
            #expect(isCounted, "\(status)")
        }
    }
}
