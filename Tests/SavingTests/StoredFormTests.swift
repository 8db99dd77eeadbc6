import Foundation
import MountTesting
import Testing

/// A folder as an app keeps it that is copied onto a drive: each document arrives as itself, and again as the same one. (How packages do is tried by
/// `GrowingPackageTests`.)
@Suite(.mounting) struct StoredFormTests {
    private static let documents = "bookmark Swift https://www.swift.org/\nbookmark Rust https://www.rust-lang.org/\ntext Notes \"one\\n\"\nphoto Cat png\nfolder Trip\ntext Trip/List two\nphoto Trip/Dog png"

    private func contents(_ folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where !path.hasPrefix(".valise") {
            found[path] = FileManager.default.contents(atPath: folder + "/" + path) ?? Data()
        }
        return found
    }

    @Test(arguments: ["cp -r \"$1\"/. .", "cp -a \"$1\"/. .", "rsync -a \"$1\"/ .", "rsync -a --inplace \"$1\"/ ."]) func aFolderOfAnApp(copying: String) throws {
        let source = try TemporaryContainer(Self.documents), container = try TemporaryContainer("")
        try? FileManager.default.removeItem(atPath: source.stored(".valise"))
        try withDrive(container, options: "rw") { drive in
            for _ in 1...3 {
                try shell(copying, source.path, in: drive.mountpoint).good()
                #expect(try shell("find . -name .valise -prune -o -type f -printf '%P\\n' | sort", in: drive.mountpoint).good().lines
                    == ["Cat.png", "Notes.txt", "Rust.url", "Swift.url", "Trip/Dog.png", "Trip/List.txt"])
                #expect(try contents(container.path) == contents(source.path))
                // Nothing that is the same is a version.
                #expect(try !run(Places.valise, "versions", drive.path("Swift.url")).output.contains("  1  "))
            }
        }
    }

    /// It is the document, also for who writes to it or takes it away.
    @Test func theItemsNameIsTheDocuments() throws {
        let container = try TemporaryContainer(Self.documents)
        try withDrive(container, options: "rw") { drive in
            let item = try #require(FileManager.default.contentsOfDirectory(atPath: container.path).first { $0.hasPrefix("Bookmark_Swift") })
            try shell("cat Notes.stedoc; echo three >>Notes.stedoc; cat Notes.txt; [ Notes.txt -ef Notes.stedoc ]; sed -i s/swift/rust/ \"$1\"; cat Swift.url", item, in: drive.mountpoint).good()
            #expect(try drive.text("Notes.txt") == "one\nthree\n" && drive.text("Swift.url").contains("rust.org"))
            // Another bookmark over it has its address, and the name that it has here.
            let other = try #require(FileManager.default.contentsOfDirectory(atPath: container.path).first { $0.hasPrefix("Bookmark_Rust") })
            try shell("cp \"$2/$1\" Swift.url; cp \"$2/$1\" New.url", other, container.path, in: drive.mountpoint).good()
            for name in ["Swift.url", "New.url"] { #expect(try drive.text(name).contains("rust-lang")) }
            #expect(try drive.files().filter { $0.hasSuffix(".url") }.sorted() == ["New.url", "Rust.url", "Swift.url"])
            try shell("rm Notes.stedoc; mv \"$1\" Old.url; ! mkdir Cat.ptk; mkdir Other", other, in: drive.mountpoint).good()
            let files = try drive.files().sorted()
            #expect(files == ["Cat.png", "New.url", "Old.url", "Swift.url", "Trip/Dog.png", "Trip/List.txt"])
            #expect(try container.deleted() == ["Notes.txt"])
        }
    }

    /// What replaces a document under its item's name is it, also for who had looked at the document before: the kernel forgets what it knew.
    @Test func whatReplacesItUnderTheItemsNameIsIt() throws {
        let container = try TemporaryContainer(Self.documents)
        try withDrive(container, options: "rw") { drive in
            try shell("cat Notes.txt; printf 'other\\n' >Notes.tmp; mv Notes.tmp Notes.stedoc", in: drive.mountpoint).good()
            #expect(eventually {
                let size = "import os, sys; print(os.fstat(os.open(sys.argv[1], os.O_PATH)).st_size)"
                return (try? run("python3", "-c", size, drive.path("Notes.txt")))?.output == "6\n"
            })
            #expect(try drive.text("Notes.txt") == "other\n")
        }
    }

    /// A text is one for the next drive, too, whatever its name begins with.
    @Test func aTextThatIsCalledLikeABookmark() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container, options: "rw,create=bookmark+text") { drive in
            try shell("echo hello >Bookmark_x.txt; : >Bookmark_empty.csv; echo words >Bookmark_list.md", in: drive.mountpoint).good()
            #expect(try container.storedFiles() == ["Bookmark_empty.csv", "Bookmark_list.md", "Bookmark_x.stedoc", "Notes.stedoc"])
        }
        #expect(try valise("check", container.path).good().output.contains("2 texts"))
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files()
            #expect(files == ["Bookmark_empty.csv", "Bookmark_list.md", "Bookmark_x.txt", "Notes.txt"])
            #expect(try drive.text("Bookmark_x.txt") == "hello\n" && drive.text("Bookmark_empty.csv") == "")
        }
    }
}
