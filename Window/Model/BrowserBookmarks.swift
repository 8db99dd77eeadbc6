import Foundation

/// A browser's own file with bookmarks, in folders of the home that nobody looks into.
public struct BrowserBookmarks: Equatable, Sendable {
    public let browser: String
    public let path: String

    public init(browser: String, path: String) { (self.browser, self.path) = (browser, path) }

    /// Where each has its profiles; those of packages with a home of their own, too.
    private static let firefox = [".mozilla/firefox", "snap/firefox/common/.mozilla/firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox"]
    private static let others = [
        ("Chromium", ".config/chromium"), ("Chromium", "snap/chromium/common/chromium"), ("Chromium", ".var/app/org.chromium.Chromium/config/chromium"), ("Chrome", ".config/google-chrome"),
        ("Chrome", ".var/app/com.google.Chrome/config/google-chrome"), ("Brave", ".config/BraveSoftware/Brave-Browser"), ("Edge", ".config/microsoft-edge"), ("Vivaldi", ".config/vivaldi"),
    ]

    /// Of each browser the one of its profiles that was used last.
    public static func found(home: String = HomeFolder.path) -> [BrowserBookmarks] {
        let files = firefox.flatMap { self.files("places.sqlite", under: "\(home)/\($0)") }.map { BrowserBookmarks(browser: "Firefox", path: $0) }
            + others.flatMap { browser, folder in self.files("Bookmarks", under: "\(home)/\(folder)").map { BrowserBookmarks(browser: browser, path: $0) } }
        var found: [BrowserBookmarks] = []
        for file in files.sorted(by: { used($0.path) > used($1.path) }) where !found.contains(where: { $0.browser == file.browser }) { found.append(file) }
        return found.sorted { $0.browser < $1.browser }
    }

    private static func files(_ name: String, under folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)/\(name)" }.filter { FileManager.default.isReadableFile(atPath: $0) }
    }

    /// What a browser that runs has not carried over yet is in a file beside it.
    private static func used(_ path: String) -> Date {
        [path, path + "-wal"].compactMap { (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date }.max() ?? .distantPast
    }
}
