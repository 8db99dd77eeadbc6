import MountTesting
import PropertyLists
import SeededNumbers
import Testing

@testable import BookmarkFiles

/// What browsers and services write, and what is left of it where it was cut or garbled.
@Suite struct BookmarkFileTests {
    private func items(_ bytes: [UInt8]) -> [ListedItem] {
        guard let form = BookmarkFile.form(Bytes(bytes)) else { return [] }
        nonisolated(unsafe) var items: [ListedItem] = []
        BookmarkFile.read(Bytes(bytes), as: form) { items.append($0); return true }
        return items
    }

    private func links(_ text: String) -> [ListedLink] { items(Array(text.utf8)).compactMap { if case .link(let link) = $0 { link } else { nil } } }

    static let page = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <TITLE>Bookmarks</TITLE><H1>Bookmarks Menu</H1>
        <DL><p>
            <DT><A HREF="https://www.swift.org/?a=1&amp;b=2" ADD_DATE="1700000000" LAST_MODIFIED="1700000100" ICON="data:image/png;base64,AA==" TAGS="lang,apple">Swift &amp; <b>friends</b></A>
            <DD>A note
            <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3>
            <DL><p>
                <dt><a href='https://debian.org/'>Debian
                <DT><A HREF=javascript:alert(1)>Let</A>
                <HR>
            </DL><p>
            <DT><A HREF="place:sort=8">Recent</A>
            <DT><A>nothing</A>
        </DL>

        """

    @Test func aPageOfABrowser() {
        let found = items(Array(Self.page.utf8))
        #expect(found == [
            .link(ListedLink(name: "Swift & friends", url: "https://www.swift.org/?a=1&b=2", added: 1_700_000_000, changed: 1_700_000_100, tags: ["lang", "apple"], note: "A note", icon: "data:image/png;base64,AA==")),
            .link(ListedLink(folders: ["Bookmarks Toolbar"], name: "Debian", url: "https://debian.org/")),
            .link(ListedLink(folders: ["Bookmarks Toolbar"], name: "Let", url: "javascript:alert(1)")),
            .other, .search, .fault(place: "line 13", reason: "a link without an address"),
        ])
        // Another encoding, and with two bytes a character.
        #expect(items(Array("<DL><DT><A HREF=http://x/>caf".utf8) + [0xE9] + Array("</A>".utf8)) == [.link(ListedLink(name: "café", url: "http://x/"))])
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in Self.page.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(items(wide) == found)
    }

    /// Chromium writes an address as it is, and turns only quotation marks into entities; Firefox turns all of it.
    @Test func addressesWithEntitiesOfTheirOwn() {
        let chromium = "<DL><DT><A HREF=\"https://a/?a=1&b=2&amp;c=3&lt;\">A</A><DT><A HREF=\"javascript:f(&quot;x&quot;, a && b)\">B</A></DL>"
        #expect(links(chromium).map(\.url) == ["https://a/?a=1&b=2&amp;c=3&lt;", "javascript:f(\"x\", a && b)"])
        let firefox = "<DL><DT><A HREF=\"https://a/?a=1&amp;b=2&amp;amp;c=3&amp;lt;\">A</A><DT><A HREF=\"javascript:f(&quot;x&quot;, a &amp;&amp; b)\">B</A></DL>"
        #expect(links(firefox).map(\.url) == links(chromium).map(\.url))
        // Of one that has nothing else, the others tell.
        let one = "<DT><A HREF=\"https://a/?a=1&amp;b=2\">A</A>", asTheyAre = "<DT><A HREF=\"https://b/?a&b\">B</A>", entities = "<DT><A HREF=\"https://c/?a&amp;b\">C</A>"
        #expect(links("<DL>" + one + asTheyAre + asTheyAre + "</DL>").first?.url == "https://a/?a=1&amp;b=2")
        #expect(links("<DL>" + one + asTheyAre + entities + "</DL>").map(\.url) == ["https://a/?a=1&b=2", "https://b/?a&b", "https://c/?a&b"])
    }

    /// The folders that a browser has by itself are called in its user's language in its HTML, and not at all in its other files.
    @Test func ownFoldersInAnyLanguage() {
        func page(_ toolbar: String) -> String {
            "<DL><DT><H3 PERSONAL_TOOLBAR_FOLDER=\"true\">\(toolbar)</H3><DL><DT><A HREF=\"https://t/\">T</A></DL><DT><H3 UNFILED_BOOKMARKS_FOLDER=\"true\">Weitere</H3><DL><DT><A HREF=\"https://u/\">U</A></DL></DL>"
        }
        let firefox = #"{"root":"placesRoot","type":"text/x-moz-place-container","children":[{"title":"toolbar","root":"toolbarFolder","type":"text/x-moz-place-container","children":[{"title":"T","uri":"https://t/"}]},{"title":"unfiled","root":"unfiledBookmarksFolder","type":"text/x-moz-place-container","children":[{"title":"U","uri":"https://u/"}]}]}"#
        #expect(links(page("Lesezeichen-Symbolleiste")) == links(firefox) && links(firefox).map(\.folders) == [["Bookmarks Toolbar"], ["Other Bookmarks"]])
        func chromium(_ bar: String) -> [[String]] {
            links("{\"roots\":{\"bookmark_bar\":{\"children\":[{\"name\":\"T\",\"type\":\"url\",\"url\":\"https://t/\"}],\"name\":\"\(bar)\",\"type\":\"folder\"}}}").map(\.folders)
        }
        for bar in ["Bookmarks bar", "Lesezeichenleiste"] { #expect(links(page(bar)).map(\.folders).prefix(1) == chromium(bar)[...]) }
        // What is called so in English stays so, and goes to the browser's own folder again.
        #expect(chromium("Bookmarks bar") == [["Bookmarks bar"]])
        for folder in ["Bookmarks bar", "Bookmarks Toolbar"] {
            var page = LinkPageWriting()
            #expect(page.text(of: ListedLink(folders: [folder], name: "T", url: "https://t/")).contains("<DT><H3 PERSONAL_TOOLBAR_FOLDER=\"true\">\(folder)</H3>"))
        }
    }

    @Test func whatIsWrittenIsReadAgain() {
        let links = links(Self.page)
        var page = LinkPageWriting()
        #expect(self.links(LinkPageWriting.beginning + links.map { page.text(of: $0) }.joined() + page.end()) == links)
        for link in links {
            var read = ListedLink(folders: link.folders, name: link.name, url: link.url, changed: link.changed)
            LinkNotes.add(LinkNotes.section(of: link), to: &read)
            #expect(read == link)
        }
    }

    /// A browser that opens the page would carry it out.
    @Test(arguments: ["javascript:alert(1)", "data:text/html,<script>1</script>", " \u{1}Java\tScript:alert(1)", "vbscript:x"]) func anAddressThatIsAProgramIsNoLink(url: String) {
        var page = LinkPageWriting()
        let text = LinkPageWriting.beginning + page.text(of: ListedLink(name: "Odd", url: url)) + page.text(of: ListedLink(name: "Even", url: "https://e/")) + page.end()
        #expect(text.lowercased().split(separator: "href=").count == 2 && text.contains("<A DATA-ADDRESS=\"") && text.contains("<A HREF=\"https://e/\""), "\(text)")
        // What is exported comes in again.
        #expect(links(text).map(\.url).last == "https://e/" && links(text).count == 2)
    }

    @Test func treesOfBrowsers() {
        // Chromium says a folder's name behind what is in it.
        let chromium = #"{"checksum":"x","roots":{"bookmark_bar":{"children":[{"children":[{"date_added":"13300000000000000","name":"In","type":"url","url":"https://in/"}],"name":"Sub","type":"folder"}],"name":"Bookmarks bar","type":"folder"},"other":{"children":[{"name":"O","type":"url","url":"https://o/"}],"name":"Other bookmarks","type":"folder"}},"version":1}"#
        #expect(links(chromium) == [
            ListedLink(folders: ["Bookmarks bar", "Sub"], name: "In", url: "https://in/", added: 1_655_526_400), ListedLink(name: "O", url: "https://o/"),
        ])
        let firefox = #"{"guid":"root________","title":"","root":"placesRoot","type":"text/x-moz-place-container","children":[{"title":"menu","root":"bookmarksMenuFolder","type":"text/x-moz-place-container","children":[{"title":"M","type":"text/x-moz-place","uri":"https://m/","dateAdded":1700000000000000,"tags":"a,b"}]},{"title":"toolbar","root":"toolbarFolder","type":"text/x-moz-place-container","children":[{"title":"T","uri":"https://t/"}]}]}"#
        let expected = [ListedLink(name: "M", url: "https://m/", added: 1_700_000_000, tags: ["a", "b"]), ListedLink(folders: ["Bookmarks Toolbar"], name: "T", url: "https://t/")]
        #expect(links(firefox) == expected)
        // Packed as one stretch without copies.
        let count = firefox.utf8.count - 15
        var packed = Array("mozLz40\0".utf8) + [UInt8(firefox.utf8.count & 0xFF), UInt8(firefox.utf8.count >> 8), 0, 0, 0xF0]
        packed += Array(repeating: 255, count: count / 255) + [UInt8(count % 255)] + Array(firefox.utf8)
        #expect(items(packed) == expected.map(ListedItem.link))
    }

    @Test func aBlockRepeatsItself() {
        #expect(LZ4Block.unpacked([0x1F, 0x61, 1, 0, 5, 0x10, 0x62], length: 26).bytes == Array((String(repeating: "a", count: 25) + "b").utf8))
        #expect(LZ4Block.unpacked([0x10, 0x61, 9, 0], length: 100).fault == "a copy is of what was not there")
        #expect(LZ4Block.unpacked([0x1F, 0x61, 1, 0, 255, 255, 255, 0], length: 20).fault == "it is longer than it says")
    }

    @Test func tablesAndLists() throws {
        #expect(links("title,url,time_added,tags,status\r\nP,https://p/,1700000000,a|b,unread\r\n") == [ListedLink(name: "P", url: "https://p/", added: 1_700_000_000, tags: ["a", "b"])])
        #expect(links("id,title,note,excerpt,url,folder,tags,created\n1,\"A, \"\"B\"\"\",,x,https://r/,Top/In,\"c, d\",2024-03-01T09:30:15.000Z\n") == [
            ListedLink(folders: ["Top", "In"], name: "A, \"B\"", url: "https://r/", added: 1_709_285_415, tags: ["c", "d"], note: "x"),
        ])
        let story = PropertyList.dictionary([.init("bookmarks", .array([.dictionary([.init("name", .string("N")), .init("url", .string("www.n.com"))]), .string("odd")]))])
        let xml = try #require(story.xml())
        #expect(items(xml) == [.link(ListedLink(name: "N", url: "www.n.com")), .fault(place: "item 2 of “bookmarks”", reason: "it is no dictionary with an address (“url”)")])
        let leaf = PropertyList.dictionary([.init("WebBookmarkType", .string("WebBookmarkTypeLeaf")), .init("URLString", .string("https://s/")), .init("URIDictionary", .dictionary([.init("title", .string("S"))]))])
        let bar = PropertyList.dictionary([.init("WebBookmarkType", .string("WebBookmarkTypeList")), .init("Title", .string("BookmarksBar")), .init("Children", .array([leaf]))])
        #expect(items(try #require(PropertyList.dictionary([.init("Children", .array([bar]))]).xml())) == [.link(ListedLink(folders: ["Favorites"], name: "S", url: "https://s/"))])
    }

    @Test(.long) func aMillionFoldersAreNoMatter() {
        let deep = String(repeating: "<DL><H3>f</H3>", count: 1_000_000) + "<DT><A HREF=http://x/>x</A>"
        #expect(links(deep).count == 1)
        let tree = String(repeating: "{\"children\":[", count: 499) + "{\"url\":\"http://x/\"}"
        #expect(links(tree).count == 1)
    }

    /// What would take much memory for each of its bytes is not read to its end.
    @Test func smallFilesTakeLittle() {
        for opening in ["[", "{\"a\":"] {
            #expect(items(Array(String(repeating: opening, count: 500_000).utf8)) == [.fault(place: "line 1", reason: "it is nested more than 1000 deep")])
        }
        // 100,000 bytes of one letter, packed as a copy of itself, and called 20 times as long as may be.
        let block: [UInt8] = [0x1F, 0x61, 1, 0] + Array(repeating: 255, count: 400) + [0, 0x10, 0x62]
        func packed(_ length: Int) -> [UInt8] { Array("mozLz40\0".utf8) + (0..<4).map { UInt8(length >> (8 * $0) & 255) } + block }
        let refused = items(packed(20 << 20))
        #expect(refused.count == 2 && refused.contains { if case .fault(_, let reason) = $0 { reason.contains("32 times") } else { false } }, "\(refused)")
        #expect(!items(packed(1 << 20)).contains { if case .fault(_, let reason) = $0 { reason.contains("32 times") } else { false } })
        let many = "{\"url\":\"http://x/\",\"tags\":[" + Array(repeating: "\"a\"", count: 100_000).joined(separator: ",") + "]}"
        #expect(links(many).map(\.tags.count) == [1000])
    }

    /// Cut anywhere and garbled anywhere: it ends, and what comes before the place is there.
    @Test func cutAndGarbledFilesEnd() {
        let bytes = Array(Self.page.utf8)
        for count in 0..<bytes.count { _ = items(Array(bytes[..<count])) }
        #expect(items(Array(bytes[..<500])).contains { if case .link(let link) = $0 { link.name.hasPrefix("Swift") } else { false } })
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            var odd = bytes
            for _ in 0..<20 { odd[Int.random(in: 0..<odd.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers) }
            _ = items(odd)
        }
    }
}
