import Foundation
import MountTesting
import Testing

/// docs/JSON.md is what the verbs say with `--json`: each key, of the type that is written there, and no other.
@Suite(.mounting) struct JSONPageTests {
    /// The rows of a section: key, type, and whether it may be missing.
    private typealias Rows = [String: (type: String, isOptional: Bool)]
    private let sections: [String: Rows]

    init() throws {
        let page = try String(contentsOfFile: Places.inPackage("docs/JSON.md"), encoding: .utf8)
        var sections: [String: Rows] = [:], heading = ""
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.components(separatedBy: " | ")
            let type = cells[1].trimmingCharacters(in: .whitespaces), key = cells[0].filter { !"|` ".contains($0) }
            sections[heading, default: [:]][key] = (type.replacingOccurrences(of: ", if any", with: ""), type.hasSuffix(", if any"))
        }
        self.sections = sections
    }

    private func check(_ value: Any, _ type: String, at place: String) {
        if type.hasPrefix("list of ") {
            guard let list = value as? [Any] else { return bad(value, type, place) }
            for (index, element) in list.enumerated() { check(element, String(type.dropFirst(8)), at: "\(place)[\(index)]") }
        } else if type.hasSuffix(" or null") {
            if !(value is NSNull) { check(value, String(type.dropLast(8)), at: place) }
        } else {
            switch type {
            case "text": if !(value is String) { bad(value, type, place) }
            case "path": if (value as? String)?.hasPrefix("/") != true { bad(value, type, place) }
            case "number", "yes or no": if !(value is NSNumber) { bad(value, type, place) }
            case "time": if (value as? String)?.firstMatch(of: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) == nil { bad(value, type, place) }
            // Whatever JSON has.
            case "value": break
            case "object": if !(value is [String: Any]) { bad(value, type, place) }
            default:
                guard let object = value as? [String: Any], let rows = sections[type] else { return bad(value, type, place) }
                check(object, rows, at: place)
            }
        }
    }

    private func check(_ object: [String: Any], _ rows: Rows, at place: String) {
        // What could not be done stands in its place.
        if object["error"] != nil, object["mend"] != nil { return check(object, ["path": ("path", true), "mountpoint": ("path", true), "format": ("number", true), "error": ("text", false), "mend": ("text or null", false)], strictly: place) }
        check(object, rows, strictly: place)
    }

    private func check(_ object: [String: Any], _ rows: Rows, strictly place: String) {
        for (key, row) in rows {
            if let value = object[key] { check(value, row.type, at: "\(place).\(key)") } else if !row.isOptional { Issue.record("\(place) has no “\(key)”") }
        }
        for key in object.keys where rows[key] == nil { Issue.record("\(place) says “\(key)”, which docs/JSON.md does not know") }
    }

    private func bad(_ value: Any, _ type: String, _ place: String) { Issue.record("\(place) is \(value), and no \(type)") }

    private func expect(_ section: String, _ words: String..., code: Int32 = 0) throws -> [String: Any] {
        let ended = try Program([Places.valise] + words).wait()
        #expect(ended.code == code && ended.errors.isEmpty && ended.lines.count == 1, "\(words): \(ended.code) \(ended.output)\(ended.errors)")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any], "\(ended.output)")
        #expect(answer["format"] as? Int == 1)
        check(answer, try #require(sections[section], "\(section)"), at: words.joined(separator: " "))
        return answer
    }

    @Test func aBackupIsToldAsThePageSays() throws {
        let folder = try TemporaryFolder()
        try run("python3", Places.support("make_backup.py"), folder.path + "/backup", "--hostile").good()
        let answer = try expect("valise check of a backup", "check", "--json", folder.path + "/backup", code: 4)
        for key in ["parts", "findings", "absentApps"] { #expect((answer[key] as? [Any])?.isEmpty == false, "\(key)") }
    }

    @Test func everyAnswerIsAsThePageSays() throws {
        let container = try TemporaryContainer("bookmark Swift https://x/\ntext Notes one\nphoto Cat png metadata=no\nfolder Empty.ptk\nfile words.dat x\ntext Notes.sync-conflict-20261121-232733-ABCDEFG theirs")
        try withDrive(container) { drive in
            try shell("echo two >Notes.txt; printf x >Cat.png; ls -l >/dev/null; exit 0", in: drive.mountpoint).good()
            let status = try expect("valise status", "status", "--json", drive.mountpoint)
            let drives = try #require(status["drives"] as? [[String: Any]])
            for key in ["drafts", "errors", "conflicts"] { #expect((drives.first?[key] as? [Any])?.isEmpty == false, "\(key): \(drives)") }
            _ = try expect("valise status", "status", "--json", container.beside("nowhere"), code: 1)
            let items = try expect("valise info", "info", "--json", drive.path("Swift.url"), drive.path("words.dat"), drive.path("Cat.png"), drive.path("nowhere"), container.stored("Notes.stedoc"), code: 1)
            #expect((items["documents"] as? [Any])?.count == 5)
            _ = try expect("valise versions", "versions", "--json", drive.path("Notes.txt"), drive.path("nowhere"), code: 1)
            _ = try shell("echo x >Gone.txt; rm Gone.txt words.dat", in: drive.mountpoint).good()
            let deleted = try expect("valise deleted", "deleted", "--json", drive.mountpoint)
            #expect((deleted["deleted"] as? [Any])?.count == 2)
            let conflicts = try expect("valise conflicts", "conflicts", "--json", container.path)
            #expect((conflicts["documents"] as? [Any])?.count == 1)
            let doctor = try expect("valise doctor", "doctor", "--json", container.path)
            #expect((doctor["findings"] as? [[String: Any]])?.contains { ($0["sentence"] as? String)?.contains("answers") == true && $0["grade"] as? String == "ok" } == true)
            _ = try expect("valise check", "check", "--json", container.path, code: 4)
            _ = try expect("valise check", "check", "--json", "--repair", container.path, code: 8)
            #expect(try valise("status", "--jsn", "--json").output.contains("\"mend\":\"did you mean “--json”?\""))
            _ = try expect("valise kvs", "kvs", "set", "--json", "--type", "array", "list", #"[1, {"a": true}]"#, drive.mountpoint)
            _ = try expect("valise kvs", "kvs", "set", "--json", "--type", "date", "when", "2026-03-01T09:30:00.5Z", container.path)
            let settings = try expect("valise kvs", "kvs", "list", "--json", drive.mountpoint)
            #expect((settings["keys"] as? [Any])?.count == 2)
            _ = try expect("valise kvs", "kvs", "get", "--json", "list", drive.mountpoint)
            _ = try expect("valise kvs", "kvs", "delete", "--json", "list", drive.mountpoint)
            _ = try expect("valise kvs", "kvs", "get", "--json", "list", drive.mountpoint, code: 1)
            for line in try run(Places.valise, "find", "--json", "TRUEPREDICATE", drive.mountpoint, environment: ["XDG_CACHE_HOME": container.beside("cache")]).good().lines {
                let found = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                check(found, try #require(sections["valise find"]), at: "find")
            }
            _ = try run("rm", "-f", drive.path("Cat.png"))
        }
        _ = try expect("valise check", "check", "--json", "--repair", "--yes", container.path, code: 4)
        _ = try expect("valise check --undo", "check", "--json", "--undo", container.path)
    }

    @Test func importsAndExportsAreAsThePageSays() throws {
        let container = try TemporaryContainer("text Notes one"), file = container.beside("bookmarks.html")
        try #"<DL><DT><H3>Work</H3><DL><DT><A HREF="place:sort=8">Recent</A><DT><A HREF="https://x/" ADD_DATE="1700000000" TAGS="a" ICON="data:image/png;base64,AA==">X</A><DD>note</DL><DT><A>none</A></DL>"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        try withDrive(container) { drive in
            let imported = try expect("valise import", "import", "--json", file, drive.mountpoint, code: 1)
            #expect(imported["added"] as? Int == 1 && (imported["faults"] as? [Any])?.count == 1 && imported["searches"] as? Int == 1)
            let ended = try Program([Places.valise, "export", "--json", drive.mountpoint]).wait().good()
            let exported = try #require(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
            check(exported, try #require(sections["valise export"]), at: "export")
            #expect(((exported["bookmarks"] as? [[String: Any]])?.first).map { Set($0.keys) } == ["name", "url", "folders", "added", "changed", "tags", "note", "icon"])
            let undone = try expect("valise import --undo", "import", "--json", "--undo", drive.mountpoint)
            #expect(undone["removed"] as? Int == 1)
        }
    }

    /// Whoever adds a verb with `--json` writes its section.
    @Test func everyVerbWithJSONHasItsSection() throws {
        for verb in try valise("--help").good().lines.compactMap({ $0.firstMatch(of: #/^  ([a-z]+) +[a-z]/#)?.1 }) {
            guard try valise("help", String(verb)).good().output.contains("--json"), verb != "list" else { continue }
            #expect(sections["valise \(verb)"] != nil, "docs/JSON.md has no section “valise \(verb)”")
        }
    }
}
