import DocumentKit
import Foundation

/// What an app deleted lies beside its documents for a month, as Files on a phone keeps it: deleting and undoing that are one rename each,
/// which is done or not done wherever the app is killed. A drive keeps what is deleted on it elsewhere, and neither knows of the other's.
public struct RecentlyDeleted: Sendable {
    public struct Item: Sendable, Equatable {
        /// Where it lies now, and where it was.
        public let url: URL, original: URL
        public let date: Date
    }

    private static let days = 30.0
    private let container: AppContainer
    private let app: String

    /// `app`: apps may have a container together, and each sees its own only.
    public init(_ container: AppContainer, app: String) { (self.container, self.app) = (container, app) }

    /// With a dot: where documents lie in the container itself, this is beside them.
    private var folder: URL { container.folder.appendingPathComponent(".Recently Deleted/\(app)", isDirectory: true) }

    public static func isIn(_ path: String) -> Bool { path.contains("/.Recently Deleted/") }

    /// The newest first.
    public var items: [Item] {
        let days = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return days.compactMap(item).sorted { $0.date > $1.date }
    }

    /// Each is in a folder of its own: microseconds since 1970, and the folder that it was in.
    private func item(in folder: URL) -> Item? {
        let words = folder.lastPathComponent.split(separator: " ", maxSplits: 1).map(String.init)
        guard let time = words.first.flatMap(Double.init), let name = try? FileManager.default.contentsOfDirectory(atPath: folder.path).first else { return nil }
        var original = container.documents
        if words.count > 1 { for part in words[1].split(separator: ":") { original.appendPathComponent(String(part)) } }
        return Item(url: folder.appendingPathComponent(name), original: original.appendingPathComponent(name), date: Date(timeIntervalSince1970: time / 1e6))
    }

    @discardableResult
    public func put(_ url: URL) async throws -> Item {
        let inside = container.path(of: url).split(separator: "/").dropLast().joined(separator: ":")
        let time = Int(Date().timeIntervalSince1970 * 1e6), own = folder.appendingPathComponent(inside.isEmpty ? "\(time)" : "\(time) \(inside)", isDirectory: true)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        do { try await Coordinated.moving(url, to: own.appendingPathComponent(url.lastPathComponent)) } catch {
            rmdir(own.path)
            throw error
        }
        clear()
        return Item(url: own.appendingPathComponent(url.lastPathComponent), original: url, date: Date(timeIntervalSince1970: Double(time) / 1e6))
    }

    /// To where it was, or to the first free name beside that.
    @discardableResult
    public func bringBack(_ item: Item) async throws -> URL {
        try FileManager.default.createDirectory(at: item.original.deletingLastPathComponent(), withIntermediateDirectories: true)
        let url = Self.freeName(beside: item.original)
        try await Coordinated.moving(item.url, to: url)
        // Fails where something is in it still, and then it stays.
        rmdir(item.url.deletingLastPathComponent().path)
        return url
    }

    /// What was deleted last. `command`: that of the app.
    public func bringBackLast(_ command: String) async throws -> URL {
        guard let last = items.first else {
            throw AppFault("Nothing was deleted by “\(command)” in the last month. What was deleted on a drive, “valise deleted” lists and “valise undelete” brings back.")
        }
        return try await bringBack(last)
    }

    /// What was deleted, and who brings it back.
    public static func sentence(_ name: String, _ command: String) -> String {
        "\(name) is deleted. “\(command) undo” brings it back; “valise deleted” has only what was deleted on a drive."
    }

    /// `Photo.ptk`, `Photo 1.ptk`, and so on.
    public static func freeName(beside url: URL) -> URL {
        let folder = url.deletingLastPathComponent(), word = url.pathExtension, stem = word.isEmpty ? url.lastPathComponent : url.deletingPathExtension().lastPathComponent
        var number = 0, free = url
        while FileManager.default.fileExists(atPath: free.path) {
            number += 1
            free = folder.appendingPathComponent("\(stem) \(number)" + (word.isEmpty ? "" : ".\(word)"))
        }
        return free
    }

    /// What is older than a month is gone for good.
    private func clear() {
        for item in items where item.date.timeIntervalSinceNow < -Self.days * 86_400 { try? FileManager.default.removeItem(at: item.url.deletingLastPathComponent()) }
        for folder in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [] { rmdir(folder.path) }
    }
}
