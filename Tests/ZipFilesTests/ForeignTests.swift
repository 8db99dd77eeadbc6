import Foundation
import MountTesting
import Testing

@testable import ZipFiles

/// What programs write is taken, in each shape: `foreign.py` makes it.
@Suite struct ForeignTests {
    private let folder: TemporaryFolder
    private static let text = String(repeating: "a song, and the same song again: a song, and the same song again", count: 40)
    private static let double = "\0\u{5}\u{16}\u{7}\0\u{2}\0\0Mac OS X        "

    init() throws {
        folder = try TemporaryFolder()
        try run("python3", Places.inPackage("Tests/ZipFilesTests/foreign.py"), folder.path).good()
    }

    private func reader(_ name: String) throws -> ZipReader {
        try ZipReader(Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))))
    }

    private static let song = ["Info.plist": "plist", "Media": "/", "Media/é.aif": text]

    @Test func eachShapeIsTheSamePackage() throws {
        for (name, shape) in [
            ("zipfile", PackageShape.bare), ("zipfile stored", .bare), ("zipfile in folder", .inFolder(name: Array("Song.BAND".utf8))),
            ("zipfile beside", .besideFolder(name: Array("My Song.band".utf8))),
        ] {
            let reader = try reader(name)
            #expect(reader.shape == shape && reader.appleDouble == nil, "\(name)")
            #expect(try reader.texts() == Self.song, "\(name)")
            #expect(try !reader.isOwn(), "\(name)")
        }
        let date = try reader("zipfile").tree.entries[1].modified
        #expect(date == .init(seconds: 1_709_208_000))
    }

    @Test func aMacsAttributesStayBesideTheirFiles() throws {
        let media = ["Info.plist": "plist", "Media": "/", "Media/é.aif": Self.text, "l": "-> Media", "._Info.plist": Self.double]
        for (name, more, isInFolder) in [
            ("ditto", ["Media/._é.aif": Self.double], true), ("ditto bare", ["Media/._é.aif": Self.double], false), ("ditto beside", [:], true),
        ] {
            let reader = try reader(name)
            #expect(try reader.texts() == media.merging(more) { $1 }, "\(name)")
            #expect(reader.shape == (isInFolder ? .inFolder(name: Array("Song.band".utf8)) : .bare))
            let own = try reader.appleDouble.map { try reader.bytes(reader.content($0)) }
            #expect(own == (isInFolder ? Array(Self.double.utf8) : nil), "\(name)")
            for entry in reader.tree.entries { #expect(entry.modified == .init(seconds: 1_700_000_000), "\(entry.text)") }
            #expect(reader.tree.entries.first { $0.text == "Info.plist" }?.mode == 0o755)
        }
    }

    @Test func aFolderAtTheTopMayBeAPart() throws {
        #expect(try reader("part").texts() == ["Song.band": "/", "Song.band/x": "1", "y": "2"])
        #expect(try reader("other extension").texts() == ["Media.bundle": "/", "Media.bundle/x": "1"])
        // Ours says nothing of the package's own name.
        let ours = try Package([(.folder("Song.band"), []), (.file("Song.band/x"), [])]), read = try ZipReader(ours.zip())
        #expect(read.shape == .bare && read.tree == ours.tree)
    }

    @Test func streamsAndNothingAtAll() throws {
        let stream = try reader("stream")
        #expect(try stream.texts() == ["a": "/", "a/b": "/", "a/b/c": String(Self.text.prefix(300))])
        #expect(stream.tree.entries[0].modified == stream.tree.entries[2].modified && stream.tree.entries[0].mode == 0o755)
        #expect(try reader("here").texts() == ["a": "1", "b": "/"] && reader("here in folder").texts() == ["a": "1"])
        #expect(try reader("empty").tree.entries.isEmpty && reader("empty").isOwn())
        #expect(try reader("empty package").tree.entries.isEmpty && !reader("empty package").isOwn())
    }

    @Test func modesAndTimesAsOthersSayThem() throws {
        for name in ["windows", "no modes"] {
            let entries = try reader(name).tree.entries
            #expect(entries.map(\.mode) == [0o644, 0o755] && entries.map(\.isFolder) == [false, true], "\(name)")
            #expect(entries[0].modified == .init(seconds: 1_735_689_600), "\(name): \(entries[0].modified)")
        }
        #expect(try reader("setuid").tree.entries[0].mode == 0o755)
        #expect(try reader("ntfs").tree.entries[0].modified == .init(seconds: 4_100_000_000, nanoseconds: 700))
        #expect(try reader("timestamp").tree.entries.map(\.modified.seconds) == [-5, 1_735_689_600])
        let other = try reader("other extra").tree.entries[0]
        #expect(other.modified == .init(seconds: 1_735_689_600) && other.attributes.isEmpty)
        #expect(try reader("late timestamp").tree.entries[0].modified == .init(seconds: 4_090_000_000))
    }
}
