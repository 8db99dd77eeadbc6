import Foundation
import MountTesting
import Testing

/// What is named that is not what a command is for, may not be read or cannot be changed: the answer says so, and what can be done.
@Suite(.mounting) struct WrongPlacesTests {
    private func expect(_ words: [String], code: Int32, saying text: String, environment: [String: String] = [:]) throws {
        let ended = try Program([Places.valise] + words, environment: environment).wait()
        #expect(ended.code == code && (text.isEmpty ? ended.output + ended.errors == "" : (ended.output + ended.errors).contains(text)), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
    }

    /// Whether a photo gets a thumbnail is not for its image to answer where nobody makes any.
    @Test func noThumbnailer() throws {
        let container = try TemporaryContainer("photo Dog png metadata=no")
        let ended = try run(Places.valise, "check", "--repair", "--yes", container.path, environment: ["VALISE_THUMBNAILER": "/nonexistent"])
        #expect(ended.output.contains("could not make a thumbnail of “Dog.ptk”: valise-thumbnailer is missing, which makes them; to see what to do: valise doctor"), "\(ended.output)")
    }

    @Test func partsAreNamed() throws {
        let container = try TemporaryContainer("photo Cat png\nphoto Dog png")
        try shell(": >Cat.ptk/photo.data; printf 'bplist00 and no more than that, which is none' >Dog.ptk/photo.metadata", in: container.path).good()
        let checked = try valise("check", container.path)
        #expect(checked.output.contains("“Cat.ptk”: its photo.data is too short for a binary property list"), "\(checked.output)")
    }

    @Test func oddContentIsNamed() throws {
        let container = try TemporaryContainer("text Good \"with a \\0\"\nfile Bookmark_Gone-1 \"\"")
        for (name, order) in [("Little", String.Encoding.utf16LittleEndian), ("Big", .utf16BigEndian)] {
            try #require("Bread and apples\n".data(using: order)).write(to: URL(fileURLWithPath: container.stored("\(name).stedoc")))
        }
        // One that says so itself is named once.
        try (Data([0xFF, 0xFE]) + #require("Bread and apples\n".data(using: .utf16LittleEndian))).write(to: URL(fileURLWithPath: container.stored("Marked.stedoc")))
        let checked = try valise("check", container.path)
        #expect(checked.output.contains("“Bookmark_Gone-1”: it is empty, and apps and drives show the bookmark that a new one begins as"), "\(checked.output)")
        #expect(checked.output.contains("“Little.stedoc”: the text seems to be UTF-16, and apps read it as UTF-8; to convert it: iconv -f UTF-16LE -t UTF-8 FILE >NEW"), "\(checked.output)")
        #expect(checked.output.contains("“Big.stedoc”: the text seems to be UTF-16, and apps read it as UTF-8; to convert it: iconv -f UTF-16BE -t UTF-8 FILE >NEW"), "\(checked.output)")
        #expect(checked.code == 4 && checked.lines.last == "3 problems, 1 note.", "\(checked.output)")
    }
}
