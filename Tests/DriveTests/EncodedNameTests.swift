import LinuxFiles
import Testing

@testable import Drive

/// Each text has one name, or several, and they stand for that text and no other.
@Suite struct EncodedNameTests {
    @Test(arguments: [
        ("score", "score"), ("a/b", "a%2Fb"), ("/", "%2F"), (".hidden", "%2Ehidden"), (".", "%2E"), ("..", "%2E."), ("a.b", "a.b"), ("#draft#", "%23draft#"),
        ("old~", "old%7E"), ("~", "%7E"), ("4913", "%34913"), ("49134", "49134"), ("100%", "100%"), ("100%+", "100%25+"), ("%2F", "%252F"), ("%%41", "%%2541"),
        ("%2/", "%2%2F"), ("a\u{0}b", "a%00b"), ("é 😀", "é 😀"), ("50% off", "50% off"), ("5%af", "5%25af"),
    ]) func texts(text: String, name: String) throws {
        #expect(EncodedName.names(of: text).map(\.description) == [name])
        let names = try [#require(Name(name))]
        #expect(EncodedName.text(of: names) == text)
        #expect(!EncodedName.isPassing(names[0]))
    }

    @Test func whatIsNoTextsName() throws {
        for name in ["%41", "a%2fb", ".score", "#score#", "score~", "4913", "a%+", "%7e"] {
            #expect(try EncodedName.text(of: [#require(Name(name))]) == nil, "\(name)")
        }
        #expect(try EncodedName.text(of: [#require(Name([0xFF]))]) == nil)
        // Whoever types it may.
        #expect(try EncodedName.text(of: [#require(Name("%41%20b"))], strictly: false) == "A b")
        #expect(EncodedName.names(of: "") == [])
    }

    @Test func longTextsGoOverSeveralNames() throws {
        for text in [String(repeating: "x", count: 255), String(repeating: "é", count: 400), String(repeating: "/", count: 300), String(repeating: ".%2", count: 500), String(repeating: "x", count: 253) + "."] {
            let names = EncodedName.names(of: text)
            #expect(EncodedName.text(of: names) == text && names.allSatisfy { $0.bytes.count <= Name.longest })
            #expect(names.dropLast().allSatisfy(EncodedName.goesOn) && !(names.last.map(EncodedName.goesOn) ?? true))
        }
        #expect(EncodedName.names(of: String(repeating: "x", count: 255)).count == 1 && EncodedName.names(of: String(repeating: "x", count: 256)).count == 2)
    }

    /// Of all short texts of odd letters, each has a name of its own.
    @Test func noTwoTextsHaveOneName() {
        let letters = Array("%2F/.~#+49a").map(String.init)
        var texts = [""], seen: Set<[Name]> = []
        for _ in 0..<4 { texts += texts.flatMap { text in letters.map { text + $0 } } }
        for text in Set(texts) where !text.isEmpty {
            let names = EncodedName.names(of: text)
            #expect(seen.insert(names).inserted && EncodedName.text(of: names) == text && !names.contains(where: EncodedName.isPassing), "\(text)")
        }
        #expect(seen.count > 10_000)
    }
}
