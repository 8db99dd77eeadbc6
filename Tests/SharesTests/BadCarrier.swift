import Foundation

/// Carries the files of a share from folder to folder as such tools do: each change of a file has a number, and the higher one counts. Some come later, some
/// torn, in any order, and removals are carried like files.
final class BadCarrier {
    private struct State: Equatable {
        var change: Double
        /// Nil: it was removed.
        var data: Data?
    }

    private var known: [String: [String: State]] = [:]
    private var changes = 0.0

    private static func files(_ folder: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where !path.split(separator: "/").contains(where: { $0.hasPrefix("~") }) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder), !isFolder.boolValue else { continue }
            files[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
        }
        return files
    }

    /// What changed in a folder since it was looked at last gets a number.
    private func look(_ folder: String) throws {
        let files = try Self.files(folder)
        for (path, data) in files where known[folder]?[path]?.data != data {
            changes += 1
            known[folder, default: [:]][path] = State(change: changes, data: data)
        }
        for (path, state) in known[folder] ?? [:] where state.data != nil && files[path] == nil {
            changes += 1
            known[folder]?[path] = State(change: changes, data: nil)
        }
    }

    /// `chance` says of each what goes wrong.
    func carry(from: String, to: String, isBad: Bool, _ chance: (Double) -> Bool) throws {
        try look(from)
        try look(to)
        for (path, state) in (known[from] ?? [:]).sorted(by: { $0.key < $1.key }) where state.change > known[to]?[path]?.change ?? 0 {
            if isBad, chance(0.3) { continue }
            let target = URL(fileURLWithPath: "\(to)/\(path)")
            guard let data = state.data else {
                try? FileManager.default.removeItem(at: target)
                known[to, default: [:]][path] = state
                continue
            }
            let isTorn = isBad && chance(0.15), arrived = isTorn ? data.prefix(data.count / 2) : data
            try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(arrived).write(to: target)
            // What came half is carried once more.
            known[to, default: [:]][path] = State(change: isTorn ? state.change - 0.5 : state.change, data: Data(arrived))
        }
    }

    /// A stick from last week: all is as it was, and counts as older than what the others have.
    func snapshot(_ folder: String) throws -> [String: Data] {
        try look(folder)
        return try Self.files(folder)
    }

    func putBack(_ files: [String: Data], to folder: String) throws {
        for path in try Self.files(folder).keys { try? FileManager.default.removeItem(atPath: "\(folder)/\(path)") }
        known[folder] = [:]
        for (path, data) in files {
            let target = URL(fileURLWithPath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: target)
            known[folder]?[path] = State(change: 0.1, data: data)
        }
    }

    /// To see that nobody writes for ever.
    func writes(_ folders: [String]) throws -> Double {
        for folder in folders { try look(folder) }
        return changes
    }
}
