import Databases
import PropertyLists

@testable import Backups
@testable import LinuxFiles

/// The parts of a backup: whoever made it may have meant harm.
extension Target {
    static let backups = [backupKeybag, backupFile, backupRecords, backupList, backupRows]

    private static func tag(_ name: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(truncatingIfNeeded: value.count)] + value
    }

    private static let backupKeybag = Target(
        "backupKeybag",
        [
            tag("UUID", [UInt8](repeating: 1, count: 16)) + tag("SALT", [1, 2]) + tag("ITER", [0, 0, 0x27, 0x10])
                + tag("DPIC", [0, 0x98, 0x96, 0x80]) + tag("DPSL", [3])
                + tag("UUID", [UInt8](repeating: 2, count: 16)) + tag("CLAS", [0, 0, 0, 3]) + tag("WRAP", [0, 0, 0, 2])
                + tag("WPKY", [UInt8](repeating: 4, count: 40))
        ]
    ) { bytes in
        guard let bag = try? Keybag(bytes) else { return }
        mustHold(bag.derivation.rounds > 0 && bag.derivation.rounds <= Int32(Keybag.mostRounds), "the rounds of a key")
        if let first = bag.derivation.first {
            mustHold(first.rounds > 0 && first.rounds <= Int32(Keybag.mostFirstRounds), "the first rounds of a key")
        }
        if let wrapped = WrappedKey(bytes[...]) {
            mustHold(wrapped.data == bytes, "a wrapped key that is written and read")
        }
    }

    private static let backupFile = Target(
        "backupFile",
        [
            (try? PropertyList.dictionary([
                .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
                .init("$top", .dictionary([.init("root", .uid(1))])),
                .init(
                    "$objects",
                    .array([
                        .string("$null"),
                        .dictionary([
                            .init("Size", .integer(1)), .init("Mode", .integer(33188)),
                            .init("LastModified", .integer(1)), .init("Birth", .integer(2)),
                            .init("EncryptionKey", .uid(2)), .init("Target", .uid(3)),
                        ]),
                        .dictionary([.init("NS.data", .data([UInt8](repeating: 1, count: 44)))]), .string("a"),
                    ])),
            ]).binary()) ?? []
        ]
    ) { bytes in
        guard let file = try? MBFile(bytes) else { return }
        mustHold(
            file.size >= 0 && Int64(file.target?.count ?? 0) <= 3 * MBFile.longestTarget, "what a device said of a file"
        )
        _ = (EncryptedRanges.encryptedSize(of: file.size), FileStatus.blocks(of: file.size))
    }

    private static let backupRecords = Target(
        "backupRecords",
        [
            Array("mbdb\u{5}\0".utf8) + [0, 10] + Array("HomeDomain".utf8) + [0, 3] + Array("a/b".utf8) + [
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0xA4,
            ] + [UInt8](repeating: 1, count: 37) + [1]
                + [0, 1, 65, 0, 1, 66]
        ]
    ) { bytes in
        var builder = TreeBuilder(BackupInfo.none), faults = 0, rows = 0
        try? ManifestRecords.read(bytes, faults: &faults) { (entry) throws(Failure) in
            rows += 1
            try builder.add(entry)
        }
        check(builder.finish(notUnderstood: faults), rows)
    }

    /// Rows as they come out of either list: a kind, a domain and a path, between zeros.
    private static let backupRows = Target(
        "backupRows",
        [
            "f\0HomeDomain\0a/b\0d\0AppDomain-x\0Documents\0f\0CameraRollDomain\0Media/DCIM/100APPLE/a.jpg\0"
                + "f\0HomeDomain\0a/b\0l\0HomeDomain\0a/b/c\0f\0AppDomain-\0../x\0",
            "f\0AppDomainGroup-group.com.apple.FileProvider.LocalStorage\0File Provider Storage/e\u{301}\0"
                + "d\0AppDomainPlugin-y\0\0f\0CameraRollDomain\0Media/DCIM\0",
        ]
    ) { bytes in
        var builder = TreeBuilder(BackupInfo.none), rows = 0
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        for start in stride(from: 0, to: parts.count - 2, by: 3) {
            let kind: ManifestEntry.Kind =
                parts[start].first == UInt8(ascii: "d")
                ? .folder : parts[start].first == UInt8(ascii: "l") ? .link : .file
            var entry = ManifestEntry(
                kind, id: FileID(parts[start + 2]), domain: Array(parts[start + 1]), path: Array(parts[start + 2]))
            entry.facts.target = Array(parts[start])
            rows += 1
            try? builder.add(entry)
        }
        check(builder.finish(notUnderstood: 0), rows)
    }

    /// Each name is one that a folder can have, and is found where it is.
    private static func check(_ tree: BackupTree, _ rows: Int) {
        for number in (0..<tree.count).map(BackupTree.NodeNumber.init) where number != .top {
            mustHold(Name(tree.name(of: number)) != nil, "a name that is shown")
            mustHold(tree.child(tree.name(of: number), of: tree.parent(of: number)) == number, "a name that is found")
            mustHold(
                tree.kind(of: tree.parent(of: number)) == .folder && tree.parent(of: number).index < number.index,
                "what a name is in")
            _ = (tree.file(number), tree.target(of: number))
        }
        mustHold(tree.fileCount <= rows, "the files of a list")
    }

    private final class Memory: DatabaseSource {
        let bytes: [UInt8]
        var byteCount: Int64 { Int64(bytes.count) }

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
            mustHold(offset >= 0 && offset + Int64(buffer.count) <= byteCount, "what SQLite reads")
            buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + buffer.count])
            return true
        }
    }

    /// A whole list, as SQLite reads it.
    private static let backupList = Target("backupList", [smallList]) { bytes in
        var builder = TreeBuilder(BackupInfo.none), faults = 0, rows = 0
        try? ManifestDatabase.read(Memory(bytes), faults: &faults) { (entry) throws(Failure) in
            rows += 1
            try builder.add(entry)
        }
        check(builder.finish(notUnderstood: faults), rows)
    }

    /// A database of two pages, of 512 bytes each: the table Files and two rows.
    private static let smallList: [UInt8] = {
        let sql = Array("CREATE TABLE Files (fileID, domain, relativePath, flags, file)".utf8)
        func record(_ header: [UInt8], _ body: [UInt8]) -> [UInt8] { [UInt8(header.count + 1)] + header + body }
        func cell(_ row: UInt8, _ record: [UInt8]) -> [UInt8] { [UInt8(record.count), row] + record }
        func page(_ cells: [[UInt8]], header: Int) -> [UInt8] {
            var page = [UInt8](repeating: 0, count: 512), end = 512
            page[header] = 13
            page[header + 4] = UInt8(cells.count)
            for (index, cell) in cells.enumerated() {
                end -= cell.count
                page.replaceSubrange(end..<end + cell.count, with: cell)
                (page[header + 8 + 2 * index], page[header + 9 + 2 * index]) = (UInt8(end >> 8), UInt8(end & 255))
            }
            (page[header + 5], page[header + 6]) = (UInt8(end >> 8), UInt8(end & 255))
            return page
        }
        let types: [UInt8] = [23, 23, 23, 1, 0x81, UInt8(truncatingIfNeeded: 13 + 2 * sql.count - 128)]
        let values: [UInt8] = Array("tableFilesFiles".utf8) + [2]
        let schema = record(types, values + sql)
        var first = page([[UInt8(schema.count), 1] + schema], header: 100)
        let sizes: [UInt8] = [2, 0, 1, 1, 0, 64, 32, 32, 0, 0, 0, 1, 0, 0, 0, 2],
            start = Array("SQLite format 3\0".utf8) + sizes
        first.replaceSubrange(0..<start.count, with: start)
        for (place, value) in [(43, 1), (47, 4), (59, 1), (95, 1)] as [(Int, UInt8)] { first[place] = value }
        let rows = [("HomeDomain", "a/b"), ("AppDomain-x", "Documents/c")].enumerated().map { index, row in
            let types: [UInt8] = [0, UInt8(13 + 2 * row.0.utf8.count), UInt8(13 + 2 * row.1.utf8.count), 9, 0]
            return cell(UInt8(index + 1), record(types, Array((row.0 + row.1).utf8)))
        }
        return first + page(rows, header: 0)
    }()
}
