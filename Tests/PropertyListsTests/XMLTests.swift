import PropertyLists
import Testing

@Suite struct XMLTests {
    @Test func isReadAsItIsWritten() throws {
        let list = PropertyList.dictionary([
            .init("a & <b>", .string("\"é\" 😀\r\n\t")), .init("n", .integer(-5)), .init("r", .real(0.1)), .init("t", .boolean(true)),
            .init("d", .data([0, 1, 2, 250])), .init("when", .date(1_000_000)), .init("list", .array([.string(""), .array([]), .dictionary([])])), .init("u", .uid(3)),
        ])
        #expect(try PropertyList(xml: try #require(list.xml())) == list)
    }

    @Test func bombsAreRefused() {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><plist><string>&b;</string></plist>
            """
        #expect(throws: PropertyListFault.self) { try PropertyList(xml: Array(bomb.utf8)) }
        let deep = String(repeating: "<array>", count: 100_000)
        #expect(throws: PropertyListFault.self) { try PropertyList(xml: Array(deep.utf8)) }
        let wide = "<array>" + String(repeating: "<true/>", count: 70_000) + "</array>"
        #expect(throws: PropertyListFault.self) { try PropertyList(xml: Array(wide.utf8)) }
    }
}
