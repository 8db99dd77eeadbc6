/// Which folder is the container of an app's identifier: the lines `identifier = folder` of `~/.config/valise/containers`.
/// `TEAM~com~example~App` and `TEAM.com.example.App` are the same identifier.
public struct NamedContainers: Sendable {
    /// At most so many bytes of the file are read.
    public static let longestFile = 64 * 1024
    /// Where it is, and what else a person has said of all containers, by the variables of the environment.
    public static func file(_ name: String = "containers", home: String, _ variable: (String) -> String?) -> String {
        (variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config") + "/valise/" + name
    }

    /// In the order of the file: the first is the app's own where nothing else says which.
    public let lines: [(identifier: String, path: String)]

    /// `~/` at the beginning of a folder is the home.
    public init(_ bytes: [UInt8], home: String) {
        lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
            guard parts.count == 2, let name = parts.first, !name.isEmpty, !name.hasPrefix("#"), let path = parts.last else { return nil }
            let full = path.hasPrefix("~/") ? home + path.dropFirst() : path
            return full.hasPrefix("/") ? (name, full) : nil
        }
    }

    public func path(of identifier: String) -> String? {
        let wanted = Self.plain(identifier)
        return lines.first { Self.plain($0.identifier) == wanted }?.path
    }

    private static func plain(_ identifier: String) -> String { String(identifier.map { $0 == "~" ? "." : $0 }) }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
