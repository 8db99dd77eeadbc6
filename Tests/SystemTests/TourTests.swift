import Foundation
import MountTesting
import Testing

/// The tour at the top of README.md, as a new user goes it: with a home of her own, line by line.
/// She is “nobody”, because fusermount3 wants a user that has a name.
@Suite(.long, .mounting) struct TourTests {
    @Test func everyLineWorks() throws {
        let readme = try String(contentsOfFile: Places.inPackage("README.md"), encoding: .utf8)
        let block = try #require(readme.firstMatch(of: /## A tour\n\n```sh\n((?:.|\n)*?)```/)?.1)
        let lines = block.split(separator: "\n").map(String.init)
        #expect((10...18).contains(lines.count))

        // What she has cloned, built already. She need not reach what these tests were built in.
        let folder = try TemporaryFolder()
        try shell("""
            mkdir -p clone/.build/release home && cp "$1" clone && cp "$2" "$2-thumbnailer" clone/.build/release && chmod -R a+rX . && chown -R nobody:nogroup .
            """, Places.inPackage("mount-helper.sh"), Places.valise, in: folder.path).good()
        let words = [Places.support("with_fuse_device"), "666", "setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "bash", "-e", "-c"]
        // A drive that is left would keep the namespace for good.
        let atEnd = "trap 'if findmnt --mountpoint ~/Valise >&2; then fusermount3 -u -z ~/Valise; fi' EXIT\n"
        let ended = try Program(
            words + [atEnd + lines.map { "echo \"\(marker)\"\n\($0)" }.joined(separator: "\n")], in: folder.path + "/clone",
            environment: ["HOME": folder.path + "/home", "BUILT": folder.path + "/clone/.build/release", "XDG_DATA_HOME": folder.path + "/home/.local/share"]
        ).wait()
        let answers = ended.output.components(separatedBy: "\(marker)\n").dropFirst()
        #expect(ended.code == 0 && answers.count == lines.count, "“\(lines[min(answers.count, lines.count) - 1])” failed: \(ended.errors)")
        #expect(ended.errors.isEmpty, "\(ended.errors)")
        #expect(answers.contains { $0.contains("Swift.url") && $0.contains("rw-") } && answers.contains { $0.contains("List.stedoc") && $0.contains("Pictures/") }, "\(ended.output)")
    }

    /// Who has played with the samples gets new ones, and loses nothing.
    @Test func theSamplesAreMadeAnew() throws {
        let folder = try TemporaryFolder(), home = folder.path + "/home"
        try shell("mkdir -p home/.local built && ln -s \"$1\" built/valise && ln -s \"$1-thumbnailer\" built/valise-thumbnailer", Places.valise, in: folder.path).good()
        let environment = ["HOME": home, "BUILT": folder.path + "/built", "XDG_DATA_HOME": home + "/data"], helper = Places.inPackage("mount-helper.sh")
        func call(_ command: String) throws -> Ended { try Program([helper, command], environment: environment).wait() }
        try call("mount").good()
        defer { _ = try? call("unmount") }
        try shell("rm Swift.url; echo mine >Mine.txt", in: home + "/Valise").good()
        #expect(try call("reset").good().output.contains("The sample container is now \(home)/data/valise/Container 1."))
        #expect(FileManager.default.fileExists(atPath: home + "/Valise/Swift.url") && !FileManager.default.fileExists(atPath: home + "/Valise/Mine.txt"))
        #expect(FileManager.default.contents(atPath: home + "/data/valise/Container 1/Documents/Mine.stedoc") == Data("mine\n".utf8))
    }

    private let marker = "— next line —"
}
