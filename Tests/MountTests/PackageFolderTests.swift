import Foundation
import MountTesting
import Testing

/// The stored name of a document that is a package leads to that package: it can be read there, and what changes it there is a save of the document.
@Suite(.mounting) struct PackageFolderTests {
    private typealias Growing = GrowingPackageTests

    private func withDrive(_ options: String? = nil, _ body: (MountedDrive, TemporaryContainer) throws -> Void) throws {
        let container = try TemporaryContainer(Growing.documents)
        try MountTesting.withDrive(container, options: options, environment: Growing.patient) { drive in try body(drive, container) }
    }

    @Test(arguments: ["rw", "ro"]) func itIsReadAndNotListed(options: String) throws {
        try withDrive(options) { drive, container in
            let before = try Growing.facts(container.stored("Cat.ptk"))
            #expect(try Growing.facts(drive.path("Cat.ptk")) == before)
            #expect(try run("diff", "-r", container.stored("Trip/Elk.ptk"), drive.path("Trip/Elk.ptk")).code == 0)
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            #expect(try shell("mkdir Cat.ptk", in: drive.mountpoint).errors.contains("File exists"))
            #expect(try shell("ls None.ptk", in: drive.mountpoint).errors.contains("No such file"))
        }
    }

    /// It is the document that has the name now.
    @Test func itFollowsTheDocument() throws {
        try withDrive { drive, container in
            try shell("ls Cat.ptk; mv Cat.png Tom.png; ! ls Cat.ptk; ls Tom.ptk; rm Tom.png; ! ls Tom.ptk; mkdir Tom.ptk", in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Dog.png", "Notes.txt", "Tom.ptk", "Trip"])
            // An app takes its document away, and makes a folder of the name that is none.
            try shell("ls Dog.ptk", in: drive.mountpoint).good()
            try shell("rm -r Dog.ptk; mkdir Dog.ptk; echo x >Dog.ptk/x", in: container.path).good()
            #expect(try eventually { try Growing.names(drive).contains("Dog.ptk") })
            #expect(try Growing.names(drive, in: "Dog.ptk") == ["x"])
        }
    }

    @Test func aChangeIsASave() throws {
        try withDrive { drive, container in
            let old = try drive.get("Cat.png"), dog = container.stored("Dog.ptk/photo.data")
            let elk = container.stored("Trip/Elk.ptk/photo.data")
            // Each by a program that ends.
            for change in ["cat \"$1\" >Cat.ptk/photo.data", "cp \"$2\" Cat.ptk/photo.data", "cp \"$1\" .new; mv .new Cat.ptk/photo.data"] {
                try run("bash", "-c", change, "bash", dog, elk, in: drive.mountpoint).good()
                #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            }
            #expect(try drive.get("Cat.png") == drive.get("Dog.png") && Growing.versions(drive).count == 3)
            let kept = try #require(Growing.versions(drive).sorted().first)
            #expect(try drive.get(kept) == old)
            // What no kind speaks of is in the package, too.
            try run("touch", drive.path("Cat.ptk/extra")).good()
            #expect(try eventually { try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] })
            #expect(try Growing.names(drive, in: "Cat.ptk") == ["extra"] + Growing.parts)
            try run("rm", drive.path("Cat.ptk/extra")).good()
            let left = try Growing.names(drive, in: "Cat.ptk")
            #expect(left == Growing.parts)
        }
    }

    /// Each program that changes something makes a copy of the package, which becomes the package a moment after it has ended. Who looks meanwhile sees
    /// the one or the other.
    @Test func itsPartsAreThereWhilePackagesChangePlaces() throws {
        try withDrive { drive, container in
            let line = "for round in {1..25}; do touch Cat.ptk/extra; ls >/dev/null; rm Cat.ptk/extra; ls >/dev/null; done"
            let changing = try Program(["bash", "-c", "cd \"$1\" && \(line)", "bash", drive.mountpoint])
            var odd: [[String]] = []
            while !changing.hasEnded {
                let names = try FileManager.default.contentsOfDirectory(atPath: drive.path("Cat.ptk")).sorted()
                if names.filter({ $0 != "extra" }) != Growing.parts { odd.append(names) }
            }
            #expect(odd.isEmpty, "\(odd.prefix(3))")
            #expect(try Growing.names(drive, in: "Cat.ptk") == Growing.parts)
        }
    }

    /// As no folder goes into itself. The same file beside is nobody's document.
    @Test func aDocumentDoesNotGoIntoItsPackage() throws {
        try withDrive { drive, container in
            let before = try shell("find Cat.ptk | sort", in: container.path).good().output
            for line in ["mv Cat.png Cat.ptk", "mv Cat.png Cat.ptk/photo.data", "mv Cat.png Cat.ptk/new"] {
                #expect(try shell(line, in: drive.mountpoint).errors.contains("to a subdirectory of itself"))
            }
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            #expect(try shell("find Cat.ptk | sort", in: container.path).good().output == before)
        }
    }

    /// What leaves all as it is changes nothing; what is set otherwise is so, and makes no version.
    @Test func attributes() throws {
        try withDrive { drive, container in
            try shell("touch -r Cat.ptk/photo.data Cat.ptk/photo.data; chmod --reference=Cat.ptk Cat.ptk; touch -m -r Cat.ptk Cat.ptk", in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            try run("bash", "-c", "chmod 700 Cat.ptk; touch -d 2001-02-03 Cat.ptk/photo.metadata Cat.ptk; setfattr -n user.x -v y Cat.ptk; ls", in: drive.mountpoint).good()
            #expect(try eventually { try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] })
            #expect(try shell("stat -c '%a %y' Cat.ptk; stat -c %y Cat.ptk/photo.metadata; getfattr --only-values -n user.x Cat.ptk", in: container.path).good().output
                == "700 2001-02-03 00:00:00.000000000 +0000\n2001-02-03 00:00:00.000000000 +0000\ny")
            #expect(try Growing.versions(drive) == [])
        }
    }

    /// Somebody who has a part open goes on with what it was.
    @Test func whoReadsGoesOn() throws {
        try withDrive { drive, container in
            let said = try run("python3", "-c", """
                import os, sys
                old = open('Cat.ptk/photo.data', 'rb', buffering=0); first = old.read(10)
                os.system('cp ' + sys.argv[1] + ' Cat.ptk/photo.data; ls >/dev/null')
                print(first + old.read() == open(sys.argv[2], 'rb').read(), open('Cat.ptk/photo.data', 'rb').read() == open(sys.argv[1], 'rb').read())
                """, container.stored("Dog.ptk/photo.data"), { () -> String in
                    let copy = container.beside("old")
                    try? FileManager.default.copyItem(atPath: container.stored("Cat.ptk/photo.data"), toPath: copy)
                    return copy
                }(), in: drive.mountpoint).good().output
            #expect(said == "True True\n")
        }
    }

    /// An app saves meanwhile: both sides stay.
    @Test func anAppChangesItMeanwhile() throws {
        try withDrive { drive, container in
            let elk = container.stored("Trip/Elk.ptk/photo.data"), dog = container.stored("Dog.ptk/photo.data")
            try run("python3", "-c", """
                import os, shutil, sys
                part = open('Cat.ptk/photo.data', 'wb'); part.write(open(sys.argv[1], 'rb').read())
                shutil.copy(sys.argv[2], sys.argv[3] + '/photo.data.new'); os.rename(sys.argv[3] + '/photo.data.new', sys.argv[3] + '/photo.data')
                part.close()
                """, dog, elk, container.stored("Cat.ptk"), in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"])
            #expect(try drive.get("Cat.png") == drive.get("Dog.png"))
            #expect(try valise("conflicts", drive.mountpoint).output.contains("Cat.png"))
        }
    }

    /// What is deleted on the drive and comes again as it was, was not deleted, and keeps its versions.
    @Test func whatComesAgainWasNotDeleted() throws {
        try withDrive { drive, container in
            try shell("cp Dog.png Cat.png; cp -r Cat.ptk \"$1\"; rm Cat.png; cp -r \"$1\"/Cat.ptk .; ls", container.beside(""), in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] && container.deleted() == [] && Growing.versions(drive).count == 1)
        }
    }

    /// Nor is what is as it was but for the thumbnail that the drive has made of it meanwhile.
    @Test func aThumbnailIsNoChange() throws {
        try withDrive { drive, container in
            try shell("cp Dog.png Cat.png; cp -r Cat.ptk \"$1\"", container.beside(""), in: drive.mountpoint).good()
            func hasThumbnail(_ package: String) throws -> Bool { try shell("grep -aq Thumbnail \"$1\"/photo.metadata", package, in: drive.mountpoint).code == 0 }
            // It is made a little later, unless it was there when the package was copied.
            guard try !hasThumbnail(container.beside("Cat.ptk")) else { return }
            #expect(try eventually { try hasThumbnail("Cat.ptk") })
            try shell("rm Cat.png; cp -r \"$1\"/Cat.ptk .; cp -r \"$1\"/Cat.ptk .; ls", container.beside(""), in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Cat.png", "Dog.png", "Notes.txt", "Trip"] && container.deleted() == [])
            #expect(try Growing.versions(drive).count == 1)
            #expect(try hasThumbnail("Cat.ptk"))
        }
    }

    /// Also when that was long ago.
    @Test func deletedBeforeThisDrive() throws {
        let container = try TemporaryContainer("photo Cat png")
        try MountTesting.withDrive(container, environment: Growing.patient) { drive in
            try shell("cp -r Cat.ptk \"$1\"; rm Cat.png", container.beside(""), in: drive.mountpoint).good()
        }
        #expect(try container.deleted() == ["Cat.png"])
        try MountTesting.withDrive(container, environment: Growing.patient) { drive in
            try shell("cp -r \"$1\"/Cat.ptk .; ls", container.beside(""), in: drive.mountpoint).good()
            #expect(try Growing.names(drive) == ["Cat.png"] && container.deleted() == [])
        }
    }

    /// Whoever may not write there changes nothing.
    @Test(.enabled(if: geteuid() == 0, "only root may be several users")) func othersMayNotChangeIt() throws {
        let container = try TemporaryContainer(Growing.documents)
        for path in [container.beside(""), container.mountpoint] { chmod(path, 0o755) }
        try MountTesting.withDrive(container, options: "allow_other", environment: Growing.patient) { drive in
            let refused = try shell("setpriv --reuid 5001 --regid 5001 --clear-groups bash -c 'cat Cat.ptk/photo.data >/dev/null && echo x >Cat.ptk/photo.data; touch Cat.ptk/new; mkdir New.ptk'", in: drive.mountpoint)
            #expect(refused.errors.components(separatedBy: "Permission denied").count == 4, "\(refused.errors)")
            #expect(try Growing.items(container) == ["Cat.ptk", "Dog.ptk", "Notes.stedoc", "Trip"])
        }
    }
}
