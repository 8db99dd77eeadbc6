import Foundation
import MountTesting
import Testing

/// What a Mac keeps beside files (`._Cat.png`): it is not listed, and goes where its file goes.
@Suite(.mounting) struct BesideFileTests {
    private static let items = "photo Cat png\nfile ._Cat.ptk \"item\\n\"\nfile notes.dat \"n\\n\"\nfile ._notes.dat \"plain\\n\"\nfolder Trip\nfile ._Trip \"folder\\n\""

    /// The hidden files of a folder and of those in it, with what they say.
    private static func beside(in container: TemporaryContainer) throws -> [String] {
        try shell("find . -path ./.valise -prune -o -name '._*' -printf '%P ' -exec cat {} \\; | sort", in: container.path).good().lines
    }

    @Test func itGetsTheNameOfItsFile() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            try shell("mv Cat.png Tom.png; mv notes.dat list.dat; mv Trip Tour; mv Tom.png list.dat Tour", in: drive.mountpoint).good()
            #expect(try Self.beside(in: container) == ["._Tour folder", "Tour/._Tom.ptk item", "Tour/._list.dat plain"])
            #expect(try shell("cat Tour/._list.dat ._Tour Tour/._Tom.ptk; ls -A . Tour", in: drive.mountpoint).good().lines == [
                "plain", "folder", "item", ".:", "Tour", "", "Tour:", "Tom.png", "list.dat",
            ])
        }
    }

    /// The Finder writes it by the name that is shown, also before its file is there.
    @Test func programsWriteItByItsName() throws {
        let container = try TemporaryContainer("photo Cat png")
        try withDrive(container) { drive in
            try shell("echo one >._Cat.png; echo two >>._Cat.png; mv ._Cat.png ._New.png; mv ._New.png ._Cat.png; cp Cat.png Tom.png; mv Cat.png Dog.png", in: drive.mountpoint).good()
            #expect(try shell("cat ._Dog.png; ls -A", in: drive.mountpoint).good().output == "one\ntwo\nDog.png\nTom.png\n")
            #expect(try Self.beside(in: container) == ["._Dog.png one", "two"])
            // A program that saves by a rename has none of its own.
            try shell("cp Dog.png .x.png; mv .x.png Dog.png; cat ._Dog.png; echo tom >._Tom.png; mv Tom.png Dog.png", in: drive.mountpoint).good()
            #expect(try Self.beside(in: container) == ["._Dog.png tom"])
        }
    }

    @Test func itIsDeletedAndComesBackWithItsFile() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            try shell("rm Cat.png notes.dat; ls .valise/deleted/*; ! cat ._notes.dat", in: drive.mountpoint).good()
            #expect(try valise("deleted", "-q", drive.mountpoint).good().lines.count == 2)
            try valise("undelete", drive.path("Cat.png"), drive.path("notes.dat")).good()
            #expect(try shell("cat ._Cat.ptk ._notes.dat", in: drive.mountpoint).good().output == "item\nplain\n")
            #expect(try Self.beside(in: container) == ["._Cat.ptk item", "._Trip folder", "._notes.dat plain"])
        }
        #expect(try valise("check", container.path).code == 0)
    }

    /// A program that takes a file away and writes it anew saves: nothing was deleted.
    @Test func itStaysWhereAProgramSavesSo() throws {
        let container = try TemporaryContainer(Self.items)
        try withDrive(container) { drive in
            let program = "import os\nfor name in ['notes.dat', 'Cat.png']:\n    content = open(name, 'rb').read(); os.remove(name); open(name, 'wb').write(content + b'x')"
            try run("python3", "-c", program, in: drive.mountpoint).good()
            #expect(try shell("cat ._Cat.ptk ._notes.dat", in: drive.mountpoint).good().output == "item\nplain\n")
        }
        #expect(try Self.beside(in: container) == ["._Cat.ptk item", "._Trip folder", "._notes.dat plain"])
    }

    @Test func inAPackageItIsAPart() throws {
        let container = try TemporaryContainer("file X.pages/a.txt \"a\\n\"\nfile X.pages/._a.txt \"part\\n\"\nfile X.pages/in/._b.txt \"part\\n\"")
        try withDrive(container) { drive in
            let first = try shell("ls -A X.pages; echo new >X.pages/._c.txt; ls -A X.pages; mv X.pages/._c.txt X.pages/d.txt; mv X.pages/d.txt X.pages/._d", in: drive.mountpoint).good().output
            #expect(first == "._a.txt\na.txt\nin\n._a.txt\n._c.txt\na.txt\nin\n")
            #expect(try shell("rmdir X.pages/in", in: drive.mountpoint).code != 0)
            let second = try shell("rm -r X.pages/in; mkdir X.pages/in; touch X.pages/in/.DS_Store; rmdir X.pages/in; cp -r X.pages ../copy; ls -A ../copy", in: drive.mountpoint).good().output
            #expect(second == "._a.txt\n._d\na.txt\n")
        }
    }
}
