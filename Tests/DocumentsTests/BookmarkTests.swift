import Documents
import PropertyLists
import Testing

@Suite struct BookmarkTests {
    let kind = BookmarkKind()
    let stored = bytes("Bookmark_Apple-1700000000.123456")

    func read(_ document: [UInt8], stored: [UInt8]? = nil, _ form: LinkForm = .url) throws -> DocumentReading {
        try kind.read([Bytes(document)], storedName: stored ?? self.stored, options: .init(linkForm: form))
    }

    func shown(_ document: [UInt8], _ form: LinkForm = .url) throws -> String {
        let reading = try read(document, form)
        return text(try #require(content(reading, of: [document])))
    }

    func written(_ content: String, _ name: String, over existing: [UInt8]? = nil) throws -> [UInt8] {
        try written(bytes(content), name, over: existing)
    }

    func written(_ content: [UInt8], _ name: String, over existing: [UInt8]? = nil) throws -> [UInt8] {
        let parts = try kind.write(content: Bytes(content), shownName: bytes(name), over: existing.map { [Bytes($0)] }, spelling: nil)
        return try #require(applied(parts, to: [existing]).first ?? nil)
    }

    func renamed(_ document: [UInt8], _ name: String) throws -> [UInt8] {
        let parts = try kind.rename([Bytes(document)], storedName: stored, to: bytes(name), options: .init())
        return try #require(applied(parts, to: [document]).first ?? nil)
    }

    @Test func isShownAsALink() throws {
        let document = try bookmark("Apple", "http://www.apple.com")
        let reading = try read(document)
        #expect(text(reading.name) == "Apple" && reading.fileExtension == "url")
        #expect(reading.facts == [.init("URL", "http://www.apple.com")])
        #expect(try shown(document) == "[InternetShortcut]\nURL=http://www.apple.com\n")
        #expect(try shown(document, .desktop) == "[Desktop Entry]\nType=Link\nName=Apple\nURL=http://www.apple.com\n")
        #expect(try read(document, .html).fileExtension == "html")
    }

    @Test func ofAnEmptyFileIsTheDefault() throws {
        let reading = try read([])
        #expect(text(reading.name) == "Bookmark Name")
        #expect(try shown([]) == "[InternetShortcut]\nURL=www.example.com\n")
        #expect(throws: DocumentFault.self) { try read([], stored: bytes("notes")) }
    }

    @Test func inMutableStrings() throws {
        let document = try archive("Bookmark", [
            members(["Bookmark Name": .uid(2), "Bookmark URL": .uid(2), "$class": .uid(4)]),
            members(["NS.string": .string("http://x"), "$class": .uid(3)]), description("NSMutableString"), description("App.Bookmark"),
        ])
        #expect(text(try read(document).name) == "http://x")
        let changed = try written("[InternetShortcut]\nURL=http://y\n", "http:∕∕x.url", over: document)
        // Both fields were one object, and only one of them changes; it stays mutable.
        #expect(text(try read(changed).name) == "http://x")
        #expect(try read(changed).facts == [.init("URL", "http://y")])
        #expect(try fields(changed, "Bookmark")["Bookmark URL"]?["NS.string"] == .string("http://y"))
        #expect(try read(changed).spelling?.rawValue == "App.Bookmark")
    }

    /// An app that was given no name writes “(null)” into the item's, or nothing.
    @Test(arguments: [
        ("Bookmark_(null)-1700000000.123456", "https://me@www.swift.org:443/a:b?c@d", "www.swift.org"),
        ("Bookmark_-1700000000.123456", "www.example.com/page", "www.example.com"), ("anything", "http://[::1]:8080", "[::1]"),
        ("Bookmark_Swift-1700000000.123456", "https://www.swift.org/", "Swift"),
        ("Bookmark_(null)-1700000000.123456", "mailto:me@site.example", "Bookmark Name"), ("Bookmark_(null)-1.000000", "", "Bookmark Name"),
    ])
    func withoutANameIsCalledAfterItsSite(stored: String, url: String, name: String) throws {
        for none in [PropertyList.string("(null)"), .string("")] {
            let document = try archive("Bookmark", [
                members(["Bookmark Name": none == .string("") ? .uid(2) : .uid(0), "Bookmark URL": .uid(3), "$class": .uid(4)]),
                none, .string(url), description("Bookmark"),
            ])
            #expect(text(try read(document, stored: bytes(stored)).name) == name)
            // From then on that is its name, whatever becomes of the address.
            let changed = try written("[InternetShortcut]\nURL=http://other.example\n", name + ".url", over: document)
            #expect(text(try read(changed, stored: bytes(stored)).name) == name)
        }
        // What somebody has called so is called so.
        #expect(text(try read(try bookmark("(null)", url), stored: bytes(stored)).name) == "(null)")
    }

    @Test(arguments: ["other.pdf", "a.txt", "a.STEDOC", "a.url", ".hidden", "Bookmark.swp"]) func isNotLookedForUnder(_ name: String) {
        #expect(!kind.mayBe(storedName: bytes(name), isFolder: false))
    }

    @Test func onlyWhatMayBeOneIsOpened() {
        #expect(!kind.mayBe(storedName: bytes("anything"), byteCount: 0) && !kind.mayBe(storedName: bytes("a.page"), byteCount: 1 << 30))
        #expect(kind.mayBe(storedName: bytes("a.page"), byteCount: 500) && kind.mayBe(storedName: stored, byteCount: 0))
    }

    @Test func isLookedForWhereItMayBe() {
        #expect(kind.mayBe(storedName: bytes("Bookmark_www.apple.com-1.000000"), isFolder: false))
        for name in ["anything", "a.page", "list.plist", "Dr. Who", "Version 1.2", "ends."] {
            #expect(kind.mayBe(storedName: bytes(name), isFolder: false))
        }
        #expect(!kind.mayBe(storedName: bytes("Bookmark_folder"), isFolder: true))
    }

    @Test func otherFilesAreForeign() throws {
        for other in [bytes("just text, long enough to be something"), bytes("x"), try archive("root", [description("X")]), try bookmark("a", "b", className: "Bookmarks")] {
            #expect { try read(other) } throws: { if case DocumentFault.foreign = $0 { true } else { false } }
        }
    }

    @Test func aNewOneIsNamedAfterItsFile() throws {
        let document = try written("[InternetShortcut]\r\nURL=https://example.com/\r\n", "A∕B ünï.url")
        let reading = try read(document)
        #expect(text(reading.name) == "A/B ünï" && reading.fileExtension == "url")
        #expect(try shown(document) == "[InternetShortcut]\r\nURL=https://example.com/\r\n")
        #expect(try fields(document, "Bookmark")["$class"] == description("Bookmark"))
    }

    @Test func theFormItWasCreatedUnderStays() throws {
        let document = try written("[Desktop Entry]\nType=Link\nURL=http://d\nName=D\nIcon=x\n# mine\n", "D.desktop")
        #expect(try read(document).fileExtension == "desktop")
        #expect(try shown(document) == "[Desktop Entry]\nType=Link\nURL=http://d\nName=D\nIcon=x\n# mine\n")
        #expect(try read(try written("[InternetShortcut]\nURL=u\n", "X.URL"), .html).fileExtension == "URL")
    }

    @Test func whatSaysMoreIsShownAgainUntilTheAppChangesIt() throws {
        let content = "; a comment\n[InternetShortcut]\nURL=http://a\nIconIndex=0\n"
        let document = try written(content, "N.url")
        #expect(try shown(document) == content)
        // Another app keeps the keys that it does not know, and changes the address.
        var list = try PropertyList(reading: Bytes(document))
        list = replacing(.string("http://a"), with: .string("http://b"), in: list, times: 1)
        #expect(try shown(try list.binary()) == "[InternetShortcut]\nURL=http://b\n")
    }

    @Test func renamingKeepsAnExactFile() throws {
        let content = "[Desktop Entry]\nType=Link\nName=Old\nURL=http://d\nIcon=x\n"
        let document = try renamed(try written(content, "Old.desktop"), "New.desktop")
        #expect(text(try read(document).name) == "New")
        #expect(try shown(document) == content)
        let canonical = try renamed(try bookmark("Old", "http://d"), "New∕.url")
        #expect(text(try read(canonical).name) == "New/")
        #expect(try fields(canonical, "Bookmark")["Valise Link Form"] == nil)
    }

    @Test func renamingToAnotherExtensionIsAnotherForm() throws {
        let content = "[InternetShortcut]\nURL=http://d\nKey=1\n"
        let asPage = try renamed(try written(content, "A.url"), "A.html")
        #expect(try read(asPage).fileExtension == "html")
        #expect(try shown(asPage).contains("url=http://d"))
        #expect(try shown(try renamed(asPage, "A.url")) == content)
    }

    @Test func savingKeepsWhatIsNotOurs() throws {
        let document = try archive("Bookmark", [
            members(["Bookmark Name": .uid(2), "Bookmark URL": .uid(3), "$class": .uid(4), "Tags": .uid(5), "Count": .integer(7), "$$odd": .real(1.5)]),
            .string("N"), .string("http://n"),
            members(["$classname": .string("Module.Bookmark")]),
            members(["NS.objects": .array([.uid(5), .uid(1)]), "$class": .uid(6)]), description("NSArray"),
        ])
        let changed = try written("[InternetShortcut]\nURL=http://m\n", "N.url", over: document)
        let kept = try fields(changed, "Bookmark")
        #expect(kept["Count"] == .integer(7) && kept["$$odd"] == .real(1.5))
        #expect(kept["Tags"] == members(["NS.objects": .array([.uid(5), .uid(1)]), "$class": .uid(6)]))
        #expect(kept["$class"] == members(["$classname": .string("Module.Bookmark")]))
        #expect(kept["Bookmark URL"] == .string("http://m"))
    }

    @Test func savingOftenDoesNotGrow() throws {
        var document = try written("[InternetShortcut]\nURL=http://0\nMore=1\n", "N.url")
        let size = document.count
        for round in 1...9 {
            document = try written("[InternetShortcut]\nURL=http://\(round)\n", "N.url", over: document)
            document = try written("[InternetShortcut]\nURL=http://\(round)\nMore=1\n", "N.url", over: document)
        }
        #expect(document.count <= size + 16)
    }

    @Test func storedNames() {
        let time = UnixMicroseconds(rawValue: 1_700_000_000_000_042)
        #expect(text(kind.storedName(forShown: bytes("Apple.url"), at: time, attempt: 0)) == "Bookmark_Apple-1700000000.000042")
        #expect(text(kind.storedName(forShown: bytes("Apple.url"), at: time, attempt: 1)) == "Bookmark_Apple-1700000000.000043")
        let long = kind.storedName(forShown: bytes(String(repeating: "é", count: 125) + ".url"), at: time, attempt: 0)
        #expect(long.count <= 255 && String(validating: long, as: UTF8.self) != nil)
        #expect(kind.takes(shownName: bytes("x.WEBLOC")) && !kind.takes(shownName: bytes(".x.url")) && !kind.takes(shownName: bytes("url")))
    }

    func replacing(_ old: PropertyList, with new: PropertyList, in list: PropertyList, times: Int) -> PropertyList {
        guard case .dictionary(let members) = list else { return list }
        return .dictionary(members.map { member in
            guard member.key == "$objects", case .array(var objects) = member.value, let place = objects.firstIndex(of: old) else { return member }
            objects[place] = new
            return .init(member.key, .array(objects))
        })
    }
}
