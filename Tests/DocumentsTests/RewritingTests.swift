import Documents
import Foundation
import KeyedArchives
import PropertyLists
import Testing

/// Archives survive being rewritten: those that the tests make, and also the files of a folder outside
/// of the repository when VALISE_FIXTURES names one.
@Suite struct RewritingTests {
    static func archives() throws -> [(String, [UInt8])] {
        var result = try MutationTests.seeds().enumerated().map { ("seed \($0)", $1) }
        guard let folder = ProcessInfo.processInfo.environment["VALISE_FIXTURES"] else { return result }
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
            result.append((path, Array(data)))
        }
        return result
    }

    @Test func everythingStays() throws {
        var rewritten = 0
        for (name, bytes) in try Self.archives() {
            for kind in DocumentKinds.shipped {
                let parts: [(any ByteSource)?] = [Bytes(bytes), nil]
                _ = try? kind.read(Array(parts.prefix(kind.parts?.count ?? 1)), storedName: DocumentsTests.bytes(name), options: .init())
            }
            guard let archive = try? KeyedArchive(Bytes(bytes)) else { continue }
            let again = try ArchiveDraft(changing: archive).written()
            #expect(rendered(try PropertyList(reading: Bytes(again))) == rendered(try PropertyList(reading: Bytes(bytes))), "\(name)")
            rewritten += 1
        }
        #expect(rewritten >= 16)
    }

    @Test func documentsAreWhatTheyAre() throws {
        for (path, bytes) in try Self.archives() where path.hasPrefix("documents/") {
            if path.contains("/bm-") {
                let reading = try BookmarkKind().read([Bytes(bytes)], storedName: DocumentsTests.bytes("Bookmark_x-1.000000"), options: .init())
                #expect(!reading.name.isEmpty && reading.fileExtension == "url")
            }
            if path.contains("/ptk-"), !path.contains("meta") {
                let reading = try PhotoKind().read([Bytes(bytes), nil], storedName: DocumentsTests.bytes("x.ptk"), options: .init())
                #expect(reading.spelling?.rawValue == (path.contains("objc") ? "PTK" : "PhotoKeeper") && (reading.length > 1_000) != path.contains("nil"))
            }
        }
    }
}
