import Foundation

/// A bookmark as the screen has it, wherever it is kept.
public struct BookmarkRow: Identifiable, Equatable, Sendable {
    public let id: String
    public let name: String, url: String
    public let isInConflict: Bool
    /// Why it cannot be read.
    public let fault: String?

    public init(id: String, name: String, url: String, isInConflict: Bool = false, fault: String? = nil) {
        (self.id, self.name, self.url, self.isInConflict, self.fault) = (id, name, url, isInConflict, fault)
    }
}

/// A side of a bookmark that two changed at once; the first one is what it is now.
public struct BookmarkSide: Sendable {
    public let name: String, url: String
    public let date: Date?, computer: String?

    public init(name: String, url: String, date: Date?, computer: String?) { (self.name, self.url, self.date, self.computer) = (name, url, date, computer) }
}

/// Where the bookmarks of a screen are kept. What it does is seen in its rows.
@MainActor
public protocol BookmarkStore: AnyObject {
    var rows: [BookmarkRow] { get }
    /// The rows are others; a sentence where it is worth one.
    var changed: ((String?) -> Void)? { get set }
    /// Said as long as it is so.
    var notice: String? { get }
    func start() throws
    func stop()
    func add(name: String, url: String) async throws
    /// Answers what undoes it.
    func delete(_ id: String) async throws -> @MainActor () async throws -> Void
    func webAddress(of row: BookmarkRow) throws -> URL
}

/// One whose bookmarks can be changed, and so can have two sides.
@MainActor
public protocol EditableBookmarkStore: BookmarkStore {
    func edit(_ id: String, name: String, url: String) async throws
    func sides(of id: String) async throws -> [BookmarkSide]
    func resolve(_ id: String, with number: Int) async throws
}

/// One that can take over bookmarks which were kept in another way before.
@MainActor
public protocol MigratingBookmarkStore: BookmarkStore {
    /// The names of those that it would take over, and how many are done.
    func plan() -> (names: [String], there: Int)
    /// `progress` hears how many are done; it ends early where its task is cancelled. Answers how many were made.
    func migrate(progress: @escaping @MainActor (Int) -> Void) async throws -> Int
    /// There may be others to be taken over.
    var otherPlan: (() -> Void)? { get set }
}
