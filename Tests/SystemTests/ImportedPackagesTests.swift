import Foundation
import MountTesting
import Testing

/// `valise import` of documents and packages as their apps keep them, from a Mac's folder.
@Suite(.waiting) struct ImportedPackagesTests {
    private let container: TemporaryContainer
    private var mac: String { container.beside("mac") }

    init() throws {
        container = try TemporaryContainer("text Notes one")
        try run("mkdir", "-m", "700", container.path + "/.valise").good()
        try FileManager.default.createDirectory(atPath: mac, withIntermediateDirectories: false)
    }

    /// A folder that is one item, a flat file's package, one with its text as content, and a folder that no kind knows.
    private func makePackages() throws {
        try shell("""
            mkdir -p Work/Novel.scriv/Files/Empty Letter.rtfd Note.textbundle/assets Thing.unknown
            echo '<novel/>' >Work/Novel.scriv/a.scrivx; echo one >Work/Novel.scriv/Files/1.rtf; ln -s Files/1.rtf Work/Novel.scriv/first
            echo '{}' >Letter.rtfd/TXT.rtf; echo map >Letter.rtfd/map.png; setfattr -n user.mine -v me Letter.rtfd/map.png
            echo '# Note' >Note.textbundle/text.md; echo '{"version":2}' >Note.textbundle/info.json; echo a >Note.textbundle/assets/a
            echo plain >Thing.unknown/Plain.txt; chmod 600 Letter.rtfd/TXT.rtf; find . -exec touch -hd '2020-03-04 05:06:07' {} +
            """, in: mac).good()
    }

    private func `import`(_ words: String...) throws -> (code: Int32, [String: Any]) {
        let ended = try Program([Places.valise, "import", "--json"] + words).wait()
        let answer = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        return (ended.code, try #require(answer, "\(ended.output)\(ended.errors)"))
    }

    private func number(_ key: String, _ answer: [String: Any]) -> Int? { answer[key] as? Int }
    private func reasons(_ answer: [String: Any], _ key: String = "faults") -> String { "\(answer[key] ?? "")" }

    /// Names, types, permissions, times and attributes.
    private func facts(_ folder: String, _ names: String) throws -> [String] {
        try shell("find \(names) -printf '%p %y %m %T+ %l\\n' | sort; getfattr -Rd \(names) | sed '/^$/d'", in: folder).good().lines
    }

    private func stored() throws -> [String] { try shell("ls | grep -v '^.valise$'", in: container.path).lines }

    @Test func packagesComeAsTheyAre() throws {
        try makePackages()
        let (_, trial) = try self.import("--dry-run", mac, container.path)
        #expect(try number("added", trial) == 4 && stored() == ["Notes.stedoc"], "\(trial)")
        let (code, first) = try self.import(mac, container.path)
        #expect(code == 0 && number("added", first) == 4 && number("newFolders", first) == 2, "\(first)")
        #expect(try stored() == ["Letter.rtfd", "Note.textbundle", "Notes.stedoc", "Thing.unknown", "Work"])
        for package in ["Letter.rtfd", "Note.textbundle", "Work/Novel.scriv"] {
            #expect(try run("diff", "-r", "--no-dereference", "\(mac)/\(package)", container.stored(package)).code == 0)
            let one = try facts(mac, package), other = try facts(container.path, package)
            #expect(one == other)
        }
        let (again, second) = try self.import(mac, container.path)
        #expect(again == 0 && number("added", second) == 0 && number("known", second) == 4, "\(second)")
    }

    @Test(.mounting) func anImportOfPackagesIsTakenBack() throws {
        try makePackages()
        try withDrive(container) { drive in
            #expect(try number("added", self.import(mac, drive.mountpoint).1) == 4)
            let names = try shell("ls; ls Work", in: drive.mountpoint).lines
            #expect(names == ["Letter.rtfd", "Note.md", "Notes.txt", "Thing.unknown", "Work", "Novel.scriv"])
            // What somebody has changed since stays.
            try shell("echo more >>Work/Novel.scriv/Files/1.rtf", in: drive.mountpoint).good()
            let (_, undone) = try self.import("--undo", drive.mountpoint)
            #expect(number("removed", undone) == 3 && undone["changed"] as? [String] == ["Work/Novel.scriv"], "\(undone)")
            let left = try shell("find . -path ./.valise -prune -o -type f -print | sort", in: container.path).lines
            #expect(left == ["./Notes.stedoc", "./Work/Novel.scriv/Files/1.rtf", "./Work/Novel.scriv/a.scrivx"])
            try shell("\"$1\" undelete Letter.rtfd && unzip -p Letter.rtfd map.png", Places.valise, in: drive.mountpoint).good()
            let parts = "Letter.rtfd/map.png Letter.rtfd/TXT.rtf"
            #expect(try facts(mac, parts) == facts(container.path, parts))
        }
    }

    @Test(.mounting) func aFolderItemThatWasImportedGoesAndComesBack() throws {
        try makePackages()
        try withDrive(container) { drive in
            let imported = try self.import(mac + "/Work", drive.mountpoint).1, undone = try self.import("--undo", drive.mountpoint).1
            #expect(number("added", imported) == 1 && number("removed", undone) == 1)
            let back = "ls; \"$1\" undelete Novel.scriv; cat Novel.scriv/first; ls Novel.scriv/Files"
            let said = try shell(back, Places.valise, in: drive.mountpoint).good().lines
            #expect(said == ["Notes.txt", "one", "1.rtf", "Empty"])
        }
    }

    /// One package may be named, and so may a document.
    @Test func onePackageIsImported() throws {
        try makePackages()
        for package in ["Letter.rtfd", "Work/Novel.scriv"] {
            #expect(try number("added", self.import("\(mac)/\(package)", container.path).1) == 1)
            #expect(try number("known", self.import("\(mac)/\(package)", container.path).1) == 1)
        }
        #expect(try stored() == ["Letter.rtfd", "Notes.stedoc", "Novel.scriv"])
    }

    /// ZIPs of packages, as a Mac makes them, and packages as one file.
    @Test func zipsOfPackagesBecomeThem() throws {
        try makePackages()
        try shell("""
            (cd Work; zip -qry ../Novel.scriv.zip Novel.scriv); zip -qr Letter.rtfd.zip Letter.rtfd; (cd Letter.rtfd; zip -qr ../Flat.rtfd .)
            (cd Note.textbundle; zip -qr ../Note.textbundle.zip .); zip -q Other.zip Thing.unknown/Plain.txt; rm -r Work Letter.rtfd Note.textbundle Thing.unknown
            """, in: mac).good()
        let (code, first) = try self.import(mac, container.path)
        #expect(code == 0 && number("added", first) == 4 && reasons(first, "leftOut").contains("Other.zip"), "\(first)")
        #expect(try stored() == ["Flat.rtfd", "Letter.rtfd", "Note.textbundle", "Notes.stedoc", "Novel.scriv"])
        let look = "cat Novel.scriv/first Note.textbundle/text.md Flat.rtfd/map.png; stat -c %y Letter.rtfd/TXT.rtf | cut -c1-16"
        #expect(try shell(look, in: container.path).good().lines == ["one", "# Note", "map", "2020-03-04 05:06"])
        #expect(try shell("stat -c %a Flat.rtfd Novel.scriv", in: container.path).good().lines == ["755", "755"])
        let (_, second) = try self.import(mac, container.path)
        #expect(number("added", second) == 0 && number("known", second) == 4, "\(second)")
    }

    /// Another one of the name gets a number, and is known by that the second time.
    @Test func anotherOneOfTheNameGetsANumber() throws {
        try makePackages()
        #expect(try number("added", self.import(mac, container.path).1) == 4)
        try shell("for part in Letter.rtfd/TXT.rtf Work/Novel.scriv/a.scrivx Note.textbundle/text.md; do echo other >$part; done", in: mac).good()
        for (added, known) in [(3, 1), (0, 4)] {
            let (code, answer) = try self.import(mac, container.path)
            #expect(code == 0 && number("added", answer) == added && number("known", answer) == known, "\(answer)")
        }
        let parts = "cat 'Letter 1.rtfd/TXT.rtf' 'Work/Novel 1.scriv/a.scrivx' 'Note 1.textbundle/text.md' Letter.rtfd/TXT.rtf"
        #expect(try shell(parts, in: container.path).good().lines == ["other", "other", "other", "{}"])
    }

    @Test func whatIsNoWholePackageIsRefused() throws {
        try makePackages()
        try shell("""
            ln -s ../../secret Letter.rtfd/out; mkfifo Work/Novel.scriv/pipe; ln -s /etc/passwd Note.textbundle/assets/out
            mkdir Mine.rtfd; echo x >Mine.rtfd/x; echo rubbish >Bad.rtfd.zip
            """, in: mac).good()
        let (code, answer) = try self.import(mac, container.path), told = reasons(answer)
        #expect(code == 1 && number("added", answer) == 1 && number("faultCount", answer) == 4, "\(answer)")
        for reason in ["leads out of the package", "“pipe” is a special file", "This is no ZIP"] {
            #expect(told.contains(reason), "\(told)")
        }
        #expect(reasons(answer, "leftOut").contains("Mine.rtfd"))
        #expect(try stored() == ["Notes.stedoc", "Thing.unknown"])
    }

    /// Documents that are one file, and photos.
    @Test func documentsComeAsTheirAppKeepsThem() throws {
        let documents = ["bookmark Swift https://swift.org/", "photo Cat png", "text Diary dear", "folder Trip", "photo Trip/Dog png"]
        let source = try TemporaryContainer(documents.joined(separator: "\n"))
        try shell("rm -rf .valise; echo one >Memo.txt; echo two >Memo.stedoc", in: source.path).good()
        let (code, first) = try self.import(source.path, container.path)
        #expect(code == 0 && number("added", first) == 6, "\(first)")
        #expect(try run("cat", container.stored("Memo.stedoc"), container.stored("Memo 1.stedoc")).good().output == "two\none\n")
        #expect(try run("diff", "-r", source.stored("Trip"), container.stored("Trip")).code == 0)
        let (_, second) = try self.import(source.path, container.path)
        #expect(number("added", second) == 0 && number("known", second) == 6, "\(second)")
        #expect(try number("removed", self.import("--undo", container.path).1) == 6)
        #expect(try stored() == ["Notes.stedoc"])
    }
}
