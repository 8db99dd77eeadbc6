import Foundation

/// A container in a temporary folder, with an empty folder beside it to mount it on.
public final class TemporaryContainer: Sendable {
    private let folder: TemporaryFolder
    /// What is in it, as it was made.
    public let items: [Item]

    /// A document or plain file, as the drive is to show it.
    public struct Item: Codable, Sendable {
        public let stored: String
        public let shown: String
        public let size: Int
        public let sha256: String
    }

    /// Made by `make_container.py`, whose head explains the description. An empty one is an empty folder.
    public init(_ description: String = "") throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/container", 0o755)
        mkdir(folder.path + "/drive", 0o755)
        items = description.isEmpty ? [] : try Self.make(description, in: folder.path + "/container")
    }

    private static func make(_ description: String, in path: String) throws -> [Item] {
        try PythonServer.answer("make", path, description)
    }

    /// Adds more items, or replaces those that are there.
    @discardableResult
    public func add(_ description: String) throws -> [Item] { try Self.make(description, in: path) }

    public var path: String { folder.path + "/container" }
    /// The empty folder to mount on.
    public var mountpoint: String { folder.path + "/drive" }
    /// A path beside both, for whatever a test needs.
    public func beside(_ name: String) -> String { folder.path + "/" + name }
    public func stored(_ name: String) -> String { path + "/" + name }
}
