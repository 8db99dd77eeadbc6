import Foundation
import MountTesting
import Testing

/// What is there after a crash between two renames and the recovery from it, as somebody else's decoder reads it.
@Suite struct IndependentDecoderTests {
    /// A new document that is a draft only gets its other name in the journal. Permissions are set where the document lies.
    static let cases = CrashCase.most.filter { !["text", "textbundle", "scrap", "leaf"].contains($0.kind.name) && ![.renameUnborn, .remoteMode].contains($0.operation) }

    @Test(.long, arguments: cases)
    func otherDecodersReadIt(of trial: CrashCase) throws {
        let rehearsal = try Rehearsal(trial.operation, trial.kind)
        let renames = rehearsal.points.filter { rehearsal.outcome.calls[$0 - 1] == "renameat2" }
        try #require(!renames.isEmpty)
        for point in TestRun.isWhole ? renames : trial.tried(renames) {
            let container = try rehearsal.fixture.copy()
            let run = try TrialRun(trial.operation.rawValue, trial.kind, container, content: rehearsal.fixture.content, .exitAfter, at: point)
            #expect(run.end() == 99)
            let found = try Reopening(container).snapshot
            let decoded = try Self.decode(container.appendingPathComponent("Documents"))
            for (name, entry) in found.entries where entry.kind == trial.kind.name {
                // Of a link file, the address is what is kept.
                let kept = trial.kind.name == "bookmark" ? Array(entry.content.split(separator: 0x3D)[1].dropLast()) : entry.content
                let isThere = decoded.contains { $0.contains(kept) }
                #expect(isThere, "\(name) after a crash behind call \(point) of \(trial.testDescription)")
            }
        }
    }

    /// The pieces of each archive.
    private static func decode(_ documents: URL) throws -> [Set<[UInt8]>] {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", #filePath.replacingOccurrences(of: "IndependentDecoderTests.swift", with: "decode_container.py"), documents.path]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in Set(line.split(separator: " ").dropFirst().map(bytes)) }
    }

    private static func bytes(_ word: Substring) -> [UInt8] {
        let digits = Array(word.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0 }
    }
}
