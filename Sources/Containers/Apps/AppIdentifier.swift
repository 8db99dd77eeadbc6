import LinuxFiles

/// Which app a folder of `Mobile Documents` belongs to: `iCloud~com~example~notes`, `com~apple~CloudDocs`,
/// `M6HJR9W95L~com~example~notes` (an older app, by its maker's number).
public struct AppIdentifier: Hashable, Sendable {
    /// `com.example.notes`
    public let text: String

    /// nil for any other name.
    public init?(folder: Name) {
        guard let text = String(validating: folder.bytes, as: UTF8.self) else { return nil }
        var parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count > 2, let first = parts.first, parts.allSatisfy(Self.isPart) else { return nil }
        if first == "iCloud" || Self.isMakersNumber(first) { parts.removeFirst() } else if parts.prefix(2) != ["com", "apple"] { return nil }
        guard parts.count > 1 else { return nil }
        self.text = parts.joined(separator: ".")
    }

    /// iCloud Drive's own folder: what a person put there, and not an app.
    public static let drive = AppIdentifier("com.apple.CloudDocs")

    private init(_ text: String) { self.text = text }

    /// As people call the app, as far as the folder tells.
    public var appName: String { Self.known[text] ?? text.split(separator: ".").last.map(String.init) ?? text }

    /// Names that are not the last part of what Apple calls its own apps.
    private static let known = [
        "com.apple.CloudDocs": "iCloud Drive", "com.apple.mobilegarageband": "GarageBand", "com.apple.garageband10": "GarageBand for Mac",
        "com.apple.iBooks": "Books", "com.apple.mail": "Mail", "com.apple.shoebox": "Wallet", "com.apple.QuickTimePlayerX": "QuickTime Player",
        "com.apple.ScriptEditor2": "Script Editor", "is.workflow.my.workflows": "Shortcuts", "com.apple.configurator.ui": "Configurator",
    ]

    private static func isPart(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F }
    }

    private static func isMakersNumber(_ part: Substring) -> Bool {
        part.utf8.count == 10 && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }
}
