import Foundation
import MountTesting
import Testing

/// A file with two names is one file: number, attributes, content and open handles are the same under both.
@Suite(.mounting) struct LinkTests {
    private func status(_ path: String) throws -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Failed("\(path): \(String(cString: strerror(errno)))") }
        return status
    }

    @Test func bothNamesAreOneFile() throws {
        try withDrive(TemporaryContainer()) { drive in
            let (one, two) = (drive.path("one"), drive.path("folder/two"))
            try shell("echo first >one && mkdir folder && ln one folder/two", in: drive.mountpoint).good()
            let (first, second) = try (status(one), status(two))
            #expect(first.st_ino == second.st_ino && first.st_nlink == 2 && second.st_nlink == 2)
            #expect(chmod(two, 0o600) == 0 && truncate(two, 3) == 0)
            let after = try status(one)
            #expect(after.st_mode & 0o777 == 0o600 && after.st_size == 3)
            // What is written by one name is read by the other while both are open, and in what is mapped.
            try shell("exec 3<>one 4<folder/two; printf abc >&3; test \"$(cat <&4)\" = abc", in: drive.mountpoint).good()
            #expect(unlink(one) == 0)
            #expect(try status(two).st_nlink == 1 && status(two).st_ino == first.st_ino)
            #expect(rename(two, one) == 0)
            #expect(try status(one).st_ino == first.st_ino)
        }
    }

    @Test func namesThatWereThereAlreadyAreOneFile() throws {
        let container = try TemporaryContainer("file one \"first\\n\"\nfolder sub\n")
        try shell("ln one sub/two; ln one sub/three", in: container.path).good()
        try withDrive(container) { drive in
            let found = try shell("ls -i one sub/two | cut -d' ' -f1 | sort -u | wc -l; ls -1i sub | cut -d' ' -f1 | sort -u | wc -l", in: drive.mountpoint).good()
            #expect(found.lines == ["1", "1"])
            // The name by which the drive found the file goes behind its back, and then in front of it.
            try shell("rm one", in: container.path).good()
            #expect(try shell("cat sub/two; stat -c %h sub/three", in: drive.mountpoint).good().lines == ["first", "2"])
            try shell("exec 3<sub/two; rm sub/two; cat <&3; cat sub/three; stat -c %h sub/three", in: drive.mountpoint).good()
        }
    }

    /// Many names in one folder go while it is listed: none may be missed.
    @Test func aFolderOfLinksIsRemoved() throws {
        try withDrive(TemporaryContainer()) { drive in
            try shell("mkdir many && touch many/0 && for i in $(seq 300); do ln many/0 many/$i; done", in: drive.mountpoint).good()
            #expect(try shell("stat -c %h many/0; ls many | wc -l; ls -i many | sed 's/^ *//' | cut -d' ' -f1 | sort -u | wc -l", in: drive.mountpoint).good().lines == ["301", "301", "1"])
            try shell("rm -r many", in: drive.mountpoint).good()
        }
    }

    /// `tar` and `rsync -H` know links by their number.
    @Test func programsKeepLinks() throws {
        try withDrive(TemporaryContainer()) { drive in
            try shell("mkdir a b && echo x >a/1 && ln a/1 a/2 && tar cf - a | tar xf - -C b && rsync -aH a/ c", in: drive.mountpoint).good()
            for folder in ["b/a", "c"] {
                let (one, two) = try (status(drive.path(folder + "/1")), status(drive.path(folder + "/2")))
                #expect(one.st_ino == two.st_ino && one.st_nlink == 2, "\(folder)")
            }
        }
    }

    /// A file without a name may be given one, and is a document then if it looks like one.
    @Test func aFileWithoutANameIsGivenOne() throws {
        let container = try TemporaryContainer("text Notes \"Here\\n\"\n")
        try withDrive(container) { drive in
            for (name, stored) in [("plain.dat", "plain.dat"), ("List.txt", "List.stedoc")] {
                let file = open(drive.mountpoint, Self.nameless | O_RDWR, 0o640)
                try #require(file >= 0, "\(String(cString: strerror(errno)))")
                var facts = stat()
                #expect(fstat(file, &facts) == 0 && facts.st_nlink == 0 && facts.st_mode & S_IFMT == S_IFREG)
                #expect(write(file, "bread\n", 6) == 6)
                #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, drive.path(name), AT_SYMLINK_FOLLOW) == 0)
                #expect(try status(drive.path(name)).st_ino == facts.st_ino && status(drive.path(name)).st_nlink == 1)
                close(file)
                #expect(eventually { FileManager.default.fileExists(atPath: container.stored(stored)) })
                #expect(try String(contentsOfFile: drive.path(name), encoding: .utf8) == "bread\n")
            }
            // One that is not to have a name gets none, and leaves nothing.
            let file = open(drive.mountpoint, Self.nameless | O_RDWR | O_EXCL, 0o600)
            try #require(file >= 0)
            #expect(write(file, "x", 1) == 1)
            #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, drive.path("never"), AT_SYMLINK_FOLLOW) == -1 && errno == ENOENT)
            close(file)
            #expect(try FileManager.default.contentsOfDirectory(atPath: drive.mountpoint).sorted() == ["List.txt", "Notes.txt", "plain.dat"])
        }
    }

    /// `O_TMPFILE`, which only GNU sources see.
    private static let nameless: Int32 = 0o20000000 | O_DIRECTORY
}
