import Foundation
import MountTesting
import Testing

/// `valise import` and `valise export`, as people call them.
@Suite(.long, .waiting) struct ImportTests {
    private func page(_ count: Int) -> String {
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n" + (0..<count).map { index in
            (index % 100 == 0 ? "\(index == 0 ? "" : "</DL>\n")<DT><H3>Folder \(index / 100)</H3>\n<DL>\n" : "") + "<DT><A HREF=\"https://example.org/\(index)\" ADD_DATE=\"1700000000\" TAGS=\"t\(index % 7)\">Site \(index)</A>\n"
        }.joined() + "</DL></DL>\n"
    }

    private func answer(_ words: String...) throws -> [String: Any] {
        let ended = try Program([Places.valise] + words).wait().good()
        return try #require(JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
    }

    private func made() throws -> (container: TemporaryContainer, file: String) {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("bookmarks.html")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        try page(250).write(toFile: file, atomically: true, encoding: .utf8)
        return (container, file)
    }

    private func bookmarks(_ container: TemporaryContainer) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: container.path)) ?? []).filter { !$0.hasPrefix(".valise") && $0.contains("Bookmark_") }
    }

    @Test func twiceAddsNothingAndUndoTakesItBack() throws {
        let (container, file) = try made()
        #expect(try answer("import", "--dry-run", "--json", file, container.path)["added"] as? Int == 250)
        #expect(bookmarks(container).isEmpty)
        let first = try answer("import", "--json", file, container.path)
        #expect(first["added"] as? Int == 250 && first["newFolders"] as? Int == 3 && first["faultCount"] as? Int == 0)
        #expect(bookmarks(container).count == 250)
        let second = try answer("import", "--json", file, container.path)
        #expect(second["added"] as? Int == 0 && second["known"] as? Int == 250)
        // What it exports is there already, too, with its dates and tags.
        let exported = try run(Places.valise, "export", container.path).good().output
        #expect(exported.contains("ADD_DATE=\"1700000000\"") && exported.contains("TAGS=\"t6\""))
        try exported.write(toFile: container.beside("again.html"), atomically: true, encoding: .utf8)
        #expect(try answer("import", "--json", container.beside("again.html"), container.path)["added"] as? Int == 0)
        // One that somebody changed stays.
        let one = try #require(bookmarks(container).first)
        try shell("printf x >>\"$1\"", container.path + "/" + one).good()
        let undone = try answer("import", "--undo", "--json", container.path)
        #expect(undone["removed"] as? Int == 249 && (undone["changed"] as? [String])?.count == 1)
        #expect(bookmarks(container) == [one])
        #expect(try run(Places.valise, "import", "--undo", container.path).code == 1)
        #expect(FileManager.default.fileExists(atPath: container.stored("Notes.stedoc")))
    }

    /// Somebody changes a bookmark's address in the browser, again and again: name and date are the same, and each address comes in once.
    @Test func anAddressThatWasChangedComesInBesideTheOldOne() throws {
        let (container, file) = try made(), addresses = ["one", "two", "three"].map { "https://example.org/\($0)" }
        for address in addresses {
            try "<DL><DT><A HREF=\"\(address)\" ADD_DATE=\"1700000000\">Page</A></DL>".write(toFile: file, atomically: true, encoding: .utf8)
            let first = try answer("import", "--json", file, container.path), second = try answer("import", "--json", file, container.path)
            #expect(first["added"] as? Int == 1 && first["faultCount"] as? Int == 0 && second["known"] as? Int == 1, "\(first) \(second)")
        }
        let exported = try run(Places.valise, "export", container.path).good().output
        #expect(addresses.allSatisfy { exported.contains("\"\($0)\"") }, "\(exported)")
        for left in [2, 1, 0] {
            #expect(try answer("import", "--undo", "--json", container.path)["removed"] as? Int == 1)
            #expect(bookmarks(container).count == left)
        }
    }

    /// A program may have 1024 files open, where nobody has said otherwise.
    @Test func aFolderForEveryLink() throws {
        let (container, file) = try made()
        let links = (0..<2000).map { "<DT><H3>Folder \($0)</H3><DL><DT><A HREF=\"https://example.org/\($0)\">Page</A></DL>" }
        try "<DL>\(links.joined())</DL>".write(toFile: file, atomically: true, encoding: .utf8)
        let ended = try shell("ulimit -n 256; \"$1\" import --json \"$2\" \"$3\"", Places.valise, file, container.path).good()
        #expect(ended.output.contains("\"added\":2000"), "\(ended.output)")
        #expect(bookmarks(container).count == 2000)
        #expect(try answer("import", "--undo", "--json", container.path)["removed"] as? Int == 2000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path).filter { $0.hasPrefix("Folder") }.isEmpty)
    }

    /// What cannot stand in an address is written in another way, and is the same when it comes again.
    @Test func addressesWithControlCharacters() throws {
        let (container, file) = try made()
        let links = ["\u{0}", "\u{1}", "\u{7F}", "\u{85}", "\u{2028}"].enumerated().map { ["type": "url", "name": "Page \($0)", "url": "https://example.org/\($0)\($1)x"] }
        try JSONSerialization.data(withJSONObject: ["roots": ["bookmark_bar": ["type": "folder", "name": "Bar", "children": links]]]).write(to: URL(fileURLWithPath: file))
        for added in [links.count, 0] {
            let told = try answer("import", "--json", file, container.path)
            #expect(told["added"] as? Int == added && told["known"] as? Int == links.count - added && told["faultCount"] as? Int == 0, "\(told)")
        }
        #expect(bookmarks(container).count == links.count)
    }

    /// Two links of one name, whose items have other names, come back from an import that was taken back.
    @Test(.mounting) func namesakesComeBackBoth() throws {
        let container = try TemporaryContainer("text Notes one\nfolder Links"), file = container.beside("Bookmarks")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        try "<DL><DT><A HREF=\"https://one.example/\">Page</A><DT><A HREF=\"https://two.example/\">Page</A></DL>".write(toFile: file, atomically: true, encoding: .utf8)
        try withDrive(container) { drive in
            #expect(try answer("import", "--json", file, drive.path("Links"))["added"] as? Int == 2)
            #expect(try answer("import", "--undo", "--json", drive.mountpoint)["removed"] as? Int == 2)
            try run(Places.valise, "undelete", drive.path("Links")).good()
            #expect(try shell("grep -h URL *", in: drive.path("Links")).good().lines.sorted() == ["URL=https://one.example/", "URL=https://two.example/"])
        }
    }

    /// Of several with one name each is called in an export as on the drive.
    @Test(.mounting) func namesakesAreExportedAsTheyAreShown() throws {
        let container = try TemporaryContainer("bookmark Same https://one.example/\nbookmark Same https://two.example/\nbookmark Same%201 https://three.example/\ntext Same one")
        try Data("plain".utf8).write(to: URL(fileURLWithPath: container.stored("Same.url")))
        try Data("plain".utf8).write(to: URL(fileURLWithPath: container.stored("Same 2.url")))
        try withDrive(container) { drive in
            try run(Places.valise, "export", "-q", "--folder", container.beside("all"), drive.mountpoint).good()
            let shown = try shell("grep -r . . | sort", in: drive.mountpoint).good().output
            #expect(try shell("grep -r . . | sort", in: container.beside("all")).good().output == shown && shown.components(separatedBy: "example").count == 4)
        }
    }

    /// The name that was made on the drive is longer than what the item can be called.
    @Test(.mounting) func longNamesAreExported() throws {
        let container = try TemporaryContainer("text Notes one\nfolder Album"), names = [246, 249, 251].map { String(repeating: "n", count: $0) + ".txt" }
        try withDrive(container) { drive in
            for name in names { try drive.put("Album/" + name, "text") }
            try run(Places.valise, "export", "-q", "--folder", container.beside("all"), drive.mountpoint).good()
            try run(Places.valise, "export", "-q", "--folder", container.beside("album"), drive.path("Album")).good()
            // What it fills is not what it reads.
            for (folder, from) in [
                (drive.path("in"), drive.mountpoint), (drive.path("Album"), drive.mountpoint), (drive.path("Album/in"), drive.path("Album")), (container.stored("in"), drive.mountpoint),
                (drive.path("in"), container.path), (container.stored("in"), container.path), (drive.mountpoint, drive.mountpoint),
            ] {
                let ended = try run(Places.valise, "export", "--folder", folder, from)
                #expect(ended.code == 1 && ended.errors.contains("“\(folder)” lies in what is exported"), "\(folder) \(from): \(ended.output)\(ended.errors)")
            }
            try run(Places.valise, "export", "-q", "--folder", drive.path("copy"), drive.path("Album")).good()
            #expect(try shell("ls; ls copy", in: drive.mountpoint).lines.sorted() == (["Album", "Notes.txt", "copy"] + names).sorted())
            try shell("rm -r copy", in: drive.mountpoint).good()
        }
        for folder in ["all/Album", "album"] { #expect(try shell("ls", in: container.beside(folder)).lines.sorted() == names.sorted()) }
    }

    /// Titles of pages are any text, and each becomes a name that a drive can show.
    @Test(.mounting) func titlesThatNoFileCanHave() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("Bookmarks"), long = String(repeating: "ä", count: 200)
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        let tower = "e" + String(repeating: "\u{301}", count: 400)
        let titles = [
            "a/b", "", ".", "..", ".NET", "one\u{0}two\u{1}three\nfour\u{7F}", "  around  ", "שלום עולם", "\u{202E}txt.exe", "a.b.url", "😀", "Notes.txt",
            String(repeating: "x", count: 252), long, long + "1", long + "2", "/" + String(repeating: "/", count: 300), tower,
        ]
        let links = titles.enumerated().map { ["type": "url", "name": $1, "url": "https://example.org/\($0)"] }
        try JSONSerialization.data(withJSONObject: ["roots": ["bookmark_bar": ["type": "folder", "name": "Leiste", "children": links]]]).write(to: URL(fileURLWithPath: file))
        let first = try answer("import", "--json", file, container.path)
        #expect(first["added"] as? Int == titles.count && first["faultCount"] as? Int == 0 && first["shortened"] as? Int == 6, "\(first)")
        #expect(try answer("import", "--json", file, container.path)["known"] as? Int == titles.count)
        // Of names that begin alike, one has each number.
        let cut = String(repeating: "ä", count: 125), numbered = String(repeating: "ä", count: 124)
        let shown = [
            "a∕b", "https:∕∕example.org∕1", "_", "_.", "_NET", "one two three four", "around", "שלום עולם", "\u{202E}txt.exe", "a.b.url", "😀", "Notes.txt",
            String(repeating: "x", count: 251), cut, numbered + " 1", numbered + " 2", String(repeating: "∕", count: 83), "e" + String(repeating: "\u{301}", count: 125),
        ].map { $0 + ".url" }
        try withDrive(container) { drive in
            let folder = drive.path("Bookmarks Toolbar")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.sorted() == shown.sorted())
            for (index, name) in shown.enumerated() where !name.hasPrefix("ä") {
                #expect((try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) == "[InternetShortcut]\nURL=https://example.org/\(index)\n")
            }
            let again = try answer("import", "--json", file, drive.mountpoint), undone = try answer("import", "--undo", "--json", drive.mountpoint)
            #expect(again["known"] as? Int == titles.count && undone["removed"] as? Int == titles.count)
        }
    }

    /// What is left out by design is told, and is no failure; what should have come and did not, is one.
    @Test func whatDidNotComeAsItWasIsTold() throws {
        let (container, file) = try made(), long = String(repeating: "x", count: 300)
        func ended(_ links: String, _ words: String...) throws -> Ended {
            try "<DL><DT><H3>\(long)</H3><DL>\(links)</DL></DL>".write(toFile: file, atomically: true, encoding: .utf8)
            return try Program([Places.valise, "import"] + words + [file, container.path]).wait()
        }
        let place = "“\(container.path)”", good = "<DT><A HREF=\"https://a.example\">\(long)</A><DT><A HREF=\"place:sort=8\">Recent</A><DT><A HREF=\"place:type=6\">Tags</A>"
        let trial = try ended(good, "--dry-run")
        #expect(trial.code == 0 && trial.errors.isEmpty && trial.output == """
            1 would be new in \(place) (1 new folder).
            2 titles too long for a name would be shortened.
            Left out: 2 of Firefox's own searches (“place:”), which are no addresses.

            """, "\(trial.output)\(trial.errors)")
        let first = try ended(good)
        #expect(first.code == 0 && first.output.contains("\n2 titles too long for a name are shortened.\nLeft out: 2 of Firefox's own"), "\(first.output)")
        let second = try ended(good + "<DT><A>none</A>")
        #expect(second.code == 1 && second.errors.contains("a link without an address"), "\(second.errors)")
        #expect(second.output == "Nothing is new in \(place), 1 was there already.\nLeft out: 2 of Firefox's own searches (“place:”), which are no addresses.\n1 could not be imported, for the reason above.\n", "\(second.output)")
        let cut = try ended("<DT><A HREF=\"https://b.example\" ICON=\"data:image/png;base64,\(String(repeating: "A", count: 40_000))\">b</A><DT><A HREF=\"https://c.example\">c</A><DD>\(String(repeating: "note ", count: 4000))")
        #expect(cut.code == 0 && cut.output.contains("\n2 bookmarks have no more of a note than 4,096 characters, and no icon of more than 32 KiB.\n"), "\(cut.output)")
        // Addresses that the source has twice were not there before.
        let twice = "<DT><A HREF=\"https://d.example\">d</A><DT><A HREF=\"https://d.example\">again</A>"
        let doubled = try ended(twice), again = try ended(twice)
        #expect(doubled.output.hasPrefix("1 is new in \(place), 1 has the address of another one in the same folder of the source.\n"), "\(doubled.output)")
        #expect(again.output.hasPrefix("Nothing is new in \(place), 2 were there already.\n"), "\(again.output)")
        let quiet = try ended(good, "-q")
        #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        let searches = try ended("<DT><A HREF=\"place:sort=8\">Recent</A>")
        #expect(searches.code == 0 && searches.output.hasPrefix("Nothing is new in \(place).\nLeft out: 1 of Firefox's own searches"), "\(searches.output)\(searches.errors)")
        // Of a folder: what is no document, and what is called as one and is none.
        let folder = container.beside("folder")
        try shell("mkdir \"$1\" && cd \"$1\" && echo text >Text.txt && echo pdf >Paper.pdf && ln -s Text.txt link", folder).good()
        let files = try run(Places.valise, "import", folder, container.path)
        #expect(files.code == 0 && files.output.contains("Left out: 2 things that are no documents.\n") && files.errors.contains("Paper.pdf: no document is called so"), "\(files.output)\(files.errors)")
        try shell("echo none >\"$1/Photo.png\"", folder).good()
        let told = try Program([Places.valise, "import", "--json", folder, container.path]).wait()
        let answer = try #require(JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any])
        #expect(told.code == 1 && answer["faultCount"] as? Int == 1 && answer["leftOutCount"] as? Int == 2 && (answer["leftOut"] as? [Any])?.count == 2, "\(answer)")
    }

    /// A container is no folder of a Mac's: it is said what to type instead, and that brings its documents.
    @Test func aContainersDocumentsAreCopied() throws {
        let (container, _) = try made(), mac = try TemporaryContainer("photo Cat png\ntext List milk\nfolder Trip\nphoto Trip/Dog png")
        try run("mkdir", "-p", "-m", "700", mac.path + "/.valise/staging").good()
        let ended = try Program([Places.valise, "import", mac.path, container.path]).wait()
        let expected = "is a container, and its settings have no list of bookmarks"
        #expect(ended.code == 1 && ended.errors.contains(expected), "\(ended.output)\(ended.errors)")
        #expect(ended.errors.contains("valise mount \(mac.path) MOUNTPOINT"), "\(ended.errors)")
        let line = try #require(ended.errors.range(of: "cp -rn [^;]*", options: .regularExpression))
        try shell(String(ended.errors[line])).good()
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise").isEmpty)
        #expect(try run("diff", "-r", "-x", ".valise", "-x", "Notes.stedoc", mac.path, container.path).good().output.isEmpty)
    }

    @Test func whatCannotBeReadTouchesNothing() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("odd")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        for content in ["", "no list of anything", "{\"roots\":", "<DL><DT><A>nothing</A>", "title,url\n", "SQLite format 3\0garbage"] {
            try content.write(toFile: file, atomically: true, encoding: .utf8)
            let ended = try run(Places.valise, "import", file, container.path)
            #expect(ended.code == 1 && !ended.errors.isEmpty, "\(content): \(ended.output)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/.valise") .isEmpty)
    }

    /// Somebody ends it in the middle: what is there is whole, the same import brings the rest, and each takes back what it made.
    @Test func endedInTheMiddle() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("bookmarks.html")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        let page = page(9000)
        try page.write(toFile: file, atomically: true, encoding: .utf8)
        // The keyboard's signal, once some are there.
        let importing = try Program([Places.valise, "import", "-q", file, container.path])
        #expect(eventually { self.bookmarks(container).count > 0 || importing.hasEnded })
        kill(importing.process, SIGINT)
        let ended = try importing.wait(), count = bookmarks(container).count
        #expect(ended.code == 1 && ended.errors.contains("ended early") || count == 9000, "\(ended.code) \(count): \(ended.errors)")
        try run(Places.valise, "check", container.path).good()
        let rest = try answer("import", "--json", file, container.path)
        #expect(rest["added"] as? Int == 9000 - count && rest["known"] as? Int == count)
        if count < 9000 { #expect(try answer("import", "--undo", "--json", container.path)["removed"] as? Int == 9000 - count) }
        #expect(try answer("import", "--undo", "--json", container.path)["removed"] as? Int == count)
        #expect(bookmarks(container).isEmpty && !FileManager.default.fileExists(atPath: container.path + "/Folder 1"))
    }

    /// Where there is no room for all of it, what there is room for is there, whole, and the rest comes when there is room.
    @Test(.enabled(if: geteuid() == 0, "only root can mount a small store")) func aFullStore() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("bookmarks.html"), store = container.beside("store")
        try page(6000).write(toFile: file, atomically: true, encoding: .utf8)
        try run("mkdir", store).good()
        try run("mount", "-t", "tmpfs", "-o", "size=12m,mode=755", "tmpfs", store).good()
        defer { _ = try? run("umount", "-l", store) }
        let small = store + "/container"
        try run(Places.valise, "init", "-q", small).good()
        let ended = try run(Places.valise, "import", "--json", file, small), first = try #require(JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
        let count = try #require(first["added"] as? Int)
        #expect(ended.code == 1 && count < 6000 && (first["error"] != nil || ended.output.contains("No space left")), "\(ended.output)\(ended.errors)")
        try run(Places.valise, "check", small).good()
        try run("mount", "-o", "remount,size=200m", store).good()
        let rest = try answer("import", "--json", file, small)
        #expect(rest["added"] as? Int == 6000 - count && rest["known"] as? Int == count)
        try run(Places.valise, "check", small).good()
    }

    /// Nothing is made of a folder in which nothing comes.
    @Test func emptyFolders() throws {
        let (container, file) = try made()
        try "<DL><DT><H3>Empty</H3><DL></DL><DT><H3>Full</H3><DL><DT><A HREF=\"https://example.org\">One</A></DL></DL>".write(toFile: file, atomically: true, encoding: .utf8)
        let first = try answer("import", "--json", file, container.path)
        #expect(first["added"] as? Int == 1 && first["newFolders"] as? Int == 1)
        let folder = container.beside("folder")
        try shell("mkdir -p \"$1/empty/inner\" \"$1/full\"; echo text >\"$1/full/Text.txt\"", folder).good()
        let second = try answer("import", "--json", folder, container.path)
        #expect(second["added"] as? Int == 1 && second["newFolders"] as? Int == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: container.path).filter { !$0.hasPrefix(".") }.sorted() == ["Full", "Notes.stedoc", "full"])
    }

    /// Firefox's own database, made by its schema; as it is closed, and while a browser has it open with changes that are not carried over yet.
    @Test(arguments: [false, true]) func firefoxsDatabase(isOpen: Bool) throws {
        let (container, _) = try made(), place = container.beside("places.sqlite")
        let browser = try Program(["python3", Places.support("make_places.py"), place, isOpen ? "open" : "closed"])
        defer { browser.end() }
        #expect(eventually { browser.output.contains("made") })
        #expect(!isOpen || FileManager.default.fileExists(atPath: place + "-wal"))
        let before = try shell("cd \"$1\" && sha256sum places.sqlite*", container.beside(".")).good().output
        let first = try answer("import", "--json", place, container.path)
        #expect(first["added"] as? Int == 4 && first["other"] as? Int == 1 && first["searches"] as? Int == 1 && first["faultCount"] as? Int == 0, "\(first)")
        #expect(try shell("cd \"$1\" && sha256sum places.sqlite*", container.beside(".")).good().output == before, "nothing of the browser's is written")
        let exported = try run(Places.valise, "export", container.path).good().output
        for word in ["HREF=\"https://www.swift.org/\" ADD_DATE=\"1700000000\"", "TAGS=\"language,swift\"", ">Reading</H3>", ">Inner</H3>", ">日本 😀</A>", "late.example"] {
            #expect(exported.contains(word), "\(word) in \(exported)")
        }
        #expect(try answer("import", "--json", place, container.path)["known"] as? Int == 4)
    }

    @Test func whatMakesNoSenseSaysSo() throws {
        let (container, file) = try made(), place = container.path
        func refused(_ part: String, _ words: String...) throws {
            let ended = try Program([Places.valise] + words).wait()
            #expect(ended.code == 1 && ended.output.isEmpty && ended.errors.contains(part), "\(words): \(ended)")
        }
        try refused("cannot be imported into itself", "import", place, place + "/")
        try refused("is a file, and a drive, a container or a folder in one is exported", "export", file)
        try refused("is a file, and a drive, a container or a folder in one is exported", "export", container.stored("Notes.stedoc"))
    }

    /// What would take for ever, or fill the store, ends with a sentence; and whoever waits can end it.
    @Test(arguments: ["equal", "generated", "step", "view", "virtual", "holes", "sparse"]) func aHostileDatabaseEnds(_ attack: String) throws {
        let (container, _) = try made(), place = container.beside("places.sqlite")
        try run("python3", "-c", """
            import os, sqlite3, sys
            place, attack = sys.argv[1:]
            base = sqlite3.connect(place)
            base.execute("CREATE TABLE moz_places (id INTEGER, url TEXT)" if attack == "equal" else "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)")
            base.execute("CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, position INTEGER, dateAdded INTEGER, lastModified INTEGER, guid TEXT)")
            base.execute("INSERT INTO moz_bookmarks (id, type, parent, guid) VALUES (1, 2, 0, 'tags________')")
            base.execute("WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO moz_bookmarks (id, type, fk, parent, guid) SELECT i, 1 + (i & 1), 1, i & 1, 'equal' FROM n")
            # Each time that a row is added, it would be made. What a row has by default is a few bytes in the file, for all of them.
            step = " + ".join(f"instr(hex(zeroblob({500000 - each})), hex(zeroblob(250000)) || '1')" for each in range(40))
            title = {"generated": "AS (replace(hex(zeroblob(400000000)), '0', 'a'))", "step": f"AS ({step})", "holes": f"DEFAULT '{'a' * 300000}'"}.get(attack, "")
            if attack == "holes": base.execute("DELETE FROM moz_bookmarks WHERE id > 2000")
            base.execute(f"ALTER TABLE moz_bookmarks ADD COLUMN title TEXT {title}")
            if attack in ("view", "virtual"): base.execute("DROP TABLE moz_places")
            if attack == "view": base.execute("CREATE VIEW moz_places AS SELECT 1 AS rowid, hex(zeroblob(400000)) AS url")
            if attack == "virtual": base.execute("CREATE VIRTUAL TABLE moz_places USING fts5(url)")
            base.commit()
            base.close()
            if attack in ("holes", "sparse"): os.truncate(place, 200 << 30)
            if attack == "sparse": open(place + "-wal", "w").close()
            """, place, attack).good()
        let ended = try run(Places.valise, "import", place, container.path)
        let sentence = switch attack {
        case "generated", "step": "“title” of “moz_bookmarks” in it is made by a formula: Firefox's is not"
        case "view", "virtual": "“moz_places” in it is no plain table: Firefox's is"
        case "holes": "it says the same again and again"
        case "sparse": "a gigabyte"
        default: "bookmark"
        }
        #expect(ended.code == 1 && ended.errors.contains(sentence), "\(ended)")
        #expect(bookmarks(container).isEmpty)
    }

    /// What is not read does no harm.
    @Test func aFormulaInAnotherColumnIsNone() throws {
        let (container, _) = try made(), place = container.beside("places.sqlite")
        try run("python3", Places.support("make_places.py"), place, "closed").good()
        try run("python3", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('ALTER TABLE moz_places ADD COLUMN more TEXT AS (hex(zeroblob(400000000)))')", place).good()
        #expect(try answer("import", "--json", place, container.path)["added"] as? Int == 4)
    }

    /// Who presses Control-C again waits for nothing more: here for somebody who reads what it says.
    @Test func theSecondControlCEndsItAtOnce() throws {
        let (container, file) = try made()
        try run("python3", "-c", """
            import os, signal, subprocess, sys, time
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            try:
                while True: os.write(writer, bytes(4096))
            except BlockingIOError: os.set_blocking(writer, True)
            program = subprocess.Popen(sys.argv[1:], stdout=writer, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            def eventually(what):
                until = time.monotonic() + 60
                while not what():
                    if time.monotonic() > until: program.kill(); sys.exit(f"never: {program.wait()}")
                    time.sleep(0.01)
            def has(name): return any(line.startswith(name) and int(line.split()[1], 16) & 2 for line in open(f"/proc/{program.pid}/status"))
            eventually(lambda: has("SigCgt"))
            program.send_signal(signal.SIGINT)
            eventually(lambda: not has("ShdPnd"))
            time.sleep(0.5)
            assert program.poll() is None, program.returncode
            program.send_signal(signal.SIGINT)
            eventually(lambda: program.poll() is not None)
            assert program.returncode == -signal.SIGINT, program.returncode
            """, Places.valise, "import", file, container.path).good()
    }

    /// Killed anywhere, whole documents only are there, and the next one brings the rest.
    @Test func killedAnywhereTheNextOneCompletesIt() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("bookmarks.html")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        try page(6000).write(toFile: file, atomically: true, encoding: .utf8)
        for delay in [20_000, 200_000, 600_000, 1_000_000, 1_500_000] {
            let program = try Program([Places.valise, "import", "-q", file, container.path])
            usleep(UInt32(delay))
            kill(program.process, SIGKILL)
            _ = try? program.wait()
            #expect(try run(Places.valise, "check", container.path).good().output.contains("bookmark") || bookmarks(container).isEmpty)
        }
        // In the middle of what comes to its place: from its beginning on, this one folder is in staging.
        let other = try TemporaryContainer("text Notes one")
        try run("mkdir", "-m", "700", other.path + "/.valise").good()
        let program = try Program([Places.valise, "import", "-q", file, other.path])
        #expect(eventually { ((try? FileManager.default.contentsOfDirectory(atPath: other.path + "/.valise/staging")) ?? []).contains { $0.hasSuffix(".handed") } })
        kill(program.process, SIGKILL)
        _ = try? program.wait()
        let checked = try run(Places.valise, "check", other.path).good().output
        #expect(checked.contains("an import or a save that was ended in the middle"), "\(checked)")
        let before = bookmarks(other).count
        #expect(try answer("import", "--json", file, other.path)["added"] as? Int == 6000 - before)
        #expect(bookmarks(other).count == 6000)
        let last = try answer("import", "--json", file, container.path)
        #expect((last["added"] as? Int ?? 0) + (last["known"] as? Int ?? 0) == 6000)
        #expect(bookmarks(container).count == 6000)
        try run(Places.valise, "check", container.path).good()
    }

    @Test func besideADrive() throws {
        let (container, file) = try made()
        let drive = try MountedDrive(container)
        #expect(try answer("import", "--json", file, drive.mountpoint)["added"] as? Int == 250)
        #expect(eventually { (try? FileManager.default.contentsOfDirectory(atPath: drive.mountpoint + "/Folder 2").count) == 50 })
        #expect(try String(contentsOfFile: drive.mountpoint + "/Folder 0/Site 3.url", encoding: .utf8) == "[InternetShortcut]\nURL=https://example.org/3\n[Valise]\nAdded=2023-11-14T22:13:20Z\nTags=t3\n")
        // A new folder is no more everybody's than what this process makes itself.
        #expect(try shell("stat -c %a \"$1/Folder 0\"; mkdir \"$1/own\"; stat -c %a \"$1/own\"; rmdir \"$1/own\"", drive.mountpoint).good().output == "755\n755\n")
        try run(Places.valise, "export", "--folder", container.beside("copy"), drive.mountpoint).good()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: container.beside("copy")).filter { $0.hasSuffix(".url") }.count == 250)
        #expect(try answer("import", "--undo", "--json", drive.mountpoint)["removed"] as? Int == 250)
        #expect(eventually { !FileManager.default.fileExists(atPath: drive.mountpoint + "/Folder 0") })
        try run(Places.valise, "unmount", drive.mountpoint).good()
        _ = try drive.waitForEnd()
        try run(Places.valise, "mount", "-o", "ro", container.path, container.mountpoint).good()
        defer { _ = try? run(Places.valise, "unmount", container.mountpoint) }
        #expect(try run(Places.valise, "import", file, container.mountpoint).errors.contains("read-only"))
    }
}
