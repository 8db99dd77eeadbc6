import Testing

@testable import PropertyLists

@Suite struct XMLPropertyListTests {
    static func strings(_ text: String) -> [String: String]? { XMLPropertyList.strings(in: Array(text.utf8)) }

    static let good: [(String, [String: String])] = [
        ("<plist><dict><key>URL</key><string>https://a.example/</string></dict></plist>", ["URL": "https://a.example/"]),
        ("\u{FEFF}<?xml version='1.0'?>\n<plist version=\"1.0\">\r\n<dict/>\n</plist>\n<!-- end -->\n", [:]),
        ("<plist><dict><key>a</key><string>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;</string></dict></plist>", ["a": "<>&\"'AB"]),
        ("<plist><dict><key>a</key><string><![CDATA[<&amp;>]]></string></dict></plist>", ["a": "<&amp;>"]),
        ("<plist><dict><key>a</key><string>x<!-- > -->y</string></dict></plist>", ["a": "xy"]),
        ("<plist><dict><key>a</key><string/><key/><string>e</string></dict></plist>", ["a": "", "": "e"]),
        ("<plist><dict><key>n</key><integer>1</integer><key>d</key><dict><key>x</key><string>y</string></dict><key>s</key><string>t</string></dict></plist>", ["s": "t"]),
        ("<plist><dict><key>a</key><array><string>in</string></array></dict></plist>", [:]),
        ("<plist><dict><key>a</key><string>1\r\n2\r3</string></dict></plist>", ["a": "1\n2\n3"]),
        ("<!DOCTYPE plist [<!ENTITY e \"]>\"><!-- ' ]> -->]><plist><dict><key>a</key><string>b</string></dict></plist>", ["a": "b"]),
    ]

    static let bad: [String] = [
        "", "x", "<", "<plist>", "<plist/>", "<plist></plist>", "<plist><array/></plist>", "<dict/>", "bplist00", "</plist>",
        "<plist><dict></plist></dict>", "<plist><dict/><dict/></plist>", "<plist><dict/></plist><plist><dict/></plist>", "<plist><dict/></plist>x",
        "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
        "<plist><dict><key>a</key><key>b</key><string>c</string></dict></plist>",
        "<plist><dict>x</dict></plist>", "<plist><dict><key>a</key><string>a<b/></string></dict></plist>",
        "<plist><dict><key>a</key><string>&e;</string></dict></plist>", "<plist><dict><key>a</key><string>&#0;</string></dict></plist>",
        "<plist><dict><key>a</key><string>&#xD800;</string></dict></plist>", "<plist><dict><key>a</key><string>&#99999999999;</string></dict></plist>",
        "<plist><dict><key>a</key><string>&#+5;</string></dict></plist>", "<plist><dict><key>a</key><string>&amp</string></dict></plist>",
        "<plist><dict><key>a</key><string>\u{1}</string></dict></plist>", "<!-- <plist><dict/></plist>", "<!DOCTYPE plist [ > <plist><dict/></plist>",
        "<!DOCTYPE p [<!ENTITY e \"x\">]><plist><dict><key>a</key><string>&e;</string></dict></plist>",
    ]

    @Test(arguments: good) func reads(_ text: String, _ expected: [String: String]) { #expect(Self.strings(text) == expected) }

    @Test(arguments: bad) func refuses(_ text: String) { #expect(Self.strings(text) == nil) }

    @Test func refusesWhatIsNotUTF8OrTooLong() {
        #expect(XMLPropertyList.strings(in: Array("<plist><dict><key>a</key><string>".utf8) + [0xFF] + Array("</string></dict></plist>".utf8)) == nil)
        let list = XMLPropertyList.dictionary([("a", "b")])
        #expect(XMLPropertyList.strings(in: list, limit: list.count) == ["a": "b"])
        #expect(XMLPropertyList.strings(in: list, limit: list.count - 1) == nil)
    }

    @Test func writesAsAppleDoes() {
        #expect(String(decoding: XMLPropertyList.dictionary([("URL", "https://a.example/?b&c")]), as: UTF8.self) == """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>URL</key>
            \t<string>https://a.example/?b&amp;c</string>
            </dict>
            </plist>

            """)
        #expect(XMLPropertyList.strings(in: XMLPropertyList.dictionary([])) == [:])
    }

    @Test(arguments: ["", " ", "a\r\nb\tc", "<&>\"'", "]]>", "é👩‍👧\u{301}", "&amp;", "\u{2028}"]) func roundTrips(_ value: String) {
        #expect(XMLPropertyList.strings(in: XMLPropertyList.dictionary([("k<", value), ("z", "")])) == ["k<": value, "z": ""])
    }

    @Test func deepNestingAndManyMarksEnd() {
        #expect(Self.strings("<plist><dict><key>a</key>" + String(repeating: "<array>", count: 100_000)) == nil)
        #expect(Self.strings(String(repeating: "<!--", count: 100_000)) == nil)
    }

    @Test func rubbishNeverTraps() {
        var state: UInt64 = 0x5EED
        let pieces = Self.good.map { Array($0.0.utf8) } + [Array("<![CDATA[".utf8), Array("&#".utf8), [0xFF, 0x00, 0x3C], Array("</".utf8)]
        for _ in 0..<2_000 {
            func next(_ bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int((state >> 33) % UInt64(bound))
            }
            var bytes = pieces[next(pieces.count)]
            for _ in 0..<next(6) where !bytes.isEmpty {
                let place = next(bytes.count)
                switch next(3) {
                case 0: bytes[place] = UInt8(next(256))
                case 1: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: pieces[next(pieces.count)], at: place)
                }
            }
            _ = XMLPropertyList.strings(in: bytes)
        }
    }
}
