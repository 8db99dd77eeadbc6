import Foundation
import MountTesting
import PropertyLists
import SeededNumbers
import ZipFiles

/// A package in memory: what it is made of, and the bytes of its files.
struct Package {
    let tree: PackageTree
    let contents: [[UInt8]]

    init(_ parts: [(entry: PackageEntry, content: [UInt8])]) throws {
        let sorted = parts.sorted { $0.entry.path.lexicographicallyPrecedes($1.entry.path) }
        tree = try PackageTree(sorted.map(\.entry))
        contents = sorted.map(\.content)
    }

    /// The bytes of a range of its ZIP, put together as a drive would.
    func bytes(_ range: Range<Int64>, of layout: ZipLayout) -> [UInt8] {
        layout.pieces(of: range) { CRC32.value(of: contents[$0]) }.flatMap { piece in
            switch piece {
            case .bytes(let bytes): bytes
            case .content(let entry, let offset, let length): Array(contents[entry][Int(offset)..<Int(offset + length)])
            }
        }
    }

    func zip() throws -> [UInt8] {
        let layout = try ZipLayout(tree)
        return bytes(0..<layout.byteCount, of: layout)
    }
}

extension PackageEntry {
    static let moment = Moment(seconds: 1_700_000_001, nanoseconds: 123_456_789)

    static func file(_ path: String, _ length: Int64 = 0, mode: UInt16 = 0o644, modified: Moment = moment, attributes: [Attribute] = [])
        -> PackageEntry
    {
        PackageEntry(path: Array(path.utf8), kind: .file(length: length), mode: mode, modified: modified, attributes: attributes)
    }

    static func folder(_ path: String, mode: UInt16 = 0o755) -> PackageEntry {
        PackageEntry(path: Array(path.utf8), kind: .folder, mode: mode, modified: moment)
    }

    static func link(_ path: String, to target: String) -> PackageEntry {
        PackageEntry(path: Array(path.utf8), kind: .link(target: Array(target.utf8)), mode: 0o777, modified: moment)
    }

    var text: String { String(decoding: path, as: UTF8.self) }
}

extension ZipReader {
    init(_ bytes: [UInt8], extensions: [String] = ["band"], limits: ZipLimits = .standard) throws {
        try self.init(Bytes(bytes), extensions: extensions, limits: limits)
    }

    func bytes(_ content: ZipContent) throws -> [UInt8] {
        var content = content, bytes: [UInt8] = []
        while let chunk = try content.next() {
            guard (1...ZipContent.longestChunk).contains(chunk.count) else { throw Failed("a chunk of \(chunk.count) bytes") }
            bytes += chunk
        }
        return bytes
    }

    func contents() throws -> [[UInt8]] { try tree.entries.indices.map { try bytes(content(of: $0)) } }

    /// Each path, and what a file holds; of a folder and of a link how they differ from a file.
    func texts() throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: zip(tree.entries, contents()).map { entry, content in
                let text = String(decoding: content, as: UTF8.self)
                return switch entry.kind {
                case .file: (entry.text, text)
                case .folder: (entry.text, "/")
                case .link: (entry.text, "-> " + text)
                }
            })
    }
}

extension SeededNumbers {
    private static let names =
        [
            "a", "b.txt", "B", "é", "e\u{301}x", "Index", "Data", "日本語.jpg", "with space", "x.y.z", "~", "-n", "._a", "__MACOSX", "X.band",
            String(repeating: "n", count: 255),
        ].map { Array($0.utf8) }
        + [[0xE9, 0x61], [0xFF], [0x01, 0x7F]]
    private static let seconds: [Int64] = [
        0, 1, -1, 315_532_799, 315_532_801, 1_700_000_000, (1 << 31) - 1, 1 << 31, (1 << 32) + 5, 4_354_819_200, 9_999_999_999, -11_644_473_600,
        -11_644_473_601, .min, .max,
    ]

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// A package with a bit of everything that may be in one.
    mutating func package() throws -> Package {
        var parts: [(PackageEntry, [UInt8])] = [], folders: [[UInt8]] = [[]], taken: Set<[UInt8]> = []
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            let folder = folders.randomElement(using: &self) ?? [], name = Self.names.randomElement(using: &self) ?? []
            let path = folder.isEmpty ? name : folder + "/".utf8 + name
            guard taken.insert(path).inserted else { continue }
            let modified = PackageEntry.Moment(
                seconds: Self.seconds.randomElement(using: &self) ?? 0, nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &self))
            let attributes = Set((0..<Int.random(in: 0...3, using: &self)).map { _ in Int.random(in: 0...9, using: &self) }).map { number in
                PackageEntry.Attribute(name: Array("user.\(number)".utf8), value: bytes(number * 7))
            }
            func entry(_ kind: PackageEntry.Kind, _ mode: UInt16) -> PackageEntry {
                PackageEntry(path: path, kind: kind, mode: mode, modified: modified, attributes: attributes)
            }
            let mode = UInt16.random(in: 0...0o777, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0, 1:
                parts.append((entry(.folder, mode), []))
                folders.append(path)
            case 2:
                let target = bytes(Int.random(in: 1...40, using: &self)).map {
                    [0, UInt8(ascii: "/"), UInt8(ascii: ".")].contains($0) ? UInt8(ascii: "x") : $0
                }
                parts.append((entry(.link(target: target), mode), target))
            default:
                let content = bytes([0, 1, 5, 300].randomElement(using: &self) ?? 0)
                parts.append((entry(.file(length: Int64(content.count)), mode), content))
            }
        }
        return try Package(parts)
    }
}
