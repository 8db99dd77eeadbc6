import Foundation
import MountTesting
import Testing

/// A folder of containers, as a Mac's `Mobile Documents` is, is one drive with a folder for each app.
@Suite struct AppsDriveTests {
    private static let folders = """
        rm -rf .valise
        mkdir -p com~apple~CloudDocs/Documents com~apple~CloudDocs/Desktop iCloud~com~apple~TextEdit/Documents iCloud~md~obsidian/Documents/Vault .Trash
        touch .DS_Store
        echo desk > com~apple~CloudDocs/Desktop/d.txt; echo text > iCloud~com~apple~TextEdit/Documents/t.txt; echo note > iCloud~md~obsidian/Documents/Vault/n.md
        """

    private func withApps(options: String? = nil, _ body: (MountedDrive) throws -> Void) throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders, in: container.path).good()
        try withDrive(container, options: options) { try body($0) }
    }

    private func said(_ command: String, on drive: MountedDrive) throws -> String {
        try shell(command, in: drive.mountpoint).good().output
    }

    @Test func eachAppIsAFolder() throws {
        try withApps { (drive) throws in
            #expect(try said("ls", on: drive) == "TextEdit\niCloud Drive\nobsidian\n")
            #expect(try said("find . -type f | sort", on: drive) == "./TextEdit/t.txt\n./iCloud Drive/Desktop/d.txt\n./obsidian/Vault/n.md\n")
            #expect(try said("cat 'iCloud Drive/Desktop/d.txt' TextEdit/t.txt obsidian/Vault/n.md", on: drive) == "desk\ntext\nnote\n")
            // What is looked up by its number, and by “..”.
            #expect(try said("cd obsidian/Vault; cat ../../TextEdit/t.txt; stat -c %i ../.. > /dev/null", on: drive) == "text\n")
        }
    }

    /// To look at the top makes nothing in any container, and takes no lock; to look into one does so in that one.
    @Test func aContainerIsOpenedWhenSomebodyLooksIntoIt() throws {
        try withApps { (drive) throws in
            func states() throws -> String { try shell("find . -name .valise | sort", in: drive.container.path).good().output }
            _ = try said("ls -la . .valise; cat .valise/status", on: drive)
            #expect(try states() == "")
            _ = try said("ls obsidian", on: drive)
            #expect(try states() == "./iCloud~md~obsidian/.valise\n")
        }
    }

    /// Each has versions and deleted documents of its own, and between two of them nothing is renamed: programs copy.
    @Test func eachIsAContainerByItself() throws {
        try withApps { (drive) throws in
            _ = try said("echo two > TextEdit/t.txt; rm obsidian/Vault/n.md; mv 'iCloud Drive/Desktop/d.txt' TextEdit/", on: drive)
            #expect(try said("ls TextEdit TextEdit/.valise/versions; ls obsidian/.valise/deleted | wc -l", on: drive) == "TextEdit:\nd.txt\nt.txt\n\nTextEdit/.valise/versions:\nt.txt\n1\n")
            #expect(try said("cat TextEdit/d.txt", on: drive) == "desk\n")
            #expect(try shell("ls iCloud~com~apple~TextEdit/Documents com~apple~CloudDocs/Desktop", in: drive.container.path).good().output == "com~apple~CloudDocs/Desktop:\n\niCloud~com~apple~TextEdit/Documents:\nd.txt\nt.txt\n")
            let refused = try run("python3", "-c", """
                import os, errno
                def attempt(*call):
                    try: call[0](*call[1:])
                    except OSError as error: print(errno.errorcode[error.errno])
                attempt(os.rename, 'TextEdit/t.txt', 'obsidian/t.txt')
                attempt(os.link, 'TextEdit/t.txt', 'obsidian/t.txt')
                attempt(os.rename, 'TextEdit', 'Other')
                attempt(os.rename, 'TextEdit/t.txt', 't.txt')
                attempt(os.mkdir, 'Other')
                attempt(os.rmdir, 'TextEdit')
                attempt(open, 'x', 'w')
                """, in: drive.mountpoint).good().output
            #expect(refused == "EXDEV\nEXDEV\nEPERM\nEPERM\nEPERM\nEPERM\nEPERM\n")
            try run("python3", "-c", """
                import os
                with open('TextEdit/t.txt', 'rb') as one, open('obsidian/t.txt', 'wb') as two: os.copy_file_range(one.fileno(), two.fileno(), 99)
                """, in: drive.mountpoint).good()
            #expect(try said("cat obsidian/t.txt", on: drive) == "two\n")
        }
    }

    /// What comes and goes in the folder comes and goes on the drive, and what others change in a container that is open is seen.
    @Test func whatChangesThereIsSeen() throws {
        try withApps { (drive) throws in
            _ = try said("ls TextEdit", on: drive)
            try shell("mkdir -p iCloud~com~new~app/Documents; echo 1 > iCloud~com~new~app/Documents/a; echo 2 > iCloud~com~apple~TextEdit/Documents/b; rm -r iCloud~md~obsidian", in: drive.container.path).good()
            #expect(try eventually { try run("ls", drive.mountpoint).output == "TextEdit\napp\niCloud Drive\n" })
            #expect(try eventually { try run("cat", drive.path("app/a"), drive.path("TextEdit/b")).output == "1\n2\n" })
            #expect(try eventually { try run("ls", drive.path("obsidian")).code != 0 })
        }
    }

    @Test func commandsKnowWhichContainerIsMeant() throws {
        try withApps { (drive) throws in
            _ = try said("echo two > TextEdit/t.txt; rm obsidian/Vault/n.md", on: drive)
            #expect(try valise("versions", drive.path("TextEdit/t.txt")).good().output.contains(" 1 "))
            #expect(try valise("versions", drive.container.path + "/iCloud~com~apple~TextEdit/Documents/t.txt").good().output.contains(" 1 "))
            #expect(try valise("deleted", drive.mountpoint).good().output.hasPrefix(drive.path("obsidian") + "\n"))
            try valise("undelete", drive.path("obsidian/Vault/n.md")).good()
            #expect(try said("cat obsidian/Vault/n.md", on: drive) == "note\n")
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("apps        3, each in a folder with a container of its own; "), "\(status)")
            #expect(try valise("status", drive.path("obsidian")).good().output.contains("container   \(drive.container.path)/iCloud~md~obsidian\n"))
            #expect(try valise("info", drive.path("TextEdit/t.txt")).good().output.contains("versions"))
            #expect(try valise("find", "name == \"t.txt\"", drive.mountpoint).good().output == drive.path("TextEdit/t.txt") + "\n")
            #expect(try valise("versions", drive.mountpoint).errors.contains("shows several containers, and this is about one of them"))
            #expect(try valise("unmount", drive.path("TextEdit")).errors.contains("is a folder of the drive"))
            // Who writes there already says so.
            #expect(try valise("mount", drive.container.path + "/iCloud~md~obsidian", NSTemporaryDirectory()).code == 32)
        }
    }

    /// A container that cannot be opened keeps nobody from the others, and says why.
    @Test func oneThatCannotBeOpenedIsNamed() throws {
        try withApps { (drive) throws in
            try shell("mkdir -p iCloud~com~bad~app; echo no > iCloud~com~bad~app/.valise", in: drive.container.path).good()
            #expect(try eventually { try run("ls", drive.mountpoint).output.contains("app\n") })
            #expect(try run("ls", drive.path("app")).code != 0)
            #expect(try said("cat TextEdit/t.txt", on: drive) == "text\n")
            #expect(try valise("status", drive.mountpoint).good().output.contains("    app: "))
        }
    }

    @Test func readOnlyNothingIsMade() throws {
        try withApps(options: "ro") { (drive) throws in
            #expect(try said("cat TextEdit/t.txt", on: drive) == "text\n")
            #expect(try shell("echo x > TextEdit/t.txt", in: drive.mountpoint).code != 0)
            #expect(try shell("find . -name .valise", in: drive.container.path).good().output == "")
        }
    }

    /// Each app's is told by itself, with what is missing in it.
    @Test func aCheckIsByApp() throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders + "\ntruncate -s 5000 iCloud~md~obsidian/Documents/away.md", in: container.path).good()
        struct Report: Decodable {
            struct App: Decodable { let name: String, problems: Int, files: Int }
            let apps: [App]
        }
        let found = try valise("check", "--json", container.path)
        let report = try JSONDecoder().decode(Report.self, from: Data(found.output.utf8))
        #expect(report.apps.map { "\($0.name) \($0.files) \($0.problems)" } == ["TextEdit 1 0", "iCloud Drive 1 0", "obsidian 2 1"])
        #expect(found.code == 4)
        #expect(try valise("check", container.path).output.hasSuffix("3 apps: 1 problem, 0 notes.\n"))
        #expect(try valise("check", "--repair", container.path).code == 16)
    }

    /// All of it as plain files, each app's in a folder of its own.
    @Test func anExportIsByApp() throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders, in: container.path).good()
        let copy = container.beside("copy")
        #expect(try valise("export", "--folder", container.stored("copy"), container.path).errors.contains("would be filled with itself"))
        try valise("export", "--folder", copy, container.path).good()
        #expect(try shell("find . -type f | sort", in: copy).good().output == "./TextEdit/t.txt\n./iCloud Drive/Desktop/d.txt\n./obsidian/Vault/n.md\n")
    }

    /// What is stopped is taken up again by the same command, and what was written by then is not written a second time.
    @Test func anExportThatWasStoppedGoesOn() throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders + "\nfor i in {1..2000}; do echo $i > iCloud~md~obsidian/Documents/Vault/$i.md; done", in: container.path).good()
        let copy = container.beside("copy")
        var goes = 0, stopped: [String] = [], ended: Ended
        repeat {
            goes += 1
            // Longer each time, so that it ends on a machine that is busy, too.
            let words = ["timeout", "--preserve-status", "-s", "INT", "\(0.02 * Double(goes))", Places.valise, "export", "--folder", copy, container.path]
            ended = try Program(words).wait()
            if ended.code != 0 { stopped.append(ended.errors) }
        } while ended.code != 0 && goes < 500
        #expect(stopped.allSatisfy { $0.isEmpty || $0.contains("stopped after") && $0.contains("; to go on: valise export --folder") })
        #expect(try shell("find . -type f | wc -l; ls -A | grep -c valise", in: copy).output == "2003\n0\n")
        try shell("diff -r \"$1\" \"$2/iCloud~md~obsidian/Documents\"", copy + "/obsidian", container.path).good()
        #expect(try valise("export", "--folder", copy, container.path).errors.contains("has files in it"))
    }

    /// What could not be exported is exported by the same command when it can be, beside what is there.
    @Test func whatFailedIsExportedLater() throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders + "\nmkfifo iCloud~com~apple~TextEdit/Documents/pipe", in: container.path).good()
        let copy = container.beside("copy")
        let first = try valise("export", "--folder", copy, container.path)
        #expect(first.code == 1 && first.errors.contains("TextEdit/pipe") && first.output.hasPrefix("3 files in"))
        try shell("cd iCloud~com~apple~TextEdit/Documents; rm pipe; echo now > pipe", in: container.path).good()
        #expect(try valise("export", "--folder", copy, container.path).good().output.contains("1 file in “\(copy)”, and 3 files were there already."))
        let other = try TemporaryContainer("")
        try shell(Self.folders, in: other.path).good()
        #expect(try valise("export", "--folder", container.beside("third"), container.path).code == 0)
        try shell("touch \"$1/.valise-export\"", container.beside("third")).good()
        #expect(try valise("export", "--folder", container.beside("third"), other.path).errors.contains("the export of something else was stopped"))
    }

    /// A drive that was killed is mounted again by the same command, and what it had saved is there. While one lives, no second one writes there.
    @Test func aKilledDriveIsMountedAgain() throws {
        let container = try TemporaryContainer("")
        try shell(Self.folders, in: container.path).good()
        try withDrive(container) { drive in
            let second = container.beside("second")
            mkdir(second, 0o755)
            #expect(try valise("mount", container.path, second).errors.contains("are shown by the drive “\(drive.mountpoint)” already"))
            _ = try said("echo two > TextEdit/t.txt", on: drive)
            try drive.kill()
        }
        try valise("mount", container.path, container.mountpoint).good()
        #expect(try shell("cat TextEdit/t.txt; ls TextEdit/.valise/versions", in: container.mountpoint).good().output == "two\nt.txt\n")
        try valise("unmount", container.mountpoint).good()
    }
}
