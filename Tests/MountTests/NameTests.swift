import Foundation
import MountTesting
import Testing

/// Names that are hard to show.
@Suite(.mounting) struct NameTests {
    /// The listed names, as bytes.
    private func names(_ drive: MountedDrive) throws -> Set<[UInt8]> {
        let listed = try run("find", ".", "-mindepth", "1", "-printf", "%P\\0", in: drive.mountpoint, binary: true)
        return Set(listed.split(separator: 0).map(Array.init))
    }

    private func run(_ words: String..., in directory: String, binary: Bool) throws -> Data {
        let program = try Program(words, in: directory)
        let ended = try program.wait()
        try ended.good()
        return program.outputBytes
    }

    @Test func bytesThatAreNoText() throws {
        let container = try TemporaryContainer(#"""
            file "bad\xff.txt" plain
            photo "bad\xfe" png
            file "line\nend.txt" plain
            bookmark "a\nb" https://x/
            """#)
        try withDrive(container) { drive in
            let expected: Set<[UInt8]> = [
                Array("bad".utf8) + [0xFF] + Array(".txt".utf8), Array("bad".utf8) + [0xFE] + Array(".png".utf8),
                Array("line\nend.txt".utf8), Array("a\nb.url".utf8),
            ]
            #expect(try names(drive) == expected)
            // Each is found under what was listed.
            let sizes = try shell("find . -type f -print0 | xargs -0 stat -c %s | wc -l", in: drive.mountpoint).good()
            #expect(sizes.lines == ["4"])
            // And the status page, which is text, is still JSON.
            #expect(try valise("status", drive.mountpoint).code == 0)
        }
    }

    @Test func longNames() throws {
        let long = String(repeating: "ä", count: 200)
        let container = try TemporaryContainer("""
            bookmark \(long) https://one/ stored=Bookmark_1
            bookmark \(long) https://two/ stored=Bookmark_2
            file \(String(repeating: "n", count: 255)) plain
            photo \(String(repeating: "p", count: 251)) png
            photo \(String(repeating: "q", count: 250)) webp
            """)
        try withDrive(container) { drive in
            let names = try names(drive)
            #expect(names.allSatisfy { $0.count <= 255 && String(validating: $0, as: UTF8.self) != nil })
            let texts = Set(names.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts.contains(String(repeating: "ä", count: 125) + ".url"))
            #expect(texts.contains(String(repeating: "ä", count: 124) + " 1.url"))
            #expect(texts.contains(String(repeating: "n", count: 255)))
            #expect(texts.contains(String(repeating: "p", count: 251) + ".png"))
            #expect(texts.contains(String(repeating: "q", count: 250) + ".webp"))
            for name in texts { try MountTesting.run("cat", drive.path(name)).good() }
        }
    }

    @Test func namesThatTryToLeave() throws {
        let container = try TemporaryContainer(#"""
            bookmark .. https://1/ stored=Bookmark_1
            bookmark . https://2/ stored=Bookmark_2
            bookmark "" https://3/ stored=Bookmark_3
            bookmark ../../../../etc/passwd https://4/ stored=Bookmark_4
            bookmark /etc/passwd https://5/ stored=Bookmark_5
            bookmark "a\x00b" https://6/ stored=Bookmark_6
            bookmark .valise https://7/ stored=Bookmark_7
            photo ... png
            """#)
        try withDrive(container) { drive in
            let texts = Set(try names(drive).map { String(decoding: $0, as: UTF8.self) })
            #expect(texts.isSuperset(of: ["...url", "..url", "..∕..∕..∕..∕etc∕passwd.url", "∕etc∕passwd.url", "a␀b.url", ".valise.url", "....png"]))
            #expect(texts.count == 8)
            for name in texts { #expect(try MountTesting.run("cat", drive.path(name)).good().output.isEmpty == false) }
        }
    }

    /// The app takes every file of its folder for a bookmark.
    @Test func anArchiveOfABookmarkIsOneWhateverItIsCalled() throws {
        let container = try TemporaryContainer("""
            bookmark Page https://1/ stored=my.page
            bookmark Who https://2/ stored="Dr. Who"
            bookmark List https://3/ stored=list.plist xml
            bookmark Old https://4/ stored="Old v1.2"
            bookmark Saved https://5/ stored=Saved.pdf
            file other.page "no archive, and long enough to be one: \(String(repeating: "page ", count: 40))"
            file empty.page ""
            """)
        try withDrive(container) { drive in
            #expect(try MountTesting.run("ls", drive.mountpoint).good().lines == ["List.url", "Old.url", "Page.url", "Saved.pdf", "Who.url", "empty.page", "other.page"])
            #expect(try MountTesting.run("grep", "URL", drive.path("Who.url")).good().output == "URL=https://2/\n")
            try shell("sed -i s/1/9/ Page.url; mv Page.url Side.url; rm Old.url", in: drive.mountpoint).good()
            #expect(try drive.status().errors.isEmpty)
        }
        #expect(try MountTesting.run("ls", container.path).good().lines == ["Dr. Who", "Saved.pdf", "empty.page", "list.plist", "my.page", "other.page"])
        #expect(try MountTesting.run("grep", "-c", "Side", container.stored("my.page")).good().output == "1\n")
    }

    @Test func bothNormalForms() throws {
        let container = try TemporaryContainer(#"""
            photo "Caf\u00e9" png
            photo "Cafe\u0301" jpeg
            text "Caf\u00e9" composed
            text "Cafe\u0301" decomposed
            """#)
        try withDrive(container) { drive throws in
            #expect(try MountTesting.run("cat", drive.path("Caf\u{e9}.txt")).good().output == "composed")
            #expect(try MountTesting.run("cat", drive.path("Cafe\u{301}.txt")).good().output == "decomposed")
            #expect(try names(drive).count == 4)
        }
    }

    @Test func sharedNamesAreTheSameInEveryMount() throws {
        let container = try TemporaryContainer((1...40).map { "bookmark Same https://\($0)/ stored=Bookmark_Same-\($0 * 7 % 41)" }.joined(separator: "\n"))
        var seen: Set<String> = []
        for _ in 0..<3 {
            try withDrive(container) { drive in seen.insert(try shell("grep URL *.url", in: drive.mountpoint).good().output) }
        }
        #expect(seen.count == 1)
        #expect(seen.first?.split(separator: "\n").count == 40)
    }
}
