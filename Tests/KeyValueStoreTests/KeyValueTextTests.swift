import PropertyLists
import SeededNumbers
import Testing
@testable import KeyValueStore

/// Values as text, and the same values back.
@Suite struct KeyValueTextTests {
    @Test(arguments: [
        (PropertyList.string("Bread\n"), KeyValueType.string, "Bread\n"), (.integer(-5), .integer, "-5\n"), (.real(1.5), .real, "1.5\n"),
        (.integer(Int128(UInt64.max)), .integer, "18446744073709551615\n"), (.boolean(true), .boolean, "true\n"), (.data([0x41]), .data, "A"),
        (.date(0), .date, "2001-01-01T00:00:00Z\n"), (.date(0.25), .date, "2001-01-01T00:00:00.25Z\n"), (.date(-0.5), .date, "2000-12-31T23:59:59.5Z\n"),
        (.array([.integer(1), .string("a"), .boolean(false), .real(2)]), .array, "[1,\"a\",false,2.0]\n"),
        (.dictionary([.init("b", .array([])), .init("a", .dictionary([]))]), .dictionary, "{\"b\":[],\"a\":{}}\n"),
        (.array([.data([0, 1, 2]), .date(9), .integer(Int128(UInt64.max))]), .array,
         "[{\"$data\":\"AAEC\"},{\"$date\":\"2001-01-01T00:00:09Z\"},{\"$integer\":\"18446744073709551615\"}]\n"),
        (.array([.dictionary([.init("$data", .string("x"))]), .dictionary([.init("$x", .integer(1)), .init("y", .integer(2))])]), .array,
         "[{\"$dictionary\":{\"$data\":\"x\"}},{\"$x\":1,\"y\":2}]\n"),
        (.date(1e-11), .date, "1e-11\n"), (.date(1e300), .date, "1e+300\n"), (.date(6.5535e34), .date, "6.5535e+34\n"), (.real(.infinity), .real, "inf\n"), (.array([.real(-.infinity)]), .array, "[{\"$real\":\"-inf\"}]\n"),
        (.real(.nan), .real, "nan\n"), (.array([.real(.nan)]), .array, "[{\"$real\":\"nan\"}]\n"), (.string(""), .string, ""),
    ])
    func valuesAreText(value: PropertyList, type: KeyValueType, text: String) {
        #expect(KeyValueType(of: value) == type)
        #expect(String(decoding: KeyValueText.bytes(of: value), as: UTF8.self) == text)
        #expect(KeyValueText.value(Array(text.utf8), as: type) == value)
    }

    @Test(arguments: [
        (KeyValueType.integer, "5 apples"), (.integer, ""), (.integer, "1.5"), (.integer, "18446744073709551616"), (.integer, "-9223372036854775809"), (.real, "many"),
        (.boolean, "yes"), (.date, "yesterday"), (.date, "2026-02-30x"), (.date, "nan"), (.array, "{}"), (.array, "[null]"), (.array, "[1"), (.dictionary, "[]"),
        (.dictionary, "{\"a\":1,\"a\":2}"), (.array, "[{\"$thing\":1}]"), (.array, "[{\"$data\":\"*\"}]"), (.dictionary, "{\"$date\":\"2026-03-01T00:00:00Z\"}"),
    ])
    func whatIsNoneIsRefused(type: KeyValueType, text: String) { #expect(KeyValueText.value(Array(text.utf8), as: type) == nil) }

    @Test func spacesAroundNumbersMeanNothing() {
        #expect(KeyValueText.value(Array(" 5\r\n".utf8), as: .integer) == .integer(5))
        #expect(KeyValueText.value(Array("2026-03-01\n".utf8), as: .date) == KeyValueText.value(Array("2026-03-01T00:00:00Z".utf8), as: .date))
        #expect(KeyValueText.value([0xFF], as: .string) == nil && KeyValueText.type(ofNew: [0xFF]) == .data && KeyValueText.type(ofNew: []) == .string)
    }

    /// Any value comes back from its text, whatever is in it.
    /// Whatever is written in pieces begins as a value of its type does; what cannot become one is known soon.
    @Test func whatCannotBecomeAValueIsKnown() throws {
        let values: [PropertyList] = [
            .string("é"), .integer(-5), .integer(Int128(UInt64.max)), .real(1.5), .real(-.infinity), .real(1e300), .boolean(true), .boolean(false), .date(0), .date(0.25), .date(1e300),
            .date(-1e-11), .data([0, 255]), .array([.string("a")]), .dictionary([.init("k", .real(1))]),
        ]
        for value in values {
            let type = try #require(KeyValueType(of: value)), bytes = KeyValueText.bytes(of: value)
            for text in [bytes, Array(" \n".utf8) + bytes, Array("0x1P-3 ".utf8).filter { _ in type == .real }, Array("2026-03-01".utf8).filter { _ in type == .date }] {
                for count in 0...text.count { #expect(KeyValueText.mayBegin(Array(text.prefix(count)), as: type), "\(type) \(text.prefix(count))") }
            }
        }
        for (text, types) in [
            ("forty", [KeyValueType.integer, .real, .boolean, .date, .array, .dictionary]), ("trye", [.boolean, .array]), ("[", [.dictionary, .integer]), ("{", [.array, .real]),
            ("\0", [.integer, .real, .date, .boolean]), ("4.5", [.integer]), ("é", [.real, .date, .integer]),
        ] {
            for type in types { #expect(!KeyValueText.mayBegin(Array(text.utf8), as: type), "\(type) \(text)") }
        }
    }

    @Test func everyValueComesBack() throws {
        var numbers = SeededNumbers(seed: 17)
        for _ in 0..<3_000 {
            let value = Self.value(&numbers, depth: 1)
            let type = try #require(KeyValueType(of: value))
            #expect(KeyValueText.value(KeyValueText.bytes(of: value), as: type) == value, "\(value)")
        }
    }

    private static func value(_ numbers: inout SeededNumbers, depth: Int) -> PropertyList {
        switch numbers.next() % (depth > 4 ? 6 : 8) {
        case 0: return .string(text(&numbers))
        case 1: return .integer(Int128(Int64(bitPattern: numbers.next())))
        case 2: return .real(Double(Int64(bitPattern: numbers.next())) / 4096)
        case 3: return .boolean(numbers.next() % 2 == 0)
        case 4: return .date(Double(numbers.next() % 1_600_000_000) + Double(numbers.next() % 1_000_000) / 1_000_000)
        case 5: return .data((0..<numbers.next() % 9).map { _ in UInt8(truncatingIfNeeded: numbers.next()) })
        case 6: return .array((0..<numbers.next() % 4).map { _ in value(&numbers, depth: depth + 1) })
        default:
            let keys = Set((0..<numbers.next() % 4).map { _ in (numbers.next() % 3 == 0 ? "$" : "") + ["data", "date", "a", text(&numbers)][Int(numbers.next() % 4)] })
            return .dictionary(keys.sorted().map { .init($0, value(&numbers, depth: depth + 1)) })
        }
    }

    private static func text(_ numbers: inout SeededNumbers) -> String {
        String((0..<numbers.next() % 6).map { _ in (["a", "\"", "\\", "\n", "\u{1}", "ä", "😀", "$", "/", "\u{85}"] as [Character])[Int(numbers.next() % 10)] })
    }
}
