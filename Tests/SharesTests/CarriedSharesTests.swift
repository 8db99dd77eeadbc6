import Foundation
import Hashes
import MountTesting
import Replication
import ShareComputers
import SeededNumbers
import Testing
@testable import Shares

/// Computers with real files and databases, each with a share of its own between which files are carried badly, or all with one; they crash, are copied and
/// put back, and folders are emptied. At rest all know the same, and have all that is needed.
@Suite struct CarriedSharesTests {
    private struct Wrong: Error, CustomStringConvertible { let description: String }

    private final class World {
        var numbers: SeededNumbers
        let clock = ShareComputer.Clock(), carrier = BadCarrier(), isCarried: Bool
        var computers: [(computer: ShareComputer, folder: TemporaryFolder)] = []
        var backups: [(ShareComputer, TemporaryFolder)] = [], sticks: [(String, [String: Data])] = []
        var isRestored = false, isCopied = false
        private var made: UInt64, homes: [TemporaryFolder] = []

        init(seed: UInt64) throws {
            numbers = SeededNumbers(seed: seed)
            made = seed &* 1000
            isCarried = seed % 3 != 0
            let count = Int.random(in: 2...4, using: &numbers)
            for index in 0..<count { try add("computer \(index)", try TemporaryFolder()) }
        }

        func add(_ name: String, _ folder: TemporaryFolder, copyOf other: ShareComputer? = nil) throws {
            let folder = isCarried ? folder : computers.first?.folder ?? folder
            made += 1
            let home = try TemporaryFolder()
            homes.append(home)
            computers.append((try ShareComputer(name, at: home.path, in: folder.path, clock, seed: made, copyOf: other), folder))
        }

        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < share }

        func run() throws {
            for _ in 0..<40 { try happen() }
            try comeToRest()
            // Who comes later hears all that was acknowledged.
            try add("newcomer", try TemporaryFolder())
            try comeToRest()
            for (computer, _) in computers {
                let lacking = computer.here.lacking
                guard computer.facts == computers[0].computer.facts else { throw Wrong(description: "\(computer.name) knows something else") }
                guard lacking.allSatisfy({ content in !computers.contains { $0.computer.has(content) } }) else { throw Wrong(description: "a content did not come to \(computer.name)") }
                guard lacking.isEmpty || isRestored else { throw Wrong(description: "a content is lost") }
            }
            // Whoever gave up a name, or is no more, is waited for no longer after this.
            clock.seconds += Share.silence
            try comeToRest()
            guard !isRestored || computers.allSatisfy({ $0.computer.here.lacking.isEmpty }) else { return }
            for (_, folder) in computers {
                let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/c/") && $0.utf8.count > 70 }
                guard left.isEmpty else { throw Wrong(description: "the mailbox is not empty at rest: \(left.count) contents") }
            }
        }

        private func happen() throws {
            clock.seconds += Int64.random(in: 1...40, using: &numbers)
            let index = Int.random(in: computers.indices, using: &numbers), (computer, folder) = computers[index]
            switch Double.random(in: 0..<1, using: &numbers) {
            case ..<0.3:
                let items = computer.facts.places.keys.sorted()
                if let item = items.randomElement(using: &numbers), chance(0.4) {
                    if chance(0.2) { try computer.delete(item) } else { try computer.save(item) }
                } else {
                    try computer.save(size: chance(0.5) ? 10 : 5000)
                }
            case ..<0.62:
                computer.mayCrash = { [unowned self] in if chance(0.06) { throw ShareComputer.Crash() } }
                do { try computer.meet() } catch is ShareComputer.Crash { try computer.restart() }
                computer.mayCrash = {}
            case ..<0.86:
                guard isCarried, let other = computers.filter({ $0.computer !== computer }).randomElement(using: &numbers) else { return }
                try carrier.carry(from: folder.path, to: other.folder.path, isBad: true, chance)
            case ..<0.89:
                let backup = try TemporaryFolder()
                try computer.copyDisk(to: backup.path)
                backups.append((computer, backup))
            case ..<0.91:
                guard let (restored, backup) = backups.randomElement(using: &numbers) else { return }
                try restored.restore(from: backup.path)
                isRestored = true
            case ..<0.93:
                guard computers.count < 5 else { return }
                let copied = try TemporaryFolder()
                if isCarried { try carrier.carry(from: folder.path, to: copied.path, isBad: false, chance) }
                try add("copy of \(computer.name)", copied, copyOf: computer)
                isCopied = true
            case ..<0.95: sticks.append((folder.path, try carrier.snapshot(folder.path)))
            case ..<0.97:
                guard isCarried, let (path, files) = sticks.randomElement(using: &numbers) else { return }
                try carrier.putBack(files, to: path)
            case ..<0.98: try tear(in: folder.path)
            default: try? FileManager.default.removeItem(atPath: "\(folder.path)/\(computer.share.memory.device)")
            }
        }

        /// Somebody writes over a file of facts that is whole, or half of it is put back: also one that everybody has read.
        private func tear(in folder: String) throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".facts") }.sorted()
            guard let path = paths.randomElement(using: &numbers), var data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { return }
            if chance(0.5) { data = data.prefix(data.count / 2) } else { data[data.count / 2] ^= 1 }
            try data.write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
        }

        private func everybodyMeets() throws {
            clock.seconds += Share.patience + 1
            for (computer, folder) in computers {
                try computer.meet()
                for (_, other) in computers where isCarried && other.path != folder.path { try carrier.carry(from: folder.path, to: other.path, isBad: false, chance) }
            }
        }

        private func comeToRest() throws {
            let folders = Array(Set(computers.map(\.folder.path)))
            var quiet = 0
            for _ in 0..<60 {
                let before = try carrier.writes(folders)
                try everybodyMeets()
                quiet = try carrier.writes(folders) == before ? quiet + 1 : 0
                if quiet == 3 { return }
            }
            throw Wrong(description: "somebody writes for ever")
        }
    }

    @Test(arguments: UInt64(0)..<24) func allAgree(seed: UInt64) throws {
        do { try World(seed: seed).run() } catch { Issue.record("seed \(seed): \(error)") }
    }
}
