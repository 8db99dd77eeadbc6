import Foundation

/// Which folder is the container of an identifier: `$VALISE_CONTAINER` for the app's own, and the lines of
/// `$XDG_CONFIG_HOME/valise/containers` for all, each `identifier = folder`.
struct ContainerNames {
    private let environment: [String: String]
    private static let longestFile = 64 * 1024

    init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

    /// nil where there is none.
    func folder(of identifier: String?) -> URL? {
        if identifier == nil, let path = environment["VALISE_CONTAINER"], !path.isEmpty { return existing(path) }
        let lines = lines()
        guard let identifier else { return lines.first.flatMap { existing($0.path) } }
        let wanted = Self.plain(identifier)
        return lines.first { Self.plain($0.identifier) == wanted }.flatMap { existing($0.path) }
    }

    /// All that are named.
    var folders: [URL] {
        let paths = [environment["VALISE_CONTAINER"] ?? ""].filter { !$0.isEmpty } + lines().map(\.path)
        return paths.compactMap(existing)
    }

    /// As the folder of a container on Apple's systems is called: `TEAM~com~example~App`.
    private static func plain(_ identifier: String) -> String { identifier.replacingOccurrences(of: "~", with: ".") }

    private var home: String { environment["HOME"] ?? NSHomeDirectory() }

    private func lines() -> [(identifier: String, path: String)] {
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        guard let file = FileHandle(forReadingAtPath: base + "/valise/containers"), let data = try? file.read(upToCount: Self.longestFile) else { return [] }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.hasPrefix("#"), let path = parts.last, !path.isEmpty else { return nil }
            return (name, path)
        }
    }

    private func existing(_ path: String) -> URL? {
        let full = path.hasPrefix("~/") ? home + path.dropFirst() : path
        let url = URL(fileURLWithPath: full, isDirectory: true)
        guard full.hasPrefix("/"), (try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return nil }
        return url
    }
}
