import Foundation
import MountTesting
import Testing

/// `./mount-helper.sh test --quick`, with a Swift that only says what it was told.
@Suite(.waiting) struct QuickRunTests {
    private func helper(_ words: String...) throws -> Ended {
        let folder = try TemporaryFolder(), swift = folder.path + "/swift"
        try """
            #!/bin/sh
            [ "$1" != --version ] || { echo "Swift version 6.3"; exit; }
            echo "swift $1 ${VALISE_QUICK_TESTS:-all}"; shift
            echo "words $*"
            """.write(toFile: swift, atomically: true, encoding: .utf8)
        try run("chmod", "+x", swift).good()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let inherited = ["HOME": folder.path, "PATH": folder.path + ":" + path]
        return try Program(["env", "-u", "VALISE_QUICK_TESTS", Places.inPackage("mount-helper.sh"), "test"] + words, environment: inherited).wait().good()
    }

    @Test func itSaysWhatItLeavesOut() throws {
        let quick = try helper("--quick")
        #expect(quick.lines.contains("swift build 1") && quick.lines.contains("swift test 1"), "\(quick.output)")
        let said = quick.lines.filter { !$0.hasPrefix("swift ") && !$0.hasPrefix("words ") }.joined(separator: " ")
        for left in ["crash points", "failing calls", "recoveries", "worlds", "fuzzing", "“skipped”", "./mount-helper.sh test"] { #expect(said.contains(left), "\(said)") }
        #expect(quick.lines.last?.hasSuffix("--skip-build --disable-xctest") == true, "\(quick.output)")
        let some = try helper("--quick", "--filter", "Some")
        #expect(some.lines.last?.hasSuffix("--disable-xctest --filter Some") == true && some.lines.contains("swift test 1"), "\(some.output)")
    }

    @Test func withoutItAllAreRun() throws {
        let all = try helper()
        #expect(all.lines.contains("swift test all") && !all.output.contains("skipped"), "\(all.output)")
        #expect(try helper("--filter", "Some").lines.contains("swift test all"))
    }
}
