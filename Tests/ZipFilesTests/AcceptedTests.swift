import Foundation
import MountTesting
import PropertyLists
import Testing

@testable import ZipFiles

/// Python's zipfile reads what Valise makes, and finds in it what was put in.
@Suite struct AcceptedTests {
    private struct Found: Decodable, Equatable {
        let name: [UInt8]
        let length: Int64
        let mode: Int64
        let date: [Int]
        let content: String
        var isUTF8 = false
    }

    /// What zipfile finds, and after a test of all checksums, if that is wanted.
    private static func found(in path: String, testing: Bool = true) throws -> [Found] {
        let script = """
            import base64, json, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as file:
                if sys.argv[2] == "yes": assert file.testzip() is None
                print(json.dumps([dict(
                    name=list(i.filename.encode("utf-8" if i.flag_bits & 2048 else "cp437")), length=i.file_size, mode=i.external_attr, date=i.date_time, isUTF8=bool(i.flag_bits & 2048),
                    content=base64.b64encode(file.read(i)).decode() if sys.argv[2] == "yes" and i.file_size < 1000 else "") for i in file.infolist()]))
            """
        return try JSONDecoder().decode([Found].self, from: Data(run("python3", "-c", script, path, testing ? "yes" : "no").good().output.utf8))
    }

    @Test func zipfileFindsWhatWasPutIn() throws {
        func at(_ seconds: Int64) -> PackageEntry.Moment { .init(seconds: seconds, nanoseconds: 999_999_999) }
        let latin = PackageEntry(path: [0x63, 0xE9], kind: .file(length: 2), mode: 0o600, modified: at(0))
        let package = try Package([
            (.file("1970", 1, modified: at(0)), [1]), (.file("2099", 1, mode: 0o400, modified: at(4_102_444_799 - 31_536_000)), [2]),
            (.file("2200", 0, modified: at(7_258_118_400)), []),
            (.file("now", 3, mode: 0o755, modified: at(1_700_000_001)), [1, 2, 3]), (latin, [8, 9]), (.folder("empty", mode: 0o700), []),
            (.folder("日本"), []),
            (.file("日本/é", 2), [5, 6]), (.link("l", to: "日本/é"), Array("日本/é".utf8)),
        ])
        let folder = try TemporaryFolder(), path = folder.path + "/zip"
        try Data(package.zip()).write(to: URL(fileURLWithPath: path))
        let dates = ["1970": [1980, 1, 1, 0, 0, 0], "2099": [2098, 12, 31, 23, 59, 58], "2200": [2107, 12, 31, 23, 59, 58]]
        let wanted = zip(package.tree.entries, package.contents).map { entry, content in
            let type: Int64 =
                switch entry.kind {
                case .file: 0o100000
                case .folder: 0o040000
                case .link: 0o120000
                }
            return Found(
                name: entry.isFolder ? entry.path + [47] : entry.path, length: entry.length,
                mode: (type | Int64(entry.mode)) << 16 | (entry.isFolder ? 16 : 0),
                date: dates[entry.text] ?? (entry.path == latin.path ? [1980, 1, 1, 0, 0, 0] : [2023, 11, 14, 22, 13, 20]),
                content: Data(content).base64EncodedString(),
                isUTF8: entry.path.contains { $0 > 127 } && entry.path != latin.path)
        }
        #expect(try Self.found(in: path) == wanted)
    }

    /// Only the headers are there; between them the file is sparse.
    @Test func whatIsLargeHasNumbersOf64Bits() throws {
        let gigabyte: Int64 = 1 << 30
        let tree = try PackageTree([.file("a", 5 * gigabyte), .file("b", 4 * gigabyte - 1), .file("c", 4 * gigabyte - 2), .file("d", 1)])
        let folder = try TemporaryFolder(), path = folder.path + "/zip", layout = try ZipLayout(tree)
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: UInt64(layout.byteCount))
        var offset: Int64 = 0
        for piece in layout.pieces(of: 0..<layout.byteCount, checksum: { _ in 7 }) {
            switch piece {
            case .bytes(let bytes):
                try file.seek(toOffset: UInt64(offset))
                file.write(Data(bytes))
                offset += Int64(bytes.count)
            case .content(_, _, let length): offset += length
            }
        }
        #expect(offset == layout.byteCount)
        #expect(try Self.found(in: path, testing: false).map(\.length) == [5 * gigabyte, 4 * gigabyte - 1, 4 * gigabyte - 2, 1])
        let reader = try ZipReader(SparseFile(file, layout.byteCount), extensions: [])
        #expect(reader.tree == tree)
        #expect(try reader.isOwn())
    }

    /// Below that, nothing has more than 32 bits: the same entries take the same room.
    @Test func numbersOf64BitsAreOnlyWhereTheyAreNeeded() throws {
        func length(_ length: Int64) throws -> Int64 { try ZipLayout(PackageTree([.file("a", length)])).byteCount - length }
        let small = try length(0)
        // Where the directory begins is the first number that has no room, then the lengths.
        #expect(try length(0xFFFF_FFFE - 40) == small && length(0xFFFF_FFFF - 40) == small + 76)
        #expect(try length(0xFFFF_FFFE) == small + 76 && length(0xFFFF_FFFF) == small + 76 + 40)
        #expect(ZipHeader.end(count: 65_534, from: 9, to: 99).count == 22 && ZipHeader.end(count: 65_535, from: 9, to: 99).count == 22 + 76)
        #expect(
            ZipHeader.end(count: 1, from: 9, to: 9 + 0xFFFF_FFFE).count == 22
                && ZipHeader.end(count: 1, from: 9, to: 9 + 0xFFFF_FFFF).count == 22 + 76)
    }

    @Test func moreEntriesThanSixteenBitsCount() throws {
        let package = try Package((0..<66_000).map { (.file(String(100_000 + $0), $0 % 1000 == 0 ? 2 : 0), $0 % 1000 == 0 ? [1, 2] : []) })
        let folder = try TemporaryFolder(), path = folder.path + "/zip", zip = try package.zip()
        try Data(zip).write(to: URL(fileURLWithPath: path))
        let count = try run(
            "python3", "-c", "import sys, zipfile; f = zipfile.ZipFile(sys.argv[1]); print(len(f.namelist()), f.namelist()[65999], f.read('165000'))",
            path
        ).good().output
        #expect(count == "66000 165999 b'\\x01\\x02'\n")
        #expect(try ZipReader(zip).tree == package.tree)
    }
}

/// A sparse file, which does not fit into memory.
private struct SparseFile: ByteSource {
    let byteCount: Int64
    private let descriptor: Int32

    init(_ file: FileHandle, _ byteCount: Int64) { (descriptor, self.byteCount) = (file.fileDescriptor, byteCount) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) == buffer.count else { throw .ended }
    }
}
