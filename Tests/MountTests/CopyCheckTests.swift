import Foundation
import MountTesting
import Testing

/// What `valise check` says of a copy of a Mac's folder: what is missing in it, and what got lost on the way.
@Suite struct CopyCheckTests {
    private struct Report: Decodable {
        struct Finding: Decodable, Hashable { let kind: String, path: String, reason: String }
        let findings: [Finding]
    }

    private func findings(_ path: String) throws -> [Report.Finding] {
        try JSONDecoder().decode(Report.self, from: Data(try valise("check", "--json", path).output.utf8)).findings
    }

    private static let stubs = """
        import plistlib
        def stub(file, name, **more):
            keys = {'NSURLNameKey': name, 'NSURLFileSizeKey': 3200, 'NSURLFileResourceTypeKey': 'NSURLFileResourceTypeRegular'} | more
            open(file, 'wb').write(plistlib.dumps(keys, fmt=plistlib.FMT_BINARY))
        stub('.Notes.stedoc.icloud', 'Notes.stedoc')
        stub('.Old.txt-tef.icloud', 'Old.txt')
        stub('.Letter.pages.icloud', 'Letter.pages', NSURLFileResourceTypeKey='NSURLFileResourceTypeDirectory')
        stub('.Evil.icloud', '../../etc/passwd')
        stub('.Huge.icloud', 'Huge', NSURLFileSizeKey=2 ** 63)
        stub('visible.icloud', 'visible')
        open('.mine.icloud', 'w').write('my own')
        open('.cut.icloud', 'wb').write(open('.Notes.stedoc.icloud', 'rb').read()[:-9])
        """

    /// iCloud's stubs are named as what is missing. What is only called as one is none.
    @Test func whatWasNotDownloadedIsNamed() throws {
        let container = try TemporaryContainer("text Here one")
        try run("python3", "-c", Self.stubs, in: container.path).good()
        let found = try findings(container.path)
        #expect(Set(found.map(\.kind)) == ["not-downloaded"])
        #expect(Set(found.map(\.path)) == ["Notes.stedoc", "Old.txt", "Letter.pages", "Evil", "Huge"])
        #expect(found.first { $0.path == "Letter.pages" }?.reason.contains("a package of 3200 bytes") == true)
        #expect(try valise("check", container.path).code == 4)
    }

    /// A file with a size and without a block has no content, whatever it is called. One with holes has, and so has an empty one.
    @Test func whatHasNoContentIsNamed() throws {
        let container = try TemporaryContainer("text Here one")
        try shell("""
            truncate -s 5000 Away.stedoc Bookmark_Swift-1 picture.heic; touch empty
            truncate -s 1M image; echo x | dd of=image conv=notrunc seek=100 status=none
            """, in: container.path).good()
        let found = try findings(container.path)
        #expect(found.map(\.kind) == ["not-downloaded", "not-downloaded", "not-downloaded"])
        #expect(Set(found.map(\.path)) == ["Away.stedoc", "Bookmark_Swift-1", "picture.heic"])
    }

    /// Names that are one on a Mac, a name that a Mac gave for that reason, what a Mac keeps of other files, and a sync tool's package.
    @Test func namesThatGotLostAreNamed() throws {
        let container = try TemporaryContainer("photo Cat png\nfolder Trip")
        try shell("""
            touch README.md readme.md $'cafe\\xcc\\x81' $'caf\\xc3\\xa9' 'Notes 2.txt' 'List 3.txt' 2.txt Trip/README.md
            setfattr -n 'user.com.apple.fileprovider.before-bounce#PX' -v notes.txt 'Notes 2.txt'
            touch ._README.md; mkdir __MACOSX; cp -r Cat.ptk Cat.sync-conflict-20261121-232733-ABCDEFG.ptk; mkdir A.ptk a.ptk
            """, in: container.path).good()
        let found = try findings(container.path)
        func paths(_ kind: String) -> Set<String> { Set(found.filter { $0.kind == kind }.map(\.path)) }
        #expect(paths("alike-names").count == 3 && paths("alike-names").isSubset(of: ["README.md", "readme.md", "café", "cafe\u{301}", "A.ptk", "a.ptk"]))
        #expect(found.contains { $0.kind == "alike-names" && $0.reason.contains("Unicode") })
        #expect(paths("former-name") == ["Notes 2.txt"] && found.first { $0.kind == "former-name" }?.reason.contains("“notes.txt”") == true)
        #expect(paths("apple-double") == ["._README.md", "__MACOSX"])
        #expect(paths("copied-package") == ["Cat.sync-conflict-20261121-232733-ABCDEFG.ptk"])
    }

    /// iCloud Drive alone, and with an app's folder beside it.
    @Test func missingAppsAreNamed() throws {
        let folder = try TemporaryFolder(), drive = folder.path + "/com~apple~CloudDocs"
        try shell("mkdir com~apple~CloudDocs; touch com~apple~CloudDocs/a.txt", in: folder.path).good()
        #expect(try findings(drive).map(\.kind) == ["missing-apps"])
        try shell("mkdir iCloud~com~example~notes", in: folder.path).good()
        #expect(try findings(drive) == [])
    }

    /// Nothing of this is said of what is whole.
    @Test(.long) func nothingIsSaidOfManyFiles() throws {
        let container = try TemporaryContainer("")
        try run("python3", "-c", """
            import os
            for number in range(20_000):
                if number % 1000 == 0: os.mkdir(f'{number}')
                with open(f'{number // 1000 * 1000}/file {number}.dat', 'wb') as file: file.write(b'x' * (number % 50))
            """, in: container.path).good()
        #expect(try findings(container.path) == [])
    }
}
