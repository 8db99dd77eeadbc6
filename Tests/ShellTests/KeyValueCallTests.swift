import Testing
@testable import Shell

@Suite struct KeyValueCallTests {
    @Test func wordsAreUnderstood() throws {
        let set = try KeyValueCall(["set", "a", "b", "/c"])
        #expect(set.deed == .set && set.key == "a" && set.value == "b" && set.place == "/c")
        let list = try KeyValueCall(["list", "a"])
        #expect(list.deed == .list && list.key.isEmpty && list.place == "a")
        #expect(try KeyValueCall(["watch"]).place == nil && KeyValueCall(["get", "list"]).key == "list")
    }

    @Test(arguments: [
        (["take", "a"], "is nothing that “kvs” does"), (["delet", "a"], "did you mean “delete”?"), (["get"], "missing KEY: valise kvs get KEY [WHERE]"),
        (["set", "a"], "missing VALUE"), (["list", "a", "b"], "unexpected operand “b”: valise kvs list [WHERE]"),
    ])
    func aWrongCallIsAnsweredWithTheMend(words: [String], part: String) throws {
        let fault = try #require(throws: UsageFault.self) { try KeyValueCall(words) }
        #expect(fault.sentence.contains(part) && fault.exitCode == 2, "\(fault.sentence)")
    }

    @Test func longValuesAreCut() {
        let lines = KeyValueTable([("a\nb", "string", String(repeating: "x", count: 100)), ("c", "integer", "5")]).text().split(separator: "\n")
        #expect(lines.map(String.init) == ["key   type     value", "a\\nb  string   \(String(repeating: "x", count: 59))…", "c     integer  5"])
    }
}
