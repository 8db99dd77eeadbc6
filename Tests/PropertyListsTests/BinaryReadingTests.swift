import PropertyLists
import Testing

@Suite struct BinaryReadingTests {
    func tree(_ handmade: Handmade) throws -> PropertyList { try BinaryPropertyList(Bytes(handmade.bytes)).tree() }

    @Test(arguments: [
        ([0x00], .null), ([0x08], .boolean(false)), ([0x09], .boolean(true)),
        ([0x10, 0xFF], .integer(255)), ([0x11, 0xFF, 0xFE], .integer(65_534)), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
        ([0x13] + [UInt8](repeating: 0xFF, count: 8), .integer(-1)),
        ([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8), .integer(18_446_744_073_709_551_615)),
        ([0x14] + [UInt8](repeating: 0xFF, count: 16), .integer(-1)),
        ([0x22, 0x3F, 0xC0, 0x00, 0x00], .real(1.5)), ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .real(1.5)),
        ([0x33, 0x40, 0x24, 0, 0, 0, 0, 0, 0], .date(10)),
        ([0x42, 1, 2], .data([1, 2])), ([0x40], .data([])), ([0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2], .data([1, 2])),
        ([0x52, 0x61, 0x62], .string("ab")), ([0x61, 0x00, 0xE9], .string("é")), ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("😀")),
        ([0x61, 0xD8, 0x3D], .string("\u{FFFD}")),
        ([0x80, 7], .uid(7)), ([0x82, 1, 0, 0], .uid(65_536)), ([0x87] + [UInt8](repeating: 0xFF, count: 8), .uid(.max)),
        ([0xA0], .array([])), ([0xC0], .set([])), ([0xD0], .dictionary([])),
    ] as [([UInt8], PropertyList)])
    func everyMarker(_ object: [UInt8], _ value: PropertyList) throws {
        #expect(try tree(Handmade(objects: [object])) == value)
    }

    @Test(arguments: [
        [0x01], [0x0F], [0x15], [0x21], [0x32], [0x70], [0x88], [0xB0], [0xE0], [0xF0], [0x90],
        [0x13, 0], [0x23, 0], [0x33], [0x42, 1], [0x62, 0, 1, 2], [0x81, 1], [0xA1], [0xD1, 0], [0x4F], [0x4F, 0x08],
        [0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0],
        [0x6F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0x4F, 0x14] + [UInt8](repeating: 0x7F, count: 16), [0xA1, 9], [0xD1, 0, 0],
    ] as [[UInt8]])
    func malformedObjects(_ object: [UInt8]) {
        #expect(throws: PropertyListFault.self) { try tree(Handmade(objects: [object])) }
    }

    @Test(arguments: 1...8, 1...8) func anyWidths(_ offsetWidth: Int, _ referenceWidth: Int) throws {
        // An object that nothing refers to, one that two refer to, and a top that is not the first.
        let list = [0xA2] + number(2, referenceWidth) + number(2, referenceWidth)
        let handmade = Handmade(objects: [[0x08], list, [0x10, 5]], offsetWidth: offsetWidth, referenceWidth: referenceWidth, top: 1)
        #expect(try tree(handmade) == .array([.integer(5), .integer(5)]))
    }

    @Test func trailersThatDoNotFit() {
        let good = Handmade(objects: [[0xA1, 1], [0x09]])
        #expect(throws: Never.self) { try tree(good) }
        for change in [
            { $0.behind = [0] }, { $0.count = 0 }, { $0.count = 1 }, { $0.count = .max }, { $0.count = 1 << 61 }, { $0.top = 2 }, { $0.top = .max },
            { $0.table = 8 }, { $0.table = .max }, { $0.table = 1 << 62 }, { $0.table = 10 }, { $0.offsetWidth = 0 }, { $0.referenceWidth = 0 },
            { $0.offsetWidth = 9 }, { $0.referenceWidth = 9 }, { $0.offsets = [8, 200] }, { $0.offsets = [8, 11] }, { $0.offsets = [8, 0] },
            { $0.objects += [[UInt8]](repeating: [0x09], count: 300); $0.offsetWidth = 2 },
        ] as [(inout Handmade) -> Void] {
            var wrong = good
            change(&wrong)
            #expect(throws: PropertyListFault.self) { try tree(wrong) }
        }
    }

    @Test func whatItIsNot() {
        for bytes in [[], Array("bplist0".utf8), Array("bplist16 and enough that could be anything at all".utf8), [UInt8](repeating: 0, count: 100)] as [[UInt8]] {
            #expect { try BinaryPropertyList(Bytes(bytes)) } throws: {
                if case PropertyListFault.foreign = $0 { true } else if case PropertyListFault.damaged = $0 { bytes.starts(with: "bplist1".utf8) } else { false }
            }
        }
        #expect { try BinaryPropertyList(Bytes(Array("bplist00".utf8))) } throws: { if case PropertyListFault.damaged = $0 { true } else { false } }
    }

    @Test func cyclesAndBombsEnd() {
        #expect(throws: PropertyListFault.self) { try tree(Handmade(objects: [[0xA1, 0]])) }
        // Sixteen levels of arrays that each hold the next one fourteen times: 14¹⁵ values in under 400 bytes.
        var bomb = Handmade(objects: (1...15).map { [0xAE] + [UInt8](repeating: UInt8($0), count: 14) } + [[0x09]])
        bomb.offsetWidth = 2
        #expect { try tree(bomb) } throws: { if case PropertyListFault.excessive = $0 { true } else { false } }
        var deep = Handmade(objects: (1...40).map { [0xA1, UInt8($0)] } + [[0x09]])
        deep.offsetWidth = 2
        #expect { try tree(deep) } throws: { if case PropertyListFault.excessive = $0 { true } else { false } }
        #expect(throws: PropertyListFault.self) { try tree(Handmade(objects: [[0xD1, 1, 1], [0x09]])) }
    }

    @Test func overlappingObjectsAreEachPaidFor() throws {
        // A thousand arrays that share one row of 20,000 references: 20 million, in 23 KB.
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt64] = []
        for index in 0..<1_000 {
            offsets.append(UInt64(bytes.count))
            bytes += [0xAF, 0x11] + number(UInt64(20_000 - index), 2)
        }
        bytes += [UInt8](repeating: 0, count: 50_000)
        let table = UInt64(bytes.count)
        for offset in offsets { bytes += number(offset, 2) }
        bytes += [0, 0, 0, 0, 0, 0, 2, 2] + number(1_000, 8) + number(0, 8) + number(table, 8)
        let list = try BinaryPropertyList(Bytes(bytes))
        #expect(throws: PropertyListFault.self) { try list.tree() }
        #expect(throws: PropertyListFault.self) { try ObjectTable(copying: list).written() }
        var tight = PropertyListLimits()
        tight.memory = 1 << 16
        #expect { try ObjectTable(copying: try BinaryPropertyList(Bytes(bytes), limits: tight)) } throws: {
            if case PropertyListFault.excessive = $0 { true } else { false }
        }
    }

    @Test func lengthsAreCheckedBeforeAnythingIsRead() throws {
        let claim: [UInt8] = [0x5F, 0x13, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF]
        let source = Counting(Bytes(Handmade(objects: [claim]).bytes))
        #expect(throws: PropertyListFault.self) { try BinaryPropertyList(source).tree() }
        #expect(source.bytesRead < 100)
        // A string as long as it says, in a file of gigabytes: a limit, and not a gigabyte of memory.
        let hole: Int64 = 3 << 30
        let head = Array("bplist00".utf8) + [0x5F, 0x13] + number(UInt64(hole), 8)
        let tail = [8] + [0, 0, 0, 0, 0, 0, 1, 1] + number(1, 8) + number(0, 8) + number(UInt64(hole) + 18, 8)
        let long = Counting(Sparse(head: head, hole: hole, tail: tail))
        #expect { try BinaryPropertyList(long).tree() } throws: { if case PropertyListFault.excessive = $0 { true } else { false } }
        #expect(long.bytesRead < 3_000 && long.reads <= 3)
    }

    @Test func openingASmallOneIsOneRead() throws {
        let source = Counting(Bytes(try PropertyList.dictionary([.init("a", .string("b"))]).binary()))
        let list = try BinaryPropertyList(source)
        guard case .dictionary(let keys, let values) = try list.object(at: list.top) else { throw PropertyListFault.damaged("") }
        #expect(try list.text(at: try #require(try list.member("a", keys: keys, values: values))) == "b")
        #expect(try list.member("c", keys: keys, values: values) == nil)
        #expect(source.reads == 1)
    }

    @Test func aSourceThatEndsIsToldAsSuch() {
        struct Ending: ByteSource {
            let byteCount: Int64 = 5_000
            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) { throw SourceFailure(errno: 5) }
        }
        #expect(throws: PropertyListFault.unreadable(SourceFailure(errno: 5))) { try BinaryPropertyList(Ending()) }
    }
}
