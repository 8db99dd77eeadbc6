import Foundation

/// What the container has, told by Python's plistlib and by nothing of ours.
extension TemporaryContainer {
    /// The fields of a keyed archive's object, its class as "$class"; data as the hexadecimal SHA-256 of its bytes.
    public func archive(_ item: String) throws -> [String: String] {
        try PythonServer.answer("fields", stored(item))
    }

    /// All files in it, but for what is Valise's own.
    public func storedFiles() throws -> [String] {
        try run("find", ".", "-path", "./.valise", "-prune", "-o", "!", "-type", "d", "-print", in: path).good()
            .lines.map { String($0.dropFirst(2)) }.filter { !$0.isEmpty }.sorted()
    }

    /// The one bookmark in it.
    public func onlyBookmark(in folder: String = "") throws -> [String: String] {
        let start = folder.isEmpty ? "Bookmark_" : folder + "/Bookmark_"
        let bookmarks = try storedFiles().filter { $0.hasPrefix(start) }
        guard bookmarks.count == 1 else { throw Failed("there is not one bookmark but \(bookmarks)") }
        return try archive(bookmarks[0])
    }

    /// What waits in staging, but for what comes back when its name does.
    public func staged() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: stored(".valise/staging"))
        return names.filter { !$0.hasSuffix(".away") }.sorted()
    }

    /// What is kept of what was deleted, as it was shown, and what may come back still.
    public func deleted() throws -> [String] {
        var kept: [Substring: String] = [:]
        for line in try String(contentsOfFile: stored(".valise/deleted/records"), encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "kept" { kept[words[1]] = String(words[7]) } else if words[0] == "gone" { kept[words[1]] = nil }
        }
        return kept.values.sorted()
    }

    public func bytes(_ item: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: stored(item))) }
}

/// Bytes as `archive` tells them.
public func digest(_ bytes: Data) throws -> String {
    try PythonServer.answer("digest", bytes.base64EncodedString())
}

/// A link file as Valise itself would write it.
public func link(_ url: String) -> String { "[InternetShortcut]\nURL=\(url)\n" }

/// An image with this many bytes after its head.
public func image(_ count: Int, seed: UInt8 = 1) -> Data {
    var bytes = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
    bytes.append(contentsOf: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed })
    return bytes + [0xFF, 0xD9]
}
