import Foundation
import MountTesting
import Testing

/// Versions as people name them, on a drive: `valise versions`, `diff` and `restore`.
@Suite(.mounting) struct NamedVersionTests {
    private struct Answer: Decodable {
        struct Document: Decodable {
            let path: String
            let versions: [Version]?
            let error: String?
        }
        struct Version: Decodable {
            let number: Int, version: String, modified: String, size: Int, conflict: Bool
        }
        let format: Int
        let documents: [Document]
    }

    @Test func numbersAndTimes() throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\nphoto Cat png\nbookmark Swift https://old.example/\ntext Plain same")
        try shell("touch -d '2020-05-01 10:00:00Z' Notes.stedoc Cat.ptk/*", in: container.path).good()
        try withDrive(container) { drive in
            let there = drive.mountpoint
            try shell("sh -c 'echo two >Notes.txt'; touch -d '2020-05-03 10:00:00Z' ../container/Notes.stedoc; cat Notes.txt; echo three >Notes.txt; sed -i s/old/new/ Swift.url", in: there).good()
            // Japan's clocks are ahead by nine hours.
            func said(_ words: String...) throws -> Ended { try Program([Places.valise] + words, in: there, environment: ["TZ": "JST-9"]).wait() }

            let listed = try said("versions", "Notes.txt").good().lines
            try #require(listed.count == 5, "\(listed)")
            #expect(listed[1].hasPrefix("    #  when ") && listed[2].hasPrefix("  now  20") && listed[2].contains("6 bytes"))
            #expect(listed[3].hasPrefix("    1  2020-05-03 19:00:00  ") && listed[3].contains(" years ago  4 bytes  "))
            #expect(listed[4].hasPrefix("    2  2020-05-01 19:00:00  "))
            #expect(try said("versions", "-q", "Notes.txt").good().lines == ["2020-05-03T19:00:00", "2020-05-01T19:00:00"])

            let answer = try JSONDecoder().decode(Answer.self, from: Data(try said("versions", "--json", "Notes.txt", "nowhere").output.utf8))
            let document = try #require(answer.documents.first)
            #expect(answer.format == 1 && answer.documents.count == 2 && document.path == drive.path("Notes.txt") && answer.documents.last?.error != nil)
            #expect(document.versions?.map(\.modified) == ["2020-05-03T10:00:00Z", "2020-05-01T10:00:00Z"] && document.versions?.map(\.size) == [4, 4])

            // Differences, in texts, links and photos.
            let last = try said("diff", "Notes.txt")
            #expect(last.code == 1 && last.output.contains("-two\n+three\n") && last.lines[0].hasPrefix("--- Notes.txt 1 (2020-05-03 19:00:00)"), "\(last.output)")
            let both = try said("diff", "Notes.txt", "2", "2020-05-03")
            #expect(both.code == 1 && both.output.contains("-one\n+two\n"), "\(both.output)\(both.errors)")
            #expect(try said("diff", "Swift.url").output.contains("+URL=https://new.example/"))
            #expect(try said("diff", "Notes.txt", "now", "now").code == 0)
            let none = try said("diff", "Plain.txt")
            #expect(none.code == 2 && none.errors.contains("no versions to compare"))
            #expect(try said("diff", "--tool", "cmp -s", "Notes.txt").code == 1)
            #expect(try said("diff", "--tool", "cat", "Notes.txt", "1").output == "two\nthree\n")
            try shell("printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\015IHDR\\0\\0\\0\\100\\0\\0\\0\\060more' >new.png && cp new.png Cat.png", in: there).good()
            let photos = try said("diff", "Cat.png")
            #expect(photos.code == 1 && photos.lines.count == 3 && photos.lines[2].contains("28 bytes, PNG, 64 × 48") && photos.lines[1].contains("2020-05-01"), "\(photos.output)")

            // Somebody else's work is a conflict, and is compared first.
            try shell("""
                python3 -c 'import os; f = open("Notes.txt", "w"); open(os.environ["CONTAINER"] + "/Notes.stedoc", "w").write("theirs\\n"); f.write("mine\\n")'
                """, in: there, environment: ["CONTAINER": container.path]).good()
            #expect(try said("diff", "Notes.txt").output.contains("-theirs\n+mine\n"))
            #expect(try said("versions", "Notes.txt").output.contains("  conflict\n"))
            try said("resolve", "Notes.txt", "now").good()
            #expect(try run("cat", drive.path("Notes.txt")).output == "mine\n")

            // By a day, by a year that has several, by what there is not.
            try said("restore", "Notes.txt", "2020-05-01").good()
            #expect(try run("cat", drive.path("Notes.txt")).output == "one\n")
            let several = try said("restore", "Notes.txt", "2020-05")
            #expect(several.code == 1 && several.errors.contains("by its number") && several.errors.contains("2020-05-01 19:00:00"), "\(several.errors)")
            #expect(try said("restore", "Notes.txt", "2 years ago").good().output == "")
            #expect(try run("cat", drive.path("Notes.txt")).output == "two\n")
            #expect(try said("restore", "Notes.txt", "2019").errors.contains("no version that old"))
            #expect(try said("restore", "Notes.txt", "99").errors.contains("no version “99”"))
            let same = try said("restore", "Notes.txt", "now")
            #expect(same.code == 1 && same.errors.contains("has that content already"))
            #expect(try said("restore", "-v", "Notes.txt", "2020-05-01").output.contains("is what it was at 2020-05-01 19:00:00 again"))
            #expect(try shell("ls -d /tmp/valise-diff-* 2>/dev/null").output == "")
        }
    }

    /// Only the content comes back: whose the document is, and who may read it, stays as it is now.
    @Test(arguments: [true, false]) func whoMayReadItStays(onDrive: Bool) throws {
        let container = try TemporaryContainer("text Notes \"one\\n\"\nphoto Cat png\nbookmark Swift https://old.example/ stored=Bookmark_1")
        let owner = geteuid() == 0 ? "65534:65534" : "\(geteuid()):\(getegid())"
        let files = ["Notes.txt", "Cat.png", "Swift.url"], stored = ["Notes.stedoc", "Cat.ptk", "Bookmark_1"]
        func modes(_ names: [String], in folder: String) throws -> [String] { try Program(["stat", "-c", "%a %u:%g"] + names, in: folder).wait().good().lines }
        try withDrive(container) { drive in
            try shell("""
                echo two >Notes.txt; sed -i s/old/new/ Swift.url
                printf '\\211PNG\\r\\n\\032\\n\\0\\0\\0\\015IHDR\\0\\0\\0\\100\\0\\0\\0\\060more' >../new.png && cat ../new.png >Cat.png
                chown \(owner) Notes.txt Cat.png Swift.url && chmod 600 Notes.txt Cat.png Swift.url
                """, in: drive.mountpoint).good()
            guard onDrive else { return }
            for file in files { try valise("restore", drive.path(file), "1").good() }
            #expect(try modes(files, in: drive.mountpoint) == Array(repeating: "600 \(owner)", count: 3))
            #expect(try shell("cat Notes.txt Swift.url", in: drive.mountpoint).good().output.contains("old.example"))
        }
        if !onDrive { for file in stored { try valise("restore", container.stored(file), "1").good() } }
        #expect(try modes(["Notes.stedoc", "Cat.ptk/photo.data", "Bookmark_1"], in: container.path) == Array(repeating: "600 \(owner)", count: 3))
        try withDrive(container) { drive in
            let shown = try modes(files, in: drive.mountpoint), text = try run("cat", drive.path("Notes.txt")).good().output
            #expect(shown == Array(repeating: "600 \(owner)", count: 3) && text == "one\n")
        }
    }
}
