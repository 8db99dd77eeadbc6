import KeyedArchives
import PropertyLists
import Testing

@Suite struct DraftTests {
    @Test func holdsWhatWasSet() throws {
        var draft = ArchiveDraft(key: "root", className: "Thing")
        let uid = try #require(draft.root("root"))
        draft.set("name", of: uid, to: .text("ünï"))
        draft.set("$dollar", of: uid, to: .integer(3))
        draft.set("data", of: uid, to: .data([1, 2]))
        draft.set("nothing", of: uid, to: ArchiveDraft.Value.none)
        let archive = try KeyedArchive(Bytes(try draft.written()))
        let object = try #require(try archive.root("root"))
        #expect(try archive.className(of: object) == "Thing")
        #expect(try archive.text("name", of: object) == "ünï")
        #expect(try archive.field("$dollar", of: object) == .value(.integer(3)))
        #expect(try archive.field("nothing", of: object) == .none)
        #expect(try archive.field("else", of: object) == .absent)
        #expect(try archive.bytes(try #require(try archive.data("data", of: object))) == [1, 2])
    }
}
