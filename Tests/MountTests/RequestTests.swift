import Foundation
import MountTesting
import Testing

/// What the usual doings cost, counted in requests: counts are the same on a busy machine.
@Suite(.mounting) struct RequestTests {
    @Test func listingAThousandPackages() throws {
        let container = try TemporaryContainer("photos 1000 IMG_")
        try withDrive(container) { drive in
            let first = try drive.requests { try list(drive, lines: 1001) }
            #expect(first["OPENDIR"] == 1 && first["RELEASEDIR"] == 1, "\(first)")
            #expect((1...60).contains(first["READDIRPLUS"] ?? 0), "\(first)")
            #expect(first["READDIR"] == nil && first["LOOKUP", default: 0] <= 1, "\(first)")
            #expect(first["GETATTR", default: 0] <= 4 && first["GETXATTR", default: 0] <= 4, "\(first)")
            let others = first.filter { !["OPENDIR", "RELEASEDIR", "READDIRPLUS", "GETATTR", "GETXATTR", "LOOKUP"].contains($0.key) }
            #expect(others.isEmpty, "\(others)")

            let second = try drive.requests { try list(drive, lines: 1001) }
            #expect(second["READDIRPLUS"] == nil && second["READDIR"] == nil && second["LOOKUP"] == nil, "\(second)")
            #expect(second["OPENDIR"] == 1 && second["RELEASEDIR"] == 1, "\(second)")
            #expect(second["GETATTR", default: 0] <= 4 && second["GETXATTR", default: 0] <= 4, "\(second)")
        }
    }

    private func list(_ drive: MountedDrive, lines: Int) throws {
        #expect(try run("ls", "-l", drive.mountpoint).good().lines.count == lines)
    }

    @Test(arguments: ["Cat.png", "Swift.url", "Notes.txt", "plain.bin"]) func openingOne(_ name: String) throws {
        let container = try TemporaryContainer("""
            photo Album/Cat png size=20000
            bookmark Album/Swift https://www.swift.org/ inside
            text Album/Notes hello
            file Album/plain.bin bytes
            """)
        try withDrive(container) { drive in
            try knowFolders(of: drive, "Album")
            let counts = try drive.requests {
                let descriptor = open(drive.path("Album/\(name)"), O_RDONLY | O_CLOEXEC)
                #expect(descriptor >= 0)
                var buffer = [UInt8](repeating: 0, count: 65536)
                #expect(read(descriptor, &buffer, buffer.count) > 0)
                close(descriptor)
            }
            #expect(counts == ["LOOKUP": 1, "OPEN": 1, "READ": 1, "RELEASE": 1])
        }
    }

    /// Has the drive follow its top and the folders in it, and the kernel ask for these anew: what it is told of them then holds for as long as it is so.
    private func knowFolders(of drive: MountedDrive, _ folders: String...) throws {
        try run("ls", drive.mountpoint).good()
        try Program(["stat", "--cached=never", drive.mountpoint] + folders.map(drive.path)).wait().good()
    }

    @Test(.enabled("only root may have the kernel read further ahead") { getuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" })
    func requestsAreAsLargeAsTheyMayBe() throws {
        try withDrive(try TemporaryContainer("photo Cat png size=16777216")) { drive in
            let counts = try drive.requests { try run("dd", "if=\(drive.path("Cat.png"))", "of=/dev/null", "bs=128K").good() }
            // 32 of 512 KiB, and smaller ones where the kernel sees that it is read from end to end.
            #expect((32...36).contains(counts["READ", default: 0]), "\(counts)")
        }
    }

    /// Set-id bits and capabilities, which a write may end, are no matter of a request more for each.
    @Test func writingAPlainFile() throws {
        try withDrive(try TemporaryContainer(), options: "rw") { drive in
            let counts = try drive.requests { try run("dd", "if=/dev/zero", "of=\(drive.path("plain.bin"))", "bs=64K", "count=100").good() }
            #expect(counts["WRITE"] == 100 && counts["GETXATTR", default: 0] <= 1 && counts["SETATTR"] == nil, "\(counts)")
        }
    }

    @Test func askingForTheCountsIsNotCounted() throws {
        try withDrive(try TemporaryContainer("text Notes one")) { drive in
            try knowFolders(of: drive)
            let counts = try drive.requests {
                for _ in 0..<3 { _ = try drive.status() }
                try run("ls", "-l", drive.path(".valise")).good()
            }
            #expect(counts.isEmpty, "\(counts)")
        }
    }

    @Test func whatIsKnownIsNotAskedAgain() throws {
        let container = try TemporaryContainer("photo Cat png size=20000")
        try withDrive(container) { drive in
            try run("cat", drive.path("Cat.png")).good()
            let counts = try drive.requests {
                for _ in 0..<10 { try run("stat", drive.path("Cat.png")).good() }
                try run("cat", drive.path("Cat.png")).good()
            }
            #expect(counts["LOOKUP"] == nil && counts["READ"] == nil && counts["FLUSH"] == nil, "\(counts)")
        }
    }

    @Test func aNameThatIsNotThere() throws {
        let container = try TemporaryContainer("photos 200 Album/IMG_")
        try withDrive(container) { drive in
            try knowFolders(of: drive, "Album")
            let counts = try drive.requests { () throws in
                for _ in 0..<3 { #expect(try run("stat", drive.path("Album/nowhere")).code == 1) }
            }
            #expect(counts["LOOKUP", default: 0] <= 3 && counts.keys.allSatisfy { $0 == "LOOKUP" }, "\(counts)")
        }
    }
}
