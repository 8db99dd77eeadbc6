import Foundation
import MountTesting
import Testing

/// Every example of docs/SEMANTICS.md, on a real mount.
@Suite(.mounting) struct SemanticsTests {
    @Test(arguments: try SemanticsPage.examples()) func example(_ example: SemanticsPage.Example) throws {
        let container = try TemporaryContainer(example.description)
        let tools = try TemporaryFolder()
        symlink(Places.valise, tools.path + "/valise")
        let environment = ["CONTAINER": container.path, "PATH": tools.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
        try withDrive(container, options: example.options) { drive in
            for step in example.steps {
                let ended = try shell("exec 2>&1; eval \"$1\"", step.command, in: drive.mountpoint, environment: environment)
                #expect(step.matches(ended.lines), "line \(step.line): $ \(step.command)\nprinted:\n\(ended.output)\ninstead of:\n\(step.expected.joined(separator: "\n"))")
            }
        }
    }

    @Test func thePageHasExamples() throws {
        #expect(try SemanticsPage.examples().count > 15)
    }
}

/// The examples in the page.
enum SemanticsPage {
    struct Example: CustomTestStringConvertible, Sendable {
        var heading: String
        var line: Int
        var options: String?
        var description = ""
        var steps: [Step] = []

        var testDescription: String { "\(heading) (line \(line))" }
    }

    struct Step: Sendable {
        let line: Int
        let command: String
        var expected: [String] = []

        /// “…” stands for anything within a line.
        func matches(_ printed: [String]) -> Bool {
            printed.count == expected.count && zip(printed, expected).allSatisfy { printed, expected in
                guard expected.contains("…") else { return Array(printed.utf8) == Array(expected.utf8) }
                let pattern = expected.components(separatedBy: "…").map(NSRegularExpression.escapedPattern).joined(separator: ".*")
                return printed.range(of: "^\(pattern)$", options: .regularExpression) != nil
            }
        }
    }

    static func examples() throws -> [Example] {
        let page = try String(contentsOfFile: Places.inPackage("docs/SEMANTICS.md"), encoding: .utf8)
        var examples: [Example] = []
        var heading = "", isInside = false
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
            switch line {
            case "```semantics":
                isInside = true
                examples.append(Example(heading: heading, line: index + 1))
            case "```": isInside = false
            case _ where isInside: examples[examples.count - 1].take(line, number: index + 1)
            case _ where line.hasPrefix("#"): heading = line.trimmingCharacters(in: CharacterSet(charactersIn: "# "))
            default: break
            }
        }
        return examples
    }
}

extension SemanticsPage.Example {
    mutating func take(_ text: String, number: Int) {
        if text.hasPrefix("$ ") {
            steps.append(SemanticsPage.Step(line: number, command: String(text.dropFirst(2))))
        } else if !steps.isEmpty {
            steps[steps.count - 1].expected.append(text)
        } else if text.hasPrefix("options: ") {
            options = String(text.dropFirst(9))
        } else {
            description += text + "\n"
        }
    }
}
