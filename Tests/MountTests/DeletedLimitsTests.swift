import Foundation
import MountTesting
import Testing

/// How long what was deleted is kept, how much of it, and which of it is chosen.
@Suite(.mounting) struct DeletedLimitsTests {
    /// Lets something have been deleted so many days earlier, while the container is not mounted.
    private func age(_ shown: String, days: Int, in container: TemporaryContainer) throws {
        let path = container.stored(".valise/deleted/records")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            var words = line.split(separator: " ").map(String.init)
            guard words[0] == "kept", words[7] == shown else { return line + "\n" }
            for index in 2...3 {
                let parts = words[index].split(separator: ".")
                words[index] = "\((Int64(parts[0]) ?? 0) - Int64(days) * 86_400).\(parts[1])"
            }
            return words.joined(separator: " ") + "\n"
        }
        try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// A drive on which something goes that is not kept, so that at its end it looks what is to go.
    private func mountOnce(_ container: TemporaryContainer, options: String? = nil) throws {
        try withDrive(container, options: options) { drive in try shell(": >empty.dat; rm empty.dat", in: drive.mountpoint).good() }
    }

    private static let items = "text Old \"one\\n\"\ntext Young \"one\\n\"\nfile words.dat \"w\\n\""

    @Test func whatWasDeletedThirtyDaysAgoGoes() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            try shell("echo two >Old.txt; echo two >Young.txt; rm Old.txt Young.txt words.dat", in: drive.mountpoint).good()
        }
        try age("Old.txt", days: 31, in: container)
        try age("words.dat", days: 31, in: container)
        try age("Young.txt", days: 29, in: container)
        try mountOnce(container)
        #expect(try container.deleted() == ["Young.txt"])
        #expect(try shell("ls .valise/deleted .valise/staging", in: container.path).output == ".valise/deleted:\n2\n2.versions\nrecords\n\n.valise/staging:\n")
        #expect(try valise("check", container.path).code == 0)
    }

    @Test(arguments: [(2, ["Young.txt"]), (4, ["Old.txt", "Young.txt"])]) func itIsKeptForAsManyDaysAsSaid(days: Int, left: [String]) throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in try shell("rm Old.txt Young.txt", in: drive.mountpoint).good() }
        try age("Old.txt", days: 3, in: container)
        try mountOnce(container, options: "deleted=\(days)")
        #expect(try container.deleted() == left)
    }

    /// With -o deleted=off nothing more is kept, and what was before stays.
    @Test func whatWasKeptBeforeStays() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in try shell("rm Old.txt", in: drive.mountpoint).good() }
        try withDrive(container, options: "deleted=off") { drive in
            try shell("rm Young.txt words.dat", in: drive.mountpoint).good()
            #expect(try valise("deleted", drive.mountpoint).good().output.contains("Old.txt"))
            try valise("undelete", drive.path("Old.txt")).good()
            #expect(try drive.files() == ["Old.txt"])
        }
        #expect(try container.deleted() == [])
    }

    /// A tenth of this is room for three files of 900 GB, all of them holes, however much is free where the test runs.
    private func largeContainer() throws -> TemporaryContainer {
        let container = try TemporaryContainer(Self.items)
        try shell("truncate -s 15T holes.dat more.dat", in: container.path).good()
        return container
    }

    /// The oldest of the large ones go, and what is small stays, with its versions.
    @Test func theOldestGiveUpTheirRoom() throws {
        let container = try largeContainer()
        try withDrive(container) { drive in
            try shell("""
                echo two >Young.txt; echo two >Old.txt
                for number in 1 2 3 4; do truncate -s 900G $number.dat; done
                rm Old.txt; rm 1.dat; rm 2.dat; rm 3.dat; rm 4.dat
                """, in: drive.mountpoint).good()
            #expect(try container.deleted() == ["1.dat", "2.dat", "3.dat", "4.dat", "Old.txt"])
        }
        #expect(try container.deleted() == ["2.dat", "3.dat", "4.dat", "Old.txt"])
        #expect(try shell("ls .valise/deleted; ls .valise/versions", in: container.path).output == "1\n1.versions\n3\n4\n5\nrecords\nYoung.stedoc\n")
    }

    /// What is larger than all the room goes alone, and what was deleted before stays.
    @Test func oneLargeDeletionCostsNothingElse() throws {
        let container = try largeContainer()
        try withDrive(container) { drive in
            try shell("echo p >p.txt; rm p.txt Old.txt; for size in 4T 900G; do truncate -s $size $size.dat; rm $size.dat; done", in: drive.mountpoint).good()
        }
        #expect(try container.deleted() == ["900G.dat", "Old.txt", "p.txt"])
    }

    /// On a store with much room a small container keeps more than 64 MiB.
    @Test func whatIsFreeIsRoom() throws {
        let container = try TemporaryContainer(Self.items)
        // A twentieth of what is free and of these.
        try withDrive(container) { drive in
            try shell("""
                free=$(df -B1 --output=avail . | tail -1)
                for number in $(seq 1 30); do truncate -s $((free / 1000)) $number.dat; rm $number.dat; done
                """, in: drive.mountpoint).good()
        }
        #expect(try container.deleted().count == 30)
    }

    /// Who deletes much has nothing of anybody else's removed with it, however large it is said to be.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func nobodyElsesGiveUpTheirRoom() throws {
        let container = try largeContainer()
        try withDrive(container, options: "allow_other") { drive in
            try shell("truncate -s 100G anns.dat; chown 5001 anns.dat; rm anns.dat; for size in 1000G 1001G 1002G 10T; do truncate -s $size $size.dat; chown 5002 $size.dat; rm $size.dat; done", in: drive.mountpoint).good()
        }
        #expect(try container.deleted() == ["1001G.dat", "1002G.dat", "anns.dat"])
    }

    @Test func whatWasDeletedSinceATimeIsChosen() throws {
        let container = try TemporaryContainer("text Old \"one\\n\"\ntext Young \"one\\n\"\nfolder Holiday\ntext Holiday/List \"towel\\n\"")
        try withDrive(container) { drive in try shell("rm Old.txt; rm -r Holiday", in: drive.mountpoint).good() }
        try age("Old.txt", days: 2, in: container)
        try age("List.txt", days: 1, in: container)
        try withDrive(container) { drive in
            try drive.remove("Young.txt")
            func since(_ time: String) throws -> [String] { try valise("deleted", "-q", "--since", time, drive.mountpoint).good().lines }
            #expect(try since("10 min ago") == ["3"] && since("25 hours ago") == ["3", "2"] && since("1 week ago") == ["3", "2", "1"])
            #expect(try shell("ls .valise/deleted | wc -l", in: drive.mountpoint).output == "3\n")
            try valise("undelete", "--since", "10 min ago", drive.mountpoint).good()
            #expect(try drive.files() == ["Young.txt"])
            let none = try valise("undelete", "--since", "10 min ago", drive.mountpoint)
            #expect(none.code == 1 && none.errors.contains("nothing that was deleted since then is kept"), "\(none.errors)")
            // Below a folder that is gone.
            try valise("undelete", "--since", "2026-01-01", drive.path("Holiday")).good()
            #expect(try drive.files() == ["Holiday/List.txt", "Young.txt"] && drive.text("Holiday/List.txt") == "towel\n")
            #expect(try container.deleted() == ["Old.txt"])
        }
    }

    @Test func aPartOfItIsFreed() throws {
        let container = try TemporaryContainer("text Old \"one\\n\"\ntext Young \"one\\n\"\nfolder Holiday\ntext Holiday/List \"towel\\n\"\nfile Holiday/map.dat \"m\\n\"")
        try withDrive(container) { drive in try shell("rm Old.txt Young.txt; rm -r Holiday", in: drive.mountpoint).good() }
        try age("Old.txt", days: 2, in: container)
        try withDrive(container) { drive in
            let ended = try valise("deleted", "--purge", "--yes", "-v", drive.path("Holiday")).good()
            #expect((ended.output + ended.errors).contains("2 deleted items with their versions"), "\(ended.output)\(ended.errors)")
            #expect(try container.deleted() == ["Old.txt", "Young.txt"])
            try valise("deleted", "--purge", "--yes", "--since", "1 hour ago", drive.mountpoint).good()
            #expect(try container.deleted() == ["Old.txt"])
            // Who is asked and cannot answer has said no.
            let asked = try valise("deleted", "--purge", drive.mountpoint)
            #expect(asked.code == 1 && asked.errors.contains("valise deleted --purge --yes"), "\(asked.errors)")
            #expect(try container.deleted() == ["Old.txt"])
        }
    }

    /// A document that is replaced by one with versions of its own does not become one of these.
    @Test func whatIsReplacedByMvIsKept() throws {
        let container = try TemporaryContainer("""
            text Notes "old\\n"
            text Other "other\\n"
            file words.dat "w\\n"
            file more.dat "more\\n"
            """)
        try withDrive(container) { drive in
            try shell("echo older >Notes.txt; echo old >Notes.txt; echo again >Other.txt; mv Other.txt Notes.txt; echo more >>more.dat; echo more >more.dat; mv more.dat words.dat", in: drive.mountpoint).good()
            #expect(try drive.text("Notes.txt") == "again\n" && valise("versions", "-q", drive.path("Notes.txt")).lines.count == 1)
            #expect(try container.deleted() == ["Notes.txt", "words.dat"])
            try shell("mv .valise/deleted/*/Notes.txt Before.txt; mv .valise/deleted/*/words.dat Words.txt", in: drive.mountpoint).good()
            #expect(try drive.text("Before.txt") == "old\n" && valise("versions", "-q", drive.path("Before.txt")).lines.count == 2)
            #expect(try drive.text("words.dat") == "more\n" && drive.text("Words.txt") == "w\n")
            #expect(try container.deleted() == [])
        }
        #expect(try valise("check", container.path).code == 0)
    }
}
