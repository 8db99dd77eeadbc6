import Foundation
import MountTesting
import Testing

/// `valise check`: what it finds, what it repairs, and that a repair can be taken back.
@Suite(.mounting) struct CheckTests {
    private struct Report: Decodable {
        struct Finding: Decodable, Hashable {
            let kind: String, grade: String, path: String
        }
        let holder: String?
        let documents: [String: Int]
        let findings: [Finding]
        var kinds: [String: String] { Dictionary(findings.map { ($0.kind, $0.path) }) { first, _ in first } }
    }

    private func report(_ container: TemporaryContainer) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(try valise("check", "--json", container.path).output.utf8))
    }

    /// Names, types, times and contents of all there is.
    private func everything(in path: String, but left: String = "/dev/null") throws -> String {
        try shell("""
            find . -path "./$1" -prune -o -printf '%p %y %m %T@ %A@ %C@ %l\\n' | sort
            find . -path "./$1" -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
            """, left, in: path).good().output
    }

    /// What of documents must survive whatever is done about the rest.
    private func documents(in path: String) throws -> String {
        try shell("find . -path ./.valise -prune -o -type f ! -name photo.metadata -print0 | sort -z | xargs -0 sha256sum", in: path).good().output
    }

    private static let faulty = """
        bookmark Swift https://x/ stored=Bookmark_Swift-1
        bookmark a/b https://x/ stored=Bookmark_ab-1
        file Bookmark_bad "no archive"
        photo Cat png
        photo Dog png metadata=no
        photo Old png
        folder Cow.ptk
        part Pig.ptk/photo.data fifo
        text Notes one
        file .valise/staging/7 orphan
        file .valise/staging/foo/inside orphan
        file .valise/staging/9 "a draft"
        file .valise/journal/records "intent 12 remove;s/12\\ndraft 9 text d/New.txt new\\nnobody knows what\\n"
        """

    private func faultyContainer() throws -> TemporaryContainer {
        let container = try TemporaryContainer(Self.faulty)
        try shell("touch -d 2020-01-01 Old.ptk/photo.metadata; printf '\\xff' | xargs touch", in: container.path).good()
        return container
    }

    /// What lies in a damaged photo is a part of it, whatever it looks like by itself.
    @Test func aDamagedPhotoIsNamedOnce() throws {
        let container = try TemporaryContainer("photo Cat png")
        try shell("head -c 100 Cat.ptk/photo.data >part && mv part Cat.ptk/photo.data", in: container.path).good()
        #expect(try report(container).findings.map(\.path) == ["Cat.ptk"])
    }

    /// An empty container that was made as one is one.
    @Test func anEmptyContainerIsOne() throws {
        let folder = try TemporaryFolder(), other = try TemporaryFolder(), made = folder.path + "/made"
        try valise("init", made).good()
        #expect(try valise("check", made).good().lines.last == "Nothing is wrong." && !valise("check", made).output.contains("no document"))
        #expect(try valise("check", other.path).output.contains("there is no document in it"))
    }

    /// What cannot be repaired is not called mended.
    @Test func aRepairSaysWhatItCouldNotDo() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/")
        try valise("mount", container.path, container.mountpoint).good()
        _ = try shell("echo 'no link' >\"$1/Swift.url\"", container.mountpoint)
        _ = try valise("unmount", container.mountpoint)
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.output.contains("could not finish") && repaired.output.contains("what could not be done is left as it was"), "\(repaired.output)")
        #expect(!repaired.output.contains("Nothing is wrong any more") && repaired.code == 0)
    }

    @Test func aWholeContainerIsWhole() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/\nphoto Rome/Cat png\nphoto Empty none\ntext Notes one\nlink up ..\nfile .DS_Store x")
        let checked = try valise("check", container.path)
        #expect(checked.code == 0 && checked.errors.isEmpty)
        #expect(checked.lines.last == "Nothing is wrong." && checked.output.contains("1 bookmark, 2 photos, 1 text, 1 other file, 1 folder"))
        #expect(!FileManager.default.fileExists(atPath: container.stored(".valise")))
    }

    /// A drive makes their thumbnails by itself. Their links are shown in the form that it was asked for.
    @Test func theSamplesAreWhole() throws {
        let folder = try TemporaryFolder(), container = folder.path + "/samples"
        try valise("init", "-q", "--samples", container).good()
        #expect(try valise("check", container).good().lines.last == "Nothing is wrong.")
        mkdir(folder.path + "/drive", 0o755)
        for form in ["html", "url", "desktop"] {
            try valise("mount", "-o", "link=\(form)", container, folder.path + "/drive").good()
            defer { _ = try? valise("unmount", folder.path + "/drive") }
            #expect(try run("ls", folder.path + "/drive").good().lines.contains("Linux kernel.\(form)"))
        }
    }

    /// Damage of documents is said what to do about, also where no repair is of use.
    @Test func whatNoRepairMendsIsSaidHowToMend() throws {
        let container = try TemporaryContainer("text Notes one\nfile Bookmark_bad \"no archive\"")
        let ended = try valise("check", "--repair", container.path)
        #expect(ended.code == 4 && ended.output.contains("There is nothing that can be repaired here.\nWhat is damaged of a document comes back from an earlier version of it (valise versions DOCUMENT"), "\(ended.output)")
    }

    /// The drive shows them, and older systems that have the app do not.
    @Test func imagesOfNewerKindsAreNoted() throws {
        let container = try TemporaryContainer("photo New avif\nphoto Web webp\nphoto Old png\nphoto Nothing none")
        let report = try report(container)
        #expect(report.findings.map(\.path).sorted() == ["New.ptk", "Web.ptk"] && report.kinds == ["newer-image": report.kinds["newer-image"] ?? ""])
        let checked = try valise("check", container.path)
        #expect(checked.code == 0 && checked.lines.last == "2 notes." && checked.output.contains("“Web.ptk”: its image is a WebP, which iOS shows from version 14 on only"), "\(checked.output)")
    }

    /// The drive shows their bytes, and no app opens them.
    @Test func textsInOtherEncodingsAreFound() throws {
        let container = try TemporaryContainer("text Notes one")
        try Data([0x70, 0x72, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: container.stored("Old.stedoc")))
        try (Data(repeating: 0x61, count: 65_535) + Data("é".utf8)).write(to: URL(fileURLWithPath: container.stored("Long.stedoc")))
        let checked = try valise("check", container.path)
        #expect(checked.code == 4 && checked.lines.last == "1 problem.", "\(checked.output)")
        #expect(checked.output.contains("“Old.stedoc”: the text is not UTF-8, which is all that apps read; to convert it: iconv -f ISO-8859-1"), "\(checked.output)")
    }

    @Test func everyFaultIsFoundAndNothingIsTouched() throws {
        let container = try faultyContainer()
        // The second reading finds the access times that the first one set.
        _ = try everything(in: container.path)
        let before = try everything(in: container.path)
        let report = try report(container)
        #expect(report.kinds == [
            "unreadable-document": "Bookmark_bad", "changed-name": report.kinds["changed-name"] ?? "", "missing-thumbnail": "Dog.ptk",
            "stale-thumbnail": "Old.ptk", "missing-part": "Cow.ptk", "odd-part": "Pig.ptk/photo.data",
            "orphaned-staging": report.kinds["orphaned-staging"] ?? "", "unfinished-journal": ".valise/journal/records",
            "unreadable-journal": ".valise/journal/records", "unsaved-draft": "New.txt",
        ])
        #expect(report.findings.filter { $0.kind == "changed-name" }.count == 2)
        #expect(Set(report.findings.filter { $0.kind == "orphaned-staging" }.map(\.path)) == [".valise/staging/7", ".valise/staging/foo"])
        let plain = try valise("check", container.path)
        #expect(plain.code == 4 && plain.lines.last == "7 problems, 5 notes.", "\(plain.output)")
        #expect(try everything(in: container.path) == before)
    }

    /// Many that are alike are one line, and none of them is lost to a program or to a repair.
    @Test func manyAreOneLine() throws {
        let container = try TemporaryContainer("photo Dog png metadata=no")
        for number in 1...1200 {
            mkdir(container.stored("P\(number).ptk"), 0o755)
            link(container.stored("Dog.ptk/photo.data"), container.stored("P\(number).ptk/photo.data"))
        }
        mkdir(container.stored("Q.ptk"), 0o755)
        let checked = try valise("check", container.path)
        #expect(checked.code == 4 && checked.lines.count == 5 && checked.output.contains("note     1,201 photos have no thumbnail (“"), "\(checked.output)")
        #expect(checked.lines.last == "1 problem, 1,201 notes.")
        #expect(try report(container).findings.count == 1202)
        let plan = try valise("check", "--repair", "--json", container.path)
        #expect(plan.output.components(separatedBy: "make a thumbnail of").count == 1202)
        // Stopped at once, it has changed what it says, and is in order. The signal is there before the first step.
        let stopped = try shell("""
            python3 -c 'import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            os.kill(os.getpid(), signal.SIGINT)
            os.execv(sys.argv[1], sys.argv[1:])' "$1" check --repair --yes "$2"
            """.replacingOccurrences(of: "\n            ", with: "\n"), Places.valise, container.path)
        #expect(stopped.output.contains("note     stopped, and 1,201 steps left; to go on: valise check --repair ") && stopped.output.contains("0 steps carried out"), "\(stopped.output)\(stopped.errors)")
        #expect(try report(container).findings.count == 1202)
        #expect(try shell("ls -A .valise/staging 2>/dev/null; exit 0", in: container.path).output == "")
    }

    /// Many that differ are cut for people, and counted all the same: what is not printed is told of, and is no damage of another kind.
    @Test func manyThatDifferAreCut() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/ stored=Bookmark_Swift-1")
        try shell("""
            python3 -c '
            import plistlib
            for number in range(30):
                archive = plistlib.load(open("Bookmark_Swift-1", "rb"))
                for value in archive["$objects"]:
                    if isinstance(value, dict) and "$classname" in value: value["$classname"] = "Sort%d" % number
                plistlib.dump(archive, open("Bookmark_Odd-%d" % number, "wb"), fmt=plistlib.FMT_BINARY)'
            """.replacingOccurrences(of: "\n            ", with: "\n"), in: container.path).good()
        let checked = try valise("check", container.path)
        #expect(checked.code == 4 && checked.lines.filter { $0.hasPrefix("problem  “Bookmark_Odd-") && $0.contains("”: it holds a Sort") }.count == 20, "\(checked.output)")
        #expect(checked.lines.suffix(3) == ["problem  10 more findings not shown", "         all of them: valise check --json \(container.path)", "30 problems."], "\(checked.output)")
        #expect(try report(container).findings.count == 30)
    }

    @Test func aPlanIsShownFirst() throws {
        let container = try faultyContainer()
        _ = try everything(in: container.path)
        let before = try everything(in: container.path)
        let asked = try valise("check", "--repair", container.path)
        #expect(asked.code == 4 && asked.output.contains("  put “.valise/staging/7” aside\n") && asked.errors.contains("--repair --yes"))
        #expect(try everything(in: container.path) == before)
    }

    @Test func aRepairIsTakenBack() throws {
        let container = try TemporaryContainer("photo Dog png metadata=no\nphoto Old png\nfile .valise/staging/7 orphan\nfile .valise/staging/foo/inside orphan")
        try shell("touch -d 2020-01-01 Old.ptk/photo.metadata; mkdir .valise/settings; touch .valise/lock", in: container.path).good()
        _ = try everything(in: container.path, but: ".valise")
        let before = try shell("find . -path ./.valise/undo -prune -o -type f -print0 | sort -z | xargs -0 sha256sum; ls .valise", in: container.path).output
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.code == 1, "\(repaired.output)\(repaired.errors)")
        let after = try valise("check", container.path)
        #expect(after.code == 0 && after.lines.last == "Nothing is wrong.", "\(after.output)")
        #expect(try valise("check", "--undo", container.path).code == 1)
        #expect(try valise("check", "--undo", container.path).output.contains("no repair"))
        try shell("rmdir .valise/undo .valise/journal || rm .valise/journal/records && rmdir .valise/journal .valise/undo; : >.valise/lock", in: container.path)
        let back = try shell("find . -path ./.valise/undo -prune -o -type f -print0 | sort -z | xargs -0 sha256sum; ls .valise", in: container.path).output
        #expect(back == before)
    }

    @Test func takingBackLeavesWhatChangedSince() throws {
        let container = try TemporaryContainer("photo Dog png metadata=no\nfile .valise/staging/7 orphan")
        #expect(try valise("check", "--repair", "--yes", container.path).code == 1)
        try shell("cp Dog.ptk/photo.metadata new; mv new Dog.ptk/photo.metadata; echo another >.valise/staging/7", in: container.path).good()
        let back = try valise("check", "--undo", container.path)
        #expect(back.code == 5)
        #expect(back.output.contains("“Dog.ptk/photo.metadata” stays as it is: it has been changed since"))
        #expect(back.output.contains("“.valise/staging/7” stays as it is: there is something else in its place now"))
        #expect(try shell("cat .valise/undo/*/1 .valise/staging/7", in: container.path).output == "orphananother\n")
    }

    @Test func aMountedContainerIsLookedAtAndNotRepaired() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/\ntext Notes one\nfile .valise/staging/7 orphan")
        try withDrive(container) { drive in
            // A draft that waits for its mend is the drive's business.
            _ = try shell("echo nonsense >Swift.url", in: drive.mountpoint)
            let checked = try valise("check", container.path)
            #expect(checked.code == 0 && checked.output.contains("It is in use (process \(drive.process), mounted on \(drive.mountpoint))"), "\(checked.output)")
            let refused = try valise("check", "--repair", "--yes", container.path)
            #expect(refused.code == 8 && refused.errors.contains("mounted on \(drive.mountpoint)"))
            #expect(try valise("check", "--undo", container.path).code == 8)
            _ = try shell("printf '[InternetShortcut]\\nURL=https://y/\\n' >Swift.url", in: drive.mountpoint).good()
        }
    }

    @Test func whatAKilledDriveLeavesIsFinished() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let writer = try Program.writing("TWO", to: drive.path("Notes.txt"))
            try drive.kill()
            writer.end()
        }
        #expect(Set(try report(container).findings.map(\.kind)) == ["left-socket", "unsaved-draft"])
        #expect(try valise("check", "--repair", "--yes", container.path).code == 1)
        #expect(try valise("check", container.path).lines.last == "Nothing is wrong.")
        #expect(try run("cat", container.stored("Notes.stedoc")).output == "TWO")
    }

    @Test func aReadOnlyContainerIsLookedAt() throws {
        let container = try TemporaryContainer("text Notes one\nfile Bookmark_bad x")
        let line = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && { \"$2\" check \"$1\"; echo $?; \"$2\" check --repair --yes \"$1\"; \"$2\" check --undo \"$1\"; echo $?; }"
        let ended = try Program(["unshare", "-rm", "bash", "-c", line, "bash", container.path, Places.valise]).wait()
        #expect(ended.lines.contains("4") && ended.lines.last == "8", "\(ended.output)\(ended.errors)")
        #expect(ended.errors.contains("read-only file system"))
    }

    @Test func aHostileContainerIsSurvived() throws {
        let container = try TemporaryContainer("fifo .valise/lock\nlink .valise/settings /etc/passwd\nlink Cat.ptk /\npart Dog.ptk/photo.data link:/dev/zero\nlink loop loop")
        try shell("""
            mkdir .valise/staging .valise/undo && head -c 3000000 /dev/urandom >records && mkdir .valise/journal && mv records .valise/journal/
            mkdir -p "$(printf 'd/%.0s' {1..400})" && printf x | tee Big.stedoc >Bookmark_Big && truncate -s 1T Big.stedoc Bookmark_Big && mkfifo Bookmark_pipe
            """, in: container.path).good()
        let checked = try report(container)
        let found = Set(checked.findings.map(\.kind))
        #expect(found == ["odd-state", "unreadable-journal", "odd-part", "unreadable-document", "unreadable"], "\(checked.findings)")
        let repaired = try valise("check", "--repair", "--yes", container.path)
        #expect(repaired.code == 5, "\(repaired.output)\(repaired.errors)")
        #expect(Set(try report(container).findings.map(\.kind)) == ["odd-part", "unreadable-document", "unreadable", "damaged-state"])
    }

    /// Killed at every call that changes something: documents stay, what was put aside is kept, the next repair goes through.
    @Test(arguments: ["renameat,renameat2", "linkat", "pwrite64", "mkdirat", "ftruncate"]) func aRepairIsKilledAnywhere(fault: String) throws {
        var wasKilled = true, call = 0
        while wasKilled, call < 100 {
            call += 1
            let container = try TemporaryContainer("photo Dog png metadata=no\nphoto Old png\nfile .valise/staging/7 first\nfile .valise/staging/foo second")
            try shell("touch -d 2020-01-01 Old.ptk/photo.metadata", in: container.path).good()
            let before = try documents(in: container.path)
            let words = ["strace", "-qqf", "-o", "/dev/null", "-e", "trace=\(fault)", "-e", "inject=\(fault):signal=KILL:when=\(call)", Places.valise, "check", "--repair", "--yes", container.path]
            wasKilled = try Program(words).wait().code == 128 + SIGKILL
            #expect(try documents(in: container.path) == before, "call \(call)")
            #expect([0, 1].contains(try valise("check", "--repair", "--yes", container.path).code), "call \(call)")
            #expect(try valise("check", container.path).lines.last == "Nothing is wrong.", "call \(call)")
            while try valise("check", "--undo", container.path).code & 1 == 1 {}
            #expect(try shell("cat .valise/staging/7 .valise/staging/foo; ls Dog.ptk", in: container.path).output == "firstsecondphoto.data\n", "call \(call)")
            #expect(try documents(in: container.path) == before, "call \(call)")
        }
        #expect(call > 1 && !wasKilled)
    }

    @Test func itEndsAsFsckDoes() throws {
        let container = try TemporaryContainer("text Notes one")
        #expect(try valise("check", container.beside("nowhere")).code == 8)
        #expect(try valise("check").code == 16)
        #expect(try valise("check", "--repiar", container.path).code == 16)
        #expect(try valise("check", "--repair", "--undo", container.path).code == 16)
        #expect(try valise("check", "--undo", container.path).code == 0)
        let faulty = try faultyContainer()
        let no = try shell("script -qec \"$1 check --repair '$2'\" /dev/null <<<n", Places.valise, faulty.path)
        #expect(no.code == 32 && no.output.contains("Carry this out? [y/N]"), "\(no.output)")
    }
}

/// Versions that lie where they do not belong.
@Suite(.mounting) struct VersionCheckTests {
    @Test func whatIsOfNoDocumentIsFoundAndPutAside() throws {
        let container = try TemporaryContainer("text Notes one\nphoto Album/Cat png")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt && printf '\\211PNG\\r\\n\\032\\n' >Album/Cat.png", in: drive.mountpoint).good()
        }
        let whole = try valise("check", container.path)
        #expect(whole.code == 0, "\(whole.output)")
        // Another program takes a document away, and something gets among the versions of another one.
        try run("rm", container.stored("Notes.stedoc")).good()
        let versions = container.stored(".valise/versions")
        try shell("echo x >\"$1/Album/Cat.ptk/odd\" && echo y >\"$1/odd\" && mkdir \"$1/Album/Cat.ptk/2020-01-01T00-00-00.000000Z@x\"", versions).good()
        let report = try valise("check", "--json", container.path)
        #expect(report.code == 4)
        for path in ["Notes.stedoc", "Album/Cat.ptk/odd", "odd", "Album/Cat.ptk/2020-01-01T00-00-00.000000Z@x"] {
            #expect(report.output.contains("\"path\":\".valise/versions/\(path)\""), "\(path): \(report.output)")
        }
        #expect(report.output.contains("orphaned-versions") && report.output.contains("odd-version"))
        #expect(try valise("check", "--repair", "--yes", container.path).code == 1)
        #expect(try valise("check", container.path).code == 0)
        #expect(try run("ls", versions + "/Album/Cat.ptk").good().lines.count == 1)
        // It comes back.
        try valise("check", "--undo", container.path)
        #expect(try run("find", versions, "-name", "odd").good().lines.count == 2)
    }
}
