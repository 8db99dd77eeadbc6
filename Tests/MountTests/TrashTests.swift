import Foundation
import MountTesting
import Testing

/// The trash of a drive, as GLib's programs use it: the folder `.Trash-<user>` at its top.
@Suite(.mounting) struct TrashTests {
    private static let items = """
        bookmark Swift https://www.swift.org/ stored=Bookmark_Swift-7
        photo Cat png
        photo Album/Dog jpeg
        text Notes "Bread\\n"
        file plain "A plain file\\n"
        """

    /// Runs a line on a drive, with a home that has no trash of its own to fall back to.
    private func user(_ line: String, _ drive: MountedDrive) throws -> Ended {
        try shell("export HOME=\"$2\"; mkdir -p \"$2\"; cd \"$1\" && \(line)", drive.mountpoint, drive.container.beside("home"))
    }

    /// Puts back what is in a trash, where its record says it was: by one rename, as file managers do.
    private static let restore = """
        for record in "$trash"/info/*.trashinfo; do
            name=$(basename "$record" .trashinfo); old=$(sed -n 's/^Path=//p' "$record")
            mv -n "$trash/files/$name" "$(python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.argv[1]))' "$old")" && rm "$record"
        done
        """

    private func stored(_ container: TemporaryContainer) throws -> [String] {
        try shell("find . -path ./.valise -prune -o -path './.Trash*' -prune -o -print | sort", in: container.path).good().lines
    }

    @Test(arguments: [nil, "allow_other"]) func whatIsRestoredIsTheSameDocument(options: String?) throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container, options: options) { drive in
            let before = try stored(container), trash = ".Trash-\(getuid())"
            try shell("setfattr -n user.colour -v green Cat.png", in: drive.mountpoint).good()
            #expect(try user("gio trash Swift.url Cat.png Notes.txt plain Album", drive).good().errors.isEmpty)
            #expect(try shell("ls; stat -c %a $1; ls $1/files; ls $1/info | wc -l", trash, in: drive.mountpoint).good().output
                == "700\nAlbum\nCat.png\nNotes.txt\nSwift.url\nplain\n5\n")
            #expect(try run("ls", container.path + "/\(trash)/files").good().output == "Album\nBookmark_Swift-7\nCat.ptk\nNotes.stedoc\nplain\n")
            #expect(try valise("info", drive.path("\(trash)/files/Swift.url")).good().output.contains("stored name  Bookmark_Swift-7\n"))
            try user("trash=\(trash); \(Self.restore)", drive).good()
            #expect(try stored(container) == before)
            #expect(try shell("cat Notes.txt plain; getfattr --only-values -n user.colour Cat.png; ls Album $1/files $1/info", trash, in: drive.mountpoint).good().output
                == "Bread\nA plain file\ngreen\(trash)/files:\n\n\(trash)/info:\n\nAlbum:\nDog.jpg\n")
        }
    }

    @Test func twoOfOneNameAreBothRestored() throws {
        let container = try TemporaryContainer("bookmark Swift https://old.example/ stored=Bookmark_Swift-7")
        try withDrive(container) { drive in
            let trash = ".Trash-\(getuid())"
            try user("gio trash Swift.url && printf '[InternetShortcut]\\nURL=https://new.example/\\n' >Swift.url && gio trash Swift.url", drive).good()
            let names = try run("ls", drive.path(trash + "/files")).good().lines
            #expect(names.count == 2 && names.contains("Swift.url"))
            try shell("for file in $1/files/*; do mv -n \"$file\" \"$(grep -o 'old\\|new' \"$file\").url\"; done; rm -r $1", trash, in: drive.mountpoint).good()
            #expect(try shell("cat old.url new.url | grep URL; ls -A", in: drive.mountpoint).good().output == "URL=https://old.example/\nURL=https://new.example/\nnew.url\nold.url\n")
            #expect(try valise("info", drive.path("old.url")).good().output.contains("stored name  Bookmark_Swift-7\n"))
        }
    }

    @Test func anEmptiedTrashLeavesNothing() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            try user("gio trash Swift.url Cat.png Album && rm -r .Trash-*", drive).good()
            #expect(try run("ls", "-A", drive.mountpoint).good().output == "Notes.txt\nplain\n")
        }
        #expect(try run("ls", "-A", container.path).good().output == ".valise\nNotes.stedoc\nplain\n")
    }

    @Test(.enabled("only root can be another user") { getuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true" })
    func anotherUserHasATrashOfHisOwn() throws {
        let container = try TemporaryContainer(Self.items)
        try shell("chmod 711 \"$(dirname \"$1\")\"; chmod 1777 \"$1\"; chown -R 65534:65534 \"$1\"/*; mkdir -m 777 \"$1/../home\"", container.path).good()
        try withDrive(container, options: "allow_other") { drive in
            let before = try stored(container)
            func other(_ line: String) throws -> Ended { try user("setpriv --reuid=65534 --regid=65534 --clear-groups bash -c '\(line)'", drive) }
            try other("gio trash Swift.url Cat.png").good()
            #expect(try shell("stat -c \"%u %a\" .Trash-65534; ls .Trash-65534/files", in: drive.mountpoint).good().output == "65534 700\nCat.png\nSwift.url\n")
            try other("mv .Trash-65534/files/* . && rm -r .Trash-65534").good()
            #expect(try stored(container) == before)
            // One that an administrator made for all.
            try shell("mkdir -m 1777 .Trash", in: drive.mountpoint).good()
            try other("gio trash Cat.png").good()
            #expect(try shell("ls .Trash/65534/files", in: drive.mountpoint).good().output == "Cat.png\n")
        }
    }
}
