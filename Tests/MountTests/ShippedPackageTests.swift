import Foundation
import MountTesting
import Testing

/// Packages of other apps that each drive knows.
@Suite(.mounting) struct ShippedPackageTests {
    /// Two packages of each kind that is shown as a file, and what they are called on a drive: made by a shell in the
    /// folder that it is run in.
    static let packages = """
        set -e
        package() { mkdir -p "$1/in/empty"; shift; for f in "$@"; do mkdir -p "$(dirname "$f")"; echo "$f" >"$f"; done; }
        package Letter.pages Letter.pages/Index.zip Letter.pages/Data/image.jpg Letter.pages/Metadata/p.plist
        package Bare.pages Bare.pages/Index/Document.iwa Bare.pages/Index/Tables/a.iwa
        package Sums.numbers Sums.numbers/index.xml.gz Sums.numbers/QuickLook/Preview.pdf
        package Talk.key Talk.key/index.apxl
        package Note.rtfd Note.rtfd/TXT.rtf Note.rtfd/pasted.png
        package Plan.graffle Plan.graffle/data.plist Plan.graffle/image1.png
        package Out.oo3 Out.oo3/contents.xml
        package Ideas.mindnode Ideas.mindnode/contents.xml Ideas.mindnode/style.mindnodestyle/contents.xml
        package Play.playground Play.playground/contents.xcplayground Play.playground/Contents.swift
        package Trip.textbundle Trip.textbundle/text.markdown Trip.textbundle/info.json Trip.textbundle/assets/map.png
        package Live.pvt Live.pvt/IMG_1.HEIC Live.pvt/IMG_1.MOV Live.pvt/metadata.plist
        package Novel.scriv Novel.scriv/Novel.scrivx Novel.scriv/Files/Data/1/content.rtf
        package Song.band Song.band/projectData Song.band/Media/a.aif
        package Mix.logicx Mix.logicx/Alternatives/000/ProjectData Mix.logicx/Resources/ProjectInformation.plist
        package Film.fcpbundle Film.fcpbundle/CurrentVersion.flexolibrary
        package App.xcodeproj App.xcodeproj/project.pbxproj App.xcodeproj/project.xcworkspace/contents.xcworkspacedata
        package Notes.dtBase2 Notes.dtBase2/DEVONthink-1.dtMeta
        for p in *; do ( cd "$p"; ln -s empty in/link; chmod 640 "$(find . -type f | head -1)"; setfattr -n user.colour -v red in; chmod 750 in/empty; find . -exec touch -h -d '2020-02-03 04:05:06.123456789Z' {} + ); done
        """

    /// All that is in each package: types, permissions, times, targets, attributes and contents.
    private static let tree = """
        cd "$1" && for p in *; do
        find "$p" -mindepth 1 -type l -printf '%p %y %T@ %l\\n' -o -mindepth 1 -printf '%p %y %m %T@\\n'
        find "$p" -type f -exec sha256sum {} +; getfattr -Rhd -m '^user[.]colour' "$p"; done | sort
        """

    private func tree(_ folder: String) throws -> String { try shell(Self.tree, folder).good().output }

    private func made() throws -> (TemporaryContainer, source: String) {
        let container = try TemporaryContainer("text Documents/Words \"a text\\n\""), source = container.beside("mac")
        try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
        try shell(Self.packages, in: source).good()
        return (container, source)
    }

    private static let listed = [
        "App.xcodeproj/", "Bare.pages", "Film.fcpbundle/", "Ideas.mindnode", "Letter.pages", "Live.HEIC", "Mix.logicx/", "Note.rtfd", "Notes.dtBase2/",
        "Novel.scriv/", "Out.oo3", "Plan.graffle", "Play.playground", "Song.band/", "Sums.numbers", "Talk.key", "Trip.markdown",
    ]
    private static let flat = "Bare.pages Letter.pages Sums.numbers Talk.key Note.rtfd Plan.graffle Out.oo3 Ideas.mindnode Play.playground"

    /// In each way that people copy packages, the same packages come to lie in the container.
    @Test(arguments: ["cp -a \"$1\"/* .", "rsync -aX \"$1\"/ . && rsync -aX \"$1\"/ .", "tar c --xattrs -C \"$1\" . | tar x --xattrs"])
    func theyComeInAsTheyAre(how: String) throws {
        let (container, source) = try made()
        try withDrive(container) { drive in
            try shell(how, source, in: drive.mountpoint).good()
            #expect(try eventually(within: 30) { try shell("LC_ALL=C ls --file-type -I Words.txt", in: drive.mountpoint).good().lines == Self.listed })
            let stored = container.path + "/Documents"
            try shell("rm Words.stedoc", in: stored).good()
            #expect(try tree(stored) == tree(source), "\(how)")
        }
    }

    /// A flat file is a ZIP for all programs, and what they unpack is the package again.
    @Test func theyGoOutAndComeBack() throws {
        let (container, source) = try made(), away = container.beside("away")
        try shell("cp -a \"$1\"/* \"$2\"", source, container.path + "/Documents").good()
        try withDrive(container) { drive in
            try shell("""
                set -e; mkdir "$1"
                for f in \(Self.flat); do
                    unzip -tqq $f; bsdtar -tf $f >/dev/null; 7z t $f >/dev/null; python3 -c "import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None" $f
                    cp $f "$1"/$f.zip; mkdir "$1"/$f; bsdtar -xpf "$1"/$f.zip -C "$1"/$f; diff -r "$1"/$f "$2"/$f
                done
                """, away, source, in: drive.mountpoint).good()
            // Over an existing package it is the package, and changes nothing; a new one stays the file that it is,
            // where there are such files.
            try shell("for f in \(Self.flat); do cp \"$1\"/$f.zip $f; cp \"$1\"/$f.zip New-$f; done", away, in: drive.mountpoint).good()
            #expect(try shell("ls .valise/versions", in: drive.mountpoint).good().output.isEmpty)
            let new = try shell("stat -c '%n %F' New-*", in: container.path + "/Documents").good().lines.filter { $0.hasSuffix("directory") }
            #expect(new == ["New-Note.rtfd directory"])
            let before = try tree(source)
            try shell("rm -r New-* Words.stedoc", in: container.path + "/Documents").good()
            #expect(try tree(container.path + "/Documents") == before)
            #expect(try valise("check", container.path).output.contains("problem") == false)
        }
    }

    @Test func theyAreDocuments() throws {
        let (container, source) = try made(), stored = container.path + "/Documents"
        try shell("cp -a \"$1\"/* \"$2\"", source, stored).good()
        try withDrive(container, environment: ["XDG_CACHE_HOME": container.beside("cache")]) { drive in
            func line(_ text: String) throws -> String { try shell("valise='\(Places.valise)'; \(text)", stored, in: drive.mountpoint).good().output }
            #expect(try line("for f in Letter.pages Talk.key Trip.markdown Live.HEIC; do getfattr --only-values -n user.valise.kind $f; echo; done") == "pages\nkeynote\ntextbundle\nlivephoto\n")
            #expect(try line("$valise find 'kind == \"keynote\" OR type == \"com.apple.rtfd\"' . | sed 's,.*/,,' | sort") == "Note.rtfd\nTalk.key\n")
            #expect(try line("$valise find --json 'type == \"com.apple.xcode.project\"' .").contains("App.xcodeproj"))
            // Saved, with a version; renamed, with its parts; another extension is another text.
            _ = try line("echo more >>Trip.markdown; mv Trip.markdown Tour.txt; mv Live.HEIC Sea.HEIC; mv Letter.pages Brief.pages")
            #expect(try line("ls \"$1\"/Tour.textbundle \"$1\"/Sea.pvt \"$1\"/Brief.pages | sort | tr '\\n' ' '").contains("IMG_1.HEIC IMG_1.MOV Index.zip"))
            #expect(try line("cat .valise/versions/Tour.txt/*; cat \"$1\"/Tour.textbundle/text.txt") == "Trip.textbundle/text.markdown\nTrip.textbundle/text.markdown\nmore\n")
            _ = try line("rm Tour.txt Brief.pages; $valise undelete Tour.txt Brief.pages")
            #expect(try line("ls \"$1\"/Tour.textbundle | tr '\\n' ' '") == "assets in info.json text.txt ")
            // No new text or image is a package.
            _ = try line("echo new >New.md; printf 'image' >New.heic")
            #expect(try line("stat -c %F \"$1\"/New.md \"$1\"/New.heic") == "regular file\nregular file\n")
            #expect(try line("$valise status --json . | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"drives\"][0][\"creates\"])'") == "['text']\n")
        }
    }

    /// An extension alone hides no folder and no file.
    @Test func whatIsOnlyCalledSoIsWhatItIs() throws {
        let container = try TemporaryContainer("""
            text Documents/Words "a text\\n"
            file Documents/Website.pages/index.html "a page\\n"
            file Documents/ssl.key/server.pem "a key\\n"
            file Documents/id.key "a key\\n"
            file Documents/Flat.graffle "flat\\n"
            file Documents/Odd.rtfd "no folder\\n"
            folder Documents/Folder.pages/Index.zip
            file Documents/Link.pages/a "linked\\n"
            link Documents/Link.pages/Index.zip a
            file Documents/None.textbundle/info.json "{}\\n"
            file Documents/Two.textbundle/text.md "first\\n"
            file Documents/Two.textbundle/text.txt "second\\n"
            file Documents/LOUD.TEXTBUNDLE/text.md "loud\\n"
            file "Documents/Caf\\xe9.textbundle/text.md" "other letters\\n"
            file Documents/Library.photoslibrary/database/a "left alone\\n"
            file Documents/Outer.pages/Index.zip "one\\n"
            file Documents/Outer.pages/Inner.textbundle/text.md "within\\n"
            """)
        try withDrive(container, environment: ["VALISE_GROWING_SECONDS": "0"]) { drive in
            let names = try shell("LC_ALL=C ls -b --file-type", in: drive.mountpoint).good().lines
            #expect(names == [
                "Caf\\351.md", "Flat.graffle", "Folder.pages/", "LOUD.md", "Library.photoslibrary/", "Link.pages/", "None.textbundle/", "Odd.rtfd", "Outer.pages", "Two.md",
                "Website.pages/", "Words.txt", "id.key", "ssl.key/",
            ])
            #expect(try shell("cat Two.md id.key; unzip -p Outer.pages Inner.textbundle/text.md", in: drive.mountpoint).good().output == "first\na key\nwithin\n")
            // What does not fit says why, where it is surely meant.
            #expect(try shell("getfattr --only-values -n user.valise.error None.textbundle", in: drive.mountpoint).good().output == "Its text.md is missing.")
            #expect(try shell("getfattr -n user.valise.error Website.pages", in: drive.mountpoint).errors.contains("No such attribute"))
            // A person's own folder gets its name, and is a folder for apps, too.
            try shell("mkdir own.key && echo mine >own.key/server.key", in: drive.mountpoint).good()
            let stored = container.path + "/Documents/own.key/server.key"
            #expect(eventually(within: 20) { FileManager.default.fileExists(atPath: stored) })
            try shell("echo more >>own.key/server.key; echo two >own.key/other; ls own.key; test \"$(cat \"$1\")\" = \"$(cat own.key/server.key)\"", stored, in: drive.mountpoint).good()
            #expect(try valise("status", drive.mountpoint).output.contains("growing") == false)
        }
    }

    @Test func aLargeTextBundleIsOneFile() throws {
        let container = try TemporaryContainer("text Documents/Words \"a text\\n\"")
        try shell("mkdir -p Big.textbundle/assets && cd Big.textbundle && echo words >text.md && python3 -c \"[open(f'assets/{n}', 'w').close() for n in range(10000)]\"", in: container.path + "/Documents").good()
        try withDrive(container) { drive in
            try shell("echo more >>Big.md && mv Big.md Large.md && cat Large.md", in: drive.mountpoint).good()
            #expect(try FileManager.default.contentsOfDirectory(atPath: container.path + "/Documents/Large.textbundle/assets").count == 10_000)
        }
    }

    // MARK: As a mount wants them

    @Test func aMountShowsAllOfThemOneWay() throws {
        let (container, source) = try made(), stored = container.path + "/Documents"
        try shell("cp -a \"$1\"/* \"$2\"", source, stored).good()
        try withDrive(container, options: "rw,packages=file") { drive in
            let names = try shell("LC_ALL=C ls --file-type", in: drive.mountpoint).good().lines, packages = try FileManager.default.contentsOfDirectory(atPath: source)
            #expect(names == (packages.map { $0.replacing("B", with: $0.hasSuffix("dtBase2") ? "b" : "B") } + ["Words.txt"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            func line(_ text: String) throws -> String { try shell("valise='\(Places.valise)'; \(text)", in: drive.mountpoint).good().output }
            _ = try line("for f in *; do test $f = Words.txt || unzip -tqq $f || exit 1; done")
            // Changed, and its version; what the container is told is nothing of this drive's own way.
            _ = try line("mkdir ../n; bsdtar -xf Novel.scriv -C ../n; echo new >../n/Novel.scrivx; (cd ../n; zip -qry ../n.zip .); cp ../n.zip Novel.scriv; cp ../n.zip Other.scriv")
            #expect(try String(contentsOfFile: stored + "/Novel.scriv/Novel.scrivx", encoding: .utf8) == "new\n")
            #expect(try line("$valise versions Novel.scriv | wc -l") == "4\n")
            #expect(try line("$valise find 'kind == \"scriv\"' . | sed 's,.*/,,'") == "Novel.scriv\n")
            #expect(try line("stat -c %F '\(stored)/Other.scriv'") == "regular file\n")
            #expect((try? String(contentsOfFile: container.path + "/.valise/settings", encoding: .utf8))?.contains("scriv") != true)
        }
        try withDrive(container, options: "rw,packages=folder") { drive in
            #expect(try shell("test ! -e Trip.markdown && cat Trip.textbundle/text.markdown && cat Letter.pages/Index.zip", in: drive.mountpoint).good().output == "Trip.textbundle/text.markdown\nLetter.pages/Index.zip\n")
            #expect(try valise("info", drive.path("Letter.pages")).good().output.contains("kind         pages"))
            #expect(try valise("versions", drive.path("Letter.pages")).good().output.contains("now"))
            #expect(try valise("find", "name == 'Letter.pages'", drive.mountpoint).good().output.contains("Letter.pages"))
            try shell("echo more >>Trip.textbundle/text.markdown", in: drive.mountpoint).good()
        }
        // Nothing is wrong for one that shows them as they say.
        #expect(try valise("check", container.path).output.contains("problem") == false)
        #expect(try String(contentsOfFile: stored + "/Trip.textbundle/text.markdown", encoding: .utf8).hasSuffix("more\n"))
    }

    /// Who has written down a kind that is shipped by now loses nothing.
    @Test func whoWroteOneDownHasItStill() throws {
        let container = try TemporaryContainer("file Documents/Trip.textbundle/text.md \"By the sea\\n\"\nfile Documents/Trip.textbundle/info.json \"{}\\n\""), config = container.beside("config")
        try FileManager.default.createDirectory(atPath: config + "/valise", withIntermediateDirectories: true)
        let written = "[bundle]\nextension = textbundle\nparts = text.md, info.json\n[mine]\nextension = mine\nparts = a.md\n"
        try written.write(toFile: config + "/valise/kinds", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: container.path + "/.valise", withIntermediateDirectories: true)
        try "create = text\n[textbundle]\nextension = textbundle\nparts = text.md\n".write(toFile: container.path + "/.valise/settings", atomically: true, encoding: .utf8)
        try withDrive(container, environment: ["XDG_CONFIG_HOME": config]) { drive in
            #expect(drive.log.contains("line 1: Valise itself knows the packages “.textbundle” now"), "\(drive.log)")
            #expect(drive.log.contains("settings”") == false, "\(drive.log)")
            let text = try shell("cat Trip.md", in: drive.mountpoint).good().output
            #expect(text == "By the sea\n")
        }
    }
}
