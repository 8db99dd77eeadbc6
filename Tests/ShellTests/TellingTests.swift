import Testing
@testable import Shell

@Suite struct TellingTests {
    private let info = ItemInfo(path: "/m/Swift.url", facts: [
        ItemInfo.Fact("kind", "bookmark"), ItemInfo.Fact("stored-name", "Bookmark_Swift-1"), ItemInfo.Fact("url", "https://swift.org"),
    ])

    @Test func aDocumentIsToldForPeople() {
        #expect(info.text == """
            /m/Swift.url
              kind         bookmark
              stored name  Bookmark_Swift-1
              URL          https://swift.org

            """)
    }

    @Test func aDocumentIsToldForPrograms() {
        #expect(info.json(path: "/m/Swift.url").line == #"{"path":"/m/Swift.url","kind":"bookmark","storedName":"Bookmark_Swift-1","url":"https://swift.org"}"#)
    }

    @Test func aFindingNamesItsMend() {
        #expect(Finding(.ok, "fine").text == "ok       fine\n")
        #expect(Finding(.problem, "broken", mend: "mend it").text == "problem  broken\n         fix: mend it\n")
    }
}
