import Foundation

/// What somebody is doing in an app, to be gone on with later: as Foundation's class of this name, which Linux does not have.
///
/// No other device hears of it and no system searches it here. What remains is what an app keeps itself when it ends, and goes on with
/// when it starts again.
///
/// ```swift
/// document.userActivity = NSUserActivity(activityType: "com.example.App.editing")
/// ```
@MainActor
open class NSUserActivity: NSObject {
    /// ```swift
    /// if activity.activityType == "com.example.App.editing" { … }
    /// ```
    public let activityType: String
    /// What it is, for people.
    ///
    /// ```swift
    /// activity.title = document.localizedName
    /// ```
    open var title: String?
    /// What is needed to go on with it.
    ///
    /// ```swift
    /// let url = activity.userInfo?[UIDocument.userActivityURLKey] as? URL
    /// ```
    open var userInfo: [AnyHashable: Any]?
    /// Whether ``userInfo`` is to be brought up to date before it is used.
    ///
    /// ```swift
    /// activity.needsSave = true
    /// ```
    open var needsSave = false
    /// The page that shows the same.
    ///
    /// ```swift
    /// activity.webpageURL = page
    /// ```
    open var webpageURL: URL?

    /// ```swift
    /// let activity = NSUserActivity(activityType: "com.example.App.editing")
    /// ```
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// Adds to ``userInfo``.
    ///
    /// ```swift
    /// activity.addUserInfoEntries(from: ["line": 12])
    /// ```
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) { userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 } }

    /// It is what is being done now. Nobody hears of it here.
    ///
    /// ```swift
    /// activity.becomeCurrent()
    /// ```
    open func becomeCurrent() {}

    /// Something else is being done now.
    ///
    /// ```swift
    /// activity.resignCurrent()
    /// ```
    open func resignCurrent() {}

    /// It is over.
    ///
    /// ```swift
    /// activity.invalidate()
    /// ```
    open func invalidate() {}
}

extension UIDocument {
    /// Under this key an activity has the document's URL.
    ///
    /// ```swift
    /// let url = activity.userInfo?[UIDocument.userActivityURLKey] as? URL
    /// ```
    public nonisolated static let userActivityURLKey = "NSUserActivityDocumentURLKey"
}
