import Documents
import PropertyLists
import Testing

@Suite struct LinkFileTests {
    func link(_ content: String, _ form: LinkForm) -> Link? { try? LinkFile.parse(bytes(content), form: form) }

    @Test func shortcuts() {
        #expect(link("[InternetShortcut]\nURL=http://a\n", .url) == Link(url: "http://a"))
        #expect(link("\u{FEFF}; c\r\n[Other]\r\nURL=no\r\n[internetshortcut]\r\nIconIndex=0\r\nurl = http://a=b \r\nURL=second\r\n", .url) == Link(url: "http://a=b"))
        #expect(link("[InternetShortcut]\rURL=old", .url) == Link(url: "old"))
        for bad in ["", "http://a", "URL=http://a", "[InternetShortcut]\nURL=\n", "[InternetShortcut]\nBASEURL=x\n", "[InternetShortcut]\nURL=a\u{7}b\n", "[InternetShortcut]\nURL=a\u{2028}b\n"] {
            #expect(link(bad, .url) == nil)
        }
    }

    @Test func otherEncodings() throws {
        let content = "[InternetShortcut]\r\nURL=http://é/日\r\n"
        let little = [0xFF, 0xFE] + content.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big = [0xFE, 0xFF] + content.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        #expect(try LinkFile.parse(little, form: .url).url == "http://é/日")
        #expect(try LinkFile.parse(big, form: .url).url == "http://é/日")
        #expect(try LinkFile.parse(bytes("[InternetShortcut]\nURL=http://") + [0xE9], form: .url).url == "http://é")
    }

    @Test func entries() {
        #expect(link("#!x\n# c\n[Desktop Entry]\nVersion=1.0\nType=Link\nName[de]=D\nName=A\\sB\\\\\nURL=http://a\n[Other]\nURL=b\n", .desktop) == Link(url: "http://a", name: "A B\\"))
        for bad in ["[Desktop Entry]\nType=Application\nExec=rm\nURL=http://a\n", "[Desktop Entry]\nURL=http://a\n", "[X]\n[Desktop Entry]\nType=Link\nURL=a\n",
                    "[Desktop Entry]\nType=Link\nURL=a\\nb\n", "[Desktop Entry]\nType=Link\n[Other]\nURL=a\n"] {
            #expect(link(bad, .desktop) == nil)
        }
    }

    @Test func weblocs() throws {
        let list = members(["URL": .string("http://a")])
        #expect(try LinkFile.parse(try #require(list.xml()), form: .webloc).url == "http://a")
        #expect(try LinkFile.parse(try list.binary(), form: .webloc).url == "http://a")
        #expect(link("<plist><dict><key>URL</key><string>http://a?b&amp;c&#x26;<![CDATA[<d>]]></string></dict></plist>", .webloc)?.url == "http://a?b&c&<d>")
        for bad in ["<plist><dict/></plist>", "<plist><string>http://a</string></plist>", "http://a", "<!DOCTYPE plist [<!ENTITY u 'http://a'>]><plist><dict><key>URL</key><string>&u;</string></dict></plist>"] {
            #expect(link(bad, .webloc) == nil)
        }
    }

    @Test func pages() {
        #expect(link("<html><title>T &amp; t</title><META content='5;URL=\"http://a?b&amp;c\"' HTTP-EQUIV=Refresh>", .html) == Link(url: "http://a?b&c", name: "T & t"))
        #expect(link("<!-- <a href=no> --><script>'<a href=no>'</script><p>Moved <a class=x href = http://a >here</a>", .html) == Link(url: "http://a"))
        #expect(link("<a href=1><a href=2>", .html) == nil)
        #expect(link("<p>" + String(repeating: "An article. ", count: 50) + "<a href=http://a>source</a>", .html) == nil)
        #expect(link("plain text", .html) == nil)
        for broken in ["<", "<a", "<a href", "<a href=", "<a href='", "<!--", "<title", "<title>", "<meta http-equiv=refresh content=", "<script>", "</", "<a href=x"] { _ = link(broken, .html) }
    }

    @Test(arguments: LinkForm.allCases) func theCanonicalFileSaysTheSame(_ form: LinkForm) throws {
        for url in ["http://a", "www.example.com", "https://例.jp/é?a=b&c=<d>\"'", "mailto:a@b;c", "x-y:\\z", "http://a/%20b#c;d,e"] {
            for name in ["A", "Ünï 😀", "<b>&amp;\"'", "a\\nb", " spaces ", "new\nline\u{1}"] {
                let file = LinkFile.canonical(form: form, name: name, url: url)
                let link = try LinkFile.parse(file, form: form)
                #expect(link.url == url)
                if form == .desktop, !name.contains("\u{1}") { #expect(link.name == name) }
            }
        }
    }

    @Test(arguments: LinkForm.allCases) func aHostileAddressAddsNothing(_ form: LinkForm) throws {
        let file = text(LinkFile.canonical(form: form, name: "n\nExec=rm", url: "http://a\nType=Application\r\nExec=rm\u{0}\u{2028}"))
        #expect(!file.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("Exec") || $0.hasPrefix("Type=App") } || form == .html)
        #expect(try LinkFile.parse(bytes(file), form: form).url == "http://a%0AType=Application%0D%0AExec=rm%00%E2%80%A8")
    }

    /// A page lies on the own disk, and a browser would carry out what such an address says as if it were that page's.
    @Test(arguments: ["javascript:alert(1)", "JavaScript:x", "data:text/html,<script>x</script>", "vbscript:x"])
    func aPageOffersNoProgram(url: String) throws {
        let page = LinkFile.canonical(form: .html, name: "A", url: url), words = text(page).lowercased()
        #expect(!words.contains("href=") && !words.contains("refresh"))
        // Signs that stand in no address are written otherwise, or not, in each form.
        let other = try LinkFile.parse(LinkFile.canonical(form: .url, name: "A", url: url), form: .url).url
        #expect(try LinkFile.parse(page, form: .html).url == other)
        #expect(text(LinkFile.canonical(form: .html, name: "A", url: "x-app:y")).contains("href=\"x-app:y\""))
    }

    @Test func longFilesAreNotRead() {
        let source = Counting(Sparse(head: bytes("[InternetShortcut]\nURL=http://a\n"), hole: 1 << 40, tail: []))
        #expect(throws: DocumentFault.unfit("The file is too long for a link.")) { try LinkFile.parse(source, form: .url) }
        #expect(throws: DocumentFault.unfit("The file is too long for a link.")) {
            try BookmarkKind().write(content: source, shownName: bytes("a.url"), over: nil, spelling: nil)
        }
        #expect(source.reads == 0)
    }
}
