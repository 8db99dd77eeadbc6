import KeyedArchives
import PropertyLists
import Testing

func members(_ pairs: KeyValuePairs<String, PropertyList>) -> PropertyList {
    .dictionary(pairs.map { .init($0.key, $0.value) })
}

func list(_ objects: [PropertyList], top: PropertyList = members(["root": .uid(1)])) -> PropertyList {
    members(["$version": .integer(100_000), "$objects": .array([.string("$null")] + objects), "$archiver": .string("NSKeyedArchiver"), "$top": top])
}

func description(_ name: String) -> PropertyList {
    members(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
}

@Suite struct ArchiveTests {
    func archive(_ objects: [PropertyList], top: PropertyList = members(["root": .uid(1)])) throws -> KeyedArchive {
        try KeyedArchive(Bytes(try list(objects, top: top).binary()))
    }

    func object(_ archive: KeyedArchive) throws -> KeyedArchive.Object { try #require(try archive.root("root")) }

    @Test func bothFormsOfStringsAndData() throws {
        let archive = try archive([
            members(["a": .uid(2), "b": .uid(3), "c": .uid(4), "d": .uid(5), "e": .string("inline"), "f": .uid(6), "g": .uid(0), "$class": .uid(7)]),
            .string("é"), members(["NS.string": .string("mutable"), "$class": .uid(8)]), .data([1]), members(["NS.data": .data([2, 3]), "$class": .uid(8)]),
            members(["NS.string": .uid(2)]), description("M.Sub.Thing"), description("NSMutableString"),
        ])
        let object = try object(archive)
        #expect(try archive.text("a", of: object) == "é" && archive.text("b", of: object) == "mutable" && archive.text("e", of: object) == "inline")
        #expect(try archive.text("f", of: object) == "é")
        #expect(try archive.text("g", of: object) == nil && archive.text("none", of: object) == nil)
        #expect(try archive.bytes(try #require(try archive.data("c", of: object))) == [1])
        #expect(try archive.bytes(try #require(try archive.data("d", of: object))) == [2, 3])
        #expect(throws: PropertyListFault.self) { try archive.text("c", of: object) }
        #expect(throws: PropertyListFault.self) { try archive.data("a", of: object) }
        #expect(try archive.className(of: object).map(lastComponent) == "Thing")
    }

    @Test func whatIsMissing() throws {
        #expect(try archive([], top: members([:])).root("root") == nil)
        #expect(try archive([], top: members(["root": .uid(0)])).root("root") == nil)
        #expect(try archive([.string("text")]).root("root") == nil)
        #expect(throws: PropertyListFault.self) { try archive([], top: members(["root": .uid(9)])).root("root") }
        #expect(throws: PropertyListFault.self) { try archive([], top: .string("x")) }
        let classless = try archive([members(["$class": .uid(1)])])
        #expect(try classless.className(of: try object(classless)) == nil)
        for other in [PropertyList.array([]), members(["$top": .uid(1)]), members(["$top": members([:]), "$objects": .array([.string("$null")])])] {
            #expect { try KeyedArchive(Bytes(try other.binary())) } throws: { if case PropertyListFault.foreign = $0 { true } else { false } }
        }
    }

    @Test func circlesCostNoMore() throws {
        let wrapped = members(["NS.string": .uid(2), "NS.data": .uid(2)])
        let archive = try archive([members(["a": .uid(1), "b": .uid(2), "$class": .uid(1)]), wrapped])
        let object = try object(archive)
        #expect(try archive.className(of: object) == nil)
        #expect(throws: PropertyListFault.self) { try archive.text("b", of: object) }
        #expect(throws: PropertyListFault.self) { try archive.data("a", of: object) }
    }
}

@Suite struct KeepingTests {
    let graph = list([
        members(["parent": .uid(1), "children": .uid(2), "name": .uid(4), "other": .uid(4), "$$escaped": .integer(1), "image": .uid(6), "$class": .uid(5)]),
        members(["NS.objects": .array([.uid(1), .uid(3), .uid(2)]), "$class": .uid(5)]),
        members(["odd": .set([.real(0.5), .null]), "when": .date(3), "self": .uid(3)]),
        .string("shared"), members(["$classname": .string("App.Node"), "$classhints": .array([.string("x")])]), .data([9, 9, 9]), .string("nobody refers to this"),
    ], top: members(["root": .uid(1), "$0": .uid(2), "more": .uid(3)]))

    func draft() throws -> ArchiveDraft { try ArchiveDraft(changing: try KeyedArchive(Bytes(try graph.binary()))) }

    @Test func nothingChangedIsTheSame() throws {
        #expect(try PropertyList(reading: Bytes(try draft().written())) == graph)
    }

    @Test func oneFieldChangedIsAllThatChanges() throws {
        var draft = try draft()
        draft.set("name", of: try #require(draft.root("root")), to: .text("mine"))
        let written = try PropertyList(reading: Bytes(try draft.written()))
        guard case .array(let old) = graph["$objects"], case .array(let new) = written["$objects"] else { throw PropertyListFault.damaged("") }
        // Another field refers to the same string, so that the new one gets a place of its own.
        #expect(new.count == old.count + 1 && new[old.count] == .string("mine"))
        #expect(Array(new[2..<old.count]) == Array(old[2...]))
        #expect(new[1]["name"] == .uid(UInt64(old.count)) && new[1]["other"] == .uid(4) && new[1]["$$escaped"] == .integer(1))
        #expect(written["$top"] == graph["$top"])
        draft.set("$escaped", of: 1, to: .integer(2))
        #expect(try PropertyList(reading: Bytes(try draft.written()))["$objects"].map { "\($0)".contains("$$$escaped") } == false)
    }

    @Test func aRemovedObjectLeavesNothingBehind() throws {
        var draft = try draft()
        draft.set("image", of: 1, to: nil)
        let written = try PropertyList(reading: Bytes(try draft.written()))
        guard case .array(let objects) = written["$objects"] else { throw PropertyListFault.damaged("") }
        #expect(objects[6] == .string("$null") && objects[1]["image"] == nil)
        // What nobody referred to before was not ours to remove; a place that we freed is used again.
        #expect(objects[7] == .string("nobody refers to this"))
        draft.set("image", of: 1, to: .data([1]))
        draft.set("image", of: 1, to: .data([2]))
        guard case .array(let again) = try PropertyList(reading: Bytes(try draft.written()))["$objects"] else { throw PropertyListFault.damaged("") }
        #expect(again.count == objects.count && again[6] == .data([2]))
    }

    @Test func whatIsKeptIsReadOnlyWhenItIsWritten() throws {
        struct Failing: ByteSource {
            let base: Bytes
            let hidden: Range<Int64>
            var byteCount: Int64 { base.byteCount }
            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
                if offset < hidden.upperBound, offset + Int64(buffer.count) > hidden.lowerBound { throw SourceFailure(errno: 5) }
                try base.read(into: buffer, at: offset)
            }
        }
        let image = [UInt8](repeating: 7, count: 100_000)
        let file = Bytes(try list([members(["image": .uid(2)]), .data(image)]).binary())
        let start = try #require(file.bytes.firstIndex(of: 7))
        let source = Failing(base: file, hidden: Int64(start + 2_000)..<Int64(start + 90_000))
        var draft = try ArchiveDraft(changing: try KeyedArchive(source))
        #expect(throws: PropertyListFault.unreadable(SourceFailure(errno: 5))) { try draft.written() }
        draft.set("image", of: 1, to: .placedData)
        #expect(try draft.written(around: 5).tail.count < 1_000)
    }
}
