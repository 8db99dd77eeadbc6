import Foundation
import MountTesting
import Testing

/// Programs that watch the drive, as file managers do, hear of what other programs do in the container.
@Suite(.long, .mounting) struct WatcherTests {
    private static let description = """
        folder Album
        folder Other
        file plain one
        text Notes one
        photo Cat png
        bookmark Swift https://old/ stored=Bookmark_Swift-1
        """

    /// Somebody who watches, until the body ends.
    private func withWatcher(_ paths: [String], _ body: (Program) throws -> Void) throws {
        let watcher = try Program(["python3", "-u", Places.support("watch.py")] + paths)
        defer { watcher.end() }
        guard eventually({ watcher.output.hasPrefix("ready\n") }) else { throw Failed("it does not watch: \(watcher.errors)") }
        try body(watcher)
    }

    @Test func whatHappensOutside() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            try run("ls", "-l", drive.mountpoint).good()
            try withWatcher([drive.mountpoint]) { watcher in
                var seen = 1
                /// Each line is heard, in this order, and nothing else.
                func hears(_ expected: [String], of change: String, _ arguments: String...) throws {
                    try shell("cd \"$1\"; shift; \(change)", container.path, arguments.first ?? "").good()
                    var lines: [String] = []
                    eventually {
                        // What is behind the last end of a line is being written.
                        lines = Array(watcher.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init).dropFirst(seen))
                        return lines.count >= expected.count
                    }
                    #expect(lines == expected, "\(change)")
                    seen += lines.count
                }
                try hears(["new CREATE", "new CLOSE_WRITE"], of: "echo x >new")
                try hears(["plain MODIFY", "plain CLOSE_WRITE"], of: "printf ' and two' >>plain")
                try hears(["plain ATTRIB"], of: "chmod 600 plain")
                try hears(["plain MOVED_FROM", "other MOVED_TO"], of: "mv plain other")
                try hears(["other DELETE"], of: "rm other")
                try hears(["Folder CREATE"], of: "mkdir Folder")
                try hears(["Folder MOVED_FROM", "Moved MOVED_TO"], of: "mv Folder Moved")
                try hears(["Moved DELETE"], of: "rmdir Moved")
                try hears(["link CREATE"], of: "ln -s nowhere link")
                try hears(["pipe CREATE"], of: "mkfifo pipe")
                // Documents, as they are shown.
                try hears(["Notes.txt MOVED_FROM", "Diary.txt MOVED_TO"], of: "mv Notes.stedoc Diary.stedoc")
                try hears(["Cat.png DELETE"], of: "rm -r Cat.ptk")
                let other = try TemporaryContainer("bookmark Rust https://new/ stored=Bookmark_Swift-1\nphoto Dog jpeg size=7000")
                // A package that comes part by part, slowly, changes after it has come.
                try hears(["Dog.jpg CREATE", "Dog.jpg CLOSE_WRITE"], of: "mv \"$1/Dog.ptk\" .", other.path)
                try hears(["Swift.url MOVED_FROM", "Rust.url MOVED_TO", "Rust.url MODIFY", "Rust.url CLOSE_WRITE"], of: "cat \"$1/Bookmark_Swift-1\" >Bookmark_Swift-1", other.path)
                // What is not listed is not heard of.
                try hears(["last CREATE", "last CLOSE_WRITE"], of: "touch .DS_Store last")
            }
            #expect(try run("ls", drive.mountpoint).output == "Album\nDiary.txt\nDog.jpg\nOther\nRust.url\nlast\nlink\nnew\npipe\n")
            #expect(try container.storedFiles() == [".DS_Store", "Bookmark_Swift-1", "Diary.stedoc", "Dog.ptk/photo.data", "Dog.ptk/photo.metadata", "last", "link", "new", "pipe"])
            #expect(try run("cat", drive.path("new"), drive.path("Diary.txt")).output == "x\none")
        }
    }

    /// A search folder's watchers hear what is found.
    @Test func whatIsFound() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            let folder = drive.path(".valise/search/name LIKE 'N*'")
            #expect(try run("ls", folder).output == "Notes.txt\n")
            try withWatcher([folder]) { watcher in
                try shell("echo x >\"$1/New.stedoc\"", container.path).good()
                #expect(eventually { watcher.output == "ready\nNew.txt CREATE\n" })
                try shell("rm Notes.txt", in: drive.mountpoint).good()
                #expect(eventually { watcher.output == "ready\nNew.txt CREATE\nNotes.txt DELETE\n" })
            }
            #expect(try run("ls", folder).output == "New.txt\n")
        }
    }

    /// What a saved search shows becomes another's when it is edited.
    @Test func anotherSearchByTheSameName() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            let folder = drive.path(".valise/search/mine")
            func save(_ predicate: String) throws { try shell("printf %s \"$2\" >\"$1\"", drive.path(".valise/searches/mine"), predicate).good() }
            try save("name LIKE 'N*'")
            #expect(try run("ls", folder).output == "Notes.txt\n")
            try withWatcher([folder]) { watcher in
                try save("name LIKE 'S*'")
                #expect(eventually { watcher.output == "ready\nNotes.txt DELETE\nSwift.url CREATE\n" })
                try run("rm", drive.path(".valise/searches/mine")).good()
                #expect(eventually { watcher.output == "ready\nNotes.txt DELETE\nSwift.url CREATE\nSwift.url DELETE\n" })
            }
        }
    }

    @Test func inFoldersAndFiles() throws {
        let container = try TemporaryContainer(Self.description + "\nfile Album/inner x")
        try withDrive(container) { drive in
            try run("ls", "-lR", drive.mountpoint).good()
            try withWatcher([drive.path("Album"), drive.path("Other"), drive.path("plain")]) { watcher in
                // Nobody watches the folder that this is in.
                try shell("touch unheard; mv Album/inner Other/moved; printf ' and two' >>plain", in: container.path).good()
                #expect(eventually { watcher.output.contains("moved MOVED_TO") && watcher.output.contains(". MODIFY") })
                #expect(watcher.output.contains("inner MOVED_FROM"))
                #expect(!watcher.output.contains("unheard"))
            }
        }
    }

    /// The kernel knows the name already, and makes nothing that is there.
    @Test func whatSomebodyFoundAlready() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            try run("ls", "-l", drive.mountpoint).good()
            try withWatcher([drive.mountpoint]) { watcher in
                for number in 0..<5 {
                    try shell("echo x >\"$1/file\(number)\"; mkdir \"$1/folder\(number)\"; cat \"$2/file\(number)\"; stat \"$2/folder\(number)\"", container.path, drive.mountpoint).good()
                    #expect(eventually { watcher.output.contains("file\(number) CREATE") && watcher.output.contains("folder\(number) CREATE") })
                }
                // A folder that somebody is in stays where it is.
                let inside = try Program(["bash", "-c", "mkdir \"$1/room\"; cd \"$2/room\"; echo in; until test -e ../go; do sleep 0.05; done; /bin/pwd && touch here", "bash", container.path, drive.mountpoint])
                #expect(eventually { watcher.output.contains("room CREATE") && inside.output == "in\n" })
                try shell("touch \"$1/go\"", container.path).good()
                #expect(try inside.wait().good().output == "in\n\(drive.path("room"))\n")
                #expect(access(container.stored("room/here"), F_OK) == 0)
            }
        }
    }

    /// What is done on the drive itself is heard there, and nothing else.
    @Test func withoutNoticesNobodyHearsAnything() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container, options: "changes=off") { drive in
            try run("ls", "-l", drive.mountpoint).good()
            try withWatcher([drive.mountpoint]) { watcher in
                try shell("touch new; sleep 1; mkdir \"$1/own\"", drive.mountpoint, in: container.path).good()
                #expect(eventually { watcher.output == "ready\nown CREATE\n" })
            }
        }
    }

    /// In proportion to the change, and nothing at all where nobody watches.
    @Test func whatItCosts() throws {
        let container = try TemporaryContainer()
        try shell("seq -f file%05.0f 3000 | xargs touch; mkdir Album", in: container.path).good()
        try withDrive(container) { drive in
            try run("ls", "-l", drive.mountpoint).good()
            try withWatcher([drive.path("Album")]) { _ in
                let requests = try drive.requests { try shell("printf x >>file00001; sleep 1", in: container.path).good() }
                // What the kernel was told of the top before that was listed lasts a second.
                #expect(requests.allSatisfy { $0 == ("GETATTR", 1) }, "\(requests)")
                #expect(try eventually { try drive.status().changes.told > 0 })
            }
            try withWatcher([drive.mountpoint]) { watcher in
                let requests = try drive.requests {
                    try shell("touch new", in: container.path).good()
                    eventually { watcher.output.contains("new CLOSE_WRITE") }
                }
                // Each of these once: two look-ups and what is asked of the folder, MKNOD, OPEN, RELEASE.
                #expect(requests["MKNOD"] == 1 && requests.values.reduce(0, +) <= 10, "\(requests)")
            }
        }
    }

    /// What is mounted on one of the drive's folders is none of its business.
    @Test func whereSomethingElseIsMounted() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            try run("ls", "-lR", drive.mountpoint).good()
            try withWatcher([drive.path("Album"), drive.mountpoint]) { watcher in
                try run("mount", "-t", "tmpfs", "none", drive.path("Album")).good()
                defer { umount2(drive.path("Album"), Int32(MNT_DETACH)) }
                try shell("touch Album/hidden; touch later", in: container.path).good()
                #expect(eventually { watcher.output.contains("later CLOSE_WRITE") })
                #expect(try run("ls", "-A", drive.path("Album")).output == "")
            }
        }
    }

    /// The thread that tells watchers waits for a drive that answers no more, and the process ends all the same.
    @Test func aDriveThatIsKilledWhileItTells() throws {
        for round in 0..<6 {
            let container = try TemporaryContainer(Self.description)
            try withDrive(container) { drive in
                try run("ls", "-l", drive.mountpoint).good()
                try withWatcher([drive.mountpoint]) { watcher in
                    try shell("seq -f file%04.0f 2000 | xargs touch", in: container.path).good()
                    #expect(eventually { watcher.output.contains("CREATE") })
                    // What the kernel is told of meanwhile wants the same folder.
                    let removing = try Program(["bash", "-c", "seq -f file%04.0f 2000 | xargs -n 20 rm; sleep 60"], in: container.path)
                    defer { removing.end() }
                    #expect(eventually { watcher.output.contains("DELETE") })
                    usleep(UInt32(round) * 20_000)
                    try drive.kill()
                }
            }
        }
    }
}
