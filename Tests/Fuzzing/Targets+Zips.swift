import PropertyLists

@testable import ZipFiles

// ZIPs and deflated bytes from any program.
extension Target {
    static let zips = [zipReading, zipNames, inflating]

    private static func whole(_ layout: ZipLayout, _ contents: [[UInt8]]) -> [UInt8] {
        layout.pieces(of: 0..<layout.byteCount) { CRC32.value(of: contents[$0]) }.flatMap { piece in
            switch piece {
            case .bytes(let bytes): bytes
            case .content(let entry, let offset, let length): Array(contents[entry][Int(offset)..<Int(offset + length)])
            }
        }
    }

    private static func sample(prefix: String) -> [UInt8] {
        let moment = PackageEntry.Moment(seconds: 4_100_000_000, nanoseconds: 5), small = PackageEntry.Moment(seconds: 1_700_000_000)
        func entry(_ path: String, _ kind: PackageEntry.Kind) -> PackageEntry {
            PackageEntry(
                path: Array((prefix + path).utf8), kind: kind, mode: 0o644, modified: path.count > 2 ? moment : small,
                attributes: [.init(name: Array("user.a".utf8), value: [1])])
        }
        let folder = prefix.isEmpty ? [] : [PackageEntry(path: Array(prefix.utf8.dropLast()), kind: .folder, mode: 0o755, modified: small)]
        let entries =
            folder + [
                entry("Data", .folder), entry("Data/é", .file(length: 3)), entry("a", .file(length: 0)),
                entry("b", .link(target: Array("Data/../a".utf8))),
            ]
        guard let tree = try? PackageTree(entries), let layout = try? ZipLayout(tree) else { return [] }
        return whole(layout, tree.entries.map { [UInt8](repeating: 7, count: Int($0.length)) })
    }

    /// By Python's zipfile, deflated, with a descriptor behind the content.
    private static let deflated: [UInt8] = [
        80, 75, 3, 4, 20, 0, 8, 0, 8, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 97, 75, 76, 132, 2, 0, 80, 75,
        7, 8, 102, 222, 183, 119, 5, 0, 0, 0, 9, 0, 0, 0, 80, 75, 1, 2, 20, 3, 20, 0, 8, 0, 8, 0, 0, 0, 33, 0, 102, 222, 183, 119, 5, 0, 0, 0,
        9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 164, 129, 0, 0, 0, 0, 97, 80, 75, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 47, 0, 0,
        0, 52, 0, 0, 0, 0, 0,
    ]

    private static let zipReading = Target("zipReading", [sample(prefix: ""), sample(prefix: "X.band/"), deflated]) { bytes in
        if let reader = try? ZipReader(Bytes(bytes), extensions: ["band"]) { check(reader) }
    }

    /// Entries of any names, in which nothing else is wrong: a line is a name, behind a letter for what it is; the next line is the content.
    private static let zipNames = Target(
        "zipNames",
        [
            "fa.txt\nx\ndData/\n\nlData/l\n../a.txt\nfData/é/x\n", "d../X.band/\n\nf../X.band/Data/a\n1\nl../X.band/m\nData/../n\nl../X.band/n\nm\n",
            "fX.BAND/a\n\nf._X.BAND\n2\nf__MACOSX/X.BAND/._a\n3\nf__MACOSX/._X.BAND\n",
            "oa\n1\noe\u{301}\n2\no__MACOSX/x\n3\n",
        ]
    ) { bytes in
        var zip = ZipWriter(), directory = ZipWriter(), count = 0
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        for place in stride(from: 0, to: lines.count, by: 2) {
            guard let letter = lines[place].first else { continue }
            let name = Array(lines[place].dropFirst()), content = place + 1 < lines.count ? lines[place + 1] : [], isOwn = letter == UInt8(ascii: "o")
            let types: [UInt8: UInt64] = [UInt8(ascii: "d"): UnixType.folder, UInt8(ascii: "l"): UnixType.link],
                entry = PackageEntry(path: name, kind: .folder, mode: 0, modified: .init(seconds: 1))
            let extras = isOwn ? ZipExtras.central(of: entry, at: 0) : [], start = zip.bytes.count
            func addShared(_ extraCount: Int, to writer: inout ZipWriter) {
                writer.add(0, 10)
                writer.add(UInt64(CRC32.value(of: content)), 4)
                for (number, width) in [(content.count, 4), (content.count, 4), (name.count, 2), (extraCount, 2)] { writer.add(number, width) }
            }
            zip.add(ZipMark.local, 4)
            addShared(0, to: &zip)
            zip.add(name)
            zip.add(content)
            directory.add(ZipMark.central, 4)
            directory.add(0x32D, 2)
            addShared(extras.count, to: &directory)
            directory.add(0, 6)
            directory.add((types[letter] ?? UnixType.file) << 16, 4)
            directory.add(start, 4)
            directory.add(name)
            directory.add(extras)
            count += 1
        }
        let end = ZipHeader.end(count: count, from: Int64(zip.bytes.count), to: Int64(zip.bytes.count + directory.bytes.count))
        if let reader = try? ZipReader(Bytes(zip.bytes + directory.bytes + end), extensions: ["band"]) { check(reader) }
    }

    private static func check(_ reader: ZipReader) {
        var contents: [[UInt8]] = []
        for (index, entry) in reader.tree.entries.enumerated() {
            var reading = reader.content(of: index), content: [UInt8] = []
            while let chunk = try? reading.next() {
                mustHold(!chunk.isEmpty && chunk.count <= ZipContent.longestChunk, "a chunk's bounds")
                content += chunk
                mustHold(content.count <= entry.length, "a content's bounds")
            }
            contents.append(content + [UInt8](repeating: 0, count: max(0, Int(entry.length) - content.count)))
        }
        _ = try? reader.isOwn()
        guard let layout = try? ZipLayout(reader.tree) else { return mustHold(false, "what was read is written") }
        let again = try? ZipReader(Bytes(whole(layout, contents)), extensions: ["band"])
        mustHold(again?.tree == reader.tree, "what is written and read")
        mustHold((try? again?.isOwn()) == true, "what Valise wrote is its own")
    }

    private static let inflating = Target(
        "inflating",
        [
            [0x4B, 0x44, 3, 0], [1, 3, 0, 0xFC, 0xFF, 1, 2, 3], [0, 1, 0, 0xFE, 0xFF, 9, 3, 0],
            // Of a text, with codes of its own.
            [
                13, 137, 65, 17, 0, 65, 12, 131, 172, 196, 90, 122, 161, 141, 127, 5, 183, 47, 96, 248, 52, 76, 91, 46, 83, 223, 201, 20, 162, 89,
                219, 200, 71, 14, 43, 173, 178, 33,
                197, 39, 230, 3, 134, 5, 189, 202, 67, 159, 184, 225, 142, 111, 245, 238, 254,
            ],
        ]
    ) { bytes in
        var inflater = Inflater(length: 1 << 17), input = SourceReader(Bytes(bytes), from: 0, to: Int64(bytes.count), window: 7), count = 0
        while let chunk = try? inflater.next(from: &input) {
            mustHold(!chunk.isEmpty && chunk.count <= ZipContent.longestChunk, "a chunk's bounds")
            count += chunk.count
        }
        mustHold(count <= 1 << 17, "a content's bounds")
    }
}
