import Foundation
import MountTesting
import Testing

/// Earlier versions go for good when somebody says so, and it is said before how much room that frees.
@Suite(.mounting) struct VersionPurgeTests {
    private static let items = "text Notes \"one\\n\"\ntext Other \"a\\n\"\nfolder Holiday\ntext Holiday/List \"towel\\n\""
    private static let saves = "echo two >Notes.txt; echo three >Notes.txt; echo b >Other.txt; echo soap >Holiday/List.txt"

    private func kept(_ container: TemporaryContainer) throws -> [String] {
        try shell("find .valise/versions .valise/staging -type f | sed 's|.*versions/||; s|/[^/]*$||' | sort", in: container.path).good().output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [true, false]) func theyGoOnADriveAndWithoutOne(mounted: Bool) throws {
        let container = try TemporaryContainer(Self.items)
        func purge(_ words: String...) throws -> Ended { try Program([Places.valise, "versions", "--purge"] + words).wait() }
        func check(_ top: String, _ note: String) throws {
            #expect(try kept(container) == ["Holiday/List.stedoc", "Notes.stedoc", "Notes.stedoc", "Other.stedoc"])
            // Nobody is there to be asked.
            let asked = try purge(note)
            #expect(asked.code == 1 && asked.errors == "valise: 2 earlier versions of 1 document (8 bytes) would go for good; to have that: valise versions --purge --yes \(note)\n", "\(asked.errors)")
            #expect(try valise("info", note).good().output.contains("  versions     2, 8 bytes\n"))
            try purge("--yes", note).good()
            #expect(try kept(container) == ["Holiday/List.stedoc", "Other.stedoc"])
            #expect(try purge("--yes", note).good().output == "No earlier versions are kept there.\n")
            #expect(try !valise("info", note).good().output.contains("versions"))
            #expect(try purge("--yes", "--older", "yesterday", top).good().output == "No earlier versions are kept there from before then.\n")
            #expect(try purge("--yes", top).code == 1)
            try purge("--yes", "--all", top + "/Holiday").good()
            #expect(try kept(container) == ["Other.stedoc"])
            #expect(try purge("--yes", "-v", "--older", "0 s", top).good().output == "1 earlier version of 1 document (2 bytes) is gone\n")
            #expect(try kept(container) == [])
        }
        try withDrive(container) { drive in
            try shell(Self.saves, in: drive.mountpoint).good()
            // “0 s” is this second.
            sleep(1)
            guard mounted else { return }
            #expect(try valise("status", drive.mountpoint).good().output.contains("  versions    4, 16 bytes\n"))
            try check(drive.mountpoint, drive.path("Notes.txt"))
            #expect(try !valise("status", drive.mountpoint).good().output.contains("  versions "))
            #expect(try shell("cat Notes.txt Other.txt Holiday/List.txt", in: drive.mountpoint).good().output == "three\nb\nsoap\n")
            #expect(try shell("ls .valise/versions/*", in: drive.mountpoint).good().output.contains("Z") == false)
        }
        if !mounted { try check(container.path, container.stored("Notes.stedoc")) }
        #expect(try shell("cat Notes.stedoc Other.stedoc Holiday/List.stedoc", in: container.path).good().output == "three\nb\nsoap\n")
        #expect(try valise("check", container.path).good().output.contains("Nothing is wrong."))
    }

    /// Whoever looks for them is told, as of deleted items.
    @Test func whatIsRemovedForGoodIsTold() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            try shell(Self.saves, in: drive.mountpoint).good()
            try valise("versions", "--purge", "--yes", drive.path("Notes.txt")).good()
            try valise("versions", "--purge", "--yes", "--all", drive.mountpoint).good()
            let lines = drive.log.components(separatedBy: "\n").filter { $0.hasSuffix(" removed by “valise versions --purge”") }
            #expect(lines.count == 3, "\(drive.log)")
            #expect(lines.contains { $0.contains("“Notes.txt”: 2 earlier versions are gone for good; they were") }, "\(lines)")
            #expect(lines.contains { $0.contains("“Holiday/List.txt”: an earlier version is gone for good; it was") }, "\(lines)")
            #expect(try valise("status", drive.mountpoint).good().output.contains("\n  removed     4 earlier versions for good, because somebody removed them;"))
        }
    }

    /// What has another name still frees nothing, and what nobody has decided about is not touched.
    @Test func whatStaysIsNotCounted() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\ntext Other \"a\\n\"\ntext Notes.sync-conflict-20261121-232733-ABCDEFG \"theirs\\n\"")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; echo b >Other.txt", in: drive.mountpoint).good()
            // A conflict of its own, too.
            try shell("python3 -c 'import sys; f = open(\"Other.txt\", \"w\"); open(sys.argv[1], \"w\").write(\"theirs\"); f.write(\"mine\")' \"$1/Other.stedoc\"", container.path, in: drive.mountpoint).good()
            try shell("for file in .valise/versions/Notes.stedoc/*; do ln \"$file\" second; done", in: container.path).good()
            let said = try valise("versions", "--purge", "--all", drive.mountpoint)
            #expect(said.errors.hasPrefix("valise: 2 earlier versions of 2 documents (2 bytes) would go for good"), "\(said.errors)")
            try valise("versions", "--purge", "--all", "--yes", drive.mountpoint).good()
            #expect(try valise("conflicts", drive.mountpoint).good().lines.count { $0.hasSuffix("  conflict") } == 2)
            #expect(try valise("versions", "-q", drive.path("Notes.txt")).good().lines.count == 1)
        }
    }

    @Test func whatIsMeantHasToBeSaid() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            for (words, code, sentence) in [
                (["--purge"], 2, "say whose versions are to go: a DOCUMENT, --all, or --older TIME"), (["--all", drive.mountpoint], 2, "“--all” is for “valise versions --purge”"),
                (["--older", "1 h"], 2, "“--older” is for"), ([], 2, "missing DOCUMENT"), (["--purge", "--older", "soon", drive.mountpoint], 2, "“soon” is no time"),
                (["--purge", drive.mountpoint], 1, "is a folder; to remove the versions of all documents there: valise versions --purge --all \(drive.mountpoint)"),
                (["--purge", drive.path("none.txt")], 1, "none.txt"), (["--purge", "--json", drive.path("Notes.txt")], 2, "--yes"),
            ] as [([String], Int32, String)] {
                let ended = try Program([Places.valise, "versions"] + words).wait()
                #expect(ended.code == code && (ended.output + ended.errors).contains(sentence), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
            }
        }
    }

    /// On a drive for all, they are their owner's to remove.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func nobodyRemovesThoseOfOthers() throws {
        let container = try TemporaryContainer(Self.items)
        for path in [container.beside(""), container.path, container.mountpoint] { chmod(path, 0o755) }
        try withDrive(container, options: "allow_other") { drive in
            try shell(Self.saves + "; chmod 666 Notes.txt", in: drive.mountpoint).good()
            for place in [["--all", drive.mountpoint], [drive.path("Notes.txt")], ["--all", container.path], [container.stored("Notes.stedoc")]] {
                let ended = try Program(["setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", Places.valise, "versions", "--purge", "--yes"] + place).wait()
                #expect(ended.code == 1 && ended.errors.contains("belong to root, and this command is for them alone"), "\(place): \(ended.output)\(ended.errors)")
            }
            let status = try run("setpriv", "--reuid=5001", "--regid=5001", "--clear-groups", Places.valise, "status", drive.mountpoint).good().output
            #expect(!status.contains("  versions "), "\(status)")
            #expect(try kept(container).count == 4)
        }
    }
}
