import Foundation

/// The user's home, as a shell and other programs have it: HOME says, and only without that the list of users.
public enum HomeFolder {
    public static var path: String {
        ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? FileManager.default.homeDirectoryForCurrentUser.path
    }

    /// A path that somebody wrote, with “~” for the home.
    public static func expanded(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? self.path + path.dropFirst() : NSString(string: path).expandingTildeInPath
    }
}
