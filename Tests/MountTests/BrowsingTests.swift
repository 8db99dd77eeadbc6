import Foundation
import MountTesting
import Testing

/// A container that Python's plistlib wrote: names, sizes and bytes.
@Suite(.mounting) struct BrowsingTests {
    static let description = """
        bookmark Swift https://www.swift.org/
        bookmark "A & B" http://example.com/?a=1&b=2 mutable
        bookmark Plain https://example.org/ stored=NoPrefix
        photo Sunset png size=5000
        photo Meadow jpeg objc
        photo Dots gif mutable
        photo Web webp objc mutable metadata=no
        photo "Big one" png size=3000000
        photo Markup jpeg xml size=300000
        bookmark Markup https://markup.example/ xml
        text Notes "First line\\nSecond line\\n"
        file letter.txt "a plain file\\n"
        file sub/deep/note.md "# Note\\n"
        photo sub/Inside png
        """

    @Test func namesSizesAndBytes() throws {
        let container = try TemporaryContainer(Self.description)
        try withDrive(container) { drive in
            for item in container.items {
                let size = try run("stat", "-c", "%s %F", drive.path(item.shown)).good()
                #expect(size.output.hasPrefix("\(item.size) regular file"), "\(item.shown)")
                let digest = try run("sha256sum", drive.path(item.shown)).good()
                #expect(digest.output.hasPrefix(item.sha256), "\(item.shown)")
            }
            let listed = try run("find", ".", "-type", "f", in: drive.mountpoint).good().lines.map { String($0.dropFirst(2)) }
            #expect(listed.sorted() == container.items.map(\.shown).sorted())
        }
    }

    @Test func photosAreTheirOriginals() throws {
        let container = try TemporaryContainer("photos 60 IMG_")
        // The originals come out of the archives by plistlib, which the drive knows nothing of.
        let extract = """
            import os, plistlib, sys
            for name in os.listdir(sys.argv[1]):
                with open(os.path.join(sys.argv[1], name, "photo.data"), "rb") as file:
                    list = plistlib.load(file)
                objects = list["$objects"]
                image = objects[objects[list["$top"]["Data"].data]["Photo"].data]
                with open(os.path.join(sys.argv[2], name[:-4] + ".jpg"), "wb") as file:
                    file.write(image)
            """
        let originals = container.beside("originals")
        try run("mkdir", originals).good()
        try run("python3", "-c", extract, container.path, originals).good()
        try withDrive(container) { drive in
            let difference = try run("diff", "-r", originals, drive.mountpoint)
            #expect(difference.code == 0 && difference.output.isEmpty, "\(difference.output)")
            #expect(try run("ls", originals).lines.count == 60)
        }
    }

    @Test func allProgramsReadTheSame() throws {
        let container = try TemporaryContainer("photo Big png size=3000000")
        let expected = try #require(container.items.first)
        try withDrive(container) { drive in
            let readers = [
                "cat Big.png", "cp Big.png /dev/stdout", "dd if=Big.png bs=977 status=none", "dd if=Big.png bs=1M iflag=direct status=none",
                "tail -c +1 Big.png", "python3 -c 'import mmap,sys; f=open(\"Big.png\",\"rb\"); sys.stdout.buffer.write(mmap.mmap(f.fileno(),0,prot=mmap.PROT_READ))'",
            ]
            for reader in readers {
                let digest = try shell("\(reader) | sha256sum", in: drive.mountpoint).good().output
                #expect(digest.hasPrefix(expected.sha256), "\(reader)")
            }
            // From the middle, and beyond the end.
            #expect(try shell("tail -c 12 Big.png | od -An -c | tr -d ' \\n'", in: drive.mountpoint).output.contains("IEND"))
            #expect(try shell("dd if=Big.png bs=1 skip=\(expected.size) status=none | wc -c", in: drive.mountpoint).output == "0\n")
        }
    }

    @Test(arguments: ["desktop", "webloc", "html"]) func formsOfLinks(_ form: String) throws {
        let container = try TemporaryContainer("bookmark Swift https://www.swift.org/")
        try withDrive(container, options: "link=\(form)") { drive in
            #expect(try run("ls", drive.mountpoint).output == "Swift.\(form)\n")
            let shown = try run("cat", drive.path("Swift.\(form)")).good().output
            #expect(shown.contains("https://www.swift.org/"))
            #expect(try run("stat", "-c", "%s", drive.path("Swift.\(form)")).output == "\(shown.utf8.count)\n")
        }
    }

    @Test func documentsFolder() throws {
        let container = try TemporaryContainer("text Documents/Inside one\ntext Outside two")
        try withDrive(container) { drive throws in
            #expect(try run("ls", "-A", drive.mountpoint).output == "Inside.txt\n")
            #expect(try run("ls", drive.path(".valise/originals")).output == "Documents\nOutside.stedoc\n")
        }
    }
}
