import Foundation
import MountTesting
import Testing

/// What other programs change in the container is on the drive by itself: also where the kernel had it in its memory, and
/// nobody lists or opens anything.
@Suite(.long, .mounting) struct NoticedTests {
    private static let description = """
        photo Cat png size=5000
        text Notes one
        bookmark Swift https://old/ stored=Bookmark_Swift-1
        file plain one
        folder Album
        """

    private static let sizes = ["stat", "-c", "%n %s", "Cat.png", "Notes.txt", "Swift.url", "plain"]

    /// Changes all four, in place. What `sizes` prints then.
    private func change(_ container: TemporaryContainer) throws -> String {
        let new = try container.add("photo Cat png size=6000\nbookmark Swift https://new-and-longer/ stored=Bookmark_Swift-1")
        try shell("printf ' and two' >>Notes.stedoc; printf ' and two' >>plain", in: container.path).good()
        return "Cat.png \(new[0].size)\nNotes.txt 11\nSwift.url \(new[1].size)\nplain 11\n"
    }

    private func sizes(_ drive: MountedDrive) throws -> String { try Program(Self.sizes, in: drive.mountpoint).wait().good().output }

    /// The same container under two drives, of which one is not told of changes: it goes on saying what it knew.
    private func withTwins(_ container: TemporaryContainer, _ body: (_ drive: MountedDrive, _ unaware: MountedDrive) throws -> Void) throws {
        let twin = try elsewhere(container.path)
        try withDrive(container) { drive in try withDrive(twin, options: "ro,changes=off") { unaware in try body(drive, unaware) } }
    }

    /// A container that lies where another one does, or on a drive.
    private func elsewhere(_ path: String) throws -> TemporaryContainer {
        let container = try TemporaryContainer()
        rmdir(container.path)
        symlink(path, container.path)
        return container
    }

    @Test func withoutNoticesTheAnswerIsStale() throws {
        let container = try TemporaryContainer(Self.description)
        try withTwins(container) { drive, unaware in
            let before = try sizes(drive)
            #expect(try sizes(unaware) == before)
            let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: drive.path("plain")))
            #expect(try open.readToEnd() == Data("one".utf8))

            let changed = try change(container)
            #expect(try eventually { try sizes(drive) == changed })
            // In a file that is open, too.
            #expect(try eventually { try open.readToEnd() == Data(" and two".utf8) })
            #expect(try sizes(unaware) == before)
            #expect(try drive.status().changes.seen == "watch" && unaware.status().changes.seen == "off")
            try open.close()
        }
    }

    @Test func withoutNoticesNamesAndContentsAreStale() throws {
        let container = try TemporaryContainer(Self.description)
        try withTwins(container) { drive, unaware in
            let both = [drive, unaware], names = ["Notes.txt", "Cat.png", "Moved.txt"]
            let open = try both.map { drive in
                try run("ls", "-l", drive.mountpoint).good()
                return try FileHandle(forReadingFrom: URL(fileURLWithPath: drive.path("plain")))
            }
            func said(_ index: Int) throws -> String {
                try open[index].seek(toOffset: 0)
                let content = String(decoding: try open[index].readToEnd() ?? Data(), as: UTF8.self)
                return (names.filter { access(both[index].path($0), F_OK) == 0 } + [content]).joined(separator: " ")
            }
            #expect(try said(0) == "Notes.txt Cat.png one" && said(1) == said(0))
            // Nothing tells by its size that it changed.
            try shell("mv Notes.stedoc Moved.stedoc; rm -r Cat.ptk; printf two 1<>plain", in: container.path).good()
            #expect(try eventually { try said(0) == "Moved.txt two" })
            #expect(try said(1) == "Notes.txt Cat.png Moved.txt one")
            for file in open { try file.close() }
        }
    }

    /// An open folder's listing, which the kernel keeps, and entries that it knows.
    @Test func namesThatComeAndGo() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            func exists(_ name: String) -> Bool { access(drive.path(name), F_OK) == 0 }
            #expect(try run("ls", "-l", drive.mountpoint).good().lines.count == 6)
            let told = try drive.status().changes.told
            try shell("mv Notes.stedoc Album/Moved.stedoc && rm -r Cat.ptk && mkdir New && echo x >New/inner", in: container.path).good()
            #expect(eventually { !exists("Notes.txt") && !exists("Cat.png") && exists("New/inner") && exists("Album/Moved.txt") })
            #expect(try drive.status().changes.told > told)
            #expect(try run("ls", drive.mountpoint).output == "Album\nNew\nSwift.url\nplain\n")
        }
    }

    @Test func oneOfManyThousand() throws {
        let container = try TemporaryContainer("photo Cat png size=5000")
        try shell("seq -f file%06.0f 20000 | xargs touch", in: container.path).good()
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).good().lines.count == 20_001)
            _ = try run("stat", drive.path("file010000"), drive.path("Cat.png")).good()
            // What the kernel was told of the top before all of a large folder was watched lasts a second, and is asked for again by who reads the status.
            #expect(try eventually { try drive.requests { usleep(1_200_000) }.isEmpty })
            // No file comes or goes in the folder itself: of that the kernel would be told, and would ask what the folder is now.
            let copy = container.beside("copy")
            for change in ["printf new >>file010000", "cp Cat.ptk/photo.data '\(copy)' && cat '\(copy)' >Cat.ptk/photo.data"] {
                let before = try drive.settledChanges()
                let requests = try drive.requests { try shell(change, in: container.path).good() }
                let after = try drive.settledChanges(after: before)
                #expect(after.told - before.told <= 3, "\(change)")
                #expect((1...3).contains(after.lookedAt - before.lookedAt), "\(change): \(after)")
                #expect(after.rescans == 0 && requests.isEmpty, "\(change): \(requests)")
            }
            #expect(try run("stat", "-c", "%s", drive.path("file010000")).output == "3\n")
            // The names were not read again for that, nor is the listing.
            #expect(try drive.requests { try run("stat", drive.path("file010001"), drive.path("file010000")).good() }.count <= 1)
        }
    }

    @Test func tenThousandThatAreCopiedWhileTheDriveIsListed() throws {
        let container = try TemporaryContainer("text First one"), source = try TemporaryContainer("texts 10000 Note")
        try withDrive(container) { drive in
            let copying = try Program(["cp", "-r", source.path + "/.", container.path])
            while !copying.hasEnded { try run("ls", "-l", drive.mountpoint) }
            try copying.wait().good()
            #expect(try eventually { try run("ls", drive.mountpoint).good().lines.count == 10_001 })
            #expect(try shell("cat Note*.txt | wc -c", in: drive.mountpoint).output == "\(source.items.reduce(0) { $0 + $1.size })\n")
        }
    }

    @Test func whatTheDriveDoesItselfIsNoNews() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            try run("ls", "-l", drive.mountpoint).good()
            let before = try drive.settledChanges()
            try shell("""
                head -c 3000000 /dev/zero >big && cat big >/dev/null && mkdir Folder && mv big Folder/moved && rm Folder/moved && rmdir Folder
                printf '[InternetShortcut]\\nURL=https://new/\\n' >New.url && cp Cat.png Dog.png && mv Notes.txt Other.txt && rm Dog.png
                """, in: drive.mountpoint).good()
            let after = try drive.settledChanges(after: before)
            let told = after.told - before.told
            #expect(told <= 25, "the kernel was told \(told) times of what it did itself")
            // What was written is still in the kernel's memory. It may take back a page or two whenever it likes; what a drive has it forget is all.
            let calm = try drive.settledChanges()
            try shell("head -c 409600 /dev/zero >big", in: drive.mountpoint).good()
            #expect(try drive.settledChanges().told == calm.told)
            #expect(try pagesInMemory(of: drive.path("big")) > 0)
        }
    }

    /// How many pages of a file the kernel has when it was opened, without any being read for that.
    private func pagesInMemory(of path: String) throws -> Int {
        let file = try checked("open", open(path, O_RDONLY | O_CLOEXEC))
        defer { close(file) }
        let size = Int(lseek(file, 0, SEEK_END)), pageSize = Int(getpagesize())
        let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else { throw Failed("mmap: \(errno)") }
        defer { munmap(memory, size) }
        var pages = [UInt8](repeating: 0, count: (size + pageSize - 1) / pageSize)
        guard mincore(memory, size, &pages) == 0 else { throw Failed("mincore: \(errno)") }
        return pages.count { $0 & 1 != 0 }
    }

    // MARK: Half-written items

    @Test func aDocumentThatIsBeingWrittenStaysWhatItWas() throws {
        let container = try TemporaryContainer("photo Cat png size=5000"), other = try TemporaryContainer("photo Cat png size=7000")
        let (size, newSize) = (container.items[0].size, other.items[0].size)
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            #expect(try run("stat", "-c", "%s", drive.path("Cat.png")).output == "\(size)\n")
            let stored = try run("stat", "-c", "%s", container.stored("Cat.ptk/photo.data")).output
            // Cut short, and somebody still at it.
            let writing = try Program(["bash", "-c", ": >photo.data; while :; do printf x >>photo.data; sleep 0.05; done"], in: container.stored("Cat.ptk"))
            #expect(eventually { (try? run("stat", "-c", "%s", container.stored("Cat.ptk/photo.data")).output) != stored })
            #expect(try eventually { try drive.status().changes.lookedAt > 0 })
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            #expect(try run("stat", "-c", "%s", drive.path("Cat.png")).output == "\(size)\n")
            writing.end()
            try shell("cat \"$1\" >photo.data", other.stored("Cat.ptk/photo.data"), in: container.stored("Cat.ptk")).good()
            #expect(try eventually { try run("stat", "-c", "%s", drive.path("Cat.png")).output == "\(newSize)\n" })
        }
    }

    @Test func aNewOneIsShownWhenItIsWhole() throws {
        let container = try TemporaryContainer("photo Cat png"), other = try TemporaryContainer("photo Dog png")
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            let before = try drive.status().changes.lookedAt
            let coming = try Program(
                ["bash", "-c", "mkdir Dog.ptk; cp \"$1/photo.metadata\" Dog.ptk; while :; do printf x >>Dog.ptk/part; sleep 0.05; done", "bash", other.stored("Dog.ptk")],
                in: container.path)
            #expect(try eventually { try drive.status().changes.lookedAt > before })
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            coming.end()
            try shell("rm Dog.ptk/part; cp \"$1/photo.data\" Dog.ptk", other.stored("Dog.ptk"), in: container.path).good()
            #expect(try eventually { try run("ls", drive.mountpoint).output == "Cat.png\nDog.png\n" })
        }
    }

    @Test func whatStaysBrokenIsShownAsThat() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            #expect(try run("ls", drive.mountpoint).output == "Cat.png\n")
            try shell("truncate -s 20 Cat.ptk/photo.data", in: container.path).good()
            #expect(try eventually { try run("ls", drive.mountpoint).output == "Cat.ptk\n" })
            #expect(try drive.status().reason(of: "Cat.ptk") != nil)
        }
    }

    // MARK: Where nobody tells

    /// While the drive's process stands still, more happens than the kernel keeps.
    @Test func lostNoticesLeadToARescan() throws {
        let container = try TemporaryContainer(Self.description + "\nfile a x\nfile b x")
        try withDrive(container) { drive in
            let before = try sizes(drive)
            try run("ls", "-l", drive.mountpoint).good()
            kill(drive.process, SIGSTOP)
            defer { kill(drive.process, SIGCONT) }
            try run("python3", "-c", """
                import os
                most = int(open("/proc/sys/fs/inotify/max_queued_events").read())
                for number in range(most + 10): os.utime("ab"[number % 2], (number, number))
                """, in: container.path).good()
            try shell("touch new", in: container.path).good()
            let changed = try change(container)
            kill(drive.process, SIGCONT)
            #expect(before != changed)
            #expect(try eventually { try sizes(drive) == changed })
            #expect(access(drive.path("new"), F_OK) == 0)
            #expect(try drive.status().changes.rescans > 0)
        }
    }

    @Test func aDriveThatLooksAgain() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container, options: "changes=poll") { drive in
            let before = try sizes(drive), changed = try change(container)
            #expect(before != changed)
            #expect(try eventually { try sizes(drive) == changed })
            #expect(try drive.status().changes.notices == 0)
        }
    }

    @Test func aStoreThatDoesNotTell() throws {
        let container = try TemporaryContainer("text Inner/Notes one\nfile Inner/plain one")
        try withDrive(container) { store in
            try withDrive(try elsewhere(store.path("Inner")), options: "ro") { drive in
                #expect(try run("ls", drive.mountpoint).output == "Notes.txt\nplain\n")
                #expect(try drive.status().changes.seen == "poll")
                try shell("printf ' and two' >>plain; mv Notes.txt Moved.txt", in: store.path("Inner")).good()
                #expect(try eventually { try run("ls", drive.mountpoint).output == "Moved.txt\nplain\n" })
                #expect(try eventually { try run("cat", drive.path("plain")).output == "one and two" })
            }
        }
    }

    /// A user with three watches, in a namespace where that can be said. What is over the limit is looked at each second.
    @Test func moreThanMayBeWatched() throws {
        let container = try TemporaryContainer("photo Cat png size=5000\nphoto Dog png size=5000\nphoto Fox png size=5000\ntext Notes one")
        try container.add("photo Album/Owl png size=5000")
        let other = try TemporaryContainer("photo Cat png size=6000"), size = other.items[0].size
        try shell("""
            cat >"$4" <<'END'
            set -e
            echo 3 >/proc/sys/user/max_inotify_watches
            "$1" mount -f "$2" "$3" & drive=$!
            for try in $(seq 600); do mountpoint -q "$3" && break; sleep 0.1; done
            ls -l "$3" "$3/Album" >/dev/null
            "$1" status "$3" | grep 'noticed in 3 .*max_user_watches'
            for photo in Cat Dog Fox Album/Owl; do cp "$5"/* "$2/$photo.ptk"; done
            for photo in Cat Dog Fox Album/Owl; do
                for try in $(seq 600); do test $(stat -c %s "$3/$photo.png") = $6 && break; sleep 0.1; done
                stat -c %s "$3/$photo.png"
            done
            umount "$3"
            wait $drive
            END
            exec unshare --user --map-root-user --mount bash "$4" "$@" >"$4.out"
            """, Places.valise, container.path, container.mountpoint, container.beside("script"), other.stored("Cat.ptk"), "\(size)").good()
        #expect(try String(contentsOfFile: container.beside("script.out"), encoding: .utf8).hasSuffix(String(repeating: "\(size)\n", count: 4)))
    }
}

extension MountedDrive {
    /// The counts of changes, once nothing is left to be looked at; later ones than `before`, if given.
    fileprivate func settledChanges(after before: DriveStatus.Changes? = nil) throws -> DriveStatus.Changes {
        var last = try status().changes
        var repeats = 0
        _ = try eventually {
            usleep(60_000)
            let now = try status().changes
            repeats = now.notices == last.notices && now.lookedAt == last.lookedAt && now.told == last.told ? repeats + 1 : 0
            last = now
            return repeats >= 8 && now.notices > before?.notices ?? -1
        }
        return last
    }
}
