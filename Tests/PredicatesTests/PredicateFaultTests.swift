import Predicates
import RandomPredicates
import Testing

/// Which extensions a predicate asks for.
@Suite struct AskedExtensionTests {
    @Test(arguments: [
        ("name LIKE '*.album'", ["album"]), ("stored ENDSWITH[c] '.Album'", ["album"]), ("stored == 'Trip.album'", ["album"]), ("name IN {'a', 'b.one', 'c.two'}", ["one", "two"]),
        ("path LIKE '/*/Trip.album' AND (name LIKE '*.one' OR size > 1)", ["album", "one"]), ("NOT name LIKE '*.album'", []), ("name LIKE '*.al?um'", []), ("name LIKE '*.*'", []),
        ("name CONTAINS '.album'", []), ("name LIKE '*.'", []), ("name == 'album'", []), ("text ENDSWITH '.album'", []), ("stored LIKE '*.a/b'", []),
        ("stored.pathExtension ==[c] 'Album'", ["album"]), ("name.pathExtension IN {'one', 'two'}", ["one", "two"]),
    ])
    func namesThatEndSo(format: String, expected: [String]) throws {
        #expect(try Predicate(format, now: PredicateTableTests.now).askedExtensions.sorted() == expected)
    }
}

/// What cannot be understood: the place of the mistake, and what may have been meant.
@Suite struct PredicateFaultTests {
    private func fault(_ text: String, _ arguments: [PredicateArgument]? = nil) -> PredicateFault? {
        do throws(PredicateFault) {
            _ = try Predicate(text, now: PredicateTableTests.now, arguments: arguments)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        ("name LIEK 'x'", 5, "LIKE"), ("name CONTIANS 'x'", 5, "CONTAINS"), ("name BEGINWITH 'x'", 5, "BEGINSWITH"), ("nmae == 'x'", 0, "name"),
        ("kMDItemFSNam == 'x'", 0, "kMDItemFSName"), ("size > 10 MX", 10, nil), ("size > 10MX", 9, "MB"), ("name == 'x' ADN size > 1", 12, "AND"),
        ("name == Swift", 8, nil), ("name == 'x", 8, nil), ("(name == 'x'", 0, nil), ("name == 'x')", 11, nil), ("", 0, nil), ("name", 4, nil),
        ("name ==", 7, nil), ("== 'x'", 0, nil), ("size LIKE 'x'", 5, nil), ("size >[c] 1", 5, nil), ("name ==[x] 'a'", 7, nil), ("changed > 5", 10, nil),
        ("changed > 'soon'", 10, nil), ("changed > 2026-13-01", 10, nil), ("changed > now - 7 fortnights", 18, nil), ("size BETWEEN 5", 13, nil),
        ("size BETWEEN {1}", 13, nil), ("size IN {1, 2", 8, nil), ("size IN {name}", 9, nil), ("conflict > TRUE", 9, nil), ("conflict == 'x'", 12, nil),
        ("name == 5", 8, nil), ("name < nil", 7, nil), ("size == name", 8, nil), ("name MATCHES '('", 13, nil), ("name MATCHES '[a'", 13, nil),
        ("name MATCHES '*'", 13, nil), ("name MATCHES '(?=a)'", 13, nil), ("name MATCHES '(a)\\1'", 13, nil), ("name MATCHES 'a{5,2}'", 13, nil),
        ("name MATCHES stored", 13, nil), ("name == %@", 8, nil), ("name == 'x' name", 12, nil), ("name ; 'x'", 5, nil), ("{1} == 1", 0, nil), ("size > 1e999", 7, nil),
        ("modified > now - 1d", 0, "changed"), ("birth > now", 0, "created"), ("changed > yesterday", 10, "now - 1d"), ("filename == 'x'", 0, "name"),
    ] as [(String, Int, String?)])
    func mistakesHaveTheirPlace(_ text: String, _ place: Int, _ hint: String?) throws {
        let fault = try #require(self.fault(text), "\(text)")
        #expect(fault.place == place, "\(text): \(fault)")
        #expect(fault.hint == hint, "\(text): \(fault)")
        #expect(!fault.sentence.isEmpty)
    }

    @Test func theCaretStandsUnderIt() throws {
        let text = "näme LIKE 'x'"
        let fault = try #require(self.fault(text))
        #expect(fault.lines(of: text) == ["näme LIKE 'x'", "^"])
        let second = "name == 'ä\t' AND nmae == 'y'"
        let other = try #require(self.fault(second))
        #expect(other.lines(of: second) == ["name == 'ä ' AND nmae == 'y'", "                 ^"])
        let long = String(repeating: "name == 'x' AND ", count: 1000) + "nmae == 'y'"
        let lines = try #require(self.fault(long)).lines(of: long)
        #expect(lines.allSatisfy { $0.count <= 70 })
        let caret = try #require(lines.last?.count)
        #expect(lines.first?.dropFirst(caret - 1).hasPrefix("nmae") == true)
    }

    @Test func argumentsStandForPlaceholders() throws {
        let items = try SampleItem.all()
        func found(_ format: String, _ arguments: [PredicateArgument]) throws -> String {
            let predicate = try Predicate(format, now: PredicateTableTests.now, arguments: arguments)
            return items.filter { predicate.holds($0.value) }.map(\.id).joined()
        }
        let name = PredicateArgument.value(.text("NSMetadataItemFSNameKey"))
        // As the stories write it, in either case.
        #expect(try found("%K like '*'", [.value(.text("kMDItemFSName"))]) == "abcdefghijklmno")
        #expect(try found("%K LIKE %@", [name, .value(.text("*.stedoc"))]) == "cdhim")
        #expect(try found("%K == %d OR size > %f", [.value(.text("kMDItemFSSize")), .value(.number(54)), .value(.number(3e6))]) == "af")
        #expect(try found("kind IN %@", [.list([.text("photo"), .text("text")])]) == "cdefhim")
        #expect(try found("size BETWEEN %@", [.list([.number(50), .number(60)])]) == "an")
        #expect(try found("text CONTAINS '100%% juice'", []) == "d")
        #expect(fault("%K == 1", [])?.place == 0)
        #expect(fault("size == 1", [name])?.place == 9)
        #expect(fault("size == %d", [.value(.number(1.5))])?.place == 8)
        #expect(fault("%K == 1", [.value(.text("sise"))])?.hint == "size")
        #expect(fault("size == %x", [])?.place == 8)
    }

    @Test func wordsAreLookedForEverywhere() throws {
        let items = try SampleItem.all()
        func found(_ text: String) throws -> String {
            let predicate = try Predicate(typed: text, now: PredicateTableTests.now)
            return items.filter { predicate.holds($0.value) }.map(\.id).joined()
        }
        #expect(try found("swift") == "abn")
        #expect(try found("SWIFT forums") == "b")
        #expect(try found("\"shopping list\"") == "d")
        #expect(try found("cafe") == "c")
        #expect(try found("coffee") == "c")
        #expect(try found("https://forums.swift.org/c/development?x=1&y=%20") == "b")
        #expect(try found("list") == "d")
        #expect(try found("name") == "o")
        #expect(try found("*.TXT") == "cdhikm")
        #expect(try found("cafe*") == "c")
        #expect(try found("*holi* *.jpg") == "e")
        #expect(try found("\"*.txt\"") == "")
        #expect(try found("kind == 'photo'") == "ef")
        #expect(try found("milk and eggs") == "d")
        for mistake in ["name LIEK 'x'", "name LIKE x", "size >", "(swift", "name=='x", "swift CONTAINS 'x'", "", "  "] {
            #expect(throws: PredicateFault.self, "\(mistake)") { try Predicate(typed: mistake, now: PredicateTableTests.now) }
        }
    }

    /// Predicates that are made to be too much: they are refused or judged in bounded steps.
    @Test func whatIsTooMuchIsRefused() throws {
        let item = try #require(SampleItem.all().first)
        let refused = [
            String(repeating: "name == 'x' OR ", count: 80_000) + "name == 'x'", String(repeating: "(", count: 10_000) + "size > 1" + String(repeating: ")", count: 10_000),
            String(repeating: "NOT ", count: 10_000) + "size > 1", String(repeating: "!", count: 10_000) + "size > 1", "'" + String(repeating: "x", count: 1 << 20) + "' == name",
            "name MATCHES '" + String(repeating: "(", count: 10_000) + "'", "name MATCHES '((((a{1000}){1000}){1000}){1000})'", "name MATCHES '(((((){1000}){1000}){1000}){1000}){1000}'",
            "name MATCHES 'a" + String(repeating: "*", count: 10_000) + "'", "size IN {" + String(repeating: "1,", count: 20_000) + "1}",
        ]
        for text in refused { #expect(fault(text) != nil, "\(text.prefix(60))") }
        let long = Array(String(repeating: "a", count: 3000).utf8)
        for (pattern, answer) in [("(a*)*b", false), ("(a+)+", true), ("(a|aa)+", true), ("(.*)(.*)(.*)(.*)(.*)x", false), ("a{1000}.*", true)] {
            let predicate = try Predicate("text MATCHES '\(pattern)'", now: PredicateTableTests.now)
            #expect(predicate.holds { $0 == .text ? .text(long) : .missing } == answer, "\(pattern)")
        }
        let stars = try Predicate("text LIKE '" + String(repeating: "*a", count: 200) + "*b'", now: PredicateTableTests.now)
        #expect(!stars.holds { $0 == .text ? .text(long) : .missing })
        let wide = try Predicate(Array(repeating: "name == 'Swift.url'", count: 2000).joined(separator: " AND "), now: PredicateTableTests.now)
        #expect(wide.holds(item.value))
    }

    @Test(arguments: ["2026-03-01T09:05:00Z", "1969-12-31T23:59:59.5Z", "2000-02-29T00:00:00Z", "1999-12-31T23:59:59.000000001Z", "1700-01-01T00:00:00Z"])
    func momentsAreWrittenAsTheyAreRead(_ text: String) throws {
        #expect(try #require(Moment(Array(text.utf8))).text == text)
        #expect(Moment(nanoseconds: .min).text == "1677-09-21T00:12:43.145224192Z" && Moment(nanoseconds: .max).text == "2262-04-11T23:47:16.854775807Z")
    }

    /// What is cut off or mixed up anywhere is judged or refused, and nothing else.
    @Test func noBytesEndTheProcess() throws {
        let item = try #require(SampleItem.all().first)
        var random = RandomPredicates(seed: 4)
        for round in 0..<600 {
            var bytes = Array(random.next().utf8)
            let place = (round * 7919) % (bytes.count + 1)
            switch round % 3 {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.insert(UInt8(truncatingIfNeeded: round &* 31), at: place)
            default: bytes = Array(bytes[place...] + bytes[..<place])
            }
            if let predicate = try? Predicate(typed: String(decoding: bytes, as: UTF8.self), now: PredicateTableTests.now) { _ = predicate.holds(item.value) }
        }
    }
}
