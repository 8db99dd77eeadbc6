import Testing

@testable import Documents

@Suite struct LinkFileTests {
    static func parse(_ text: String, _ form: LinkForm) -> LinkFile? { try? LinkFile.parse(Array(text.utf8), as: form).get() }

    static let a = "https://a.example/"

    static let good: [(LinkForm, String, LinkFile)] = [
        (.url, "[InternetShortcut]\nURL=\(a)\n", LinkFile(url: a)),
        (.url, "\u{FEFF}[internetshortcut]\r\nIconIndex=0\r\n url =  \(a)  \r\nURL=other\r\n", LinkFile(url: a)),
        (.url, "; URL=no\r[Other]\rURL=no\r[InternetShortcut]\rURL=\(a)", LinkFile(url: a)),
        (.url, "[{0}]\nProp3=19,2\n[InternetShortcut]\nURL=\(a)?x=1=2;y#z", LinkFile(url: "\(a)?x=1=2;y#z")),
        (.desktop, "[Desktop Entry]\nVersion=1.0\nType=Link\nName=A\\sb\\\\c\nName[de]=Nein\nURL=\(a)\n", LinkFile(url: a, title: "A b\\c")),
        (.desktop, "# x\n[Desktop Entry]\nURL=\(a)\nType=Link\nName=\n", LinkFile(url: a)),
        (.webloc, "<plist><dict><key>URL</key><string> \(a)?b&amp;c </string></dict></plist>", LinkFile(url: "\(a)?b&c")),
        (.html, "<meta http-equiv=refresh content='0;URL=\(a)'>", LinkFile(url: a)),
        (.html, "<a href='x'>x</a><META HTTP-EQUIV=\"Refresh\" CONTENT=\"5 , url = '\(a)' \">", LinkFile(url: a)),
        (.html, "<title>\n A &amp;\nb &copy; </title><p><a name=n>n</a><a href=\(a)>x", LinkFile(url: a, title: "A & b &copy;")),
        (.html, "<!-- <a href=no> --><script>'<a href=no>'</script><a\nhref = \" \(a)?b&amp;c&#61;&d \" >", LinkFile(url: "\(a)?b&c=&d")),
        (.html, "<meta http-equiv=refresh content=5><a title='>' href=\(a) href=no>", LinkFile(url: a)),
    ]

    static let bad: [(LinkForm, String)] = [
        (.url, ""), (.url, "URL=\(a)"), (.url, "[InternetShortcut]"), (.url, "[InternetShortcut]\nURL"), (.url, "[InternetShortcut]\nURL= \n"),
        (.url, "[InternetShortcut\nURL=\(a)"), (.url, "[InternetShortcut]\n[Other]\nURL=\(a)"), (.url, "[InternetShortcut]\nURL=a\0b"),
        (.url, "[InternetShortcut]\nURL=a\tb"), (.url, "[InternetShortcut]\nURL=a\u{85}b"),
        (.desktop, ""), (.desktop, "[Desktop Entry]\nURL=\(a)"), (.desktop, "[Desktop Entry]\nType=Application\nURL=\(a)"),
        (.desktop, "[Desktop Entry]\nType=Link\nName=x"), (.desktop, "[Desktop Entry]\nType=Link\nURL=a\\nb"),
        (.webloc, ""), (.webloc, a), (.webloc, "<plist><dict/></plist>"), (.webloc, "<plist><dict><key>URL</key><integer>1</integer></dict></plist>"),
        (.webloc, "<plist><dict><key>URL</key><string>a\nb</string></dict></plist>"), (.webloc, "<plist><dict><key>URL</key><string/></dict></plist>"),
        (.html, ""), (.html, "<p>text</p>"), (.html, "<a name=x>"), (.html, "<a href='x"), (.html, "<a href=''>"), (.html, "<a href='a\nb'>"),
        (.html, "<a href='&#1;x'>"), (.html, "<!-- <a href=x>"), (.html, "<script><a href=x>"), (.html, "<meta http-equiv=refresh content='0'>"),
    ]

    @Test(arguments: good) func reads(_ form: LinkForm, _ text: String, _ link: LinkFile) { #expect(Self.parse(text, form) == link) }

    @Test(arguments: bad) func refuses(_ form: LinkForm, _ text: String) {
        guard case .failure(let fault) = LinkFile.parse(Array(text.utf8), as: form) else { Issue.record("read"); return }
        #expect(fault.reason.hasPrefix("it"))
    }

    @Test func saysWhatIsMissing() {
        #expect(LinkFile.parse(Array("[InternetShortcut]\nX=1".utf8), as: .url) == .failure(LinkFault(reason: "it has no URL= line under [InternetShortcut]")))
    }

    @Test func readsUTF16InBothOrders() {
        let units = Array("\u{FEFF}[InternetShortcut]\r\nURL=https://ä.example/👍\r\n".utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [little, big] { #expect(LinkFile.parse(bytes, as: .url) == .success(LinkFile(url: "https://ä.example/👍"))) }
        #expect(throws: LinkFault.self) { try LinkFile.parse(little + [0], as: .url).get() }
        #expect(throws: LinkFault.self) { try LinkFile.parse(little + [0, 0xD8], as: .url).get() }
    }

    @Test func onlyTheURLMustBeUTF8() {
        let head = Array("[InternetShortcut]\nIconFile=".utf8)
        #expect(LinkFile.parse(head + [0xE4] + Array("\nURL=x\n".utf8), as: .url) == .success(LinkFile(url: "x")))
        #expect(throws: LinkFault.self) { try LinkFile.parse(head + Array("\nURL=".utf8) + [0xE4], as: .url).get() }
    }

    @Test(arguments: [LinkForm.url, .desktop]) func readsTenThousandLinesQuickly(_ form: LinkForm) {
        let lines = (0..<10_000).map { "Key\($0)=value" }.joined(separator: "\r\n")
        let head = form == .url ? "[InternetShortcut]" : "[Desktop Entry]\nType=Link"
        let time = ContinuousClock().measure { #expect(Self.parse("\(head)\n\(lines)\nURL=\(Self.a)\n", form)?.url == Self.a) }
        #expect(time < .seconds(5))
    }

    @Test(arguments: LinkForm.allCases) func refusesWhatIsTooLong(_ form: LinkForm) {
        let good = LinkFile.canonical(form, name: "n", url: Self.a)
        let most = form == .html ? LinkFile.longestPage : LinkFile.longest
        let padding = [UInt8](repeating: 0x0A, count: most - good.count)
        #expect((try? LinkFile.parse(good + padding, as: form).get())?.url == Self.a)
        #expect(throws: LinkFault.self) { try LinkFile.parse(good + padding + [0x0A], as: form).get() }
    }

    @Test(arguments: [
        (LinkForm.url, "[InternetShortcut]\nURL=", " "), (.url, "[InternetShortcut]\n", "="), (.url, "", "["), (.desktop, "[Desktop Entry]\nType=Link\nURL=", "\\s"),
        (.webloc, "<plist><dict><key>URL</key><string>", " "), (.webloc, "<plist>", "<!--"), (.webloc, "<!DOCTYPE ", "[\"<!--"),
        (.html, "", "<"), (.html, "", "<a x='"), (.html, "", "<title>"), (.html, "<a ", "x "), (.html, "<a href=", "&"), (.html, "", "<!--"),
    ])
    func hostileRepetitionTakesLinearTime(_ form: LinkForm, _ head: String, _ piece: String) {
        let most = form == .html ? LinkFile.longestPage : LinkFile.longest
        let text = head + String(repeating: piece, count: (most - head.utf8.count) / piece.utf8.count)
        let time = ContinuousClock().measure { _ = Self.parse(text, form) }
        // Quadratic time would be minutes.
        #expect(time < .seconds(10))
    }

    @Test func writesCanonicalLines() {
        #expect(LinkFile.canonical(.url, name: "n", url: " \(Self.a)\n[X] ") == Array("[InternetShortcut]\nURL=\(Self.a)[X]\n".utf8))
        #expect(LinkFile.canonical(.desktop, name: " a\\b\nc", url: Self.a) == Array("[Desktop Entry]\nType=Link\nName=\\sa\\\\b c\nURL=\(Self.a)\n".utf8))
    }

    static let urls = [
        a, "x", "\(a)?a=1&amp;b=2&c=\"'<>", "C:\\new\\temp", "'quoted'", "\"", "url=x", "\u{301}é \u{2028}👩‍👧", "a b", "</title><script>", "\u{FEFF}x", "%00&#10;",
    ]
    static let names = ["", " ", "  ", "A name", " around ", "<b>&amp;</b>", "a\\sb\\", "</title>", "\u{301}x", "[Desktop Entry]", "=;#", "a\nURL=evil\r\0\u{85}b"]

    @Test(arguments: LinkForm.allCases) func roundTrips(_ form: LinkForm) throws {
        for url in Self.urls {
            for name in Self.names {
                let bytes = LinkFile.canonical(form, name: name, url: url)
                let link = try LinkFile.parse(bytes, as: form).get()
                #expect(Array(link.url.utf8) == Array(url.utf8))
                if form == .desktop || form == .html {
                    let kept = LinkFile.oneLine(name)
                    #expect(link.title == (kept.isEmpty ? nil : kept))
                    #expect(LinkFile.canonical(form, name: link.title ?? "", url: link.url) == bytes)
                }
            }
        }
    }

    @Test(arguments: LinkForm.allCases) func rubbishNeverTraps(_ form: LinkForm) {
        var state: UInt64 = 0x5EED
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let pieces = Self.good.filter { $0.0 == form }.map { Array($0.1.utf8) } + [[0xFF, 0xFE], [0xFE, 0xFF, 0xD8], Array("[]=\\&#x;<a href".utf8), [0, 0x0D]]
        for _ in 0..<2_000 {
            var bytes = next(4) == 0 ? (0..<next(64)).map { _ in UInt8(next(256)) } : pieces[next(pieces.count)]
            for _ in 0..<next(6) where !bytes.isEmpty {
                let place = next(bytes.count)
                switch next(3) {
                case 0: bytes[place] = UInt8(next(256))
                case 1: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: pieces[next(pieces.count)], at: place)
                }
            }
            guard let link = try? LinkFile.parse(bytes, as: form).get() else { continue }
            let again = LinkFile.canonical(form, name: link.title ?? "", url: link.url)
            #expect((try? LinkFile.parse(again, as: form).get())?.url == link.url)
        }
    }
}
