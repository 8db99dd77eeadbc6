/// The folders that a browser has by itself, as they are called here whichever file of the browser's they come from: its HTML has their names in its
/// user's language, and marks them, and its other files have no names of them, or have others. What is in Firefox's menu is in none.
public enum BrowserFolder {
    public static let toolbar = "Bookmarks Toolbar", unfiled = "Other Bookmarks", mobile = "Mobile Bookmarks"
    /// Chromium's toolbar.
    static let bar = "Bookmarks bar"

    static func toolbar(called name: String) -> String { name == bar ? bar : toolbar }
}
