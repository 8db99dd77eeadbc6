import LinuxFiles
import Testing

@testable import Containers

/// File names for documents, whose own names may be any text.
@Suite struct ShownNameTests {
    private func shown(_ stem: String, _ fileExtension: String = "url", _ number: Int = 0) -> String {
        String(decoding: ShownName.make(stem: Array(stem.utf8), fileExtension: fileExtension, number: number).bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("Swift", "Swift.url"), ("a/b", "a∕b.url"), ("a\0b", "a␀b.url"), ("", "Untitled.url"), (".", "..url"), ("..", "...url"),
        ("../../etc/passwd", "..∕..∕etc∕passwd.url"), ("line\nbreak", "line\nbreak.url"), (" ", " .url"),
    ])
    func namesAreMapped(stem: String, expected: String) { #expect(shown(stem) == expected) }

    @Test func numbersStandBeforeTheExtension() {
        #expect(shown("a", "url", 2) == "a 2.url")
        #expect(shown("a", "", 2) == "a 2")
        #expect(ShownName.numbered(Name(constant: "a.tar.gz"), 1) == Name(constant: "a.tar 1.gz"))
        #expect(ShownName.numbered(Name(constant: ".profile"), 1) == Name(constant: ".profile 1"))
    }

    @Test(arguments: ["a", "ä", "日", "👨‍👩‍👧", "e\u{301}\u{302}\u{303}"])
    func longNamesAreCutBetweenCharacters(unit: String) {
        for count in [10, 60, 127, 128, 252, 253, 255, 300] {
            for number in [0, 7, 12_345] {
                let name = ShownName.make(stem: Array(String(repeating: unit, count: count).utf8), fileExtension: "webloc", number: number)
                #expect(name.bytes.count <= 255)
                let text = String(decoding: name.bytes, as: UTF8.self)
                #expect(text.utf8.elementsEqual(name.bytes), "cut inside a character")
                #expect(text.hasSuffix((number > 0 ? " \(number)" : "") + ".webloc"))
            }
        }
    }

    @Test func bytesThatAreNoTextAreCutAnywhere() {
        let name = ShownName.make(stem: [UInt8](repeating: 0xFF, count: 400), fileExtension: "url")
        #expect(name.bytes.count == 255)
    }
}

/// What a drive does not list.
@Suite struct HiddenTests {
    @Test(arguments: [".valise", ".DS_Store", "._cat.jpg", ".stfolder", ".sync_1234.db", ".syncthing.a.tmp", ".cat.jpg.icloud", "Icon\r"])
    func isHidden(name: String) throws { #expect(Hidden.hides(try #require(Name(name)))) }

    @Test(arguments: [".profile", "Icon", "cat.jpg", "_cat.jpg", ".icloud", "valise", ".DS_Store.txt", ".Trash-1000", ".goutputstream-A1"])
    func isListed(name: String) throws { #expect(!Hidden.hides(try #require(Name(name)))) }
}

/// What `valise init --samples` puts into a container.
@Suite struct SampleTests {
    @Test func thereIsOneOfEachKind() { #expect(Set(Samples.all.map(\.kind)) == Set(KindRegistry.basic.all)) }
}
