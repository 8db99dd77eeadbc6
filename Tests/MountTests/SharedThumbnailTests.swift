import Foundation
import MountTesting
import Testing

/// `.sh_thumbnails`: what file managers find of the thumbnails that photos have, read by somebody else's rules.
@Suite(.mounting) struct SharedThumbnailTests {
    /// What a file manager finds for these, or for all that are listed.
    private func thumbnails(_ drive: MountedDrive, _ files: String = "*") throws -> String {
        try shell("python3 \"$1\" \"$2\"/\(files)", Places.support("shared_thumbnails.py"), drive.mountpoint).good().output
    }

    @Test func aPhotoOffersTheThumbnailThatItHas() throws {
        let long = String(repeating: "x", count: 200)
        let container = try TemporaryContainer(#"""
            photo Cat png
            photo "Ä b;c?%20'&=+,@~!*()#[]{}|^<>:-._$`" png mutable
            photo \xff\x01 gif objc
            photo \#(long) jpeg mutable objc
            photo Folder/Inside png
            photo Bare png metadata=no
            photo Pictured png thumbnail=jpeg
            text Notes "Bread\n"
            folder Empty
            """#)
        try withDrive(container) { drive in
            let found = try thumbnails(drive).split(separator: "\n")
            #expect(found.filter { $0.hasSuffix(": 4 × 4") }.count == 4)
            #expect(found.filter { $0.hasSuffix(": none") } == ["Bare.png: none", "Empty: none", "Folder: none", "Notes.txt: none", "Pictured.png: none"])
            #expect(try thumbnails(drive, "Folder/*") == "Inside.png: 4 × 4\n")
            // Found by name only, and only where there are photos.
            #expect(try run("find", drive.mountpoint, "-name", ".sh_thumbnails").output.isEmpty)
            #expect(try run("ls", "-A", drive.path(".sh_thumbnails"), drive.path(".sh_thumbnails/large")).good().lines.filter { !$0.contains("/") } == [""])
            #expect(access(drive.path("Empty/.sh_thumbnails"), F_OK) != 0)
            #expect(access(drive.path(".valise/originals/.sh_thumbnails"), F_OK) != 0)
        }
    }

    @Test func namesOfAnyLengthAreFound() throws {
        // Digests pad what is shorter than their block in three ways.
        let lengths = Array(45...70) + [115, 119, 120, 121, 128]
        let container = try TemporaryContainer(lengths.map { "photo \(String(repeating: "n", count: $0)) png" }.joined(separator: "\n"))
        try withDrive(container) { drive in
            let found = try thumbnails(drive).split(separator: "\n")
            #expect(found.count == lengths.count && found.allSatisfy { $0.hasSuffix(": 4 × 4") })
        }
    }

    @Test func itGoesWithThePhoto() throws {
        let container = try TemporaryContainer("photo Cat png\nphoto Dog png\nfolder Other")
        try withDrive(container) { drive in
            #expect(try thumbnails(drive) == "Cat.png: 4 × 4\nDog.png: 4 × 4\nOther: none\n")
            try shell("touch -d 2020-02-03T04:05:06.789012345Z Cat.png; mv Dog.png Other/Hound.png", in: drive.mountpoint).good()
            #expect(try thumbnails(drive) == "Cat.png: 4 × 4\nOther: none\n")
            #expect(try thumbnails(drive, "Other/*") == "Hound.png: 4 × 4\n")
            try shell("mv Cat.ptk Kitten.ptk", in: container.path).good()
            #expect(try thumbnails(drive) == "Kitten.png: 4 × 4\nOther: none\n")
            try shell("rm Kitten.png", in: drive.mountpoint).good()
            #expect(access(drive.path(".sh_thumbnails"), F_OK) != 0)
        }
    }

    @Test func nobodyWritesThere() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            for line in ["touch .sh_thumbnails/x", "mkdir .sh_thumbnails/normal/x", "rm -r .sh_thumbnails", "mv .sh_thumbnails x", "chmod 700 .sh_thumbnails",
                "echo x >.sh_thumbnails/normal/$(printf ./Cat.png | md5sum | cut -c-32).png", "mv Cat.png .sh_thumbnails/normal"] {
                let errors = try shell(line, in: drive.mountpoint).errors
                #expect(errors.contains("Read-only file system"), "\(line)")
            }
            #expect(try thumbnails(drive) == "Cat.png: 4 × 4\n")
        }
        #expect(try run("ls", "-A", container.path).output == ".valise\nCat.ptk\n")
    }

    @Test func aFolderOfThatNameGoesBefore() throws {
        let container = try TemporaryContainer("photo Cat png\nfile .sh_thumbnails/normal/mine \"A plain file\\n\"")
        try withDrive(container) { drive in
            #expect(try shell("cat .sh_thumbnails/normal/mine; ls -A", in: drive.mountpoint).good().output == "A plain file\n.sh_thumbnails\nCat.png\n")
            #expect(try thumbnails(drive) == "Cat.png: none\n")
            try shell("rm -r .sh_thumbnails", in: drive.mountpoint).good()
            #expect(try thumbnails(drive) == "Cat.png: 4 × 4\n")
        }
    }

    @Test func aPhotoThatIsBeingSavedHasNone() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            let writer = try #require(fopen(drive.path("Cat.png"), "r+"))
            fwrite("x", 1, 1, writer)
            fflush(writer)
            #expect(try thumbnails(drive) == "Cat.png: none\n")
            rewind(writer)
            fwrite([UInt8(0x89)], 1, 1, writer)
            fclose(writer)
        }
    }
}
