import Documents
import Foundation
import PropertyLists
import Testing

/// What we write, decoded by software that shares nothing with ours.
@Suite struct OracleTests {
    /// Everything that a save can produce: each kind, new and over each existing form.
    static func written() throws -> [(String, [UInt8])] {
        var result: [(String, [UInt8])] = []
        let link = bytes("[InternetShortcut]\r\nURL=https://例.jp/é?a=b&c=d\r\n")
        for (name, existing) in [("new", nil), ("over", try bookmark("N", "http://n")), ("over 日本", try bookmark("日本 😀", "http://n", className: "A.Bookmark"))] as [(String, [UInt8]?)] {
            let parts = try BookmarkKind().write(content: Bytes(link), shownName: bytes("Ünïcode ∕ 😀.url"), over: existing.map { [Bytes($0)] }, spelling: nil)
            result.append(("bookmark \(name)", try #require(applied(parts, to: [existing])[0])))
        }
        for objectiveC in [false, true] {
            for mutable in [false, true] {
                let old = try photo(png, objectiveC: objectiveC, mutable: mutable, thumbnail: jpeg)
                let parts = applied(try PhotoKind().write(content: Bytes(jpeg), shownName: bytes("é.jpg"), over: sources(old), spelling: nil), to: old, content: jpeg)
                result += [("data over", try #require(parts[0])), ("metadata over", try #require(parts[1]))]
            }
            for image in [jpeg, png + [UInt8](repeating: 9, count: 70_000), png + [UInt8](repeating: 9, count: 5_000_000)] {
                let writings = try PhotoKind().write(content: Bytes(image), shownName: bytes("é.jpg"), over: nil, spelling: Spelling(rawValue: objectiveC ? "PTK" : "Photos"))
                let parts = applied(writings, to: [nil, nil], content: image)
                result += [("data \(image.count)", try #require(parts[0])), ("metadata", try #require(parts[1]))]
                let thumbnail = try PhotoThumbnail().setting(png, in: parts[1].map { Bytes($0) }, spelling: nil)
                result += [("thumbnail", thumbnail), ("travelling", try EssenceTests.travelling([parts[0], thumbnail]))]
            }
        }
        return result
    }

    @Test(.enabled(if: Decoder.isExpected("python3"))) func pythonReadsTheSame() throws {
        let documents = try Self.written()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Support/decode.py").path
        try Decoder.withFiles(documents.map(\.1)) { paths in
            let lines = try Decoder.run("python3", [script] + paths).split(separator: "\n")
            #expect(lines.count == documents.count)
            for ((name, document), line) in zip(documents, lines) {
                #expect(rendered(try PropertyList(reading: Bytes(document))) == line, "\(name)")
            }
        }
    }

    @Test(.enabled(if: Decoder.isExpected("plistutil"))) func libplistReadsTheSame() throws {
        for (name, document) in try Self.written() where document.count < 1_000_000 {
            try Decoder.withFiles([document]) { paths in
                let xml = try Decoder.run("plistutil", ["-i", paths[0]])
                #expect(rendered(try PropertyList(xml: Array(xml.utf8))) == rendered(try PropertyList(reading: Bytes(document))), "\(name)")
            }
        }
    }

    @Test(.enabled(if: Decoder.isExpected("python3"))) func pythonReadsTheXMLForm() throws {
        let list = members(["URL": .string("http://a?b&c=\"<é😀>\""), "n": .integer(-3), "d": .data(png), "t": .date(86_400), "b": .boolean(false), "l": .array([.real(0.1)])])
        let webloc = LinkFile.canonical(form: .webloc, name: "", url: "http://a?b&c=<é>")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Support/decode.py").path
        try Decoder.withFiles([try #require(list.xml()), webloc]) { paths in
            let lines = try Decoder.run("python3", [script] + paths).split(separator: "\n").map(String.init)
            #expect(lines == [rendered(list), rendered(members(["URL": .string("http://a?b&c=<é>")]))])
        }
    }

    /// In this process, and only what we wrote ourselves: it crashes on much else.
    @Test func theUnarchiverReadsTheSame() throws {
        final class Archived: NSObject, NSCoding {
            var values: [String: Any?] = [:]
            override init() {}
            func encode(with coder: NSCoder) {}
            init?(coder: NSCoder) {
                for key in ["Photo", "Thumbnail", "Bookmark Name", "Bookmark URL", "Valise Content"] where coder.containsValue(forKey: key) { values[key] = coder.decodeObject(forKey: key) }
                values["Version"] = coder.containsValue(forKey: "Version") ? coder.decodeInteger(forKey: "Version") : nil
            }
        }
        for objectiveC in [false, true] {
            let writings = try PhotoKind().write(content: Bytes(jpeg), shownName: bytes("é.jpg"), over: nil, spelling: Spelling(rawValue: objectiveC ? "PTK" : "Photos"))
            let data = Data(try #require(applied(writings, to: [nil, nil], content: jpeg)[0]))
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
            unarchiver.requiresSecureCoding = false
            unarchiver.decodingFailurePolicy = .setErrorAndReturn
            unarchiver.setClass(Archived.self, forClassName: objectiveC ? "PTKData" : "Photos.PhotoData")
            let decoded = unarchiver.decodeObject(forKey: objectiveC ? "data" : "Data")
            #expect(unarchiver.error == nil)
            let object = try #require(decoded as? Archived)
            #expect(object.values["Photo"] as? Data == Data(jpeg))
            #expect(object.values["Version"] as? Int == 1)
        }
        let content = bytes("[InternetShortcut]\nURL=http://é\nMore=1\n")
        let parts = try BookmarkKind().write(content: Bytes(content), shownName: bytes("Ünï 😀.url"), over: nil, spelling: nil)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(try #require(applied(parts, to: [nil])[0])))
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.setClass(Archived.self, forClassName: "Bookmark")
        let object = try #require(unarchiver.decodeObject(forKey: "Bookmark") as? Archived)
        #expect(object.values["Bookmark Name"] as? String == "Ünï 😀" && object.values["Bookmark URL"] as? String == "http://é")
        #expect(object.values["Valise Content"] as? Data == Data(content))
    }
}

/// As `Tests/Support/decode.py` prints it.
func rendered(_ list: PropertyList) -> String {
    func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    switch list {
    case .null: return "n"
    case .boolean(let value): return value ? "t" : "f"
    case .integer(let value): return "i\(value)"
    case .real(let value): return "r" + hex((0..<8).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * $0)) })
    case .date(let value): return "D\(Int(value))"
    case .data(let bytes): return "d" + hex(bytes)
    case .string(let text): return "s" + hex(text.utf8)
    case .uid(let value): return "u\(value)"
    case .array(let values), .set(let values): return "[" + values.map(rendered).joined(separator: ",") + "]"
    case .dictionary(let members):
        return "{" + members.map { (hex($0.key.utf8), rendered($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: ",") + "}"
    }
}

/// Programs that decode, run outside of the tests' process.
enum Decoder {
    /// Whether a test needs it: in CI always, so that a missing one fails there and is not skipped.
    static func isExpected(_ program: String) -> Bool {
        path(program) != nil || ProcessInfo.processInfo.environment["CI"] == "true"
    }

    static func path(_ program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path(program), "\(program) is not installed"))
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    static func withFiles(_ contents: [[UInt8]], _ work: ([String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("valise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = contents.indices.map { folder.appendingPathComponent("\($0)") }
        for (file, content) in zip(files, contents) { try Data(content).write(to: file) }
        try work(files.map(\.path))
    }
}
