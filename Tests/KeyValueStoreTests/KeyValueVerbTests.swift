import Foundation
import MountTesting
import Testing

/// `valise kvs`, as people and scripts call it.
@Suite(.waiting) struct KeyValueVerbTests {
    private let container: TemporaryContainer

    init() throws { container = try TemporaryContainer("text Documents/Notes one") }

    private func kvs(_ words: String..., environment: [String: String] = [:]) throws -> Ended {
        try Program([Places.valise, "kvs"] + words, environment: environment).wait()
    }

    private func json(_ ended: Ended) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(ended.good().output.utf8)) as? [String: Any])
    }

    @Test func valuesAreSetReadListedAndDeleted() throws {
        #expect(try kvs("list", container.path).good().output.isEmpty)
        #expect(try kvs("set", "name", "Swift", container.path).good().output.isEmpty)
        try kvs("set", "--type", "integer", "count", "5", container.path).good()
        try kvs("set", "--type=array", "list", #"[1, {"a": true}]"#, container.path).good()
        #expect(try kvs("get", "name", container.path).good().output == "Swift\n")
        #expect(try kvs("get", "list", container.path).good().output == "[1,{\"a\":true}]\n")
        #expect(try kvs("list", container.path).good().output == "key    type     value\ncount  integer  5\nlist   array    [1,{\"a\":true}]\nname   string   Swift\n")
        #expect(try kvs("list", "-q", container.path).good().lines == ["count", "list", "name"])
        // What is there keeps its type.
        try kvs("set", "count", "6", container.path).good()
        let answer = try json(kvs("get", "--json", "count", container.path)), keys = try #require(answer["keys"] as? [[String: Any]])
        #expect(keys.first?["type"] as? String == "integer" && keys.first?["value"] as? Int == 6 && answer["count"] as? Int == 3)
        try kvs("delete", "count", container.path).good()
        try kvs("delete", "count", container.path).good()
        #expect(try kvs("list", "-q", container.path).good().lines == ["list", "name"])
    }

    @Test func mistakesSayWhatHelps() throws {
        try kvs("set", "--type", "integer", "count", "5", container.path).good()
        func refused(_ code: Int32, _ part: String, _ words: String...) throws {
            let ended = try Program([Places.valise, "kvs"] + words).wait()
            #expect(ended.code == code && ended.output.isEmpty && ended.errors.contains(part), "\(words): \(ended.code) \(ended.errors)")
        }
        try refused(1, "valise kvs list", "get", "none", container.path)
        try refused(1, "is no integer: that is a whole number, as 42", "set", "count", "many", container.path)
        try refused(1, "has a “null” in it", "set", "--type", "dictionary", "a", "{\"b\": [1, null]}", container.path)
        try refused(2, "is no type; there are: string", "set", "--type", "number", "a", "1", container.path)
        try refused(2, "did you mean “list”?", "lst", container.path)
        try refused(2, "missing VALUE: valise kvs set KEY VALUE [WHERE]", "set", "a")
        try refused(2, "unexpected operand “x”: valise kvs get KEY [WHERE]", "get", "a", container.path, "x")
        try refused(2, "--type is for", "get", "--type", "data", "a", container.path)
        try refused(1, "com.example.None = FOLDER", "list", "com.example.None")
        try refused(1, "has 65", "set", String(repeating: "k", count: 65), "x", container.path)
        try refused(1, "a key has 1 to 64 bytes", "set", "", "x", container.path)
        #expect(try kvs("list", "-q", container.path).good().lines == ["count"])
    }

    @Test func whatGoesOverIsRefused() throws {
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: container.beside("big")))
        #expect(try shell("\"$1\" kvs set --type data big - \"$2\" <\"$3\"", Places.valise, container.path, container.beside("big")).code == 0)
        let over = try kvs("set", "one", "x", container.path)
        #expect(over.code == 1 && over.errors.contains("all values together would have 1048577 bytes, more than 1048576; to see what there is: valise kvs list"))
        #expect(try shell("\"$1\" kvs get big \"$2\" | cmp - \"$3\"", Places.valise, container.path, container.beside("big")).code == 0)
        #expect(try kvs("list", container.path).good().lines.last == "big  data  1.0 MB")
    }

    @Test func aContainerIsFoundByItsIdentifierAndByTheEnvironment() throws {
        try kvs("set", "name", "Swift", container.path).good()
        let home = container.beside("config")
        try FileManager.default.createDirectory(atPath: home + "/valise", withIntermediateDirectories: true)
        try "TEAM.com.example.App = \(container.path)\n".write(toFile: home + "/valise/containers", atomically: true, encoding: .utf8)
        #expect(try kvs("get", "name", "TEAM~com~example~App", environment: ["XDG_CONFIG_HOME": home]).good().output == "Swift\n")
        #expect(try kvs("get", "name", environment: ["VALISE_CONTAINER": container.path]).good().output == "Swift\n")
    }

    /// Also to a user who may have no notices, or no watches.
    @Test(arguments: [nil, "max_inotify_instances", "max_inotify_watches"]) func changesAreTold(limit: String?) throws {
        try kvs("set", "name", "Swift", container.path).good()
        let program = try Program(Program.limited(by: limit, [Places.valise, "kvs", "watch", container.path]))
        defer { program.end() }
        #expect(eventually { program.output == "= 1\n" })
        try kvs("set", "name", "C", container.path).good()
        #expect(eventually { program.output.hasSuffix("~ name = C\n") })
        try kvs("set", "--type", "boolean", "dark", "true", container.path).good()
        #expect(eventually { program.output.hasSuffix("+ dark = true\n") })
        try kvs("delete", "name", container.path).good()
        #expect(eventually { program.output.hasSuffix("- name\n") })
        kill(program.process, SIGINT)
        #expect(try program.wait().code == 0)
    }

    /// Nothing may change for days.
    @Test func itEndsWithItsReader() throws {
        try kvs("set", "name", "Swift", container.path).good()
        let ended = try shell("\"$1\" kvs watch \"$2\" | sed '/^=/q'; echo ${PIPESTATUS[0]}", Places.valise, container.path).good()
        #expect(ended.lines == ["= 1", "0"])
    }

    @Test func whatWasLostIsSaid() throws {
        try kvs("set", "a", "1", container.path).good()
        try kvs("set", "b", "2", container.path).good()
        let file = container.path + "/KeyValueStore.plist", bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
        let ended = try kvs("list", "-q", container.path).good()
        #expect(ended.lines == ["a"] && ended.errors.contains("was damaged"))
        #expect((try json(kvs("list", "--json", container.path))["loss"] as? String)?.contains("was damaged") == true)
        let checked = try valise("check", container.path), told = try valise("doctor", container.path)
        #expect(checked.code == 4 && checked.output.contains("KeyValueStore.plist”: it was damaged: its values of"), "\(checked)")
        #expect(told.code == 1 && told.output.contains("KeyValueStore.plist”: it was damaged: its values of"), "\(told)")
        // Also to who asks for one that is not there any more.
        let lost = try kvs("get", "b", container.path)
        #expect(lost.code == 1 && lost.errors.contains("was damaged: its values of") && lost.errors.contains(". So there is no key “b”"), "\(lost.errors)")
        try run("rm", container.path + "/.KeyValueStore.other").good()
        let all = try kvs("get", "a", container.path)
        #expect(all.code == 1 && all.errors.contains("was damaged (") && all.errors.contains("unless a backup has that file, which can be put in its place"), "\(all.errors)")
    }
}

/// The same of a drive.
@Suite(.mounting) struct KeyValuesOfADriveTests {
    @Test func aDriveIsItsContainer() throws {
        let container = try TemporaryContainer("text Notes one")
        try withDrive(container) { drive in
            try run(Places.valise, "kvs", "set", "name", "Swift", drive.path("Notes.txt")).good()
            #expect(try run(Places.valise, "kvs", "get", "name", drive.mountpoint).good().output == "Swift\n")
            #expect(try run(Places.valise, "kvs", "get", "name", container.path).good().output == "Swift\n")
        }
    }
}
