import Foundation
import MountTesting
import Testing

/// A name that was made is the name that is there, up to 255 bytes, also where the item's cannot be as long: a text lies in
/// a `.stedoc`, which is three bytes longer than `.txt`.
@Suite(.mounting) struct LongNameTests {
    /// 255 and 252 bytes: both want the same item.
    private static let long = String(repeating: "b", count: 251) + ".txt", short = String(repeating: "b", count: 248) + ".txt"
    /// As long, with the same beginning.
    private static let other = String(repeating: "b", count: 250) + "c.txt"
    private static let item = String(repeating: "b", count: 248) + ".stedoc"

    /// What a folder shows, and what is in it.
    private func contents(_ drive: MountedDrive, _ folder: String = ".") throws -> [String: String] {
        let names = try shell("find \"$1\" -mindepth 1 -maxdepth 1 -type f -printf '%f\\n'", folder, in: drive.mountpoint).good().lines
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try run("cat", drive.path(folder + "/" + $0)).good().output) })
    }

    /// Does something on a drive, and expects the same names and contents in it, on the next drive, and in a second listing.
    private func expect(_ expected: [String: String], _ folder: String = ".", in container: TemporaryContainer, after script: String) throws {
        let programs = URL(fileURLWithPath: Places.valise).deletingLastPathComponent().path
        let environment = ["CONTAINER": container.path, "PATH": programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
        for script in [script, "true"] {
            try withDrive(container) { drive in
                try shell(
                    "A=$1 S=$2 B=$3; set -e; \(script)", Self.long, Self.short, Self.other, in: drive.mountpoint, environment: environment
                ).good()
                for _ in 0..<2 { #expect(try contents(drive, folder) == expected, "\(script)") }
                for name in [Self.long, Self.short, Self.other] where expected[name] == nil {
                    #expect(access(drive.path(folder + "/" + name), F_OK) != 0, "\(script): \(name.suffix(8)) answers")
                }
            }
        }
    }

    @Test func eachIsTheOneThatWasMade() throws {
        let container = try TemporaryContainer()
        try expect([Self.long: "AAA\n", Self.short: "BBB\n", Self.other: "CCC\n"], in: container, after: "echo AAA >$A; echo BBB >$S; echo CCC >$B")
        // And they stay apart when they are written again.
        try expect([Self.long: "aaa\n", Self.short: "BBB\n", Self.other: "CCC\n"], in: container, after: "echo aaa >$A")
        try expect([Self.long: "aaa\n", Self.short: "BBB\n"], in: container, after: "rm $B; test ! -e $B")
    }

    @Test func renamesLandWhereTheyLead() throws {
        let container = try TemporaryContainer()
        try expect([Self.long: "one\n", Self.short: "two\n"], in: container, after: "echo one >x.txt; mv x.txt $A; echo two >y.txt; mv y.txt $S")
        try expect([Self.other: "one\n", Self.short: "two\n"], in: container, after: "mv -n $A $B")
        try expect([Self.short: "one\n"], in: container, after: "mv $B $S")
        try expect([Self.long: "one\n"], in: container, after: "mv $S $A")
        try expect([Self.long: "three\n"], in: container, after: "echo three >x.txt; mv x.txt $A")
        try expect(["short.txt": "three\n"], in: container, after: "mv $A short.txt")
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/names")) == [])
    }

    @Test func namesAreTakenByWhatTheyNameOnly() throws {
        let container = try TemporaryContainer()
        try expect([Self.long: "A\n"], in: container, after: """
            echo A >$A; ! mkdir $A 2>/dev/null; ! ln -s x $A 2>/dev/null; mkdir $S; rmdir $S; mkfifo $B; rm $B; ! rm $S 2>/dev/null
            """)
        try expect([Self.long: "A\n", Self.short: "S\n"], in: container, after: "ln -s A $S; rm $S; echo S >$S")
    }

    @Test func aFolderThatMovesTakesThemAlong() throws {
        let container = try TemporaryContainer()
        try expect([Self.long: "A\n", Self.short: "S\n"], "In/New", in: container, after: """
            mkdir -p Old In; echo A >Old/$A; echo S >Old/$S; mv Old In/New; mkdir Old; echo again >Old/$S; test $(cat Old/*) = again
            """)
        try expect([:], in: container, after: "rm -r In Old; mkdir -p In/New; echo S >In/New/$S; rm In/New/$S; rmdir In/New In")
    }

    @Test func exchangedAndRestored() throws {
        let container = try TemporaryContainer()
        let exchange = "python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2))'"
        try expect([Self.long: "B\n", Self.other: "A\n", "x.txt": "x\n"], in: container, after: "echo A >$A; echo B >$B; echo x >x.txt; \(exchange) $A $B")
        try expect([Self.long: "x\n", Self.other: "A\n", "x.txt": "B\n"], in: container, after: "\(exchange) $A x.txt")
        try expect([Self.long: "new\n", Self.other: "A\n", "x.txt": "B\n"], in: container, after: "echo new >$A")
        try expect([Self.long: "x\n", Self.other: "A\n", "x.txt": "B\n"], in: container, after: """
            valise restore $A 1
            """)
        try expect([Self.long: "other\n"], "In", in: container, after: """
            mkdir In Out; mv $B x.txt Out; mv $A In; echo other >Out/$A; \(exchange) In Out; rm In/$B In/x.txt
            """)
    }

    /// An app knows the item only, and puts another file in its place when it saves.
    @Test func anAppThatSavesKeepsThem() throws {
        let container = try TemporaryContainer()
        try expect([Self.long: "app\n"], in: container, after: "echo A >$A; cd \"$CONTAINER\"; echo app >tmp; mv tmp \(Self.item)")
        try shell("echo more >\"$1\"", container.stored(Self.item)).good()
        try expect([Self.long: "more\n"], in: container, after: "true")
        // What it puts away is gone with its name.
        try expect([Self.short: "S\n"], in: container, after: "rm $A; test -z \"$(ls)\"; echo S >$S")
    }

    @Test func copiesHaveNoDoubles() throws {
        let container = try TemporaryContainer()
        let source = container.beside("source")
        try shell("mkdir \"$1\"; cd \"$1\"; echo A >$2; echo S >$3; echo B >$4", source, Self.long, Self.short, Self.other).good()
        for _ in 0..<2 {
            try withDrive(container) { drive in
                for _ in 0..<2 {
                    try run("rsync", "-a", source + "/", drive.mountpoint + "/").good()
                    #expect(try run("diff", "-r", source, drive.mountpoint).good().output == "")
                }
                #expect(try run("rsync", "-a", "--itemize-changes", source + "/", drive.mountpoint + "/").good().output == "")
            }
        }
    }

    /// A text gets a number in its item's name where that is somebody else's: it is shown as it was made all the same.
    @Test func anItemsNameThatIsTaken() throws {
        let container = try TemporaryContainer("folder Notes.stedoc\ntext Other other")
        try expect(["Notes.txt": "mine\n", "Other.txt": "other"], in: container, after: "echo mine >Notes.txt; mkdir -p x; mv Notes.txt x; mv x/Notes.txt .")
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path).contains("Notes 1.stedoc"))
    }

    /// The name of an item leads to its document, where it is not shown: nothing else is called so.
    @Test func theNamesOfItems() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            let said = try shell("touch Notes.stedoc; mkdir Notes.stedoc; echo two >plain; cat Notes.stedoc; ls", in: drive.mountpoint)
            #expect(said.output == "oneNotes.txt\nplain\n")
            #expect(said.errors.split(separator: "\n").filter { $0.hasSuffix("File exists") }.count == 1, "\(said.errors)")
            try drive.rename("plain", "Notes.stedoc")
            #expect(try drive.files() == ["Notes.txt"] && drive.text("Notes.txt") == "two\n")
        }
    }

    /// What is called as sync tools call copies would be a version of another document.
    @Test func aNameLikeACopys() throws {
        let container = try TemporaryContainer(), copy = "Notes.sync-conflict-20261121-232733-ABCDEFG.txt"
        try expect(["Notes.txt": "one\n", copy: "two\n"], in: container, after: "echo one >Notes.txt; echo two >\(copy)")
        try expect(["Notes.txt": "one\n", copy: "two\n"], in: container, after: "mv \(copy) x; mv x \(copy)")
    }

    /// Also for names of one character only, and for stores that keep nothing of versions.
    @Test func towersOfAccents() throws {
        let container = try TemporaryContainer()
        let tower = "e" + String(repeating: "\u{301}", count: 125) + ".txt"
        for _ in 0..<2 {
            try withDrive(container, options: "versions=off") { drive in
                try shell("test -e \"$1\" || echo tower >\"$1\"", tower, in: drive.mountpoint).good()
                #expect(try contents(drive) == [tower: "tower\n"])
            }
        }
    }

    /// Photos and bookmarks keep their names in themselves.
    @Test func photosAndBookmarks() throws {
        let container = try TemporaryContainer()
        let stem = String(repeating: "p", count: 251)
        let names: Set = [stem + ".png", stem + ".jpg", stem + ".url", String(repeating: "p", count: 250) + "q.url"]
        for _ in 0..<2 {
            try withDrive(container) { drive in
                try shell("""
                    test -e "$1.png" || { printf '\\x89PNG\\r\\n\\x1a\\n one' >"$1.png"; printf '\\x89PNG\\r\\n\\x1a\\n two' >"$1.jpg"
                    printf '[InternetShortcut]\\nURL=https://one/\\n' >"$1.url"; printf '[InternetShortcut]\\nURL=https://two/\\n' >"${1%p}q.url"; }
                    """, stem, in: drive.mountpoint).good()
                #expect(Set(try run("ls", drive.mountpoint).good().lines) == names)
                #expect(try run("tail", "-c", "3", drive.path(stem + ".jpg")).good().output == "two")
            }
        }
    }
}
