import Foundation
import MountTesting
import Testing

/// What is named that is not what a command is for, may not be read or cannot be changed: the answer says so, and what can be done.
@Suite(.mounting) struct WrongPlacesTests {
    private func expect(_ words: [String], code: Int32, saying text: String, environment: [String: String] = [:]) throws {
        let ended = try Program([Places.valise] + words, environment: environment).wait()
        #expect(ended.code == code && (text.isEmpty ? ended.output + ended.errors == "" : (ended.output + ended.errors).contains(text)), "\(words): \(ended.code) \(ended.output)\(ended.errors)")
    }

    @Test func partsAreNamed() throws {
        let container = try TemporaryContainer("photo Cat png\nphoto Dog png")
        try shell(": >Cat.ptk/photo.data; printf 'bplist00 and no more than that, which is none' >Dog.ptk/photo.metadata", in: container.path).good()
        let checked = try valise("check", container.path)
        #expect(checked.output.contains("“Cat.ptk”: its photo.data is too short for a binary property list"), "\(checked.output)")
    }
}
