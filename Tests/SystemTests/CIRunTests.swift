import Foundation
import MountTesting
import Testing

/// `.ci/run` with a runner that says what it is told to: what turns it red, and what it says last.
@Suite(.waiting) struct CIRunTests {
    private static let passed = "✔ Test run with 2 tests in 1 suite passed after 1.2 seconds."
    private static func failed(_ issues: Int) -> String {
        "✘ Test run with 2 tests in 1 suite failed after 1.2 seconds with \(issues) issue\(issues == 1 ? "" : "s")."
    }
    private static func issue(_ name: String) -> String { "✘ Test \(name)(_:) recorded an issue with 1 argument at → \"at B.swift:\" at A.swift:3:9: Failed" }

    /// Each run of the tests says one of these, and fails if a line begins with “✘”.
    private func ci(_ runs: [String], unreliable: String = "", arguments: [String] = [], apps: String = "echo 3 steps held.") throws -> Ended {
        let folder = try TemporaryFolder()
        try shell("mkdir -p .ci Tests/Support && cp \"$1\" .ci/run && printf '#!/bin/sh\\nshift; exec \"$@\"\\n' >Tests/Support/with_fuse_device", Places.inPackage(".ci/run"), in: folder.path).good()
        try unreliable.write(toFile: folder.path + "/.ci/unreliable", atomically: true, encoding: .utf8)
        for (number, said) in runs.enumerated() { try (said + "\n").write(toFile: folder.path + "/said\(number + 1)", atomically: true, encoding: .utf8) }
        try #"""
            #!/bin/bash
            # README's first command, and the end of its drive.
            case $1 in
                mount) mkdir -p "$HOME/Valise" && touch "$HOME/Valise/Swift.url"; exit ;;
                unmount) exit ;;
            esac
            echo x >>runs; number=$(wc -l <runs)
            echo "run $number: $*"; cat "said$number"; ! grep -q "^✘" "said$number"
            """#.write(toFile: folder.path + "/mount-helper.sh", atomically: true, encoding: .utf8)
        try shell("mkdir Examples && printf '#!/bin/sh\\n%s\\n' \"$1\" >Examples/run && chmod +x Examples/run", apps, in: folder.path).good()
        try shell("chmod +x mount-helper.sh Tests/Support/with_fuse_device", in: folder.path).good()
        return try Program(["bash", ".ci/run"] + arguments, in: folder.path).wait()
    }

    @Test func runsTheTestsOfUsersAndThenAll() throws {
        let ended = try ci([Self.passed, Self.passed])
        #expect(ended.code == 0 && ended.lines.last == Self.passed, "\(ended.output)\(ended.errors)")
        #expect(ended.lines.filter { $0.hasPrefix("run ") }.count == 2 && ended.lines.contains("run 2: test"))
        let some = try ci([Self.passed], arguments: ["--filter", "Some"])
        #expect(some.lines.first == "run 1: test --filter Some" && some.lines.last == Self.passed && some.code == 0, "\(some.output)")
    }

    @Test func whatFailsIsNotRunAgain() throws {
        let ended = try ci([Self.passed, Self.issue("one") + "\n" + Self.failed(1), Self.passed])
        #expect(ended.code == 1 && ended.lines.last == Self.failed(1), "\(ended.output)")
        #expect(!ended.output.contains("run 3"))
        let first = try ci([Self.issue("one") + "\n" + Self.failed(1), Self.passed])
        #expect(first.code == 1 && first.output.contains("run 2") && first.lines.last == Self.failed(1), "\(first.output)")
    }

    @Test func theAppsOfExamplesTurnItRed() throws {
        let ended = try ci([Self.passed, Self.passed], apps: "echo 2 steps held, and then: not seen; exit 1")
        #expect(ended.code == 1 && ended.output.contains("and then: not seen") && ended.lines.last == "The apps of Examples failed.", "\(ended.output)")
        let good = try ci([Self.passed, Self.passed])
        #expect(good.code == 0 && good.lines.contains("3 steps held."), "\(good.output)")
    }

    @Test func onlyWhatIsListedMayFail() throws {
        let list = "# A/three | not listed | never\nA/one | the clock | 2026-01-01\n"
        let listed = try ci([Self.passed, Self.issue("one") + "\n" + Self.failed(1)], unreliable: list)
        #expect(listed.code == 0 && listed.output.contains("A/one: the clock (since 2026-01-01)") && listed.lines.last == Self.failed(1), "\(listed.output)\(listed.errors)")
        for said in [
            Self.issue("one") + "\n" + Self.issue("two") + "\n" + Self.failed(2),
            Self.issue("one") + "\n" + Self.failed(2), Self.issue("three") + "\n" + Self.failed(1),
            Self.issue("one") + "\nerror: Exited with unexpected signal code 11",
        ] {
            let ended = try ci([Self.passed, said], unreliable: list)
            #expect(ended.code == 1 && ended.lines.last == said.components(separatedBy: "\n").last, "\(ended.output)")
        }
    }

    /// The list is for what is being looked for, and says so.
    @Test func eachEntryOfTheListHasACauseAndADay() throws {
        let list = try String(contentsOfFile: Places.inPackage(".ci/unreliable"), encoding: .utf8)
        for line in list.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(line.wholeMatch(of: /[A-Za-z0-9_]+\/[A-Za-z0-9_]+ \| .+ \| \d{4}-\d\d-\d\d/) != nil, "\(line)")
        }
    }
}
