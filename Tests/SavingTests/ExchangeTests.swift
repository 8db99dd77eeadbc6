import Foundation
import MountTesting
import Testing

/// Names that change places in one call, where documents are among them.
@Suite(.mounting) struct ExchangeTests {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    static let rename = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Rename.self) }

    private func exchange(_ drive: MountedDrive, _ one: String, _ other: String) throws {
        let rename = try #require(Self.rename), exchange: UInt32 = 2
        _ = try checked("renameat2", rename(AT_FDCWD, drive.path(one), AT_FDCWD, drive.path(other), exchange))
    }

    /// A document stays the one that it is under the other name of its kind.
    @Test func documentsOfOneKind() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try drive.makeFolder("A")
            for name in ["Other.url", "A/Inner.url"] { try drive.put(name, link("https://\(name.count).example/")) }
            for name in ["dog.jpg", "A/wolf.png"] { try drive.put(name, image(name.count)) }
            let page = try drive.text("Page.url"), cat = try drive.get("cat.jpg")
            for (one, other) in [("Page.url", "Other.url"), ("Other.url", "A/Inner.url")] { try exchange(drive, one, other) }
            #expect(try drive.text("A/Inner.url") == page)
            let moved = try container.archive("A/Bookmark_Page-1700000000.123456")
            #expect(moved["Bookmark Name"] == "Inner" && moved["Rating"] == "5" && moved["$class"] == "Reader.Bookmark")
            #expect(try drive.text("Page.url") == link("https://9.example/") && drive.text("Other.url") == link("https://11.example/"))
            for (one, other) in [("cat.jpg", "dog.jpg"), ("dog.jpg", "A/wolf.png")] { try exchange(drive, one, other) }
            #expect(try drive.get("A/wolf.png") == cat)
            #expect(try container.bytes("A/wolf.ptk/notes") == Data("the app's own".utf8))
            #expect(try drive.get("cat.jpg") == image(7) && drive.get("dog.jpg") == image(10))
            #expect(try container.staged() == [])
        }
        try withDrive(container, options: "rw") { drive in
            let files = try drive.files()
            #expect(files == ["A/Inner.url", "A/wolf.png", "Other.url", "Page.url", "cat.jpg", "dog.jpg"])
        }
    }

    /// Two that are called alike but for their extensions: the item of the one may have the name that the other one's would get.
    @Test(arguments: [("cat.jpg", "cat.png"), ("cat.png", "cat.jpg")], [false, true]) func photosOfOneName(_ names: (String, String), withDrafts: Bool) throws {
        let container = try TemporaryContainer("photo other png")
        try withDrive(container) { drive in
            for name in ["cat.jpg", "cat.png"] { try drive.put(name, image(name == "cat.jpg" ? 7 : 10)) }
            let drafts = ["cat.jpg": "x", "cat.png": "yy"]
            if withDrafts { for (name, text) in drafts { try shell("printf '\(text)' >'\(name)'", in: drive.mountpoint) } }
            for swapped in [true, false] {
                try exchange(drive, names.0, names.1)
                for (name, other) in [("cat.jpg", "cat.png"), ("cat.png", "cat.jpg")] {
                    let was = swapped ? other : name
                    #expect(try drive.get(name) == (withDrafts ? Data(drafts[was]!.utf8) : image(was == "cat.jpg" ? 7 : 10)), "\(name)")
                }
            }
            #expect(try drive.files() == ["cat.jpg", "cat.png", "other.png"])
        }
        try withDrive(container) { drive in
            let files = try drive.files()
            #expect(files == ["cat.jpg", "cat.png", "other.png"])
        }
    }

    /// The draft that a document was gets another name as the file that it looks like, and nothing is left of it.
    @Test(arguments: ["Page.url", "cat.jpg"]) func aDraftAndAPlainFile(document: String) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let content = try drive.get(document)
            try drive.put("new", content)
            #expect(try run("truncate", "-s", "1", drive.path(document)).code == 1)
            try exchange(drive, "new", document)
            #expect(try drive.get(document) == content && drive.get("new") == content.prefix(1))
        }
        try valise("check", container.path).good()
    }

    /// As programs save that put the new file in the old one's place and then remove the old one.
    /// A file that is a document's draft for a moment has what it was given itself, whatever it becomes.
    @Test(arguments: ["more.txt", "more.dat"]) func whatIsWrittenKeepsWhatItWasGiven(other: String) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw,create=bookmark+text") { drive in
            for (name, text) in [("plain.dat", ""), ("two.dat", "two")] { try drive.put(name, text) }
            try shell("setfattr -n user.tag -v document Page.url; setfattr -n user.tag -v own plain.dat; ln two.dat \"$1\"", other, in: drive.mountpoint).good()
            try drive.rename("Page.url", "Page.url~")
            try drive.rename("plain.dat", "Page.url")
            #expect(drive.fact("state", of: "Page.url") == "draft")
            try exchange(drive, other, "Page.url")
            #expect(try run("getfattr", "--only-values", "-n", "user.tag", drive.path(other)).good().output == "own")
            #expect(drive.fact("kind", of: other) == (other == "more.txt" ? "text" : "plain"))
        }
    }

    @Test func aDocumentAndAPlainFile() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            for (document, content, item) in [
                ("Page.url", Data(link("https://new.example/page").utf8), "Bookmark_Page-1700000000.123456"), ("cat.jpg", image(3000), "cat.ptk/photo.data"),
            ] {
                let before = try drive.get(document), reader = try OpenedFile(drive.path(document))
                try drive.put("new", content)
                try exchange(drive, "new", document)
                #expect(try drive.get(document) == content && drive.get("new") == before)
                #expect(try reader.content() == before)
                #expect(drive.fact("kind", of: document) != "plain" && drive.fact("kind", of: "new") == "plain")
                try drive.remove("new")
                #expect(try container.archive(item)["$class"] == (document == "cat.jpg" ? "PTKData" : "Reader.Bookmark"))
            }
            #expect(try container.archive("Bookmark_Page-1700000000.123456")["Rating"] == "5")
            #expect(try container.bytes("cat.ptk/notes") == Data("the app's own".utf8))
            #expect(try run("getfattr", "--only-values", "-n", "user.tag", container.stored("cat.ptk/photo.data")).good().output == "green")
            #expect(try drive.files() == ["Page.url", "cat.jpg"])
            #expect(try container.staged() == [])
        }
    }

    /// A plain file that has a document's name and content, because it is being written to still.
    @Test(arguments: [("Page.url", "other.url"), ("cat.jpg", "other.jpg")]) func aDocumentAndWhatIsToBeOne(document: String, other: String) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let before = try drive.get(document), content = document == "cat.jpg" ? image(70) : Data(link("https://fresh.example/").utf8)
            let file = try OpenedFile(drive.path("scratch"), O_RDWR | O_CREAT)
            try file.write("no")
            try drive.rename("scratch", other)
            try file.write(content, at: 0)
            try exchange(drive, document, other)
            #expect(try drive.get(document) == content && drive.get(other) == before)
            try file.close()
            #expect(try drive.get(document) == content && drive.get(other) == before)
            #expect(try drive.files() == ["Page.url", "cat.jpg", other].sorted())
            // The app's own goes along with the document.
            let item = document == "cat.jpg" ? "other.ptk/photo.data" : "Bookmark_Page-1700000000.123456"
            #expect(try container.archive(item)[document == "cat.jpg" ? "Extra" : "Rating"] != nil)
            #expect(try container.staged() == [])
        }
    }

    @Test func documentsOfTwoKinds() throws {
        let container = try appDocuments()
        try container.add("text note words")
        try withDrive(container, options: "rw") { drive in
            let page = try drive.text("Page.url")
            try drive.put("note.txt", link("https://noted.example/"))
            try exchange(drive, "note.txt", "Page.url")
            #expect(try drive.text("note.txt") == page && container.bytes("note.stedoc") == Data(page.utf8))
            let archive = try container.archive("Bookmark_Page-1700000000.123456")
            #expect(archive["Bookmark URL"] == "https://noted.example/" && archive["Rating"] == "5")
        }
    }

    /// What is not the right content for a document's name is refused, and both stay what they are.
    @Test func whatDoesNotFitStays() throws {
        let container = try appDocuments()
        try container.add("text note words")
        try withDrive(container, options: "rw") { drive in
            let page = try drive.text("Page.url"), stored = try container.storedFiles()
            try drive.put("note.txt", "no link")
            try drive.put("plain", "no link")
            for other in ["note.txt", "plain", "cat.jpg"] {
                #expect(throws: Refused(call: "renameat2", number: EMEDIUMTYPE)) { try exchange(drive, "Page.url", other) }
            }
            #expect(throws: Refused(call: "renameat2", number: ENOENT)) { try exchange(drive, "Page.url", "nothing") }
            #expect(try drive.text("Page.url") == page)
            #expect(try container.storedFiles() == (stored + ["plain"]).sorted())
            #expect(try container.staged() == [])
        }
    }

    @Test func aDocumentAndAFolder() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let page = try drive.text("Page.url")
            try drive.makeFolder("Folder")
            try drive.put("Folder/inner.txt", "inner")
            try exchange(drive, "Folder", "Page.url")
            #expect(try drive.text("Folder") == page && drive.text("Page.url/inner.txt") == "inner")
            // And back: a plain file becomes a document by its name.
            try exchange(drive, "Page.url", "Folder")
            #expect(try drive.text("Page.url") == page && drive.text("Folder/inner.txt") == "inner")
            #expect(drive.fact("kind", of: "Page.url") == "bookmark")
        }
    }

    /// What is written goes with the name that it was written under.
    @Test func withWritersAndDrafts() throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try drive.put("Other.url", link("https://other.example/"))
            #expect(throws: Refused(call: "close", number: EINVAL)) { try drive.put("Page.url", "garbage") }
            try exchange(drive, "Page.url", "Other.url")
            #expect(try drive.text("Other.url") == "garbage" && drive.text("Page.url") == link("https://other.example/"))
            let writer = try OpenedFile(drive.path("cat.jpg"), O_RDWR), plain = try OpenedFile(drive.path("new"), O_RDWR | O_CREAT)
            try plain.write(image(50))
            try writer.write("ZZ", at: 30)
            let edited = try writer.content()
            try exchange(drive, "new", "cat.jpg")
            try plain.write("late", at: 40)
            try plain.close()
            try writer.write("late", at: 40)
            try writer.close()
            var wanted = image(50), old = edited
            wanted.replaceSubrange(40..<44, with: Data("late".utf8))
            old.replaceSubrange(40..<44, with: Data("late".utf8))
            #expect(try drive.get("cat.jpg") == wanted && drive.get("new") == old)
            try drive.kill()
        }
        try withDrive(container, options: "rw") { drive in
            let other = try drive.text("Other.url"), page = try drive.text("Page.url"), status = try drive.status()
            #expect(other == "garbage" && page == link("https://other.example/"))
            #expect(status.reason(of: "Other.url") != nil)
        }
    }
}
