import PropertyLists
import SeededNumbers
import Testing

@Suite struct BinaryWritingTests {
    @Test func whatIsWrittenIsReadAgain() throws {
        var random = SeededNumbers(seed: 1)
        for _ in 0..<400 {
            let tree = randomTree(&random)
            let bytes = try tree.binary()
            #expect(try PropertyList(reading: Bytes(bytes)) == tree)
            let copied = try ObjectTable(copying: try BinaryPropertyList(Bytes(bytes))).written()
            #expect(try PropertyList(reading: Bytes(copied)) == tree)
            if let xml = tree.xml() { #expect(try PropertyList(reading: Bytes(xml)) == tree) }
        }
    }

    @Test(arguments: [0, 14, 15, 255, 256, 65_535, 65_536] as [Int]) func lengths(_ count: Int) throws {
        for tree in [.string(String(repeating: "x", count: count)), .string(String(repeating: "é", count: count)), .data([UInt8](repeating: 1, count: count))] as [PropertyList] {
            #expect(try PropertyList(reading: Bytes(try tree.binary())) == tree)
        }
        let array = PropertyList.array((0..<min(count, 40_000)).map { .integer(Int128($0)) })
        #expect(try PropertyList(reading: Bytes(try array.binary())) == array)
    }

    @Test(arguments: [0, 1, 5_000, 0xFFFF_FFFF - 30, 0xFFFF_FFFF, 5 << 32, 1 << 60] as [Int64]) func placedContentBeginsAtByte18(_ length: Int64) throws {
        var table = ObjectTable()
        let data = table.add(.data(.placed))
        let keys = [table.add("content"), table.add("other")]
        table.top = table.add(.dictionary(keys: keys, values: [data, table.add(.data(.bytes([1, 2, 3])))]))
        let (head, tail) = try table.written(around: length)
        #expect(head.count == ObjectTable.placedOffset && head[8...9].elementsEqual([0x4F, 0x13]))
        let source = Counting(Sparse(head: head, hole: length, tail: tail))
        let list = try BinaryPropertyList(source)
        #expect(list.top == 0)
        guard case .dictionary(let names, let values) = try list.object(at: 0), let index = try list.member("content", keys: names, values: values) else {
            throw PropertyListFault.damaged("")
        }
        #expect(index == list.objectCount - 1)
        #expect(try list.object(at: index) == .data(ByteRange(offset: 18, length: length)))
        #expect(source.reads <= 3 && source.bytesRead <= 3_100)
    }

    @Test func whatATreeCannotHoldIsCopied() throws {
        // Half a surrogate pair, a set, a 128-bit number, a float, an array in itself, and something that nothing refers to.
        let handmade = Handmade(objects: [
            [0xA6, 1, 2, 3, 4, 0, 6], [0x61, 0xD8, 0x3D], [0xC1, 3], [0x14] + [UInt8](repeating: 0xAB, count: 16), [0x22, 0x7F, 0xC0, 0x00, 0x01], [0x09], [0x41, 9],
        ])
        let list = try BinaryPropertyList(Bytes(handmade.bytes))
        let again = try BinaryPropertyList(Bytes(try ObjectTable(copying: list).written()))
        #expect(again.objectCount == 6)
        guard case .array(let old) = try list.object(at: list.top), case .array(let new) = try again.object(at: again.top) else { throw PropertyListFault.damaged("") }
        #expect(old.count == new.count)
        #expect(try again.reference(4, of: new) == again.top)
        #expect(try again.object(at: try again.reference(2, of: new)) == list.object(at: 3))
        guard case .float(let float) = try again.object(at: try again.reference(3, of: new)) else { throw PropertyListFault.damaged("") }
        #expect(float.bitPattern == 0x7FC0_0001)
        guard case .string(let text) = try again.object(at: try again.reference(0, of: new)) else { throw PropertyListFault.damaged("") }
        #expect(try again.text(text) == "\u{FFFD}" && text.isWide && text.range.length == 2)
    }

    @Test func keysThatLookAlikeAreTwo() throws {
        let tree = PropertyList.dictionary([.init("é", .integer(1)), .init("e\u{301}", .integer(2))])
        let read = try PropertyList(reading: Bytes(try tree.binary()))
        #expect(read["é"] == .integer(1) && read["e\u{301}"] == .integer(2))
    }
}
