import Foundation
import KeyValueStore
import LinuxFiles
import MountTesting
import PropertyLists
import Testing

@testable import Drive

/// `/.valise/kvs`, asked as the kernel would ask it.
@Suite struct KeyValueFolderTests {
    private let drive: UnmountedDrive
    private let folder: NodeID
    /// As an app has it.
    private let app: KeyValueFile

    init() throws {
        drive = try UnmountedDrive()
        folder = try drive.lookUp("kvs", in: .control)
        app = try KeyValueFile(container: drive.path)
    }

    private func value(_ key: String) throws -> PropertyList? { try app.read().contents[key] }
    private func set(_ key: String, _ value: PropertyList) throws {
        var fault: KeyValueFault?
        try app.change { contents in do throws(KeyValueFault) { try contents.set(key, to: value, at: KeyValueFile.now) } catch { fault = error } }
        if let fault { throw fault }
    }

    private func text(_ name: String) throws -> String {
        let handle = try drive.open(drive.lookUp(name, in: folder))
        defer { drive.release(handle) }
        return String(decoding: try drive.read(handle), as: UTF8.self)
    }

    private func make(_ name: String, _ content: String) throws {
        let made = try drive.create(name, in: folder)
        defer { drive.release(made.handle) }
        try drive.write(Array(content.utf8), to: made.handle)
        try drive.flush(made.handle)
    }

    /// As `cp` writes what is there already.
    private func write(_ content: String, to name: String) throws {
        let handle = try drive.open(drive.lookUp(name, in: folder), O_WRONLY | O_TRUNC)
        defer { drive.release(handle) }
        try drive.write(Array(content.utf8), to: handle)
        try drive.flush(handle)
    }

    @Test func eachTypeIsAFile() throws {
        let values: [(String, PropertyList, String, String)] = [
            ("name", .string("Guido"), "string", "Guido\n"), ("lines", .string("a\n\n"), "string", "a\n\n\n"), ("score", .integer(42), "integer", "42\n"),
            ("ratio", .real(1.5), "real", "1.5\n"), ("on", .boolean(true), "boolean", "true\n"), ("when", .date(0), "date", "2001-01-01T00:00:00Z\n"),
            ("list", .array([.string("a"), .integer(1)]), "array", "[\"a\",1]\n"), ("map", .dictionary([.init("k", .real(0.5))]), "dictionary", "{\"k\":0.5}\n"),
        ]
        for (key, value, _, _) in values { try set(key, value) }
        try set("data", .data([0, 255]))
        for (key, value, type, content) in values {
            let node = try drive.lookUp(key, in: folder)
            #expect(try text(key) == content && drive.attribute("user.valise.type", of: node) == type)
            #expect(try drive.attributes(node).size == Int64(content.utf8.count))
            // What is read is written back as the same value.
            try write(content, to: key)
            #expect(try self.value(key) == value)
        }
        #expect(try drive.attribute("user.valise.type", of: drive.lookUp("data", in: folder)) == "data" && drive.attributes(drive.lookUp("data", in: folder)).size == 2)
        #expect(try drive.list(folder).names == (values.map(\.0) + ["data"]).sorted())
        #expect(try drive.attributeNames(of: drive.lookUp("name", in: folder)) == [])
    }

    @Test func whatAppsChangeIsThereAtOnce() throws {
        try set("k", .integer(1))
        let node = try drive.lookUp("k", in: folder)
        for number in 2..<200 {
            try set("k", .integer(Int128(number)))
            #expect(try text("k") == "\(number)\n" && drive.attributes(node).size == Int64("\(number)\n".utf8.count))
        }
        try app.change { $0.remove("k", at: KeyValueFile.now) }
        expectRefusals([("lookup", .noSuchEntry, { _ = try drive.lookUp("k", in: folder) }), ("stat", .stale, { _ = try drive.attributes(node) })])
    }

    @Test func newKeysAreTextOrData() throws {
        try make("name", "Ann\n")
        #expect(try value("name") == .string("Ann"))
        let made = try drive.create("bytes", in: folder)
        try drive.write([0xFF, 0x0A], to: made.handle)
        try drive.flush(made.handle)
        drive.release(made.handle)
        #expect(try value("bytes") == .data([0xFF, 0x0A]))
        // Nobody writes to it: it is empty when it is closed.
        let empty = try drive.create("empty", in: folder)
        #expect(try drive.list(folder).names.contains("empty") && value("empty") == nil)
        try drive.flush(empty.handle)
        drive.release(empty.handle)
        #expect(try value("empty") == .string(""))
        #expect(try drive.attributes(drive.makeNode("node", in: folder)).size == 1 && value("node") == .string(""))
        // As somebody who says first what it is to be.
        let number = try drive.create("number", in: folder)
        try drive.setAttribute("user.valise.type", of: number.node, to: Array("integer".utf8))
        try drive.write(Array("7".utf8), to: number.handle)
        try drive.flush(number.handle)
        drive.release(number.handle)
        #expect(try value("number") == .integer(7))
        try drive.setAttribute("user.valise.type", of: drive.lookUp("number", in: folder), to: Array("string".utf8))
        #expect(try value("number") == .string("7"))
    }

    @Test func whatDoesNotFitIsRefusedWholly() throws {
        try set("score", .integer(42))
        try set("map", .dictionary([]))
        try set("big", .data([UInt8](repeating: 1, count: 900_000)))
        let before = try app.read().contents, score = try drive.lookUp("score", in: folder), large = String(repeating: "x", count: 200_000)
        expectRefusals([
            ("no number", .invalid, { try write("forty", to: "score") }), ("no JSON", .invalid, { try write("{", to: "map") }),
            ("an array for a dictionary", .invalid, { try write("[]", to: "map") }), ("null", .invalid, { try write("{\"a\":null}", to: "map") }),
            ("more than there may be in one", .fileTooLarge, { try make("one", String(repeating: "x", count: 1 << 20 | 1)) }),
            ("more than there may be in all", .noSpace, { try make("two", large) }),
            ("far more", .fileTooLarge, {
                let handle = try drive.open(score, O_WRONLY)
                defer { drive.release(handle) }
                try drive.write([1], to: handle, at: 1 << 23)
            }),
            ("a long key", .nameTooLong, { _ = try drive.create(String(repeating: "k", count: 65), in: folder) }),
            ("another name's key", .invalid, { _ = try drive.create("%41", in: folder) }),
            ("no number when it is cut", .invalid, { try drive.set(score) { $0.size = 0 } }),
            ("no such type", .invalid, { try drive.setAttribute("user.valise.type", of: score, to: Array("word".utf8)) }),
            ("not of that type", .invalid, { try drive.setAttribute("user.valise.type", of: score, to: Array("boolean".utf8)) }),
            ("another of ours", .notPermitted, { try drive.setAttribute("user.valise.error", of: score, to: []) }),
            ("another attribute", .notSupported, { try drive.setAttribute("user.colour", of: score, to: []) }),
            ("other permissions", .notPermitted, { try drive.set(score) { $0.permissions = 0o644 } }),
            ("a folder", .notPermitted, { _ = try drive.makeFolder("folder", in: folder) }), ("a link", .notPermitted, { _ = try drive.makeLink("link", to: "score", in: folder) }),
            ("a pipe", .notPermitted, { _ = try drive.makeNode("pipe", in: folder, mode: 0o010644) }), ("a second name", .notPermitted, { _ = try drive.link(score, as: "other", in: folder) }),
            ("rmdir", .notDirectory, { try drive.removeFolder("score", in: folder) }), ("unlink", .noSuchEntry, { try drive.unlink("absent", in: folder) }),
            ("out of it", .crossDevice, { try drive.rename("score", in: folder, to: "score", into: .root) }),
            ("exchange", .invalid, { try drive.rename("score", in: folder, to: "map", flags: 2) }),
            ("what is there", .exists, { try drive.rename("score", in: folder, to: "map", flags: 1) }),
            ("what is there, anew", .exists, { _ = try drive.create("score", in: folder) }),
            ("a list in it", .notDirectory, { _ = try drive.openFolder(score) }),
        ])
        #expect(try app.read().contents == before)
        #expect(try drive.list(folder).names == ["big", "map", "score"])
        try drive.set(score) { ($0.permissions, $0.modified) = (0o600, .now) }
        #expect(try drive.attribute("user.valise.error", of: drive.lookUp("map", in: folder)).contains("dictionary"))
        try write("{}", to: "map")
        #expect(throws: Errno.noData) { try drive.attribute("user.valise.error", of: drive.lookUp("map", in: folder)) }
    }

    /// A shell does not hear what closing says: it is told while it writes.
    @Test func whatIsCertainlyWrongIsToldWhenItIsWritten() throws {
        try set("score", .integer(42))
        try set("name", .string("Ann"))
        try set("map", .dictionary([]))
        let before = try app.read().contents, much = [UInt8](repeating: 0x78, count: 1 << 19)
        for (name, content, errno) in [("score", "forty", Errno.invalid), ("score", "\0", .invalid), ("map", "[1]", .invalid), ("map", " x", .invalid)] {
            let handle = try drive.open(drive.lookUp(name, in: folder), O_WRONLY | O_TRUNC)
            #expect(throws: errno, "\(content)") { try drive.write(Array(content.utf8), to: handle) }
            // It was told, and nothing comes of it.
            try drive.flush(handle)
            drive.release(handle)
        }
        for name in ["name", "new"] {
            let handle = name == "new" ? try drive.create("new", in: folder).handle : try drive.open(drive.lookUp(name, in: folder), O_WRONLY | O_TRUNC)
            try drive.write(much, to: handle)
            try drive.write(much, to: handle, at: 1 << 19)
            #expect(throws: Errno.fileTooLarge) { try drive.write(much, to: handle, at: 1 << 20) }
            try drive.flush(handle)
            drive.release(handle)
        }
        #expect(try app.read().contents == before && drive.list(folder).names == ["map", "name", "score"])
        #expect(try drive.attribute("user.valise.error", of: drive.lookUp("score", in: folder)).contains("whole number"))
        // In pieces, and by whoever tries once more.
        let node = try drive.lookUp("score", in: folder), handle = try drive.open(node, O_WRONLY | O_TRUNC)
        #expect(throws: Errno.invalid) { try drive.write(Array("x".utf8), to: handle) }
        try drive.write(Array("-".utf8), to: handle)
        try drive.write(Array("7 ".utf8), to: handle, at: 1)
        try drive.flush(handle)
        drive.release(handle)
        #expect(try value("score") == .integer(-7))
        #expect(throws: Errno.noData) { try drive.attribute("user.valise.error", of: node) }
    }

    @Test func thereAreOnlySoManyKeys() throws {
        try app.change { contents in for number in 0..<KeyValueContents.mostKeys { try? contents.set("k\(number)", to: .integer(0), at: 1) } }
        #expect(throws: Errno.noSpace) { try make("one more", "x") }
        try write("1", to: "k7")
        try drive.unlink("k8", in: folder)
        try make("one more", "x")
        #expect(try value("k7") == .integer(1) && value("k8") == nil && value("one more") == .string("x"))
    }

    /// A file beside takes the name: the value is set in one step, and has the type that it had.
    @Test func aNewFileInThePlaceOfAnOldOne() throws {
        try set("score", .integer(42))
        try make("sedAbC123", "43\n")
        try drive.rename("sedAbC123", in: folder, to: "score")
        #expect(try value("score") == .integer(43) && app.read().contents.keys == ["score"])
        // One that is never a value of its own.
        try make(".score.new", "44\n")
        #expect(try app.read().contents.keys == ["score"])
        try drive.rename(".score.new", in: folder, to: "score")
        #expect(try value("score") == .integer(44) && drive.list(folder).names == ["score"])
        try make(".score.new", "forty")
        #expect(throws: Errno.invalid) { try drive.rename(".score.new", in: folder, to: "score") }
        #expect(try value("score") == .integer(44) && drive.list(folder).names == [".score.new", "score"])
    }

    /// As vim saves: the app sees one value, and then the other.
    @Test func theOldOneIsPutAsideFirst() throws {
        try set("score", .integer(42))
        let probe = try drive.create("4913", in: folder)
        try drive.flush(probe.handle)
        drive.release(probe.handle)
        try drive.unlink("4913", in: folder)
        try drive.rename("score", in: folder, to: "score~")
        #expect(throws: Errno.noSuchEntry) { try drive.lookUp("score", in: folder) }
        #expect(try value("score") == .integer(42) && text("score~") == "42\n")
        try make("score", "43\n")
        try drive.unlink("score~", in: folder)
        #expect(try value("score") == .integer(43) && app.read().contents.keys == ["score"] && drive.list(folder).names == ["score"])
        // And back again, where it went wrong.
        try drive.rename("score", in: folder, to: "score~")
        try drive.rename("score~", in: folder, to: "score")
        #expect(try value("score") == .integer(43) && text("score") == "43\n")
        // Nobody writes it anew.
        try drive.rename("score", in: folder, to: ".score")
        drive.drive.close()
        #expect(try value("score") == nil)
    }

    @Test func renamesTakeTheirTypesAlong() throws {
        try set("score", .integer(42))
        try set("text", .string("7"))
        try drive.rename("score", in: folder, to: "best")
        #expect(try value("best") == .integer(42) && app.read().contents.keys == ["best", "text"])
        try drive.rename("text", in: folder, to: "best")
        #expect(try value("best") == .integer(7) && app.read().contents.keys == ["best"])
        try set("word", .string("no number"))
        #expect(throws: Errno.invalid) { try drive.rename("word", in: folder, to: "best") }
        #expect(try value("best") == .integer(7) && value("word") == .string("no number"))
    }

    /// As `mv` does from another file system.
    @Test func aValueThatIsMadeAnewIsWhatItWas() throws {
        try set("score", .integer(42))
        try drive.unlink("score", in: folder)
        #expect(try value("score") == nil)
        try make("score", "43")
        #expect(try value("score") == .integer(43))
        try drive.unlink("score", in: folder)
        try make("score", "no number")
        #expect(try value("score") == .string("no number"))
    }

    /// Shells close copies of what they have open, before anything is written.
    @Test func anEmptyFileIsNotSavedBeforeItIsClosed() throws {
        try set("name", .string("Ann"))
        let handle = try drive.open(drive.lookUp("name", in: folder), O_WRONLY | O_TRUNC)
        try drive.flush(handle)
        #expect(try value("name") == .string("Ann"))
        try drive.write(Array("Bob\n".utf8), to: handle)
        #expect(try text("name") == "Bob\n" && value("name") == .string("Ann"))
        try drive.flush(handle)
        #expect(try value("name") == .string("Bob"))
        drive.release(handle)
        let cut = try drive.open(drive.lookUp("name", in: folder), O_WRONLY | O_TRUNC)
        drive.release(cut)
        #expect(try value("name") == .string(""))
    }

    @Test func whatIsTakenAwayStaysWithWhoHasIt() throws {
        try set("name", .string("Ann"))
        let node = try drive.lookUp("name", in: folder), reading = try drive.open(node), writing = try drive.open(node, O_RDWR)
        try drive.unlink("name", in: folder)
        #expect(String(decoding: try drive.read(reading), as: UTF8.self) == "Ann\n")
        try drive.write(Array("Zoe".utf8), to: writing)
        #expect(try drive.attributes(node, writing).links == 0)
        try drive.flush(writing)
        for handle in [reading, writing] { drive.release(handle) }
        #expect(try value("name") == nil && drive.list(folder).names == [])
        #expect(throws: Errno.stale) { try drive.attributes(node) }
    }

    @Test func oddKeysHaveNames() throws {
        for key in ["a/b", ".hidden", "..", "old~", "#x#", "4913", "100%", "%2F", "é 😀"] { try set(key, .string(key)) }
        let names = ["#x#", ".hidden", "..", "4913", "old~"]
        for name in names where name != ".." { #expect(throws: Errno.noSuchEntry) { try drive.lookUp(name, in: folder) } }
        #expect(try drive.list(folder).names == ["%23x#", "%252F", "%2E.", "%2Ehidden", "%34913", "100%", "a%2Fb", "old%7E", "é 😀"])
        #expect(try text("a%2Fb") == "a/b\n" && text("%2E.") == "..\n")
        try make("c%2Fd", "x")
        #expect(try value("c/d") == .string("x"))
    }

    /// A store that somebody cut: the last whole one is shown, and what was lost is said.
    @Test func aDamagedStore() throws {
        try set("name", .string("Ann"))
        try set("name", .string("Bob"))
        let path = drive.path + "/KeyValueStore.plist"
        #expect(truncate(path, 20) == 0)
        #expect(try text("name") == "Ann\n")
        #expect(try drive.attribute("user.valise.error", of: folder).contains("was damaged"))
        try write("Zoe", to: "name")
        #expect(throws: Errno.noData) { try drive.attribute("user.valise.error", of: folder) }
        // What is no file is nobody's store.
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: Errno.self) { try drive.list(folder) }
    }

    @Test func manyWriteAtOnce() throws {
        try set("score", .integer(0))
        let folder = folder, drive = drive
        nonisolated(unsafe) let asked = drive
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<25 {
                let name = "k\(thread)"
                if number % 5 == 4 { try? asked.unlink(name, in: folder) } else if let made = try? asked.create(name, in: folder, flags: O_RDWR | O_TRUNC) {
                    _ = try? asked.write(Array("\(number)".utf8), to: made.handle)
                    try? asked.flush(made.handle)
                    asked.release(made.handle)
                }
                _ = try? asked.list(folder)
            }
        }
        #expect(try app.read().contents.keys == ["score"])
    }
}

/// Where nobody may write, or the store lies elsewhere.
@Suite struct KeyValuePlaceTests {
    @Test func aReadOnlyDrive() throws {
        let drive = try UnmountedDrive(readOnly: true), folder = try drive.lookUp("kvs", in: .control)
        #expect(try drive.list(folder).names == [])
        expectRefusals([("create", .readOnly, { _ = try drive.create("k", in: folder) }), ("unlink", .readOnly, { try drive.unlink("k", in: folder) })])
        try KeyValueFile(container: drive.path).change { try? $0.set("k", to: .integer(1), at: 1) }
        #expect(try drive.list(folder).names == ["k"])
        let node = try drive.lookUp("k", in: folder)
        expectRefusals([("open", .readOnly, { _ = try drive.open(node, O_RDWR) }), ("set", .readOnly, { try drive.set(node) { $0.size = 0 } })])
    }
}
