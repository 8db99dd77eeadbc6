import Foundation
import MountTesting
import Testing

private let hasTools = (try? run("sh", "-c", "command -v git && command -v swift").code) == 0

/// A version is a tag, and packages depend on it by that. Each test makes its own repository of the project's files, which may be an unpacked archive.
@Suite(.long, .disabled(if: !hasTools, "there is no git or no swift here"), .timeLimit(.minutes(30))) struct ReleaseTests {
    private let folder: MountTesting.TemporaryFolder
    private var project: String { folder.path + "/valise" }

    /// No settings of this computer's, and a name for who commits.
    private static let environment = ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"]
    private static let settings = [
        "user.name=Valise", "user.email=valise@example.org", "init.defaultBranch=main", "protocol.file.allow=always", "commit.gpgSign=false", "tag.gpgSign=false",
        "core.autocrlf=false", "gc.auto=0", "safe.directory=*",
    ]

    /// For programs that call git.
    private static var inherited: [String: String] {
        var all = environment
        for (number, setting) in settings.enumerated() {
            let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
            (all["GIT_CONFIG_KEY_\(number)"], all["GIT_CONFIG_VALUE_\(number)"]) = (parts[0], parts[1])
        }
        all["GIT_CONFIG_COUNT"] = "\(settings.count)"
        return all
    }

    init() throws {
        folder = try MountTesting.TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/valise", withIntermediateDirectories: false)
        // All that the project is made of, and nothing that was built of it.
        try run("sh", "-c", "cd \"$1\" && tar --exclude=.git --exclude='.build*' -cf - . | tar --no-same-owner -xf - -C \"$2\"", "sh", Places.inPackage(""), folder.path + "/valise").good()
        try git("init", "--quiet")
        try commit()
    }

    @discardableResult
    private func git(_ words: String...) throws -> Ended {
        try Program(["git", "-C", project] + Self.settings.flatMap { ["-c", $0] } + words, environment: Self.environment).wait(seconds: 120).good()
    }

    private func commit() throws {
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "All of it")
    }

    private func release(_ words: String...) throws -> Ended { try Program([project + "/Packaging/release"] + words, environment: Self.inherited).wait(seconds: 120) }

    private func version() throws -> String {
        let page = try String(contentsOfFile: project + "/CHANGELOG.md", encoding: .utf8)
        return try #require(page.split(separator: "\n").first { $0.hasPrefix("## ") }).dropFirst(3).description
    }

    @Test func aVersionIsTaggedOnceAndOnlyAsItIs() throws {
        let version = try version()
        func refused(_ why: String, _ words: String...) throws {
            let ended = try Program([project + "/Packaging/release"] + words, environment: Self.inherited).wait(seconds: 120)
            #expect(ended.code == 1 && ended.errors.contains(why), "\(ended.output)\(ended.errors)")
            #expect(try git("tag", "--list").output.isEmpty)
        }
        try refused("name the version")
        try refused("is no version", "v" + version)
        try refused("says version \(version), and not 9.9.9", "9.9.9")
        try Data("x".utf8).write(to: URL(fileURLWithPath: project + "/new"))
        try refused("not committed", version)
        try FileManager.default.removeItem(atPath: project + "/new")
        let page = project + "/CHANGELOG.md", text = try String(contentsOfFile: page, encoding: .utf8)
        try text.replacingOccurrences(of: "## \(version)\n", with: "## 0.0.1\n").write(toFile: page, atomically: false, encoding: .utf8)
        try commit()
        try refused("CHANGELOG.md begins with 0.0.1", version)
        try text.write(toFile: page, atomically: false, encoding: .utf8)
        try commit()

        let ended = try release(version)
        #expect(ended.code == 0 && ended.output.contains("git push origin \(version)"), "\(ended.output)\(ended.errors)")
        #expect(try git("tag", "--list").output == version + "\n")
        let message = try git("tag", "--list", "--format=%(contents)", version).output
        #expect(message.hasPrefix("Valise \(version)\n\n- ") && !message.contains("\n## "))
        let again = try release(version)
        #expect(again.code == 1 && again.errors.contains("is there already"))
    }

    /// As docs/PORTING.md says it: by the address and a version. What is built of it is little: the rest takes minutes, and is built with these tests.
    @Test func aPackageDependsOnATaggedClone() throws {
        let version = try version()
        #expect(try release(version).code == 0)
        let page = try String(contentsOfFile: Places.inPackage("docs/PORTING.md"), encoding: .utf8)
        let manifest = try #require(page.components(separatedBy: "```swift\n").first { $0.hasPrefix("// swift-tools-version") }?.components(separatedBy: "```").first)
        #expect(manifest.contains("from: \"1.0.0\"") && manifest.contains("/path/or/address/of/valise"))
        let app = folder.path + "/app"
        try FileManager.default.createDirectory(atPath: app + "/Sources/App", withIntermediateDirectories: true)
        try manifest.replacingOccurrences(of: "/path/or/address/of/valise", with: project).write(toFile: app + "/Package.swift", atomically: false, encoding: .utf8)
        try FileManager.default.copyItem(atPath: Places.inPackage("Tests/FirstProgram/App.swift"), toPath: app + "/Sources/App/App.swift")
        let ended = try Program(
            ["swift", "build", "--package-path", app, "--cache-path", folder.path + "/cache", "--config-path", folder.path + "/config", "--security-path", folder.path + "/security",
             "--disable-index-store", "--target", "CalendarDays"],
            environment: Self.inherited).wait(seconds: 900)
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
        let pins = try String(contentsOfFile: app + "/Package.resolved", encoding: .utf8)
        #expect(pins.contains("\"version\" : \"\(version)\""), "\(pins)")
    }
}
