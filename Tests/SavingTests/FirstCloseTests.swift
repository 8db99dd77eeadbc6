import Foundation
import MountTesting
import Testing

/// A shell closes what it opened for “>” once before anything is written, because it has a copy: what is empty then is no document, and empties
/// none. And what cannot become one is kept as it was written.
@Suite(.mounting) struct FirstCloseTests {
    /// "pr\u{e9}cieux" in ISO-8859-1.
    static let latin = Data([0x70, 0x72, 0xE9, 0x63, 0x69, 0x65, 0x75, 0x78, 0x0A])
    private static let printing = #"printf 'pr\351cieux\n'"#

    /// Each writes standard output, or what it reads there, to the file "$1".
    static let ways = [
        #"bash -c "$2 >\"\$1\"" bash "$1""#, #"dash -c "$2 >\"\$1\"" dash "$1""#, #"eval "$2" | dd of="$1" status=none"#, #"eval "$2" | tee "$1" >&2"#,
        #"eval "$2" | python3 -c 'import sys; open(sys.argv[1], "wb").write(sys.stdin.buffer.read())' "$1""#, #"{ eval "$2"; } 3>"$1" >&3"#,
        #"eval "$2" | iconv -f ISO-8859-1 -t ISO-8859-1 >"$1""#, #"(sleep 0.3; eval "$2") >"$1""#,
    ]

    private func write(_ drive: MountedDrive, _ way: String, _ name: String, _ printing: String) throws {
        try shell(way, drive.path(name), printing).good()
    }

    @Test(arguments: ways) func whatIsNoTextIsAPlainFile(way: String) throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            try write(drive, way, "new.txt", Self.printing)
            eventually { (try? container.storedFiles()) == ["new.txt"] }
            #expect(try container.storedFiles() == ["new.txt"] && container.bytes("new.txt") == Self.latin && drive.get("new.txt") == Self.latin)
            #expect(try container.staged() == [])
            #expect(try valise("info", drive.path("new.txt")).good().output.contains("iconv -f ISO-8859-1 -t UTF-8"))
            try run("rm", drive.path("new.txt")).good()
            try valise("undelete", drive.path("new.txt")).good()
            #expect(try drive.get("new.txt") == Self.latin)
        }
    }

    /// Saved once, whatever is closed before: nothing in between is a version.
    @Test(arguments: ways) func aTextIsSavedOnce(way: String) throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw") { drive in
            try write(drive, way, "New.txt", "echo two")
            try write(drive, way, "Notes.txt", "echo two")
            eventually { (try? container.bytes("New.stedoc")) == Data("two\n".utf8) && (try? container.bytes("Notes.stedoc")) == Data("two\n".utf8) }
            #expect(try container.storedFiles() == ["New.stedoc", "Notes.stedoc"])
            #expect(try drive.text("New.txt") == "two\n" && drive.text("Notes.txt") == "two\n")
            #expect(try valise("versions", "-q", drive.path("New.txt")).good().lines == [])
            #expect(try valise("versions", "-q", drive.path("Notes.txt")).good().lines.count == 1)
        }
    }

    /// An empty text is one when the last who may write to it lets go of it.
    @Test func whatStaysEmptyIsSavedInTheEnd() throws {
        let container = try TemporaryContainer("text Notes one\ntext Other one")
        try withDrive(container, options: "rw") { drive in
            try shell("touch touched.txt; : >new.txt; : >Notes.txt", in: drive.mountpoint).good()
            eventually { (try? container.storedFiles()) == ["Notes.stedoc", "Other.stedoc", "new.stedoc", "touched.stedoc"] && (try? container.bytes("Notes.stedoc")) == Data() }
            #expect(try container.storedFiles() == ["Notes.stedoc", "Other.stedoc", "new.stedoc", "touched.stedoc"])
            #expect(try container.bytes("Notes.stedoc") == Data() && valise("versions", "-q", drive.path("Notes.txt")).good().lines.count == 1)
            let other = try OpenedFile(drive.path("Other.txt"), O_WRONLY | O_TRUNC)
            try other.duplicate().close()
            #expect(try container.bytes("Other.stedoc") == Data("one".utf8))
            try other.close()
            eventually { (try? container.bytes("Other.stedoc")) == Data() }
            #expect(try container.bytes("Other.stedoc") == Data())
        }
    }

    /// The drive is killed between the two closes of a shell.
    @Test func aDriveThatIsKilledInBetween() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw") { drive in
            let files = try ["Notes.txt", "New.txt"].map { try OpenedFile(drive.path($0), O_WRONLY | O_CREAT | O_TRUNC) }
            for file in files { try file.duplicate().close() }
            #expect(try container.bytes("Notes.stedoc") == Data("one".utf8) && container.storedFiles() == ["Notes.stedoc"])
            for file in files {
                try file.write("two")
                try file.synchronize()
            }
            try drive.kill()
        }
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files()
            #expect(try files == ["New.txt", "Notes.txt"] && drive.text("Notes.txt") == "two" && drive.text("New.txt") == "two")
        }
    }

    /// Nobody has it open, and what was written waits: that is said where an earlier version is to come back, with what helps.
    @Test func whatIsInTheWayOfAVersionIsSaid() throws {
        let container = try TemporaryContainer("text Notes good")
        try withDrive(container) { drive in
            try shell(#"printf better >Notes.txt; printf 'pr\351cieux\n' >Notes.txt || true"#, in: drive.mountpoint).good()
            let refused = try valise("restore", drive.path("Notes.txt"), "1")
            #expect(refused.code == 1 && refused.errors.contains("valise restore --saved \(drive.path("Notes.txt"))"), "\(refused.errors)")
            try valise("restore", "--saved", drive.path("Notes.txt")).good()
            try valise("restore", drive.path("Notes.txt"), "1").good()
            #expect(try drive.text("Notes.txt") == "good")
        }
    }

    /// What could not become the document is nowhere else, so it is kept when it is given up, or goes with the document.
    @Test func whatIsGivenUpIsKept() throws {
        let container = try TemporaryContainer("text Notes good")
        try withDrive(container, options: "rw") { drive in
            try shell(#"printf 'pr\351cieux\n' >Notes.txt || true"#, in: drive.mountpoint).good()
            #expect(try drive.get("Notes.txt") == Self.latin && container.bytes("Notes.stedoc") == Data("good".utf8))
            #expect(try drive.status().drafts.first?.reason?.contains("iconv") == true)
            try valise("restore", "--saved", drive.path("Notes.txt")).good()
            #expect(try drive.text("Notes.txt") == "good" && container.deleted() == ["Notes.txt"])
            try drive.rename("Notes.txt", "Good.txt")
            try valise("undelete", drive.path("Notes.txt")).good()
            #expect(try drive.files() == ["Good.txt", "Notes.txt"] && drive.get("Notes.txt") == Self.latin)
            try drive.remove("Notes.txt")
            try drive.rename("Good.txt", "Notes.txt")

            try shell(#"printf 'pr\351cieux, too\n' >Notes.txt || true; rm Notes.txt"#, in: drive.mountpoint).good()
            #expect(try container.deleted() == ["Notes.txt", "Notes.txt", "Notes.txt"])
            for number in ["3", "4"] {
                try valise("undelete", drive.mountpoint, number).good()
                try drive.rename("Notes.txt", "\(number).txt")
            }
            #expect(try Set(["3.txt", "4.txt"].map { try drive.get($0) }) == [Data("good".utf8), Data([0x70, 0x72, 0xE9] + "cieux, too\n".utf8)])
        }
    }

    /// Also when something else takes the document's name, and only if it does.
    @Test(arguments: ["mv Other.txt Notes.txt", "mv plain Notes.txt", "mv link Notes.txt", "mv Swift.url Notes.txt", "{ echo new; mv New.txt Notes.txt; } >New.txt"])
    func whatIsReplacedIsKept(replacing: String) throws {
        let container = try TemporaryContainer("text Notes good\ntext Other other\nbookmark Swift https://www.swift.org/\nphoto Cat png\nfile plain fine\nlink link plain")
        try withDrive(container, options: "rw") { drive in
            try shell(#"printf 'pr\351cieux\n' >Notes.txt || true"#, in: drive.mountpoint).good()
            func kept() throws -> Int { try shell("LC_ALL=C grep -rlaF cieux \"$1\" || true", container.stored(".valise/deleted")).good().lines.count }
            #expect(try shell("mv Cat.png Notes.txt", in: drive.mountpoint).errors.contains("Wrong medium type"))
            #expect(try drive.get("Notes.txt") == Self.latin && kept() == 0 && container.deleted() == [])
            try shell(replacing, in: drive.mountpoint).good()
            #expect(try drive.get("Notes.txt") != Self.latin && kept() == 1)
        }
    }

    /// Also of a new one that is still being written.
    @Test(arguments: ["link", "plain", "Other.txt"]) func whatIsReplacedWhileItIsNewIsKept(source: String) throws {
        let container = try TemporaryContainer("text Other other\nfile plain fine\nlink link plain")
        try withDrive(container, options: "rw") { drive in
            let new = try OpenedFile(drive.path("New.txt"), O_WRONLY | O_CREAT)
            try new.write("precieux")
            try drive.rename(source, "New.txt")
            // Another test's program may have closed a copy of it: then it was a document already, which waits in case its name comes back, and is
            // a version of what has the name.
            let kept = try shell("grep -rlaF precieux \"$1\"", container.stored(".valise")).good().lines
            #expect(kept.count == 1 || kept.count == 2 && kept.contains { $0.contains("/versions/New.") }, "\(kept)")
            try new.close()
            #expect(try !drive.files().contains(source))
        }
    }
}
