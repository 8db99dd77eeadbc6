import Foundation
import MountTesting
import ShareComputers
import Shares

/// Computers that see one folder.
final class Meeting {
    let folder: TemporaryFolder, clock = ShareComputer.Clock()
    var computers: [ShareComputer] = []
    private var made: UInt64 = 0, homes: [TemporaryFolder] = []

    init(_ count: Int, keeps: ShareKeeping = .needed) throws {
        folder = try TemporaryFolder()
        for index in 0..<count { try add("\(index)", keeps: keeps) }
    }

    @discardableResult
    func add(_ name: String, keeps: ShareKeeping = .needed, copyOf other: ShareComputer? = nil) throws -> ShareComputer {
        made += 1
        homes.append(try TemporaryFolder())
        let computer = try ShareComputer(name, at: homes[homes.count - 1].path, in: folder.path, clock, seed: made, keeps: keeps, copyOf: other)
        computers.append(computer)
        return computer
    }

    func rounds(_ count: Int, later seconds: Int64 = 1) throws {
        for _ in 0..<count {
            clock.seconds += seconds
            for computer in computers { try computer.meet() }
        }
    }

    /// All files, by their paths.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if let data = FileManager.default.contents(atPath: "\(folder.path)/\(path)") { files[path] = data }
        }
        return files
    }
    func contents() throws -> [String] { try files().keys.filter { $0.contains("/c/") } }
    func factFiles() throws -> [String] { try files().keys.filter { $0.hasSuffix(".facts") } }
    var areAlike: Bool { computers.allSatisfy { $0.facts == computers[0].facts && $0.here.lacking.isEmpty } }
    func path(of computer: ShareComputer) -> String { "\(folder.path)/\(computer.share.memory.device)" }
}
