import KeyedArchives
import PlistSupport
import PropertyLists
import Testing

/// Archives spelled out by hand, in forms that our own writer never uses.
@Suite struct OddArchiveTests {
    static let note: [Plist] = [
        .dictionary([
            ("$class", .uid(2)), ("immutable", .uid(3)), ("mutable", .uid(4)), ("data", .uid(6)), ("mutable data", .uid(7)), ("nil", .uid(0)),
            ("int", 7), ("bool", .boolean(true)), ("real", .real(0.5)), ("number", .uid(9)), ("nowhere", .uid(99)),
            (.utf16("wide key"), .uid(3)), ("inline", "inline text"), ("wide", .uid(10)), ("far", .uid(.max)),
        ]),
        HandMade.aClass("Module.Note", above: ["Base", "NSObject"]), .longText("text"), .dictionary([("NS.string", "changing"), ("$class", .uid(5))]),
        HandMade.aClass("NSMutableString"), .data([1, 2]), .dictionary([("NS.data", .longData([3])), ("$class", .uid(8))]), HandMade.aClass("NSMutableData", above: nil),
        .integer(-4), .utf16("e\u{301} 👍"),
    ]

    @Test(arguments: [true, false], [1, 2, 8]) func readsFieldsInEveryForm(_ versionFirst: Bool, _ width: Int) throws {
        let plist = HandMade.archive([("root", 1)], Self.note, versionFirst: versionFirst)
        let archive = try KeyedArchive(Bytes(HandMade.bytes(plist, unreferenced: ["lost", .array([])], referenceSize: width, offsetSize: max(2, width), topIsLast: versionFirst)))
        let note = try #require(try archive.root("root"))
        #expect(try archive.className(of: note) == "Module.Note")
        #expect(try archive.text("immutable", of: note) == "text")
        #expect(try archive.text("mutable", of: note) == "changing")
        #expect(try archive.text("wide key", of: note) == "text")
        #expect(try archive.text("inline", of: note) == "inline text")
        #expect(try archive.text("wide", of: note)?.utf8.elementsEqual("e\u{301} 👍".utf8) == true)
        #expect(try archive.bytes(try #require(try archive.data("data", of: note))) == [1, 2])
        #expect(try archive.bytes(try #require(try archive.data("mutable data", of: note))) == [3])
        #expect(try archive.field("nil", of: note) == .none)
        #expect(try archive.field("missing", of: note) == .absent)
        #expect(try archive.field("int", of: note) == .value(.integer(7)))
        #expect(try archive.field("bool", of: note) == .value(.boolean(true)))
        #expect(try archive.field("real", of: note) == .value(.real(0.5)))
        #expect(try archive.field("number", of: note) == .value(.integer(-4)))
        for key in ["nowhere", "far"] { #expect(throws: PropertyListFault.self) { try archive.field(key, of: note) } }
        #expect(throws: PropertyListFault.self) { try archive.text("int", of: note) }
        #expect(throws: PropertyListFault.self) { try archive.data("immutable", of: note) }
    }

    static let classes: [(objects: [Plist], name: String?)] = [
        ([.dictionary([("$class", .uid(2))]), HandMade.aClass("A", above: nil)], "A"), ([.dictionary([])], nil), ([.dictionary([("$class", .uid(1))])], nil),
        ([.dictionary([("$class", "A")])], nil), ([.dictionary([("$class", .uid(2))]), "A"], nil), ([.dictionary([("$class", .uid(2))]), .dictionary([("$classname", 7)])], nil),
        ([.dictionary([("$class", .uid(0))])], nil),
    ]

    @Test(arguments: classes.indices) func classesMayBeMissingOrBroken(_ index: Int) throws {
        let archive = try KeyedArchive(Bytes(HandMade.bytes(HandMade.archive([("root", 1)], Self.classes[index].objects))))
        #expect(try archive.className(of: try #require(try archive.root("root"))) == Self.classes[index].name)
    }

    @Test func lookingIntoAHugeArchiveCostsNoMore() throws {
        let objects = Self.note + (0..<50_000).map { .text("object \($0)") }
        let source = Counting(HandMade.bytes(HandMade.archive([("root", 1)], objects), referenceSize: 4, offsetSize: 4))
        let archive = try KeyedArchive(source)
        #expect(try archive.text("immutable", of: try #require(try archive.root("root"))) == "text")
        #expect(source.bytesRead < 32 << 10)
    }
}

/// Counts what is read. Unchecked, because one thread alone reads it.
private final class Counting: ByteSource, @unchecked Sendable {
    private let base: Bytes
    private(set) var bytesRead = 0

    init(_ bytes: [UInt8]) { base = Bytes(bytes) }

    var byteCount: Int64 { base.byteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        bytesRead += buffer.count
        try base.read(into: buffer, at: offset)
    }
}
