import Foundation
import MountTesting
import Testing

/// What is noted of reading: as on the file system below, also where the kernel has everything in its memory and asks the drive for nothing.
@Suite(.mounting) struct AccessTimeTests {
    private static let documents = """
        bookmark one https://www.swift.org/
        photo one png size=20000
        text one hello
        file one.bin bytes
        """

    /// Programs that read mail see by it whether somebody has read it.
    @Test func accessesAreNotedAsInAPlainFolder() throws {
        let container = try TemporaryContainer(Self.documents), other = try TemporaryFolder()
        try withDrive(container) { drive in
            try shell("cp one.* \"$1\"", other.path, in: drive.mountpoint).good()
            let script = Places.support("accesses.py")
            for _ in 0..<3 {
                let plain = try run("python3", script, other.path).good().lines
                let shown = try run("python3", script, drive.mountpoint).good().lines
                #expect(shown.count == plain.count && plain.count > 50)
                let different = zip(plain, shown).filter { $0 != $1 }.map { "\($1), and in a plain folder \($0)" }
                #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
                for folder in [drive.mountpoint, other.path] { try shell("rm -r folder empty.bin", in: folder).good() }
            }
        }
    }

    /// Nor does a program of ours that looks for something in all folders read them for anybody.
    @Test(arguments: ["status", "conflicts", "check", "find TRUEPREDICATE"]) func whatLooksThroughADriveIsNoAccess(verb: String) throws {
        let container = try TemporaryContainer("folder Album\n" + Self.documents)
        try withDrive(container) { drive in
            try shell("ls -lR >/dev/null; touch -a -d 2001-01-01 Album", in: drive.mountpoint).good()
            for place in [drive.mountpoint, container.path] where place == drive.mountpoint || verb != "status" {
                try Program([Places.valise] + verb.split(separator: " ").map(String.init) + [place], environment: ["XDG_CACHE_HOME": container.beside("cache")]).wait().good()
            }
            #expect(try shell("stat -c %X Album", in: container.path).good().output == shell("date -d 2001-01-01 +%s").good().output)
        }
    }

    /// The drive reads documents to know what they are, and a save reads what it saves. No program has read them.
    @Test func whatTheDriveReadsForItselfIsNoAccess() throws {
        let container = try TemporaryContainer(Self.documents)
        func accesses() throws -> [String] { try Self.accesses(in: container) }
        try shell("find . -type f -exec touch -a -d 2001-01-01 {} +", in: container.path).good()
        let before = try accesses()
        try withDrive(container) { drive in
            try shell("ls -lR; stat *; mv one.txt two.txt; mv two.txt one.txt; mv one.bin two.bin; mv two.bin one.bin", in: drive.mountpoint).good()
            try run(Places.valise, "check", container.path).good()
            let after = try accesses()
            #expect(after == before, "\(after), and before \(before)")
            // Nor when it is mounted again, with what was saved.
            try shell("printf 'new' >one.txt", in: drive.mountpoint).good()
        }
        try withDrive(container) { drive in
            // An access from now on would be of a later second.
            try shell("sleep 1.1; ls -l", in: drive.mountpoint).good()
            #expect(try shell("[ $(stat -c %X one.txt) -le $(stat -c %Y one.txt) ]", in: drive.mountpoint).code == 0)
        }
    }

    /// Nothing is noted on such a drive, neither of what is read for somebody nor of what the kernel remembers.
    @Test(arguments: ["ro", "noatime"]) func someDrivesNoteNothing(options: String) throws {
        let container = try TemporaryContainer(Self.documents + "\nfolder In\nfile In/some text")
        try withDrive(container, options: options) { drive in
            try shell("find . -exec touch -a -d 2001-01-01 {} +", in: container.path).good()
            let before = try Self.accesses(in: container)
            for _ in 0..<2 { try shell("ls -lR; cat one.* In/some; stat *", in: drive.mountpoint).good() }
            let after = try Self.accesses(in: container)
            #expect(after == before, "\(after), and before \(before)")
        }
    }

    /// The first time, the kernel asks for the content and the store notes that. From then on the kernel has the content in memory, and the drive notes it.
    @Test(arguments: ["one.url", "one.png", "one.txt", "one.bin"]) func firstAndSecondReadingsAreNoted(name: String) throws {
        let container = try TemporaryContainer(Self.documents)
        try shell("find . -type f -exec touch -a -d 2001-01-01 {} +", in: container.path).good()
        try withDrive(container) { drive in
            let file = drive.path(name)
            func accessed() throws -> Int { try #require(Int(try shell("stat -c %X \"$1\"", file).good().output.trimmingCharacters(in: .whitespacesAndNewlines))) }
            func read(_ flags: Int32 = 0) throws -> [String: Int] {
                let requests = try drive.requests {
                    let descriptor = open(file, O_RDONLY | O_CLOEXEC | flags)
                    #expect(descriptor >= 0)
                    var buffer = [UInt8](repeating: 0, count: 65536)
                    #expect(Foundation.read(descriptor, &buffer, buffer.count) > 0)
                    close(descriptor)
                }
                return requests.filter { Self.readingRequests.contains($0.key) }
            }
            let old = try accessed(), isNew = Int(Date().timeIntervalSince1970) - 600
            #expect(old < 1_000_000_000)
            #expect(try read() == ["OPEN": 1, "READ": 1])
            #expect(try accessed() > isNew)
            try shell("touch -a -d 2001-01-01 \"$1\"", file).good()
            #expect(try read() == ["OPEN": 1])
            #expect(try accessed() > isNew)
            try shell("touch -a -d 2001-01-01 \"$1\"; stat \"$1\"", file).good()
            #expect(try read(Self.untraced) == ["OPEN": 1])
            #expect(try accessed() == old)
        }
    }

    private static let untraced: Int32 = 0o1000000
    /// On a slow machine the kernel may ask for names and attributes again at any time. How often it has to is in `RequestTests` and `AccessNotesTests`.
    private static let readingRequests: Set = ["OPEN", "READ", "SETATTR", "WRITE"]

    /// The access times of all files. To look at a folder would be to read it, and photos get thumbnails by a new file.
    private static func accesses(in container: TemporaryContainer) throws -> [String] {
        try shell("find . -path ./.valise -prune -o -type f ! -name photo.metadata -printf '%P %A@\\n' | sort", in: container.path).good().lines
    }

    /// It costs no request but the opening, and programs that follow the container are told of no change.
    @Test(arguments: ["one.url", "one.png", "one.txt", "one.bin"]) func notingIsNoChange(name: String) throws {
        let container = try TemporaryContainer(Self.documents)
        try withDrive(container) { drive in
            let file = drive.path(name)
            func states() throws -> [String] {
                try shell("find . -path ./.valise -prune -o -type f ! -name photo.metadata -printf '%P %T@ %C@\\n' | sort", in: container.path).good().lines
            }
            try run("cat", file).good()
            try shell("touch -a -d '1 hour ago' \"$1\"; touch -m \"$1\"; stat \"$1\"", file).good()
            let before = try states()
            let read = try drive.requests { for _ in 0..<3 { try run("cat", file).good(); try run("stat", file).good() } }
            #expect(read.filter { Self.readingRequests.contains($0.key) } == ["OPEN": 3], "\(read)")
            #expect(try states() == before)
            #expect(try shell("[ $(stat -c %X \"$1\") -gt $(( $(date +%s) - 600 )) ]", file).code == 0)
        }
    }
}
