import Foundation
import MountTesting
import Testing

/// Packages that programs copy onto a drive: each is a folder while it is filled, and the document when it is whole.
@Suite(.mounting) struct GrowingPackageTests {
    /// An app's folder, as it comes from a Mac: with old times, attributes and permissions of its own.
    static let documents = "photo Cat png\nphoto Dog png\ntext Notes \"one\\n\"\nfolder Trip\nphoto Trip/Elk png"
    static let parts = ["photo.data", "photo.metadata"]
    /// Nothing becomes a document because time goes by.
    static let patient = ["VALISE_GROWING_SECONDS": "3600"]

    static func source() throws -> TemporaryContainer {
        let source = try TemporaryContainer(documents)
        try? FileManager.default.removeItem(atPath: source.stored(".valise"))
        try shell("chmod 750 Cat.ptk; chmod 600 Cat.ptk/photo.metadata; setfattr -n user.mine -v me Cat.ptk Cat.ptk/photo.data; find . -exec touch -d '2020-03-04 05:06:07' {} +", in: source.path).good()
        return source
    }

    static func withDrive(
        _ environment: [String: String] = patient, options: String? = nil, _ body: (MountedDrive, TemporaryContainer, String) throws -> Void
    ) throws {
        let source = try source(), container = try TemporaryContainer("")
        try MountTesting.withDrive(container, options: options, environment: environment) { drive in try body(drive, container, source.path) }
    }

    /// Names, types, permissions, times and attributes of all that is in a package.
    static func facts(_ package: String) throws -> [String] {
        try shell("find . -printf '%P %y %m %T+\\n' | sort; getfattr -Rd . | grep -v '^$'; cat photo.data | sha256sum", in: package).good().lines
    }

    static func names(_ drive: MountedDrive, in folder: String = "") throws -> [String] { try shell("ls -A", in: drive.path(folder)).good().lines }
    static func items(_ container: TemporaryContainer) throws -> [String] { try shell("ls -A | grep -v '^.valise$'", in: container.path).lines }
    static func versions(_ drive: MountedDrive) throws -> [String] { try shell("find .valise/versions -type f", in: drive.mountpoint).good().lines }

    // MARK: Programs that copy

    @Test(arguments: ["cp -a \"$1\"/. .", "rsync -aX \"$1\"/ .", "tar c --xattrs -C \"$1\" . | tar x --xattrs", "mkdir ../move; cp -a \"$1\"/. ../move; mv ../move/* ."])
    func whatIsCopiedIsWholeAtOnce(copying: String) throws {
        try Self.withDrive { drive, container, source in
            try shell("\(copying); ls", source, in: drive.mountpoint).good()
            #expect(try Self.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] && Self.names(drive, in: "Trip") == ["Elk.png"])
            #expect(try Self.items(container) == ["Cat.ptk", "Dog.ptk", "Notes.stedoc", "Trip"])
            for package in ["Cat.ptk", "Dog.ptk", "Trip/Elk.ptk"] {
                #expect(try Self.facts(container.stored(package)) == Self.facts(source + "/" + package), "\(package)")
            }
            #expect(try Self.versions(drive) == [] && container.deleted() == [])
        }
    }

    @Test func cpMakesIt() throws {
        try Self.withDrive { drive, container, source in
            let listed = try shell("cp -r \"$1\"/Cat.ptk .; ls; cmp \"$1\"/Cat.ptk/photo.data Cat.ptk/photo.data && echo same", source, in: drive.mountpoint).good().lines
            #expect(listed == ["Cat.png", "same"])
            // The second time it goes to the same document, and changes nothing.
            try shell("cp -r \"$1\"/Cat.ptk .; ls; cp -r \"$1\"/Cat.ptk/. Cat.ptk; ls", source, in: drive.mountpoint).good()
            #expect(try Self.names(drive) == ["Cat.png"] && Self.items(container) == ["Cat.ptk"] && Self.versions(drive) == [])
        }
    }

    /// A Mac's folder, again and again: the first thing that a person does.
    @Test(arguments: ["", "--delete", "--inplace"]) func rsyncSendsNothingTheSecondTime(option: String) throws {
        try Self.withDrive { drive, container, source in
            func send() throws -> [String] {
                try shell("rsync -aiX \(option) --exclude .valise \"$1\"/ .", source, in: drive.mountpoint).good().lines
            }
            #expect(try send().filter { $0.hasPrefix(">f") }.count == 7)
            #expect(try Self.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            let again = try send(), sent = again.filter { $0.hasPrefix(">f") }
            // What is listed and not in the Mac's folder is deleted, and comes again.
            if option == "--delete" { #expect(again.filter { $0.hasPrefix("*deleting") }.count == 4 && sent.count == 7) } else { #expect(again == []) }
            #expect(try Self.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] && Self.names(drive, in: "Trip") == ["Elk.png"])
            #expect(try Self.versions(drive) == [] && container.deleted() == [])
            #expect(try Self.facts(container.stored("Cat.ptk")) == Self.facts(source + "/Cat.ptk"))
        }
    }

    /// As file managers do it over Samba: beside the package what the Mac keeps of it, the parts in place, their attributes, another name.
    @Test func aFileManagersWay() throws {
        try Self.withDrive(["VALISE_GROWING_SECONDS": "1"]) { drive, container, source in
            let program = try Program(["python3", "-uc", """
                import os, sys, time
                source = sys.argv[1] + '/Cat.ptk/'
                os.mkdir('Cat.ptk'); open('._Cat.ptk', 'wb').write(b'x' * 4096)
                for part in ('photo.data', 'photo.metadata'):
                    with open('Cat.ptk/.new.' + part, 'wb') as file:
                        os.posix_fallocate(file.fileno(), 0, 10); file.write(open(source + part, 'rb').read()); file.truncate()
                    os.setxattr('Cat.ptk/.new.' + part, 'user.com.apple.FinderInfo', b'f')
                    os.rename('Cat.ptk/.new.' + part, 'Cat.ptk/' + part)
                print(sorted(os.listdir('.')))
                time.sleep(1000)
                """, source], in: drive.mountpoint)
            defer { program.end() }
            #expect(eventually { program.output == "['Cat.ptk']\n" }, "\(program.output)\(program.errors)")
            #expect(try eventually { try Self.names(drive) == ["Cat.png"] })
            #expect(try run("getfattr", "--only-values", "-n", "user.com.apple.FinderInfo", container.stored("Cat.ptk/photo.data")).good().output == "f")
            #expect(try Self.facts(container.stored("Cat.ptk")).contains { $0.hasPrefix("photo.data f") })
        }
    }

    // MARK: When it is whole

    /// A program that goes on with other things: nothing of its package is seen in the container until it says so, or a while has passed.
    @Test func stepByStep() throws {
        try Self.withDrive { drive, container, source in
            let said = try run("python3", "-c", """
                import os, sys
                def names(): print(sorted(os.listdir('.')), [name for name in sorted(os.listdir(sys.argv[2])) if name[0] != '.'])
                os.mkdir('Cat.ptk'); names()
                for part in ('photo.data', 'photo.metadata'):
                    file = open('Cat.ptk/' + part, 'wb'); names()
                    file.write(open(sys.argv[1] + '/Cat.ptk/' + part, 'rb').read()); file.close(); names()
                folder = os.open('Cat.ptk', os.O_RDONLY)
                part = open('Cat.ptk/photo.data', 'rb+'); os.fsync(folder); names()
                part.close(); os.fsync(folder); names()
                """, source, container.path, in: drive.mountpoint).good().lines
            #expect(said == Array(repeating: "['Cat.ptk'] []", count: 6) + ["['Cat.png'] ['Cat.ptk']"])
        }
    }

    @Test func afterAWhile() throws {
        try Self.withDrive(["VALISE_GROWING_SECONDS": "2"]) { drive, container, source in
            // It goes on with nothing open.
            let program = try Program(["python3", "-uc", "import shutil, sys, time; shutil.copytree(sys.argv[1] + '/Cat.ptk', 'Cat.ptk'); print('copied'); time.sleep(1000)", source], in: drive.mountpoint)
            defer { program.end() }
            #expect(eventually { program.output == "copied\n" }, "\(program.errors)")
            #expect(try eventually { try Self.items(container) == ["Cat.ptk"] })
            #expect(try Self.names(drive) == ["Cat.png"])
        }
    }

    /// Nobody asks: apps see it in the container when the program has ended.
    @Test func appsSeeItWhenTheProgramHasEnded() throws {
        try Self.withDrive { drive, container, source in
            try shell("cp -r \"$1\"/Cat.ptk .", source, in: drive.mountpoint).good()
            #expect(try eventually { try Self.items(container) == ["Cat.ptk"] })
        }
    }

    @Test func theEndOfTheDriveIsTheEndOfAll() throws {
        let source = try Self.source(), container = try TemporaryContainer("")
        // Half of one stays, and the next drive shows it.
        let program = "import os, shutil, sys, time; shutil.copytree(sys.argv[1] + '/Cat.ptk', 'Cat.ptk'); os.mkdir('Dog.ptk'); shutil.copy(sys.argv[1] + '/Dog.ptk/photo.metadata', 'Dog.ptk'); print('copied'); os.chdir('/'); time.sleep(1000)"
        let copying = try MountTesting.withDrive(container, environment: Self.patient) { drive in
            let copying = try Program(["python3", "-uc", program, source.path], in: drive.mountpoint)
            #expect(eventually { copying.output == "copied\n" }, "\(copying.errors)")
            return copying
        }
        copying.end()
        #expect(try Self.items(container) == [".Dog.ptk.valise-growing", "Cat.ptk"])
        #expect(try valise("check", container.path).good().output.contains("growing") == false)
        try MountTesting.withDrive(container, environment: Self.patient) { drive in
            #expect(try Self.names(drive) == ["Cat.png", "Dog.ptk"] && Self.names(drive, in: "Dog.ptk") == ["photo.metadata"])
            try shell("cp \"$1\"/Dog.ptk/photo.data Dog.ptk/", source.path, in: drive.mountpoint).good()
            // On a busy computer the kernel says late that a file is closed.
            #expect(try eventually { try Self.names(drive) == ["Cat.png", "Dog.png"] })
        }
        #expect(try Self.items(container) == ["Cat.ptk", "Dog.ptk"])
    }

    @Test func aKilledDriveLeavesIt() throws {
        let source = try Self.source(), container = try TemporaryContainer("")
        try MountTesting.withDrive(container, environment: Self.patient) { drive in
            let program = try Program(["python3", "-uc", "import shutil, sys, time; shutil.copytree(sys.argv[1] + '/Cat.ptk', 'Cat.ptk'); print('copied'); time.sleep(1000)", source.path], in: drive.mountpoint)
            defer { program.end() }
            #expect(eventually { program.output == "copied\n" }, "\(program.errors)")
            try drive.kill()
        }
        umount2(container.mountpoint, Int32(MNT_DETACH))
        #expect(try Self.items(container) == [".Cat.ptk.valise-growing"])
        try MountTesting.withDrive(container, options: "ro") { drive in
            let names = try Self.names(drive)
            #expect(try names == ["Cat.ptk"] && Self.names(drive, in: "Cat.ptk") == Self.parts)
        }
        // Nobody knows who filled it, and nobody changes it.
        try MountTesting.withDrive(container, environment: ["VALISE_GROWING_SECONDS": "1"]) { drive in
            let isWhole = try eventually { try Self.names(drive) == ["Cat.png"] }
            #expect(isWhole)
        }
        #expect(try Self.items(container) == ["Cat.ptk"] && run("diff", "-r", source.path + "/Cat.ptk", container.stored("Cat.ptk")).code == 0)
    }

    // MARK: What is not whole

    @Test func whatIsNotWholeStaysAFolderAndIsTold() throws {
        try Self.withDrive { drive, container, source in
            try shell("mkdir Half.ptk Rubbish.ptk; cp \"$1\"/Cat.ptk/photo.metadata Half.ptk; echo rubbish >.rubbish; cp .rubbish Rubbish.ptk/photo.data", source, in: drive.mountpoint).good()
            #expect(try Self.names(drive).filter { $0 != ".rubbish" } == ["Half.ptk", "Rubbish.ptk"])
            let status = try valise("status", drive.mountpoint).good().output
            #expect(status.contains("  growing     2\n    “Half.ptk”: its photo.data is missing\n    “Rubbish.ptk”: its photo.data is no binary property list\n"), "\(status)")
            let page = try valise("status", "--json", drive.mountpoint).good().output
            #expect(page.contains("\"growing\"") && page.contains("Half.ptk"), "\(page)")
            // Neither apps nor searches know anything of it.
            #expect(try valise("find", "name LIKE \"*\"", container.path).good().output.contains("photo.") == false)
            #expect(try Self.items(container).filter { !$0.hasPrefix(".") } == [])
            try shell("cp \"$1\"/Cat.ptk/photo.data Half.ptk; cp \"$1\"/Dog.ptk/* Rubbish.ptk", source, in: drive.mountpoint).good()
            #expect(try Self.names(drive).filter { $0 != ".rubbish" } == ["Half.png", "Rubbish.png"])
            #expect(try valise("status", drive.mountpoint).good().output.contains("growing") == false)
        }
    }

    /// In it all is as in a plain folder, and it has other names and goes as one.
    @Test func itIsAFolderMeanwhile() throws {
        try Self.withDrive { drive, container, _ in
            try shell("""
                mkdir Cat.ptk; cd Cat.ptk; echo a >.a.tmp; mv .a.tmp a.txt; ln -s a.txt link; ln a.txt hard; mkdir -p in/ner; chmod 640 a.txt; touch -d 2001-02-03 a.txt
                setfattr -n user.x -v y a.txt; rm hard; rmdir in/ner; echo photo >Bookmark_x.url; [ "$(cat link)" = a ]; [ "$(stat -c '%a %y' a.txt | cut -c1-14)" = '640 2001-02-03' ]
                """, in: drive.mountpoint).good()
            #expect(try Self.names(drive, in: "Cat.ptk") == ["Bookmark_x.url", "a.txt", "in", "link"])
            try shell("mv Cat.ptk Dog.ptk; mkdir Trip; mv Dog.ptk Trip", in: drive.mountpoint).good()
            #expect(try Self.items(container) == ["Trip"])
            #expect(try shell("ls -A Trip", in: container.path).good().lines == [".Dog.ptk.valise-growing"])
            try shell("mv Trip/Dog.ptk Plain", in: drive.mountpoint).good()
            #expect(try Self.items(container) == ["Plain", "Trip"] && Self.names(drive) == ["Plain", "Trip"])
            try shell("mkdir New.ptk; echo a >New.ptk/a; mkdir New.ptk/b; rm -r New.ptk; ! mkdir Trip; mkdir Empty.ptk; rmdir Empty.ptk", in: drive.mountpoint).good()
            #expect(try Self.items(container) == ["Plain", "Trip"])
            // In a package of another app it is any folder.
            try shell("mkdir -p Letter.mellel/Cat.ptk", in: drive.mountpoint).good()
            #expect(try shell("ls -A Letter.mellel", in: container.path).good().lines == ["Cat.ptk"])
        }
    }

    @Test func aFolderThatGetsThePackagesName() throws {
        try Self.withDrive { drive, container, source in
            try shell("mkdir tmp; cp \"$1\"/Cat.ptk/* tmp; mv tmp Cat.ptk", source, in: drive.mountpoint).good()
            #expect(try Self.names(drive) == ["Cat.png"] && Self.items(container) == ["Cat.ptk"])
        }
    }

    @Test func aReadOnlyDriveTakesNone() throws {
        try Self.withDrive([:], options: "ro") { drive, _, source in
            let refused = try shell("cp -r \"$1\"/Cat.ptk .", source, in: drive.mountpoint)
            #expect(refused.code != 0 && refused.errors.contains("Read-only file system"))
        }
    }

    @Test func aNameThatIsTooLong() throws {
        try Self.withDrive { drive, container, _ in
            let refused = try shell("mkdir $(printf 'b%.0s' {1..240}).ptk", in: drive.mountpoint)
            #expect(refused.errors.contains("File name too long") && container.storedFolders().isEmpty)
        }
    }

    /// One that is shown as a flat file, which has the name that the folder had. The second `rsync` removes that file and makes the folder anew: nothing was deleted.
    @Test func aFlatFileHasTheNameOfTheFolder() throws {
        let container = try TemporaryContainer(""), config = container.beside("config")
        try shell("""
            mkdir -p "$1"/valise mac/Trip.scrap/assets; cd mac/Trip.scrap; echo 'By the sea' >text.md; echo map >assets/map.txt
            printf '[scrap]\\nextension = scrap\\nrequired = text.md\\nshown = file\\n' >"$1"/valise/kinds
            """, config, in: container.beside("")).good()
        try MountTesting.withDrive(container, environment: ["XDG_CONFIG_HOME": config, "VALISE_GROWING_SECONDS": "20"]) { drive in
            func run(_ line: String) throws -> [String] { try shell(line, container.beside("mac"), in: drive.mountpoint).good().lines }
            _ = try run("cp -r \"$1\"/Trip.scrap .")
            #expect(try eventually { try run("stat -c %F Trip.scrap; ls") == ["regular file", "Trip.scrap"] })
            #expect(try run("unzip -tq Trip.scrap | head -c 9") == ["No errors"])
            for option in ["", "--delete", "--delete"] {
                _ = try run("rsync -a \(option) \"$1\"/ .")
                #expect(try eventually { try run("stat -c %F Trip.scrap; ls") == ["regular file", "Trip.scrap"] })
            }
            #expect(try container.deleted() == [] && run("ls .valise/versions") == [])
            _ = try run("cp -r \"$1\"/Trip.scrap Other.scrap")
            #expect(try eventually { try run("stat -c %F Other.scrap") == ["regular file"] })
            #expect(try run("mv Other.scrap Third.scrap; stat -c %F Third.scrap; ls; rm Third.scrap; ls") == ["regular file", "Third.scrap", "Trip.scrap", "Trip.scrap"])
            #expect(try run("unzip -Z1 Trip.scrap | sort") == ["assets/", "assets/map.txt", "text.md"])
            // One that is another by then is another: the former is among the deleted, because `rsync` removed it.
            _ = try run("echo more >>\"$1\"/Trip.scrap/text.md; rsync -a \"$1\"/ .")
            #expect(try eventually { try run("unzip -p Trip.scrap text.md 2>/dev/null || true; ls") == ["By the sea", "more", "Trip.scrap"] })
            #expect(try container.deleted() == ["Third.scrap", "Trip.scrap"])
        }
    }

    /// A kind that a person wrote down, with a folder among its parts.
    @Test func aWrittenKind() throws {
        let container = try TemporaryContainer(""), config = container.beside("config")
        try shell("""
            mkdir -p "$1"/valise mac/Trip.scrap/assets; cd mac/Trip.scrap; echo 'By the sea' >text.md; echo '{}' >info.json; echo map >assets/map.txt
            printf '[scrap]\\nextension = scrap\\nparts = text.md, info.json, assets/\\nrequired = text.md, info.json\\ntype = com.example.scrap\\n' >"$1"/valise/kinds
            """, config, in: container.beside("")).good()
        try MountTesting.withDrive(container, environment: Self.patient.merging(["XDG_CONFIG_HOME": config]) { $1 }) { drive in
            func send() throws -> [String] { try shell("rsync -ai \"$1\"/ .", container.beside("mac"), in: drive.mountpoint).good().lines }
            _ = try send()
            #expect(try Self.names(drive) == ["Trip.md"])
            #expect(try send() == [])
            #expect(try drive.text("Trip.md") == "By the sea\n")
            try shell("echo other >\"$1\"/Trip.scrap/assets/map.txt", container.beside("mac")).good()
            _ = try send()
            #expect(try Self.names(drive) == ["Trip.md"])
            #expect(try send() == [])
            #expect(try String(contentsOfFile: container.stored("Trip.scrap/assets/map.txt"), encoding: .utf8) == "other\n")
        }
    }
}

extension TemporaryContainer {
    fileprivate func storedFolders() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".valise") }
    }
}
