import Foundation
import LinuxFiles
import Testing

@testable import Drive

/// What each call does, and what it answers, where nobody else is at work.
@Suite struct CallTests {
    @Test func namesLeadToNodes() throws {
        let drive = try UnmountedDrive(), folder = try drive.makeFolder("Folder"), file = try drive.make("file", "x", in: folder)
        #expect(try drive.lookUp("Folder") == folder && drive.lookUp("file", in: folder) == file)
        #expect(try drive.parent(of: folder) == .root && drive.parent(of: .root) == .root)
        #expect(try drive.again(file) == file && drive.again(.root) == .root)
        #expect(try drive.lookUp(".valise") == .control && drive.lookUp("status", in: .control) == .status)
    }

    /// A node is known as often as it was told, and its number goes to another one then.
    @Test func whatIsForgottenOftenEnoughIsGone() throws {
        let drive = try UnmountedDrive(), node = try drive.makeNode("a")
        _ = try drive.lookUp("a")
        _ = try drive.again(node)
        try drive.unlink("a")
        drive.forget(node, 2)
        #expect(try drive.attributes(node).links == 0)
        drive.forget(node, 1)
        #expect(throws: Errno.stale) { try drive.attributes(node) }
    }

    /// The kernel says where it takes the end to be. Pieces of one write may come in any order, and are where it says.
    @Test(arguments: ["plain", "Notes.txt"]) func whatIsAppendedIsBehindAllThatIsThere(name: String) throws {
        let drive = try UnmountedDrive(), (_, handle) = try drive.create(name)
        try drive.write(Array("12345".utf8), to: handle, at: 0, .appended)
        try drive.write(Array("67".utf8), to: handle, at: 4, .appended)
        try drive.write(Array("8".utf8), to: handle, at: 100, .appended)
        #expect(try String(decoding: drive.read(handle), as: UTF8.self) == "12345678")
        try drive.write(Array("b".utf8), to: handle, at: 9, .appendedInPieces)
        try drive.write(Array("a".utf8), to: handle, at: 8)
        try drive.write(Array("c".utf8), to: handle, at: 3, .appendedInPieces)
        #expect(try String(decoding: drive.read(handle), as: UTF8.self) == "12345678abc")
        drive.release(handle)
    }

    @Test func foldersAreListedInPieces() throws {
        let drive = try UnmountedDrive(), names = (1...25).map { "file \($0)" }
        for name in names { _ = try drive.makeNode(name) }
        let handle = try drive.openFolder(.root)
        var seen: [String] = [], position: UInt64 = 0
        while true {
            let page = try drive.list(handle, from: position, most: 4)
            if page.next == position { break }
            seen += page.names
            position = page.next
        }
        #expect(seen.sorted() == names.sorted())
        // Again from any place in it.
        #expect(try drive.list(handle, from: 2, most: 3).names == Array(seen.prefix(3)))
        #expect(try drive.list(handle, from: .max).names == [])
        // What is made meanwhile is seen from the beginning on.
        _ = try drive.makeNode("late")
        #expect(try !drive.list(handle, from: 20).names.contains("late") && drive.list(handle).names.contains("late"))
        drive.releaseFolder(handle)
        try drive.syncFolder(.root)
        try drive.syncFolder(.control)
    }

    @Test func theControlFolderIsNotListed() throws {
        let drive = try UnmountedDrive()
        #expect(try drive.list().names == [])
        #expect(try drive.list(.control).names.sorted() == ["kvs", "originals", "search", "searches", "status"])
    }

    @Test func filesAreMade() throws {
        let drive = try UnmountedDrive(), made = try drive.create("plain", mode: 0o640)
        #expect(try drive.write(Array("some".utf8), to: made.handle) == 4)
        #expect(try drive.write(Array("more".utf8), to: made.handle, at: 6) == 4)
        #expect(try drive.read(made.handle) == Array("some\0\0more".utf8))
        #expect(try drive.read(made.handle, at: 2, 3) == Array("me\0".utf8) && drive.read(made.handle, at: 100).isEmpty)
        let attributes = try drive.attributes(made.node, made.handle)
        #expect(attributes.mode == 0o100640 && attributes.size == 10 && attributes.links == 1 && attributes.owner == geteuid())
        try drive.sync(made.handle, dataOnly: true)
        try drive.flush(made.handle)
        drive.release(made.handle)
        #expect(drive.storedBytes("plain") == Array("some\0\0more".utf8))
    }

    @Test func filesOfAllTypesAreMade() throws {
        let drive = try UnmountedDrive()
        let pipe = try drive.makeNode("pipe", mode: UInt32(S_IFIFO) | 0o600), socket = try drive.makeNode("socket", mode: UInt32(S_IFSOCK) | 0o600)
        #expect(try drive.attributes(pipe).mode == UInt32(S_IFIFO) | 0o600 && drive.attributes(socket).mode == UInt32(S_IFSOCK) | 0o600)
        let folder = try drive.makeFolder("folder", mode: 0o711)
        #expect(try drive.attributes(folder).mode == UInt32(S_IFDIR) | 0o711)
        let link = try drive.makeLink("link", to: "../anywhere at all")
        #expect(try drive.target(of: link) == "../anywhere at all" && drive.attributes(link).mode == UInt32(S_IFLNK) | 0o777)
    }

    @Test func openingCutsAndKeeps() throws {
        let drive = try UnmountedDrive(), node = try drive.make("plain", "content")
        let reading = try drive.open(node)
        #expect(try drive.read(reading) == Array("content".utf8))
        let cutting = try drive.open(node, O_WRONLY | O_TRUNC)
        #expect(try drive.attributes(node).size == 0 && drive.read(reading).isEmpty)
        drive.release(cutting)
        drive.release(reading)
    }

    @Test func aFileWithoutANameGetsOne() throws {
        let drive = try UnmountedDrive(), made = try drive.createNameless()
        try drive.write(Array("kept".utf8), to: made.handle)
        #expect(try drive.list().names == [] && drive.attributes(made.node, made.handle).links == 0)
        #expect(try drive.link(made.node, as: "named") == made.node)
        drive.release(made.handle)
        #expect(drive.storedBytes("named") == Array("kept".utf8))
    }

    @Test func aFileHasSeveralNames() throws {
        let drive = try UnmountedDrive(), node = try drive.make("one", "content"), folder = try drive.makeFolder("folder")
        #expect(try drive.link(node, as: "other", in: folder) == node)
        #expect(try drive.lookUp("other", in: folder) == node && drive.attributes(node).links == 2)
        try drive.unlink("one")
        #expect(try drive.attributes(node).links == 1 && drive.lookUp("other", in: folder) == node)
        // A document has one name: its parts are made anew.
        let document = try drive.make("Notes.txt", "text")
        #expect(throws: Errno.notPermitted) { try drive.link(document, as: "Others.txt") }
    }

    @Test func whatLostItsNameIsReadOn() throws {
        for name in ["plain", "Notes.txt"] {
            let drive = try UnmountedDrive(), node = try drive.make(name, "content"), handle = try drive.open(node, O_RDWR)
            try drive.unlink(name)
            #expect(throws: Errno.noSuchEntry) { try drive.lookUp(name) }
            #expect(try drive.read(handle) == Array("content".utf8) && drive.attributes(node, handle).links == 0)
            try drive.write(Array("CON".utf8), to: handle)
            #expect(try drive.read(handle) == Array("CONtent".utf8))
            try drive.flush(handle)
            drive.release(handle)
            #expect(try drive.storedNames() == [])
        }
    }

    @Test func foldersAreRemoved() throws {
        let drive = try UnmountedDrive(), folder = try drive.makeFolder("folder")
        // What is hidden and was left behind by others goes with it.
        try Data().write(to: URL(fileURLWithPath: drive.stored("folder/.DS_Store")))
        try drive.removeFolder("folder")
        #expect(try drive.storedNames() == [])
        #expect(throws: Errno.noSuchEntry) { try drive.lookUp("folder") }
        #expect(throws: Errno.self) { try drive.makeNode("x", in: folder) }
    }

    @Test func namesAreChanged() throws {
        let drive = try UnmountedDrive(), folder = try drive.makeFolder("folder"), one = try drive.make("one", "1"), two = try drive.make("two", "2")
        try drive.rename("one", to: "moved", into: folder)
        #expect(try drive.lookUp("moved", in: folder) == one && drive.storedBytes("folder/moved") == [0x31])
        try drive.rename("two", to: "moved", into: folder)
        #expect(try drive.lookUp("moved", in: folder) == two && drive.storedBytes("folder/moved") == [0x32])
        try drive.rename("moved", in: folder, to: "moved", flags: 0)
        try drive.rename("moved", in: folder, to: "back", into: .root, flags: 1)
        #expect(try drive.storedNames() == ["back", "folder"])
        // Over an empty folder.
        _ = try drive.makeFolder("other")
        try drive.rename("other", to: "folder")
        #expect(try drive.storedNames() == ["back", "folder"])
    }

    @Test func placesAreExchanged() throws {
        let drive = try UnmountedDrive(), folder = try drive.makeFolder("folder"), file = try drive.make("file", "f", in: folder), other = try drive.makeFolder("other")
        try drive.rename("file", in: folder, to: "other", into: .root, flags: 2)
        #expect(try drive.lookUp("other") == file && drive.lookUp("file", in: folder) == other)
        try drive.rename("other", to: "other", flags: 2)
        #expect(drive.storedBytes("other") == Array("f".utf8))
    }

    /// A name says what a file is, if its content fits.
    @Test func aDocumentIsMadeOfAName() throws {
        let drive = try UnmountedDrive()
        _ = try drive.make("draft", "some text")
        try drive.rename("draft", to: "Notes.txt")
        #expect(try drive.storedNames() == ["Notes.stedoc"] && drive.list().names == ["Notes.txt"])
        #expect(try drive.attribute("user.valise.kind", of: drive.lookUp("Notes.txt")) == "text")
        try drive.rename("Notes.txt", to: "plain")
        #expect(drive.storedBytes("plain") == Array("some text".utf8))
    }

    /// Who copies with permissions makes a file for themselves alone, and opens it to the others when it is written: so is the folder of a package.
    @Test func aNewPackageIsOpenedToOthers() throws {
        let drive = try UnmountedDrive(), made = try drive.create("Cat.png", mode: 0o600)
        try drive.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: made.handle)
        try drive.set(made.node, handle: made.handle) { $0.permissions = 0o644 }
        try drive.flush(made.handle)
        drive.release(made.handle)
        var status = stat()
        #expect(stat(drive.stored("Cat.ptk"), &status) == 0 && status.st_mode & 0o777 == 0o755)
        #expect(try drive.attributes(drive.lookUp("Cat.png")).mode & 0o777 == 0o644)
    }

    @Test(arguments: ["plain", "Notes.txt"]) func attributesAreSet(name: String) throws {
        let drive = try UnmountedDrive(), node = try drive.make(name, "some content"), time = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_000)
        #expect(try drive.set(node) { $0.permissions = 0o600 }.mode == 0o100600)
        #expect(try drive.set(node) { $0.size = 4 }.size == 4)
        #expect(try drive.set(node) { $0.size = 6 }.size == 6)
        let set = try drive.set(node) {
            $0.modified = .at(time)
            $0.accessed = .at(time)
        }
        #expect(set.modified == time && set.accessed == time)
        #expect(try drive.set(node) { $0.modified = .now }.modified != time)
        #expect(try drive.set(node) { ($0.owner, $0.group) = (geteuid(), getegid()) }.owner == geteuid())
        // A change of nothing is none.
        _ = try drive.set(node) { _ in }
        let handle = try drive.open(node)
        #expect(try drive.read(handle) == Array("some\0\0".utf8))
        drive.release(handle)
    }

    @Test(arguments: ["plain", "Notes.txt"]) func extendedAttributesAreKept(name: String) throws {
        let drive = try UnmountedDrive(), node = try drive.make(name, "content")
        try drive.setAttribute("user.colour", of: node, to: Array("green".utf8), flags: 1)
        try drive.setAttribute("user.colour", of: node, to: Array("red".utf8), flags: 2)
        try drive.setAttribute("user.empty", of: node, to: [])
        #expect(try drive.attribute("user.colour", of: node) == "red" && drive.attribute("user.empty", of: node) == "")
        #expect(try drive.attributeNames(of: node) == ["user.colour", "user.empty"])
        try drive.removeAttribute("user.colour", of: node)
        #expect(try drive.attributeNames(of: node) == ["user.empty"])
        #expect(try drive.attribute("user.valise.kind", of: node) == (name == "plain" ? "plain" : "text"))
        #expect(try drive.attributeNames(of: .control) == [] && drive.attributeNames(of: .status) == [])
    }

    @Test func roomIsMadeInFiles() throws {
        let drive = try UnmountedDrive(), made = try drive.create("plain")
        try drive.allocate(made.handle, 100)
        #expect(try drive.attributes(made.node).size == 100)
        // FALLOC_FL_KEEP_SIZE, and with FALLOC_FL_PUNCH_HOLE.
        try drive.allocate(made.handle, mode: 1, at: 0, 10_000)
        #expect(try drive.attributes(made.node).size == 100)
        try drive.write([UInt8](repeating: 1, count: 100), to: made.handle)
        try drive.allocate(made.handle, mode: 3, at: 0, 50)
        #expect(try drive.read(made.handle, at: 48, 4) == [0, 0, 1, 1])
        drive.release(made.handle)
    }

    @Test func holesAreFound() throws {
        let drive = try UnmountedDrive(), made = try drive.create("plain")
        try drive.write([1], to: made.handle, at: 1 << 20)
        #expect(try drive.seek(made.handle, to: 0, whence: seekHole) == 0)
        #expect(try drive.seek(made.handle, to: 1 << 20, whence: seekData) == 1 << 20)
        drive.release(made.handle)
        // A document has none but the one behind it.
        let document = try drive.open(drive.make("Notes.txt", "content"))
        #expect(try drive.seek(document, to: 3, whence: seekData) == 3 && drive.seek(document, to: 3, whence: seekHole) == 7)
        drive.release(document)
    }

    @Test(arguments: ["plain", "Notes.txt"], ["other", "Others.txt"]) func rangesAreCopied(from: String, to: String) throws {
        let drive = try UnmountedDrive(), source = try drive.open(drive.make(from, "some content"))
        let made = try drive.create(to)
        #expect(try drive.copy(from: source, at: 5, to: made.handle, 100) == 7)
        #expect(try drive.copy(from: source, at: 0, to: made.handle, at: 7, 4) == 4)
        #expect(try drive.copy(from: source, at: 100, to: made.handle, 4) == 0)
        try drive.flush(made.handle)
        drive.release(made.handle)
        drive.release(source)
        let handle = try drive.open(drive.lookUp(to))
        #expect(try drive.read(handle) == Array("contentsome".utf8))
        drive.release(handle)
    }

    @Test func aDocumentIsSavedWhenItIsClosed() throws {
        let drive = try UnmountedDrive(), made = try drive.create("Notes.txt")
        try drive.write(Array("text".utf8), to: made.handle)
        #expect(try drive.storedNames() == [] && drive.list().names == ["Notes.txt"])
        #expect(try drive.attribute("user.valise.state", of: made.node) == "draft")
        try drive.flush(made.handle)
        #expect(try drive.storedNames() == ["Notes.stedoc"])
        #expect(try drive.attribute("user.valise.state", of: made.node) == "saved")
        drive.release(made.handle)
        // Another program's handle reads what was opened, and a new one what was saved.
        let before = try drive.open(made.node), after = try drive.open(made.node, O_WRONLY | O_TRUNC)
        try drive.write(Array("new".utf8), to: after)
        try drive.flush(after)
        drive.release(after)
        let now = try drive.open(drive.lookUp("Notes.txt"))
        #expect(try drive.read(now) == Array("new".utf8))
        for handle in [before, now] { drive.release(handle) }
    }

    @Test func theStatusPageIsReadFromItsBeginningToItsEnd() throws {
        let drive = try UnmountedDrive(), handle = try drive.open(.status)
        let whole = try drive.read(handle)
        #expect(whole.first == UInt8(ascii: "{") && whole.last == UInt8(ascii: "\n"))
        #expect(try drive.read(handle, at: 5, 10) == Array(whole[5..<15]) && drive.read(handle, at: Int64(whole.count)).isEmpty)
        drive.release(handle)
    }

    @Test func theSpaceIsTheStores() throws {
        let space = try UnmountedDrive().space
        #expect(space.blockSize > 0 && space.blocks >= space.freeBlocks && space.longestName == 255)
    }

    @Test func originalsAreWhatIsStored() throws {
        let drive = try UnmountedDrive()
        _ = try drive.make("Notes.txt", "text")
        let originals = try drive.lookUp("originals", in: .control), documents = try drive.lookUp("Documents", in: originals)
        #expect(try drive.list(documents).names == ["Notes.stedoc"])
        let handle = try drive.open(drive.lookUp("Notes.stedoc", in: documents))
        #expect(try drive.read(handle) == drive.storedBytes("Notes.stedoc"))
        drive.release(handle)
    }
}
