import Foundation

/// What a drive says of itself in `.valise/status`.
public struct DriveStatus: Decodable, Sendable {
    public let container: String
    public let mountpoint: String
    public let process: Int32
    public let readOnly: Bool
    public let open: Int
    public let requests: [String: Int]
    public let changes: Changes
    public let drafts: [File]
    public let errors: [File]

    public let coordination: Coordination?

    public struct Coordination: Decodable, Sendable {
        public let programs: Int
        public let waiting: Int
        public let presented: Int
        public let questions: Int
        public let unanswered: Int
        public let notice: String?
    }

    /// Claims of other programs that wait.
    public var waiting: Int { coordination?.waiting ?? 0 }

    public struct Changes: Decodable, Sendable {
        public let seen: String
        public let watched: Int
        public let limitReached: Bool
        public let notices: Int
        public let lookedAt: Int
        public let rescans: Int
        public let told: Int
    }

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

    /// The requests that `body` causes, by kind. Asking for the status is not counted by the drive.
    ///
    /// The kernel lets go of files after the fact, so the status is read until it says the same twice. What the kernel
    /// forgets of its own accord is left out.
    public func requests(during body: () throws -> Void) throws -> [String: Int] {
        let before = try settledCounts()
        try body()
        let after = try settledCounts()
        return after.reduce(into: [:]) { counts, entry in
            let added = entry.value - (before[entry.key] ?? 0)
            if added != 0 { counts[entry.key] = added }
        }
    }

    private func settledCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let areSettled = try eventually {
            let previous = counts
            counts = try status().requests.filter { $0.key != "FORGET" }
            return counts == previous
        }
        guard areSettled else { throw Failed("the drive's counts of requests do not settle: \(counts)") }
        return counts
    }
}
