import Foundation

/// Containers that were mounted, so that they can be again by one key. They are in a file of the user's, which may be lost without harm.
public struct KnownContainers: Sendable {
    public struct Entry: Codable, Equatable, Sendable {
        public let container: String
        public let mountpoint: String

        var isThere: Bool {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: container, isDirectory: &isFolder) && isFolder.boolValue
        }
    }

    public private(set) var entries: [Entry]
    private let file: String
    private static let most = 50

    /// `~/.local/state/valise/window.json`, or where XDG_STATE_HOME says.
    public static var usualFile: String {
        let named = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (named ?? HomeFolder.path + "/.local/state") + "/valise/window.json"
    }

    public init(file: String = usualFile) {
        self.file = file
        entries = FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode([Entry].self, from: $0) } ?? []
    }

    /// The last ones first. One that is on another folder now is there in the future.
    mutating func add(_ mounted: [(container: String, mountpoint: String)]) {
        let new = mounted.map { Entry(container: $0.container, mountpoint: $0.mountpoint) }, places = Set(new.map(\.container))
        guard !new.allSatisfy(entries.contains) else { return }
        entries = Array((new + entries.filter { !places.contains($0.container) }).prefix(Self.most))
        write()
    }

    mutating func remove(_ container: String) {
        entries.removeAll { $0.container == container }
        write()
    }

    private func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        guard let data = try? encoder.encode(entries) else { return }
        try? FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: file), options: .atomic)
    }
}
