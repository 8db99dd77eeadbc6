import Foundation
import MountTesting
import Testing

@testable import Backups

/// A backup that is mounted, as programs see it.
@Suite struct BackupDriveTests {
    private func mounted(_ made: MadeBackup, _ options: String..., body: (String) throws -> Void) throws {
        let mountpoint = made.beside("drive"), password = made.beside("password")
        mkdir(mountpoint, 0o700)
        try Data((MadeBackup.password + "\n").utf8).write(to: URL(fileURLWithPath: password))
        let words =
            ["mount"] + (made.isEncrypted ? ["--password-file", password] : []) + options + [made.path, mountpoint]
        try Program([Places.valise] + words).wait().good()
        do { try body(mountpoint) } catch {
            _ = try? valise("unmount", "--lazy", mountpoint)
            throw error
        }
        try valise("unmount", mountpoint).good()
    }

    @Test func aPlainBackupIsADrive() throws {
        let made = try MadeBackup()
        try mounted(made) { drive in
            try shell("diff -r --no-dereference \"$1\" \"$2\"", drive, made.expected).good()
            #expect(try Shown.of(folder: drive) == Shown.of(folder: made.expected))
            // In either form of its letters.
            #expect(FileManager.default.fileExists(atPath: drive + "/Apps/Notes/Documents/Cafe\u{301}.txt"))
            #expect(
                try shell("stat -c '%A %s %Y %h' \"$1\"", drive + "/Apps/Notes/Documents/Letter.txt").good().output
                    == "-r--r--r-- 11 1772355960 1\n")
            #expect(
                try shell(
                    "touch \"$1/x\"; mkdir \"$1/y\"; rm \"$1/Apps/Notes/Documents/Letter.txt\"; echo >>\"$1/Apps/Notes/Documents/Letter.txt\"",
                    drive
                ).errors.components(separatedBy: "Read-only file system").count == 5)
            let id = try shell(
                "getfattr --only-values -n user.valise.id \"$1\"", drive + "/Domains/HomeDomain/Library/SMS/sms.db"
            ).good().output
            #expect(id == "3d0d7e5fb2ce288813306e4d4636395e047a3d28")
            #expect(try valise("status", drive).good().output.contains(made.path))
        }
    }

    /// A search goes through names, kinds, sizes and times, and says so where it is asked for more.
    @Test(.needsCrypto) func aBackupIsSearched() throws {
        let made = try MadeBackup(encrypted: true)
        try mounted(made) { (drive) throws in
            func found(_ words: String...) throws -> [String] {
                try Program([Places.valise, "find"] + words).wait().good().lines.map { String($0.dropFirst(drive.count + 1)) }
            }
            #expect(try found("name == 'Letter.txt'", drive) == ["Apps/Notes/Documents/Letter.txt"])
            #expect(try found("name == 'Cafe\u{301}.txt'", drive).map { Array($0.utf8) } == [Array("Apps/Notes/Documents/Caf\u{e9}.txt".utf8)])
            let all = try shell("find \"$1\" -type f -o -type l | wc -l", drive).good().output
            #expect(try found("TRUEPREDICATE", drive).count <= Int(all.trimmingCharacters(in: .whitespacesAndNewlines))!)
            #expect(try found("--sort", "-size", "--limit", "1", "size > 0", drive + "/Apps").count == 1)
            #expect(try found("--json", "kind == 'plain' AND name LIKE '*.log'", drive).allSatisfy { $0.contains("\"kind\":\"plain\"") || $0.isEmpty })
            #expect(try found("name CONTAINS 'no such thing'", drive) == [])
            #expect(try valise("find", "text CONTAINS 'word'", drive).errors.contains("grep -r WORD"))
            #expect(try valise("find", "--live", "size > 0", drive).errors.contains("leave out --live"))
        }
    }

    /// A drive over a backup's drive has its packages as documents. It is only read, and leaves nothing of what was decrypted on a disk.
    @Test(.needsCrypto) func packagesAreDocumentsOnASecondDrive() throws {
        let made = try MadeBackup(encrypted: true), second = made.beside("second"), home = made.beside("home")
        for folder in [second, home] { mkdir(folder, 0o700) }
        try mounted(made) { (drive) throws in
            let refused = try valise("mount", drive, second)
            #expect(refused.code == 32 && refused.errors.contains("to see its packages as documents: valise mount -o ro"))
            let environment = ["HOME": home, "XDG_CACHE_HOME": home + "/.cache"]
            func run(_ words: String...) throws -> Ended { try Program([Places.valise] + words, environment: environment).wait().good() }
            _ = try run("mount", "-o", "ro", drive, second)
            defer { _ = try? valise("unmount", second) }
            let note = second + "/On My iPhone/Note.rtfd"
            #expect(try shell("unzip -p \"$1\" '*TXT.rtf'; ls \"$2\"", note, second + "/Apps/Notes/Documents/Letter.txt").good().output.hasPrefix("{\\rtf1 }"))
            #expect(try run("info", note).output.contains("kind         rtfd"))
            #expect(try run("find", "kind == 'rtfd'", second).output == note + "\n")
            #expect(try run("find", "text CONTAINS 'Anna'", second).output == "")
            #expect(try shell("find \"$1\" -type f", home).good().output == "")
            #expect(try shell("touch \"$1/x\"", second).code != 0)
            _ = try run("unmount", second)
        }
    }

    /// The key that the kernel keeps opens the backup without its password, until it is forgotten. The process that serves has no call to read it.
    @Test(.needsCrypto) func theKernelKeepsAKeyWhereItsOwnerSaysSo() throws {
        let made = try MadeBackup(encrypted: true), mountpoint = made.beside("drive")
        func unasked(_ words: String...) throws -> Ended {
            try Program(["setsid", "-w", Places.valise] + words).wait()
        }
        try mounted(made) { _ in }
        #expect(try unasked("mount", made.path, mountpoint).code == 1)
        try mounted(made, "--keep-key") { _ in }
        defer { _ = try? valise("unmount", "--forget-key") }
        try unasked("mount", made.path, mountpoint).good()
        #expect(FileManager.default.fileExists(atPath: mountpoint + "/Apps/Notes/Documents/Letter.txt"))
        try valise("unmount", mountpoint).good()
        #expect(try unasked("check", made.path).code == 0)
        #expect(try valise("unmount", "-v", "--forget-key").good().output.contains("are forgotten"))
        #expect(try unasked("mount", made.path, mountpoint).errors.contains("--password-file FILE"))
        #expect(try valise("unmount", "-v", "--forget-key").good().output.contains("no key of a backup was kept"))
    }

    @Test(.needsCrypto) func anEncryptedBackupIsADrive() throws {
        let made = try MadeBackup(encrypted: true)
        try mounted(made) { drive in
            try shell("diff -r --no-dereference \"$1\" \"$2\"", drive, made.expected).good()
            // The list says that it is shorter, by less than a block.
            #expect(try Data(contentsOf: URL(fileURLWithPath: drive + "/Apps/Notes/Library/within.log")).count == 100)
            #expect(try shell("stat -c %s \"$1\"", drive + "/Apps/Notes/Library/within.log").good().output == "100\n")
        }
    }

    /// What the process that knows the password leaves for others to see.
    @Test(.needsCrypto) func thePasswordIsNowhere() throws {
        let made = try MadeBackup(encrypted: true)
        try mounted(made, "--log-file", made.beside("log")) { drive in
            let status =
                try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: drive + "/.valise/status"))) as? [String: Any]
            let process = try #require(status?["process"] as? Int)
            let facts = try ["cmdline", "environ"].map {
                try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\($0)"))
            }
            for fact in facts { #expect(fact.range(of: Data(MadeBackup.password.utf8)) == nil) }
            #expect(
                try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8).contains(
                    /Max core file size +0 +0/))
            // Nobody else of its user may look into it: what is its own is root's.
            #expect(try shell("stat -c %u /proc/\(process)/mem").good().output == "0\n")
            let sandbox = try #require(status?["sandbox"] as? [String: Bool])
            #expect(sandbox["calls"] == true)
        }
        #expect(try shell("grep -r -- \"$1\" \"$2\"; true", MadeBackup.password, made.beside("log")).output == "")
    }

    @Test func whatIsMissingIsAnErrorAndSaysWhy() throws {
        let made = try MadeBackup("--hostile")
        try mounted(made) { drive in
            let missing = drive + "/Domains/HomeDomain/missing", read = try shell("cat \"$1\"", missing)
            #expect(read.errors.contains("No data available"))
            #expect(
                try shell("getfattr --only-values -n user.valise.error \"$1\"", missing).good().output
                    == "it is in the backup's list and not in the backup")
            #expect(
                try shell("readlink \"$1/Domains/HomeDomain/circle\"; cat \"$1/Domains/HomeDomain/circle\"", drive)
                    .errors.contains("Too many levels"))
        }
        let check = try valise("check", made.path)
        #expect(
            check.code == 4
                && check.output.contains(
                    "“Domains/HomeDomain/missing”: it is in the backup's list and not in the backup")
        )
        #expect(check.output.contains("of 1 app nothing is in it: “Away”") && check.output.contains("iCloud"))
    }

    @Test(.needsCrypto) func anotherPasswordIsRefused() throws {
        let made = try MadeBackup(encrypted: true), mountpoint = made.beside("drive")
        mkdir(mountpoint, 0o700)
        try Data("wrong\n".utf8).write(to: URL(fileURLWithPath: made.beside("wrong")))
        let refused = try valise("mount", "--password-file", made.beside("wrong"), made.path, mountpoint)
        #expect(refused.code == 1 && refused.errors.contains("is not that of the backup"))
        let unasked = try shell("setsid -w \"$1\" mount \"$2\" \"$3\" </dev/null", Places.valise, made.path, mountpoint)
        #expect(unasked.code == 1 && unasked.errors.contains("--password-file FILE"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: mountpoint) == [])
    }

    /// On a terminal it is typed, and not shown.
    @Test(.needsCrypto) func thePasswordIsTyped() throws {
        let made = try MadeBackup(encrypted: true), mountpoint = made.beside("drive")
        mkdir(mountpoint, 0o700)
        let script = """
            import os, pty, sys, time
            child, terminal = pty.fork()
            if not child: os.execv(sys.argv[1], sys.argv[1:])
            said = b""
            def await_question():
                global said
                # The sentence about a wrong one names no backup.
                while "password of the backup “".encode() not in said: said += os.read(terminal, 4096)
                said = b""
            await_question(); time.sleep(0.2); os.write(terminal, b"wrong\\n")
            await_question(); time.sleep(0.2); os.write(terminal, b"x\\x15\(MadeBackup.password)y\\x7f\\n")
            try:
                while True: said += os.read(terminal, 4096)
            except OSError: pass
            assert b"horse" not in said, said
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        try run("python3", "-c", script, Places.valise, "mount", made.path, mountpoint).good()
        try shell("diff -r --no-dereference \"$1\" \"$2\"", mountpoint, made.expected).good()
        try valise("unmount", mountpoint).good()
    }
}
