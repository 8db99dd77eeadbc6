import Foundation

/// A drive, as `valise status` tells of it.
public struct Drive: Equatable, Sendable {
    public struct Fault: Equatable, Sendable, Decodable {
        public let path: String
        public let reason: String?
    }

    /// What goes for good when somebody frees it.
    public struct Room: Equatable, Sendable, Decodable {
        public let items: Int
        public let size: Int64
    }

    public let mountpoint: String
    /// Nil where it does not answer.
    public let container: String?
    public let since: Date?
    public let isReadOnly: Bool
    public let drafts: [Fault], errors: [Fault]
    public let draftCount: Int, errorCount: Int
    /// Nil where that could not be known in time.
    public let conflictCount: Int?
    public let versions: Room?, deleted: Room?
    /// Why it does not answer, or why its container is not where it was.
    public let fault: String?

    public var name: String { (mountpoint as NSString).lastPathComponent }
    public var isAnswering: Bool { container != nil }
    /// What somebody should look at.
    public var needsCount: Int { draftCount + errorCount + (conflictCount ?? 0) + (fault == nil ? 0 : 1) }

    /// Whether a path is on it.
    public func has(_ path: String) -> Bool { path == mountpoint || path.hasPrefix(mountpoint + "/") }

    /// A path as it is called on the drive.
    public func place(of path: String) -> String { path.hasPrefix(mountpoint + "/") ? String(path.dropFirst(mountpoint.count + 1)) : path }

    /// The folder in which `.valise` shows something.
    func control(_ name: String) -> String { mountpoint + "/.valise/" + name }
}

extension Drive: Decodable {
    private enum Key: String, CodingKey {
        case mountpoint, container, since, readOnly, drafts, errors, draftCount, errorCount, conflictCount, versions, deleted, absent, error, mend
    }

    private struct Absent: Decodable { let reason: String }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        mountpoint = try values.decode(String.self, forKey: .mountpoint)
        container = try values.decodeIfPresent(String.self, forKey: .container)
        since = try values.decodeIfPresent(Date.self, forKey: .since)
        isReadOnly = try values.decodeIfPresent(Bool.self, forKey: .readOnly) ?? false
        drafts = try values.decodeIfPresent([Fault].self, forKey: .drafts) ?? []
        errors = try values.decodeIfPresent([Fault].self, forKey: .errors) ?? []
        draftCount = try values.decodeIfPresent(Int.self, forKey: .draftCount) ?? drafts.count
        errorCount = try values.decodeIfPresent(Int.self, forKey: .errorCount) ?? errors.count
        conflictCount = try values.decodeIfPresent(Int.self, forKey: .conflictCount)
        versions = try values.decodeIfPresent(Room.self, forKey: .versions)
        deleted = try values.decodeIfPresent(Room.self, forKey: .deleted)
        let absent = try values.decodeIfPresent(Absent.self, forKey: .absent)
        let error = try values.decodeIfPresent(String.self, forKey: .error), mend = try values.decodeIfPresent(String.self, forKey: .mend)
        fault = error.map { $0 + (mend.map { "; " + $0 } ?? "") } ?? absent?.reason
    }
}

extension ValiseProgram {
    private struct DrivesAnswer: Decodable { let drives: [Drive] }

    /// Those that you have mounted.
    public func drives() async throws -> [Drive] { try await answer("list", "--json", as: DrivesAnswer.self).drives }

    /// The folder is made where it is not there. `password`: of an encrypted backup. It goes through a pipe, and is in no argument.
    public func mount(_ container: String, on mountpoint: String, password: String? = nil) async throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: mountpoint, isDirectory: &isFolder)
        if !isThere {
            do { try FileManager.default.createDirectory(atPath: mountpoint, withIntermediateDirectories: true) } catch {
                throw ValiseFault("The folder “\(mountpoint)” cannot be made: \(error.localizedDescription)")
            }
        }
        do { try await perform(
            ["mount"] + (password == nil ? [] : ["--password-file", Self.standardInput]) + ["--", container, mountpoint],
            input: password.map { $0 + "\n" }) } catch {
            // What was made for it is not left behind.
            if !isThere { rmdir(mountpoint) }
            throw error
        }
    }

    /// `atOnce`: also while somebody uses it.
    public func unmount(_ drive: Drive, atOnce: Bool = false) async throws { try await perform(["unmount"] + (atOnce ? ["--lazy"] : []) + ["--", drive.mountpoint]) }

    /// Earlier versions of all documents, or those from before then, are gone for good.
    public func freeVersions(of drive: Drive, olderThan time: String? = nil) async throws -> String {
        try await perform(["versions", "--purge", "--all", "--yes", "-v"] + (time.map { ["--older", $0] } ?? []) + ["--", drive.mountpoint])
    }

    /// Answers what became of it.
    public func takeImportBack(on drive: Drive) async throws -> String { try await perform(["import", "--undo", "--", drive.mountpoint]) }

    public func freeDeleted(of drive: Drive) async throws -> String { try await perform(["deleted", "--purge", "--yes", "-v", "--", drive.mountpoint]) }
}
