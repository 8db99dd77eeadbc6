import Foundation
import MountTesting
import Testing

/// Documents from their making to their end: what the container has after each step.
@Suite(.mounting) struct DocumentLifeTests {
    @Test func aCopiedImageIsAPhoto() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let bytes = image(10_000)
            try bytes.write(to: URL(fileURLWithPath: container.beside("cat.jpg")))
            try run("cp", container.beside("cat.jpg"), drive.mountpoint).good()
            #expect(try container.archive("cat.ptk/photo.data")["Photo"] == digest(bytes))
            #expect(try drive.get("cat.jpg") == bytes)
            #expect(drive.fact("kind", of: "cat.jpg") == "photo")
        }
    }

    @Test func anEditedBookmarkKeepsItsOtherFields() throws {
        let container = try TemporaryContainer("bookmark Swift https://www.swift.org/")
        try withDrive(container, options: "rw") { drive in
            let before = try container.onlyBookmark()
            try drive.put("Swift.url", link("https://forums.swift.org/"))
            // But for what Valise notes for itself.
            let after = try container.onlyBookmark().filter { !$0.key.hasPrefix("Valise ") }
            #expect(after == before.merging(["Bookmark URL": "https://forums.swift.org/"]) { $1 })
        }
    }

    /// What a link file says beside its URL comes back byte for byte, through every change of name.
    @Test func oddLinkFilesKeepTheirBytes() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            let odd = "; by hand\r\n[InternetShortcut]\r\nIconFile=x.ico\r\nURL=https://odd.example/\r\n"
            try drive.put("Odd.url", odd)
            let stored = try container.storedFiles()
            try drive.rename("Odd.url", "Even.url")
            #expect(try drive.text("Even.url") == odd)
            #expect(try container.storedFiles() == stored)
            try drive.makeFolder("Folder")
            try drive.rename("Even.url", "Folder/Inner.url")
            #expect(try drive.text("Folder/Inner.url") == odd)
            try drive.rename("Folder", "Other")
            #expect(try drive.text("Other/Inner.url") == odd)
            try drive.rename("Other/Inner.url", "Inner.dat")
            #expect(try container.bytes("Inner.dat") == Data(odd.utf8))
            try drive.rename("Inner.dat", "Again.url")
            #expect(try drive.text("Again.url") == odd)
            #expect(try container.onlyBookmark()["Bookmark Name"] == "Again")
            // Another form, and back.
            try drive.rename("Again.url", "Again.webloc")
            #expect(try drive.text("Again.webloc").contains("<string>https://odd.example/</string>"))
            try drive.rename("Again.webloc", "Again.url")
            #expect(try drive.text("Again.url") == odd)
            #expect(try container.onlyBookmark()["Bookmark URL"] == "https://odd.example/")
        }
    }

    @Test func renamedPhotosTakeAllTheyHaveAlong() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let bytes = try drive.get("cat.jpg")
            try drive.rename("cat.jpg", "dog.jpg")
            #expect(try container.bytes("dog.ptk/notes") == Data("the app's own".utf8))
            #expect(try container.archive("dog.ptk/photo.data")["Extra"] == "7")
            try drive.rename("dog.jpg", "dog.bin")
            #expect(try container.bytes("dog.bin") == bytes)
            try drive.rename("dog.bin", "dog.jpg")
            #expect(try container.bytes("dog.ptk/notes") == Data("the app's own".utf8))
            #expect(try drive.get("dog.jpg") == bytes)
        }
    }

    @Test func deletedDocumentsAreGone() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try drive.remove("Page.url")
            try drive.remove("cat.jpg")
            #expect(try drive.files() == [])
            #expect(try container.storedFiles() == [])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.stored(".valise/staging")) == [])
    }

    @Test func modesOwnersAndTimesAreKept() throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { drive in
            for (name, bytes) in [("Page.url", Data(link("https://a.example/").utf8)), ("cat.jpg", image(500)), ("note.txt", Data("note".utf8))] {
                let file = try OpenedFile(drive.path(name), O_WRONLY | O_CREAT | O_EXCL)
                try file.write(bytes)
                try file.setModified(1_000_000_000)
                try file.setMode(0o640)
                try file.close()
                var facts = try drive.status(of: name)
                #expect(facts.st_mtim.tv_sec == 1_000_000_000 && facts.st_mode & 0o7777 == 0o640, "\(name)")
                try run("chown", "1234:4321", drive.path(name)).good()
                try run("chmod", "600", drive.path(name)).good()
                try drive.put(name, bytes + bytes.suffix(0))
                facts = try drive.status(of: name)
                #expect(facts.st_uid == 1234 && facts.st_gid == 4321 && facts.st_mode & 0o7777 == 0o600, "\(name)")
                #expect(facts.st_mtim.tv_sec > 1_000_000_000, "\(name)")
            }
            try run("touch", "-d", "@1234567890", drive.path("cat.jpg")).good()
            for (old, new) in [("cat.jpg", "dog.jpg"), ("dog.jpg", "dog.bin"), ("dog.bin", "cat.jpg")] {
                try drive.rename(old, new)
                let facts = try drive.status(of: new)
                #expect(facts.st_mtim.tv_sec == 1_234_567_890 && facts.st_uid == 1234 && facts.st_mode & 0o7777 == 0o600, "\(new)")
            }
        }
    }

    /// A file's attributes go along when it becomes a document, and a document's when it becomes a plain file.
    @Test func attributesGoAlong() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            func attribute(_ label: String, of name: String) throws -> String {
                try run("getfattr", "--only-values", "-n", "user." + label, drive.path(name)).good().output
            }
            for (name, bytes) in [("new.url", Data(link("https://new.example/").utf8)), ("new.jpg", image(500)), ("new.txt", Data("new".utf8))] {
                let source = container.beside(name)
                try bytes.write(to: URL(fileURLWithPath: source))
                try run("setfattr", "-n", "user.colour", "-v", "green", source).good()
                try run("cp", "--preserve=xattr", source, drive.path("copied " + name)).good()
                try run("mv", source, drive.path(name)).good()
                #expect(try attribute("colour", of: "copied " + name) == "green" && attribute("colour", of: name) == "green")
                try drive.rename(name, "plain")
                #expect(try attribute("colour", of: "plain") == "green")
                try drive.rename("plain", "again " + name)
                #expect(try attribute("colour", of: "again " + name) == "green")
            }
            // What comes over a document brings its own, and the document keeps what it has.
            for (name, bytes, tag) in [("Page.url", Data(link("https://new.example/").utf8), "blue"), ("cat.jpg", image(500), "red")] {
                try drive.put("new", bytes)
                try run("setfattr", "-n", "user.colour", "-v", "green", drive.path("new")).good()
                try drive.rename("new", name)
                #expect(try attribute("colour", of: name) == "green" && attribute("tag", of: name) == tag)
            }
        }
    }

    /// Two items with one name: each keeps its own file, and what is written to it.
    @Test func namesThatCollide() throws {
        let container = try TemporaryContainer("""
            bookmark Page https://one.example/ stored=Bookmark_Page-1000000000.000001
            bookmark Page https://two.example/ stored=Bookmark_Page-1000000000.000002
            """)
        try withDrive(container, options: "rw") { drive in
            try drive.put("Page 1.url", link("https://three.example/"))
            #expect(try container.archive("Bookmark_Page-1000000000.000001")["Bookmark URL"] == "https://one.example/")
            let second = try container.archive("Bookmark_Page-1000000000.000002")
            #expect(second["Bookmark URL"] == "https://three.example/" && second["Bookmark Name"] == "Page")
            // One title and three types of image: three packages.
            let images = ["x.jpg": image(100), "x.jpeg": image(200), "x.png": Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 90))]
            for (name, bytes) in images { try drive.put(name, bytes) }
            for (name, bytes) in images { #expect(try drive.get(name) == bytes) }
        }
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files(), bytes = try drive.get("x.jpeg")
            #expect(files == ["Page 1.url", "Page.url", "x.jpeg", "x.jpg", "x.png"])
            #expect(bytes == image(200))
        }
    }

    @Test(arguments: ["ä ö.url", String(repeating: "x", count: 251) + ".url", String(repeating: "é", count: 120) + ".txt", "-.url", "a\nb.url", "a;b%.txt", "tab\t.url"])
    func oddNames(name: String) throws {
        let container = try TemporaryContainer()
        try withDrive(container, options: "rw") { try $0.put(name, link("https://odd.example/")) }
        try withDrive(container, options: "rw") { drive in
            #expect(try drive.text(name) == link("https://odd.example/"))
            try drive.rename(name, "even" + name.suffix(4))
            #expect(try drive.files() == ["even" + name.suffix(4)])
        }
    }
}
