import Foundation
import MountTesting
import Testing

/// What `valise` answers: exit codes, and sentences that name the file and the mend.
@Suite(.mounting) struct CommandTests {
    /// A verb that refuses, in a folder with a container `c`, an empty folder `m`, and `full` with a file in it.
    private func refused(_ words: String..., code: Int32, saying sentence: String) throws {
        let folder = try TemporaryFolder()
        try shell("mkdir c m full; echo text >c/Notes.stedoc; mkdir c/inside; touch full/x", in: folder.path).good()
        let ended = try Program([Places.valise] + words, in: folder.path).wait()
        #expect(ended.code == code, "\(words): \(ended.errors)")
        #expect(ended.errors.contains(sentence), "\(words): \(ended.errors)")
        #expect(ended.output.isEmpty && ended.errors.hasPrefix("valise: ") && ended.errors.hasSuffix("\n"))
        #expect(!MountedDrive.isMounted(folder.path + "/m") && !MountedDrive.isMounted(folder.path + "/full"))
    }

    @Test func mountRefuses() throws {
        try refused("mount", "nowhere", "m", code: 32, saying: "valise init nowhere")
        try refused("mount", "c", "nowhere", code: 32, saying: "to make it: mkdir -p /")
        try refused("mount", "c/Notes.stedoc", "m", code: 32, saying: "is not a folder")
        try refused("mount", "c", "full/x", code: 32, saying: "is not a folder")
        try refused("mount", "c", "full", code: 32, saying: "-o nonempty")
        try refused("mount", "c", "c", code: 32, saying: "cannot show itself")
        try refused("mount", "c", "c/inside", code: 32, saying: "cannot show itself")
        try refused("mount", "c", code: 1, saying: "valise mount CONTAINER MOUNTPOINT")
        try refused("mount", "-o", "nosuch", "c", "m", code: 1, saying: "is not a mount option")
        try refused("mount", "-o", "link=pdf", "c", "m", code: 1, saying: "link=url")
    }

    @Test func othersRefuse() throws {
        try refused("unmount", "m", code: 1, saying: "no drive is mounted")
        try refused("unmount", "/proc", code: 1, saying: "is no drive of Valise")
        try refused("status", "m", code: 1, saying: "no drive is mounted")
        try refused("info", "nowhere", code: 1, saying: "nowhere")
        try refused("init", "c/Notes.stedoc", code: 1, saying: "a container is a folder")
        try refused("init", "full", code: 1, saying: "“full” has something in it already; to show what is there as it is: valise mount full MOUNTPOINT")
        try refused("init", "--create", "poems", "new", code: 2, saying: "poems")
        try refused("mout", code: 2, saying: "mount")
    }

    /// Containers do not lie in each other, and a verb that wants a container says what it was given instead.
    @Test func theWrongFolderIsToldTheRightOne() throws {
        let container = try TemporaryContainer("folder Documents/In\ntext Documents/Notes one")
        let other = container.beside("other")
        mkdir(other, 0o755)
        func expect(_ words: String..., code: Int32, saying sentence: String) throws {
            let ended = try Program([Places.valise] + words).wait()
            #expect(ended.code == code && ended.errors.contains(sentence), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
        }
        // Never used: it may be anything.
        try valise("mount", container.stored("Documents"), other).good()
        try expect("mount", container.path, container.mountpoint, code: 32, saying: "has the container “\(container.stored("Documents"))” in it, which is mounted on “\(other)”")
        try valise("unmount", other).good()
        try expect("mount", container.path, container.mountpoint, code: 32, saying: "has been used as a container by itself")
        try shell("rm -r Documents/.valise", in: container.path).good()
        try withDrive(container) { drive in
            for path in [drive.mountpoint, drive.path("In"), container.stored("Documents"), container.stored("Documents/In")] {
                // What looks at a whole container looks at the one that is meant.
                #expect(try valise("check", path).good().output.hasPrefix("“\(container.path)”: 1 text, 1 folder\n"), "\(path)")
                #expect(try valise("doctor", path).output.contains("the container “\(container.path)” can be read"), "\(path)")
                try expect("mount", path, other, code: 32, saying: "“\(container.path)”; name that: valise mount \(container.path) MOUNTPOINT, or add -o ro")
                try expect("init", path, code: 1, saying: "no container can be made there: ")
                try expect("init", path + "/new", code: 1, saying: path.hasPrefix(drive.mountpoint) ? "would lie on the drive" : "would lie in the container")
            }
            try expect("init", container.stored("new/new"), code: 1, saying: "would lie in the container")
            try valise("mount", "-o", "ro", container.stored("Documents"), other).good()
            try valise("unmount", other).good()
            let asked = try valise("mount", "--json", "x", "y")
            #expect(asked.code == 1)
            let answer = try valise("check", "--json", drive.path("nowhere"))
            #expect(answer.errors.isEmpty && answer.output == "{\"format\":1,\"error\":\"there is no “\(drive.path("nowhere"))”\",\"mend\":null}\n", "\(answer.output)")
            #expect(try valise("conflicts", drive.path("In")).good().output == "")
        }
    }

    /// What is no document, or no folder to look in, is called what it is.
    @Test func theWrongItemIsToldWhatItIs() throws {
        let container = try TemporaryContainer("folder Documents/In\ntext Documents/Notes one\nfile beside.txt x")
        mkdir(container.beside("plain"), 0o755)
        try withDrive(container) { drive in
            func expect(_ words: String..., saying sentence: String) throws {
                let ended = try Program([Places.valise] + words).wait()
                #expect(ended.code == (words[0] == "diff" ? 2 : 1) && ended.output.isEmpty && ended.errors.contains(sentence), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
            }
            for verb in ["versions", "diff", "restore", "resolve"] {
                func expectAll(_ path: String, saying sentence: String) throws {
                    let words = ["restore", "resolve"].contains(verb) ? [verb, path, "1"] : [verb, path]
                    let ended = try Program([Places.valise] + words).wait()
                    #expect(ended.code == (verb == "diff" ? 2 : 1) && ended.errors.contains(sentence), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
                }
                try expectAll(drive.mountpoint, saying: "is a folder and no document")
                try expectAll(container.stored("Documents/In"), saying: "is a folder and no document")
                try expectAll(container.stored("beside.txt"), saying: "is not among the documents of the container “\(container.path)”")
                try expectAll(container.stored(".valise/versions"), saying: "is not among the documents of the container “\(container.path)”")
                try expectAll(container.beside("nowhere"), saying: "there is no “\(container.beside("nowhere"))”")
                try expectAll(container.beside("plain"), saying: "lies in no container that Valise has used")
            }
            try expect("restore", drive.path("Notes.txt"), "1", saying: "has no earlier versions")
            try expect("diff", drive.path("Notes.txt"), "yesterday", saying: "has no earlier versions")
            for path in [drive.path("nowhere"), container.stored("Documents/nowhere"), container.beside("nowhere")] {
                try expect("find", "TRUEPREDICATE", path, saying: "there is no folder “\(path)”")
            }
            try expect("find", "TRUEPREDICATE", drive.path("Notes.txt"), saying: "is a file; name a drive, a container or a folder in one")
            try expect("find", "TRUEPREDICATE", container.stored(".valise"), saying: "is not among the documents of the container")
            #expect(try valise("find", "TRUEPREDICATE", container.path).good().lines == [drive.path("Notes.txt")])
            #expect(try valise("info", drive.path(".valise")).good().output.contains("kind  folder"))
            if access("/run/systemd/journal/socket", F_OK) != 0 { try expect("log", drive.mountpoint, saying: "this system has no journal: what the drive") }
        }
    }

    /// A path that was mistyped is not answered for what lies above it, and takes no drive away.
    @Test func whatIsNotThereIsSaidToBeMissing() throws {
        let container = try TemporaryContainer("text Documents/Notes one")
        try withDrive(container) { drive in
            for path in [drive.path("nowhere"), container.stored("Documents/nowhere"), container.stored("nowhere/more"), container.beside("nowhere/more")] {
                // Beside drives and containers, the folder of a container is missed.
                let isBeside = path == container.beside("nowhere/more")
                for verb in ["conflicts", "status", "unmount", "open"] + (isBeside ? [] : ["check", "kvs"]) {
                    let ended = try Program([Places.valise, verb] + (verb == "kvs" ? ["list"] : []) + [path]).wait()
                    #expect(ended.code == (verb == "check" ? 8 : 1) && ended.output.isEmpty, "\(verb) \(path): \(ended.code) \(ended.output)")
                    #expect(ended.errors == "valise: there is no “\(path)”\n", "\(verb)")
                }
            }
            #expect(MountedDrive.isMounted(drive.mountpoint))
            let unread = try valise("coordinate", drive.path("nowhere"), "--", "true")
            #expect(unread.code == 125 && unread.errors == "valise: there is no “\(drive.path("nowhere"))”\n", "\(unread.errors)")
            try valise("coordinate", "--write", drive.path("nowhere"), "--", "true").good()
            let named = try Program([Places.valise, "coordinate", drive.path("Notes.txt"), "head", "-c", "1"]).wait()
            #expect(named.code == 2 && named.errors == "valise: missing -- before “head”: valise coordinate ITEM -- COMMAND…\n", "\(named.errors)")
        }
    }

    @Test func initMakesAContainerWithSamples() throws {
        let folder = try TemporaryFolder()
        try shell("mkdir drive", in: folder.path).good()
        #expect(try valise("init", "--samples", "new", in: folder.path).good().output.contains("valise mount new"))
        let again = try valise("init", "new", in: folder.path)
        #expect(again.code == 1 && again.errors == "valise: “new” is a container already; to see it as a drive: valise mount new MOUNTPOINT\n", "\(again.errors)")
        try valise("mount", "new", "drive", in: folder.path).good()
        let listed = try run("ls", folder.path + "/drive").output
        let away = try valise("unmount", "drive", in: folder.path)
        #expect(away.code == 0, "\(away.errors)")
        #expect(listed == "FUSE.url\nLinux kernel.url\nMeadow.png\nShopping list.txt\nSunset.png\nSwift.url\nWelcome.txt\n")
    }

    @Test func infoTellsTheSameOnTheDriveAndInTheContainer() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/ stored=Bookmark_Swift-1\nfolder Cat.ptk")
        try withDrive(container) { drive in
            for (shown, stored) in [("Swift.url", "Bookmark_Swift-1"), ("Cat.ptk", "Cat.ptk")] {
                let one = try valise("info", drive.path(shown)).good().lines.dropFirst().sorted()
                let other = try valise("info", container.stored(stored)).good().lines.dropFirst().sorted()
                #expect(one == other && one.contains { $0.contains("stored name") && $0.contains(stored) })
            }
            let json = try valise("info", "--json", drive.path("Swift.url")).good().output
            #expect(json == "{\"format\":1,\"documents\":[{\"path\":\"\(drive.path("Swift.url"))\",\"kind\":\"bookmark\",\"storedName\":\"Bookmark_Swift-1\",\"name\":\"Swift\",\"url\":\"https://x/\",\"state\":\"saved\"}]}\n")
            #expect(try valise("info", drive.path("Swift.url"), drive.path("nowhere")).code == 1)
        }
    }

    @Test func infoSaysWhyAFileIsNoDocument() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png\nfile Plain.txt plain\nfile Photo.png x\nfile a.odt x\nfolder Folder")
        func why(_ path: String) throws -> String { try valise("info", path).good().lines.first { $0.contains("  why ") } ?? "" }
        try withDrive(container, options: "create=text") { drive in
            let named = try why(drive.path("a.odt"))
            #expect(named.contains("its name has no extension of a document"))
            #expect(try why(drive.path("Photo.png")).contains("it would be a photo, and this container creates texts only; to have them created: valise mount -o create=text+photo"))
            #expect(try why(drive.path("Plain.txt")).contains("as a plain file"))
            #expect(try why(drive.path("Notes.txt")) == "")
            #expect(try why(drive.path("Folder")) == "")
            #expect(try why(container.stored("Cat.ptk/photo.data")).contains("it is a part of the document “Cat.ptk”"))
            #expect(try why(container.stored("Photo.png")).contains("its name is none of a document"))
        }
        try withDrive(container, options: "create=photo") { drive in
            let told = try valise("info", drive.path("Photo.png")).good()
            #expect(told.output.contains("its content is not that of a photo: "), "\(told.output)")
        }
    }

    /// What a drive in the background has to say goes into a file, if somebody wants that.
    @Test func aLogIsWrittenAndShown() throws {
        let container = try TemporaryContainer("photo Cat png"), log = container.beside("drive.log")
        try valise("mount", "-q", "-o", "log=\(log)", container.path, container.mountpoint).good()
        defer { umount2(container.mountpoint, Int32(MNT_DETACH)) }
        try shell("printf x >Cat.png; exit 0", in: container.mountpoint)
        #expect(eventually { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("Cat.png") == true })
        for path in [container.mountpoint, container.path, container.mountpoint + "/Cat.png"] {
            let shown = try valise("log", path).good()
            #expect(shown.lines.contains { $0.firstMatch(of: /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ .*Cat\.png/) != nil }, "\(shown.output)")
        }
        try run("rm", container.mountpoint + "/Cat.png").good()
        #expect(try valise("unmount", "-v", container.mountpoint).good().output == "“\(container.mountpoint)” is unmounted\n")
        let refused = try valise("mount", "--log-file", container.beside("nowhere/log"), container.path, container.mountpoint)
        #expect(refused.code == 32 && refused.errors.contains("cannot open the log"))
        let relative = try valise("mount", "-v", "--log-file", "other.log", container.path, container.mountpoint, in: container.beside("")).good()
        #expect(relative.output.contains("is mounted on") && FileManager.default.fileExists(atPath: container.beside("other.log")))
        try valise("unmount", container.mountpoint).good()
    }

    @Test func doctorFindsSyncthing() throws {
        let container = try TemporaryContainer("text Notes one")
        mkdir(container.stored(".stfolder"), 0o755)
        let missing = try valise("doctor", container.path)
        #expect(missing.code == 1 && missing.output.contains("echo /.valise >>\(container.path)/.stignore"))
        try shell("echo '(?d)/.valise' >.stignore", in: container.path).good()
        #expect(try valise("doctor", container.path).output.contains("Syncthing leaves Valise's folder alone"))
    }

    @Test func doctorFindsThingsGood() throws {
        let container = try TemporaryContainer("text Notes one")
        let report = try valise("doctor", container.path)
        #expect(report.output.contains("ok       the container “\(container.path)” can be read"))
        #expect(try valise("doctor", container.beside("nowhere")).code == 1)
    }

    /// What is another's is neither a problem of whoever asks, nor theirs to repair.
    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else")) func doctorLeavesTheOwnersFilesAlone() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { _ in }
        // They need not reach what these tests were built in.
        try shell("cp \"$1\" ../valise && chmod 755 .. . ../valise", Places.valise, in: container.path).good()
        let asked = try Program(["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", container.beside("valise"), "doctor", container.path]).wait()
        #expect(asked.output.contains("note     “.valise”: it belongs to user 0") && asked.output.contains("-o ro"), "\(asked.output)\(asked.errors)")
        #expect(!asked.output.contains("--repair"), "\(asked.output)")
    }

    @Test func doctorOfAContainerAsksItsOwnDrivesOnly() throws {
        let container = try TemporaryContainer("text Notes one"), other = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try withDrive(other) { another in
                let report = try valise("doctor", container.path + "/.").good().output
                #expect(report.contains("the drive on “\(drive.mountpoint)” answers"))
                #expect(report.contains("ok       the drive on “\(drive.mountpoint)” works with listing with attributes (readdirplus), "))
                #expect(report.contains("; without splice from the kernel, write-back caching, FUSE passthrough, io_uring; why not with all: valise status --details "))
                #expect(!report.contains(another.mountpoint))
            }
            // It finds the one whose container was moved, too.
            let moved = container.beside("moved")
            try run("mv", container.path, moved).good()
            defer { rename(moved, container.path) }
            #expect(try valise("doctor", moved).good().output.contains("the drive on “\(drive.mountpoint)” answers"))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can ask as root")) func doctorHasRootMendNothingOfWhatRootMay() throws {
        let report = try valise("doctor").output
        #expect(report.contains("-o allow_other") || report.contains("(user_allow_other)"))
        #expect(!report.contains("only root may use"), "\(report)")
    }

    /// Somebody who shares a drive is told whose the command is, and what they may do.
    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else")) func whoSharesADriveIsToldWhatIsTheOwners() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Cat png\nfile plain x"), nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        try shell("cp \"$1\" ../valise && chmod 755 .. . ../valise", Places.valise, in: container.path).good()
        try withDrive(container, options: "allow_other") { drive in
            try shell("printf two >Notes.txt; printf x >Cat.png; rm plain; cd ..; chmod 755 \"$1\"", drive.mountpoint, in: drive.mountpoint).good()
            func expect(_ words: String..., code: Int32 = 1, saying sentence: String) throws {
                let ended = try Program(nobody + [container.beside("valise")] + words).wait()
                #expect(ended.code == code && ended.errors.hasPrefix("valise: \(sentence)") && ended.errors.split(separator: "\n").count == 1, "\(words): \(ended.code) \(ended.output)\(ended.errors)")
            }
            func theirs(_ what: String, _ shown: String = "") -> String {
                "\(what) of the container “\(container.path)” belong to root, and this command is for them alone" + (shown.isEmpty ? "" : "; to look at them: ls \(drive.mountpoint)/.valise/\(shown)\n")
            }
            try expect("versions", drive.path("Notes.txt"), saying: theirs("the earlier versions", "versions"))
            try expect("restore", drive.path("Notes.txt"), "1", saying: theirs("the earlier versions", "versions"))
            try expect("deleted", drive.mountpoint, saying: theirs("the deleted documents", "deleted"))
            try expect("undelete", drive.path("plain"), saying: theirs("the deleted documents", "deleted"))
            try expect("conflicts", drive.mountpoint, saying: theirs("the conflicts", "versions"))
            try expect("restore", "--saved", drive.path("Cat.png"), saying: theirs("versions and drafts"))
            try expect("coordinate", drive.path("Notes.txt"), "--", "true", code: 125, saying: theirs("the claims"))
            try expect("init", container.beside("theirs"), saying: "you may not make a container at “\(container.beside("theirs"))”")
            try expect("unmount", drive.mountpoint, saying: "the drive on “\(drive.mountpoint)” is root's, who alone may unmount it")
            // Not even how many: some may lie in folders that they may not look into. The draft is no error beside.
            let status = try Program(nobody + [container.beside("valise"), "status", drive.mountpoint]).wait().output
            #expect(status.contains("  contents    what is open, unsaved or damaged is told to the drive's user and to root alone\n"), "\(status)")
            #expect(!["  open ", "  drafts ", "  errors ", "  documents "].contains { status.contains($0) }, "\(status)")
            let own = try valise("status", drive.mountpoint).good().output
            #expect(own.contains("  drafts      1\n") && own.contains("  errors      none\n"), "\(own)")
        }
        // A drive that shows other permissions than the container has.
        let closed = try TemporaryContainer("text Documents/Notes one")
        try shell("cp \"$1\" ../valise && chmod 755 .. . ../valise && chmod 770 Documents", Places.valise, in: closed.path).good()
        try withDrive(closed, options: "allow_other,gid=65534") { drive in
            try shell("chmod 755 \"$1\"; echo two >\"$2/Notes.txt\"", closed.beside(""), drive.mountpoint).good()
            let ended = try Program(nobody + [closed.beside("valise"), "versions", drive.path("Notes.txt")]).wait()
            #expect(ended.code == 1 && ended.errors.contains("belong to root, and this command is for them alone; to look at them: ls \(drive.mountpoint)/.valise/versions"), "\(ended.errors)")
        }
    }

    /// Their owner has them lead elsewhere at any moment, also to root's own folders.
    @Test(.enabled(if: geteuid() == 0, "only root has links of others in its way")) func rootMountsByNoLinkOfAnotherUsers() throws {
        let container = try TemporaryContainer("text Notes one"), real = try run("realpath", container.beside("")).good().lines[0]
        try shell("ln -s . way; ln -s \"$1\" link; ln -s \"$2\" place; chown -h 65534 link place way; ln -s link roots", container.path, container.mountpoint, in: container.beside("")).good()
        func expect(_ words: [String], _ link: String, _ what: String, _ path: String, _ leads: String) throws {
            let ended = try Program([Places.valise, "mount"] + words).wait()
            let sentence = "“\(real)/\(link)” on the way to the \(what) “\(path)” is a symbolic link of nobody, who may have it lead elsewhere at any moment"
            #expect(ended.code == 1 && ended.errors == "valise: \(sentence); root mounts by a path without it: \(leads)\n", "\(ended)")
        }
        let folder = try run("realpath", container.path).good().lines[0], place = try run("realpath", container.mountpoint).good().lines[0]
        for name in ["link", "roots", "way/link"] {
            let path = container.beside(name)
            try expect([path, container.mountpoint], name == "way/link" ? "way" : "link", "container", path, folder)
        }
        try expect([container.path, container.beside("place")], "place", "mountpoint", container.beside("place"), place)
        // Its own are followed.
        try shell("rm link place; ln -s \"$1\" link; ln -s \"$2\" place", container.path, container.mountpoint, in: container.beside("")).good()
        try valise("mount", container.beside("roots"), container.beside("place")).good()
        #expect(try run("cat", container.mountpoint + "/Notes.txt").good().output == "one")
        try valise("unmount", container.mountpoint).good()
    }

    /// They may have moved it there from wherever it was right.
    @Test(.enabled(if: geteuid() == 0, "only root has links in folders of others")) func rootFollowsNoLinkThatOthersMayHaveMoved() throws {
        let container = try TemporaryContainer("text Notes one"), real = try run("realpath", container.beside("")).good().lines[0]
        let folder = try run("realpath", container.path).good().lines[0]
        try shell("mkdir theirs open sticky own theirs/below; chown 65534 theirs; chmod 777 open; chmod 1777 sticky; for p in theirs open sticky own theirs/below; do ln -s \"$1\" $p/link; done", container.path, in: container.beside("")).good()
        defer { umount2(container.mountpoint, Int32(MNT_DETACH)) }
        for (place, cause) in [
            ("theirs", "below “\(real)/theirs”, which is nobody's, who may put another in its place"), ("theirs/below", "below “\(real)/theirs”, which is nobody's, who may put another in its place"),
            ("open", "below “\(real)/open”, where others may write, and put another in its place"), ("sticky", "below “\(real)/sticky”, where others may write, and put another in its place"),
        ] {
            let path = container.beside(place + "/link"), ended = try Program([Places.valise, "mount", path, container.mountpoint]).wait()
            let sentence = "“\(real)/\(place)/link” on the way to the container “\(path)” is a symbolic link \(cause); root mounts by a path without it: \(folder)"
            #expect(ended.code == 1 && ended.errors == "valise: \(sentence)\n", "\(ended)")
        }
        // Their folders alone are no matter, and in a sticky one they move no folder of root's.
        try shell("mkdir sticky/own theirs/mount; ln -s \"$1\" sticky/own/link", container.path, in: container.beside("")).good()
        for path in ["own/link", "sticky/own/link"] {
            try valise("mount", container.beside(path), container.beside("theirs/mount")).good()
            try valise("unmount", container.beside("theirs/mount")).good()
        }
    }

    /// What it leads to would be written by root.
    @Test(.enabled(if: geteuid() == 0, "only root may write everywhere")) func rootWritesItsLogWhereNobodyElseLeadsIt() throws {
        let container = try TemporaryContainer("text Notes one"), real = try run("realpath", container.beside("")).good().lines[0]
        try shell("mkdir theirs roots; echo keep >roots/kept; ln -s ../roots/kept theirs/link; ln -s ../roots/new theirs/gone; ln roots/kept theirs/second; touch theirs/own; ln -s ../roots theirs/way; chown -h 65534 theirs theirs/link theirs/gone theirs/own theirs/way", in: container.beside("")).good()
        defer { umount2(container.mountpoint, Int32(MNT_DETACH)) }
        func refused(_ name: String, _ words: String) throws {
            let log = container.beside("theirs/" + name), ended = try Program([Places.valise, "mount", "-o", "log=" + log, container.path, container.mountpoint]).wait()
            #expect(ended.code == 1 && ended.errors == "valise: \(words.replacingOccurrences(of: "LOG", with: "“\(log)”"))\n", "\(ended)")
            #expect(!MountedDrive.isMounted(container.mountpoint))
        }
        func link(_ name: String) -> String { "“\(real)/theirs/\(name)” on the way to the log LOG is a symbolic link of nobody, who may have it lead elsewhere at any moment" }
        try refused("link", link("link") + "; root writes by a path without it: \(real)/roots/kept")
        try refused("gone", link("gone"))
        try refused("way/new", link("way"))
        for name in ["second", "own"] {
            try refused(name, "the log LOG lies where others may put any file, and is not root's, or has another name besides; name one in a folder of root's, or one that is not there yet")
        }
        #expect(try run("cat", container.beside("roots/kept")).good().output == "keep\n" && !FileManager.default.fileExists(atPath: container.beside("roots/new")))
        // Root's own links are followed, also to what is not there yet, and its own log is added to.
        try shell("ln -s later roots/link; chown 65534 roots/kept", in: container.beside("")).good()
        for log in ["roots/link", "roots/later", "theirs/made", "theirs/made", "roots/kept"] {
            try valise("mount", "-o", "log=" + container.beside(log), container.path, container.mountpoint).good()
            try valise("unmount", container.mountpoint).good()
        }
        #expect(try run("stat", "-c", "%a %u", container.beside("roots/later"), container.beside("theirs/made")).good().lines == ["600 0", "600 0"])
    }

    /// Nobody who names a folder on a drive means the whole drive for certain.
    @Test func aFolderOnADriveIsNotUnmounted() throws {
        let container = try TemporaryContainer("text Notes one\nfolder Album")
        try withDrive(container) { drive in
            for name in ["Album", "Notes.txt", ".valise"] {
                for option in [[], ["--lazy"]] {
                    let refused = try Program([Places.valise, "unmount"] + option + [drive.path(name)]).wait()
                    #expect(refused.code == 1 && refused.errors == "valise: nothing is mounted on “\(drive.path(name))”, which is on the drive “\(drive.mountpoint)”; to take that away: valise unmount \(drive.mountpoint)\n", "\(refused.errors)")
                }
            }
            #expect(MountedDrive.isMounted(drive.mountpoint))
        }
    }

    /// By whoever is in its folder; the command itself is not in its own way.
    @Test func aDriveIsUnmountedFromInside() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let refused = try shell("cd \"$1\"; \"$2\" unmount .; echo $?", drive.mountpoint, Places.valise)
            #expect(refused.output == "1\n" && refused.errors.contains("; close that, or leave the folder (cd), or take"), "\(refused.errors)")
            #expect(!refused.errors.contains("valise (process"), "\(refused.errors)")
        }
        try valise("mount", container.path, container.mountpoint).good()
        // Nobody but itself is there: the shell becomes it.
        try shell("cd \"$1\"; exec \"$2\" unmount .", container.mountpoint, Places.valise).good()
        #expect(!MountedDrive.isMounted(container.mountpoint))
    }

    /// What waits for the next mount is no damage, while a drive has it and after that.
    @Test func aDraftIsNoProblem() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            try shell("printf x >Cat.png", in: drive.mountpoint).good()
            for verb in ["doctor", "check"] {
                let asked = try valise(verb, container.path)
                #expect(asked.code == 0 && asked.output.contains("note     “Cat.png”: it has unsaved changes (a draft)\n"), "\(asked.output)")
                #expect(!asked.output.contains("--repair"), "\(asked.output)")
            }
        }
        do {
            try valise("mount", container.path, container.mountpoint).good()
            let away = try valise("unmount", container.mountpoint)
            #expect(away.errors.contains("“Cat.png” (the file is no image of a known type); what was written"), "\(away.errors)")
            let checked = try valise("check", container.path)
            #expect(checked.code == 0 && checked.lines.last == "1 note." && checked.output.contains("“Cat.png”: it has unsaved changes (a draft), which the next mount saves, or shows"), "\(checked.output)")
            let repaired = try valise("check", "--repair", "--yes", container.path)
            #expect(repaired.output.contains("the draft of “Cat.png” still cannot be saved") && repaired.lines.last == "Nothing is damaged any more, and what could not be done is left as it was.", "\(repaired.output)")
        }
    }

    @Test func unmountSaysWhoUsesTheDrive() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let reader = try Program(["tail", "-f", drive.path("Notes.txt")])
            defer { reader.end() }
            #expect(eventually { reader.output == "one" })
            let refused = try valise("unmount", drive.mountpoint)
            #expect(refused.code == 1 && refused.errors.contains("tail (process \(reader.process), “\(drive.path("Notes.txt"))”)"), "\(refused.errors)")
            #expect(try run("cat", drive.path("Notes.txt")).output == "one")
        }
    }
}
