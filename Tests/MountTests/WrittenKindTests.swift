import Foundation
import MountTesting
import Testing

/// A kind of documents that a person wrote down in five lines goes through everything that documents go through.
@Suite(.mounting) struct WrittenKindTests {
    private static let kind = "[scrap]\nextension = scrap\nparts = text.md, info.json, assets/\nrequired = text.md, info.json\ntype = com.example.scrap\n"
    private static let packages = "file Documents/Trip.scrap/text.md \"By the sea\\n\"\nfile Documents/Trip.scrap/info.json \"{}\\n\"\nfile Documents/Trip.scrap/assets/map.txt \"a map\\n\"\ntext Documents/Notes \"n\\n\""

    /// With what the commands of a person who has it are given.
    private func withKind(
        _ text: String = kind, _ packages: String = Self.packages, options: String? = nil, _ body: (MountedDrive, [String: String]) throws -> Void
    ) throws {
        let container = try TemporaryContainer(packages), config = container.beside("config")
        let environment = ["XDG_CONFIG_HOME": config, "XDG_CACHE_HOME": container.beside("cache")]
        try FileManager.default.createDirectory(atPath: config + "/valise", withIntermediateDirectories: true)
        try text.write(toFile: config + "/valise/kinds", atomically: true, encoding: .utf8)
        try withDrive(container, options: options, environment: environment) { drive in try body(drive, environment) }
    }

    /// The content may lie deeper in the package: only that is replaced.
    @Test func aDeepContentIsReplacedAlone() throws {
        let packages = """
            file Documents/Trip.scrap/Contents/In/text.md "By the sea\\n"
            file Documents/Trip.scrap/Contents/style.css "p {}\\n"
            file Documents/Trip.scrap/assets/map.txt "a map\\n"
            folder Documents/Odd.scrap/Contents/In/text.md
            file Documents/Other.scrap/text.md "no document\\n"
            link Documents/Link.scrap/Contents ../Trip.scrap/Contents
            """
        try withKind("[scrap]\nextension = scrap\nparts = Contents/In/text.md|markdown, assets/\n", packages) { drive, environment in
            let trip = drive.container.path + "/Documents/Trip.scrap"
            func sh(_ line: String) throws -> String {
                let script = "valise() { \"\(Places.valise)\" \"$@\"; }; " + line
                return try shell(script, trip, in: drive.mountpoint, environment: environment).good().output
            }
            #expect(try sh("ls --file-type; cat Trip.md") == "Link.scrap/\nOdd.scrap/\nOther.scrap/\nTrip.md\nBy the sea\n")
            let others = try sh("stat -c '%i %y' \"$1\"/Contents/style.css \"$1\"/assets/map.txt")
            #expect(try sh("echo two >Trip.md; truncate -s 2 Trip.md; echo x >>Trip.md; mv Trip.md a.md; cat a.md") == "twx\n")
            _ = try sh("mv a.md Trip.md")
            #expect(try sh("stat -c '%i %y' \"$1\"/Contents/style.css \"$1\"/assets/map.txt") == others)
            #expect(try sh("cat .valise/versions/Trip.md/*; cat .valise/originals/Documents/Trip.scrap/Contents/In/*").hasPrefix("By the sea\ntwo\n"))
            // What an app does in the folder, or with it, is seen.
            #expect(try sh("echo app >\"$1\"/Contents/In/text.md; cat Trip.md") == "app\n")
            #expect(try sh("cp -r \"$1\"/Contents \"$1\"/new; rm -r \"$1\"/Contents; mv \"$1\"/new \"$1\"/Contents; cat Trip.md") == "app\n")
            // A version has all of the folder.
            _ = try sh("echo other >\"$1\"/Contents/style.css; n=$(valise versions -q Trip.md | tail -1 | awk '{print $1}'); valise restore Trip.md $n")
            #expect(try sh("cat Trip.md \"$1\"/Contents/style.css; find \"$1\" -type f | wc -l") == "By the sea\np {}\n3\n")
            // An app saves while a program writes: the later one is what the document is.
            let both = "import sys, os, time; f = open('Trip.md', 'w'); f.write('mine\\n'); f.flush(); t = sys.argv[1] + '/Contents/In/text.md'; "
            let late = "n = time.time() + 5; open(t, 'w').write('theirs\\n'); os.utime(t, (n, n)); f.close()"
            try run("python3", "-c", both + late, trip, in: drive.mountpoint).good()
            #expect(try sh("cat Trip.md; valise resolve -q Trip.md 1; cat Trip.md; find \"$1\" -type f | wc -l") == "theirs\nmine\n3\n")
            try run("python3", "-c", both + late, trip, in: drive.mountpoint).good()
            #expect(try sh("valise resolve -q Trip.md --both; cat Trip*.md; cat \"${1%/*}\"/Trip*/Contents/style.css") == "mine\ntheirs\np {}\np {}\n")
            // The extension that is shown is the content's; deleted, it comes back with all of its parts.
            _ = try sh("mv Trip.md Trip.markdown; chmod 640 Trip.markdown; rm Trip.markdown; valise undelete -q Trip.markdown")
            #expect(try sh("stat -c %a Trip.markdown \"$1\"/Contents/In; cd \"$1\"; find . -type f | sort")
                == "640\n750\n./Contents/In/text.markdown\n./Contents/style.css\n./assets/map.txt\n")
            #expect(try sh("valise find 'kind == \"scrap\" AND text CONTAINS \"theirs\"' . | wc -l; cp -r \"$1\" New.scrap; ls New*") == "1\nNew.markdown\n")
            // A folder where the content is meant is a fault, and a folder that is only called so is none.
            let checked = try shell("\"\(Places.valise)\" check \"\(drive.container.path)\"", environment: environment).output
            #expect(checked.contains("Odd.scrap/Contents/In/text.md”: it is a folder") && !checked.contains("Trip"), "\(checked)")
        }
    }

    @Test func everyVerbKnowsIt() throws {
        try withKind { drive, environment in
            func valise(_ line: String) throws -> String {
                try shell("\"\(Places.valise)\" \(line)", in: drive.mountpoint, environment: environment).good().output
            }
            let stored = drive.container.path + "/Documents", trip = stored + "/Trip.scrap"
            #expect(try shell("ls; cat Trip.md", in: drive.mountpoint).good().output == "Notes.txt\nTrip.md\nBy the sea\n")
            #expect(try valise("info Trip.md").contains("scrap") && valise("info \"\(trip)\"").contains("scrap"))
            // Saved as shells, and as editors do.
            try shell("echo one >Trip.md; echo two >.Trip.tmp; mv .Trip.tmp Trip.md", in: drive.mountpoint).good()
            #expect(try String(contentsOfFile: trip + "/text.md", encoding: .utf8) == "two\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: trip).sorted() == ["assets", "info.json", "text.md"])
            #expect(try shell("cat .valise/versions/Trip.md/*", in: drive.mountpoint).good().output == "By the sea\none\n")
            _ = try valise("restore Trip.md 2")
            #expect(try String(contentsOfFile: trip + "/text.md", encoding: .utf8) == "By the sea\n")
            // Found, on the drive and in the container.
            #expect(try valise("find 'kind == \"scrap\"' .").contains("Trip.md"))
            #expect(try valise("find --json 'kind == \"scrap\" AND type == \"com.example.scrap\"' .").contains("Trip.md"))
            #expect(try valise("find 'text CONTAINS \"sea\"' \(drive.container.path)").contains("Trip"))
            #expect(try shell("\"\(Places.valise)\" find 'kind == \"scrapp\"' .", in: drive.mountpoint, environment: environment).errors.contains("did you mean 'scrap'?"))
            // Another name, with all that is in it; deleted, and back with its versions.
            try shell("mv Trip.md Tour.md; rm Tour.md", in: drive.mountpoint).good()
            #expect(try valise("deleted .").contains("Tour.md"))
            _ = try valise("undelete Tour.md")
            #expect(try FileManager.default.contentsOfDirectory(atPath: stored + "/Tour.scrap").sorted() == ["assets", "info.json", "text.md"])
            #expect(try shell("cat .valise/versions/Tour.md/*", in: drive.mountpoint).good().output == "By the sea\none\ntwo\n")
            // An app saves while somebody has it open on the drive and writes: both are kept.
            let both = "import sys; f = open('Tour.md', 'w'); open(sys.argv[1] + '/Tour.scrap/text.md', 'w').write('app\\n'); f.write('drive\\n')"
            try run("python3", "-c", both, stored, in: drive.mountpoint).good()
            #expect(try valise("conflicts .").contains("Tour.md"))
            _ = try valise("resolve Tour.md --current")
            #expect(try valise("conflicts .").contains("Tour.md") == false)
            // Out, and nothing is wrong in the container.
            try shell("mkdir \"$1\"; \"\(Places.valise)\" export --folder \"$1\" .; test -e \"$1\"/Tour.md", drive.container.beside("out"), in: drive.mountpoint, environment: environment).good()
            #expect(try valise("check \(drive.container.path)").contains("Tour.scrap") == false)
        }
    }

    /// Who opens the container elsewhere knows what a drive has used here.
    @Test func theContainerNamesIt() throws {
        try withKind { drive, _ in
            try shell("echo one >Trip.md", in: drive.mountpoint).good()
            #expect(try valise("info", drive.container.path + "/Documents/Trip.scrap", environment: ["XDG_CONFIG_HOME": "/nonexistent"]).good().output.contains("scrap"))
        }
    }

    /// So does one of whose kind folders are, as its person wrote it, however this drive shows it.
    @Test(arguments: ["packages=kind", "packages=file"]) func theContainerNamesAFolderKind(options: String) throws {
        let kind = "[scrap]\nextension = scrap\nrequired = text.md\nshown = folder\ntype = com.example.scrap\n"
        try withKind(kind, options: options) { drive, _ in
            try shell("rm -r Trip.scrap; \"\(Places.valise)\" undelete -q Trip.scrap", in: drive.mountpoint).good()
            let settings = try String(contentsOfFile: drive.container.path + "/.valise/settings", encoding: .utf8)
            #expect(settings == kind, "\(settings)")
            let told = try valise("info", drive.container.path + "/Documents/Trip.scrap", environment: ["XDG_CONFIG_HOME": "/nonexistent"]).good().output
            #expect(told.contains("kind         scrap"), "\(told)")
        }
    }

    @Test func aMistakeIsSaidAndTheDriveIsThere() throws {
        try withKind("[scrap]\nextension = scrap\nparts = text.md\ncolour = red\n") { drive, environment in
            #expect(drive.log.contains("valise/kinds”, line 4: “colour” says nothing of a kind"), "\(drive.log)")
            let listed = try shell("ls --file-type", in: drive.mountpoint).good().lines
            let told = try valise("doctor", environment: environment).output
            #expect(listed == ["Notes.txt", "Trip.scrap/"] && told.contains("line 4"), "\(listed) \(told)")
        }
    }
}
