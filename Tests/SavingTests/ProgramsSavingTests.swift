import Foundation
import MountTesting
import Testing

/// Documents of apps, saved by the programs that Debian has: the new content arrives, all else of the document stays,
/// and nothing is left lying about.
@Suite(.mounting) struct ProgramsSavingTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        /// A line of bash in the drive's root. The new file lies in "$1".
        let line: String
        /// What the program leaves on purpose.
        var leaves: [String] = []
        var testDescription: String { name }
    }

    static let newLink = link("https://new.example/page")

    static let links = [
        Way(name: "vim", line: vim()),
        Way(name: "vim with a backup", line: vim("-c 'set backup bsk='"), leaves: ["Page.url~"]),
        Way(name: "vim with backupcopy", line: vim("-c 'set backup bsk= backupcopy=yes'"), leaves: ["Page.url~"]),
        Way(name: "vim with a swap file", line: vim("-c 'set swapfile fsync'")),
        Way(name: "vim without fsync, as Neovim", line: vim("-c 'set nofsync'")),
        Way(name: "nano", line: nano()),
        Way(name: "nano with a backup", line: nano("-B"), leaves: ["Page.url~"]),
        Way(name: "GIO", line: #"gio save Page.url < "$1""#),
        Way(name: "GIO with a backup", line: #"gio save -b Page.url < "$1""#, leaves: ["Page.url~"]),
        Way(name: "sed -i", line: "sed -i s,old.example/,new.example/page, Page.url"),
        Way(name: "sed -i with a backup", line: "sed -i.bak s,old.example/,new.example/page, Page.url", leaves: ["Page.url.bak"]),
        Way(name: "perl -i", line: "perl -pi -e s,old.example/,new.example/page, Page.url"),
        Way(name: "ed", line: #"printf '2s,old.example/,new.example/page,\nw\nq\n' | ed -s Page.url"#),
        Way(name: "cat >", line: #"cat "$1" > Page.url"#),
        Way(name: "two programs >", line: #"{ head -n 1 "$1"; tail -n 1 "$1"; } > Page.url"#),
        Way(name: "cp", line: #"cp "$1" Page.url"#),
        Way(name: "cp -a", line: #"cp -a "$1" Page.url"#),
        Way(name: "cp --remove-destination", line: #"cp --remove-destination "$1" Page.url"#),
        Way(name: "cp -b", line: #"cp -b "$1" Page.url"#, leaves: ["Page.url~"]),
        Way(name: "mv", line: #"mv "$1" Page.url"#),
        Way(name: "install", line: #"install "$1" Page.url"#),
        Way(name: "dd", line: #"dd if="$1" of=Page.url conv=fsync status=none"#),
        Way(name: "rsync", line: #"rsync -a "$1" Page.url && test -z "$(rsync -ai "$1" Page.url)""#),
        Way(name: "rsync --inplace", line: #"rsync -a --inplace "$1" Page.url"#),
    ]

    private static func vim(_ options: String = "") -> String {
        // Where temporary files are, vim makes no backups unless it is told to.
        "vim -es -N -u NONE -i NONE \(options) -c '%s,old.example/,new.example/page,' -c wq Page.url"
    }

    private static func nano(_ options: String = "") -> String {
        // The lines are cut, the new ones typed; then saved and left.
        let keys = #"\x0b\x0b\x0b[InternetShortcut]\rURL=https://new.example/page\x13\x18"#
        return #"python3 "$2" Exit '\#(keys)' nano -I \#(options) Page.url"#
    }

    @Test(arguments: links) func aBookmark(way: Way) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            try Data(Self.newLink.utf8).write(to: URL(fileURLWithPath: container.beside("new")))
            try shell(way.line, container.beside("new"), Places.support("type_into.py"), in: drive.mountpoint, environment: ["HOME": container.beside("")]).good()

            #expect(try drive.text("Page.url") == Self.newLink)
            let stored = "Bookmark_Page-1700000000.123456"
            let archive = try container.archive(stored)
            #expect(archive["Bookmark URL"] == "https://new.example/page")
            #expect(archive["Bookmark Name"] == "Page")
            #expect(archive["$class"] == "Reader.Bookmark")
            #expect(archive["Rating"] == "5" && archive["Notes"] == "read it")
            #expect(try run("getfattr", "--only-values", "-n", "user.tag", container.stored(stored)).good().output == "blue")
            #expect(try drive.files() == (["Page.url", "cat.jpg"] + way.leaves).sorted())
            #expect(try container.deleted() == [])
            #expect(try container.staged() == [])
        }
    }

    static let photos = [
        Way(name: "exiftool", line: "exiftool -q -Comment=hello cat.jpg", leaves: ["cat.jpg_original"]),
        Way(name: "exiftool without a copy", line: "exiftool -q -overwrite_original -Comment=hello cat.jpg"),
        Way(name: "exiftool in place", line: "exiftool -q -overwrite_original_in_place -Comment=hello cat.jpg"),
        Way(name: "cp", line: #"cp "$1" cat.jpg"#),
        Way(name: "rsync", line: #"rsync -a "$1" cat.jpg && test -z "$(rsync -ai "$1" cat.jpg)""#),
        Way(name: "rsync --inplace", line: #"rsync -a --inplace "$1" cat.jpg"#),
        Way(name: "GIO", line: #"gio save cat.jpg < "$1""#),
        Way(name: "mv away and back", line: #"mv cat.jpg cat.jpg~ && cp "$1" cat.jpg && rm cat.jpg~"#),
        Way(name: "rm and cp", line: #"rm cat.jpg && cp "$1" cat.jpg"#),
        Way(name: "dd into the middle", line: "printf ZZZZ | dd of=cat.jpg bs=1 seek=40 conv=notrunc status=none"),
    ]

    @Test(arguments: photos) func aPhoto(way: Way) throws {
        let container = try appDocuments()
        try withDrive(container, options: "rw") { drive in
            let before = try drive.get("cat.jpg")
            try image(70_000).write(to: URL(fileURLWithPath: container.beside("new")))
            try shell(way.line, container.beside("new"), in: drive.mountpoint, environment: ["HOME": container.beside("")]).good()

            let after = try drive.get("cat.jpg")
            #expect(after != before)
            let archive = try container.archive("cat.ptk/photo.data")
            #expect(archive["Photo"] == (try digest(after)))
            #expect(archive["$class"] == "PTKData" && archive["Extra"] == "7")
            #expect(try container.bytes("cat.ptk/notes") == Data("the app's own".utf8))
            #expect(try run("getfattr", "--only-values", "-n", "user.tag", container.stored("cat.ptk")).good().output == "red")
            #expect(try run("getfattr", "--only-values", "-n", "user.tag", container.stored("cat.ptk/photo.data")).good().output == "green")
            #expect(try drive.files() == (["Page.url", "cat.jpg"] + way.leaves).sorted())
            #expect(try container.deleted() == [])
        }
    }

    static let files = [
        Way(name: "vim", line: "vim -es -N -u NONE -i NONE -c '%s,old,new,' -c wq words.dat"),
        Way(name: "vim with a backup", line: "vim -es -N -u NONE -i NONE -c 'set backup bsk=' -c '%s,old,new,' -c wq words.dat", leaves: ["words.dat~"]),
        Way(name: "vim with backupcopy=no", line: "vim -es -N -u NONE -i NONE -c 'set swapfile backupcopy=no writebackup bsk=' -c '%s,old,new,' -c wq words.dat"),
        Way(name: "nano", line: #"python3 "$2" Exit '\x0b\x0bnew words\x13\x18' nano -I words.dat"#),
        Way(name: "GIO", line: #"gio save words.dat < "$1""#),
        Way(name: "GIO with a backup", line: #"gio save -b words.dat < "$1""#, leaves: ["words.dat~"]),
        Way(name: "sed -i", line: "sed -i s,old,new, words.dat"),
        Way(name: "sed -i with a backup", line: "sed -i.bak s,old,new, words.dat", leaves: ["words.dat.bak"]),
        Way(name: "perl -i", line: "perl -pi -e s,old,new, words.dat"),
        Way(name: "ed", line: #"printf '1s,old,new,\nw\nq\n' | ed -s words.dat"#),
        Way(name: "cat >", line: #"cat "$1" >words.dat"#),
        Way(name: "cp", line: #"cp "$1" words.dat"#),
        Way(name: "cp --remove-destination", line: #"cp --remove-destination "$1" words.dat"#),
        Way(name: "cp -b", line: #"cp -b "$1" words.dat"#, leaves: ["words.dat~"]),
        Way(name: "install", line: #"install -m 644 "$1" words.dat"#),
        Way(name: "dd", line: #"dd if="$1" of=words.dat conv=fsync status=none"#),
        Way(name: "rsync", line: #"rsync -a --ignore-times "$1" words.dat"#),
        Way(name: "mv away and back", line: #"mv words.dat words.dat~ && cp "$1" words.dat && rm words.dat~"#),
        Way(name: "tar", line: #"tar -C "$(dirname "$1")" --transform s,new,words.dat, -cf - new | tar -xf -"#),
        Way(name: "a new one in place of a removed one", line: python("open('x.new', 'w').write('new words\\n'); os.remove('words.dat'); os.rename('x.new', 'words.dat')")),
        Way(name: "the old one renamed and removed", line: python("os.rename('words.dat', 'x.old'); open('words.dat', 'w').write('new words\\n'); os.remove('x.old')")),
    ]

    private static func python(_ steps: String) -> String { "python3 -c \"import os; \(steps)\"" }

    /// What is no document has no versions; saving it makes no litter among the deleted all the same.
    @Test(arguments: files) func aPlainFile(way: Way) throws {
        let container = try TemporaryContainer("file words.dat \"old words\\n\"")
        try withDrive(container, options: "rw") { drive in
            try Data("new words\n".utf8).write(to: URL(fileURLWithPath: container.beside("new")))
            try shell(way.line, container.beside("new"), Places.support("type_into.py"), in: drive.mountpoint, environment: ["HOME": container.beside("")]).good()
            #expect(try drive.text("words.dat") == "new words\n")
            #expect(try drive.files() == (["words.dat"] + way.leaves).sorted())
            #expect(try container.deleted() == [])
        }
    }

    /// Where another program writes under the name, or none does, the file was deleted.
    @Test func whatOnlyLooksLikeSavingIsKept() throws {
        let container = try TemporaryContainer("file words.dat \"old words\\n\"\nfile other.dat \"other\\n\"")
        try withDrive(container, options: "rw") { drive in
            try shell("rm words.dat; echo new >words.dat", in: drive.mountpoint).good()
            try shell(Self.python("os.rename('other.dat', 'x.old'); os.remove('x.old')"), in: drive.mountpoint).good()
            #expect(try container.deleted() == ["words.dat", "x.old"])
            #expect(try shell("cat .valise/deleted/*/words.dat .valise/deleted/*/x.old", in: drive.mountpoint).output == "old words\nother\n")
        }
    }
}

/// A container with documents that hold more than Valise knows of.
func appDocuments() throws -> TemporaryContainer {
    let container = try TemporaryContainer()
    try run("python3", Places.support("app_documents.py"), container.path).good()
    return container
}
