import Foundation
import Testing

/// Files are about one thing, and folders hold what belongs together.
@Suite struct SizeTests {
    private static let mostLines = 500, mostFiles = 18
    /// Folders with more, and why. The number may become lower, and never higher.
    private static let large: [String: (files: Int, reason: String)] = [
        "Sources/LinuxFiles": (23, "a file for each thing that Linux has"),
        "Sources/FuseBridge": (20, "a file for each group of callbacks and of replies"),
    ]

    @Test func noFileIsLong() throws {
        for path in Repository.files where ["Sources", "Module", "Examples", "Window"].contains(path.prefix { $0 != "/" }) && ["swift", "c", "h"].contains((path as NSString).pathExtension) {
            let lines = try Repository.text(path).utf8.count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= Self.mostLines, "\(path) has \(lines) lines: it is several files")
        }
    }

    @Test func noFolderIsFull() {
        var counts: [String: Int] = [:]
        for path in Repository.swiftFiles(in: "Sources") { counts[(path as NSString).deletingLastPathComponent, default: 0] += 1 }
        #expect(counts.count > 20)
        for (folder, count) in counts { #expect(count <= Self.large[folder]?.files ?? Self.mostFiles, "\(folder) has \(count) files: it is several folders") }
        for folder in Self.large.keys { #expect(counts[folder] ?? 0 > Self.mostFiles, "\(folder) is no exception any more") }
    }

    /// A type that is split into very many topics is several types.
    @Test func noTypeHasVeryManyTopics() {
        var topics: [String: Int] = [:]
        for path in Repository.swiftFiles(in: "Sources") {
            let name = (path as NSString).lastPathComponent.split(separator: "+")
            if name.count > 1 { topics[path.split(separator: "/")[1] + " " + name[0], default: 0] += 1 }
        }
        for (type, count) in topics { #expect(count <= 6, "\(type) has \(count) files of topics") }
    }
}
