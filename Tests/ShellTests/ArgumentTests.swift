import Testing
@testable import Shell

@Suite struct ArgumentTests {
    private func run(_ words: String...) throws -> (verb: Verb, arguments: Arguments) {
        guard case .run(let verb, let arguments) = try Invocation.parse(words) else { throw NotRun() }
        return (verb, arguments)
    }
    private struct NotRun: Error {}

    @Test func optionsMayStandAnywhere() throws {
        let (verb, arguments) = try run("mount", "/c", "-o", "ro", "/m", "-f")
        #expect(verb.name == .mount)
        #expect(arguments.operands == ["/c", "/m"])
        #expect(arguments.values(of: .mountOptions) == ["ro"])
        #expect(arguments.has(.foreground) && !arguments.has(.debug))
    }

    @Test func lettersMayBeTogetherAndValuesAttached() throws {
        let (_, arguments) = try run("mount", "-fdoro", "-o", "uid=1", "--", "-c", "-m")
        #expect(arguments.has(.foreground) && arguments.has(.debug))
        #expect(arguments.values(of: .mountOptions) == ["ro", "uid=1"])
        #expect(arguments.operands == ["-c", "-m"])
    }

    @Test func wordsTakeTheirValueEitherWay() throws {
        #expect(try run("init", "--create=text", "/c").arguments.values(of: .create) == ["text"])
        #expect(try run("init", "--create", "text", "/c").arguments.values(of: .create) == ["text"])
        #expect(try run("init", "--create=", "/c").arguments.values(of: .create) == [""])
        #expect(try run("status", "-").arguments.operands == ["-"])
    }

    @Test(arguments: [
        (["--help"], nil), (["-h"], nil), (["help"], nil),
        (["help", "mount"], VerbName.mount), (["mount", "--help"], .mount), (["mount", "-fh"], .mount), (["help", "--help"], .help),
        (["mount", "a", "b", "c", "--help"], .mount),
    ])
    func helpIsThereEverywhere(words: [String], name: VerbName?) throws {
        guard case .help(let verb) = try Invocation.parse(words) else { throw NotRun() }
        #expect(verb?.name == name)
    }

    @Test(arguments: [
        ([], "say what to do", 2),
        (["unmont"], "did you mean “unmount”?", 2),
        (["stat"], "did you mean “status”?", 2),
        (["frobnicate"], "“valise --help” lists them", 2),
        (["-x"], "a verb comes first", 2),
        (["help", "muont"], "did you mean “mount”?", 2),
        (["mount", "--forground", "a", "b"], "did you mean “--foreground”?", 1),
        (["mount", "-x", "a", "b"], "“-x” is not an option of “mount”", 1),
        (["mount", "a"], "missing MOUNTPOINT: valise mount CONTAINER MOUNTPOINT", 1),
        (["mount", "a", "b", "c"], "unexpected operand “c”", 1),
        (["mount", "a", "b", "-o"], "“-o” needs a value: -o OPTIONS", 1),
        (["status", "--json=yes"], "“--json” takes no value", 2),
        (["status", "--jsn"], "did you mean “--json”?", 2),
        (["init", "--create"], "“--create” needs a value: --create KINDS", 2),
        (["info"], "valise info DOCUMENT…", 2),
        (["coordinate", "a", "--"], "missing COMMAND…: valise coordinate ITEM -- COMMAND…", 2),
        (["import", "--undo"], "name the drive or the container whose last import is to be taken back: valise import --undo WHERE", 2),
        (["import"], "missing SOURCE", 2),
        (["info\n\u{1B}[2J"], "info\\n\\u{1b}[2J", 2),
    ])
    func aWrongCallIsAnsweredWithTheMend(words: [String], part: String, code: Int32) throws {
        let fault = try #require(throws: UsageFault.self) { try Invocation.parse(words) }
        #expect(fault.sentence.contains(part), "\(fault.sentence)")
        #expect(fault.exitCode == code)
    }

    @Test(arguments: VerbName.allCases)
    func everyPageFitsATerminal(name: VerbName) {
        let page = Help.page(for: Verb.named(name))
        #expect(page.hasPrefix("usage: valise \(name.rawValue)"))
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= Help.width })
        #expect(page.hasSuffix("\n") && !page.hasSuffix("\n\n"))
    }

    @Test func everyVerbHasExamples() throws {
        for verb in Verb.all {
            #expect(!verb.examples.isEmpty, "\(verb.word)")
            for example in verb.examples where !example.line.contains("'") {
                // Where its output goes is the shell's.
                let words = example.line.split(separator: " ").map(String.init).filter { !$0.hasPrefix(">") }
                #expect(words.first == "valise" && words.count > 1 && words[1] == verb.word && Help.page(for: verb).contains(example.line))
                // Each is understood.
                #expect(throws: Never.self) { try Invocation.parse(Array(words.dropFirst())) }
            }
        }
    }

    @Test func someWordsAreUnderstoodEverywhere() throws {
        for verb in Verb.all where verb.operands.count.contains(0) && verb.name != .help { #expect(try run(verb.word, "-q", "--verbose").arguments.has(.quiet)) }
        #expect(try run("umount", "/m").verb.name == .unmount)
        guard case .help(let explained) = try Invocation.parse(["help", "umount"]) else { throw NotRun() }
        #expect(explained?.name == .unmount)
    }

    @Test func theOverviewNamesEveryVerb() {
        for verb in Verb.all { #expect(Help.overview.contains(verb.word)) }
    }
}
