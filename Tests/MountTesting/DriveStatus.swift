import Foundation

/// What a drive says of itself in `.valise/status`.
public struct DriveStatus: Decodable, Sendable {
    public let container: String
    public let mountpoint: String
    public let process: Int32
    public let readOnly: Bool
    public let open: Int
    public let requests: [String: Int]
    public let drafts: [File]
    public let errors: [File]

    public struct File: Decodable, Sendable, Equatable {
        public let file: String
        public let reason: String?
    }

    public func reason(of file: String) -> String? { errors.first { $0.file == file }?.reason }
}

extension MountedDrive {
    public func status() throws -> DriveStatus {
        let page = try run("cat", mountpoint + "/.valise/status").good()
        return try JSONDecoder().decode(DriveStatus.self, from: Data(page.output.utf8))
    }

    /// The requests that `body` causes, by kind, without those that the asking causes.
    ///
    /// The kernel lets go of files after the fact. So the status is read until two readings in a row differ by the
    /// same: that is what a reading costs, and all before it has been counted. What the kernel forgets of its own
    /// accord is left out.
    public func requests(during body: () throws -> Void) throws -> [String: Int] {
        let before = try settledCounts()
        try body()
        let after = try settledCounts()
        var counts: [String: Int] = [:]
        for (kind, count) in after.last where kind != "FORGET" {
            let added = count - (before.last[kind] ?? 0) - after.readings * (after.cost[kind] ?? 0)
            if added != 0 { counts[kind] = added }
        }
        return counts
    }

    private func settledCounts() throws -> (last: [String: Int], cost: [String: Int], readings: Int) {
        var pages: [[String: Int]] = []
        var costs: [[String: Int]] = []
        while pages.count < 200 {
            pages.append(try status().requests.filter { $0.key != "FORGET" })
            guard pages.count > 1 else { continue }
            let (last, previous) = (pages[pages.count - 1], pages[pages.count - 2])
            costs.append(last.reduce(into: [:]) { $0[$1.key] = $1.value - (previous[$1.key] ?? 0) })
            if costs.count > 1, costs[costs.count - 1] == costs[costs.count - 2] { return (last, costs[costs.count - 1], pages.count) }
        }
        throw Failed("the drive's counts of requests do not settle: \(costs.suffix(3))")
    }
}
