import Foundation
import Hashes
import MountTesting
import Replication
import ShareComputers
@testable import Shares
import Testing

/// Two computers, each with a folder of its own, and two real Syncthings that keep the folders alike.
@Suite(.long, .waiting) struct SyncthingShareTests {
    private static var isMissing: Bool {
        let isHere = ["syncthing", "python3"].allSatisfy { program in ["/usr/bin", "/usr/local/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") } }
        return !isHere && ProcessInfo.processInfo.environment["CI"] != "true"
    }

    private final class Pair {
        let one: ShareComputer, other: ShareComputer, folders: [TemporaryFolder]
        private let homes: [TemporaryFolder], state: TemporaryFolder, carrier: Program, clock = ShareComputer.Clock()

        init() throws {
            folders = [try TemporaryFolder(), try TemporaryFolder()]
            homes = [try TemporaryFolder(), try TemporaryFolder()]
            state = try TemporaryFolder()
            one = try ShareComputer("one", at: homes[0].path, in: folders[0].path, clock, seed: 1)
            other = try ShareComputer("other", at: homes[1].path, in: folders[1].path, clock, seed: 2)
            carrier = try Program(["python3", Places.inPackage("Tests/Shares/carried.py"), folders[0].path, folders[1].path, state.path])
            try wait(for: "ready")
        }

        /// And both Syncthings, which are of its group.
        deinit { carrier.end() }

        private func wait(for word: String, times: Int = 1) throws {
            let isSaid = eventually(within: 300) { carrier.hasEnded || carrier.output.split(separator: "\n").count { $0 == word } >= times }
            try #require(isSaid && !carrier.hasEnded, "\(carrier.output)\(carrier.errors)")
        }

        func whileNothingIsCarried(_ body: () throws -> Void) throws {
            try Data().write(to: URL(fileURLWithPath: state.path + "/paused"))
            try wait(for: "paused")
            try body()
            try FileManager.default.removeItem(atPath: state.path + "/paused")
            try wait(for: "going")
        }

        /// What both wait for, however long the carrier takes.
        func meet(until isSo: () throws -> Bool) throws -> Bool {
            try eventually(within: 400) {
                clock.seconds += 1
                for computer in [one, other] { try computer.meet() }
                if try isSo() { return true }
                usleep(200_000)
                return false
            }
        }

        var isAlike: Bool { one.facts == other.facts && one.here.lacking.isEmpty && other.here.lacking.isEmpty }

        func files(_ isMeant: (String) -> Bool) throws -> [String] { try folders.flatMap { try FileManager.default.subpathsOfDirectory(atPath: $0.path).filter(isMeant) } }
    }

    /// Both edit, delete and make while they are apart, small and large. Then both know the same and have all contents, no save is lost, no file has two
    /// writers for Syncthing, and the mailbox is empty.
    @Test(.disabled(if: isMissing, "there is no Syncthing here"), .timeLimit(.minutes(40))) func twoComputersAgree() throws {
        let pair = try Pair(), (one, other) = (pair.one, pair.other)
        let shared = try one.save(), deleted = try other.save(size: 10)
        try #require(try pair.meet { pair.isAlike && one.facts.places[deleted] != nil && other.facts.places[shared] != nil })
        try pair.whileNothingIsCarried {
            for computer in [one, other] {
                try computer.save(shared)
                try computer.save(size: 3 << 20)
                for _ in 0..<40 {
                    try computer.save(size: 10)
                    try computer.meet()
                }
            }
            try one.delete(deleted)
            try other.save(deleted)
        }
        let versions = Set(one.facts.versions.compactMap(\.digest)).union(other.facts.versions.compactMap(\.digest))
        try #require(try pair.meet { pair.isAlike && versions.isSubset(of: Set(one.facts.versions.compactMap(\.digest))) })
        let seen = View(of: one.facts)
        #expect(seen == View(of: other.facts) && seen.items[shared]?.conflicts.count == 1)
        // What one deleted and the other edited is there.
        #expect(seen.items[deleted]?.isThere == true && seen.items.count == 84)
        // Which share it is both have said, before they met.
        #expect(try pair.files { $0.contains("sync-conflict") && !$0.hasPrefix("valise-share") } == [])
        #expect(try pair.meet { try pair.files { $0.contains("/c/") && $0.utf8.count > 70 }.isEmpty })
    }
}
