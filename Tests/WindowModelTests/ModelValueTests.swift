import Foundation
import MountTesting
import Testing

@testable import WindowModel

/// What needs no drive.
@Suite struct ModelValueTests {
    private func marks(_ old: String, _ new: String) -> [String] {
        LineComparison(from: old, to: new).lines.map { ($0.mark == .both ? " " : $0.mark == .added ? "+" : "-") + $0.text }
    }

    @Test func linesAreCompared() {
        #expect(marks("a\nb\nc\n", "a\nB\nc\n") == [" a", "-b", "+B", " c"])
        #expect(marks("", "a\n") == ["+a"] && marks("a\n", "") == ["-a"] && marks("", "") == [])
        #expect(marks("a\nb", "a\nb\n") == [" a", " b"] && LineComparison(from: "a\n", to: "a\n").isSame)
        #expect(marks("a\na\n", "a\n") == [" a", "-a"])
    }

    /// Whatever is compared, each side is there whole and in its order.
    @Test func bothSidesAreWhole() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let texts = (0..<2).map { _ in (0..<Int.random(in: 0..<12, using: &random)).map { _ in "abcd".randomElement(using: &random).map(String.init) ?? "" } }
            let lines = LineComparison(from: texts[0].map { $0 + "\n" }.joined(), to: texts[1].map { $0 + "\n" }.joined()).lines
            #expect(lines.filter { $0.mark != .added }.map(\.text) == texts[0] && lines.filter { $0.mark != .removed }.map(\.text) == texts[1])
        }
    }

    /// Of long texts that are others it is not asked which lines belong together: that would take the square of their number.
    @Test func longTextsAreCompared() {
        func comparison(_ count: Int) -> [LineComparison.Mark] {
            let sides = ["old", "new"].map { side in (0..<count).map { $0 % 50 == 49 ? "both\n" : "\(side) \($0)\n" }.joined() }
            return LineComparison(from: sides[0], to: sides[1]).lines.dropLast().map(\.mark)
        }
        #expect(comparison(100).filter { $0 == .both }.count == 1)
        let many = comparison(20_000)
        #expect(many.count == 39_998 && many.prefix(19_999).allSatisfy { $0 == .removed } && many.suffix(19_999).allSatisfy { $0 == .added })
    }

    /// Changes that are far apart are changes by themselves, however long a text is.
    @Test func changesOfALongTextAreFound() {
        let old = (0..<20_000).map { "line \($0 % 19_000)\n" }
        var new = old
        new[10] = "other\n"
        new.remove(at: 12_000)
        new.insert("new\n", at: 17_000)
        new.swapAt(18_990, 18_991)
        let lines = LineComparison(from: old.joined(), to: new.joined()).lines
        #expect(lines.filter { $0.mark != .both }.count == 6)
        #expect(lines.filter { $0.mark != .added }.map { $0.text + "\n" } == old && lines.filter { $0.mark != .removed }.map { $0.text + "\n" } == new)
    }

    @Test func timesAreRead() {
        #expect(ValiseProgram.date("2026-11-21T23:27:33Z") == Date(timeIntervalSince1970: 1_795_303_653))
        #expect(ValiseProgram.date("2026-11-21T23:27:33.250000000Z") == Date(timeIntervalSince1970: 1_795_303_653.25))
        #expect(ValiseProgram.date("yesterday") == nil && ValiseProgram.date("") == nil)
    }

    @Test func daysHaveNames() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let now = Date(timeIntervalSince1970: 1_795_303_653)
        #expect(DayName.of(now - 3_600, now: now, calendar: calendar) == "Today" && DayName.of(now - 86_400, now: now, calendar: calendar) == "Yesterday")
        #expect(DayName.of(now - 3 * 86_400, now: now, calendar: calendar).contains("2026"))
    }

    /// Of a folder that is one item, the window says what it is.
    @Test func aFolderIsNoContent() {
        let now = DocumentVersion(number: 0, id: "now", date: .now, size: 2, computer: "", waits: false, file: "/usr/share")
        #expect(VersionContent.of(now) == .fault("It is a folder: its versions are ZIP files of all that was in it."))
    }

    /// A text is shown as far as it is one; what is cut is no half a letter.
    @Test func whatIsNoTextIsBytes() {
        #expect(VersionContent.text(Data("text é".utf8)) == "text é" && VersionContent.text(Data([0x66, 0])) == nil && VersionContent.text(Data([0xFF, 0xD8])) == nil)
        let long = Data(String(repeating: "€", count: 400_000).utf8)
        #expect(VersionContent.text(long)?.hasSuffix("€\n…\n") == true)
    }

    @Test func sentencesAreWithoutTheProgramsName() {
        #expect(ValiseProgram.sentence("valise: “a” is gone; to see: valise deleted\nvalise: and more\n") == "“a” is gone; to see: valise deleted\nand more")
    }

    @Test func aProgramThatIsNotThereIsSaid() async {
        await #expect(throws: ValiseFault.self) { try await ValiseProgram(path: "/nowhere/valise").drives() }
        // One that says something else entirely.
        let fault = await #expect(throws: ValiseFault.self) { try await ValiseProgram(path: "/bin/echo").drives() }
        #expect(fault?.description.contains("different versions") == true)
    }

    @Test func addressesOfLinksAreReplaced() throws {
        let shortcut = "[InternetShortcut]\nURL=https://one.example/\n[Valise]\nTags=a\n"
        let link = try #require(LinkAddress(shortcut, called: "One.url"))
        #expect(link.address == "https://one.example/")
        #expect(link.replaced(by: " https://two.example/?a=1&b=2 ") == "[InternetShortcut]\nURL=https://two.example/?a=1&b=2\n[Valise]\nTags=a\n")
        #expect(link.replaced(by: "two.example") == "[InternetShortcut]\nURL=https://two.example\n[Valise]\nTags=a\n")
        #expect(link.replaced(by: "localhost:8080")?.contains("URL=https://localhost:8080\n") == true && link.replaced(by: "mailto:a@b.example")?.contains("URL=mailto:a@b.example\n") == true)
        #expect(link.replaced(by: "") == nil && link.replaced(by: "two words") == nil && link.replaced(by: "a\nURL=b") == nil)
        let markup = "<plist><dict><key>URL</key>\n\t<string>https://one.example/?a&amp;amp;b</string></dict></plist>", webloc = try #require(LinkAddress(markup, called: "One.webloc"))
        #expect(webloc.address == "https://one.example/?a&amp;b")
        #expect(webloc.replaced(by: webloc.address) == markup && webloc.replaced(by: "https://x/?a&b<")?.contains("<string>https://x/?a&amp;b&lt;</string>") == true)
        #expect(LinkAddress(shortcut, called: "One.txt") == nil && LinkAddress("nothing", called: "One.url") == nil)
    }

    /// What tells its form stays, and nothing is replaced.
    @Test func documentsGetOtherNames() async throws {
        let name = DocumentName("/drive/Trip/One.two.url")
        #expect(name.words == "One.two" && name.path(called: " Other ") == "/drive/Trip/Other.url" && DocumentName("/drive/README").path(called: "a.b") == "/drive/a.b")
        for words in ["", " ", "..", "a/b", "a\0b"] { #expect(name.path(called: words) == nil) }
        let folder = try TemporaryFolder()
        try shell("printf 1 >One.txt; printf 2 >Two.txt", in: folder.path).good()
        await #expect(throws: ValiseFault("“Two.txt” is there already.")) { try await DocumentName(folder.path + "/One.txt").move(to: folder.path + "/Two.txt") }
        try await DocumentName(folder.path + "/One.txt").move(to: folder.path + "/Three.txt")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["Three.txt", "Two.txt"])
        await #expect(throws: ValiseFault.self) { try await DocumentName(folder.path + "/One.txt").move(to: folder.path + "/Four.txt") }
    }

    /// The profile that was used last, of each browser that is there.
    @Test func browsersAreFound() throws {
        let home = try TemporaryFolder()
        #expect(BrowserBookmarks.found(home: home.path) == [])
        try shell("""
            mkdir -p .mozilla/firefox/old.default .mozilla/firefox/new.default-esr '.mozilla/firefox/Crash Reports' '.config/chromium/Default' .config/google-chrome/Default
            touch -d 2020-01-01 .mozilla/firefox/old.default/places.sqlite .mozilla/firefox/new.default-esr/places.sqlite; touch .mozilla/firefox/new.default-esr/places.sqlite-wal .config/chromium/Default/Bookmarks
            """, in: home.path).good()
        #expect(BrowserBookmarks.found(home: home.path) == [
            BrowserBookmarks(browser: "Chromium", path: home.path + "/.config/chromium/Default/Bookmarks"),
            BrowserBookmarks(browser: "Firefox", path: home.path + "/.mozilla/firefox/new.default-esr/places.sqlite"),
        ])
    }
}
