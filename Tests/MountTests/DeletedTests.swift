import Foundation
import MountTesting
import Testing

/// What is deleted on a drive is kept and comes back; and a draft can be given up.
@Suite(.mounting) struct DeletedTests {
    private func undelete(_ words: String..., on drive: MountedDrive) throws {
        try Program([Places.valise, "undelete"] + words, in: drive.mountpoint).wait().good()
    }

    /// All that a file is known by, and its content.
    private static let facts = "find . -mindepth 1 | sort | while read -r name; do stat -c '%n %a %u %s %y' \"$name\"; test -d \"$name\" || sha256sum <\"$name\"; getfattr -d \"$name\"; done"

    @Test func whatWasDeletedComesBackWithAllThatItHad() throws {
        let container = try TemporaryContainer("""
            bookmark Swift https://www.swift.org/
            photo Cat png size=70000
            text Notes "one\\n"
            folder Holiday
            text Holiday/List "towel\\n"
            file Holiday/map.dat "here\\n"
            """)
        try withDrive(container) { drive in
            try shell("""
                echo two >Notes.txt; echo three >Notes.txt; chmod 600 Notes.txt; chmod 750 Holiday
                setfattr -n user.colour -v red Notes.txt; setfattr -n user.colour -v blue Holiday/map.dat
                touch -d '2026-01-02 03:04:05' Cat.png Swift.url Holiday/map.dat
                """, in: drive.mountpoint).good()
            func facts() throws -> String { try shell(Self.facts, in: drive.mountpoint).good().output }
            func stored() throws -> String { try shell("find . -path ./.valise -prune -o -type f -print | sort", in: container.path).good().output }
            let (before, items) = try (facts(), stored())
            let versions = try valise("versions", "--json", drive.path("Notes.txt")).good().output
            try shell("rm Swift.url Cat.png Notes.txt; rm -r Holiday; test -z \"$(ls)\"", in: drive.mountpoint).good()
            #expect(try container.deleted() == ["Cat.png", "List.txt", "Notes.txt", "Swift.url", "map.dat"])
            try undelete("--since", "10 min ago", on: drive)
            // The folder itself is made again: its times are new.
            func plain(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("./Holiday ") } }
            #expect(try plain(facts()) == plain(before))
            #expect(try stored() == items)
            #expect(try shell("stat -c %a Holiday", in: drive.mountpoint).output == "750\n")
            #expect(try valise("versions", "--json", drive.path("Notes.txt")).good().output == versions)
            #expect(try container.deleted() == [])
            #expect(try container.staged() == [])
        }
        #expect(try valise("check", container.path).code == 0)
    }

    /// `mv` and `rm -r` look at a folder again when all that was in it is gone, and remove it.
    @Test func aFolderIsTakenOutAsAWhole() throws {
        let container = try TemporaryContainer("folder Holiday\nfolder Holiday/Deep\ntext Holiday/List one\ntext Holiday/Deep/More two\nfile Holiday/map.dat here\nfolder Old\ntext Old/Gone x")
        try withDrive(container) { drive in
            try shell("chmod 750 Holiday; rm -r Holiday Old; mv .valise/deleted/*/Holiday Back", in: drive.mountpoint).good()
            #expect(try shell("cat Back/List.txt Back/Deep/More.txt Back/map.dat; stat -c %a Back; ls .valise/deleted/*", in: drive.mountpoint).good().output == "onetwohere750\nOld\n")
            try shell("rm -r .valise/deleted/*/Old; test -z \"$(ls .valise/deleted)\"", in: drive.mountpoint).good()
            // What is deleted there now is found, and a folder with something in it is not removed.
            try shell("rm -r Back; cat .valise/deleted/*/Back/Deep/More.txt; ! rmdir .valise/deleted/*/Back", in: drive.mountpoint).good()
            #expect(try shell("ls .valise/deleted/*/Back", in: drive.mountpoint).good().output == "Deep\nList.txt\nmap.dat\n")
        }
    }

    /// Whoever looks for it is told who removed it and how, also of `rm -rf` on the drive's own folder.
    @Test func whatIsRemovedForGoodIsTold() throws {
        let container = try TemporaryContainer("folder Holiday\ntext Holiday/List one\ntext Notes one\ntext Other two")
        try withDrive(container) { drive in
            try shell("rm -r Holiday Notes.txt Other.txt; '\(Places.valise)' deleted --purge --yes Other.txt; rm -rf .valise 2>/dev/null; true", in: drive.mountpoint).good()
            let lines = drive.log.components(separatedBy: "\n").filter { $0.contains(" is gone for good with its versions; it was removed by ") }
            #expect(lines.count == 3, "\(drive.log)")
            for file in ["Holiday/List.txt", "Notes.txt"] {
                #expect(lines.contains { $0.contains("“\(file)”, which was deleted before") && $0.contains("removed by process ") && $0.hasSuffix(" of user \(geteuid()), in “.valise/deleted”") }, "\(lines)")
            }
            #expect(lines.contains { $0.contains("“Other.txt”") && $0.hasSuffix("by “valise deleted --purge”") }, "\(lines)")
            #expect(try valise("status", drive.mountpoint).good().output.contains("\n  removed     3 deleted items for good, because somebody removed them;"))
        }
    }

    /// What looks like an archive and cannot be read is not taken for one that is still being written.
    @Test func anArchiveThatCannotBeReadIsThereAtOnce() throws {
        let container = try TemporaryContainer("file Bookmark_Odd-1 \"no archive\"\ntext Notes one")
        try withDrive(container) { drive in
            let shown = try shell("rm Bookmark_Odd-1; '\(Places.valise)' undelete Bookmark_Odd-1; ls; rm Bookmark_Odd-1; mv .valise/deleted/*/Bookmark_Odd-1 .; ls; cat Bookmark_Odd-1", in: drive.mountpoint).good()
            #expect(shown.output == "Bookmark_Odd-1\nNotes.txt\nBookmark_Odd-1\nNotes.txt\nno archive")
        }
    }

    /// The same after the fifteen seconds, on the next drive, and of a container that is not mounted.
    @Test func itComesBackOnTheNextDriveAndWithoutOne() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\ntext Other \"x\\n\"\nfile words.dat \"w\\n\"")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; rm Notes.txt Other.txt words.dat", in: drive.mountpoint).good()
        }
        #expect(try shell("ls .valise/deleted", in: container.path).output == "1\n1.versions\n2\n3\nrecords\n")
        #expect(try valise("deleted", "-q", container.path).good().output == "3\n2\n1\n")
        try valise("undelete", container.stored("Notes.stedoc")).good()
        #expect(try run("cat", container.stored("Notes.stedoc")).output == "two\n")
        try withDrive(container) { drive in
            #expect(try valise("versions", "-q", drive.path("Notes.txt")).good().lines.count == 1)
            try undelete("3", "Other.txt", on: drive)
            #expect(try drive.files() == ["Notes.txt", "Other.txt", "words.dat"])
        }
    }

    @Test func aKilledDriveLosesNothingOfIt() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\nfile words.dat \"w\\n\"")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; rm Notes.txt words.dat", in: drive.mountpoint).good()
            try drive.kill()
        }
        #expect(try valise("check", container.path).output.contains("orphaned") == false)
        try withDrive(container) { drive in
            #expect(try drive.files() == [])
            try undelete("Notes.txt", "words.dat", on: drive)
            #expect(try drive.text("Notes.txt") == "two\n")
            #expect(try valise("versions", "-q", drive.path("Notes.txt")).good().lines.count == 1)
        }
    }

    /// Of a whole tree, byte by byte.
    @Test func aMassDeleteIsUndoneByOneCommand() throws {
        let container = try TemporaryContainer()
        try withDrive(container) { drive in
            try shell("""
                for folder in a a/b c; do mkdir -p $folder; for number in $(seq 60); do echo "$folder $number" >$folder/$number.txt; echo "$number" >$folder/$number.dat; done; done
                for number in $(seq 1 7 60); do echo "again $number" >a/b/$number.txt; done; : >c/empty.dat; mkfifo c/pipe; ln -s ../a c/link
                """, in: drive.mountpoint).good()
            let list = "find . -type f | sort | xargs sha256sum"
            let before = try shell(list, in: drive.mountpoint).good().output
            try shell("rm -r a c", in: drive.mountpoint).good()
            #expect(try container.deleted().count == 361)
            try undelete("--since", "5 min ago", on: drive)
            #expect(try shell(list, in: drive.mountpoint).good().output == before)
            #expect(try valise("versions", "-q", drive.path("a/b/8.txt")).good().lines.count == 1)
            #expect(try container.deleted() == [])
        }
    }

    @Test func whereTheNameIsTakenItStaysDeleted() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\ntext Other \"x\\n\"\nfile words.dat \"w\\n\"")
        try withDrive(container) { drive in
            try shell("rm Notes.txt words.dat; mkdir Notes.txt; echo new >words.dat", in: drive.mountpoint).good()
            let ended = try Program([Places.valise, "undelete", "Notes.txt", "words.dat"], in: drive.mountpoint).wait()
            #expect(ended.code == 1 && ended.errors.contains("another one has its name"), "\(ended.errors)")
            #expect(try container.deleted().count == 2)
            // Under another name, by any program.
            try shell("mv .valise/deleted/*/Notes.txt Old.txt; mv .valise/deleted/*/words.dat Other.txt 2>/dev/null; cat Other.txt; mv .valise/deleted/*/words.dat old.dat", in: drive.mountpoint).good()
            #expect(try drive.text("Old.txt") == "one\n" && drive.text("old.dat") == "w\n" && drive.text("Other.txt") == "x\n")
            #expect(try container.deleted() == [])
        }
    }

    /// A draft that was given up is told from the document of its name.
    @Test func whatWasGivenUpIsMarked() throws {
        let container = try TemporaryContainer("photo Cat png\ntext Notes one")
        try withDrive(container) { drive in
            try shell("printf x >Cat.png", in: drive.mountpoint)
            try valise("restore", "--saved", drive.path("Cat.png")).good()
            try shell("rm Notes.txt", in: drive.mountpoint).good()
            let lines = try valise("deleted", drive.mountpoint).good().lines
            #expect(lines.filter { $0.contains("no document") }.count == 1 && lines.contains { $0.hasSuffix("  Cat.png  (no document: a draft that was given up, or a plain file)") }, "\(lines)")
            let ended = try Program([Places.valise, "undelete", "--since", "5 min ago", drive.mountpoint]).wait()
            #expect(ended.code == 1 && ended.errors.contains("1 of 2 stay deleted: “Cat.png” (1, a plain file): another one has its name"), "\(ended.errors)")
        }
    }

    @Test func itIsFreedWhenSomebodySaysSo() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\ntext Other \"x\\n\"\nfile words.dat \"w\\n\"")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; rm Notes.txt Other.txt words.dat; rm .valise/deleted/*/Other.txt", in: drive.mountpoint).good()
            #expect(try container.deleted() == ["Notes.txt", "words.dat"])
            #expect(try valise("deleted", "--purge", drive.mountpoint).code == 1)
            try valise("deleted", "--purge", "--yes", drive.mountpoint).good()
            #expect(try container.deleted() == [] && valise("deleted", drive.mountpoint).output == "")
            #expect(try shell("find .valise/deleted .valise/versions .valise/staging -type f | grep -v records", in: container.path).output == "")
            #expect(try shell("ls .valise/deleted", in: drive.mountpoint).output == "")
        }
    }

    /// Of several with one name the last comes back, and whoever asked hears of the others. They are numbered as in any folder.
    @Test func othersOfTheNameAreNamed() throws {
        let container = try TemporaryContainer("file words.dat \"one\\n\"")
        try withDrive(container) { drive in
            try shell("rm words.dat; echo two >words.dat; rm words.dat; echo three >words.dat; rm words.dat; echo x >other.dat; rm other.dat; :", in: drive.mountpoint).good()
            #expect(try valise("undelete", drive.path("other.dat")).good().output == "")
            let top = drive.mountpoint
            let said = try valise("undelete", drive.path("words.dat")).good().output
            #expect(said == """
                “\(top)/words.dat” is back as it was when it was deleted last (number 3). 2 others of that name are kept: valise deleted \(top)/words.dat
                To have another one, move this one away first, then, by its number: valise undelete \(top) 2\n
                """)
            #expect(try drive.text("words.dat") == "three\n")
            try shell("mv words.dat last.dat; rm last.dat; eval \"$(grep another <<<\"$1\" | sed \"s|.*: valise|$2|\")\"; cat words.dat", said, Places.valise, in: top).good()
            #expect(try drive.text("words.dat") == "two\n")
            try shell("rm words.dat; mkdir Folder; echo a >Folder/a.dat; rm Folder/a.dat; echo b >Folder/a.dat; rm -r Folder; :", in: top).good()
            #expect(try valise("undelete", "--since", "1 min ago", top).good().output == "Of 2 of these, the last one is back, and others of the same name are kept: valise deleted \(top)\n")
            #expect(try valise("undelete", "-q", drive.path("words.dat")).code == 1)
        }
    }

    /// A file and a folder that had one name, one after the other.
    @Test func aFileAndAFolderOfOneNameAreBothThere() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"")
        try withDrive(container) { drive in
            try shell("rm Notes.txt; mkdir Notes.txt; echo x >Notes.txt/a.dat; rm -r Notes.txt; :", in: drive.mountpoint).good()
            #expect(try shell("cd .valise/deleted/*; find . -type f | sort; cat 'Notes 1.txt'", in: drive.mountpoint).good().output == "./Notes 1.txt\n./Notes.txt/a.dat\none\n")
        }
    }

    /// Who has a file open whose name is gone is told so.
    @Test func anOpenFileHasNoNameAnyMore() throws {
        let container = try TemporaryContainer("file words.dat \"w\\n\"")
        try withDrive(container) { drive in
            let ended = try shell("exec 3<words.dat; rm words.dat; stat -L -c %h /proc/self/fd/3; cat <&3", in: drive.mountpoint)
            #expect(ended.output == "0\nw\n")
        }
    }

    @Test func aDraftCanBeGivenUp() throws {
        let container = try TemporaryContainer("photo Cat png size=70000\ntext Notes \"one\\n\"")
        try withDrive(container) { drive in
            let before = try drive.get("Cat.png")
            try shell("exec 4>>Notes.txt; printf x >Cat.png; exit 0", in: drive.mountpoint).good()
            let status = try valise("status", drive.mountpoint).good().output
            let command = try #require(status.split(separator: "\n").first { $0.contains("to give it up: ") }?.split(separator: ": ").last)
            let check = try valise("check", container.path).output
            #expect(check.contains("it has unsaved changes (a draft)") && check.contains("1 photo, 1 text\n"), "\(check)")
            // It is one thing, and no error as well.
            // Of all drives there are: one of another test may be stopped.
            #expect(try valise("list").lines.contains { $0.hasPrefix(drive.mountpoint + " ") && $0.hasSuffix("       1          0       0") })
            #expect(try valise("status", "--json", drive.mountpoint).good().output.contains("\"draftCount\":1,\"errorCount\":0,"))
            try shell("PATH=$(dirname \"$2\"):$PATH; eval \"$1\"", String(command), Places.valise, in: drive.mountpoint).good()
            #expect(try drive.get("Cat.png") == before)
            #expect(try drive.status().drafts.isEmpty)
            let again = try valise("restore", drive.path("Cat.png"), "--saved")
            #expect(again.code == 1 && again.errors.contains("it has no unsaved changes (a draft) to give up"), "\(again.errors)")
            // Who has it open goes on with what was saved.
            let ended = try shell("printf x >Cat.png; exec 3<>Cat.png; \"$1\" restore Cat.png --saved; stat -L -c %s /proc/self/fd/3; exec 3>&-", Places.valise, in: drive.mountpoint)
            #expect(ended.output == "\(before.count)\n", "\(ended.output)\(ended.errors)")
            #expect(try drive.get("Cat.png") == before)
        }
    }

    @Test func deletingADraftKeepsTheLastGoodContent() throws {
        let container = try TemporaryContainer("photo Cat png size=70000")
        try withDrive(container) { drive in
            let before = try drive.get("Cat.png")
            try shell("printf x >Cat.png; rm Cat.png; exit 0", in: drive.mountpoint).good()
            try undelete("Cat.png", on: drive)
            #expect(try drive.get("Cat.png") == before)
        }
    }

    /// Two that had one name, one after the other: the versions are those of the one that they belong to, also while both wait.
    @Test func versionsGoWithTheirOwn() throws {
        let container = try TemporaryContainer("")
        try withDrive(container, options: "rw") { drive in
            func versions(_ name: String) throws -> [String] { try shell("cat .valise/versions/\(name)/* 2>/dev/null || true", in: drive.mountpoint).good().lines }
            try shell("echo P1 >p.txt; echo P2 >p.txt; echo Q1 >q.txt; mv p.txt q.txt", in: drive.mountpoint).good()
            // Those of what has the name now are not its.
            let listed = try valise("deleted", drive.mountpoint).good().output
            #expect(listed.contains("3 bytes            q.txt"), "\(listed)")
            try shell("rm q.txt", in: drive.mountpoint).good()
            try undelete("q.txt", on: drive)
            #expect(try drive.get("q.txt") == Data("P2\n".utf8) && versions("q.txt") == ["P1"])
            try shell("mv q.txt r.txt", in: drive.mountpoint).good()
            try undelete("q.txt", on: drive)
            #expect(try drive.get("q.txt") == Data("Q1\n".utf8) && versions("q.txt") == [] && versions("r.txt") == ["P1"])
        }
    }

    @Test func unmountNamesWhatIsNotSaved() throws {
        let container = try TemporaryContainer("photo Cat png size=70000")
        let drive = try MountedDrive(container)
        try shell("printf x >Cat.png; exit 0", in: drive.mountpoint).good()
        let ended = try valise("unmount", drive.mountpoint)
        #expect(ended.code == 0 && ended.errors.contains("not saved: “Cat.png” (") && ended.errors.contains("waits in the container"), "\(ended.errors)")
    }

    /// The next drive gives up what is empty, and nobody is told that it waits.
    @Test func unmountSaysThatWhatIsEmptyStaysWhatItWas() throws {
        let container = try TemporaryContainer("photo Cat png size=70000\nphoto Dog png size=70000\nphoto Hen png size=70000")
        try withDrive(container) { drive in
            let before = try drive.get("Cat.png").count
            try shell(": >Cat.png; exit 0", in: drive.mountpoint).good()
            let one = try valise("unmount", drive.mountpoint)
            #expect(one.code == 0 && one.errors.contains("not saved: “Cat.png” (") && one.errors.hasSuffix("); nothing was written there since it was emptied, and it stays what it was before\n"), "\(one.errors)")
            try valise("mount", container.path, drive.mountpoint).good()
            let first = try (drive.get("Cat.png").count, drive.status().drafts.map(\.file))
            #expect(first == (before, []), "\(first)")
            try shell(": >Cat.png; : >Dog.png; printf x >Hen.png; exit 0", in: drive.mountpoint).good()
            let some = try valise("unmount", drive.mountpoint)
            #expect(some.errors.contains("not saved: “Hen.png” (") && some.errors.contains("for the next mount; not saved either: “Cat.png” (") && some.errors.contains("they were emptied"), "\(some.errors)")
            try valise("mount", container.path, drive.mountpoint)
            #expect(try drive.status().drafts.map(\.file) == ["Hen.png"] && drive.get("Dog.png").count == before)
            try valise("unmount", drive.mountpoint)
            #expect(try drive.waitForEnd() == 0)
        }
    }

    /// What an app deleted while it was a draft has nothing to go back to: `rm` gives it up, and that is said.
    @Test func whatGivesUpADraftWithoutAnItemIsSaid() throws {
        let container = try TemporaryContainer("photo Cat png size=70000")
        try withDrive(container, options: "rw") { drive in
            try shell("printf x >Cat.png; rm -r \"$1\"; exit 0", container.stored("Cat.ptk"), in: drive.mountpoint).good()
            let giving = "to give it up: rm \(drive.path("Cat.png"))"
            #expect(eventually { (try? valise("status", drive.mountpoint).output.contains("      \(giving)\n")) == true }, "\((try? valise("status", drive.mountpoint))?.output ?? "")")
            let restored = try valise("restore", drive.path("Cat.png"), "--saved")
            #expect(restored.code == 1 && restored.errors.hasSuffix("“\(drive.path("Cat.png"))” is not saved, and nothing is there that it could go back to; \(giving)\n"), "\(restored)")
            try run("rm", drive.path("Cat.png")).good()
            #expect(try drive.status().drafts.isEmpty)
        }
    }
}
