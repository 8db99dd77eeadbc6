import PropertyLists
import SeededNumbers
import Testing

@testable import ZipFiles

/// What goes out comes in as it was, and any range is the range of the whole.
@Suite struct RoundTripTests {
    @Test func whatGoesOutComesInAgain() throws {
        var numbers = SeededNumbers(seed: 44)
        for _ in 0..<150 {
            let package = try numbers.package(), zip = try package.zip(), reader = try ZipReader(zip)
            #expect(reader.tree == package.tree)
            #expect(try reader.contents() == package.contents)
            #expect(reader.shape == .bare && reader.appleDouble == nil)
            #expect(try reader.isOwn())
        }
    }

    @Test func theOrderInWhichEntriesComeIsNothing() throws {
        var numbers = SeededNumbers(seed: 45)
        for _ in 0..<20 {
            let package = try numbers.package(), parts = Array(zip(package.tree.entries, package.contents))
            #expect(try Package(parts.shuffled(using: &numbers)).zip() == package.zip())
        }
        let some = [PackageEntry.Attribute(name: Array("user.b".utf8), value: [1]), .init(name: Array("user.a".utf8), value: [2])]
        #expect(PackageEntry.file("x", attributes: some) == PackageEntry.file("x", attributes: some.reversed()))
    }

    @Test func aRangeIsARangeOfTheWhole() throws {
        var numbers = SeededNumbers(seed: 46)
        for _ in 0..<40 {
            let package = try numbers.package(), layout = try ZipLayout(package.tree), whole = try package.zip()
            #expect(whole.count == Int(layout.byteCount))
            for _ in 0..<20 {
                let start = Int64.random(in: 0...layout.byteCount, using: &numbers), end = Int64.random(in: start...layout.byteCount, using: &numbers)
                #expect(package.bytes(start..<end, of: layout) == Array(whole[Int(start)..<Int(end)]))
            }
            #expect(package.bytes(-5..<Int64.max, of: layout) == whole)
            #expect(package.bytes(layout.byteCount..<Int64.max, of: layout).isEmpty && package.bytes(-9 ..< -3, of: layout).isEmpty)
        }
    }

    /// A checksum costs a pass over a file.
    @Test func onlyTheChecksumsOfTouchedHeadersAreAsked() throws {
        let layout = try ZipLayout(
            PackageTree((0..<9).map { PackageEntry.file("\($0)", 100) } + [.folder("d"), .link("l", to: "d"), .file("empty")]))
        func asked(_ range: Range<Int64>) -> [Int] {
            var asked: [Int] = []
            _ = layout.pieces(of: range) { entry -> UInt32 in
                asked.append(entry)
                return 0
            }
            return asked
        }
        // A header of 30 bytes, a name of one, and the time in nine.
        #expect(
            asked(0..<1) == [0] && asked(39..<40) == [0] && asked(40..<140) == [] && asked(139..<141) == [1]
                && asked(150..<1000) == [1, 2, 3, 4, 5, 6, 7])
        #expect(asked((layout.byteCount - 22)..<layout.byteCount) == [])
        #expect(asked(0..<layout.byteCount).sorted() == (0..<9).flatMap { [$0, $0] })
        #expect(layout.pieces(of: 30..<290) { _ in 0 }.count == 5)
    }

    @Test func aFailingChecksumFailsTheRange() throws {
        struct Gone: Error {}
        let layout = try ZipLayout(PackageTree([.file("a", 1)]))
        #expect(throws: Gone.self) { try layout.pieces(of: 0..<9) { _ throws(Gone) in throw Gone() } }
    }

    @Test func whatIsNotOursByteForByteIsNotOurs() throws {
        let package = try Package([(.file("a", 3), [1, 2, 3]), (.folder("b"), [])]), zip = try package.zip()
        var others = 0
        for index in zip.indices {
            var other = zip
            other[index] ^= 1
            // Some bytes may be others: times, versions. A changed content is found by its checksum when it is read.
            guard let reader = try? ZipReader(other), !(40..<43).contains(index) else { continue }
            if reader.tree == package.tree { others += 1 }
            #expect(try !reader.isOwn() || reader.tree != package.tree, "byte \(index)")
        }
        #expect(others > 5)
    }
}
