import Foundation
import LinuxFiles
import MountTesting
import Testing
import Thumbnails

/// What the worker may do, as the kernel tells it.
@Suite(.waiting) struct SandboxTests {
    @Test func theKernelRefusesMostCalls() throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let status = try #require(worker.process.map(Self.status))
        #expect(status["NoNewPrivs"] == "1")
        #expect(status["Seccomp"] == "2")
    }

    @Test func itHasNoRights() throws {
        let worker = try ThumbnailWorker.built()
        // Decoding does not bring them back.
        _ = try worker.thumbnail(of: Array(QuarteredImage.png))
        let status = try #require(worker.process.map(Self.status))
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(status[set] == "0000000000000000", "\(set)") }
        guard geteuid() == 0 else { return }
        #expect(status["CapBnd"] == "0000000000000000")
        for kind in ["Uid", "Gid"] { #expect(status[kind]?.split(separator: "\t") == ["65534", "65534", "65534", "65534"], "\(kind)") }
        #expect(status["Groups"] == "")
    }

    @Test func itKnowsNothingOfTheEnvironment() throws {
        #expect(!ProcessInfo.processInfo.environment.isEmpty)
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let process = try #require(worker.process)
        let environment = try #require(FileManager.default.contents(atPath: "/proc/\(process)/environ"))
        #expect(environment.isEmpty)
    }

    /// A process that may not give up its rights does not decode, and is not started again and again.
    @Test(.enabled(if: geteuid() == 0, "only root may forbid calls to others")) func itEndsWhereASealFails() throws {
        let folder = try TemporaryFolder(), built = try #require(ThumbnailProgram.find())
        for call in ["setresuid", "seccomp", "landlock_restrict_self", "prctl"] {
            let program = folder.path + "/" + call
            let text = "#!/bin/sh\nexec /usr/bin/python3 \(Places.support("refusing.py")) \(call) \(built)\n"
            try text.write(toFile: program + ".text", atomically: true, encoding: .utf8)
            // By a process of its own: what another test starts meanwhile would have it open for writing, and it could not be run.
            try Program(["install", "-m", "755", program + ".text", program]).wait().good()
            let worker = ThumbnailWorker(program: program, patience: .init(answer: 120_000))
            for _ in 0..<2 { #expect(throws: ThumbnailFault.unsealed, "\(call)") { try worker.facts() } }
            #expect(worker.process == nil)
        }
    }

    @Test func memoryIsBounded() throws {
        let worker = try ThumbnailWorker.built()
        _ = try worker.facts()
        let limits = try String(contentsOfFile: "/proc/\(try #require(worker.process))/limits", encoding: .utf8).split(separator: "\n")
        func limit(_ name: String) -> [Substring] { limits.first { $0.hasPrefix(name) }?.dropFirst(26).split(separator: " ").prefix(2).map { $0 } ?? [] }
        #expect(limit("Max address space") == ["1073741824", "1073741824"])
        #expect(limit("Max core file size") == ["0", "0"])
        #expect(limit("Max file size") == ["0", "0"])
    }

    /// Neither before an image nor after many.
    @Test func nothingIsOpenButItsChannel() throws {
        let worker = try ThumbnailWorker.built()
        // Something that must not be inherited, though nobody marked it.
        let stray = open("/", O_RDONLY)
        defer { close(stray) }
        _ = try worker.facts()
        for _ in 0..<10 { _ = try? worker.refusal(of: Array("rubbish".utf8)) }
        _ = try worker.thumbnail(of: Array(QuarteredImage.heic))
        let folder = "/proc/\(try #require(worker.process))/fd"
        let open = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(open == ["0", "1", "2"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/0").hasPrefix("socket:"))
        for stream in ["/1", "/2"] { #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + stream) == "/dev/null") }
    }

    @Test func everyFormatHasALoader() throws {
        let formats = try ThumbnailWorker.built().facts().formats
        for format in ["png", "jpeg", "gif", "webp", "tiff", "bmp"] { #expect(formats.contains(format)) }
        #expect(formats.contains { $0.hasPrefix("heif") })
    }

    private static func status(_ process: Int32) -> [String: String] {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return Dictionary(text.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }) { first, _ in first }
    }
}
