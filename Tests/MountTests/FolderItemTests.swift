import Foundation
import MountTesting
import Testing

/// Folders that are one item: they are shown as the folders that they are, and are deleted, kept and brought back as one.
@Suite(.mounting) struct FolderItemTests {
    private static let kind = "create = text\n[novel]\nextension = novel\nrequired = main.xml\nshown = folder\n"
    private static let novel = """
        file .valise/settings "\(kind.replacingOccurrences(of: "\n", with: "\\n"))"
        file Novel.novel/main.xml "<novel/>\\n"
        file Novel.novel/Files/1.rtf "one\\n"
        file Novel.novel/Files/2.rtf~ "two\\n"
        folder Novel.novel/Files/Empty
        link Novel.novel/first Files/1.rtf
        file Novel.novel/.git/HEAD "ref\\n"
        file Novel.novel/.DS_Store "for the Finder\\n"
        """

    /// All that a folder and what is in it are known by.
    private static func facts(of name: String) -> String {
        "find '\(name)' | sort | while read -r name; do stat -c '%n %a %F %h %Y' \"$name\"; test -L \"$name\" && readlink \"$name\"; test -f \"$name\" && cat \"$name\"; getfattr -d \"$name\"; done"
    }

    private static let dress = """
        ln Novel.novel/Files/1.rtf Novel.novel/Files/same.rtf; chmod 750 Novel.novel; chmod 500 Novel.novel/Files/Empty; chmod 600 Novel.novel/main.xml
        setfattr -n user.colour -v red Novel.novel; setfattr -n user.colour -v blue Novel.novel/Files; setfattr -n user.colour -v green Novel.novel/main.xml
        touch -d '2026-01-02 03:04:05' Novel.novel/main.xml Novel.novel/Files/* Novel.novel/Files Novel.novel/.git Novel.novel; touch -h -d '2026-01-03' Novel.novel/first
        touch -d '2026-01-04' Novel.novel
        """

    /// The paths of what is listed.
    private static func deleted(on drive: MountedDrive) throws -> [String] {
        let script = "import json, sys; [print(item['path'].split('/')[-1]) for item in json.load(sys.stdin)['deleted']]"
        return try shell("\"\(Places.valise)\" deleted --json . | python3 -c \"\(script)\"", in: drive.mountpoint).good().lines.sorted()
    }

    @Test func allOfItIsOneDeletedItem() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            try shell(Self.dress, in: container.path).good()
            let before = try shell(Self.facts(of: "Novel.novel"), in: container.path).good().output
            try shell("rm -r Novel.novel", in: drive.mountpoint).good()
            #expect(try valise("deleted", "-q", drive.mountpoint).good().lines.count == 1)
            let listed = try shell("cd .valise/deleted/*; ls; unzip -p Novel.novel main.xml Files/1.rtf .git/HEAD .DS_Store", in: drive.mountpoint).good().output
            #expect(listed == "Novel.novel\nfor the Finder\nref\none\n<novel/>\n")
            try valise("undelete", drive.path("Novel.novel")).good()
            let after = try shell(Self.facts(of: "Novel.novel"), in: container.path).good().output
            #expect(after == before)
            #expect(try shell("cat Novel.novel/Files/1.rtf Novel.novel/first", in: drive.mountpoint).good().output == "one\none\n")
            #expect(try valise("deleted", "-q", drive.mountpoint).good().lines == [])
            // Taken out under another name, and without a drive.
            try shell("rm -r Novel.novel; mv .valise/deleted/*/Novel.novel Book.novel; cat Book.novel/Files/1.rtf; rm -r Book.novel", in: drive.mountpoint).good()
        }
        try valise("undelete", container.path + "/Book.novel").good()
        #expect(try shell("cat Book.novel/first; ls -A Book.novel/Files", in: container.path).good().output == "one\n1.rtf\n2.rtf~\nEmpty\nsame.rtf\n")
        #expect(try container.staged() == [])
        #expect(try valise("check", container.path).code == 0)
    }

    /// What cannot be kept now is not to be gone: the program is told, and the part stays. Where a link gets no second name, another one is kept.
    @Test(arguments: [EIO, EPERM]) func aLinkThatCannotBeKeptStays(_ error: Int32) throws {
        let container = try TemporaryContainer(Self.novel), failing = container.beside("failing")
        let environment = [
            "LD_PRELOAD": try preloaded("failing_links.c", beside: container), "FAILING": failing, "FAILING_NUMBER": "\(error)",
        ]
        try withDrive(container, environment: environment) { drive in
            #expect(FileManager.default.createFile(atPath: failing, contents: nil))
            let removed = try shell("rm Novel.novel/first", in: drive.mountpoint)
            #expect((removed.code == 0) == (error == EPERM), "\(removed.errors)")
            if error == EIO {
                #expect(try shell("readlink Novel.novel/first", in: drive.mountpoint).good().output == "Files/1.rtf\n")
                unlink(failing)
            }
            try shell("rm -r Novel.novel", in: drive.mountpoint).good()
            try valise("undelete", drive.path("Novel.novel")).good()
            #expect(try shell("cat Novel.novel/first", in: drive.mountpoint).good().output == "one\n")
        }
    }

    /// As in any folder: each file is a deleted item, and nothing is kept of a link.
    @Test func whatGoesByItselfIsAnItemByItself() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            try shell("rm Novel.novel/Files/1.rtf; rm Novel.novel/first; rm -r Novel.novel/.git", in: drive.mountpoint).good()
            #expect(try Self.deleted(on: drive) == ["1.rtf", "HEAD"])
            // What another program took out before is not in what goes now.
            try shell("rm -r Novel.novel; ls .valise/deleted/*", in: drive.mountpoint).good()
            #expect(try valise("deleted", "-q", drive.mountpoint).good().lines.count == 3)
            try valise("undelete", drive.path("Novel.novel")).good()
            #expect(try shell("find Novel.novel -type f | sort", in: container.path).good().lines == [
                "Novel.novel/.DS_Store", "Novel.novel/.git/HEAD", "Novel.novel/Files/1.rtf", "Novel.novel/Files/2.rtf~", "Novel.novel/main.xml",
            ])
        }
    }

    /// A program that ends in the middle, and a drive that is killed: each part is there.
    @Test func halfOfItIsLostNowhere() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            let program = """
                import os
                os.remove('Novel.novel/main.xml'); os.remove('Novel.novel/first'); os.remove('Novel.novel/Files/1.rtf'); os.rmdir('Novel.novel/Files/Empty')
                """
            try run("python3", "-c", program, in: drive.mountpoint).good()
            #expect(try Self.deleted(on: drive) == ["1.rtf", "main.xml"])
            try drive.kill()
        }
        try withDrive(container) { drive in
            try valise("undelete", drive.path("Novel.novel")).good()
            #expect(try shell("cat Novel.novel/first Novel.novel/main.xml; ls Novel.novel/Files", in: container.path).good().output == "one\n<novel/>\n1.rtf\n2.rtf~\nEmpty\n")
        }
    }

    /// A folder that is only called so is any folder; so is one in a package of another app.
    @Test func aFolderOfThatNameIsAnyFolder() throws {
        let container = try TemporaryContainer(Self.novel + "\nfile Mine.novel/a.dat \"a\\n\"\nfile Mine.novel/b.dat \"b\\n\"\nfile Site.pages/Own.novel/main.xml \"m\\n\"")
        try withDrive(container) { drive in
            try shell("rm -r Mine.novel Site.pages/Own.novel", in: drive.mountpoint).good()
            #expect(try Self.deleted(on: drive) == ["a.dat", "b.dat", "main.xml"])
        }
    }

    /// A link that leads out fits in no ZIP.
    @Test func whatNoFlatFileCanHoldComesBackAllTheSame() throws {
        let container = try TemporaryContainer(Self.novel + "\nlink Novel.novel/out /etc/hostname\npart Novel.novel/pipe fifo")
        try withDrive(container) { drive in
            try shell("rm -r Novel.novel; ls .valise/deleted/*", in: drive.mountpoint).good()
            try valise("undelete", drive.path("Novel.novel")).good()
            #expect(try shell("readlink Novel.novel/out; stat -c %F Novel.novel/pipe", in: drive.mountpoint).good().output == "/etc/hostname\nfifo\n")
        }
    }

    @Test func syncToolsRemoveItAsOne() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            try shell("mkdir ../none; rsync -a --delete ../none/ \"$1\"", drive.mountpoint, in: container.path).good()
            #expect(try Self.deleted(on: drive) == ["Novel.novel"])
        }
    }

    /// A version is a copy: nothing that is written into the folder changes it.
    @Test func itHasVersionsOfAllOfIt() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            let replace = """
                import os, shutil
                shutil.copytree('Novel.novel', 'new', symlinks=True)
                open('new/main.xml', 'w').write('<two/>'); shutil.rmtree('Novel.novel'); os.rename('new', 'Novel.novel')
                """
            try run("python3", "-c", replace, in: drive.mountpoint).good()
            #expect(try valise("versions", "-q", drive.path("Novel.novel")).good().lines.count == 1)
            #expect(try Self.deleted(on: drive) == [])
            try shell("echo more >>Novel.novel/Files/1.rtf; echo three >Novel.novel/main.xml", in: drive.mountpoint).good()
            #expect(try valise("versions", "-q", drive.path("Novel.novel")).good().lines.count == 1)
            try valise("restore", drive.path("Novel.novel"), "1").good()
            #expect(try shell("cat Novel.novel/main.xml Novel.novel/first; ls Novel.novel/Files", in: drive.mountpoint).good().output == "<novel/>\none\n1.rtf\n2.rtf~\nEmpty\n")
            let versions = try shell("for version in .valise/versions/Novel.novel/*; do unzip -p \"$version\" main.xml Files/1.rtf; done", in: drive.mountpoint).good().output
            #expect(versions == "one\n<novel/>\none\nmore\nthree\n")
            // They go where the folder goes, also when it is deleted and comes back.
            try shell("mv Novel.novel Book.novel; rm -r Book.novel", in: drive.mountpoint).good()
            try valise("undelete", drive.path("Book.novel")).good()
            #expect(try valise("versions", "-q", drive.path("Book.novel")).good().lines.count == 2)
        }
        // Without a drive, too.
        try valise("restore", container.path + "/Book.novel", "1").good()
        #expect(try shell("cat Book.novel/main.xml", in: container.path).good().output == "three\n")
        #expect(try container.staged() == [])
        #expect(try valise("check", container.path).code == 0)
    }

    @Test func itIsNotRestoredWhileAProgramWritesInIt() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            let replace = "import os, shutil; shutil.copytree('Novel.novel', 'new', symlinks=True); shutil.rmtree('Novel.novel'); os.rename('new', 'Novel.novel')"
            try run("python3", "-c", replace, in: drive.mountpoint).good()
            let script = "exec 3>>Novel.novel/Files/1.rtf; '\(Places.valise)' restore Novel.novel 1"
            #expect(try shell(script, in: drive.mountpoint).code != 0)
            try valise("restore", drive.path("Novel.novel"), "1").good()
        }
    }

    /// As of files: what a program makes for a moment is not kept, and no half of it either.
    @Test func whatItsMakerTakesAwayIsNotKept() throws {
        let container = try TemporaryContainer(Self.novel)
        try withDrive(container) { drive in
            let program = "import shutil; shutil.copytree('Novel.novel', 'New.novel', symlinks=True); shutil.rmtree('New.novel')"
            try run("python3", "-c", program, in: drive.mountpoint).good()
            #expect(try Self.deleted(on: drive) == [])
        }
    }
}
